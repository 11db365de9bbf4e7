//! Everything that a request says, as questions: which flag answers it, how a person is asked, and
//! where the answer goes.

use std::path::Path;

use document::{Draft, DraftOutput, DraftTask};

use super::files::{self, BadFile};
use super::request_id;

/// One thing that a request says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Question {
    Slug,
    Purpose,
    Backend,
    Language,
    Input,
    Output,
    Host,
    Cpu,
    Memory,
    Time,
    Constraint,
    Command,
    Code,
    InputsJson,
    Result,
    Risk,
    Justification,
    Sensitivity,
    Rationale,
}

use Question::{
    Backend, Code, Command, Constraint, Cpu, Host, Input, InputsJson, Justification, Language, Memory,
    Output, Purpose, Rationale, Result as Meaning, Risk, Sensitivity, Slug, Time,
};

impl Question {
    /// All questions, in the order in which they are asked.
    pub(crate) const ALL: &[Self] = &[
        Slug,
        Purpose,
        Backend,
        Language,
        Input,
        Output,
        Host,
        Cpu,
        Memory,
        Time,
        Constraint,
        Command,
        Code,
        InputsJson,
        Meaning,
        Risk,
        Justification,
        Sensitivity,
        Rationale,
    ];

    /// The flag that answers it.
    pub(crate) const fn flag(self) -> &'static str {
        match self {
            Slug => "--slug",
            Purpose => "--purpose",
            Backend => "--backend",
            Language => "--language",
            Input => "--input",
            Output => "--output",
            Host => "--allow",
            Cpu => "--cpu",
            Memory => "--memory-mb",
            Time => "--time-sec",
            Constraint => "--constraint",
            Command => "--command",
            Code => "--code",
            InputsJson => "--inputs-json",
            Meaning => "--result",
            Risk => "--risk",
            Justification => "--justification",
            Sensitivity => "--sensitivity",
            Rationale => "--network-rationale",
        }
    }

    /// How a person is asked.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Slug => "Short name, of lower-case letters, digits and hyphens",
            Purpose => "What is it for, in one sentence?",
            Backend => "Where does it run: era (a command) or monty (Python code)?",
            Language => "Language: python, node, ts, go or ruby",
            Input => "A file that it reads (empty: no more)",
            Output => "A file that it writes, as /out/NAME=WHAT IT HOLDS (empty: no more)",
            Host => "A host that it may reach over the network (empty: no more)",
            Cpu => "Cores",
            Memory => "Memory, in megabytes",
            Time => "Time, in seconds",
            Constraint => "A further promise (empty: no more)",
            Command => "The command line; inputs are /in/NAME, outputs /out/NAME",
            Code => "The file with the Python code",
            InputsJson => "A file with a JSON object, the inputs of the code (empty: none)",
            Meaning => "What does the value of the code mean?",
            Risk => "Risk: low, medium or high",
            Justification => "Why is the risk what it is?",
            Sensitivity => "Sensitivity of the data: public, internal or confidential",
            Rationale => "Why does it need the network?",
        }
    }

    /// The answer of somebody who just presses enter.
    pub(crate) const fn default_answer(self) -> Option<&'static str> {
        match self {
            Backend => Some("era"),
            Language => Some("python"),
            Risk => Some("low"),
            Sensitivity => Some("internal"),
            Meaning => Some("The value of the last expression."),
            Slug | Purpose | Input | Output | Host | Cpu | Memory | Time | Constraint | Command | Code
            | InputsJson | Justification | Rationale => None,
        }
    }

    /// Whether there may be several answers, and none.
    pub(crate) const fn is_list(self) -> bool {
        matches!(self, Input | Output | Host | Constraint)
    }

    /// Whether the request cannot be written without an answer.
    pub(super) fn is_needed(self, draft: &Draft) -> bool {
        match self {
            Slug | Purpose | Risk | Justification | Sensitivity => true,
            Language | Command => matches!(draft.task, DraftTask::Command(_)),
            Code => matches!(draft.task, DraftTask::Code { .. }),
            Rationale => !draft.network_allowlist.is_empty(),
            Backend | Input | Output | Host | Cpu | Memory | Time | Constraint | InputsJson | Meaning => {
                false
            }
        }
    }

    /// Whether a person who writes the command at the terminal may want to say this too.
    pub(super) fn is_offered(self, draft: &Draft) -> bool {
        match self {
            Backend => true,
            Input | Output | Host => matches!(draft.task, DraftTask::Command(_)),
            Slug | Purpose | Language | Cpu | Memory | Time | Constraint | Command | Code | InputsJson
            | Meaning | Risk | Justification | Sensitivity | Rationale => false,
        }
    }

    /// Empties a list, so that new answers replace those of the request it started from.
    pub(super) fn clear(self, draft: &mut Draft) {
        match self {
            Input => draft.inputs.clear(),
            Output => draft.outputs.clear(),
            Host => draft.network_allowlist.clear(),
            Constraint => draft.constraints.clear(),
            Slug | Purpose | Backend | Language | Cpu | Memory | Time | Command | Code | InputsJson
            | Meaning | Risk | Justification | Sensitivity | Rationale => {}
        }
    }

    /// Puts an answer where it belongs.
    pub(super) fn put(self, draft: &mut Draft, answer: &str) -> Result<(), BadFile> {
        let text = answer.to_owned();
        match self {
            Slug => draft.request_id = request_id(draft.created, answer),
            Purpose => draft.purpose = text,
            Backend => choose_backend(draft, answer),
            Language => choose_language(draft, text),
            Input => draft.inputs.push(files::input(Path::new(answer))?),
            Output => draft.outputs.push(output(answer)),
            Host => {
                draft.network_allowlist.push(text);
                if draft.risk.network_rationale == "none" {
                    draft.risk.network_rationale = String::from("It cannot do without.");
                }
            }
            Cpu => draft.cpu_limit = text,
            Memory => draft.memory_limit_mb = text,
            Time => draft.time_limit_sec = text,
            Constraint => draft.constraints.push(text),
            Command => draft.task = DraftTask::Command(text),
            Code | InputsJson | Meaning => put_code(self, draft, answer)?,
            Risk => draft.risk.level = text,
            Justification => draft.risk.justification = text,
            Sensitivity => draft.risk.data_sensitivity = text,
            Rationale => draft.risk.network_rationale = text,
        }
        Ok(())
    }
}

