//! All connections of one wire.

use super::stream::{Life, Local, Moved, Stream};
use super::{HEAD, MOST_DATA, ROOM, STREAMS, WINDOW, kind};

/// Which end of the wire this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The gate, which connections reach.
    Gate,
    /// The machine, from which they come.
    Machine,
}

/// Bytes of the largest frame. Nothing is read while there is no room for it: many small frames take longer.
const WHOLE: usize = HEAD + MOST_DATA;

/// Bytes that wait for the wire at most.
const OUTGOING: usize = 2 * WHOLE;

/// All connections of one wire.
#[derive(Debug)]
pub struct Tunnel<'m, L> {
    side: Side,
    streams: [Stream<'m, L>; STREAMS],
    /// The head of a frame, as far as it came.
    head: [u8; HEAD],
    came: usize,
    /// The stream whose data comes now, and how much of it.
    coming: (usize, usize),
    outgoing: [u8; OUTGOING],
    first: usize,
    end: usize,
    /// Who is asked first next time.
    turn: usize,
}

impl<'m, L: Local> Tunnel<'m, L> {
    /// A tunnel without a connection. Nothing where there is not enough room.
    #[must_use]
    pub fn new(side: Side, room: &'m mut [u8]) -> Option<Self> {
        let mut rooms = room.get_mut(..ROOM)?.chunks_exact_mut(WINDOW);
        // Every stream has its part: there are as many of them.
        let streams = core::array::from_fn(|_| Stream::new(rooms.next().unwrap_or_default()));
        Some(Self {
            side,
            streams,
            head: [0; HEAD],
            came: 0,
            coming: (0, 0),
            outgoing: [0; OUTGOING],
            first: 0,
            end: 0,
            turn: 0,
        })
    }

