//! What the helper and the gate say to each other, over one socket.

use crate::sys::{self, EINVAL, Errno, Fd, number};

/// The socket: the gate gives it as standard input.
pub const GATE: Fd = 0;

/// Descriptors that come with the plan.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The plan.
    pub plan: Fd,
    /// Its length.
    pub length: usize,
    /// The program's standard input, output and errors.
    pub streams: [Fd; 3],
    /// The control groups of the run.
    pub groups: Groups,
    /// One descriptor more that the program has, behind its three streams.
    pub wire: Option<Fd>,
}

/// Bytes of the message that brings a plan: its length, and how many descriptors more the program has.
pub const PLAN: usize = 9;

/// How the run comes into its control groups.
#[derive(Clone, Copy, Debug)]
pub enum Groups {
    /// There are none.
    None,
    /// Version 1: two or three, each with a file to which a thread that wants in writes. That it is the
    /// thread itself saves the kernel from stopping everybody.
    First([Option<Fd>; 3]),
    /// Version 2: a folder that processes are born into.
    Second(Fd),
}

/// What the gate is told: its kind and two numbers of it.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    /// Everything stands, and the program is about to start. With it come `/out` and `/tmp`.
    Starts,
    /// A step failed.
    Failed {
        /// Which, counted from 1; 0 before the first.
        step: u32,
        /// Of what.
        error: Errno,
    },
    /// The program ended, as the kernel tells it, and everybody else inside is gone.
    Ended {
        /// How.
        status: i32,
    },
    /// Here is a socket that listens inside.
    Listens,
}

/// Bytes of a word.
pub const WORD: usize = 12;

impl Word {
    /// Its bytes.
    #[must_use]
    pub fn bytes(self) -> [u8; WORD] {
        let (kind, one, other) = match self {
            Self::Starts => (1, 0, 0),
            Self::Failed { step, error } => (2, step, error.0.cast_unsigned()),
            Self::Ended { status } => (3, status.cast_unsigned(), 0),
            Self::Listens => (4, 0, 0),
        };
        let mut bytes = [0; WORD];
        let numbers = [kind, one, other].map(u32::to_le_bytes);
        for (to, from) in bytes.iter_mut().zip(numbers.as_flattened()) {
            *to = *from;
        }
        bytes
    }

    /// The word that these bytes are.
    #[must_use]
    pub fn of(bytes: [u8; WORD]) -> Option<Self> {
        let (numbers, _) = bytes.as_chunks::<4>();
        let mut numbers = numbers.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let (kind, one, other) = (numbers.next()?, numbers.next()?, numbers.next()?);
        Some(match kind {
            1 => Self::Starts,
            2 => Self::Failed { step: one, error: Errno(other.cast_signed()) },
            3 => Self::Ended { status: one.cast_signed() },
            4 => Self::Listens,
            _ => return None,
        })
    }
}

#[repr(C)]
struct Part {
    place: usize,
    length: usize,
}

#[repr(C)]
struct Message {
    name: usize,
    name_length: u32,
    parts: usize,
    count: usize,
    control: usize,
    control_length: usize,
    flags: i32,
}

/// Room for descriptors beside a message.
#[repr(C)]
struct Rights {
    length: usize,
    level: i32,
    kind: i32,
    fds: [Fd; MOST],
}

/// Descriptors that one message can bring.
pub const MOST: usize = 8;

const SOL_SOCKET: i32 = 1;
const SCM_RIGHTS: i32 = 1;
const HEAD: usize = 16;

/// Waits for the plan.
///
/// # Errors
/// When something else came.
pub fn receive() -> sys::Result<Given> {
    let mut bytes = [0_u8; PLAN];
    let (read, fds, count) = take(GATE, &mut bytes)?;
    if read != bytes.len() {
        return Err(EINVAL);
    }
    let [length @ .., more] = bytes;
    // It is the last.
    let wire = match (more, count.checked_sub(1).and_then(|last| fds.get(last))) {
        (0, _) => None,
        (1, Some(last)) => Some(*last),
        _ => return Err(EINVAL),
    };
    let [plan, input, output, errors, one, two, three, _] = fds;
    let groups = match count.checked_sub(usize::from(more)) {
        Some(4) => Groups::None,
        Some(5) => Groups::Second(one),
        Some(6) => Groups::First([Some(one), Some(two), None]),
        Some(7) => Groups::First([Some(one), Some(two), Some(three)]),
        _ => return Err(EINVAL),
    };
    let length = usize::try_from(u64::from_le_bytes(length)).map_err(|_| EINVAL)?;
    Ok(Given { plan, length, streams: [input, output, errors], groups, wire })
}

