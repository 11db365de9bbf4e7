//! Who asked, who approved, when, and under which id.

use call::Moment;
use screen::glyph;
use unicode_security::mixed_script::AugmentedScriptSet;

use super::limits::is_digits;
use super::types::Requester;
use crate::fields::{Field, Fields};
use crate::rules;
use crate::text::quoted;

/// Names of the agent itself, which never approves, folded: `core`, `core_draft` and `agent`.
const AGENT_NAMES: [&str; 3] = ["core", "coredraft", "agent"];

/// `request_id`: its form, its time, and the name of the file it stands in.
pub(super) fn request_id(fields: &mut Fields<'_>, stem: Option<&str>) -> Option<String> {
    let field = fields.required("request_id", &rules::REQUEST_ID)?;
    if let Some(stem) = stem.filter(|stem| stem.starts_with("TR-") && *stem != field.text) {
        let message =
            format!("`request_id` is {}, but the file is named {}", quoted(field.text), quoted(stem));
        let hint = "rename the file, or write the id that its name has";
        fields.findings.advise(&rules::REQUEST_ID_FILE, field.span, message, hint);
    }
    if is_request_id(field.text) {
        return Some(field.text.to_owned());
    }
    let message = format!("`request_id` is {}, expected `TR-YYYYMMDD-HHMMSSZ-slug`", quoted(field.text));
    let hint = "use a real date and time, and a slug of lower-case letters, digits and `-`";
    fields.findings.advise(&rules::REQUEST_ID, field.span, message, hint);
    None
}

/// Whether a text is a request id with a real date and time.
pub(crate) fn is_request_id(text: &str) -> bool {
    let Some((date, rest)) = text.strip_prefix("TR-").and_then(|rest| rest.split_once('-')) else {
        return false;
    };
    let Some((time, slug)) = rest.split_once('-') else {
        return false;
    };
    let plain = slug.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    plain && compact_moment(date, time).is_some()
}

/// `20260209` and `160501Z` as a moment.
pub(crate) fn compact_moment(date: &str, time: &str) -> Option<Moment> {
    // A fraction of a second has no place in an id.
    if date.len() != "YYYYMMDD".len() || time.len() != "HHMMSSZ".len() {
        return None;
    }
    let time = time.strip_suffix('Z').filter(|time| is_digits(time) && is_digits(date))?;
    let (year, month, day) = (date.get(..4)?, date.get(4..6)?, date.get(6..)?);
    let (hour, minute, second) = (time.get(..2)?, time.get(2..4)?, time.get(4..)?);
    let number = |digits: &str| digits.parse().ok();
    Moment::from_civil(
        (year.parse().ok()?, number(month)?, number(day)?),
        (number(hour)?, number(minute)?, number(second)?),
    )
}

/// `requested_by`.
pub(super) fn requested_by(fields: &mut Fields<'_>) -> Option<Requester> {
    let choices = [("human", Requester::Human), ("core_draft", Requester::CoreDraft)];
    fields.choice("requested_by", &rules::REQUESTED_BY, &choices)
}

/// `approved_by` and `approved_utc`: the approval gate.
pub(super) fn approval(
    fields: &mut Fields<'_>,
    created: Option<Moment>,
    now: Moment,
) -> (Option<String>, Option<Moment>) {
    let approver = approval_field(fields, "approved_by", &rules::APPROVED_BY_EMPTY);
    let approver =
        approver.filter(|field| is_person(fields, *field)).map(|field| field.text.trim().to_owned());
    let when = approval_field(fields, "approved_utc", &rules::APPROVED_UTC_EMPTY);
    let approved = when.and_then(|field| {
        let approved = fields.past("approved_utc", field, now)?;
        if created.is_some_and(|created| approved < created) {
            let message = format!("`approved_utc` {} lies before `created_utc`", quoted(field.text));
            fields.findings.add(&rules::TIME_ORDER, field.span, message);
        }
        Some(approved)
    });
    (approver, approved)
}

