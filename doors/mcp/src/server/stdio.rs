//! One connection over pipes: a message a line.
//!
//! Reading and writing have threads of their own, so that a pipe on which nothing happens holds up neither
//! the calls nor the end. A line that is no message is answered and the session lives on; one that is too
//! long is skipped to its end without being kept.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ClientNotification, GetExtensions, ServerResult};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, serve_server};
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::direct;
use super::handler::Handler;
use super::meant::{Meant, NO_ID, no_call};
use super::run::CallCount;
use super::{Caller, LAST_CALLS, Options, ServeError, Shared, read_message};
use crate::frame::{INVALID_REQUEST, Refused, meant, read_frame};
use crate::{Gatekeeper, Identity};

/// Messages that are at work at the same time; more are not read until one is done.
const AT_WORK: u32 = 2048;

/// Answers that may wait for a client to read them; nothing more is taken from it until it has. The protocol's
/// library keeps as many as there are.
const UNHEARD: usize = 2048;

/// Serves whoever started this process, over its standard input and output, until the input ends.
///
/// # Errors
/// When the door could not be opened, or the ledger failed.
pub fn serve_stdio(
    gatekeeper: Arc<dyn Gatekeeper>,
    identity: Identity,
    options: Options,
) -> Result<(), ServeError> {
    serve(gatekeeper, identity, options, std::io::stdin(), std::io::stdout())
}

/// Serves whoever is at the other end of two pipes, until the input ends.
///
/// # Errors
/// When the door could not be opened, or the ledger failed.
pub fn serve(
    gatekeeper: Arc<dyn Gatekeeper>,
    identity: Identity,
    options: Options,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    let machine = |what| move |source| ServeError::Machine { what, source };
    // One client's messages are little work beside their calls, and threads that hand them to each other take
    // longer than one that does them all. Calls have threads of their own.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(machine("there is no runtime"))?;
    let caller = Caller { identity, session: options.session.clone() };
    let longest = options.longest_message;
    let shared = Arc::new(Shared {
        gate: gatekeeper,
        options,
        halted: OnceLock::new(),
        closing: CancellationToken::new(),
        calls: CallCount::default(),
        brief: Arc::new(Semaphore::new(direct::AT_ONCE)),
    });
    let (frames, read) = channel(64);
    let (lines, written) = channel(64);
    let (flushed, all_written) = std::sync::mpsc::channel();
    let at_work = Arc::new(AtWork {
        ids: Mutex::new(HashMap::new()),
        places: Arc::new(Semaphore::new(AT_WORK as usize)),
        shared: Arc::clone(&shared),
        caller: caller.clone(),
        greeted: AtomicBool::new(false),
        begun: AtomicBool::new(false),
    });
    let handle = runtime.handle().clone();
    let answers = lines.clone();
    let places = Arc::clone(&at_work.places);
    let output = Arc::new(Mutex::new(output));
    let to_output = Arc::clone(&output);
    let unheard = Arc::new(Semaphore::new(UNHEARD));
    let pipes =
        Pipes { frames: read, lines: Some(lines), begun: false, at_work: Arc::clone(&at_work), unheard };
    std::thread::Builder::new()
        .name("mcp-reader".to_owned())
        .spawn(move || reader(input, longest, &frames, answers, &at_work, &handle, &to_output))
        .map_err(machine("there is no thread"))?;
    std::thread::Builder::new()
        .name("mcp-writer".to_owned())
        .spawn(move || {
            writer(&output, written);
            let _ = flushed.send(());
        })
        .map_err(machine("there is no thread"))?;
    let closing = shared.closing.clone();
    runtime.block_on(async {
        let handler = Handler::new(Arc::clone(&shared), Some(caller));
        let served = async {
            // A client that never says hello has ended the session by ending its input.
            if let Ok(service) = serve_server(handler, pipes).await {
                let _ = service.waiting().await;
            }
            // What was read has its end before the runtime does.
            let _ = tokio::time::timeout(LAST_CALLS, places.acquire_many(AT_WORK)).await;
        };
        tokio::select! {
            () = served => {}
            () = async { closing.cancelled().await; tokio::time::sleep(Duration::from_millis(200)).await } => {}
        }
    });
    runtime.shutdown_timeout(LAST_CALLS);
    let _ = all_written.recv_timeout(Duration::from_secs(2));
    match shared.halted.get() {
        Some(halt) => Err(halt.clone().into()),
        None => Ok(()),
    }
}

/// The messages that are at work.
struct AtWork {
    /// By their ids, with whether the client has taken them back.
    ids: Mutex<HashMap<String, Arc<AtomicBool>>>,
    places: Arc<Semaphore>,
    shared: Arc<Shared>,
    caller: Caller,
    /// Whether the client was answered its hello, by a version of the protocol that has one.
    greeted: AtomicBool,
    /// Whether it has said that it heard that. Until then no answer may go past the hello.
    begun: AtomicBool,
}

