//! Which set of rules a document is held to.

use call::Moment;

use crate::checked::{NotText, Source, Verdict, check};
use call::Finding;

/// Which set of rules a document is held to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Our own rules: everything that the specification asks for.
    #[default]
    Strict,
    /// The verdict of the original validator, its quirks included, for whoever moves over.
    ThreegateV1,
}

/// Where the two profiles part for one document.
#[derive(Debug)]
pub struct Differences {
    /// What the strict profile says.
    pub strict: Verdict,
    /// What the original validator would say.
    pub threegate_v1: Verdict,
    /// Findings of the strict profile that the original does not make.
    pub only_strict: Vec<Finding>,
    /// Findings of the original that the strict profile does not make.
    pub only_threegate_v1: Vec<Finding>,
}

/// Checks a document in both profiles and lists the findings that only one of them makes.
///
/// # Errors
///
/// [`NotText`], as [`check`].
pub fn differences(source: &Source<'_>, now: Moment) -> Result<Differences, NotText> {
    let strict = check(source, Profile::Strict, now)?;
    let original = check(source, Profile::ThreegateV1, now)?;
    let only = |these: &[Finding], others: &[Finding]| {
        let made = |finding: &Finding| others.iter().any(|other| other.rule == finding.rule);
        these.iter().filter(|finding| !made(finding)).cloned().collect()
    };
    Ok(Differences {
        strict: strict.verdict(),
        threegate_v1: original.verdict(),
        only_strict: only(&strict.findings, &original.findings),
        only_threegate_v1: only(&original.findings, &strict.findings),
    })
}
