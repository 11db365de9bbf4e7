//! Tiles: how a log lies in files.
//!
//! The layout is that of C2SP tlog-tiles. Entries lie in bundles of 256, and the hashes of the tree in
//! tiles of 256: those of level 0 are the hashes of entries, those of a level above are the roots of full
//! tiles of the level below. Only the last tile of each kind may have fewer; its path says how many.

use std::fmt;
use std::ops::RangeInclusive;

/// How many entries or hashes a full tile has.
pub const WIDTH: u64 = 256;

/// What a tile has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Entries, as a bundle.
    Entries,
    /// Hashes of the tree, each over `256` to the power of `level` entries.
    Hashes {
        /// The level.
        level: u8,
    },
}

/// One file of a log. Shown as its path below the folder of the log.
///
/// ```
/// use verify::tiles::{Kind, Tile};
///
/// let paths: Vec<String> = Tile::of_log(Kind::Entries, 300).map(|tile| tile.to_string()).collect();
/// assert_eq!(paths, ["tile/entries/000", "tile/entries/001.p/44"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    kind: Kind,
    index: u64,
    // From 1 to 256.
    width: u64,
}

impl Tile {
    /// The tile of this kind with this number and width. Nothing for a width that no tile has.
    #[must_use]
    pub fn new(kind: Kind, index: u64, width: u64) -> Option<Self> {
        (1..=WIDTH).contains(&width).then_some(Self { kind, index, width })
    }

    /// The tiles of this kind that a log with so many entries has, from the left.
    pub fn of_log(kind: Kind, size: u64) -> impl Iterator<Item = Self> {
        let things = match kind {
            Kind::Entries => size,
            Kind::Hashes { level } => size.checked_shr(BITS * u32::from(level)).unwrap_or(0),
        };
        let (full, rest) = (things / WIDTH, things % WIDTH);
        let last = (rest > 0).then_some(Self { kind, index: full, width: rest });
        (0..full).map(move |index| Self { kind, index, width: WIDTH }).chain(last)
    }

    /// What it has.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Which one it is among those of its kind.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// How many entries or hashes it has, from 1 to 256.
    #[must_use]
    pub const fn width(&self) -> u64 {
        self.width
    }

    /// The places of the entries that are in it, or below its hashes.
    #[must_use]
    pub fn entries(&self) -> RangeInclusive<u64> {
        let first = self.index.saturating_mul(WIDTH).saturating_mul(self.span());
        first..=first.saturating_add(self.width.saturating_mul(self.span()) - 1)
    }

    /// The places of the entries below the hash at `place`, or that of the entry there.
    #[must_use]
    pub fn entries_below(&self, place: u64) -> RangeInclusive<u64> {
        let first = self.entries().start().saturating_add(place.saturating_mul(self.span()));
        first..=first.saturating_add(self.span() - 1)
    }

    /// How many entries are below each thing in it. One at least.
    fn span(&self) -> u64 {
        match self.kind {
            Kind::Entries => 1,
            Kind::Hashes { level } => WIDTH.saturating_pow(u32::from(level)),
        }
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Entries => f.write_str("tile/entries/")?,
            Kind::Hashes { level } => write!(f, "tile/{level}/")?,
        }
        let mut groups = vec![self.index % 1000];
        let mut above = self.index / 1000;
        while above > 0 {
            groups.push(above % 1000);
            above /= 1000;
        }
        for (left, group) in groups.iter().enumerate().rev() {
            if left > 0 { write!(f, "x{group:03}/")? } else { write!(f, "{group:03}")? }
        }
        if self.width < WIDTH { write!(f, ".p/{}", self.width) } else { Ok(()) }
    }
}

/// The entries of a bundle, from the first. Behind an error there is nothing more.
#[derive(Clone, Debug)]
pub struct Bundle<'a> {
    rest: &'a [u8],
    read: u64,
}

/// A bundle ends inside an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it ends inside its entry {0}")]
pub struct CutShort(
    /// Which one, the first being 0.
    pub u64,
);

/// An entry is too long for a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an entry of {0} bytes is too long, the most are 65535")]
pub struct TooLong(pub usize);

impl<'a> Bundle<'a> {
    /// The entries in these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, read: 0 }
    }

    /// Writes one entry behind those that are in `bundle`.
    ///
    /// # Errors
    /// When the entry is too long. Then nothing was written.
    pub fn write(bundle: &mut Vec<u8>, entry: &[u8]) -> Result<(), TooLong> {
        let length = u16::try_from(entry.len()).map_err(|_| TooLong(entry.len()))?;
        bundle.extend(length.to_be_bytes());
        bundle.extend(entry);
        Ok(())
    }
}

impl<'a> Iterator for Bundle<'a> {
    type Item = Result<&'a [u8], CutShort>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let split = self
            .rest
            .split_first_chunk()
            .and_then(|(&length, rest)| rest.split_at_checked(usize::from(u16::from_be_bytes(length))));
        let number = self.read;
        self.read += 1;
        match split {
            Some((entry, rest)) => {
                self.rest = rest;
                Some(Ok(entry))
            }
            None => {
                self.rest = &[];
                Some(Err(CutShort(number)))
            }
        }
    }
}

/// Each level has 256 times fewer hashes than the one below.
const BITS: u32 = WIDTH.trailing_zeros();
