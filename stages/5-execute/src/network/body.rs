//! The body of an answer: where it ends, and how it is unpacked.
//!
//! Bytes are counted as they come and again as they are unpacked, while they are: a body that grows without
//! bound ends at the cap, whatever it claims.

use std::io::{self, BufRead, Read};

use call::Fault;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::Budget;
use super::head::{self, Head, protocol};

/// How a body ends.
#[derive(Debug, PartialEq, Eq)]
enum Framing {
    Nothing,
    Length(u64),
    Chunked,
    UntilClose,
}

/// A body that was taken.
pub(super) struct Taken {
    pub(super) bytes: Vec<u8>,
    pub(super) truncated: bool,
}

/// Takes a body, up to so many bytes.
pub(super) fn take(
    from: &mut impl BufRead,
    head: &Head,
    method: &str,
    most: usize,
    budget: &Budget<'_>,
) -> Result<Taken, Fault> {
    let framing = framing(head, method)?;
    if framing == Framing::Nothing {
        return Ok(Taken { bytes: Vec::new(), truncated: false });
    }
    let mut body = Body { from, framing, chunk: 0, begun: false, broken: None, budget };
    let mut came = Counted { from: &mut body, left: most as u64, over: false };
    let encodings: Vec<String> = head
        .all("content-encoding")
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .filter(|name| !name.is_empty() && name != "identity")
        .collect();
    let mut bytes = Vec::new();
    let cap = most as u64 + 1;
    let read = match encodings.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["gzip" | "x-gzip"] => MultiGzDecoder::new(&mut came).take(cap).read_to_end(&mut bytes),
        ["deflate"] => inflate(&mut came, cap, &mut bytes),
        // What nobody asked for is given as it is, and described like anything else that is no text.
        _ => (&mut came).take(cap).read_to_end(&mut bytes),
    };
    let over = came.over;
    if let Some(fault) = body.broken.take() {
        return Err(fault);
    }
    let truncated = over || bytes.len() > most;
    if let Err(error) = read
        && !truncated
    {
        return Err(budget.fault("protocol", "the body of the answer cannot be unpacked", &error));
    }
    bytes.truncate(most);
    Ok(Taken { bytes, truncated })
}

/// What is called deflate is zlib by the standard, and bare by the habit of some servers.
fn inflate(from: &mut impl Read, cap: u64, into: &mut Vec<u8>) -> io::Result<usize> {
    let mut first = Vec::new();
    from.by_ref().take(2).read_to_end(&mut first)?;
    let zlib = matches!(first.as_slice(), &[one, two] if one & 0x0f == 8 && (u16::from(one) << 8 | u16::from(two)) % 31 == 0);
    let all = first.as_slice().chain(from);
    if zlib {
        ZlibDecoder::new(all).take(cap).read_to_end(into)
    } else {
        DeflateDecoder::new(all).take(cap).read_to_end(into)
    }
}

/// Where the body ends (RFC 9112, 6.3). What two readers could read in two ways is no answer.
fn framing(head: &Head, method: &str) -> Result<Framing, Fault> {
    if method == "HEAD" || matches!(head.status, 204 | 304) {
        return Ok(Framing::Nothing);
    }
    let transfer: Vec<String> = head
        .all("transfer-encoding")
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .filter(|name| !name.is_empty())
        .collect();
    if !transfer.is_empty() {
        return match transfer.as_slice() {
            [only] if only == "chunked" && head.minor >= 1 => Ok(Framing::Chunked),
            _ => Err(protocol("its body is packed in a way that nobody asked for")),
        };
    }
    let mut lengths = head.all("content-length").flat_map(|value| value.split(',')).map(str::trim);
    let Some(first) = lengths.next() else { return Ok(Framing::UntilClose) };
    let digits = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    match first.parse() {
        Ok(length) if digits && lengths.all(|other| other == first) => Ok(Framing::Length(length)),
        _ => Err(protocol("it has more than one length")),
    }
}

/// Counts bytes as they come, and stops at the cap.
struct Counted<'a, R> {
    from: &'a mut R,
    left: u64,
    over: bool,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            // Whether there is one more is the difference between a full body and one that is cut.
            let mut one = [0];
            self.over = self.from.read(&mut one)? > 0;
            return Ok(0);
        }
        let room = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
        let count = self.from.read(bytes.get_mut(..room).unwrap_or_default())?;
        self.left -= count as u64;
        Ok(count)
    }
}

/// A body as it comes.
struct Body<'a, R> {
    from: &'a mut R,
    framing: Framing,
    /// Bytes left of a chunk.
    chunk: u64,
    begun: bool,
    /// What was wrong, in words; the error of a reader has no room for them.
    broken: Option<Fault>,
    budget: &'a Budget<'a>,
}

impl<R: BufRead> Read for Body<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if bytes.is_empty() || self.broken.is_some() {
            return Ok(0);
        }
        self.some(bytes).map_err(|fault| {
            self.broken = Some(fault);
            io::ErrorKind::InvalidData.into()
        })
    }
}

impl<R: BufRead> Body<'_, R> {
    fn some(&mut self, bytes: &mut [u8]) -> Result<usize, Fault> {
        match self.framing {
            Framing::Nothing => Ok(0),
            Framing::UntilClose => match self.from.read(bytes) {
                // Many servers end TLS by ending the connection, and this body says nothing of its length.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
                read => read.map_err(|error| self.broke_off(&error)),
            },
            Framing::Length(0) => Ok(0),
            Framing::Length(left) => {
                let count = self.part(bytes, left)?;
                self.framing = Framing::Length(left - count as u64);
                Ok(count)
            }
            Framing::Chunked => {
                if self.chunk == 0 {
                    self.chunk = self.next_chunk()?;
                }
                if self.chunk == 0 {
                    self.framing = Framing::Nothing;
                    return Ok(0);
                }
                let count = self.part(bytes, self.chunk)?;
                self.chunk -= count as u64;
                Ok(count)
            }
        }
    }

    fn part(&mut self, bytes: &mut [u8], left: u64) -> Result<usize, Fault> {
        let room = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        let read = self.from.read(bytes.get_mut(..room).unwrap_or_default());
        match read.map_err(|error| self.broke_off(&error))? {
            0 => Err(protocol("it ended early")),
            count => Ok(count),
        }
    }

    /// The size of the next chunk; behind the last one come headers that nobody wants.
    fn next_chunk(&mut self) -> Result<u64, Fault> {
        if self.begun && !self.line()?.is_empty() {
            return Err(protocol("a chunk does not end where it should"));
        }
        self.begun = true;
        let line = self.line()?;
        let digits = line.split(';').next().unwrap_or_default().trim();
        let fits =
            !digits.is_empty() && digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let size = u64::from_str_radix(digits, 16).ok().filter(|_| fits);
        let size = size.ok_or_else(|| protocol("a chunk has no size"))?;
        if size == 0 {
            for _ in 0..100 {
                if self.line()?.is_empty() {
                    return Ok(0);
                }
            }
            return Err(protocol("it has no end"));
        }
        Ok(size)
    }

    fn line(&mut self) -> Result<String, Fault> {
        let mut line = Vec::new();
        head::line(self.from, &mut line, 4_096, self.budget)?;
        let line = String::from_utf8(line).map_err(|_| protocol("a chunk has no size"))?;
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }

    fn broke_off(&self, error: &io::Error) -> Fault {
        self.budget.fault("protocol", "the answer broke off", error)
    }
}
