//! A small gate with rules of its own, for tests of the door: it classifies with the real classifier, reads
//! files below one folder, asks a person before it changes any, runs `sleep` as a process that can be
//! stopped, and keeps a list of everything that happened. A person agrees by putting a file into a folder.
#![allow(dead_code, reason = "each test file uses a part of this")]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::wildcard_enum_match_arm,
    clippy::indexing_slicing,
    clippy::result_large_err,
    reason = "a test that cannot set its stage has failed"
)]

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use call::{
    Actor, CallId, Class, Confinement, Content, Done, Effect, Effects, Errand, Fault, Judge, Located, Moment,
    PathPlace, Reason, ReasonCode, RunCaps, SkillChain, ToolCall,
};
use classify::{Catalogue, Classified, classify};
use gate::{Incoming, Reply, Status};
use mcp_door::{Begun, Gatekeeper, Halt, Looked, ToolDescription};
use serde_json::{Value, json};

pub(crate) type Foreign = Arc<dyn Fn(&Errand<'_>) -> Result<Done, Fault> + Send + Sync>;

pub(crate) struct SmallGate {
    root: PathBuf,
    catalogue: Catalogue,
    entries: Mutex<Vec<Value>>,
    waiting: Mutex<HashMap<CallId, String>>,
    counter: AtomicU64,
    run_foreign: Option<Foreign>,
    list_foreign: Option<Arc<dyn Fn() -> Vec<ToolDescription> + Send + Sync>>,
    pub(crate) broken: AtomicBool,
}

struct Anything;
impl Judge for Anything {
    fn allows(&self, _: &Effect) -> Result<(), Reason> {
        Ok(())
    }
}

impl SmallGate {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.canonicalize().unwrap(),
            catalogue: Catalogue::default(),
            entries: Mutex::default(),
            waiting: Mutex::default(),
            counter: AtomicU64::new(1),
            run_foreign: None,
            list_foreign: None,
            broken: AtomicBool::new(false),
        }
    }

    pub(crate) fn with_foreign(
        mut self,
        catalogue: Catalogue,
        run: Foreign,
        list: Arc<dyn Fn() -> Vec<ToolDescription> + Send + Sync>,
    ) -> Self {
        self.catalogue = catalogue;
        self.run_foreign = Some(run);
        self.list_foreign = Some(list);
        self
    }

    /// A file that gives nothing to whoever reads it, until somebody writes there.
    pub(crate) fn held_up(root: &Path, name: &str) -> PathBuf {
        let path = root.join(name);
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &path, kind, rustix::fs::Mode::from_raw_mode(0o600), 0).unwrap();
        path
    }

    /// Agrees to a call, as a person would.
    pub(crate) fn approve(root: &Path, call: &str) {
        std::fs::create_dir_all(root.join(".approved")).unwrap();
        std::fs::write(root.join(".approved").join(call), "").unwrap();
    }

    /// Everything that happened, the oldest first.
    pub(crate) fn entries(&self) -> Vec<Value> {
        self.entries.lock().unwrap().clone()
    }

    fn now() -> Moment {
        Moment::since_epoch(SystemTime::now().duration_since(UNIX_EPOCH).unwrap()).unwrap()
    }

    fn new_id(&self) -> CallId {
        let mut chance = [0; 10];
        chance[..8].copy_from_slice(&self.counter.fetch_add(1, Ordering::Relaxed).to_be_bytes());
        chance[8..].copy_from_slice(&(std::process::id() as u16).to_be_bytes());
        CallId::new(Self::now(), chance)
    }

    fn locate(&self, given: &str) -> Option<PathBuf> {
        let mut clean = PathBuf::new();
        for part in self.root.join(given).components() {
            match part {
                std::path::Component::ParentDir => {
                    clean.pop();
                }
                other => clean.push(other),
            }
        }
        let mut there = clean.clone();
        while !there.exists() {
            there = there.parent()?.to_owned();
        }
        there.canonicalize().ok()?.starts_with(&self.root).then_some(clean)
    }

    fn record(&self, incoming: &Incoming, reply: &mut Reply) {
        let mut entries = self.entries.lock().unwrap();
        let entry = json!({
            "entry": entries.len(),
            "call": reply.call.map(|call| call.to_string()),
            "tool": incoming.tool,
            "agent": incoming.agent,
            "session": incoming.session,
            "skill": incoming.skill,
            "context": incoming.context.as_str(),
            "purpose": incoming.purpose,
            "arguments": incoming.arguments,
            "status": reply.status.as_str(),
            "summary": reply.summary,
            "codes": reply.reasons.iter().map(|reason| reason.code.to_string()).collect::<Vec<_>>(),
        });
        reply.entry = Some(entries.len() as u64);
        // What happened is on disk too, for tests of a door in another process.
        let line = format!("{entry}\n");
        let file = std::fs::OpenOptions::new().create(true).append(true).open(self.root.join(".entries"));
        std::io::Write::write_all(&mut file.unwrap(), line.as_bytes()).unwrap();
        entries.push(entry);
    }

    fn decide(&self, incoming: &Incoming, agreed: bool) -> Result<(ToolCall, Classified), Reply> {
        let no = |code: ReasonCode, message: String, remedy: Option<String>| {
            let mut reply = reply(Status::Denied, &message, "denied");
            reply.reasons.push(Reason { code, message, rule: None, remedy });
            reply
        };
        let bad = |message: String| no(ReasonCode::BAD_REQUEST, message, None);
        if incoming.not_text.is_some() {
            return Err(bad("the arguments are not text".into()));
        }
        let purpose = incoming.purpose.as_deref().unwrap_or_default().parse();
        let call = ToolCall {
            tool: incoming.tool.parse().map_err(|_| bad("that is no name of a tool".into()))?,
            purpose: purpose.map_err(|error: call::BadPurpose| bad(error.to_string()))?,
            arguments: incoming
                .arguments
                .parse()
                .map_err(|error: call::BadArguments| bad(error.to_string()))?,
            actor: Actor {
                agent: incoming.agent.parse().map_err(|_| bad("that is no agent".into()))?,
                session: incoming.session.parse().map_err(|_| bad("that is no session".into()))?,
                skills: SkillChain::default(),
                context: incoming.context,
            },
        };
        let classified = classify(&call, &self.catalogue)
            .map_err(|error| no(error.code(), error.to_string(), error.hint()))?;
        let mut asks = false;
        for effect in classified.effects.iter() {
            match effect {
                Effect::Read { path, .. } | Effect::Write { path, .. } | Effect::Delete { path } => {
                    if self.locate(path).is_none() {
                        let message = format!("`{path}` does not lie below the allowed root");
                        return Err(no(ReasonCode::PATH_OUTSIDE_ALLOWED_ROOTS, message, None));
                    }
                    asks |= !matches!(effect, Effect::Read { .. });
                }
                Effect::Status | Effect::Nothing | Effect::Run(_) => {}
                _ => return Err(no(ReasonCode::TOOL_DENIED, "this gate does not do that".into(), None)),
            }
        }
        if asks && !agreed {
            return Err(reply(
                Status::Waiting,
                &format!("`{}` changes a file", incoming.tool),
                "needs_approval",
            ));
        }
        Ok((call, classified))
    }

    fn act(&self, call: &ToolCall, classified: Classified, cancelled: &AtomicBool) -> Result<Done, Fault> {
        let argument =
            |name: &str| call.arguments.values().get(name).and_then(Value::as_str).unwrap_or_default();
        let failed = |error: std::io::Error| Fault::failed("not_found", error.to_string());
        let place = || self.locate(argument("path")).unwrap();
        let text =
            |text: String| Done { summary: "done".into(), content: Content::Text(text), ..Done::default() };
        match call.tool.as_str() {
            "status" => Ok(text("well".into())),
            "read_file" => std::fs::read_to_string(place()).map(text).map_err(failed),
            "write_file" => {
                std::fs::write(place(), argument("content")).map(|()| text(String::new())).map_err(failed)
            }
            "exec_sandbox" => {
                let seconds = argument("code");
                let mut child = std::process::Command::new("sleep").arg(seconds).spawn().map_err(failed)?;
                let end = Instant::now() + Duration::from_secs(30);
                while child.try_wait().map_err(failed)?.is_none() {
                    if cancelled.load(Ordering::Relaxed) || Instant::now() > end {
                        child.kill().map_err(failed)?;
                        child.wait().map_err(failed)?;
                        return Err(Fault::Cancelled);
                    }
                    std::thread::sleep(Duration::from_millis(5));
                }
                Ok(text("slept".into()))
            }
            name if name.contains('.') => {
                let effects = located(&classified.effects, |path| self.locate(path));
                let walls = walls();
                let errand = Errand {
                    tool: &call.tool,
                    arguments: &call.arguments,
                    actor: &call.actor,
                    effects: &effects,
                    walls: &walls,
                    expected: None,
                    judge: &Anything,
                    now: Self::now(),
                    cancelled,
                };
                (self.run_foreign.as_ref().unwrap())(&errand)
            }
            other => Err(Fault::failed("not_here", format!("this gate has no `{other}`"))),
        }
    }

    fn pass(
        &self,
        id: CallId,
        incoming: &Incoming,
        agreed: bool,
        cancelled: &AtomicBool,
    ) -> Result<Reply, Halt> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(Halt("the disk is full".into()));
        }
        let mut answer = match self.decide(incoming, agreed) {
            Err(reply) => reply,
            Ok((call, classified)) => match self.act(&call, classified, cancelled) {
                Ok(done) => Reply {
                    content: done.content,
                    untrusted: done.untrusted,
                    labels: done.labels,
                    ..reply(Status::Success, &done.summary, "allowed")
                },
                Err(Fault::Denied(reason)) => {
                    let mut reply = reply(Status::Denied, &reason.message, "denied");
                    reply.reasons.push(reason);
                    reply
                }
                Err(fault) => {
                    let mut reply = reply(Status::Error, &fault.to_string(), "allowed");
                    let code = ReasonCode::parse(fault.class()).unwrap();
                    let remedy = match fault {
                        Fault::Failed { remedy, .. } => remedy,
                        _ => None,
                    };
                    reply.reasons.push(Reason { code, message: reply.summary.clone(), rule: None, remedy });
                    reply
                }
            },
        };
        answer.call = Some(id);
        if answer.status == Status::Waiting {
            let bound = format!("{} {}", incoming.tool, incoming.arguments);
            self.waiting.lock().unwrap().insert(id, bound);
        }
        self.record(incoming, &mut answer);
        Ok(answer)
    }
}

