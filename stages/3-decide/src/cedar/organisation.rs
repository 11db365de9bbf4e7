//! The organisation's own policies, `policies/*.cedar`.
//!
//! They are checked against the same schema as what the gate compiles, and before that for their
//! nesting: a text that is nested deeply enough would end the process that parses it.

use call::Span;
use cedar_policy::{Effect, Policy, PolicyId, PolicySet, ValidationMode, ValidationWarning, Validator};
use miette::Diagnostic;

use super::SCHEMA;
use super::literal::{Odd, odd_names};
use crate::finding::Notes;
use crate::rules;

/// Bytes of one Cedar file, levels of its brackets, `if`s in it, and operators of one policy: a long
/// row of operators is a deep tree too, and the validator gives up on one without a word.
const LARGEST: usize = 1024 * 1024;
const DEEPEST: usize = 64;
const MOST_CHOICES: usize = 256;
const MOST_LINKS: usize = 1_024;

/// Reads one file. Nothing comes back when it has an error.
pub(crate) fn organisation_rules(file: &str, text: &str, notes: &mut Notes<'_>) -> Option<Vec<Policy>> {
    if text.len() > LARGEST {
        notes.add(&rules::POLICY_TOO_LARGE, Span::at(0), "the file is larger than 1 MiB", "split it");
        return None;
    }
    if let Some(at) = too_deep(text) {
        let message = "the policy is nested too deeply, chooses too often, or has too many operators";
        notes.add(&rules::CEDAR_SYNTAX, Span::at(at), message, "split it into several policies");
        return None;
    }
    let parsed: PolicySet = match text.parse() {
        Ok(parsed) => parsed,
        Err(errors) => {
            let errors: cedar_policy::ParseErrors = errors;
            let why = errors.to_string().lines().next().unwrap_or_default().to_owned();
            notes.add(&rules::CEDAR_SYNTAX, place_of(&errors), format!("not Cedar: {why}"), "");
            return None;
        }
    };
    if parsed.templates().next().is_some() {
        let message = "the file holds a template, which nothing fills in";
        let slots = ["?principal", "?resource"].into_iter().filter_map(|slot| text.find(slot)).min();
        notes.add(&rules::CEDAR_TEMPLATE, Span::at(slots.unwrap_or(0)), message, "write the policy out");
        return None;
    }
    validate(&parsed, notes);
    let mut policies = Vec::new();
    for policy in parsed.policies() {
        for Odd { written, message, hint } in odd_names(policy) {
            let place = text.find(&written).map_or(Span::at(0), |at| Span::new(at, at + written.len()));
            notes.add(&rules::CEDAR_IMPOSSIBLE, place, message, &hint);
        }
        note_approval(policy, text, notes);
        let id = policy.annotation("id").map_or_else(|| policy.id().to_string(), str::to_owned);
        policies.push(policy.new_id(PolicyId::new(format!("{file}#{id}"))));
    }
    policies.sort_by(|one, other| one.id().cmp(other.id()));
    for pair in policies.windows(2) {
        if let [one, other] = pair
            && one.id() == other.id()
        {
            let message = format!("the id `{}` is given twice", one.id());
            let again =
                one.annotation("id").and_then(|id| text.match_indices(&format!("@id(\"{id}\")")).nth(1));
            let place = Span::at(again.map_or(0, |(place, _)| place));
            notes.add(&rules::CEDAR_ID, place, message, "give each policy an `@id` of its own");
        }
    }
    (!notes.any_error()).then_some(policies)
}

/// `@approval` says that a person may lift a prohibition, and means nothing anywhere else.
fn note_approval(policy: &Policy, text: &str, notes: &mut Notes<'_>) {
    let Some(value) = policy.annotation("approval") else { return };
    let lifted =
        policy.to_string().contains("context.approved") || policy.to_string().contains("\"approved\"");
    let wrong = match (policy.effect(), value) {
        (Effect::Permit, _) => "`@approval` on a `permit` asks nobody",
        (Effect::Forbid, "required") if lifted => return,
        (Effect::Forbid, "required") => {
            "`@approval(\"required\")` without `unless { context.approved }` never lets anything through"
        }
        (Effect::Forbid, _) => "`@approval` has another value than `required`",
    };
    let place = text.find("@approval").map_or(Span::at(0), |at| Span::new(at, at + "@approval".len()));
    let hint = "write `@approval(\"required\") forbid (...) unless { context.approved };`";
    notes.add(&rules::CEDAR_APPROVAL, place, wrong, hint);
}

fn validate(parsed: &PolicySet, notes: &mut Notes<'_>) {
    let Some(schema) = SCHEMA.clone() else {
        notes.add(&rules::CEDAR_INVALID, Span::at(0), "the schema of the gate cannot be read", "");
        return;
    };
    let result = Validator::new(schema).validate(parsed, ValidationMode::Strict);
    let mut found = Vec::new();
    for error in result.validation_errors() {
        let hint = error.help().map(|help| help.to_string()).unwrap_or_default();
        found.push((place_of(error), first_line(&error.to_string()), hint, &rules::CEDAR_INVALID));
    }
    for warning in result.validation_warnings() {
        // Whatever else Cedar warns of is a text that misleads its reader.
        let impossible = matches!(
            warning,
            ValidationWarning::ImpossiblePolicy(_) | ValidationWarning::InvalidActionApplication(_)
        );
        let rule = if impossible { &rules::CEDAR_IMPOSSIBLE } else { &rules::CEDAR_INVALID };
        found.push((place_of(warning), first_line(&warning.to_string()), String::new(), rule));
    }
    // Cedar tells the same of several actions in the order of a hash table, another one each time.
    found.sort_by(|(place, message, ..), (other, another, ..)| {
        (place.start, place.end, message).cmp(&(other.start, other.end, another))
    });
    for (place, message, hint, rule) in found {
        notes.add(rule, place, message, &hint);
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn place_of(diagnostic: &dyn Diagnostic) -> Span {
    let label = diagnostic.labels().and_then(|mut labels| labels.next());
    label.map_or(Span::at(0), |label| Span::new(label.offset(), label.offset() + label.len()))
}

/// Where brackets are nested deeper, `if` stands more often, or one policy has more operators and
/// conditions, than is read. Strings and comments do not count.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut choices, mut links) = (0_usize, 0_usize, 0_usize);
    let mut characters = text.char_indices().peekable();
    let mut word = String::new();
    while let Some((at, character)) = characters.next() {
        if character.is_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        choices += usize::from(word == "if");
        links += usize::from(matches!(word.as_str(), "when" | "unless"));
        word.clear();
        match character {
            '"' => skip_string(&mut characters),
            '/' if characters.peek().is_some_and(|(_, next)| *next == '/') => {
                while characters.next_if(|(_, c)| *c != '\n').is_some() {}
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '.' | '&' | '|' | '+' | '-' | '*' | '!' => links += 1,
            ';' => links = 0,
            _ => {}
        }
        if depth > DEEPEST || choices > MOST_CHOICES || links > MOST_LINKS {
            return Some(at);
        }
    }
    None
}

fn skip_string(characters: &mut std::iter::Peekable<std::str::CharIndices<'_>>) {
    while let Some((_, character)) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            '"' => return,
            _ => {}
        }
    }
}
