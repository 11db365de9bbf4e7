//! Many connections over one wire: the way out of a machine of its own, which has no network device.
//!
//! Inside, programs connect to a socket of the loopback address; each connection is a stream on the wire,
//! and on the gate's side a connection to its proxy. Both sides speak in frames of four bytes: kind, stream,
//! and a number of two bytes, lowest first. Behind a frame of data come as many bytes as its number says.
//!
//! Neither side believes the other. A side may send as many bytes of a stream as there is room for on the
//! other side, and hears when some of them were taken; so a stream that stands still holds back nobody else,
//! and the memory of both sides is what it is from the beginning. A frame that cannot be there ends the wire.
//!
//! The same [`Tunnel`] is at both ends. It moves bytes and waits for nobody: whoever has it waits.

mod ring;
mod stream;
mod tunnel;

pub use stream::{Local, Moved};
pub use tunnel::{Side, Tunnel};

/// Streams at once. Each connection inside is one.
pub const STREAMS: usize = 32;

/// Bytes of a stream that a side holds for whoever is slow to take them.
pub const WINDOW: usize = 64 * 1024;

/// Bytes that a tunnel needs for all streams.
pub const ROOM: usize = STREAMS * WINDOW;

/// Bytes of data that one frame has at most.
pub const MOST_DATA: usize = 16 * 1024;

/// Bytes of a frame without its data.
pub const HEAD: usize = 4;

/// Kinds of frames.
pub mod kind {
    /// A new stream. Only the machine says this.
    pub const OPEN: u8 = 1;
    /// So many bytes of the stream follow.
    pub const DATA: u8 = 2;
    /// So many bytes were taken: there is room for as many more.
    pub const TAKEN: u8 = 3;
    /// No more data comes from this side.
    pub const END: u8 = 4;
    /// Nothing more comes from this side, and it takes nothing more. When both sides said so, the stream is
    /// free for another connection.
    pub const GONE: u8 = 5;
}
