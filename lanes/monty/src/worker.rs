//! What runs in a worker process: it confines itself, then runs programs until its input ends.
//!
//! Nothing here is called in the gate. The binary that hosts workers calls [`serve_if_asked`] before it does
//! anything else, so that the process has one thread and nothing open.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::confine::{self, Ceilings};
use crate::wire::{self, Answer, Limits, MAX_REQUEST, Request};
use crate::{allocator, interpret, outcome};

pub use crate::allocator::Allocator;

/// The first argument of a process that is a worker.
pub const ARGUMENT: &str = "--monty-worker";

/// Runs programs from standard input until it ends, if the process was started as a worker. Nothing
/// otherwise. To be called first of all.
pub fn serve_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != ARGUMENT) {
        allocator::stop_counting();
        return None;
    }
    let number = |text: Option<std::ffi::OsString>| text?.to_str()?.parse::<u64>().ok();
    let (processor, space) = (number(arguments.next()), number(arguments.next()));
    Some(match processor.zip(space) {
        Some((processor, space)) => serve(Ceilings { processor, space }),
        None => ExitCode::FAILURE,
    })
}

/// Confines this process as a worker is, or without the filter of system calls. For tests of what a
/// process can do then.
///
/// # Errors
///
/// The layer that is missing.
#[doc(hidden)]
pub fn confine_for_tests(with_filter: bool) -> Result<Vec<String>, String> {
    let ceilings = Ceilings { processor: 60, space: 4 * 1024 * 1024 * 1024 };
    let layers = if with_filter { confine::all(ceilings) } else { confine::only_files() };
    layers.map_err(|error| error.to_string())
}

fn serve(ceilings: Ceilings) -> ExitCode {
    let mut output = io::stdout().lock();
    let ready = prepare(ceilings);
    let answer = match &ready {
        Ok(layers) => Answer::Ready { layers: layers.clone() },
        Err(why) => Answer::NotReady { why: why.clone() },
    };
    let said = wire::write(&mut output, &answer).and_then(|()| output.flush());
    match ready.is_ok() && said.is_ok() && serve_requests(&mut output).is_ok() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Confines the process, and makes sure that limits of memory will hold.
fn prepare(ceilings: Ceilings) -> Result<Vec<String>, String> {
    // What is made once for a process is made while there is a system to make it with: handles, tables,
    // how many processors there are.
    let _ = io::stdin().lock();
    warm_up()?;
    monty_alloc::set_limit(Some(usize::MAX / 4), false)
        .map_err(|why| format!("the layer `memory_limit` is missing: {why}"))?;
    let mut layers = confine::all(ceilings).map_err(|error| error.to_string())?;
    layers.push("memory_limit".to_owned());
    Ok(layers)
}

/// A program of ours that touches what programs use.
const WARM_UP: &str = "import math, json, re, datetime, uuid
found = [re.sub('(a)b?', '-', text) for text in re.findall('a+(?=b)', 'aab')]
json.loads(json.dumps({'pi': math.pi, 'now': str(datetime.datetime.now()), 'id': str(uuid.uuid4())}))
try:
    f'{1 / 0:>10}'
except ZeroDivisionError as error:
    print(sorted(found), error)
";

fn warm_up() -> Result<(), String> {
    let request = Request {
        source: WARM_UP.to_owned(),
        modules: Vec::new(),
        inputs: serde_json::Map::new(),
        limits: Limits::default(),
    };
    match interpret::run(request, &mut |_| {}) {
        Answer::Done { .. } => Ok(()),
        Answer::Failed(failure) => Err(format!("the interpreter does not work: {failure}")),
        Answer::Ready { .. } | Answer::NotReady { .. } | Answer::Prints(_) => Ok(()),
    }
}

fn serve_requests(output: &mut impl Write) -> io::Result<()> {
    let mut input = io::stdin().lock();
    while let Some(request) = wire::read::<Request>(&mut input, MAX_REQUEST)? {
        let mut failed = None;
        let answer = {
            let mut say = |answer: Answer| {
                let said = wire::write(output, &answer).and_then(|()| output.flush());
                failed = failed.take().or(said.err());
            };
            match request {
                Ok(request) => run(request, &mut say),
                // Nesting is all that a request of the gate's can have too much of.
                Err(error) => failed_request(&error),
            }
        };
        if let Some(error) = failed {
            return Err(error);
        }
        wire::write(output, &answer)?;
        output.flush()?;
    }
    Ok(())
}

fn failed_request(error: &serde_json::Error) -> Answer {
    let message = format!("the inputs cannot be read: {error}");
    Answer::Failed(outcome::Failure::new(outcome::FailureKind::Refused, message))
}

fn run(request: Request, say: &mut dyn FnMut(Answer)) -> Answer {
    if let Err(why) = monty_alloc::set_limit(Some(request.limits.memory), false) {
        return Answer::Failed(outcome::Failure::new(outcome::FailureKind::Crashed, why));
    }
    let answer = interpret::run(request, say);
    // What is said about a run is not part of it.
    let _ = monty_alloc::set_limit(Some(usize::MAX / 4), false);
    answer
}
