//! The first process inside: it builds the root, starts the program, and ends with it everything.

use core::ffi::CStr;

use crate::plan::{Step, Steps};
use crate::sys::{self, Errno, Fd, number};
use crate::talk::{self, Given, Word};
use crate::{root, walls};

const PR_SET_PDEATHSIG: usize = 1;
const SIGKILL: usize = 9;
const SIGCHLD: u32 = 17;
const POLLIN: i16 = 1;
const CLONE_NEWCGROUP: usize = 0x0200_0000;
const CLONE_NEWNET: usize = 0x4000_0000;

/// Arguments and variables that a program can have here; the gate gives fewer.
const MOST_WORDS: usize = 1024;

/// Builds, starts and waits. `go` is closed or says something when it is known who is who.
///
/// The process that becomes the program is there from the beginning: it puts up its walls on one processor
/// while the root is built on another.
pub fn run(steps: Steps<'_>, given: Given, go: Fd) -> ! {
    if !matches!(sys::read(go, &mut [0]), Ok(1)) {
        sys::exit(1);
    }
    sys::close(go);
    let program = identify(steps).unwrap_or_else(|(step, error)| talk::give_up(step, error));
    let after = |error: Errno| -> ! { talk::give_up(steps_of(steps) + 1, error) };
    let signals = signals().unwrap_or_else(|error| after(error));
    let (built, ready) = sys::pipe().unwrap_or_else(|error| after(error));
    // While the root is built, `/proc` is not where it was.
    let proc = sys::open(c"/proc", sys::O_PATH, 0).unwrap_or_else(|error| after(error));
    let (apart, network) = sys::socket_pair().unwrap_or_else(|error| after(error));
    match sys::fork(0) {
        Err(error) => after(error),
        Ok(None) => {
            [ready, apart].into_iter().for_each(sys::close);
            become_program(steps, given, program, Meeting { proc, network, built })
        }
        Ok(Some(child)) => {
            [built, network, proc].into_iter().chain(given.streams).chain(given.wire).for_each(sys::close);
            if let Err((step, error)) = build(steps, given.plan, apart) {
                talk::give_up(step, error);
            }
            sys::close(apart);
            // Before the program is there to see it.
            if let Err(error) = lose_powers(program) {
                talk::give_up(steps_of(steps) + 2, error);
            }
            if let Err(error) = announce().and_then(|()| sys::write(ready, &[1])) {
                after(error);
            }
            [ready, given.plan].into_iter().for_each(sys::close);
            let status = wait_for(child, signals);
            sweep();
            let _ = talk::tell(Word::Ended { status }, &[]);
            sys::exit(0)
        }
    }
}

/// Becomes who builds the root. Who the program is.
fn identify(mut steps: Steps<'_>) -> Result<u32, (u32, Errno)> {
    let Some(Step::Maps { privileged, .. }) = steps.step() else { return Err((1, sys::EINVAL)) };
    let Some(Step::Ids { builder, program }) = steps.step() else { return Err((2, sys::EINVAL)) };
    let failed = |error| (2, error);
    if privileged {
        walls::leave_groups().map_err(failed)?;
    }
    walls::become_(builder).map_err(failed)?;
    sys::unshare(CLONE_NEWCGROUP).map_err(failed)?;
    // Becoming somebody else took it away.
    sys::setting(PR_SET_PDEATHSIG, SIGKILL).map_err(failed)?;
    Ok(program)
}

/// The root, and the network that the program made meanwhile.
fn build(steps: Steps<'_>, plan: Fd, apart: Fd) -> Result<(), (u32, Errno)> {
    root::begin().map_err(|error| (2, error))?;
    let mut rest = steps;
    while !rest.is_done() {
        let read = rest.read + 1;
        let failed = |error| (read, error);
        let Some(step) = rest.step() else { return Err(failed(sys::EINVAL)) };
        root::build(step, plan).map_err(failed)?;
    }
    let failed = |error| (rest.read + 1, error);
    root::finish().map_err(failed)?;
    name_host().map_err(failed)?;
    // Where the program could not make it, it says so itself.
    let network = talk::receive_one(apart).unwrap_or_else(|_| sys::exit(1));
    sys::join(network, CLONE_NEWNET).map_err(|error| (0, error))?;
    sys::close(network);
    let mut rest = steps;
    while let Some(step) = rest.step() {
        if let Step::Listen { port } = step {
            let told = listen(port).and_then(|socket| talk::tell(Word::Listens, &[socket]));
            told.map_err(|error| (rest.read, error))?;
        }
    }
    Ok(())
}

/// Tells the gate that everything stands.
fn announce() -> sys::Result<()> {
    let outputs = sys::open(c"/out", sys::O_RDONLY, 0)?;
    let scratch = sys::open(c"/tmp", sys::O_RDONLY, 0)?;
    talk::tell(Word::Starts, &[outputs, scratch])?;
    [outputs, scratch].into_iter().for_each(sys::close);
    Ok(())
}

