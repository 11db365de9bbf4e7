//! One run: the rule, the interpreter, and answers to what a program asks of its host.
//!
//! A program may ask for names that it does not have, for the clock and for files. Names are answered by
//! an exact list, the clock by that of the worker in UTC, and everything else with an error.

mod clock;
mod failures;
mod prints;

use monty::{MontyRepl, MontyRun, ReplProgress, RunProgress};
use monty_types::{
    CompileOptions, ExcType, ExtFunctionResult, MontyException, MontyObject, NameLookupResult,
    OsFunctionCall, PrintWriter, ResourceLimits, ResourceTracker,
};

use crate::outcome::{Failure, FailureKind};
use crate::rules::{Program, Rules};
use crate::wire::{Answer, Request};
use crate::{uuid, value};

use prints::Printer;

/// Calls of functions inside each other, as Python itself has it.
const MAX_RECURSION: usize = 1_000;

/// Runs a program to its end. What it prints goes to `say` as it comes, the end is returned.
pub(crate) fn run(request: Request, say: &mut dyn FnMut(Answer)) -> Answer {
    let mut printer = Printer::new(request.limits.prints, say);
    let bound = request.limits.value;
    let ended = checked(&request).and_then(|program| interpret(request, program, &mut printer));
    let overflow = printer.finish();
    let done = match (ended, overflow) {
        (_, Some(overflow)) => Err(overflow),
        (Ok(object), None) => value::to_json(&object, bound),
        (Err(failure), None) => Err(failure),
    };
    match done {
        Ok((json, exact)) => Answer::Done { json, exact },
        Err(failure) => Answer::Failed(failure),
    }
}

fn checked(request: &Request) -> Result<Program, Failure> {
    let rules = Rules::new(request.modules.iter().map(String::as_str))
        .map_err(|error| Failure::new(FailureKind::Refused, error.to_string()))?;
    let inputs: Vec<&str> = request.inputs.keys().map(String::as_str).collect();
    if let Some(name) = inputs.iter().find(|name| !can_be_a_variable(name)) {
        let message = format!("an input is called `{}`, which no variable can be", name.escape_debug());
        return Err(Failure::new(FailureKind::Refused, message));
    }
    if Rules::is_plain(&request.source) {
        // Its syntax is left to the interpreter.
        return Ok(Program { source: request.source.clone(), uuid: None });
    }
    rules.check(&request.source, &inputs).map_err(failures::refused)
}

/// Resumes a paused program until it ends: with its value, or with what it raised. The two ways to run a
/// program have the same steps in types of their own.
macro_rules! drive {
    ($steps:ident, $complete:pat => $value:expr, $first:expr, $host:expr) => {{
        let host: &mut Host<'_, '_> = $host;
        let mut progress = $first;
        loop {
            progress = match progress {
                Ok($complete) => break Ok($value),
                Ok($steps::FunctionCall(call)) => {
                    let answer = host.call(&call.function_name, &call.args);
                    call.resume(answer, PrintWriter::Callback(host.printer))
                }
                Ok($steps::NameLookup(lookup)) => {
                    let answer = host.name(&lookup.name);
                    lookup.resume(answer, PrintWriter::Callback(host.printer))
                }
                Ok($steps::OsCall(call)) => {
                    let answer = system(&call.function_call);
                    call.resume(answer, PrintWriter::Callback(host.printer))
                }
                Ok($steps::ResolveFutures(futures)) => {
                    let nothing =
                        MontyException::runtime_error("nothing outside of the program is awaited here");
                    futures.abort(nothing, PrintWriter::Callback(host.printer))
                }
                Err(error) => break Err(error),
            };
        }
    }};
}

fn interpret(request: Request, program: Program, printer: &mut Printer<'_>) -> Result<MontyObject, Failure> {
    let limits = ResourceLimits::default()
        .max_duration(request.limits.time)
        .max_memory(request.limits.memory)
        .max_recursion_depth(MAX_RECURSION);
    let tracker = ResourceTracker::new(limits);
    let inputs = request.inputs.into_iter().map(|(name, input)| (name, value::from_json(input))).collect();
    let host = Host { printer, lacking: false };
    match program.uuid {
        None => alone(program.source, inputs, tracker, host),
        Some(name) => with_uuid(&request.source, &program.source, &name, inputs, tracker, host),
    }
}

type Inputs = Vec<(String, MontyObject)>;

fn alone(
    program: String,
    inputs: Inputs,
    tracker: ResourceTracker,
    mut host: Host<'_, '_>,
) -> Result<MontyObject, Failure> {
    let source = failures::Source::Alone;
    let (names, values) = inputs.into_iter().unzip();
    let run = MontyRun::new(program, failures::FILE, names, CompileOptions::default())
        .map_err(|error| failures::raised(&error, &source, false, false))?;
    let first = run.start(values, tracker, PrintWriter::Callback(host.printer));
    let ended = drive!(RunProgress, RunProgress::Complete(value) => value, first, &mut host);
    ended.map_err(|error| failures::raised(&error, &source, true, host.lacking))
}

