//! `toolgate policy check`

use classify::Mapping;
use decide::{Policy, PolicyFiles, PolicyFinding};
use serde::Serialize;

use super::{home, no_home};
use crate::arguments::{Format, HomeArguments};
use crate::commands::print;
use crate::exit::Exit;
use crate::home::Disk;
use crate::render::Blocks;
use crate::terminal::{colour, say};

#[derive(Serialize)]
struct Answer {
    ok: bool,
    digest: String,
    findings: Vec<Remark>,
}

#[derive(Serialize)]
struct Remark {
    file: String,
    code: &'static str,
    severity: &'static str,
    message: String,
    hint: Option<String>,
    line: usize,
    column: usize,
}

pub(super) fn run(arguments: &HomeArguments) -> Exit {
    let home = match home(arguments.home.as_deref()) {
        Ok(home) => home,
        Err(exit) => return exit,
    };
    let files = match home.policy_files() {
        Ok(files) => files,
        Err(error) => return no_home(&error),
    };
    let findings = all_findings(&files, &Disk::new(home.workspace()));
    let is_bad = findings.iter().any(|found| found.finding.is_error());
    let exit = if is_bad { Exit::Refused } else { Exit::Done };
    match arguments.format {
        Format::Json => {
            let findings = findings.into_iter().map(remark).collect();
            print::json(&Answer { ok: !is_bad, digest: files.digest().to_string(), findings }, exit)
        }
        Format::Text => {
            say_findings(&findings, &files);
            let word = if is_bad { "the policy has errors\n" } else { "the policy is sound\n" };
            print::text(word, exit)
        }
    }
}

/// Everything that is wrong with the files, mappings of other servers' tools included.
pub(super) fn all_findings(files: &PolicyFiles, disk: &Disk) -> Vec<PolicyFinding> {
    let mut findings = Policy::load(files, disk).findings;
    for (file, bytes) in files.0.iter().filter(|(file, _)| file.starts_with("tools/")) {
        let text = match decide::text_of_file(file, bytes) {
            Ok(text) => text,
            Err(found) => {
                findings.push(*found);
                continue;
            }
        };
        let errors = Mapping::parse(text).err().unwrap_or_default();
        let mut places = call::Places::of(text);
        let mut errors: Vec<_> = errors.into_iter().collect();
        errors.sort_by_key(|error| error.span);
        findings.extend(errors.into_iter().map(|error| PolicyFinding {
            file: file.clone(),
            finding: call::Finding {
                rule: &decide::rules::BAD_MAPPING,
                message: error.message,
                hint: error.hint,
                span: error.span,
                place: places.place(error.span.start),
            },
        }));
    }
    findings
}

/// Shows findings with the lines that they are about.
pub(super) fn say_findings(findings: &[PolicyFinding], files: &PolicyFiles) {
    let blocks = Blocks::new(colour());
    for chunk in findings.chunk_by(|one, other| one.file == other.file) {
        let Some(first) = chunk.first() else { continue };
        let text = files.0.get(&first.file).map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default();
        let list: Vec<call::Finding> = chunk.iter().map(|found| found.finding.clone()).collect();
        say(blocks.all(&list, &text, &first.file).trim_end_matches('\n'));
    }
}

fn remark(found: PolicyFinding) -> Remark {
    let finding = found.finding;
    Remark {
        file: found.file,
        code: finding.rule.code,
        severity: if finding.is_error() { "error" } else { "warning" },
        message: finding.message,
        hint: finding.hint,
        line: finding.place.line,
        column: finding.place.column,
    }
}
