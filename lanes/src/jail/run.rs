//! One run, from the helper's start to the last trace of it.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use call::ExitReason;
use helper::talk::{PLAN, WORD, Word, plan_message};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, Shutdown, SocketFlags, SocketType, recvmsg, sendmsg, shutdown,
    socketpair,
};

use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::cgroup::Group;
use super::patience::Patience;
use super::plan::Plan;
use super::watch::{Watch, full};
use super::world::World;
use super::{filter, image};
use crate::network::Proxy;
use crate::streams::Stream;
use crate::{Destination, Ending, Job, LaneError, Network, Ran, outputs};

/// How often limits are looked at that the kernel does not tell us of.
const TICK: Duration = Duration::from_millis(20);

pub(crate) fn run(
    world: impl FnOnce() -> Result<World, LaneError>,
    job: &Job,
    into: &Path,
    groups: bool,
) -> Result<Ran, LaneError> {
    let over = play(world, job, groups, Beside::default())?;
    let ending = match over.ended {
        Ended::Stopped(reason) => Ending::stopped(reason),
        Ended::Alone(status) => Ending::judged(status, over.starved, full(&over.disks)),
    };
    let taken = match over.disks.first() {
        Some(out) => outputs::collect(out.as_fd(), into, job.limits.files, job.limits.disk)?,
        None => outputs::Taken::default(),
    };
    Ok(Ran {
        ending,
        stdout: over.stdout,
        stderr: over.stderr,
        artifacts: taken.artifacts,
        unwanted: taken.unwanted,
        destinations: over.destinations,
        layers: over.layers,
        runtime: over.runtime,
    })
}

/// Looks at the disks of a run from time to time, and says when it must end.
pub(crate) type Look<'l> = &'l dyn Fn(&[OwnedFd]) -> Option<ExitReason>;

/// What a run has beside its job.
#[derive(Default)]
pub(crate) struct Beside<'l> {
    pub(crate) look: Option<Look<'l>>,
    /// A descriptor for the program, which finds it as number 3. Other programs have none but their streams.
    pub(crate) wire: Option<OwnedFd>,
}

/// A run that is over: everything of it is gone but its disks, which go when they are dropped.
pub(crate) struct Over {
    pub(crate) ended: Ended,
    /// The kernel ended somebody for want of memory.
    pub(crate) starved: bool,
    /// `/out` and `/tmp`.
    pub(crate) disks: Vec<OwnedFd>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) destinations: Vec<Destination>,
    pub(crate) layers: Vec<String>,
    pub(crate) runtime: Duration,
}

/// Runs a job in a world that is made while the helper starts up.
pub(crate) fn play(
    world: impl FnOnce() -> Result<World, LaneError>,
    job: &Job,
    groups: bool,
    Beside { look, wire }: Beside<'_>,
) -> Result<Over, LaneError> {
    let started = Instant::now();
    let spawned = Spawned::new()?;
    let mut world = world()?;
    let group = if groups { Group::new(&job.limits, world.files).ok() } else { None };
    let mut layers: Vec<String> = super::ALWAYS.map(str::to_owned).to_vec();
    layers.push(format!("landlock:{}", world.landlock));
    if matches!(job.network, Network::Only(_)) {
        layers.push("proxy".to_owned());
    }
    layers.push(group.as_ref().map_or("watchdog", Group::layer).to_owned());
    if group.is_none() {
        for program in filter::uncounted().map_err(|why| LaneError::failed("seccomp", why))? {
            world.plan.filter(program);
        }
    }
    let meanings = Meanings::of(&world.plan);
    let files = world.files;
    let mut running = Running::start(spawned, world.plan, job, (group.as_ref(), wire))?;
    let watch = Watch::new(group.as_ref(), &job.limits, files, running.helper.0.id());
    let ended = running.supervise(job, &watch, &meanings, look);
    // Whatever happened: first everything is gone, then one looks at what is left.
    let gone = running.end();
    let runtime = started.elapsed();
    let destinations = running.proxy.take().map(Proxy::end).unwrap_or_default();
    let ended = ended?;
    gone?;
    let Running { disks, stdout, stderr, .. } = running;
    Ok(Over {
        ended,
        starved: group.as_ref().is_some_and(Group::ran_out_of_memory),
        disks,
        stdout: stdout.into_kept(),
        stderr: stderr.into_kept(),
        destinations,
        layers,
        runtime,
    })
}

/// What the steps of a plan are for.
pub(crate) struct Meanings(Vec<String>);

