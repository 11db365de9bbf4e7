//! Answers on their way out: verdicts and data to standard output, talk to standard error.

use crate::checker::Examined;
use crate::outcome::{Answer, Outcome};
use crate::terminal::{Lost, Output, say};
use crate::visible::{visible, visible_json};

/// In which form the answers are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One word for one document, as the original validator prints it.
    Word,
    /// One line for each document.
    Lines,
    /// One JSON object for all.
    Json,
    /// One JSON object a line, for answers that come one by one.
    JsonLines,
}

/// Prints the answers of one run.
#[derive(Debug)]
pub(crate) struct Printer {
    form: Form,
    output: Output,
    n_printed: usize,
}

impl Printer {
    pub(crate) fn new(form: Form) -> Self {
        Self { form, output: Output::new(), n_printed: 0 }
    }

    /// Prints what stands in front of the first answer.
    pub(crate) fn begin(&mut self) -> Result<(), Lost> {
        if self.form == Form::Json { self.output.text("{\"files\":[") } else { Ok(()) }
    }

    /// Prints one answer. The reasons come before the verdict, so that a terminal ends with that.
    pub(crate) fn answer(&mut self, examined: &Examined) -> Result<(), Lost> {
        let Examined { outcome, talk, .. } = examined;
        if !talk.is_empty() {
            say(talk.trim_end_matches('\n'));
        }
        self.n_printed += 1;
        match self.form {
            Form::Word if outcome.verdict == Answer::Error => Ok(()),
            Form::Word => self.output.line(outcome.verdict.word()),
            Form::Lines => {
                let line = format!("{:<6}  {}", outcome.verdict.word(), visible(&outcome.path));
                self.output.line(&line)
            }
            Form::Json => {
                self.output.text(if self.n_printed == 1 { "\n" } else { ",\n" })?;
                self.output.text(&json(outcome))
            }
            Form::JsonLines => self.output.line(&json(outcome)),
        }
    }

    /// Prints what stands behind the last answer.
    pub(crate) fn end(&mut self) -> Result<(), Lost> {
        if self.form == Form::Json {
            self.output.text("\n]}\n")?;
        }
        self.flush()
    }

    /// Sends the answers on their way.
    pub(crate) fn flush(&mut self) -> Result<(), Lost> {
        self.output.flush()
    }
}

fn json(outcome: &Outcome) -> String {
    // Plain structures of text and numbers always have a JSON form.
    visible_json(serde_json::to_string(outcome).unwrap_or_default())
}
