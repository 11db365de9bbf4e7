//! A mail's body in quoted-printable: `=5F` is a byte, and `=` at the end of a line is nothing.
//!
//! Both signs are ordinary in programs, so a text counts only when it has a line that ends so in the middle of
//! a word and, besides, a byte that is written so.

use crate::view::View;

/// `text` as the mail shows it, or nothing when it is not written so.
pub(crate) fn unfolded(text: &str) -> Option<View<'static>> {
    let bytes = text.as_bytes();
    // Most texts have no such sign at all, and that is told sooner.
    memchr::memchr(b'=', bytes)?;
    memchr::memmem::find(bytes, b"=\n").or_else(|| memchr::memmem::find(bytes, b"=\r\n"))?;
    let signs = || memchr::memchr_iter(b'=', bytes);
    (signs().any(|at| soft_break(bytes, at).is_some()) && signs().any(|at| byte_at(bytes, at).is_some()))
        .then_some(())?;
    let mut view = View::with_capacity(bytes.len());
    let mut from = 0;
    for at in signs() {
        let (length, shown) = match (soft_break(bytes, at), byte_at(bytes, at)) {
            (Some(length), _) => (length, None),
            (None, Some(byte)) => (3, Some(char::from(byte))),
            (None, None) => continue,
        };
        if let Some(plain) = text.get(from..at).filter(|plain| !plain.is_empty()) {
            view.push(plain, from, at);
        }
        if let Some(shown) = shown {
            view.push(shown.encode_utf8(&mut [0; 4]), at, at + length);
        }
        from = at + length;
    }
    if let Some(plain) = text.get(from..).filter(|plain| !plain.is_empty()) {
        view.push(plain, from, text.len());
    }
    Some(view)
}

/// The length of the sign and the line end behind it, between two parts of a word.
fn soft_break(bytes: &[u8], at: usize) -> Option<usize> {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/');
    bytes.get(at.checked_sub(1)?).filter(|byte| word(byte))?;
    let behind = bytes.get(at + 1..)?;
    let length = if behind.starts_with(b"\r\n") { 2 } else { 1 };
    (behind.get(length - 1) == Some(&b'\n') && behind.get(length).is_some_and(word)).then_some(1 + length)
}

/// The printable byte that `=XX` stands for, with the capital digits that mail has.
fn byte_at(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = |at: usize| {
        let byte = bytes.get(at).filter(|byte| !byte.is_ascii_lowercase())?;
        char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
    };
    let byte = digit(at + 1)? << 4 | digit(at + 2)?;
    (byte.is_ascii_graphic() || byte == b' ').then_some(byte)
}

#[cfg(test)]
mod tests {
    use super::unfolded;

    #[test]
    fn a_mail_is_put_together() {
        let cases = [
            // written, shown
            ("ghp=5Fk3Jx=\nQ9v", Some("ghp_k3JxQ9v")),
            ("a=3Db=\r\nc=20d", Some("a=bc d")),
            ("x =\n  y=5F", None),
            ("sha=\nabc", None),
            ("a=10, b=2F", None),
            ("", None),
        ];
        for (written, want) in cases {
            assert_eq!(unfolded(written).as_ref().map(crate::view::View::text), want, "{written}");
        }
    }
}
