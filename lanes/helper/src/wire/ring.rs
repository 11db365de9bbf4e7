//! Bytes that wait to be taken, in room that does not grow.

/// First in, first out.
#[derive(Debug)]
pub(super) struct Ring<'m> {
    room: &'m mut [u8],
    first: usize,
    held: usize,
}

impl<'m> Ring<'m> {
    pub(super) const fn new(room: &'m mut [u8]) -> Self {
        Self { room, first: 0, held: 0 }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.held == 0
    }

    pub(super) const fn clear(&mut self) {
        (self.first, self.held) = (0, 0);
    }

    /// Puts bytes behind the others; not when there is no room for all of them.
    pub(super) fn push(&mut self, bytes: &[u8]) -> bool {
        if bytes.len() > self.room.len() - self.held {
            return false;
        }
        let end = self.first + self.held;
        let end = if end < self.room.len() { end } else { end - self.room.len() };
        let (to_end, rest) = bytes.split_at(bytes.len().min(self.room.len() - end));
        for (place, part) in [(end, to_end), (0, rest)] {
            if let Some(to) = self.room.get_mut(place..place + part.len()) {
                to.copy_from_slice(part);
            }
        }
        self.held += bytes.len();
        true
    }

    /// The first of them, as far as they lie behind each other.
    pub(super) fn front(&self) -> &[u8] {
        let end = self.room.len().min(self.first + self.held);
        self.room.get(self.first..end).unwrap_or_default()
    }

    /// Forgets so many of the first.
    pub(super) fn take(&mut self, count: usize) {
        let count = count.min(self.held);
        self.held -= count;
        self.first += count;
        if self.first >= self.room.len() {
            self.first -= self.room.len();
        }
        if self.held == 0 {
            self.first = 0;
        }
    }
}