fn choose_backend(draft: &mut Draft, answer: &str) {
    let monty = answer.eq_ignore_ascii_case("monty");
    if monty && matches!(draft.task, DraftTask::Command(_)) {
        draft.language = String::from("python");
        draft.task = DraftTask::Code {
            code: String::from("1 + 1"),
            inputs_json: None,
            result: Meaning.default_answer().unwrap_or_default().to_owned(),
        };
    } else if !monty && matches!(draft.task, DraftTask::Code { .. }) {
        choose_language(draft, String::from("python"));
    }
}

/// Takes the language, and a command in it until there is a real one.
fn choose_language(draft: &mut Draft, language: String) {
    let command = match language.as_str() {
        "node" => "node -e 1",
        "ts" => "tsx -e 1",
        "go" => "go run /in/main.go",
        "ruby" => "ruby -e 1",
        _ => "python -c 'print(1)'",
    };
    if matches!(draft.task, DraftTask::Command(_)) {
        draft.task = DraftTask::Command(String::from(command));
    }
    draft.language = language;
}

fn put_code(question: Question, draft: &mut Draft, answer: &str) -> Result<(), BadFile> {
    let content = if question == Meaning { answer.to_owned() } else { files::text(Path::new(answer))? };
    if matches!(draft.task, DraftTask::Command(_)) {
        choose_backend(draft, "monty");
    }
    if let DraftTask::Code { code, inputs_json, result } = &mut draft.task {
        match question {
            Code => *code = content,
            InputsJson => *inputs_json = Some(content),
            Meaning | Slug | Purpose | Backend | Language | Input | Output | Host | Cpu | Memory | Time
            | Constraint | Command | Risk | Justification | Sensitivity | Rationale => *result = content,
        }
    }
    Ok(())
}

fn output(answer: &str) -> DraftOutput {
    let (path, description) = answer.split_once('=').unwrap_or((answer, ""));
    DraftOutput { path: path.to_owned(), description: description.to_owned() }
}