impl Meanings {
    pub(crate) fn of(plan: &Plan) -> Self {
        Self((0..=plan.len() + 3).map(|step| plan.meaning(step).to_owned()).collect())
    }

    pub(crate) fn failed(&self, lane: &'static str, step: u32, error: i32) -> LaneError {
        let meaning = usize::try_from(step).ok().and_then(|step| self.0.get(step));
        let layer = meaning.cloned().unwrap_or_else(|| "starting the program".to_owned());
        let why = std::io::Error::from_raw_os_error(error).to_string();
        LaneError::Missing { lane, layer, why }
    }
}

/// How a program came to its end.
pub(crate) enum Ended {
    /// By itself: as the kernel tells it.
    Alone(i32),
    /// It was ended for this.
    Stopped(ExitReason),
}

/// A helper that waits for its plan, and the gate's end of the socket to it. When that is dropped, it ends.
pub(super) fn spawn() -> Result<(OwnedFd, Child), LaneError> {
    let failed = |error| LaneError::failed("starting the helper", error);
    let (gate, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
        .map_err(|error| failed(error.into()))?;
    let helper = Command::new(image::path()?)
        .stdin(Stdio::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .env_clear()
        .spawn()
        .map_err(failed)?;
    Ok((gate, helper))
}

/// The same; dropped, it is ended and waited for.
struct Spawned {
    gate: OwnedFd,
    helper: Helper,
}

impl Spawned {
    fn new() -> Result<Self, LaneError> {
        let (gate, helper) = spawn()?;
        Ok(Self { gate, helper: Helper(helper) })
    }
}

/// The helper's process, which is never left behind.
struct Helper(Child);

impl Drop for Helper {
    fn drop(&mut self) {
        // One that was waited for before is not there to be ended; neither is anybody else in its place.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A helper at work.
struct Running {
    helper: Helper,
    /// Tells when the helper is gone.
    end: OwnedFd,
    gate: OwnedFd,
    /// `/out` and `/tmp`, from the moment the program starts.
    disks: Vec<OwnedFd>,
    proxy: Option<Proxy>,
    stdout: Stream,
    stderr: Stream,
}

impl Running {
    fn start(
        Spawned { gate, helper }: Spawned,
        plan: Plan,
        job: &Job,
        (group, wire): (Option<&Group>, Option<OwnedFd>),
    ) -> Result<Self, LaneError> {
        let failed = |error| LaneError::failed("starting the helper", error);
        let (stdout, out) = Stream::new(job.limits.output).map_err(|error| failed(error.into()))?;
        let (stderr, err) = Stream::new(job.limits.output).map_err(|error| failed(error.into()))?;
        let pid = i32::try_from(helper.0.id()).ok().and_then(Pid::from_raw);
        let end = pid.ok_or(rustix::io::Errno::SRCH).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()));
        let end = end.map_err(|error| failed(error.into()))?;
        let mut running = Self { helper, end, gate, disks: Vec::new(), proxy: None, stdout, stderr };
        let sent = (|| {
            let doors = group.map(Group::doors).transpose()?.unwrap_or_default();
            let (plan, length) = image::written(false, |file| plan.write(file))?;
            let stdin = image::sealed(&job.stdin, false)?;
            let fds = [&plan, &stdin, &out, &err].into_iter().chain(&doors).chain(&wire);
            send(&running.gate, plan_message(length, wire.is_some()), fds.map(AsFd::as_fd).collect())
        })();
        if let Err(error) = sent {
            // The helper must not be left behind; why it was not told is what counts.
            let _ = running.end();
            return Err(failed(error));
        }
        Ok(running)
    }

    fn supervise(
        &mut self,
        job: &Job,
        watch: &Watch<'_>,
        meanings: &Meanings,
        look: Option<Look<'_>>,
    ) -> Result<Ended, LaneError> {
        let mut patience = Patience::new();
        // From the program's start on, which is by the clock.
        let mut deadline: Option<Instant> = None;
        let mut looked = Instant::now();
        loop {
            let left = match deadline {
                None => patience.left(),
                Some(deadline) => deadline.saturating_duration_since(Instant::now()),
            };
            let told = self.wait(TICK.min(left))?;
            // Whoever stood still first hears what was said meanwhile.
            if left.is_zero() && matches!(told, Told::Nothing) {
                return if deadline.is_some() {
                    Ok(Ended::Stopped(ExitReason::TimeLimit))
                } else {
                    Err(LaneError::failed("the helper", "it did not put up the walls in time"))
                };
            }
            self.stdout.read();
            self.stderr.read();
            if self.stdout.overflowed || self.stderr.overflowed {
                return Ok(Ended::Stopped(ExitReason::OutputLimit));
            }
            match told {
                Told::Word(Word::Starts, disks) => {
                    self.disks = disks;
                    deadline = Some(Instant::now() + job.limits.time);
                }
                Told::Word(Word::Ended { status }, _) => return Ok(Ended::Alone(status)),
                Told::Word(Word::Failed { step, error }, _) => {
                    return Err(meanings.failed("jail", step, error.0));
                }
                Told::Word(Word::Listens, listener) => {
                    if let (Network::Only(reach), Some(listener)) =
                        (&job.network, listener.into_iter().next())
                    {
                        let proxy = Proxy::start(listener, reach.clone());
                        self.proxy = Some(proxy.map_err(|error| LaneError::failed("the proxy", error))?);
                    }
                }
                Told::Nothing => {}
                Told::Gone => {
                    // Without a last word, somebody ended the helper: perhaps the kernel, for memory.
                    let starved = watch.group.is_some_and(Group::ran_out_of_memory);
                    return if starved {
                        Ok(Ended::Stopped(ExitReason::MemoryLimit))
                    } else {
                        Err(LaneError::failed("the helper", "it was ended from outside"))
                    };
                }
            }
            if job.cancelled.load(Ordering::Relaxed) {
                return Ok(Ended::Stopped(ExitReason::Cancelled));
            }
            if deadline.is_some() && looked.elapsed() >= TICK {
                if let Some(reason) = watch.passed().or_else(|| look?(&self.disks)) {
                    return Ok(Ended::Stopped(reason));
                }
                looked = Instant::now();
            }
        }
    }

    /// Waits until somebody says something, or the time is over.
    fn wait(&self, most: Duration) -> Result<Told, LaneError> {
        let failed = |error: rustix::io::Errno| LaneError::failed("waiting for the helper", error);
        let gate = &self.gate;
        let streams = [self.stdout.fd(), self.stderr.fd()].into_iter().flatten();
        let mut fds: Vec<PollFd<'_>> = std::iter::once(gate.as_fd())
            .chain(streams)
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
            .collect();
        let most = Timespec::try_from(most).map_err(|_| failed(rustix::io::Errno::INVAL))?;
        match poll(&mut fds, Some(&most)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(failed(error)),
        }
        if fds.first().is_none_or(|gate| gate.revents().is_empty()) {
            return Ok(Told::Nothing);
        }
        receive(gate).map_err(failed)
    }

    /// Ends everything of the run, and returns when it is gone.
    fn end(&mut self) -> Result<(), LaneError> {
        // Whoever is inside hears that nothing more comes, and ends.
        let _ = shutdown(&self.gate, Shutdown::Write);
        let outside = Patience::new().wait_for(&self.end, PollFlags::IN);
        if outside.is_err() {
            let _ = self.helper.0.kill();
        }
        let _ = self.helper.0.wait();
        // The first process inside has the other end of the socket; it is the last to go.
        let inside = Patience::new().wait_for(&self.gate, PollFlags::HUP);
        outside.and(inside).map_err(|why| LaneError::failed("ending the run", why))?;
        self.stdout.read();
        self.stderr.read();
        Ok(())
    }
}

/// What came from the helper.
pub(super) enum Told {
    Nothing,
    Word(Word, Vec<OwnedFd>),
    Gone,
}

pub(super) fn receive(gate: &OwnedFd) -> rustix::io::Result<Told> {
    let mut bytes = [0; WORD];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let got = recvmsg(gate, &mut [IoSliceMut::new(&mut bytes)], &mut beside, RecvFlags::CMSG_CLOEXEC)?;
    if got.bytes == 0 {
        return Ok(Told::Gone);
    }
    let fds = beside
        .drain()
        .filter_map(
            |message| if let RecvAncillaryMessage::ScmRights(fds) = message { Some(fds) } else { None },
        )
        .flatten()
        .collect();
    let whole = got.bytes == WORD && !got.flags.contains(ReturnFlags::TRUNC);
    Word::of(bytes).filter(|_| whole).map(|word| Told::Word(word, fds)).ok_or(rustix::io::Errno::PROTO)
}

pub(super) fn send(gate: &OwnedFd, message: [u8; PLAN], fds: Vec<BorrowedFd<'_>>) -> std::io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(8))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    if !beside.push(SendAncillaryMessage::ScmRights(&fds)) {
        return Err(std::io::Error::other("there is no room for the descriptors"));
    }
    sendmsg(gate, &[IoSlice::new(&message)], &mut beside, SendFlags::NOSIGNAL)?;
    Ok(())
}
