//! Works on many things at once, and hands over the results in the order of the things.
//!
//! Workers never run far ahead of the reader of their results, so neither memory nor open files
//! grow with the number of things.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many portions may wait for their turn.
const AHEAD: usize = 32;

/// How many things a worker takes at once.
const LONGEST_PORTION: usize = 8;

/// Calls `work` for each of `things` and `take` for each result, in the order of `things`.
///
/// `work` gets a buffer of its own that is kept from one call to the next. A call of it that panics
/// gives `broken` instead: one hostile document must not keep the others from being checked.
pub(crate) fn in_order<Thing: Sync, Done: Send>(
    things: &[Thing],
    workers: usize,
    work: impl Fn(&Thing, &mut Vec<u8>) -> Done + Sync,
    broken: impl Fn(&Thing) -> Done + Sync,
    mut take: impl FnMut(Done) -> ControlFlow<()>,
) {
    let work = |thing: &Thing, buffer: &mut Vec<u8>| {
        catch_unwind(AssertUnwindSafe(|| work(thing, buffer))).unwrap_or_else(|_| broken(thing))
    };
    let workers = workers.min(things.len());
    if workers < 2 {
        let mut buffer = Vec::new();
        for thing in things {
            if take(work(thing, &mut buffer)).is_break() {
                return;
            }
        }
        return;
    }

    // Handing over one by one would cost more than small documents do.
    let size = (things.len() / (workers * 8)).clamp(1, LONGEST_PORTION);
    let portions: Vec<&[Thing]> = things.chunks(size).collect();
    let desk = Desk::default();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut buffer = Vec::new();
                while let Some((index, portion)) = desk.next(&portions) {
                    let done: Vec<Done> = portion.iter().map(|thing| work(thing, &mut buffer)).collect();
                    desk.deliver(index, done);
                }
            });
        }
        for index in 0..portions.len() {
            for done in desk.collect(index) {
                if take(done).is_break() {
                    desk.close();
                    return;
                }
            }
        }
    });
}

/// Where workers fetch what to do and leave what they did.
struct Desk<Done> {
    state: Mutex<State<Done>>,
    moved: Condvar,
}

struct State<Done> {
    next: usize,
    taken: usize,
    closed: bool,
    waiting: BTreeMap<usize, Done>,
}

impl<Done> Default for Desk<Done> {
    fn default() -> Self {
        let state = State { next: 0, taken: 0, closed: false, waiting: BTreeMap::new() };
        Self { state: Mutex::new(state), moved: Condvar::new() }
    }
}

impl<Done> Desk<Done> {
    fn lock(&self) -> MutexGuard<'_, State<Done>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, guard: MutexGuard<'a, State<Done>>) -> MutexGuard<'a, State<Done>> {
        self.moved.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    fn next<'a, Thing>(&self, things: &'a [Thing]) -> Option<(usize, &'a Thing)> {
        let mut state = self.lock();
        while !state.closed && state.next >= state.taken + AHEAD && state.next < things.len() {
            state = self.wait(state);
        }
        if state.closed {
            return None;
        }
        let index = state.next;
        state.next += 1;
        things.get(index).map(|thing| (index, thing))
    }

    fn deliver(&self, index: usize, done: Done) {
        self.lock().waiting.insert(index, done);
        self.moved.notify_all();
    }

    fn collect(&self, index: usize) -> Done {
        let mut state = self.lock();
        loop {
            if let Some(done) = state.waiting.remove(&index) {
                state.taken = index + 1;
                self.moved.notify_all();
                return done;
            }
            state = self.wait(state);
        }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::in_order;

    #[test]
    fn results_come_in_the_order_of_the_things_whoever_is_done_first() {
        let things: Vec<usize> = (0..2000).collect();
        for workers in [1, 2, 7] {
            let mut got = Vec::new();
            let take = |done| {
                got.push(done);
                ControlFlow::Continue(())
            };
            in_order(&things, workers, |&thing, _| thing * 2, |_| 0, take);
            assert!(got.iter().enumerate().all(|(index, &done)| done == index * 2), "{workers} workers");
            assert_eq!(got.len(), things.len());
        }
    }

    #[test]
    fn a_reader_who_leaves_ends_the_work() {
        let things: Vec<usize> = (0..100_000).collect();
        let mut n_taken = 0;
        let take = |_| {
            n_taken += 1;
            if n_taken == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        in_order(&things, 4, |_, _| (), |_| (), take);
        assert_eq!(n_taken, 10);
    }

    #[test]
    fn one_thing_that_breaks_the_work_leaves_the_others_alone() {
        let mut got = Vec::new();
        let work = |&thing: &i32, _: &mut Vec<u8>| if thing == 1 { panic!("as planned") } else { thing };
        let take = |done| {
            got.push(done);
            ControlFlow::Continue(())
        };
        in_order(&[0, 1, 2], 2, work, |_| -1, take);
        assert_eq!(got, [0, -1, 2]);
    }
}
