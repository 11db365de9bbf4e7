//! Private keys whose number begins with zero bytes, in the form that the reader of keys takes.
//!
//! OpenSSH writes a number without the zeros in front of it. One of two P-521 keys has such a number, and one
//! of 256 others; the reader expects as many bytes as the curve has. Only the zeros are put back.

use data_encoding::BASE64;

use super::envelope::string;

const MAGIC: &[u8] = b"openssh-key-v1\0";
const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";

/// The bytes of the key in a file, with the zeros; nothing when it is no open key on a curve.
pub(super) fn with_zeros(file: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(file).ok()?;
    let body: String = text.split_once(BEGIN)?.1.split_once(END)?.0.split_ascii_whitespace().collect();
    let bytes = BASE64.decode(body.as_bytes()).ok()?;
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let (cipher, derivation, options) = (take(&mut rest)?, take(&mut rest)?, take(&mut rest)?);
    let (count, after) = rest.split_first_chunk::<4>()?;
    rest = after;
    let (public, private) = (take(&mut rest)?, take(&mut rest)?);
    if cipher != b"none" || *count != [0, 0, 0, 1] {
        return None;
    }
    let (check, mut inside) = private.split_at_checked(8)?;
    let (kind, curve) = (take(&mut inside)?, take(&mut inside)?);
    let size = match curve {
        b"nistp256" => 32,
        b"nistp384" => 48,
        b"nistp521" => 66,
        _ => return None,
    };
    let (point, number, remark) = (take(&mut inside)?, take(&mut inside)?, take(&mut inside)?);
    let zeros = vec![0; size_of_zeros(size, number.len())?];
    let number = [zeros.as_slice(), number].concat();
    let words = [kind, curve, point, &number, remark].map(string).concat();
    let mut section = [check, &words].concat();
    section.extend((1..).take((8 - section.len() % 8) % 8));
    let head = [cipher, derivation, options].map(string).concat();
    Some([MAGIC, &head, count, &string(public), &string(&section)].concat())
}

fn size_of_zeros(size: usize, length: usize) -> Option<usize> {
    size.checked_sub(length).filter(|zeros| *zeros > 0)
}

/// Takes a text with its length in front.
fn take<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let (text, after) = after.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
    *rest = after;
    Some(text)
}
