//! Private keys in PEM and PGP armour.
//!
//! The header alone is a mention: prose about keys is full of it. With a body of base64 behind it,
//! it is a key, also when it is indented, quoted, on one line, or in JSON with literal `\n`.

use call::Span;

/// How far behind the header the body may start; headers of the block stand between.
const NEAREST: usize = 400;

/// Digits that make a body: so many, or so many with an end mark behind them.
const LONG: usize = 40;
const SHORT: usize = 16;

/// The block whose `-----BEGIN ` stands at `place`.
pub(super) fn find(text: &str, place: Span) -> Option<Span> {
    let rest = text.get(place.end..)?;
    let label = rest.get(..rest.bytes().take(64).position(|byte| byte == b'-')?)?;
    label.contains("PRIVATE KEY").then_some(())?;
    let header = place.end + label.len();
    let body = Body::read(text.as_bytes(), header);
    let real = body.digits >= LONG || (body.closed && body.digits >= SHORT);
    real.then_some(Span::new(place.start, body.end))
}

/// What stands between the header of a block and its end.
#[derive(Debug, Default)]
struct Body {
    digits: usize,
    // A short line was the last thing read: the end of the body, or no body at all.
    short_line: bool,
    closed: bool,
    end: usize,
}

impl Body {
    fn read(text: &[u8], header: usize) -> Self {
        let mut body = Self { end: header, ..Self::default() };
        let mut at = header + text.iter().skip(header).take_while(|&&byte| byte == b'-').count();
        while body.digits > 0 || at < header + NEAREST {
            let rest = text.get(at..).unwrap_or_default();
            match rest {
                [] | [b'.', b'.', ..] | [b'<', ..] => break,
                [b'-', ..] => {
                    body.closed = rest.starts_with(b"-----END");
                    break;
                }
                [b'\\', b'n' | b'r', ..] => at += 2,
                [byte, ..] if !is_digit(*byte) => {
                    // A header of the block: the rest of its line is no body.
                    if *byte == b':' {
                        at += rest.iter().take(NEAREST).position(|&byte| byte == b'\n').unwrap_or(1);
                        body.digits = 0;
                    }
                    at += 1;
                }
                _ => {
                    let length = rest.iter().take_while(|&&byte| is_digit(byte)).count();
                    at += length;
                    if !body.line(rest.get(..length).unwrap_or_default(), at) {
                        break;
                    }
                }
            }
        }
        body
    }

    /// Takes note of a stretch of digits that ends at `end`; false when the body ended before it.
    fn line(&mut self, digits: &[u8], end: usize) -> bool {
        let long = digits.len() >= 12 && !digits.iter().all(u8::is_ascii_lowercase);
        if self.short_line && self.digits >= LONG {
            return false;
        }
        if self.short_line || (!long && self.digits == 0) {
            self.digits = 0;
        }
        self.short_line = !long;
        if long {
            self.digits += digits.len();
        }
        if self.digits > 0 {
            self.end = end;
        }
        true
    }
}

const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