/// A field that only the approver fills in. Absent and empty are one thing: not yet approved.
fn approval_field<'a>(fields: &mut Fields<'a>, key: &str, rule: &'static rules::Rule) -> Option<Field<'a>> {
    let Some(entry) = fields.map.entry(key) else {
        let message = format!("the request is not approved: `{key}` is missing");
        fields.findings.advise(
            rule,
            fields.split.opening,
            message,
            "`toolgate approve` shows it to a person, who signs it; that fills it in",
        );
        return None;
    };
    let blank = entry
        .value
        .text()
        .is_some_and(|text| text.chars().all(|c| c.is_whitespace() || glyph::unseen(c).is_some()));
    if blank || entry.value.is_null() {
        let message = format!("the request is not approved: `{key}` is empty");
        fields.findings.advise(
            rule,
            entry.value.span,
            message,
            "`toolgate approve` shows it to a person, who signs it; that fills it in",
        );
        return None;
    }
    fields.scalar(key, &entry.value)
}

/// Whether `approved_by` can be a person's name.
fn is_person(fields: &mut Fields<'_>, field: Field<'_>) -> bool {
    // Readers of YAML 1.1 take these for a truth value, so they name nobody.
    const TRUTH: [&str; 6] = ["true", "false", "yes", "no", "on", "off"];
    let name = field.text.trim();
    if field.plain && TRUTH.iter().any(|word| word.eq_ignore_ascii_case(name)) {
        let message = format!("`approved_by` is {}, which is a truth value and not a name", quoted(name));
        fields.findings.advise(&rules::APPROVED_BY_EMPTY, field.span, message, "write the approver's name");
        return false;
    }
    if AGENT_NAMES.contains(&folded(name).as_str()) {
        let message = format!("`approved_by` is {}: an agent does not approve its own request", quoted(name));
        fields.findings.advise(&rules::APPROVED_BY_AGENT, field.span, message, "a person approves");
        return false;
    }
    if let Some(word) = name.split_whitespace().find(|word| mixes_scripts(word)) {
        let message = format!("`approved_by` mixes letters of several scripts in {}", quoted(word));
        let hint = "write each word in one script, so that nobody is taken for somebody else";
        fields.findings.advise(&rules::APPROVED_BY_LOOKALIKE, field.span, message, hint);
        return false;
    }
    true
}

/// A name as it compares with the agent's: look-alikes folded, letters and digits only.
fn folded(name: &str) -> String {
    let bare: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    glyph::skeleton(&bare)
}

/// Letters that no one script has all of, and that fold onto plain Latin ones.
fn mixes_scripts(word: &str) -> bool {
    !word.is_ascii() && AugmentedScriptSet::for_str(word).is_empty() && glyph::skeleton(word).is_ascii()
}

#[cfg(test)]
mod tests {
    use super::{AGENT_NAMES, folded, is_request_id};

    #[test]
    fn names_of_the_agent_are_compared_folded() {
        assert_eq!(["core", "core_draft", "agent"].map(folded), AGENT_NAMES);
    }

    #[test]
    fn an_id_has_a_real_time_and_a_plain_slug() {
        let cases = [
            ("TR-20260209-160501Z-python-stats", true),
            ("TR-20240229-000000Z-0", true),
            ("TR-20260229-160501Z-a", false),
            ("TR-20260209-246060Z-a", false),
            ("TR-20260209-160501-a", false),
            ("TR-20260209-160501.5Z-a", false),
            ("TR-20260209-160501Z-", false),
            ("TR-20260209-160501Z--a", false),
            ("TR-20260209-160501Z-A", false),
            ("TR-20260209-160501Z-a/b", false),
            ("TR-20260209-160501Z-a..b", false),
            ("tr-20260209-160501Z-a", false),
            ("TR-20260209-160501Z-ä", false),
            ("TR-2026-160501Z-a", false),
            ("TR-", false),
        ];
        for (text, want) in cases {
            assert_eq!(is_request_id(text), want, "{text}");
        }
    }
}