    /// Is there room for one more connection?
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.streams.iter().any(|stream| stream.life == Life::Free)
    }

    /// A connection from inside. It is dropped where there is no room.
    pub fn add(&mut self, local: L) {
        if let Some(stream) = self.streams.iter_mut().find(|stream| stream.life == Life::Free) {
            stream.open(Life::New, Some(local));
        }
    }

    /// Bytes came over the wire. `connect` gives the connection of a stream that the other side opened, or
    /// nothing, which the other side is told.
    ///
    /// # Errors
    /// When they cannot be; then the wire is of no use any more.
    pub fn take(
        &mut self,
        mut bytes: &[u8],
        connect: &mut dyn FnMut() -> Option<L>,
    ) -> Result<(), &'static str> {
        while !bytes.is_empty() {
            let (stream, left) = self.coming;
            if left > 0 {
                let (data, rest) = bytes.split_at(left.min(bytes.len()));
                bytes = rest;
                self.coming.1 -= data.len();
                let stream = self.streams.get_mut(stream).ok_or("a stream that cannot be")?;
                if !stream.put(data) {
                    return Err("more data than there is room for");
                }
                stream.deliver();
                continue;
            }
            let (byte, rest) = bytes.split_first().unwrap_or((&0, &[]));
            bytes = rest;
            if let Some(place) = self.head.get_mut(self.came) {
                *place = *byte;
            }
            self.came += 1;
            if self.came == HEAD {
                self.came = 0;
                self.frame(connect)?;
            }
        }
        Ok(())
    }

    fn frame(&mut self, connect: &mut dyn FnMut() -> Option<L>) -> Result<(), &'static str> {
        let [kind, number, low, high] = self.head;
        let (number, count) = (usize::from(number), usize::from(u16::from_le_bytes([low, high])));
        let stream = self.streams.get_mut(number).ok_or("a stream that cannot be")?;
        match kind {
            kind::OPEN if self.side == Side::Gate && stream.life == Life::Free && count == 0 => {
                let local = connect();
                stream.open(Life::Open, local);
                Ok(())
            }
            kind::OPEN => Err("a stream that cannot be opened"),
            kind::DATA if (1..=MOST_DATA).contains(&count) && stream.announce(count) => {
                self.coming = (number, count);
                Ok(())
            }
            kind::DATA => Err("data that cannot be there"),
            kind::TAKEN if stream.give(count) => Ok(()),
            kind::TAKEN => Err("more was taken than was sent"),
            kind::END if count == 0 && stream.hear_end() => Ok(()),
            kind::END => Err("an end that cannot be there"),
            kind::GONE if count == 0 && stream.hear_gone() => Ok(()),
            kind::GONE => Err("a stream that was gone before"),
            _ => Err("a frame of an unknown kind"),
        }
    }

    /// What of a stream is to be waited for: the connection, whether to read, whether to write. Nothing where
    /// nothing can happen.
    #[must_use]
    pub fn interest(&self, stream: usize) -> Option<(&L, bool, bool)> {
        let stream = self.streams.get(stream)?;
        let local = stream.local.as_ref()?;
        let (reads, writes) = (stream.wanted() > 0 && self.room() >= WHOLE, stream.has_waiting());
        // One that has ended is asked whether it is gone altogether.
        (reads || writes || stream.ended).then_some((local, reads, writes))
    }

    /// Something happened to the connection of a stream: it can be read or written, or it is gone altogether.
    pub fn ready(&mut self, stream: usize, reads: bool, writes: bool, gone: bool) {
        let room = self.room();
        let Some(own) = self.streams.get_mut(stream) else { return };
        if writes || gone {
            own.deliver();
        }
        let most = own.wanted().min(MOST_DATA);
        if (reads || gone)
            && most > 0
            && room >= WHOLE
            && let Some(local) = &mut own.local
            && let Some(into) = self.outgoing.get_mut(self.end + HEAD..self.end + HEAD + most)
        {
            match local.read(into) {
                Moved::Bytes(count) => {
                    own.spend(count);
                    self.say(kind::DATA, stream, u16::try_from(count).unwrap_or(0));
                    self.end += count;
                }
                Moved::Later => {}
                Moved::Over => own.ended = true,
                Moved::Lost => own.lose(),
            }
        } else if gone && own.ended {
            // It read all that it wanted to, and sends nothing: nobody is there.
            own.lose();
        }
    }

    /// Room behind what waits for the wire.
    const fn room(&self) -> usize {
        OUTGOING - self.end
    }

    /// Puts the head of a frame behind what waits.
    fn say(&mut self, kind: u8, stream: usize, count: u16) {
        let [low, high] = count.to_le_bytes();
        let head = [kind, u8::try_from(stream).unwrap_or(u8::MAX), low, high];
        if let Some(to) = self.outgoing.get_mut(self.end..self.end + HEAD) {
            to.copy_from_slice(&head);
            self.end += HEAD;
        }
    }

    /// What is to be sent over the wire next.
    pub fn outgoing(&mut self) -> &[u8] {
        for turn in self.turn..self.turn + STREAMS {
            self.speak(turn % STREAMS);
        }
        self.turn = (self.turn + 1) % STREAMS;
        self.outgoing.get(self.first..self.end).unwrap_or_default()
    }

    /// So many bytes of it were sent.
    pub const fn sent(&mut self, count: usize) {
        self.first += count;
        if self.first >= self.end {
            (self.first, self.end) = (0, 0);
        }
    }

    /// Says all that is to be said of a stream beside its data, as far as there is room.
    fn speak(&mut self, number: usize) {
        while self.room() >= HEAD {
            let Some(stream) = self.streams.get_mut(number) else { return };
            stream.settle();
            let (kind, count) = if stream.life == Life::New {
                stream.life = Life::Open;
                (kind::OPEN, 0)
            } else if let Some(taken) = stream.tell_taken() {
                (kind::TAKEN, taken)
            } else if stream.ended && !stream.end_said && stream.life == Life::Open {
                stream.end_said = true;
                (kind::END, 0)
            } else if stream.local.is_none() && matches!(stream.life, Life::Open | Life::GoneThere) {
                let was_last = stream.life == Life::GoneThere;
                stream.life = if was_last { Life::Free } else { Life::GoneHere };
                (kind::GONE, 0)
            } else {
                return;
            };
            self.say(kind, number, count);
        }
    }
}
