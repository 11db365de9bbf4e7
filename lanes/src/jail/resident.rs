//! A program that stays in the jail, and is talked to over pipes.
//!
//! One thread belongs to it. That thread starts the helper, because the kernel ends the helper when whoever
//! started it is gone, looks after its limits, and ends everything when nobody wants it any more.

use std::collections::VecDeque;
use std::os::fd::{AsFd, OwnedFd};
use std::process::Child;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use call::ExitReason;
use helper::talk::{Word, plan_message};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{Shutdown, shutdown};
use rustix::pipe::{PipeFlags, pipe_with};

use super::cgroup::{Files, Group};
use super::image;
use super::patience::Patience;
use super::residence::Residence;
use super::run::{Meanings, Told, receive, send, spawn};
use super::watch::Watch;
use crate::network::Proxy;
use crate::{LaneError, Limits, Network};

/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(500);

/// Bytes that are kept of what it says beside what it is asked: the last ones.
const LAST_WORDS: usize = 4_096;

/// A program that stays. Dropped, it and everything that it started is gone.
#[derive(Debug)]
pub struct Resident {
    pipes: Option<(OwnedFd, OwnedFd)>,
    layers: Vec<String>,
    said: Arc<Mutex<Said>>,
    /// Whoever looks after it hears when this is closed.
    _wanted: OwnedFd,
}

/// What is known of a program that stays.
#[derive(Debug, Default)]
struct Said {
    words: VecDeque<u8>,
    ended: Option<String>,
}

impl Resident {
    pub(super) fn start(residence: Residence, groups: bool) -> Result<Self, LaneError> {
        let failed = |error: Errno| LaneError::failed("pipes", error);
        let (stdin, input) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        let (output, stdout) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        let (over, wanted) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        let said: Arc<Mutex<Said>> = Arc::default();
        let (tell, told) = channel();
        let theirs = Arc::clone(&said);
        let looked_after = move || {
            let ended = match look_after(&residence, groups, [stdin, stdout], &over, &theirs, &tell) {
                Ok(ended) => ended,
                Err(error) => {
                    let shown = error.to_string();
                    // Whoever started it waits for this; later on nobody does.
                    let _ = tell.send(Err(error));
                    shown
                }
            };
            theirs.lock().unwrap_or_else(PoisonError::into_inner).ended = Some(ended);
        };
        std::thread::Builder::new()
            .name("lane-resident".to_owned())
            .spawn(looked_after)
            .map_err(|error| LaneError::failed("a thread", error))?;
        let late = || LaneError::failed("the helper", "it did not put up the walls in time");
        // Whoever looks after it has no more patience than it should; it says so, or is gone.
        let layers = told.recv().map_err(|_| late())??;
        Ok(Self { pipes: Some((input, output)), layers, said, _wanted: wanted })
    }

    /// Where it reads, and where it writes; once.
    pub fn take_pipes(&mut self) -> Option<(OwnedFd, OwnedFd)> {
        self.pipes.take()
    }

    /// The walls that are really there.
    #[must_use]
    pub fn layers(&self) -> &[String] {
        &self.layers
    }

    /// The last that it said beside what it was asked. The program's own words, to be believed like them.
    #[must_use]
    pub fn last_words(&self) -> String {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(said.words.make_contiguous()).into_owned()
    }

    /// How it ended, when it has.
    #[must_use]
    pub fn ended(&self) -> Option<String> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).ended.clone()
    }
}

type Started = Sender<Result<Vec<String>, LaneError>>;

/// The whole life of it. How it ended.
fn look_after(
    residence: &Residence,
    groups: bool,
    [stdin, stdout]: [OwnedFd; 2],
    over: &OwnedFd,
    said: &Mutex<Said>,
    tell: &Started,
) -> Result<String, LaneError> {
    let failed = |error: std::io::Error| LaneError::failed("starting the helper", error);
    let (plan, landlock) = residence.plan()?;
    let (gate, helper) = spawn()?;
    let mut house = House { gate, helper, proxy: None };
    let files = files_of(&residence.limits);
    let group = if groups { Group::new(&residence.limits, files).ok() } else { None };
    let mut layers: Vec<String> = super::ALWAYS.map(str::to_owned).to_vec();
    layers.push(format!("landlock:{landlock}"));
    if matches!(residence.network, Network::Only(_)) {
        layers.push("proxy".to_owned());
    }
    layers.push(group.as_ref().map_or("watchdog", Group::layer).to_owned());
    let meanings = Meanings::of(&plan);
    let (errors, stderr) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| failed(error.into()))?;
    rustix::fs::fcntl_setfl(&errors, rustix::fs::OFlags::NONBLOCK).map_err(|error| failed(error.into()))?;
    {
        let doors = group.as_ref().map(Group::doors).transpose().map_err(failed)?.unwrap_or_default();
        let (plan, length) = image::written(false, |file| plan.write(file)).map_err(failed)?;
        let fds = [&plan, &stdin, &stdout, &stderr].into_iter().chain(&doors);
        send(&house.gate, plan_message(length, false), fds.map(AsFd::as_fd).collect()).map_err(failed)?;
    }
    // Only the program holds these ends from now on, so that their other ends tell when it is gone.
    drop((stdin, stdout, stderr));
    let ended = house.supervise(residence, group.as_ref(), &meanings, &Ears { over, errors, said }, || {
        let _ = tell.send(Ok(layers.clone()));
    });
    house.end();
    ended
}