/// With the prelude as a source of its own before it: names that the program binds are not those that the
/// prelude was compiled with.
fn with_uuid(
    text: &str,
    program: &str,
    name: &str,
    inputs: Inputs,
    tracker: ResourceTracker,
    mut host: Host<'_, '_>,
) -> Result<MontyObject, Failure> {
    let source = failures::Source::Second(text);
    let mut session = MontyRepl::new(failures::FILE, tracker, CompileOptions::default());
    session
        .feed_run(&uuid::prelude(name), Vec::new(), PrintWriter::Disabled)
        .map_err(|error| failures::raised(&error, &source, true, false))?;
    let before = session.tracker().elapsed();
    let first = session.feed_start(program, inputs, PrintWriter::Callback(host.printer));
    let ended = drive!(ReplProgress, ReplProgress::Complete { value, .. } => value, first, &mut host);
    ended.map_err(|stopped| {
        let ran = stopped.repl.tracker().elapsed() > before;
        failures::raised(&stopped.error, &source, ran, host.lacking)
    })
}

/// What a program finds outside of itself.
struct Host<'p, 's> {
    printer: &'p mut Printer<'s>,
    /// Whether an answer was that this interpreter lacks what Python has.
    lacking: bool,
}

impl Host<'_, '_> {
    fn call(&mut self, name: &str, arguments: &[MontyObject]) -> ExtFunctionResult {
        match uuid::answer(name, arguments) {
            Some(Ok(object)) => ExtFunctionResult::Return(object),
            Some(Err(error)) => ExtFunctionResult::Error(error),
            None => match self.lack(name) {
                Some(error) => ExtFunctionResult::Error(error),
                None => ExtFunctionResult::NotFound(name.to_owned()),
            },
        }
    }

    fn name(&mut self, name: &str) -> NameLookupResult {
        if uuid::FUNCTIONS.contains(&name) {
            let name = name.to_owned();
            return NameLookupResult::Value(MontyObject::Function { name, docstring: None });
        }
        self.lack(name).map_or(NameLookupResult::Undefined, NameLookupResult::Error)
    }

    fn lack(&mut self, name: &str) -> Option<MontyException> {
        if !BUILTINS.contains(&name) {
            return None;
        }
        self.lacking = true;
        let message = format!("name '{name}' is not defined: the interpreter of this lane does not have it");
        Some(MontyException::new(ExcType::NameError, Some(message)))
    }
}

/// An ASCII identifier that is no keyword. Soft keywords are names like any other.
fn can_be_a_variable(name: &str) -> bool {
    const KEYWORDS: [&str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
        "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
        "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
        && !KEYWORDS.contains(&name)
}

/// What the system would say. There is none but the clock.
fn system(call: &OsFunctionCall) -> ExtFunctionResult {
    match call {
        OsFunctionCall::DateToday => ExtFunctionResult::Return(clock::today()),
        OsFunctionCall::DateTimeNow(zone) => ExtFunctionResult::Return(clock::now(zone.as_ref())),
        OsFunctionCall::Exists(_)
        | OsFunctionCall::IsFile(_)
        | OsFunctionCall::IsDir(_)
        | OsFunctionCall::IsSymlink(_)
        | OsFunctionCall::ReadText(_)
        | OsFunctionCall::ReadBytes(_)
        | OsFunctionCall::Stat(_)
        | OsFunctionCall::Iterdir(_)
        | OsFunctionCall::Resolve(_)
        | OsFunctionCall::Absolute(_)
        | OsFunctionCall::WriteText(_)
        | OsFunctionCall::AppendText(_)
        | OsFunctionCall::WriteBytes(_)
        | OsFunctionCall::AppendBytes(_)
        | OsFunctionCall::Open(_)
        | OsFunctionCall::Mkdir(_)
        | OsFunctionCall::Unlink(_)
        | OsFunctionCall::Rmdir(_)
        | OsFunctionCall::Rename(_)
        | OsFunctionCall::Getenv(_)
        | OsFunctionCall::GetEnviron => ExtFunctionResult::Error(call.on_no_handler()),
    }
}

/// Builtins of Python that this interpreter may lack. Asked for, it says so.
const BUILTINS: [&str; 29] = [
    "aiter",
    "anext",
    "ascii",
    "breakpoint",
    "bytearray",
    "callable",
    "classmethod",
    "compile",
    "complex",
    "copyright",
    "delattr",
    "dir",
    "eval",
    "exec",
    "exit",
    "format",
    "frozenset",
    "globals",
    "help",
    "input",
    "issubclass",
    "locals",
    "memoryview",
    "object",
    "property",
    "quit",
    "staticmethod",
    "super",
    "vars",
];
