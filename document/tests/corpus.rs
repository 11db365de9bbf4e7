//! Every case of `tests/corpus`, held against the check. The form is described there in `README.md`.
//!
//! `UPDATE_EXPECT=1` rewrites verdicts and findings, and never what a person wrote: remarks, `stem`,
//! `now` and `keeps`.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test runner reads files and fails loudly"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use call::Moment;
use document::{Checked, Profile, Source, Verdict, check, rules};

#[test]
fn every_case_comes_out_as_it_says() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for document in files("md") {
        let expect = document.with_extension("expect");
        let written = fs::read_to_string(&expect).unwrap_or_default();
        let case = Case::read(&document, &written);
        let found = case.run(&fs::read(&document).unwrap());
        wrong.extend(case.broken_claims(&found).map(|claim| format!("{}: {claim}", expect.display())));
        let wanted = format!("{}{found}", case.kept_lines);
        if wanted == written {
            continue;
        }
        if update {
            fs::write(&expect, wanted).unwrap();
        } else {
            wrong.push(format!("{}\n--- expected\n{written}--- found\n{wanted}", expect.display()));
        }
    }
    let hint = "if the check is right, UPDATE_EXPECT=1 rewrites verdicts and findings";
    assert!(wrong.is_empty(), "{} of the cases differ; {hint}\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn every_expectation_has_its_document() {
    let lonely: Vec<PathBuf> =
        files("expect").into_iter().filter(|path| !path.with_extension("md").is_file()).collect();
    assert!(lonely.is_empty(), "no document beside {lonely:?}");
}

/// What a person wrote about a case.
struct Case {
    stem: Option<String>,
    now: Moment,
    keeps: Vec<String>,
    /// Lines that an update leaves alone, as they were.
    kept_lines: String,
}

impl Case {
    fn read(document: &Path, written: &str) -> Self {
        let own = document.file_stem().unwrap().to_str().unwrap();
        let mut case = Self {
            stem: Some(own.to_owned()).filter(|own| own.starts_with("TR-") || own.starts_with("TS-")),
            now: "2026-11-15T00:00:00Z".parse().unwrap(),
            keeps: Vec::new(),
            kept_lines: String::new(),
        };
        for line in written.lines() {
            match line.split_once(':').map(|(word, value)| (word, value.trim())) {
                Some(("stem", value)) => case.stem = Some(value.to_owned()),
                Some(("now", value)) => case.now = value.parse().unwrap(),
                Some(("keeps", value)) => case.keeps = value.split_whitespace().map(str::to_owned).collect(),
                _ if line.starts_with('#') => {}
                _ => continue,
            }
            case.kept_lines.push_str(line);
            case.kept_lines.push('\n');
        }
        case
    }

    /// What the check says, in the form of the file.
    fn run(&self, bytes: &[u8]) -> String {
        let source = Source { stem: self.stem.as_deref(), bytes };
        let strict = check(&source, Profile::Strict, self.now).ok();
        let original = check(&source, Profile::ThreegateV1, self.now).ok();
        let mut codes: Vec<&str> = Vec::new();
        for finding in original.iter().flat_map(|checked| &checked.findings) {
            if finding.rule.code.starts_with("TR9") && !codes.contains(&finding.rule.code) {
                codes.push(finding.rule.code);
            }
        }
        let mut found =
            format!("strict: {}\nthreegate-v1: {}", verdict(strict.as_ref()), verdict(original.as_ref()));
        for code in codes {
            write!(found, " {code}").unwrap();
        }
        found.push('\n');
        for finding in strict.iter().flat_map(|checked| &checked.findings) {
            writeln!(found, "{} {}:{}", finding.rule.code, finding.place.line, finding.place.column).unwrap();
        }
        found
    }

    /// Rules that the case says it keeps, and that do not exist or that it breaks.
    fn broken_claims(&self, found: &str) -> impl Iterator<Item = String> {
        let words: Vec<String> = found.split_whitespace().map(str::to_owned).collect();
        self.keeps.iter().filter_map(move |code| {
            if !rules::ALL.iter().any(|rule| rule.code == code) {
                Some(format!("`keeps` names {code}, which is no rule"))
            } else if words.contains(code) {
                Some(format!("`keeps` names {code}, which the document breaks"))
            } else {
                None
            }
        })
    }
}

fn verdict(checked: Option<&Checked>) -> &'static str {
    match checked.map(Checked::verdict) {
        Some(Verdict::Accept) => "accept",
        Some(Verdict::Reject) => "reject",
        None => "error",
    }
}

/// Files in the groups; what lies in `tests/corpus` itself describes them.
fn files(extension: &str) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tests/corpus");
    let mut found = Vec::new();
    for group in fs::read_dir(&corpus).unwrap_or_else(|error| panic!("{}: {error}", corpus.display())) {
        let group = group.unwrap().path();
        if group.is_dir() {
            let entries = fs::read_dir(group).unwrap().map(|entry| entry.unwrap().path());
            found.extend(entries.filter(|path| path.extension().is_some_and(|found| found == extension)));
        }
    }
    found.sort();
    found
}
