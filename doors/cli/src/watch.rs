//! `toolgate check --watch`: checks what lies in drop folders, then whatever arrives.
//!
//! A document is checked once it is completely written: when its writer closes it, or when it is
//! renamed or linked into place. What is merely found lying there (at the start, in a new folder,
//! after the kernel lost count) might still be growing, so it is left alone until it has not
//! changed for a moment. Ends on SIGINT and SIGTERM, between two documents, never within one.

mod settling;
mod tree;

use std::collections::BTreeSet;
use std::os::fd::AsFd as _;
use std::path::PathBuf;

use rustix::io::Errno;

use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::find::Candidate;
use crate::interrupt::Interrupt;
use crate::session::{Session, Tally, Vanishing};
use crate::terminal::{Lost, reason, say, say_error};
use crate::visible::visible_path;

use settling::Settling;
use tree::{News, Tree};

/// Watches the folders until somebody ends it.
pub(crate) fn run(folders: &[PathBuf], session: &mut Session) -> Result<(), Lost> {
    let started = Interrupt::listen().and_then(|interrupt| {
        let skip = session.quarantine.as_ref().map(|quarantine| quarantine.id);
        Ok((interrupt, Tree::new(folders, skip)?))
    });
    let (interrupt, mut tree) = match started {
        Ok(started) => started,
        Err(error) => {
            say_error(&format!("the folders cannot be watched: {}", reason(&error)), hint(&error));
            session.tally.exit = Exit::CouldNot;
            return Ok(());
        }
    };
    let end = follow(session, &interrupt, &mut tree);
    say(&summary(folders.len(), &session.tally));
    end
}

fn follow(session: &mut Session, interrupt: &Interrupt, tree: &mut Tree) -> Result<(), Lost> {
    let clock = SystemClock;
    let mut settling = Settling::default();
    let mut due: Vec<Candidate> = settling.sort(tree.scan(), clock);
    loop {
        session.check(&due, Vanishing::IsFine, || interrupt.came())?;
        session.printer.flush()?;
        if interrupt.came() {
            return Ok(());
        }
        let news = match interrupt.wait(Some(tree.as_fd()), settling.wait(clock)) {
            Ok(()) => tree.news(),
            Err(error) => Err(error),
        };
        due = match news {
            Ok(News { finished, found, lost_root: None }) => {
                let mut finished: BTreeSet<PathBuf> = finished;
                finished.retain(|path| settling.is_news(path));
                let mut due: Vec<Candidate> = finished.into_iter().map(Candidate::File).collect();
                due.extend(settling.sort(found, clock));
                due.extend(settling.settled(clock));
                due
            }
            Ok(News { lost_root: Some(root), .. }) => {
                say_error(&format!("the watched folder {} is gone", visible_path(&root)), None);
                session.tally.exit = Exit::CouldNot;
                return Ok(());
            }
            Err(error) => {
                say_error(&format!("watching failed: {}", reason(&error)), hint(&error));
                session.tally.exit = Exit::CouldNot;
                return Ok(());
            }
        };
    }
}

fn hint(error: &std::io::Error) -> Option<&'static str> {
    let kind = error.kind();
    if kind == std::io::ErrorKind::StorageFull {
        Some("raise fs.inotify.max_user_watches with sysctl")
    } else if error.raw_os_error() == Some(Errno::MFILE.raw_os_error()) {
        Some("raise fs.inotify.max_user_instances with sysctl")
    } else {
        None
    }
}

fn summary(n_folders: usize, tally: &Tally) -> String {
    let Tally { n_accepted, n_rejected, n_errors, .. } = tally;
    let folders = if n_folders == 1 { "folder" } else { "folders" };
    format!("watched {n_folders} {folders}: {n_accepted} accepted, {n_rejected} rejected, {n_errors} errors")
}
