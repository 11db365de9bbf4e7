//! The way in: bytes of a document to everything that is wrong with it.

use call::{Finding, Moment, Sha256, Span};

use crate::bytes::{first_byte, is_control};
use crate::findings::Findings;
use crate::front;
use crate::outcome::{self, Outcome};
use crate::profile::Profile;
use crate::request::types::Request;
use crate::text::code_point;
use crate::yaml::Map;
use crate::{REQUEST_CAP, RESULT_CAP, canonical, request, rules, screening, threegate, yaml};

/// A document as it was found.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file's name without its last extension; nothing for standard input.
    pub stem: Option<&'a str>,
    /// The content. A reader may stop one byte behind [`crate::RESULT_CAP`].
    pub bytes: &'a [u8],
}

/// What a check found.
#[derive(Debug)]
#[must_use = "a check nobody reads is a document nobody checked"]
pub struct Checked {
    /// Everything that is wrong, in the order of the document.
    pub findings: Vec<Finding>,
    /// The document itself, when it keeps every rule of the strict profile.
    pub document: Option<Document>,
}

/// A document that keeps every rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Document {
    /// A Tool Request.
    Request(Box<Request>),
    /// A Tool Result.
    Result(Box<Outcome>),
}

/// May the document run?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may.
    Accept,
    /// It may not.
    Reject,
}

/// The content is not UTF-8 text, so there is nothing to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not UTF-8 text: byte {offset} does not belong to any character")]
pub struct NotText {
    /// Offset of the first byte that does not belong.
    pub offset: usize,
}

impl Checked {
    /// A document is rejected by a single error; warnings alone leave it accepted.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.findings.iter().any(Finding::is_error) { Verdict::Reject } else { Verdict::Accept }
    }
}

/// Finds everything that is wrong with a document, in one pass.
///
/// # Errors
///
/// [`NotText`] when the content is not UTF-8.
pub fn check(source: &Source<'_>, profile: Profile, now: Moment) -> Result<Checked, NotText> {
    let mut findings = Findings::default();
    if source.bytes.len() > RESULT_CAP {
        refuse_size(Kind::Result, &mut findings);
        return Ok(Checked { findings: findings.in_order(""), document: None });
    }
    let text = std::str::from_utf8(source.bytes).map_err(|error| NotText { offset: error.valid_up_to() })?;
    let read = front::split(text, &mut findings).and_then(|split| {
        let map = yaml::read(split.front.text, split.front.start, &mut findings)?;
        Some((split, map))
    });
    let kind = Kind::of(read.as_ref().map(|(_, map)| map), source.stem);
    if kind == Kind::Request && text.len() > REQUEST_CAP {
        refuse_size(kind, &mut findings);
        return Ok(Checked { findings: findings.in_order(text), document: None });
    }
    if profile == Profile::Strict || kind == Kind::Result {
        refuse_control_characters(text, &mut findings);
    }
    if let Some((_, map)) = &read {
        screening::values(text, map, &mut findings);
    }
    let document = read.and_then(|(split, map)| match (kind, profile) {
        (Kind::Request, Profile::Strict) => {
            let request = request::check(split, &map, source.stem, now, &mut findings)?;
            Some(Document::Request(Box::new(request)))
        }
        (Kind::Request, Profile::ThreegateV1) => {
            threegate::check(split, &map, &mut findings);
            None
        }
        (Kind::Result, Profile::Strict | Profile::ThreegateV1) => {
            let outcome = outcome::check(split, &map, source.stem, now, &mut findings)?;
            Some(Document::Result(Box::new(outcome)))
        }
    });
    screening::whole(text, kind == Kind::Result, &mut findings);
    let document = document.filter(|_| !findings.any_error());
    Ok(Checked { findings: findings.in_order(text), document })
}

/// The canonical digest of a document whose front matter can be read: what an approval is bound to.
///
/// ```
/// use document::{Source, digest};
///
/// let digest_of = |bytes| digest(&Source { stem: None, bytes });
/// let draft = digest_of(b"---\npurpose: count\napproved_by: \"\"\n---\n");
/// assert_eq!(draft, digest_of(b"---\r\napproved_by: Ada\r\npurpose: \"count\"\r\n---\r\n"));
/// assert_ne!(draft, digest_of(b"---\npurpose: counts\napproved_by: \"\"\n---\n"));
///
/// assert_eq!(digest_of(b"no front matter"), None);
/// ```
#[must_use]
pub fn digest(source: &Source<'_>) -> Option<Sha256> {
    let text = std::str::from_utf8(source.bytes).ok().filter(|text| text.len() <= RESULT_CAP)?;
    let mut unread = Findings::default();
    let split = front::split(text, &mut unread)?;
    let map = yaml::read(split.front.text, split.front.start, &mut unread)?;
    canonical::digest(split, &map)
}

/// Which kind of document it claims to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Request,
    Result,
}

impl Kind {
    /// By its own key first, and by the name of its file where it has neither. A document that says
    /// nothing is held to the rules of requests: those are what may run.
    fn of(map: Option<&Map<'_>>, stem: Option<&str>) -> Self {
        let has = |key| map.is_some_and(|map| map.entry(key).is_some());
        let named = stem.is_some_and(|stem| stem.starts_with("TS-"));
        if !has("request_type") && (has("result_type") || named) { Self::Result } else { Self::Request }
    }
}

fn refuse_size(kind: Kind, findings: &mut Findings) {
    let (what, cap) = match kind {
        Kind::Request => ("request", "256 KiB"),
        Kind::Result => ("document", "1 MiB"),
    };
    let message = format!("the {what} is larger than {cap}");
    findings.advise(&rules::TOO_LARGE, Span::at(0), message, "move what is data into an input file");
}

/// Tabs and line ends are the only control characters that a text needs. One finding for each run.
fn refuse_control_characters(text: &str, findings: &mut Findings) {
    let is_bad = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    // Only U+0080 to U+00BF begin with the byte C2, and few texts hold one of them.
    let may_begin = |byte: u8| is_control(byte) & (byte != b'\t') | (byte == 0xc2);
    let Some(mut at) = first_byte(text, may_begin) else { return };
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(is_bad)) {
        let start = at + found;
        let run = text.get(start..).unwrap_or_default();
        let length = run.find(|c| !is_bad(c)).unwrap_or(run.len());
        let character = run.chars().next().unwrap_or_default();
        let message = format!("the document holds a control character, {}", code_point(character));
        findings.advise(&rules::CONTROL_CHARACTER, Span::new(start, start + length), message, "remove it");
        at = start + length;
    }
}