fn steps_of(mut steps: Steps<'_>) -> u32 {
    while !steps.is_done() && steps.step().is_some() {}
    steps.read
}

fn name_host() -> sys::Result<()> {
    let name = b"lane";
    // SAFETY: the name is as long as it is said.
    unsafe { sys::call(number::SETHOSTNAME, [name.as_ptr() as usize, name.len(), 0, 0, 0, 0]).map(drop) }
}

/// The part of this process that stays has no more powers than the program, and does not let it look in.
fn lose_powers(program: u32) -> sys::Result<()> {
    walls::forget_powers()?;
    walls::become_(program)?;
    walls::drop_powers()?;
    walls::close_memory()?;
    sys::setting(PR_SET_PDEATHSIG, SIGKILL)
}

/// A descriptor that tells when a child ended.
fn signals() -> sys::Result<Fd> {
    const SIG_BLOCK: usize = 0;
    const SFD_CLOEXEC: usize = 0o2_000_000;
    let set: u64 = 1 << (SIGCHLD - 1);
    let place = (&raw const set) as usize;
    // SAFETY: the set is as large as it is said.
    unsafe { sys::call(number::RT_SIGPROCMASK, [SIG_BLOCK, place, 0, size_of_val(&set), 0, 0])? };
    // SAFETY: the set is as large as it is said.
    let made =
        unsafe { sys::call(number::SIGNALFD4, [usize::MAX, place, size_of_val(&set), SFD_CLOEXEC, 0, 0])? };
    Fd::try_from(made).map_err(|_| sys::EINVAL)
}

/// Waits until the program ended, and takes in whoever else ends meanwhile. When the gate is gone or says
/// anything, all is over at once: the kernel ends everybody inside when this process ends.
fn wait_for(child: i32, signals: Fd) -> i32 {
    loop {
        match sys::poll([talk::GATE, signals]) {
            Ok([0, seen]) => {
                if seen & POLLIN != 0 {
                    let _ = sys::read(signals, &mut [0; 128]);
                }
            }
            Ok([_, _]) => sys::exit(1),
            Err(sys::EINTR) => {}
            Err(_) => sys::exit(1),
        }
        while let Ok((ended, status)) = sys::wait(-1, true) {
            if ended == child {
                return status;
            }
            if ended == 0 {
                break;
            }
        }
    }
}

/// Ends whoever is left, so that nothing changes any more.
fn sweep() {
    const EVERYBODY: usize = usize::MAX;
    let _ = sys::plain(number::KILL, [EVERYBODY, SIGKILL, 0, 0, 0, 0]);
    while sys::wait(-1, false).is_ok() {}
}

/// Where the process that becomes the program and the first process wait for each other.
#[derive(Clone, Copy)]
struct Meeting {
    /// The machine's folder of processes.
    proc: Fd,
    /// The network namespace is sent there.
    network: Fd,
    /// Says something when the root stands.
    built: Fd,
}

/// Puts up all walls and starts the program.
fn become_program(steps: Steps<'_>, given: Given, program: u32, meeting: Meeting) -> ! {
    let (step, error) = match try_become(steps, given, program, meeting) {
        Ok(never) => match never {},
        Err(failed) => failed,
    };
    talk::give_up(step, error)
}

enum Never {}

/// A network namespace without anything in it, for the first process too.
fn make_network(Meeting { proc, network, .. }: Meeting) -> sys::Result<()> {
    sys::unshare(CLONE_NEWNET)?;
    let own = sys::open_at(proc, c"thread-self/ns/net", sys::O_RDONLY, 0)?;
    talk::give(network, &[1], &[own])?;
    [own, network, proc].into_iter().for_each(sys::close);
    Ok(())
}

