//! From flags and answers to a draft of a request.
//!
//! No rule about requests is known here. A draft begins as one that passes, and takes one value
//! after another; whether a value is any good is for `document::check` to say, about the written
//! document. So there is one set of rules, and a value is refused in the words of a check.

mod ask;
mod files;
mod from;
mod question;

use std::collections::BTreeSet;

use call::Moment;
use document::{Checked, Draft, DraftRisk, DraftTask, Finding, NotText, Profile, Source, check};

pub(crate) use ask::ask;
pub(crate) use files::BadFile;
pub(crate) use from::draft_from;
pub(crate) use question::Question;

use crate::arguments::{Backend, NewArguments};

/// A draft on its way.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The draft so far. What nobody said yet holds a sample that passes.
    pub(crate) draft: Draft,
    answered: BTreeSet<Question>,
    /// Whether it starts from another request, in which case nothing is missing.
    complete: bool,
}

impl Plan {
    /// What the flags say, over `base` when the request starts from another one.
    pub(crate) fn new(flags: &NewArguments, base: Option<Draft>, now: Moment) -> Result<Self, BadFile> {
        let complete = base.is_some();
        let mut draft = base.unwrap_or_else(|| sample(now));
        let slug = slug_of(&draft.request_id).unwrap_or("request").to_owned();
        draft.created = now;
        draft.request_id = request_id(now, &slug);
        if let Some(who) = &flags.requested_by {
            draft.requested_by.clone_from(who);
        }
        let mut plan = Self { draft, answered: BTreeSet::new(), complete };
        for (question, values) in given(flags) {
            if !values.is_empty() {
                question.clear(&mut plan.draft);
            }
            for value in values {
                plan.answer(question, &value)?;
            }
        }
        Ok(plan)
    }

    /// Takes one value.
    pub(crate) fn answer(&mut self, question: Question, value: &str) -> Result<(), BadFile> {
        question.put(&mut self.draft, value)?;
        self.answered.insert(question);
        Ok(())
    }

    /// Counts a question as answered, by leaving it as it is.
    pub(crate) fn leave(&mut self, question: Question) {
        self.answered.insert(question);
    }

    /// What somebody still has to say.
    pub(crate) fn missing(&self) -> Vec<Question> {
        let open = |question: &&Question| {
            !self.complete && !self.answered.contains(question) && question.is_needed(&self.draft)
        };
        Question::ALL.iter().filter(open).copied().collect()
    }

    /// What a person at a terminal is asked next: what is missing, and what they may want to say
    /// before that.
    pub(crate) fn next_question(&self) -> Option<Question> {
        let task_is_open = !self.answered.contains(&Question::Command);
        let open = |question: &&Question| {
            let wanted =
                question.is_needed(&self.draft) || (task_is_open && question.is_offered(&self.draft));
            !self.complete && wanted && !self.answered.contains(question)
        };
        Question::ALL.iter().find(open).copied()
    }

    /// The document, and what a check says of it.
    pub(crate) fn written(&self) -> (String, Result<Checked, NotText>) {
        let text = self.draft.to_markdown();
        let source = Source { stem: Some(&self.draft.request_id), bytes: text.as_bytes() };
        let checked = check(&source, Profile::Strict, self.draft.created);
        (text, checked)
    }

    /// What keeps the draft from being written, the approval apart.
    pub(crate) fn objections(&self) -> Vec<Finding> {
        let (_, checked) = self.written();
        let findings = checked.map(|checked| checked.findings).unwrap_or_default();
        findings.into_iter().filter(|finding| finding.is_error() && !is_approval(finding)).collect()
    }
}

/// Whether a finding is about the approval, which is for a person to give later.
pub(crate) fn is_approval(finding: &Finding) -> bool {
    matches!(finding.rule.code, "TR109" | "TR110")
}

/// The flags as questions that have been answered.
fn given(flags: &NewArguments) -> Vec<(Question, Vec<String>)> {
    let one = |value: &Option<String>| value.iter().cloned().collect::<Vec<_>>();
    let path = |path: &std::path::PathBuf| path.to_string_lossy().into_owned();
    let backend = match (flags.backend, &flags.code) {
        (Some(Backend::Monty), _) | (None, Some(_)) => vec![String::from("monty")],
        (Some(Backend::Era), _) => vec![String::from("era")],
        (None, None) if flags.command.is_some() => vec![String::from("era")],
        (None, None) => Vec::new(),
    };
    vec![
        (Question::Slug, one(&flags.slug)),
        (Question::Purpose, one(&flags.purpose)),
        (Question::Backend, backend),
        (Question::Language, one(&flags.language)),
        (Question::Input, flags.inputs.iter().map(path).collect()),
        (Question::Output, flags.outputs.clone()),
        (Question::Host, flags.allowed.clone()),
        (Question::Cpu, one(&flags.cpu)),
        (Question::Memory, one(&flags.memory_mb)),
        (Question::Time, one(&flags.time_sec)),
        (Question::Constraint, flags.constraints.clone()),
        (Question::Command, one(&flags.command)),
        (Question::Code, flags.code.iter().map(path).collect()),
        (Question::InputsJson, flags.inputs_json.iter().map(path).collect()),
        (Question::Result, one(&flags.result)),
        (Question::Risk, one(&flags.risk)),
        (Question::Justification, one(&flags.justification)),
        (Question::Sensitivity, one(&flags.sensitivity)),
        (Question::Rationale, one(&flags.network_rationale)),
    ]
}

/// The id of a request that is made at this moment.
fn request_id(now: Moment, slug: &str) -> String {
    format!("TR-{}-{slug}", now.compact())
}

/// The slug of a request id: what stands behind `TR-`, the date and the time.
fn slug_of(request_id: &str) -> Option<&str> {
    request_id.splitn(4, '-').nth(3)
}

/// A draft that passes, whatever it says.
fn sample(now: Moment) -> Draft {
    Draft {
        request_id: request_id(now, "sample"),
        created: now,
        requested_by: String::from("human"),
        purpose: String::from("Say hello."),
        language: String::from("python"),
        network_allowlist: Vec::new(),
        cpu_limit: String::from("1"),
        memory_limit_mb: String::from("512"),
        time_limit_sec: String::from("60"),
        inputs: Vec::new(),
        outputs: Vec::new(),
        constraints: Vec::new(),
        task: DraftTask::Command(String::from("python -c 'print(1)'")),
        risk: DraftRisk {
            level: String::from("low"),
            justification: String::from("It touches nothing."),
            data_sensitivity: String::from("public"),
            network_rationale: String::from("none"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, sample, slug_of};

    #[test]
    fn the_slug_is_what_stands_behind_the_time() {
        assert_eq!(slug_of("TR-20260209-160501Z-two-words"), Some("two-words"));
        assert_eq!(slug_of("TR-20260209"), None);
    }

    #[test]
    fn the_sample_passes_all_but_the_approval() {
        let now = "2026-02-09T16:05:01Z".parse().unwrap();
        let plan = Plan { draft: sample(now), answered: [].into(), complete: false };
        assert_eq!(plan.objections(), []);
    }
}
