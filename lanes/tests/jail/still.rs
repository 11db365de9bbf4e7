//! A gate in a process of its own, which can be made to stand still with everything that it started.
//!
//! The real case is a laptop that is closed. What a test can do is to stop processes; then the clock goes
//! on, which is the harder case of the two.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// What the test that is the gate finds in its environment.
pub(crate) const TASK: &str = "TOOLGATE_TEST_STANDS_STILL";

/// What it says when it is about to begin.
pub(crate) const READY: &str = "about to begin";

/// What it puts in front of how it went.
pub(crate) const WENT: &str = "it went: ";

pub(crate) struct Gate {
    process: Child,
    says: BufReader<ChildStdout>,
    /// Everybody whom it ever had below it.
    seen: BTreeSet<u32>,
}

impl Drop for Gate {
    /// Also where a test fails: nobody is left standing.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Gate {
    /// Starts a test of this binary as a gate with a task, and waits until it is about to begin.
    pub(crate) fn start(test: &str, task: &str) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .env(TASK, task)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut says = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains(READY) {
            line.clear();
            assert_ne!(says.read_line(&mut line).unwrap(), 0, "it ended early");
        }
        Self { process, says, seen: BTreeSet::new() }
    }

    /// The processes below it that have not ended, with their names.
    pub(crate) fn below(&mut self) -> Vec<(u32, String)> {
        let all: Vec<(u32, u32, char, String)> = std::fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter_map(|entry| {
                let number = entry.file_name().to_str()?.parse().ok()?;
                let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
                let (name, rest) = stat.rsplit_once(')')?;
                let mut fields = rest.split_whitespace();
                let state = fields.next()?.chars().next()?;
                Some((number, fields.next()?.parse().ok()?, state, name.split_once('(')?.1.to_owned()))
            })
            .collect();
        let mut family = vec![(self.process.id(), String::new())];
        let mut next = 0;
        while let Some((above, _)) = family.get(next).cloned() {
            next += 1;
            let children = all.iter().filter(|(_, parent, state, _)| *parent == above && *state != 'Z');
            family.extend(children.map(|(number, _, _, name)| (*number, name.clone())));
        }
        family.remove(0);
        self.seen.extend(family.iter().map(|(number, _)| number));
        family
    }

    /// Waits until a program of this name runs below it, or does not any more.
    pub(crate) fn wait_for(&mut self, name: &str, there: bool) {
        let begun = Instant::now();
        while self.below().iter().any(|(_, other)| other.starts_with(name)) != there {
            assert!(begun.elapsed() < Duration::from_secs(60), "{name} {there}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn signal(number: u32, signal: Signal) {
        let process = Pid::from_raw(i32::try_from(number).unwrap()).unwrap();
        // Somebody below may have ended since it was seen.
        let _ = kill_process(process, signal);
    }

    /// The gate alone stands still while something happens.
    pub(crate) fn alone_still(&mut self, meanwhile: impl FnOnce(&mut Self)) {
        Self::signal(self.process.id(), Signal::STOP);
        meanwhile(self);
        Self::signal(self.process.id(), Signal::CONT);
    }

    /// It stands still with everybody below it for so long.
    pub(crate) fn all_still(&mut self, long: Duration) {
        Self::signal(self.process.id(), Signal::STOP);
        let mut stopped = BTreeSet::new();
        // Somebody may have been made while the others were stopped.
        loop {
            let new: Vec<u32> = self
                .below()
                .into_iter()
                .map(|(number, _)| number)
                .filter(|one| !stopped.contains(one))
                .collect();
            if new.is_empty() {
                break;
            }
            new.iter().for_each(|number| Self::signal(*number, Signal::STOP));
            stopped.extend(new);
        }
        std::thread::sleep(long);
        stopped.iter().for_each(|number| Self::signal(*number, Signal::CONT));
        Self::signal(self.process.id(), Signal::CONT);
    }

    /// How it went, when it and everybody below it is gone.
    pub(crate) fn went(mut self) -> String {
        let begun = Instant::now();
        while self.process.try_wait().unwrap().is_none() {
            if begun.elapsed() > Duration::from_secs(150) {
                let _ = self.process.kill();
                panic!("it never ended: {:?}", self.below());
            }
            self.below();
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut text = String::new();
        self.says.read_to_string(&mut text).unwrap();
        let lives = |number: &&u32| {
            let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
            stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
        };
        let left: Vec<&u32> = self.seen.iter().filter(lives).collect();
        assert!(left.is_empty(), "{left:?}");
        let went = text.lines().find_map(|line| line.split_once(WENT));
        went.unwrap_or_else(|| panic!("{text}")).1.to_owned()
    }
}
