//! The program of a machine, from its start to its end.

use super::Stage;
use super::control::Group;
use super::pack;
use super::port::Port;
use super::way_out;
use crate::answer::{Job, MOST_OUTPUT, full, kind, stopped};
use crate::monitor;
use crate::sys::{self, EINVAL, Fd};
use crate::talk::{self, Word};

/// Milliseconds between two looks at what the kernel does not tell.
const TICK: u64 = 20;

/// Milliseconds until the walls stand.
const PATIENCE: u64 = 120_000;

/// Runs the job, tells the gate how it went, and packs what it left.
///
/// # Errors
/// When it is not known how far it came.
pub(super) fn run(job: &Job, task: Fd, group: &Group, port: &mut Port) -> Stage<()> {
    group.limit(job).map_err(|_| "limits")?;
    let input = input(job, task).map_err(|_| "standard input")?;
    let (gate, helper) = sys::socket_pair().map_err(|_| "a socket")?;
    let (output, to_output) = sys::pipe().map_err(|_| "a pipe")?;
    let (errors, to_errors) = sys::pipe().map_err(|_| "a pipe")?;
    match sys::fork(0).map_err(|_| "a process")? {
        None => {
            // The helper's program, as the gate starts it everywhere: one socket, and nothing else.
            let _ = sys::duplicate(helper, talk::GATE, 0);
            let _ = sys::close_from(3);
            monitor::run()
        }
        Some(_) => sys::close(helper),
    }
    let given = [task, input, to_output, to_errors, group.folder()];
    talk::give(gate, &talk::plan_message(job.plan, false), &given).map_err(|_| "the helper")?;
    [input, to_output, to_errors].into_iter().for_each(sys::close);
    let mut run = Run {
        gate,
        streams: [Stream::new(output, kind::OUTPUT, job), Stream::new(errors, kind::ERRORS, job)],
        disks: None,
        way_out: None,
        status: 0,
    };
    let ended = run.watch(job, group, port).map_err(|_| "watching the program")?;
    let Some(stopped) = ended else { return Ok(()) };
    // Whoever is left inside hears that nobody is above any more, and ends.
    sys::close(run.gate);
    run.way_out.into_iter().for_each(sys::end);
    while sys::wait(-1, false).is_ok() {}
    let speaking = |_| "speaking to the gate";
    let mut stopped = stopped;
    for stream in &mut run.streams {
        while stream.is_open() {
            stream.pass_on(port).map_err(speaking)?;
        }
        if stream.overflowed && stopped == self::stopped::NOT {
            stopped = self::stopped::OUTPUT;
        }
    }
    let disks = run.disks.ok_or("the disks of the program")?;
    let full = disks.iter().map(|disk| room(*disk)).find(|full| *full != full::NOTHING);
    let numbers = [run.status.cast_unsigned(), stopped, group.starved().into(), full.unwrap_or_default()];
    let numbers = numbers.map(u32::to_le_bytes);
    port.frame(kind::ENDED, &[numbers.as_flattened()]).map_err(speaking)?;
    pack::pack(disks[0], job.disk, port).map_err(|_| "packing the outputs")
}

/// What the program can read, in a file of its own.
fn input(job: &Job, task: Fd) -> sys::Result<Fd> {
    let file = sys::memory_file()?;
    sys::copy(task, job.plan, file, job.input)?;
    sys::rewind(file)?;
    Ok(file)
}

struct Run {
    gate: Fd,
    streams: [Stream; 2],
    /// `/out` and `/tmp`, from the moment the program starts.
    disks: Option<[Fd; 2]>,
    /// The process that carries connections to the gate.
    way_out: Option<i32>,
    status: i32,
}

impl Run {
    /// Until the program ended, or must: why. Nothing when it never started, which the gate was told.
    fn watch(&mut self, job: &Job, group: &Group, port: &mut Port) -> sys::Result<Option<u32>> {
        let mut deadline = sys::now()? + PATIENCE;
        loop {
            let left = deadline.saturating_sub(sys::now()?);
            let [output, errors] = self.streams.each_ref().map(|stream| stream.from);
            let most = TICK.min(left);
            let [said, output, errors] = match sys::poll_within([self.gate, output, errors], Some(most)) {
                Err(sys::EINTR) => continue,
                seen => seen?,
            };
            // Whoever stood still first hears what was said meanwhile.
            if left == 0 && said == 0 {
                return if self.disks.is_some() { Ok(Some(stopped::TIME)) } else { Err(EINVAL) };
            }
            for (stream, seen) in self.streams.iter_mut().zip([output, errors]) {
                if seen != 0 {
                    stream.pass_on(port)?;
                }
                if stream.overflowed {
                    return Ok(Some(stopped::OUTPUT));
                }
            }
            if said != 0 {
                match talk::hear(self.gate) {
                    Ok((Word::Starts, [out, scratch, ..], 2)) => {
                        self.disks = Some([out, scratch]);
                        port.frame(kind::STARTS, &[])?;
                        deadline = sys::now()? + job.time;
                    }
                    Ok((Word::Listens, [listener, ..], 1)) if self.way_out.is_none() => {
                        self.way_out = Some(way_out::start(listener)?);
                    }
                    Ok((Word::Ended { status }, _, _)) => {
                        self.status = status;
                        return Ok(Some(stopped::NOT));
                    }
                    Ok((Word::Failed { step, error }, _, _)) => {
                        let numbers = [step, error.0.cast_unsigned()].map(u32::to_le_bytes);
                        port.frame(kind::FAILED, &[numbers.as_flattened()])?;
                        return Ok(None);
                    }
                    // Without a last word, the kernel ended them all, for their memory.
                    _ if group.starved() && self.disks.is_some() => return Ok(Some(stopped::MEMORY)),
                    _ => return Err(EINVAL),
                }
            }
            if self.disks.is_some() {
                if group.memory() > job.memory || group.starved() {
                    return Ok(Some(stopped::MEMORY));
                }
                if group.crowded() {
                    return Ok(Some(stopped::PROCESSES));
                }
            }
        }
    }
}

/// One stream of the program.
struct Stream {
    /// Below zero when the program closed it.
    from: Fd,
    kind: u32,
    left: u64,
    /// More came than is passed on.
    overflowed: bool,
}

impl Stream {
    const fn new(from: Fd, kind: u32, job: &Job) -> Self {
        Self { from, kind, left: job.output, overflowed: false }
    }

    const fn is_open(&self) -> bool {
        self.from >= 0
    }

    fn close(&mut self) {
        sys::close(self.from);
        self.from = -1;
    }

    /// Passes on what is there.
    fn pass_on(&mut self, port: &mut Port) -> sys::Result<()> {
        let mut bytes = [0; MOST_OUTPUT];
        let count = match sys::read(self.from, &mut bytes) {
            Err(sys::EINTR) => return Ok(()),
            Ok(0) | Err(_) => {
                self.close();
                return Ok(());
            }
            Ok(count) => count,
        };
        let room = usize::try_from(self.left).unwrap_or(usize::MAX);
        let kept = bytes.get(..count.min(room)).unwrap_or_default();
        self.left = self.left.saturating_sub(kept.len() as u64);
        if !kept.is_empty() {
            port.frame(self.kind, &[kept])?;
        }
        if count > room {
            self.overflowed = true;
            self.close();
        }
        Ok(())
    }
}

/// Is there room on a disk?
fn room(disk: Fd) -> u32 {
    match sys::room(disk) {
        Ok((0, _)) => full::BYTES,
        Ok((_, 0)) => full::FILES,
        Ok(_) | Err(_) => full::NOTHING,
    }
}
