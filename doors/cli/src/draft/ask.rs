//! Asks a person at the terminal for what no flag said.
//!
//! Each answer is tried at once, in the draft as it stands. One that makes the draft worse is
//! refused in the words of the check, and the question is put again. Nothing is written to disk
//! before the last answer, so whoever leaves in the middle leaves nothing behind.

use std::io::{self, BufRead, Write};

use super::{Plan, Question};
use crate::visible::visible;

/// The dialogue ended before the draft was complete.
#[derive(Debug, thiserror::Error)]
#[error("nothing was written, because the answers ended before the last question")]
pub(crate) struct Stopped;

/// Asks until nothing is missing.
pub(crate) fn ask(
    plan: &mut Plan,
    answers: &mut impl BufRead,
    words: &mut impl Write,
) -> Result<(), Stopped> {
    while let Some(question) = plan.next_question() {
        if question.is_list() {
            while one(plan, question, answers, words)? {}
            plan.leave(question);
        } else {
            while !one(plan, question, answers, words)? {}
        }
    }
    Ok(())
}

/// Puts a question once; false when there was no answer, or none that is any good.
///
/// For a list, false is the end of it: a refused answer is asked for again before that.
fn one(
    plan: &mut Plan,
    question: Question,
    answers: &mut impl BufRead,
    words: &mut impl Write,
) -> Result<bool, Stopped> {
    loop {
        let default = question.default_answer();
        let shown = default.map(|default| format!(" [{default}]")).unwrap_or_default();
        let _ = write!(words, "{}{shown}\n> ", question.words());
        let _ = words.flush();
        let line = line(answers).ok_or(Stopped)?;
        let answer = if line.is_empty() { default.unwrap_or_default() } else { &line };
        if answer.is_empty() {
            if question.is_list() {
                return Ok(false);
            }
            let _ = writeln!(words, "  needs an answer");
            continue;
        }
        match objection(plan, question, answer) {
            None => return Ok(true),
            Some(objection) => {
                let _ = writeln!(words, "  {}", visible(&objection));
            }
        }
    }
}

/// Takes the answer, unless it makes the draft worse: then the reason is returned.
fn objection(plan: &mut Plan, question: Question, answer: &str) -> Option<String> {
    let before = plan.objections();
    let draft = plan.draft.clone();
    let objection = match plan.answer(question, answer) {
        Err(error) => Some(error.to_string()),
        Ok(()) => {
            let known = |message: &str| before.iter().any(|finding| finding.message == message);
            let after = plan.objections();
            after.into_iter().find(|finding| !known(&finding.message)).map(|finding| match finding.hint {
                Some(hint) => format!("{} [{}]; {hint}", finding.message, finding.rule.code),
                None => format!("{} [{}]", finding.message, finding.rule.code),
            })
        }
    };
    if objection.is_some() {
        plan.draft = draft;
        plan.answered.remove(&question);
    }
    objection
}

/// One line of what the person types, trimmed; nothing at the end.
fn line(answers: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    loop {
        match answers.read_line(&mut line) {
            Ok(0) => return None,
            Ok(_) => return Some(line.trim().to_owned()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Plan, sample};
    use super::ask;

    fn dialogue(answers: &str) -> String {
        let now = "2026-02-09T16:05:01Z".parse().unwrap();
        let mut plan = Plan { draft: sample(now), answered: [].into(), complete: false };
        let mut words = Vec::new();
        let end = ask(&mut plan, &mut answers.as_bytes(), &mut words);
        let end = end.map_or_else(|stopped| stopped.to_string(), |()| plan.draft.request_id.clone());
        format!("{}\n= {end}", String::from_utf8(words).unwrap().replace("> ", ">\n"))
    }

    #[test]
    fn a_person_is_asked_for_everything_once() {
        let answers = "hello\nSay hello\n\npython\n\n/out/a.txt=A greeting\n\nexample.org\n\n\
            python -c 'print(1)'\nmedium\nSmall\npublic\nIt fetches a page\n";
        insta::assert_snapshot!(dialogue(answers), @"
        Short name, of lower-case letters, digits and hyphens
        >
        What is it for, in one sentence?
        >
        Where does it run: era (a command) or monty (Python code)? [era]
        >
        Language: python, node, ts, go or ruby [python]
        >
        A file that it reads (empty: no more)
        >
        A file that it writes, as /out/NAME=WHAT IT HOLDS (empty: no more)
        >
        A file that it writes, as /out/NAME=WHAT IT HOLDS (empty: no more)
        >
        A host that it may reach over the network (empty: no more)
        >
        A host that it may reach over the network (empty: no more)
        >
        The command line; inputs are /in/NAME, outputs /out/NAME
        >
        Risk: low, medium or high [low]
        >
        Why is the risk what it is?
        >
        Sensitivity of the data: public, internal or confidential [internal]
        >
        Why does it need the network?
        >

        = TR-20260209-160501Z-hello
        ");
    }

    #[test]
    fn whoever_leaves_in_the_middle_leaves_nothing() {
        insta::assert_snapshot!(dialogue("hello\n\n"), @"
        Short name, of lower-case letters, digits and hyphens
        >
        What is it for, in one sentence?
        >
          needs an answer
        What is it for, in one sentence?
        >

        = nothing was written, because the answers ended before the last question
        ");
    }
}
