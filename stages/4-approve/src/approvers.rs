//! Who may answer: the file of approvers, in the form of OpenSSH's `allowed_signers` (ssh-keygen(1)).
//!
//! Read whole or not at all: a line that cannot be understood might be the one that takes a right away. All
//! that is wrong is told at once, each with its line.
//!
//! A line lists a key for names, which may be patterns. Which name counts is given by the record and compared
//! exactly; a name that only looks like a listed one is nobody's.

mod line;
mod pattern;
mod revoked;
mod times;

pub use line::BadLine;
pub use revoked::{BadRevocation, Revoked};

use std::collections::BTreeMap;
use std::fmt;

use call::Moment;

use crate::glyph::skeleton;
use crate::principal::Principal;
use crate::signature::{BadSignature, Certificate, Key, NAMESPACE};
use line::Entry;

/// The keys that count, and for whom.
#[derive(Clone, Debug, Default)]
pub struct Approvers {
    entries: Vec<Entry>,
    revoked: Revoked,
}

/// Everything that is wrong with a file of approvers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadApprovers(
    // Invariant: never empty, in the order of the lines.
    Vec<(usize, BadLine)>,
);

impl BadApprovers {
    /// The lines and what is wrong with them.
    #[must_use]
    pub fn lines(&self) -> &[(usize, BadLine)] {
        &self.0
    }
}

impl fmt::Display for BadApprovers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> = self.0.iter().map(|(line, why)| format!("line {line}: {why}")).collect();
        f.write_str(&told.join("; "))
    }
}

impl std::error::Error for BadApprovers {}

impl Approvers {
    /// Reads a file of approvers. One without any is read too, and then nobody's answer counts.
    ///
    /// # Errors
    /// [`BadApprovers`] has every line that cannot be taken.
    pub fn parse(text: &str) -> Result<Self, BadApprovers> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut names = Names::default();
        let mut wrong = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim_matches([' ', '\t', '\r']);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match Entry::parse(number, line) {
                Ok(entry) => {
                    wrong.extend(
                        entry.plain_names().filter_map(|name| Some((number, names.add(name, number)?))),
                    );
                    entries.push(entry);
                }
                Err(why) => wrong.push((number, why)),
            }
        }
        if wrong.is_empty() {
            Ok(Self { entries, revoked: Revoked::default() })
        } else {
            Err(BadApprovers(wrong))
        }
    }

    /// The same, without what was revoked.
    #[must_use]
    pub fn without(self, revoked: Revoked) -> Self {
        Self { revoked, ..self }
    }

    /// Whether nobody is listed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The names that are listed as they are, each once, in order. Patterns are not among them.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.entries.iter().flat_map(Entry::plain_names).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The names under which a key (as it stands in a `.pub` file: kind and base 64) is listed as they are,
    /// so that a door can propose one to whoever holds the key.
    #[must_use]
    pub fn names_of_key(&self, public_key: &str) -> Vec<&str> {
        let mut words = public_key.split_ascii_whitespace();
        let (Some(kind), Some(base64)) = (words.next(), words.next()) else { return Vec::new() };
        let Ok(key) = Key::from_words(kind, base64) else { return Vec::new() };
        let own = self.entries.iter().filter(|entry| !entry.authority && entry.key == key);
        own.flat_map(Entry::plain_names).collect()
    }

    /// The line that lists this key for this name, now.
    pub(crate) fn admit_key(
        &self,
        key: &Key,
        principal: &Principal,
        now: Moment,
    ) -> Result<usize, BadSignature> {
        if let Some(line) = self.revoked.key(key) {
            return Err(BadSignature::Revoked { what: "the key", line });
        }
        self.admit(key, principal, now, false)
    }

    /// The line that lists this certificate's authority for this name, now.
    pub(crate) fn admit_certificate(
        &self,
        certificate: &Certificate,
        principal: &Principal,
        now: Moment,
    ) -> Result<usize, BadSignature> {
        if let Some((what, line)) = self.revoked.certificate(certificate) {
            return Err(BadSignature::Revoked { what, line });
        }
        let line = self.admit(&certificate.authority, principal, now, true)?;
        // A certificate without names is for everybody, and so for nobody here.
        if !certificate.principals.iter().any(|name| name == principal.as_str()) {
            return Err(BadSignature::CertificatePrincipal(principal.clone()));
        }
        let seconds = now.milliseconds() / 1_000;
        if !(certificate.valid.0..certificate.valid.1).contains(&seconds) {
            return Err(BadSignature::CertificateTime);
        }
        Ok(line)
    }

    fn admit(
        &self,
        key: &Key,
        principal: &Principal,
        now: Moment,
        authority: bool,
    ) -> Result<usize, BadSignature> {
        let mut refusal = BadSignature::UnknownKey { fingerprint: key.fingerprint() };
        for entry in self.entries.iter().filter(|entry| entry.authority == authority && entry.key == *key) {
            let line = entry.line;
            if !entry.lists(principal) || self.imitates(principal) {
                // A line that has the name and fails otherwise says more than one that has not.
                if matches!(refusal, BadSignature::UnknownKey { .. }) {
                    let (fingerprint, principal) = (key.fingerprint(), principal.clone());
                    refusal = BadSignature::OtherPrincipal { fingerprint, principal };
                }
            } else if !entry.is_for(NAMESPACE) {
                refusal = BadSignature::OtherPurpose { line };
            } else if entry.after.is_some_and(|after| now < after) {
                refusal = BadSignature::NotYetValid { line };
            } else if entry.before.is_some_and(|before| now >= before) {
                refusal = BadSignature::NoLongerValid { line };
            } else {
                return Ok(line);
            }
        }
        Err(refusal)
    }

    /// Whether a name that is not listed as it is looks like one that is: then only a pattern let it in.
    fn imitates(&self, principal: &Principal) -> bool {
        let names = || self.entries.iter().flat_map(Entry::plain_names);
        !names().any(|name| name == principal.as_str()) && names().any(|name| principal.looks_like(name))
    }
}

/// Names by what a reader takes them for, each with the line where it stands first.
#[derive(Default)]
struct Names(BTreeMap<String, (String, usize)>);

impl Names {
    /// What is wrong about one more name. That two differ in nothing but case is nothing: they count as one
    /// person, whoever holds their keys.
    fn add(&mut self, name: &str, line: usize) -> Option<BadLine> {
        let (first, at) = self.0.entry(skeleton(name)).or_insert_with(|| (name.to_owned(), line));
        let same = first.to_lowercase() == name.to_lowercase();
        (!same).then(|| BadLine::LooksLike { name: name.to_owned(), line: *at })
    }
}