/// An answer that comes a moment later, as one does whose end a ledger still has to take.
#[derive(Clone, Default)]
struct Soon(Arc<Mutex<(Option<Reply>, Option<Waker>)>>);

impl Soon {
    fn comes(&self, reply: Reply) {
        std::thread::sleep(Duration::from_millis(2));
        let mut soon = self.0.lock().unwrap();
        soon.0 = Some(reply);
        let waker = soon.1.take();
        drop(soon);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Future for Soon {
    type Output = Result<Reply, Halt>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut soon = self.0.lock().unwrap();
        match soon.0.take() {
            Some(reply) => Poll::Ready(Ok(reply)),
            None => {
                soon.1 = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Gatekeeper for SmallGate {
    fn begin(&self, incoming: &Incoming, _: Looked, cancelled: &AtomicBool) -> Result<Begun, Halt> {
        let reply = self.pass(self.new_id(), incoming, false, cancelled)?;
        // Not the one way only: some are on record at once.
        if reply.status != Status::Success {
            return Ok(Begun::Answered(Box::new(reply)));
        }
        let soon = Soon::default();
        let told = soon.clone();
        std::thread::spawn(move || told.comes(reply));
        Ok(Begun::Recording(Box::pin(soon)))
    }

    fn handle(&self, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        self.pass(self.new_id(), incoming, false, cancelled)
    }

    fn resume(&self, call: CallId, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        let bound = format!("{} {}", incoming.tool, incoming.arguments);
        let known = self.waiting.lock().unwrap().get(&call) == Some(&bound);
        let no = |message: &str| {
            let mut answer = reply(Status::Denied, message, "denied");
            answer.call = Some(call);
            answer
        };
        if !known {
            let mut answer = no("no call of that name waits with these arguments");
            self.record(incoming, &mut answer);
            return Ok(answer);
        }
        if !self.root.join(".approved").join(call.to_string()).exists() {
            let mut answer = reply(Status::Waiting, "a person must still agree", "needs_approval");
            answer.call = Some(call);
            return Ok(answer);
        }
        // Once, whoever comes first.
        if self.waiting.lock().unwrap().remove(&call).is_none() {
            return Ok(no("the call has run"));
        }
        self.pass(call, incoming, true, cancelled)
    }

    fn turn_away(&self, incoming: &Incoming, reason: Reason) -> Result<(), Halt> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(Halt("the disk is full".into()));
        }
        let mut answer = reply(Status::Denied, &reason.message, "denied");
        answer.call = Some(self.new_id());
        answer.reasons.push(reason);
        self.record(incoming, &mut answer);
        Ok(())
    }

    fn is_brief(&self, tool: &str) -> bool {
        matches!(tool, "read_file" | "status")
    }

    fn tools(&self, skill: Option<&str>) -> Vec<ToolDescription> {
        let own: &[&str] = match skill {
            Some("file_editor") => &["read_file", "write_file"],
            _ => &["read_file", "write_file", "status", "exec_sandbox"],
        };
        let describe = |name: &&str| {
            let schema = self.catalogue.schema(name).unwrap().clone();
            ToolDescription {
                name: (*name).to_owned(),
                description: schema["description"].as_str().unwrap().to_owned(),
                schema,
                classes: self.catalogue.classes(name).unwrap().to_vec(),
            }
        };
        let mut all: Vec<ToolDescription> = own.iter().map(describe).collect();
        all.extend(self.list_foreign.iter().flat_map(|list| list()));
        all
    }

    fn policy_summary(&self) -> Value {
        json!({"reads": "below the root", "writes": "with approval", "class": Class::Read.as_str()})
    }

    fn own_entries(&self, session: &str, most: usize) -> Vec<Value> {
        let entries = self.entries();
        let own: Vec<Value> = entries.into_iter().filter(|entry| entry["session"] == session).collect();
        own[own.len().saturating_sub(most)..].to_vec()
    }
}

pub(crate) fn reply(status: Status, summary: &str, verdict: &'static str) -> Reply {
    Reply {
        call: None,
        status,
        summary: summary.to_owned(),
        artifacts: Vec::new(),
        content: Content::Nothing,
        untrusted: false,
        labels: Vec::new(),
        verdict,
        reasons: Vec::new(),
        flags: BTreeSet::new(),
        entry: None,
    }
}

pub(crate) fn walls() -> Confinement {
    Confinement {
        max_file_chars: 8000,
        lane: None,
        sandbox_required: false,
        max_runtime_seconds: Some(5),
        memory_limit_mb: None,
        run: RunCaps { disk_mb: 1, files: 1, processes: 1, output_kb: 256 },
        max_files_written: None,
        max_bytes_written: None,
        max_calls_per_minute: None,
        max_concurrent: None,
    }
}

pub(crate) fn located(effects: &Effects<String>, locate: impl Fn(&str) -> Option<PathBuf>) -> Effects {
    effects.clone().with_paths(|given| {
        let path = locate(&given).and_then(|path| call::AbsolutePath::parse(path.to_str()?));
        let place = match path {
            Some(path) => PathPlace::Below { path, kind: call::FileKind::File },
            None => PathPlace::Outside,
        };
        Located::new(given, place)
    })
}