fn try_become(steps: Steps<'_>, given: Given, program: u32, meeting: Meeting) -> Result<Never, (u32, Errno)> {
    let last = steps_of(steps);
    let late = |error| (last + 2, error);
    make_network(meeting).map_err(|error| (0, error))?;
    unblock().map_err(late)?;
    sys::mask(0o022);
    sys::plain(number::SETSID, [0; 6]).map_err(late)?;
    // Powers go first, so that no wall is built by somebody who could climb it.
    walls::forget_powers().map_err(late)?;
    walls::become_(program).map_err(late)?;
    walls::drop_powers().map_err(late)?;
    let mut rest = steps;
    while let Some(step) = rest.step() {
        let failed = |error| (rest.read, error);
        match step {
            Step::Limit { resource, value } => walls::limit(resource, value).map_err(failed)?,
            // What is still to be done here is on the list of what every program may do.
            Step::Filter { program } => walls::filter(program).map_err(failed)?,
            _ => {}
        }
    }
    if !matches!(sys::read(meeting.built, &mut [0]), Ok(1)) {
        sys::exit(1);
    }
    let mut arguments = Words::default();
    let mut variables = Words::default();
    let mut directory = c"/";
    let mut landlock = walls::Landlock::default();
    let mut rest = steps;
    while let Some(step) = rest.step() {
        let failed = |error| (rest.read, error);
        match step {
            Step::Argument { text } => arguments.push(text).map_err(failed)?,
            Step::Variable { text } => variables.push(text).map_err(failed)?,
            Step::Directory { path } => directory = path,
            other => landlock.build(other).map_err(failed)?,
        }
    }
    sys::change_dir(directory).map_err(late)?;
    landlock.finish().map_err(late)?;
    // The gate's socket stays until the program starts, to tell what failed; beside it nothing does.
    sys::duplicate(talk::GATE, KEPT, sys::O_CLOEXEC).map_err(late)?;
    // Descriptors that came have numbers behind all of these: the plan has the first.
    let kept = given.streams.into_iter().chain(given.wire);
    let mut first = 0;
    for stream in kept {
        sys::duplicate(stream, first, 0).map_err(late)?;
        first += 1;
    }
    let error = match close_others(first) {
        Err(error) => error,
        Ok(()) => arguments.first().map_or(sys::EINVAL, |path| execute(path, &arguments, &variables)),
    };
    // The streams took the socket's place; it is put back for the last word.
    sys::duplicate(KEPT, talk::GATE, 0).map_err(late)?;
    Err((last + 3, error))
}

/// Where the gate's socket is while the streams are in its place.
const KEPT: Fd = 100;

/// Every descriptor from this one on, but the socket.
fn close_others(first: Fd) -> sys::Result<()> {
    sys::close_range(first, KEPT - 1)?;
    sys::close_from(KEPT + 1)
}

/// The program gets the signals that this process kept back.
fn unblock() -> sys::Result<()> {
    const SIG_SETMASK: usize = 2;
    let none: u64 = 0;
    // SAFETY: the set is as large as it is said.
    unsafe {
        sys::call(number::RT_SIGPROCMASK, [SIG_SETMASK, (&raw const none) as usize, 0, 8, 0, 0]).map(drop)
    }
}

/// A list of texts as the kernel takes it, with nothing at its end.
struct Words {
    places: [usize; MOST_WORDS],
    count: usize,
}

impl Default for Words {
    fn default() -> Self {
        Self { places: [0; MOST_WORDS], count: 0 }
    }
}

impl Words {
    fn push(&mut self, text: &CStr) -> sys::Result<()> {
        // The last place stays empty: it is the end.
        let place = self.places.get_mut(self.count).filter(|_| self.count + 1 < MOST_WORDS);
        *place.ok_or(sys::EINVAL)? = text.as_ptr() as usize;
        self.count += 1;
        Ok(())
    }

    fn first(&self) -> Option<usize> {
        self.places.first().copied().filter(|&place| place != 0)
    }
}

/// Becomes another program; returns only when that failed.
fn execute(path: usize, arguments: &Words, variables: &Words) -> Errno {
    let given = [path, arguments.places.as_ptr() as usize, variables.places.as_ptr() as usize, 0, 0, 0];
    // SAFETY: all texts lie in the plan, which is mapped, and both lists end with nothing.
    match unsafe { sys::call(number::EXECVE, given) } {
        Ok(_) => sys::EINVAL,
        Err(error) => error,
    }
}

/// A socket on the loopback address that only whoever is inside can reach.
fn listen(port: u16) -> sys::Result<Fd> {
    const AF_INET: usize = 2;
    const SOCK_STREAM: usize = 1;
    const SOCK_CLOEXEC: usize = 0o2_000_000;
    const SIOCSIFFLAGS: usize = 0x8914;
    const IFF_UP_RUNNING: u16 = 0x41;
    let made = sys::plain(number::SOCKET, [AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0, 0, 0, 0])?;
    let mut interface = [0_u8; 40];
    let flags = IFF_UP_RUNNING.to_le_bytes();
    for (place, byte) in [(0, b'l'), (1, b'o'), (16, flags[0]), (17, flags[1])] {
        if let Some(to) = interface.get_mut(place) {
            *to = byte;
        }
    }
    // SAFETY: the structure is 40 bytes: a name of 16, and the flags.
    unsafe { sys::call(number::IOCTL, [made, SIOCSIFFLAGS, interface.as_mut_ptr() as usize, 0, 0, 0])? };
    let [high, low] = port.to_be_bytes();
    let address: [u8; 16] = [2, 0, high, low, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    // SAFETY: the address is as long as it is said.
    unsafe { sys::call(number::BIND, [made, address.as_ptr() as usize, address.len(), 0, 0, 0])? };
    sys::plain(number::LISTEN, [made, 128, 0, 0, 0, 0])?;
    Fd::try_from(made).map_err(|_| sys::EINVAL)
}
