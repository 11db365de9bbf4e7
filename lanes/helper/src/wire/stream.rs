//! One connection, and how far it has come in both directions.

use super::WINDOW;
use super::ring::Ring;

/// A connection on this side of the wire. It never waits.
pub trait Local {
    /// Reads what is there.
    fn read(&mut self, into: &mut [u8]) -> Moved;
    /// Writes as much as is taken at once.
    fn write(&mut self, bytes: &[u8]) -> Moved;
    /// Says that nothing more is written.
    fn end(&mut self);
}

/// What came of reading or writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// So many bytes, and one at least.
    Bytes(usize),
    /// None now.
    Later,
    /// None ever again, because whoever is there ended in peace.
    Over,
    /// None ever again.
    Lost,
}

/// Bytes that must have been taken before the other side is told.
const WORTH_TELLING: usize = WINDOW / 4;

#[derive(Debug)]
pub(super) struct Stream<'m, L> {
    pub(super) life: Life,
    /// Nothing once it is closed here.
    pub(super) local: Option<L>,
    /// What came over the wire and is not taken yet.
    waiting: Ring<'m>,
    /// Bytes that the other side may still send.
    granted: usize,
    /// Bytes that were taken, of which the other side does not know.
    taken: usize,
    /// Bytes that this side may still send.
    credit: usize,
    /// The local side sends no more, and whether that was said.
    pub(super) ended: bool,
    pub(super) end_said: bool,
    /// The other side sends no more.
    other_ended: bool,
    /// That was passed on.
    end_passed_on: bool,
}

/// Where a stream is between its opening and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// Nobody has it.
    Free,
    /// Somebody connected, which the other side does not know.
    New,
    Open,
    /// This side said that it is gone.
    GoneHere,
    /// The other side said so.
    GoneThere,
}

impl<'m, L: Local> Stream<'m, L> {
    pub(super) const fn new(room: &'m mut [u8]) -> Self {
        Self {
            life: Life::Free,
            local: None,
            waiting: Ring::new(room),
            granted: WINDOW,
            taken: 0,
            credit: WINDOW,
            ended: false,
            end_said: false,
            other_ended: false,
            end_passed_on: false,
        }
    }

    pub(super) fn open(&mut self, life: Life, local: Option<L>) {
        self.waiting.clear();
        self.life = life;
        self.local = local;
        (self.granted, self.taken, self.credit) = (WINDOW, 0, WINDOW);
        (self.ended, self.end_said, self.other_ended, self.end_passed_on) = (false, false, false, false);
    }

    /// May the other side say anything of this stream but that it is gone?
    pub(super) fn speaks(&self) -> bool {
        matches!(self.life, Life::Open | Life::GoneHere)
    }

    /// A frame of data begins: not when the other side may not send so much.
    pub(super) fn announce(&mut self, count: usize) -> bool {
        let Some(left) = self.granted.checked_sub(count).filter(|_| self.speaks() && !self.other_ended)
        else {
            return false;
        };
        self.granted = left;
        true
    }

    /// Some data. Where nobody takes it any more, it is dropped, and its room is not given back.
    pub(super) fn put(&mut self, bytes: &[u8]) -> bool {
        self.local.is_none() || self.waiting.push(bytes)
    }

    /// The other side took so many bytes; not more than it was sent.
    pub(super) fn give(&mut self, count: usize) -> bool {
        let more = self.credit + count;
        let can_be = count > 0 && more <= WINDOW && self.speaks();
        if can_be {
            self.credit = more;
        }
        can_be
    }

    /// The other side sends no more; it says so once.
    pub(super) fn hear_end(&mut self) -> bool {
        let can_be = self.speaks() && !self.other_ended;
        self.other_ended = true;
        can_be
    }

    /// The other side is gone; it says so once.
    pub(super) fn hear_gone(&mut self) -> bool {
        self.other_ended = true;
        self.life = match self.life {
            Life::Open => Life::GoneThere,
            Life::GoneHere => Life::Free,
            Life::Free | Life::New | Life::GoneThere => return false,
        };
        true
    }

    /// Bytes that may be read from the local side now.
    pub(super) fn wanted(&self) -> usize {
        if self.local.is_some() && !self.ended && self.life == Life::Open { self.credit } else { 0 }
    }

    /// Is there something to write to the local side?
    pub(super) fn has_waiting(&self) -> bool {
        self.local.is_some() && !self.waiting.is_empty()
    }

    /// So many bytes were read from the local side for the wire.
    pub(super) fn spend(&mut self, count: usize) {
        self.credit = self.credit.saturating_sub(count);
    }

    /// Writes what waits.
    pub(super) fn deliver(&mut self) {
        while let Some(local) = &mut self.local
            && !self.waiting.is_empty()
        {
            match local.write(self.waiting.front()) {
                Moved::Bytes(count) => {
                    self.waiting.take(count);
                    self.taken += count;
                }
                Moved::Later => return,
                Moved::Over | Moved::Lost => self.lose(),
            }
        }
    }

    /// The local side is gone.
    pub(super) fn lose(&mut self) {
        self.local = None;
        self.waiting.clear();
    }

    /// Goes on where everything for a next step is there.
    pub(super) fn settle(&mut self) {
        if !self.waiting.is_empty() {
            return;
        }
        if self.other_ended && !self.end_passed_on {
            if let Some(local) = &mut self.local {
                local.end();
            }
            self.end_passed_on = true;
        }
        let done = self.end_said && self.end_passed_on;
        if done || self.life == Life::GoneThere {
            self.local = None;
        }
    }

    /// Bytes of which the other side is to be told that they were taken.
    pub(super) fn tell_taken(&mut self) -> Option<u16> {
        if self.life != Life::Open || self.other_ended || self.taken < WORTH_TELLING {
            return None;
        }
        let told = u16::try_from(self.taken).unwrap_or(u16::MAX);
        self.taken -= usize::from(told);
        self.granted += usize::from(told);
        Some(told)
    }
}
