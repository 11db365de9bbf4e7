//! Imports of `uuid` become assignments: the interpreter has no such module, the gate provides one.
//!
//! Lines stay where they are, so that places in tracebacks are those of the program.

use ruff_python_ast::{StmtImport, StmtImportFrom};
use ruff_text_size::TextRange;

/// A piece of source, and what stands there instead.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    range: TextRange,
    text: String,
}

/// A name that the program has no other use for. As short as this, an assignment of it is as long as the
/// import that it stands for, and columns stay as well.
pub(super) fn free_name(source: &str, inputs: &[&str]) -> String {
    let taken = |name: &str| source.contains(name) || inputs.contains(&name);
    let mut name = "_uuid_".to_owned();
    let mut number = 0_u32;
    while taken(&name) {
        name = format!("_uuid{number}_");
        number += 1;
    }
    name
}

/// `import math, uuid as u`: the other modules stay imports, and come first. What is last is an
/// expression, in which lines can be broken.
pub(super) fn of_import(statement: &StmtImport, provided: &str) -> Edit {
    let mut text = String::new();
    let mut bound = String::new();
    for alias in &statement.names {
        let name = alias.name.as_str();
        match (name, &alias.asname) {
            ("uuid", other) => {
                bound.push_str(other.as_ref().map_or(name, |other| other.as_str()));
                bound.push('=');
            }
            (module, Some(other)) => text.push_str(&format!("import {module} as {};", other.as_str())),
            (module, None) => text.push_str(&format!("import {module};")),
        }
    }
    Edit { range: statement.range, text: format!("{text}{bound}({provided}") }
}

/// `from uuid import uuid4, UUID as U`.
pub(super) fn of_import_from(statement: &StmtImportFrom, provided: &str) -> Edit {
    let names = statement.names.iter().map(|alias| {
        let bound = alias.asname.as_ref().map_or(alias.name.as_str(), |bound| bound.as_str());
        (bound, alias.name.as_str())
    });
    let bound: Vec<&str> = names.clone().map(|(bound, _)| bound).collect();
    let values: Vec<String> = names.map(|(_, name)| format!("{provided}.{name}")).collect();
    Edit { range: statement.range, text: format!("{}=({}", bound.join(","), values.join(",")) }
}

/// The source with the edits, which are in its order.
pub(super) fn apply(source: &str, edits: &[Edit]) -> String {
    let mut edited = String::with_capacity(source.len());
    let mut rest = 0;
    for edit in edits {
        let (start, end) = (edit.range.start().to_usize(), edit.range.end().to_usize());
        edited.push_str(source.get(rest..start).unwrap_or_default());
        let old = source.get(start..end).unwrap_or_default();
        let broken = old.matches('\n').count();
        let before = edited.len();
        match edit.text.rsplit_once('(') {
            // What stays in one line needs no brackets, and then is seldom longer than the import.
            Some((left, right)) if broken == 0 => {
                edited.push_str(left);
                edited.push_str(right);
                let written = edited.len() - before;
                edited.extend(std::iter::repeat_n(' ', old.len().saturating_sub(written)));
            }
            Some(_) | None => {
                edited.push_str(&edit.text);
                edited.extend(std::iter::repeat_n('\n', broken));
                edited.push(')');
            }
        }
        rest = end;
    }
    edited.push_str(source.get(rest..).unwrap_or_default());
    edited
}

#[cfg(test)]
mod tests {
    use crate::rules::Rules;

    #[test]
    fn imports_of_uuid_become_assignments_in_the_same_lines() {
        let cases = [
            ("import uuid\nx = 1", "uuid=_uuid_\nx = 1"),
            ("import uuid; x = 1/0", "uuid=_uuid_; x = 1/0"),
            ("import uuid as u", "u=_uuid_        "),
            ("import math, uuid, json", "import math;import json;uuid=_uuid_"),
            ("from uuid import uuid4", "uuid4=_uuid_.uuid4    "),
            ("from uuid import uuid4 as a, UUID", "a,UUID=_uuid_.uuid4,_uuid_.UUID  "),
            ("from uuid import (\n  uuid4,\n)\nx", "uuid4=(_uuid_.uuid4\n\n)\nx"),
            ("import \\\n uuid\nx", "uuid=(_uuid_\n)\nx"),
            ("_uuid_ = 1\nimport uuid", "_uuid_ = 1\nuuid=_uuid0_"),
        ];
        for (source, want) in cases {
            let program = Rules::default().check(source, &[]).expect(source);
            assert_eq!(program.source.trim_end(), want.trim_end(), "{source}");
            assert!(program.uuid.is_some());
            assert_eq!(program.source.lines().count(), source.lines().count(), "{source}");
        }
    }

    #[test]
    fn a_program_without_uuid_stays_as_it_is() {
        let source = "import math\nuuid = 'import uuid'\n";
        let program = Rules::default().check(source, &[]).expect("it is fine");
        assert_eq!((program.source.as_str(), program.uuid), (source, None));
    }
}
