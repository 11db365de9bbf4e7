//! What the helper is told to do.
//!
//! A plan is bytes that the gate wrote: steps one behind the other, each with its kind, and behind them
//! the contents of files that are to be there. Numbers are eight bytes, lowest first; texts have their
//! length with their closing zero, so that the kernel can be given them where they lie. The gate's side is
//! `lanes/src/jail/plan.rs`.

use core::ffi::CStr;

/// The first bytes of a plan, with the version of the form.
pub const MAGIC: u64 = u64::from_le_bytes(*b"TGPLAN01");

/// Kinds of steps, in the order in which they are described at [`Step`].
#[expect(missing_docs, reason = "each is the kind of the step of its name")]
pub mod kind {
    pub const MAPS: u64 = 1;
    pub const IDS: u64 = 2;
    pub const DIR: u64 = 3;
    pub const LINK: u64 = 4;
    pub const BIND: u64 = 5;
    pub const DEVICE: u64 = 6;
    pub const TMPFS: u64 = 7;
    pub const PROC: u64 = 8;
    pub const COPY: u64 = 9;
    pub const SEAL: u64 = 10;
    pub const LISTEN: u64 = 11;
    pub const LIMIT: u64 = 12;
    pub const LANDLOCK: u64 = 13;
    pub const BENEATH: u64 = 14;
    pub const PORT: u64 = 15;
    pub const FILTER: u64 = 16;
    pub const DIRECTORY: u64 = 17;
    pub const ARGUMENT: u64 = 18;
    pub const VARIABLE: u64 = 19;
    pub const SHARE: u64 = 20;
    pub const MASK: u64 = 21;
}

/// One thing to do.
#[derive(Clone, Copy, Debug)]
pub enum Step<'p> {
    /// Who is who inside: the kernel's maps, and whether groups can be put down.
    Maps {
        /// Users.
        users: &'p CStr,
        /// Groups.
        groups: &'p CStr,
        /// Whether whoever started us may give up groups.
        privileged: bool,
    },
    /// Who builds the root, and who the program is.
    Ids {
        /// The builder.
        builder: u32,
        /// The program.
        program: u32,
    },
    /// A directory.
    Dir {
        /// Where.
        path: &'p CStr,
        /// Who may do what.
        mode: usize,
    },
    /// A symbolic link.
    Link {
        /// What it says.
        to: &'p CStr,
        /// Where.
        path: &'p CStr,
    },
    /// A file or folder of the machine, to be read only.
    Bind {
        /// Where it is on the machine.
        from: &'p CStr,
        /// Where it is to be.
        path: &'p CStr,
        /// Whether it is a folder.
        folder: bool,
    },
    /// A device of the machine.
    Device {
        /// Where it is on the machine.
        from: &'p CStr,
        /// Where it is to be.
        path: &'p CStr,
    },
    /// Memory to write to.
    Tmpfs {
        /// Where.
        path: &'p CStr,
        /// Its limits.
        options: &'p CStr,
    },
    /// What the kernel says about processes.
    Proc {
        /// Where.
        path: &'p CStr,
    },
    /// A file with content that came with the plan.
    Copy {
        /// Where it begins in the plan.
        offset: u64,
        /// Its length.
        length: u64,
        /// Where it is to be.
        path: &'p CStr,
    },
    /// From now on nothing is written there.
    Seal {
        /// Where.
        path: &'p CStr,
    },
    /// A socket that listens inside, handed out to the gate.
    Listen {
        /// On this port of the loopback address.
        port: u16,
    },
    /// A limit of the kernel for each process.
    Limit {
        /// Which.
        resource: usize,
        /// How much.
        value: u64,
    },
    /// Everything that Landlock is asked to refuse unless a rule allows it.
    Landlock {
        /// About files.
        files: u64,
        /// About the network.
        network: u64,
        /// About whoever is outside.
        scope: u64,
        /// Bytes of the kernel's structure.
        size: usize,
    },
    /// A rule of Landlock: what is allowed below a place.
    Beneath {
        /// The place.
        path: &'p CStr,
        /// What.
        access: u64,
    },
    /// A rule of Landlock: what is allowed with a port.
    Port {
        /// The port.
        port: u64,
        /// What.
        access: u64,
    },
    /// A filter of system calls.
    Filter {
        /// The kernel's instructions, eight bytes each.
        program: &'p [u8],
    },
    /// Where the program starts.
    Directory {
        /// The place.
        path: &'p CStr,
    },
    /// One more argument of the program; the first is also its path.
    Argument {
        /// The argument.
        text: &'p CStr,
    },
    /// One more variable of the program's environment.
    Variable {
        /// Name and value.
        text: &'p CStr,
    },
    /// A folder of the machine, to be written to.
    Share {
        /// Where it is on the machine.
        from: &'p CStr,
        /// Where it is to be.
        path: &'p CStr,
    },
    /// Something that is there and must not be seen.
    Mask {
        /// Where.
        path: &'p CStr,
        /// Whether it is a folder.
        folder: bool,
    },
}

