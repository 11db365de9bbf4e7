//! The first process of a machine of its own.
//!
//! It loads the modules of the kernel that it was given, finds its disks and the port to the gate, goes
//! into the image with the runtimes, and hands the plan to the same processes that put up the jail
//! everywhere else. So a program in here is behind the jail's walls too, before it meets this kernel.
//! Whatever fails is said on the console, and the machine ends: it never waits for anybody.

mod control;
mod pack;
mod port;
mod supervise;
mod way_out;

use core::ffi::CStr;

use crate::answer::{Job, UNIT, kind};
use crate::plan;
use crate::sys::{self, EINVAL, Fd, number};
use port::Port;

/// What failed, in a word for the console.
type Stage<T> = Result<T, &'static str>;

/// The whole life of the machine.
pub fn run() -> ! {
    let said = match live() {
        Ok(()) => "",
        Err(stage) => stage,
    };
    if !said.is_empty() {
        complain(said);
    }
    restart()
}

fn live() -> Stage<()> {
    sys::mask(0);
    sys::mount(c"dev", c"/dev", c"devtmpfs", 0, c"").map_err(|_| "devices")?;
    sys::mount(c"proc", c"/proc", c"proc", 0, c"").map_err(|_| "processes")?;
    modules()?;
    let mut port = Port::open().map_err(|_| "the port to the gate")?;
    let up = landlock().to_le_bytes();
    port.frame(kind::UP, &[&up]).map_err(|_| "speaking to the gate")?;
    let (image, task) = disks();
    // Whoever only wants to know whether a machine comes up gives it no disk.
    if let Some(task) = task {
        let group = control::Group::mount().map_err(|_| "control groups")?;
        let image = image.ok_or("the image with the runtimes")?;
        enter(image).map_err(|_| "the root")?;
        let job = job(task).map_err(|_| "the disk with the job")?;
        supervise::run(&job, task, &group, &mut port)?;
    }
    port.frame(kind::DONE, &[]).map_err(|_| "speaking to the gate")
}

/// Says what failed where the gate sees it.
fn complain(stage: &str) {
    if let Ok(console) = sys::open(c"/dev/console", sys::O_WRONLY, 0) {
        for part in ["toolgate: this machine failed at ", stage, "\n"] {
            let _ = sys::write(console, part.as_bytes());
        }
    }
}

/// Ends the machine. Where it would start again, the gate ends it instead.
fn restart() -> ! {
    const MAGIC: usize = 0xfee1_dead;
    const MAGIC_TOO: usize = 672_274_793;
    const RESTART: usize = 0x0123_4567;
    loop {
        let _ = sys::plain(number::REBOOT, [MAGIC, MAGIC_TOO, RESTART, 0, 0, 0]);
        let _ = sys::poll_within([], Some(1_000));
    }
}

/// Loads the modules that lie in `/modules`, in the order of their numbers.
fn modules() -> Stage<()> {
    let names = [
        c"/modules/00",
        c"/modules/01",
        c"/modules/02",
        c"/modules/03",
        c"/modules/04",
        c"/modules/05",
        c"/modules/06",
        c"/modules/07",
        c"/modules/08",
        c"/modules/09",
        c"/modules/10",
        c"/modules/11",
        c"/modules/12",
        c"/modules/13",
        c"/modules/14",
        c"/modules/15",
    ];
    for name in names {
        let Ok(file) = sys::open(name, sys::O_RDONLY, 0) else { break };
        let given = [file.cast_unsigned() as usize, c"".as_ptr() as usize, 0, 0, 0, 0];
        // SAFETY: the text ends with its zero.
        let loaded = unsafe { sys::call(number::FINIT_MODULE, given) };
        sys::close(file);
        match loaded {
            // One that another brought with it is there already.
            Ok(_) | Err(sys::EEXIST) => {}
            Err(_) => return Err("a module of the kernel"),
        }
    }
    Ok(())
}

/// The version of Landlock of this kernel.
fn landlock() -> u32 {
    const VERSION: usize = 1;
    let asked = sys::plain(number::LANDLOCK_CREATE_RULESET, [0, 0, VERSION, 0, 0, 0]);
    asked.ok().and_then(|version| u32::try_from(version).ok()).unwrap_or(0)
}

/// The disk with the image and the disk with the job: told apart by how they begin.
fn disks() -> (Option<&'static CStr>, Option<Fd>) {
    let (mut image, mut task) = (None, None);
    for name in [c"/dev/vda", c"/dev/vdb"] {
        let Ok(disk) = sys::open(name, sys::O_RDONLY, 0) else { continue };
        let mut begin = [0; 8];
        let read = sys::read_at(disk, &mut begin, 0);
        if read == Ok(8) && u64::from_le_bytes(begin) == plan::MAGIC {
            task = Some(disk);
        } else {
            sys::close(disk);
            image = Some(name);
        }
    }
    (image, task)
}

/// Makes the image the root. Devices and processes are seen there as before.
fn enter(image: &CStr) -> sys::Result<()> {
    const MS_RDONLY: usize = 1;
    const MS_NOSUID: usize = 2;
    const MS_MOVE: usize = 8192;
    sys::mount(image, c"/machine", c"erofs", MS_RDONLY | MS_NOSUID, c"")?;
    sys::mount(c"/dev", c"/machine/dev", c"none", MS_MOVE, c"")?;
    sys::mount(c"/proc", c"/machine/proc", c"none", MS_MOVE, c"")?;
    sys::change_dir(c"/machine")?;
    sys::mount(c".", c"/", c"none", MS_MOVE, c"")?;
    sys::change_root(c".")?;
    sys::change_dir(c"/")
}

/// What stands at the end of the disk.
fn job(task: Fd) -> sys::Result<Job> {
    let length = sys::length(task)?;
    let mut unit = [0; UNIT];
    let last = length.checked_sub(UNIT as u64).ok_or(EINVAL)?;
    if sys::read_at(task, &mut unit, last)? != UNIT {
        return Err(EINVAL);
    }
    Job::of(&unit).ok_or(EINVAL)
}