impl AtWork {
    /// The client takes a request back. Nothing happens to one that was answered.
    fn cancel(&self, id: &Value) {
        let all = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cancelled) = all.get(&id.to_string()) {
            cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Puts on record that a message was meant as a call, where it was.
    fn turn_away(&self, line: &[u8], why: &str) {
        if let Some(written) = meant(line) {
            // A ledger that failed closes the door, and the client hears of it at its next call.
            let _ = self.shared.turn_away(&self.caller, &written, no_call(why.to_owned()));
        }
    }
}

/// One message that is at work, as long as anything of it is left.
struct Place {
    at_work: Arc<AtWork>,
    id: String,
    cancelled: Arc<AtomicBool>,
    _place: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.at_work.ids.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

/// Reads lines and hands on what is a message.
fn reader(
    input: impl Read,
    longest: usize,
    frames: &Sender<ClientJsonRpcMessage>,
    answers: Sender<String>,
    at_work: &Arc<AtWork>,
    runtime: &tokio::runtime::Handle,
    output: &Arc<Mutex<impl Write + Send + 'static>>,
) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    let mut first = true;
    loop {
        let next = next_line(&mut input, longest, &mut line);
        // Some shells put a mark in front of everything they pipe. It is no part of the first message.
        if std::mem::take(&mut first) && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        let message = match next {
            Line::End => return,
            Line::Whole if line.iter().all(u8::is_ascii_whitespace) => continue,
            Line::Whole => message(&line, at_work, runtime),
            Line::TooLong => {
                let message = format!("the message is longer than {longest} bytes");
                Err(Some(Refused::new(None, INVALID_REQUEST, message)))
            }
        };
        let handed_on = match message {
            Ok(Said::Message(message)) => frames.blocking_send(*message).is_ok(),
            Ok(Said::Direct { meant, id, place }) => {
                let (answers, output) = (answers.clone(), Arc::clone(output));
                direct(runtime, &at_work.shared.brief, move || {
                    let told = direct::answer(&meant, &id, &place.cancelled);
                    // The id is free before anybody hears the answer.
                    drop(place);
                    say(&output, &answers, told);
                });
                true
            }
            Err(Some(refused)) => {
                at_work.turn_away(&line, &refused.message);
                answers.blocking_send(refused.answer().to_string()).is_ok()
            }
            Err(None) => {
                at_work.turn_away(&line, NO_ID);
                true
            }
        };
        if !handed_on {
            return;
        }
    }
}

/// Runs a call that is over in a moment, as soon as there is a place for it.
fn direct(runtime: &tokio::runtime::Handle, places: &Arc<Semaphore>, call: impl FnOnce() + Send + 'static) {
    let with = |place: OwnedSemaphorePermit| {
        move || {
            let _place = place;
            call();
        }
    };
    match Arc::clone(places).try_acquire_owned() {
        Ok(place) => drop(runtime.spawn_blocking(with(place))),
        Err(_) => {
            let places = Arc::clone(places);
            runtime.spawn(async move {
                if let Ok(place) = places.acquire_owned().await {
                    drop(tokio::task::spawn_blocking(with(place)));
                }
            });
        }
    }
}

/// Says a line, by whoever has it where nobody else is saying one: to wake up the writer takes long.
fn say(output: &Mutex<impl Write>, lines: &Sender<String>, mut line: String) {
    if let Ok(mut output) = output.try_lock() {
        line.push('\n');
        // A client that is gone is noticed elsewhere.
        let _ = output.write_all(line.as_bytes()).and_then(|()| output.flush());
        return;
    }
    let _ = lines.blocking_send(line);
}

/// What a line says.
enum Said {
    /// Something that the protocol answers.
    Message(Box<ClientJsonRpcMessage>),
    /// A call that is carried to the gate as it is.
    Direct { meant: Arc<Meant>, id: Value, place: Arc<Place> },
}

/// A line as a message. Nothing is answered to a notification that is none.
fn message(
    line: &[u8],
    at_work: &Arc<AtWork>,
    runtime: &tokio::runtime::Handle,
) -> Result<Said, Option<Refused>> {
    let mut frame = read_frame(line)?;
    if let Some(id) = &frame.cancels {
        at_work.cancel(id);
    }
    if at_work.begun.load(Ordering::Relaxed)
        && direct::is_direct(&at_work.shared, &frame)
        && let (Some(id), Some(written)) = (frame.id.take(), frame.call.take())
    {
        let place = place(at_work, Some(&id), runtime)?;
        let meant = Meant::new(&at_work.shared, &at_work.caller, written);
        return Ok(Said::Direct { meant, id, place });
    }
    let wrong = |(code, message)| frame.id.clone().map(|id| Refused::new(Some(id), code, message));
    let mut message = read_message(&frame.text).map_err(wrong)?;
    if let ClientJsonRpcMessage::Notification(said) = &message
        && matches!(said.notification, ClientNotification::InitializedNotification(_))
    {
        let greeted = at_work.greeted.load(Ordering::Relaxed);
        at_work.begun.fetch_or(greeted, Ordering::Relaxed);
    }
    if let ClientJsonRpcMessage::Request(request) = &mut message {
        let place = place(at_work, frame.id.as_ref(), runtime)?;
        let extensions = request.request.extensions_mut();
        extensions.insert(place);
        if let Some(written) = frame.call {
            extensions.insert(Meant::new(&at_work.shared, &at_work.caller, written));
        }
    } else if frame.call.is_some() {
        return Err(None);
    }
    Ok(Said::Message(Box::new(message)))
}

/// A place among the messages at work. An id that is still in use is refused: of two answers with one id
/// nobody could tell which is which.
fn place(
    at_work: &Arc<AtWork>,
    id: Option<&Value>,
    runtime: &tokio::runtime::Handle,
) -> Result<Arc<Place>, Option<Refused>> {
    let spelling = id.map(Value::to_string).unwrap_or_default();
    let places = Arc::clone(&at_work.places);
    let permit = runtime.block_on(places.acquire_owned()).map_err(|_| None)?;
    let cancelled = match at_work.ids.lock().unwrap_or_else(PoisonError::into_inner).entry(spelling.clone()) {
        Entry::Vacant(free) => Arc::clone(free.insert(Arc::default())),
        Entry::Occupied(_) => {
            let message = "the id is in use by another request";
            return Err(Some(Refused::new(id.cloned(), INVALID_REQUEST, message)));
        }
    };
    Ok(Arc::new(Place { at_work: Arc::clone(at_work), id: spelling, cancelled, _place: permit }))
}

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

enum Line {
    Whole,
    TooLong,
    End,
}

/// One line, without keeping more of it than it may have.
fn next_line(input: &mut impl BufRead, longest: usize, line: &mut Vec<u8>) -> Line {
    line.clear();
    let mut too_long = false;
    loop {
        let available = match input.fill_buf() {
            Ok([]) => {
                // Half a message at the end is none.
                return if line.is_empty() || too_long { Line::End } else { Line::Whole };
            }
            Ok(available) => available,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return Line::End,
        };
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
        if too_long || line.len() + part.len() > longest {
            too_long = true;
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return if too_long { Line::TooLong } else { Line::Whole };
        }
    }
}

fn writer(output: &Mutex<impl Write>, mut lines: Receiver<String>) {
    while let Some(mut line) = lines.blocking_recv() {
        line.push('\n');
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

/// The two pipes, as the protocol's library sees them.
struct Pipes {
    frames: Receiver<ClientJsonRpcMessage>,
    lines: Option<Sender<String>>,
    begun: bool,
    at_work: Arc<AtWork>,
    /// Places for answers that the client has not read yet.
    unheard: Arc<Semaphore>,
}

impl Transport<RoleServer> for Pipes {
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), std::io::Error>> + Send + 'static {
        let lines = self.lines.clone();
        // What is at work when there is no place left comes to its end all the same.
        let place = Arc::clone(&self.unheard).try_acquire_owned();
        if let TxJsonRpcMessage::<RoleServer>::Response(response) = &item
            && matches!(response.result, ServerResult::InitializeResult(_))
        {
            self.at_work.greeted.store(true, Ordering::Relaxed);
        }
        async move {
            let line = serde_json::to_string(&item)?;
            let gone = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
            let said = lines.ok_or_else(gone)?.send(line).await.map_err(|_| gone());
            drop(place);
            said
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            drop(self.unheard.acquire().await);
            let message = self.frames.recv().await?;
            self.begun |= matches!(message, ClientJsonRpcMessage::Request(_));
            // Whatever comes before the first request belongs to nothing, and must not end the session.
            if self.begun {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), std::io::Error> {
        self.lines = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::{Line, next_line};

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_one_is_read() {
        let text = format!("short\n{}\nnext\nhalf", "x".repeat(100));
        let mut input = BufReader::with_capacity(7, text.as_bytes());
        let mut line = Vec::new();
        let mut told = Vec::new();
        loop {
            match next_line(&mut input, 10, &mut line) {
                Line::Whole => told.push(String::from_utf8(line.clone()).unwrap()),
                Line::TooLong => told.push("too long".to_owned()),
                Line::End => break,
            }
        }
        assert_eq!(told, ["short", "too long", "next", "half"]);
    }
}