/// The message that brings a plan of this length.
#[must_use]
pub fn plan_message(length: u64, with_wire: bool) -> [u8; PLAN] {
    let mut bytes = [0; PLAN];
    for (to, from) in bytes.iter_mut().zip(length.to_le_bytes().into_iter().chain([with_wire.into()])) {
        *to = from;
    }
    bytes
}

/// Waits for a descriptor.
///
/// # Errors
/// When something else came.
pub fn receive_one(from: Fd) -> sys::Result<Fd> {
    match take(from, &mut [0])? {
        (1, [one, ..], 1) => Ok(one),
        _ => Err(EINVAL),
    }
}

/// A message with descriptors: how many bytes it had, the descriptors, and how many there are.
fn take(from: Fd, bytes: &mut [u8]) -> sys::Result<(usize, [Fd; MOST], usize)> {
    let taken = take_any(from, bytes)?;
    if taken.2 == 0 { Err(EINVAL) } else { Ok(taken) }
}

/// A message, with descriptors or without.
fn take_any(from: Fd, bytes: &mut [u8]) -> sys::Result<(usize, [Fd; MOST], usize)> {
    const MSG_CMSG_CLOEXEC: usize = 0x4000_0000;
    let mut rights = Rights { length: 0, level: 0, kind: 0, fds: [-1; MOST] };
    let mut part = Part { place: bytes.as_mut_ptr() as usize, length: bytes.len() };
    let mut message = Message {
        name: 0,
        name_length: 0,
        parts: (&raw mut part) as usize,
        count: 1,
        control: (&raw mut rights) as usize,
        control_length: size_of::<Rights>(),
        flags: 0,
    };
    let from = from.cast_unsigned() as usize;
    let given = [from, (&raw mut message) as usize, MSG_CMSG_CLOEXEC, 0, 0, 0];
    // SAFETY: message, part and rights live as long as the call and are as large as they say.
    let read = unsafe { sys::call(number::RECVMSG, given)? };
    if (rights.level, rights.kind) != (SOL_SOCKET, SCM_RIGHTS) {
        return Ok((read, rights.fds, 0));
    }
    Ok((read, rights.fds, rights.length.saturating_sub(HEAD) / size_of::<Fd>()))
}

/// Tells the gate a word, with some descriptors.
///
/// # Errors
/// When the gate is gone.
pub fn tell(word: Word, fds: &[Fd]) -> sys::Result<()> {
    give(GATE, &word.bytes(), fds)
}

/// Sends a message with some descriptors.
///
/// # Errors
/// When nobody is there.
pub fn give(to: Fd, bytes: &[u8], fds: &[Fd]) -> sys::Result<()> {
    const MSG_NOSIGNAL: usize = 0x4000;
    let mut part = Part { place: bytes.as_ptr() as usize, length: bytes.len() };
    let count = fds.len().min(MOST);
    let length = HEAD + count * size_of::<Fd>();
    let mut rights = Rights { length, level: SOL_SOCKET, kind: SCM_RIGHTS, fds: [-1; MOST] };
    rights.fds.iter_mut().zip(fds).for_each(|(to, from)| *to = *from);
    let message = Message {
        name: 0,
        name_length: 0,
        parts: (&raw mut part) as usize,
        count: 1,
        control: if count > 0 { (&raw mut rights) as usize } else { 0 },
        // The kernel wants room up to a whole word.
        control_length: if count > 0 { length.next_multiple_of(8) } else { 0 },
        flags: 0,
    };
    let given = [to.cast_unsigned() as usize, (&raw const message) as usize, MSG_NOSIGNAL, 0, 0, 0];
    // SAFETY: message, part and rights live as long as the call and are as large as they say.
    unsafe { sys::call(number::SENDMSG, given).map(drop) }
}

/// Tells the gate what failed, and ends.
pub fn give_up(step: u32, error: Errno) -> ! {
    // When the gate is gone, there is nobody to tell.
    let _ = tell(Word::Failed { step, error }, &[]);
    sys::exit(1)
}

/// Waits for a word, with its descriptors and how many there are.
///
/// # Errors
/// When nobody speaks any more, or says something else.
pub fn hear(from: Fd) -> sys::Result<(Word, [Fd; MOST], usize)> {
    let mut bytes = [0_u8; WORD];
    let (read, fds, count) = take_any(from, &mut bytes)?;
    if read != WORD {
        return Err(EINVAL);
    }
    Word::of(bytes).map(|word| (word, fds, count)).ok_or(EINVAL)
}
