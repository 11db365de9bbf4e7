//! What is wrong with the files of a policy.

use call::{Finding, Place, Places, Rule, Severity, Span};

use crate::files::PolicyFiles;
use crate::read::text_of;

/// One thing that is wrong with one file of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyFinding {
    /// The file, by its name below the home.
    pub file: String,
    /// What is wrong with it, and where.
    pub finding: Finding,
}

/// In the order of the files and of their texts, each with its line and column.
pub(crate) fn placed(mut list: Vec<PolicyFinding>, files: &PolicyFiles) -> Vec<PolicyFinding> {
    list.sort_by(|one, other| {
        (&one.file, one.finding.span, one.finding.rule.code).cmp(&(
            &other.file,
            other.finding.span,
            other.finding.rule.code,
        ))
    });
    for chunk in list.chunk_by_mut(|one, other| one.file == other.file) {
        let bytes = chunk.first().and_then(|first| files.0.get(&first.file));
        let text = String::from_utf8_lossy(bytes.map_or(&[], Vec::as_slice));
        let mut places = Places::of(&text);
        for found in chunk {
            found.finding.place = places.place(found.finding.span.start);
        }
    }
    list
}

/// The text of a file of a policy that others read: a mapping.
///
/// # Errors
///
/// The finding, when it is too large or not UTF-8.
pub fn text_of_file<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, Box<PolicyFinding>> {
    let mut list = Vec::new();
    let text = text_of(bytes, &mut Notes::on(file, &mut list));
    let files = PolicyFiles([(file.to_owned(), bytes.to_vec())].into());
    match (text, placed(list, &files).pop()) {
        (Some(text), None) => Ok(text),
        (Some(_) | None, Some(found)) => Err(Box::new(found)),
        // Whatever is no text has been noted.
        (None, None) => Ok(""),
    }
}

/// Findings about one file while it is being read.
#[derive(Debug)]
pub(crate) struct Notes<'f> {
    file: &'f str,
    list: &'f mut Vec<PolicyFinding>,
    errors: bool,
}

impl<'f> Notes<'f> {
    pub(crate) fn on(file: &'f str, list: &'f mut Vec<PolicyFinding>) -> Self {
        Self { file, list, errors: false }
    }

    /// Notes that `rule` is not kept at `span`.
    pub(crate) fn add(&mut self, rule: &'static Rule, span: Span, message: impl Into<String>, hint: &str) {
        self.errors |= rule.severity == Severity::Error;
        let hint = Some(hint.to_owned()).filter(|hint| !hint.is_empty());
        let place = Place { line: 1, column: 1 };
        let finding = Finding { rule, message: message.into(), hint, span, place };
        self.list.push(PolicyFinding { file: self.file.to_owned(), finding });
    }

    /// Whether anything noted so far is an error.
    pub(crate) const fn any_error(&self) -> bool {
        self.errors
    }
}
