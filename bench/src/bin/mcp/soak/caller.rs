//! One caller: it makes a call, hears the answer, and makes the next.
//!
//! It behaves as a client should: it waits when it is told to, begins a new session when its own is gone, and
//! comes back when the connection breaks. It gives up at anything else.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use call::CallId;
use serde_json::{Value, json};

use crate::wire::{Http, Trouble};

/// How long a gate may be gone.
const PATIENCE: Duration = Duration::from_secs(180);
/// How long to wait before a connection is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(50);

/// What all callers share.
pub(super) struct Ground {
    address: String,
    /// Whether connections may break.
    may_break: bool,
    over: AtomicBool,
    answered: AtomicU64,
    told_to_wait: AtomicU64,
    cut_off: AtomicU64,
}

impl Ground {
    pub(super) fn new(address: &str, may_break: bool) -> Self {
        Self {
            address: address.to_owned(),
            may_break,
            over: AtomicBool::new(false),
            answered: AtomicU64::new(0),
            told_to_wait: AtomicU64::new(0),
            cut_off: AtomicU64::new(0),
        }
    }

    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    pub(super) fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }

    pub(super) fn told_to_wait(&self) -> u64 {
        self.told_to_wait.load(Ordering::Relaxed)
    }

    /// Requests whose connection broke before they were answered.
    pub(super) fn cut_off(&self) -> u64 {
        self.cut_off.load(Ordering::Relaxed)
    }
}

/// A session that several callers use.
pub(super) struct Session {
    token: String,
    number: usize,
    id: Mutex<Option<String>>,
}

impl Session {
    pub(super) fn new(token: &str, number: usize) -> Self {
        Self { token: token.to_owned(), number, id: Mutex::new(None) }
    }

    /// The folder that its callers write to.
    pub(super) fn folder(&self) -> String {
        format!("session-{}", self.number)
    }

    /// Its id; it begins when it has none.
    fn id(&self, http: &mut Http) -> Result<String, Trouble> {
        let mut id = self.id.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = &*id {
            return Ok(id.clone());
        }
        let begun = http.begin()?;
        *id = Some(begun.clone());
        Ok(begun)
    }

    /// It is gone, unless another caller has begun a new one.
    fn is_gone(&self, seen: &str) {
        let mut id = self.id.lock().unwrap_or_else(PoisonError::into_inner);
        if id.as_deref() == Some(seen) {
            *id = None;
        }
    }
}

pub(super) struct Caller {
    ground: Arc<Ground>,
    session: Arc<Session>,
    http: Option<Http>,
    /// The number of its next request. No other caller of the session has the same.
    next: u64,
    /// The file that it writes, and nobody else.
    own: String,
    answered: Vec<CallId>,
}

impl Caller {
    pub(super) fn new(ground: Arc<Ground>, session: Arc<Session>, number: usize) -> Self {
        let next = (number as u64 + 1) << 32;
        let own = format!("{}/{number}.txt", session.folder());
        Self { ground, session, http: None, next, own, answered: Vec::new() }
    }

    /// Calls until it is over. The names of the calls that were answered.
    pub(super) fn work(mut self) -> Result<Vec<CallId>, String> {
        let mut alone_since = None;
        while !self.ground.is_over() {
            let trouble = match self.turn() {
                Ok(call) => {
                    self.answered.push(call);
                    self.ground.answered.fetch_add(1, Ordering::Relaxed);
                    alone_since = None;
                    continue;
                }
                Err(trouble) => trouble,
            };
            match trouble {
                Trouble::Later(wait) => {
                    self.ground.told_to_wait.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(wait);
                }
                Trouble::NoSession if self.ground.may_break => {}
                Trouble::Broken(_)
                    if self.ground.may_break
                        && alone_since.get_or_insert_with(Instant::now).elapsed() < PATIENCE =>
                {
                    if self.http.take().is_some() {
                        self.ground.cut_off.fetch_add(1, Ordering::Relaxed);
                    }
                    std::thread::sleep(TRY_AGAIN);
                }
                Trouble::NoSession => return Err(self.give_up("a session was lost".to_owned())),
                Trouble::Broken(why) | Trouble::Wrong(why) => return Err(self.give_up(why)),
            }
        }
        Ok(self.answered)
    }

    /// Nothing that the others find out counts any more.
    fn give_up(&self, why: String) -> String {
        self.ground.end();
        format!("session {}: {why}", self.session.number)
    }

    /// One call, and its name.
    fn turn(&mut self) -> Result<CallId, Trouble> {
        let http = match &mut self.http {
            Some(http) => http,
            none => {
                let opened = Http::open(&self.ground.address, &self.session.token);
                none.insert(opened.map_err(Trouble::Broken)?)
            }
        };
        let session = self.session.id(http)?;
        self.next += 1;
        let (tool, arguments, status) = kind(self.next, &self.own);
        let params = json!({ "name": tool, "arguments": arguments });
        let body = json!({ "jsonrpc": "2.0", "id": self.next, "method": "tools/call", "params": params });
        let answer = http.send(Some(&session), &body.to_string()).map_err(Trouble::Broken)?;
        let message = match answer.look() {
            Ok(answer) => answer.message,
            Err(trouble) => {
                if matches!(trouble, Trouble::NoSession) {
                    self.session.is_gone(&session);
                }
                return Err(trouble);
            }
        };
        // A stream that ends without the answer is a connection that broke.
        let message = message.ok_or_else(|| Trouble::Broken("a call was not answered".to_owned()))?;
        let wrong = |what: &str| Trouble::Wrong(format!("{what}: {message}"));
        if message.get("id").and_then(Value::as_u64) != Some(self.next) {
            return Err(wrong("the answer to another request"));
        }
        let told =
            |key: &str| message.pointer(&format!("/result/structuredContent/{key}")).and_then(Value::as_str);
        if told("status") != Some(status) {
            return Err(wrong(&format!("{tool} should be {status}")));
        }
        told("call_id").and_then(|id| id.parse().ok()).ok_or_else(|| wrong("a call without a name"))
    }
}

/// What a call is for, and what comes of it: most succeed, some fail, some are denied, some write.
fn kind(number: u64, own: &str) -> (&'static str, Value, &'static str) {
    match number % 10 {
        0 => ("read_file", json!({ "purpose": "soak", "path": "../../outside.txt" }), "denied"),
        1 => ("read_file", json!({ "purpose": "soak", "path": "missing.txt" }), "error"),
        2 => ("list_files", json!({ "purpose": "soak", "path": "." }), "success"),
        3 => (
            "write_file",
            json!({ "purpose": "soak", "path": own, "content": format!("{number}\n") }),
            "success",
        ),
        _ => ("read_file", json!({ "purpose": "soak", "path": "notes.txt" }), "success"),
    }
}
