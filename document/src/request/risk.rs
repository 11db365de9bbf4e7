//! `## Risk Assessment`: four labels, the author's own judgement.

use screen::glyph;

use super::network::Network;
use super::types::{Risk, RiskLevel, Sensitivity};
use crate::fields::listed;
use crate::findings::Findings;
use crate::front::Part;
use crate::labels::{Answer, answers};
use crate::listing::without_comments;
use crate::rules;
use crate::sections::Section;
use crate::text::quoted;

const LABELS: [&str; 4] = ["Risk level", "Justification", "Data sensitivity", "Network rationale"];

/// Reads the four labels.
pub(super) fn risk(section: Section<'_>, network: Option<Network>, findings: &mut Findings) -> Option<Risk> {
    let shown = without_comments(section.content.text);
    let part = Part { text: &shown, start: section.content.start };
    let answers = answers(part, &LABELS);
    let [level, justification, sensitivity, rationale] =
        LABELS.map(|label| one(&answers, label, section, findings));

    let levels = [("low", RiskLevel::Low), ("medium", RiskLevel::Medium), ("high", RiskLevel::High)];
    let level =
        level.and_then(|answer| Some((choice("Risk level", &answer, &levels, findings)?, answer.span)));
    let sensitivities = [
        ("public", Sensitivity::Public),
        ("internal", Sensitivity::Internal),
        ("confidential", Sensitivity::Confidential),
    ];
    let sensitivity =
        sensitivity.and_then(|answer| choice("Data sensitivity", &answer, &sensitivities, findings));
    let justification = justification.and_then(|answer| {
        if !says_something(answer.value) {
            findings.add(&rules::RISK_VALUE, answer.span, "`Justification` says nothing");
            return None;
        }
        Some(answer.value.to_owned())
    });
    let rationale = rationale.and_then(|answer| {
        if network == Some(Network::Allowlist) && says_nothing(answer.value) {
            let message = "`Network rationale` does not say why the network is needed";
            findings.add(&rules::RISK_VALUE, answer.span, message);
            return None;
        }
        Some(answer.value.to_owned())
    });
    if let (Some(Network::Allowlist), Some((RiskLevel::Low, span))) = (network, level) {
        let message = "the risk is called low, but the request uses the network";
        findings.add(&rules::RISK_UNDERSTATED, span, message);
    }
    Some(Risk {
        level: level?.0,
        justification: justification?,
        data_sensitivity: sensitivity?,
        network_rationale: rationale?,
    })
}

/// The one answer to a label.
fn one<'a>(
    answers: &[Answer<'a>],
    label: &str,
    section: Section<'_>,
    findings: &mut Findings,
) -> Option<Answer<'a>> {
    let mut given = answers.iter().filter(|answer| answer.label == label).copied();
    let Some(first) = given.next() else {
        let message = format!("`## Risk Assessment` has no `{label}:`");
        let hint = format!("add a line `{label}: …`");
        findings.advise(&rules::RISK_LABEL_MISSING, section.heading, message, hint);
        return None;
    };
    if let Some(second) = given.next() {
        let message = format!("`{label}` is given twice");
        findings.advise(&rules::RISK_LABEL_TWICE, second.span, message, "keep one of them");
    }
    Some(first)
}

fn choice<T: Copy>(
    label: &str,
    answer: &Answer<'_>,
    choices: &[(&str, T)],
    findings: &mut Findings,
) -> Option<T> {
    let value = answer.value.trim_end_matches(['.', '*', '_', '`', ' ']);
    let found = choices.iter().find(|(word, _)| word.eq_ignore_ascii_case(value)).map(|(_, choice)| *choice);
    if found.is_none() {
        let words: Vec<_> = choices.iter().map(|(word, _)| *word).collect();
        let message = format!("`{label}` is {}, expected {}", quoted(answer.value), listed(&words));
        findings.add(&rules::RISK_VALUE, answer.span, message);
    }
    found
}

/// Letters or digits that a reader can see.
fn says_something(value: &str) -> bool {
    value.chars().any(|c| c.is_alphanumeric() && glyph::unseen(c).is_none())
}

/// An answer that gives no reason.
fn says_nothing(value: &str) -> bool {
    const NOTHING: [&str; 9] =
        ["none", "n/a", "na", "no", "null", "nil", "tbd", "not applicable", "not needed"];
    let value = value.trim_end_matches('.').trim();
    !says_something(value) || NOTHING.iter().any(|word| word.eq_ignore_ascii_case(value))
}
