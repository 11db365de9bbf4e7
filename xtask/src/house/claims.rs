//! Pages that name tests name tests that exist.

use std::collections::BTreeSet;

use super::tree::{File, files};

/// The attacks of the list that these pages answer so far.
const ATTACKS: [std::ops::RangeInclusive<u32>; 2] = [1..=69, 73..=77];

#[test]
fn every_attack_has_a_row_with_tests_or_a_reason() {
    let files = files();
    let tests = named_functions(&files);
    let mut wrong = Vec::new();
    let mut numbers = BTreeSet::new();
    for row in rows(&files, "docs/ATTACKS.md") {
        let [number, _, held_by, reason] = row.as_slice() else {
            wrong.push(format!("a row has 4 cells (number, attack, held by, reason): {row:?}"));
            continue;
        };
        numbers.extend(number.parse::<u32>());
        if in_code_marks(held_by).is_empty() && reason.is_empty() {
            wrong.push(format!("{number}: name a test, or say why the attack does not apply"));
        }
        wrong.extend(
            missing(&files, &tests, held_by).map(|name| format!("{number}: no test or case `{name}`")),
        );
    }
    wrong.extend(
        ATTACKS
            .into_iter()
            .flatten()
            .filter(|number| !numbers.contains(number))
            .map(|number| format!("{number}: no row")),
    );
    assert!(wrong.is_empty(), "docs/ATTACKS.md: {wrong:#?}");
}

#[test]
fn every_promised_number_names_what_holds_it() {
    let files = files();
    let tests = named_functions(&files);
    let mut wrong = Vec::new();
    let rows = rows(&files, "docs/SPECIFICATION.md");
    assert!(!rows.is_empty(), "docs/SPECIFICATION.md has no rows");
    for row in rows {
        let (Some(promise), Some(held_by)) = (row.first(), row.last()) else {
            continue;
        };
        if in_code_marks(held_by).is_empty() && held_by != "not yet tested" {
            wrong.push(format!("{promise}: name the test or bench, or write `not yet tested` without marks"));
        }
        wrong.extend(
            missing(&files, &tests, held_by).map(|name| format!("{promise}: no test or bench `{name}`")),
        );
    }
    assert!(wrong.is_empty(), "docs/SPECIFICATION.md: {wrong:#?}");
}

/// Names in a cell that are neither a function nor a file of the repository.
fn missing<'a>(files: &[File], tests: &BTreeSet<String>, cell: &'a str) -> impl Iterator<Item = &'a str> {
    let exists = |name: &str| tests.contains(name) || files.iter().any(|file| file.path == name);
    in_code_marks(cell).into_iter().filter(move |name| !exists(name)).collect::<Vec<_>>().into_iter()
}

/// Names of all functions in the sources: tests, benches and properties among them.
fn named_functions(files: &[File]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in files.iter().filter(|file| file.is("rs")) {
        for line in file.text().lines() {
            if let Some((_, rest)) = line.split_once("fn ") {
                let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_');
                names.insert(rest.get(..end.unwrap_or(rest.len())).unwrap_or_default().to_owned());
            }
        }
    }
    names
}

/// Cells of all table rows on a page, but for heads and rulers.
fn rows(files: &[File], page: &str) -> Vec<Vec<String>> {
    let page = files.iter().find(|file| file.path == page);
    let text = page.map(|page| page.text().into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let is_ruler = |line: &str| line.starts_with("|---");
    let mut rows = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let is_head = lines.get(number + 1).is_some_and(|next| is_ruler(next));
        if line.starts_with('|') && !is_ruler(line) && !is_head {
            let inner = line.trim_matches('|').replace("\\|", "\u{1}");
            rows.push(inner.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect());
        }
    }
    rows
}

/// What stands between backticks.
fn in_code_marks(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn tables_are_read_cell_by_cell() {
    let page =
        File { path: "p.md".into(), bytes: b"| a | b |\n|---|---|\n| 1 | `x` \\| `y` |\ntext\n".to_vec() };
    let rows = rows(&[page], "p.md");
    assert_eq!(rows, [["1", "`x` | `y`"]]);
    assert_eq!(in_code_marks(&rows[0][1]), ["x", "y"]);
}