/// The steps of a plan, in their order.
#[derive(Clone, Copy, Debug)]
pub struct Steps<'p> {
    rest: &'p [u8],
    /// How many were read.
    pub read: u32,
}

/// Nothing when it is no plan of this version.
#[must_use]
pub fn steps(bytes: &[u8]) -> Option<Steps<'_>> {
    let mut whole = Steps { rest: bytes, read: 0 };
    let magic = whole.number()?;
    let length = usize::try_from(whole.number()?).ok()?;
    (magic == MAGIC).then_some(Steps { rest: whole.rest.get(..length)?, read: 0 })
}

impl<'p> Steps<'p> {
    /// Is there nothing more?
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.rest.split_first_chunk::<8>()?;
        self.rest = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    fn bytes(&mut self) -> Option<&'p [u8]> {
        let length = self.small()?;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    fn text(&mut self) -> Option<&'p CStr> {
        CStr::from_bytes_with_nul(self.bytes()?).ok()
    }

    /// The next step; nothing at the end, and nothing where the plan is none.
    pub fn step(&mut self) -> Option<Step<'p>> {
        self.read += 1;
        Some(match self.number()? {
            kind::MAPS => {
                Step::Maps { users: self.text()?, groups: self.text()?, privileged: self.number()? == 1 }
            }
            kind::IDS => Step::Ids { builder: self.small()?, program: self.small()? },
            kind::DIR => Step::Dir { path: self.text()?, mode: self.small()? },
            kind::LINK => Step::Link { to: self.text()?, path: self.text()? },
            kind::BIND => Step::Bind { from: self.text()?, path: self.text()?, folder: self.number()? == 1 },
            kind::DEVICE => Step::Device { from: self.text()?, path: self.text()? },
            kind::TMPFS => Step::Tmpfs { path: self.text()?, options: self.text()? },
            kind::PROC => Step::Proc { path: self.text()? },
            kind::COPY => Step::Copy { offset: self.number()?, length: self.number()?, path: self.text()? },
            kind::SEAL => Step::Seal { path: self.text()? },
            kind::LISTEN => Step::Listen { port: self.small()? },
            kind::LIMIT => Step::Limit { resource: self.small()?, value: self.number()? },
            kind::LANDLOCK => Step::Landlock {
                files: self.number()?,
                network: self.number()?,
                scope: self.number()?,
                size: self.small()?,
            },
            kind::BENEATH => Step::Beneath { path: self.text()?, access: self.number()? },
            kind::PORT => Step::Port { port: self.number()?, access: self.number()? },
            kind::FILTER => Step::Filter { program: self.bytes()? },
            kind::DIRECTORY => Step::Directory { path: self.text()? },
            kind::ARGUMENT => Step::Argument { text: self.text()? },
            kind::VARIABLE => Step::Variable { text: self.text()? },
            kind::SHARE => Step::Share { from: self.text()?, path: self.text()? },
            kind::MASK => Step::Mask { path: self.text()?, folder: self.number()? == 1 },
            _ => return None,
        })
    }
}
