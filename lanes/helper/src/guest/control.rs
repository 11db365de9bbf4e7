//! The control group of the program: what all its processes may use together.

use core::ffi::CStr;

use crate::answer::Job;
use crate::sys::{self, EINVAL, Fd};

/// A group with nobody in it yet.
pub(super) struct Group(Fd);

impl Group {
    /// Makes it. This is done before the root changes; the descriptor leads to it afterwards.
    ///
    /// # Errors
    /// When the kernel has none.
    pub(super) fn mount() -> sys::Result<Self> {
        sys::mount(c"cgroup", c"/groups", c"cgroup2", 0, c"")?;
        let all = sys::open(c"/groups", sys::O_RDONLY, 0)?;
        put(all, c"cgroup.subtree_control", b"+memory +pids +cpu")?;
        sys::close(all);
        sys::make_dir(c"/groups/lane", 0o755)?;
        sys::open(c"/groups/lane", sys::O_RDONLY, 0).map(Self)
    }

    /// Its folder, to be born into.
    #[must_use]
    pub(super) const fn folder(&self) -> Fd {
        self.0
    }

    /// Sets the limits.
    ///
    /// # Errors
    /// When the kernel refuses one.
    pub(super) fn limit(&self, job: &Job) -> sys::Result<()> {
        let mut digits = [0; 20];
        put(self.0, c"memory.max", decimal(job.memory_and_files, &mut digits))?;
        put(self.0, c"memory.oom.group", b"1")?;
        put(self.0, c"pids.max", decimal(job.processes, &mut digits))?;
        if job.quota > 0 {
            put(self.0, c"cpu.max", decimal(job.quota, &mut digits))?;
        }
        Ok(())
    }

    /// Bytes of memory that are no file's.
    #[must_use]
    pub(super) fn memory(&self) -> u64 {
        self.value(c"memory.stat", b"anon ")
    }

    /// Was somebody ended for want of memory?
    #[must_use]
    pub(super) fn starved(&self) -> bool {
        self.value(c"memory.events", b"oom_kill ") > 0
    }

    /// Was a process refused?
    #[must_use]
    pub(super) fn crowded(&self) -> bool {
        self.value(c"pids.events", b"max ") > 0
    }

    /// The number behind a word at the start of a line; 0 where it does not stand.
    fn value(&self, name: &CStr, word: &[u8]) -> u64 {
        let Ok(file) = sys::open_at(self.0, name, sys::O_RDONLY, 0) else { return 0 };
        let mut text = [0; 4_096];
        let read = sys::read(file, &mut text).unwrap_or(0);
        sys::close(file);
        let text = text.get(..read).unwrap_or_default();
        let found = text.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(word));
        let digits = found.unwrap_or_default().iter().take_while(|digit| digit.is_ascii_digit());
        digits.fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
    }
}

fn put(folder: Fd, name: &CStr, text: &[u8]) -> sys::Result<()> {
    let file = sys::open_at(folder, name, sys::O_WRONLY, 0)?;
    let written = sys::write(file, text);
    sys::close(file);
    if written? == text.len() { Ok(()) } else { Err(EINVAL) }
}

/// A number as people write it.
fn decimal(mut number: u64, digits: &mut [u8; 20]) -> &[u8] {
    let mut first = digits.len();
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        *digit = b'0' + (number % 10).to_le_bytes()[0];
        number /= 10;
        first = place;
        if number == 0 {
            break;
        }
    }
    digits.get(first..).unwrap_or_default()
}
