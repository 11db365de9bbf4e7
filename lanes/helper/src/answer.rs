//! What a machine of its own says to the gate, and the job that it is given.
//!
//! An answer is frames one behind the other: a kind, a length, so many bytes. Behind the frame of an entry
//! comes what is in the file. Numbers are lowest first. The gate's side is `lanes/src/microvm/answer.rs`;
//! it believes nothing of what comes.

/// The last bytes of the disk with a job, with the version of the form.
pub const MAGIC: u64 = u64::from_le_bytes(*b"TGJOB001");

/// Bytes of a disk's unit: a disk is a number of them, and the last is the [`Job`].
pub const UNIT: usize = 512;

/// Bytes in front of what a frame holds: its kind, its length.
pub const HEAD: usize = 12;

/// Bytes in front of the path of an entry.
pub const ENTRY: usize = 20;

/// Bytes of output that one frame holds at most.
pub const MOST_OUTPUT: usize = 32 * 1024;

/// Bytes of a path in an entry at most.
pub const MOST_PATH: usize = 2_048;

/// How deep folders are looked into.
pub const DEEPEST: usize = 17;

/// Kinds of frames.
pub mod kind {
    /// The machine is up. One number: the version of Landlock in it, 0 for none.
    pub const UP: u32 = 1;
    /// The program is about to start.
    pub const STARTS: u32 = 2;
    /// Some of its standard output.
    pub const OUTPUT: u32 = 3;
    /// Some of its standard errors.
    pub const ERRORS: u32 = 4;
    /// A step of the plan failed: its number, and of what.
    pub const FAILED: u32 = 5;
    /// It is over: how, as the kernel tells it; why it was stopped; whether the kernel took it for its
    /// memory; whether a disk is full.
    pub const ENDED: u32 = 6;
    /// Something below `/out`: mode, number of names, whether its content follows, size (of eight bytes);
    /// then its path.
    pub const ENTRY: u32 = 7;
    /// Nothing more comes.
    pub const DONE: u32 = 8;
}

/// Why the machine stopped a program.
pub mod stopped {
    /// It did not.
    pub const NOT: u32 = 0;
    /// For its time.
    pub const TIME: u32 = 1;
    /// For its memory.
    pub const MEMORY: u32 = 2;
    /// For its processes.
    pub const PROCESSES: u32 = 3;
    /// For its output.
    pub const OUTPUT: u32 = 4;
}

/// What is full at the end.
pub mod full {
    /// Nothing.
    pub const NOTHING: u32 = 0;
    /// There is no room for more bytes.
    pub const BYTES: u32 = 1;
    /// There is no room for more files.
    pub const FILES: u32 = 2;
}

/// What a machine is told beside the plan. It stands at the end of the disk; the plan stands at its
/// beginning, and what the program can read from its standard input behind the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Bytes of the plan.
    pub plan: u64,
    /// Bytes of standard input.
    pub input: u64,
    /// Milliseconds that the program may take.
    pub time: u64,
    /// Bytes of memory that is no file's.
    pub memory: u64,
    /// Bytes of memory with all files.
    pub memory_and_files: u64,
    /// Processes, with ours.
    pub processes: u64,
    /// Microseconds of a processor in every tenth of a second; 0 for all there are.
    pub quota: u64,
    /// Bytes of output and of errors, each.
    pub output: u64,
    /// Bytes below `/out` that are sent at most.
    pub disk: u64,
}

impl Job {
    /// The last unit of the disk.
    #[must_use]
    pub fn bytes(&self) -> [u8; UNIT] {
        let numbers = [
            MAGIC,
            self.plan,
            self.input,
            self.time,
            self.memory,
            self.memory_and_files,
            self.processes,
            self.quota,
            self.output,
            self.disk,
        ];
        let mut bytes = [0; UNIT];
        let numbers = numbers.map(u64::to_le_bytes);
        for (to, from) in bytes.iter_mut().zip(numbers.as_flattened()) {
            *to = *from;
        }
        bytes
    }

    /// The job that these bytes are.
    #[must_use]
    pub fn of(bytes: &[u8; UNIT]) -> Option<Self> {
        let (numbers, _) = bytes.as_chunks::<8>();
        let mut numbers = numbers.iter().map(|bytes| u64::from_le_bytes(*bytes));
        if numbers.next()? != MAGIC {
            return None;
        }
        Some(Self {
            plan: numbers.next()?,
            input: numbers.next()?,
            time: numbers.next()?,
            memory: numbers.next()?,
            memory_and_files: numbers.next()?,
            processes: numbers.next()?,
            quota: numbers.next()?,
            output: numbers.next()?,
            disk: numbers.next()?,
        })
    }
}
