//! Checks one candidate: opens, reads, asks `document`, and words the answer.
//!
//! Touches nothing but the file it reads; moving and printing come later, in order, while this runs
//! on several threads at once.

use std::io;
use std::path::{Path, PathBuf};

use call::Moment;
use document::{Finding, Profile, Source, Verdict, check, differences, digest};

use crate::find::Candidate;
use crate::outcome::{Answer, Outcome, Profiles, Remark};
use crate::read::{Opened, Unreadable, read_capped};
use crate::render::{self, Blocks};
use crate::visible::visible_path;

/// How documents are checked in this run.
#[derive(Debug)]
pub(crate) struct Checker {
    /// Which rules.
    pub(crate) profile: Profile,
    /// Whether to say where the profiles part.
    pub(crate) explain: bool,
    /// Whether the answers carry digests, which cost a second reading.
    pub(crate) digests: bool,
    /// Whether a person reads the findings.
    pub(crate) talks: bool,
    /// Whether that person's terminal shows colours.
    pub(crate) colour: bool,
    /// Whether rejected files are to be moved, for which they are kept open.
    pub(crate) keeps_rejected: bool,
}

/// One candidate, checked.
#[derive(Debug)]
pub(crate) struct Examined {
    /// What came out.
    pub(crate) outcome: Outcome,
    /// What to say on standard error.
    pub(crate) talk: String,
    /// The file behind a rejection, when it is to be moved.
    pub(crate) rejected: Option<Rejected>,
    /// Whether the file is not there any more, which a watcher takes in its stride.
    pub(crate) gone: bool,
}

/// A rejected file that is to be moved.
#[derive(Debug)]
pub(crate) struct Rejected {
    /// Its name when it was opened.
    pub(crate) path: PathBuf,
    /// The file itself.
    pub(crate) opened: Opened,
    /// Its findings, in words.
    pub(crate) reasons: String,
}

impl Checker {
    /// Checks one candidate, with `buffer` for its content.
    pub(crate) fn examine(&self, candidate: &Candidate, now: Moment, buffer: &mut Vec<u8>) -> Examined {
        let result = match candidate {
            Candidate::Stdin => read_capped(io::stdin().lock(), buffer)
                .and_then(|()| self.content(candidate, None, now, buffer))
                .map(|(examined, _)| examined),
            Candidate::File(path) => self.file(candidate, path, now, buffer),
            Candidate::Barren(_, problem) => return self.unreadable(candidate, problem),
        };
        result.unwrap_or_else(|problem| self.unreadable(candidate, &problem))
    }

    /// The answer for a candidate that could not be checked.
    pub(crate) fn unreadable(&self, candidate: &Candidate, problem: &Unreadable) -> Examined {
        let outcome = Outcome::unreadable(name(candidate), problem);
        let lines = outcome.findings.iter().map(|remark| render::line(&shown_name(candidate), remark));
        let talk = if self.talks { lines.collect() } else { String::new() };
        let gone = problem.is_gone();
        Examined { outcome, talk, rejected: None, gone }
    }

    fn file(
        &self,
        candidate: &Candidate,
        path: &Path,
        now: Moment,
        buffer: &mut Vec<u8>,
    ) -> Result<Examined, Unreadable> {
        let opened = Opened::open(path)?;
        opened.read(buffer)?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy());
        let (mut examined, findings) = self.content(candidate, stem.as_deref(), now, buffer)?;
        if self.keeps_rejected && examined.outcome.verdict == Answer::Reject {
            let reasons = words(&findings, buffer, &shown_name(candidate), false);
            examined.rejected = Some(Rejected { path: path.to_owned(), opened, reasons });
        }
        Ok(examined)
    }

    fn content(
        &self,
        candidate: &Candidate,
        stem: Option<&str>,
        now: Moment,
        bytes: &[u8],
    ) -> Result<(Examined, Vec<Finding>), Unreadable> {
        let source = Source { stem, bytes };
        let not_text = |error: document::NotText| Unreadable::not_text(bytes, error.offset);
        let checked = check(&source, self.profile, now).map_err(not_text)?;
        let verdict = checked.verdict();
        if self.profile == Profile::Strict && verdict == Verdict::Accept && checked.document.is_none() {
            // Nothing was found wrong, and yet there is no document: never a yes.
            return Err(Unreadable::Broken);
        }
        let differences =
            if self.explain { Some(differences(&source, now).map_err(not_text)?) } else { None };
        let outcome = Outcome {
            path: name(candidate),
            verdict: verdict.into(),
            digest: if self.digests { digest(&source) } else { None },
            findings: checked.findings.iter().map(Remark::from).collect(),
            profiles: differences.as_ref().map(Profiles::from),
            moved_to: None,
        };
        let mut talk = String::new();
        if self.talks {
            let shown = shown_name(candidate);
            talk.push_str(&words(&checked.findings, bytes, &shown, self.colour));
            if let Some(profiles) = &outcome.profiles {
                talk.push_str(&render::differences(&shown, profiles));
            }
        }
        Ok((Examined { outcome, talk, rejected: None, gone: false }, checked.findings))
    }
}

fn words(findings: &[Finding], bytes: &[u8], shown: &str, colour: bool) -> String {
    Blocks::new(colour).all(findings, std::str::from_utf8(bytes).unwrap_or_default(), shown)
}

fn name(candidate: &Candidate) -> String {
    match candidate {
        Candidate::Stdin => String::from("<stdin>"),
        Candidate::File(path) | Candidate::Barren(path, _) => path.to_string_lossy().into_owned(),
    }
}

fn shown_name(candidate: &Candidate) -> String {
    match candidate {
        Candidate::Stdin => String::from("<stdin>"),
        Candidate::File(path) | Candidate::Barren(path, _) => visible_path(path),
    }
}