/// What its files may take in memory.
const fn files_of(limits: &Limits) -> Files {
    Files(limits.disk + (4 << 20))
}

/// What is listened to beside the helper.
struct Ears<'e> {
    over: &'e OwnedFd,
    errors: OwnedFd,
    said: &'e Mutex<Said>,
}

/// A helper at work, for as long as somebody wants it.
struct House {
    gate: OwnedFd,
    helper: Child,
    proxy: Option<Proxy>,
}

impl House {
    fn supervise(
        &mut self,
        residence: &Residence,
        group: Option<&Group>,
        meanings: &Meanings,
        ears: &Ears<'_>,
        starts: impl Fn(),
    ) -> Result<String, LaneError> {
        let failed = |error: Errno| LaneError::failed("waiting for the helper", error);
        let limits: &Limits = &residence.limits;
        let watch = Watch::new(group, limits, files_of(limits), self.helper.id());
        let starved = || group.is_some_and(Group::ran_out_of_memory);
        let mut patience = Patience::new();
        let mut runs = false;
        let mut listens = true;
        let mut looked = Instant::now();
        loop {
            let most = Timespec::try_from(TICK).map_err(|_| failed(Errno::INVAL))?;
            let gate = PollFd::new(&self.gate, PollFlags::IN);
            let over = PollFd::new(ears.over, PollFlags::IN);
            let mut fds = vec![gate, over];
            if listens {
                fds.push(PollFd::new(&ears.errors, PollFlags::IN));
            }
            match poll(&mut fds, Some(&most)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(failed(error)),
            }
            let heard: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
            drop(fds);
            if heard.get(2) == Some(&true) {
                listens = ears.listen();
            }
            if heard.get(1) == Some(&true) {
                return Ok("it was not wanted any more".to_owned());
            }
            let told = if heard.first() == Some(&true) {
                receive(&self.gate).map_err(failed)?
            } else {
                Told::Nothing
            };
            match told {
                Told::Word(Word::Starts, _) => {
                    runs = true;
                    starts();
                }
                Told::Word(Word::Ended { status }, _) => {
                    ears.listen();
                    return Ok(if starved() { limit(ExitReason::MemoryLimit) } else { shown(status) });
                }
                Told::Word(Word::Failed { step, error }, _) => {
                    return Err(meanings.failed("jail", step, error.0));
                }
                Told::Word(Word::Listens, listener) => {
                    if let (Network::Only(reach), Some(listener)) =
                        (&residence.network, listener.into_iter().next())
                    {
                        let proxy = Proxy::start(listener, reach.clone());
                        self.proxy = Some(proxy.map_err(|error| LaneError::failed("the proxy", error))?);
                    }
                }
                Told::Gone => {
                    let ended = || "it was ended".to_owned();
                    return Ok(if starved() { limit(ExitReason::MemoryLimit) } else { ended() });
                }
                Told::Nothing => {}
            }
            if !runs && patience.left().is_zero() {
                return Err(LaneError::failed("the helper", "it did not put up the walls in time"));
            }
            if runs && looked.elapsed() >= TICK {
                if let Some(reason) = watch.passed() {
                    return Ok(limit(reason));
                }
                looked = Instant::now();
            }
        }
    }

    /// Ends everything inside, and returns when it is gone.
    fn end(&mut self) {
        let _ = shutdown(&self.gate, Shutdown::Write);
        if Patience::new().wait_for(&self.gate, PollFlags::HUP).is_err() {
            let _ = self.helper.kill();
        }
        let _ = self.helper.wait();
        self.proxy = None;
    }
}

impl Drop for House {
    fn drop(&mut self) {
        // Also where it was never supervised: a helper without a plan ends when it hears that none comes.
        self.end();
    }
}

impl Ears<'_> {
    /// Keeps the end of what it says. Whether it may say more.
    fn listen(&self) -> bool {
        let mut bytes = [0; 4_096];
        loop {
            match rustix::io::read(&self.errors, &mut bytes) {
                Ok(0) => return false,
                Ok(count) => {
                    let words = &mut self.said.lock().unwrap_or_else(PoisonError::into_inner).words;
                    words.extend(bytes.iter().take(count));
                    let more = words.len().saturating_sub(LAST_WORDS);
                    words.drain(..more);
                    if count < bytes.len() {
                        return true;
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return true,
                Err(_) => return false,
            }
        }
    }
}

fn limit(reason: ExitReason) -> String {
    format!("it was ended: {}", reason.as_str())
}

/// An end as the kernel tells it.
fn shown(status: i32) -> String {
    match (status & 0x7f, (status >> 8) & 0xff) {
        (0, code) => format!("it ended with code {code}"),
        (signal, _) => format!("it was ended by signal {signal}"),
    }
}
