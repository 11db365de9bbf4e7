//! Questions about the bytes of a text, many of them at a time.
//!
//! All signs that mean something to YAML, Markdown and the rules are ASCII, and no byte of another
//! character is. A question that is asked without `&&`, `||` and `matches!` is asked of a whole block at
//! once; the others cost ten times as much.

/// How many bytes come before the first LF or CR: eight bytes at a time, because every rule reads
/// lines.
pub(crate) fn line_length(text: &str) -> usize {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    // The lowest bit of the result is the highest bit of the first byte that is 0.
    let zeros = |word: u64| word.wrapping_sub(EACH) & !word & (EACH << 7);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let ends = zeros(word ^ (EACH * u64::from(b'\n'))) | zeros(word ^ (EACH * u64::from(b'\r')));
        if ends != 0 {
            return index * 8 + ends.trailing_zeros() as usize / 8;
        }
    }
    let near = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    words.len() * 8 + near.unwrap_or(rest.len())
}

/// A control character other than the line ends.
///
/// Without `&&` and `||`, so that [`any_byte`] can ask it of many bytes at once.
pub(crate) fn is_control(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\n') & (byte != b'\r') | (byte == 0x7f)
}

/// Whether a text holds nothing but printable ASCII.
pub(crate) fn is_printable(text: &str) -> bool {
    !any_byte(text, |byte| !(b' '..=b'~').contains(&byte))
}

/// Bytes that are looked at together.
const BLOCK: usize = 16;

/// Whether any byte of `text` is one of these. Meant for ASCII: those bytes begin and end characters.
pub(crate) fn any_byte(text: &str, is_one: impl Fn(u8) -> bool) -> bool {
    let (blocks, rest) = text.as_bytes().as_chunks::<BLOCK>();
    blocks.iter().any(|block| holds(block, &is_one)) || rest.iter().any(|byte| is_one(*byte))
}

/// Where the first such byte of `text` stands.
pub(crate) fn first_byte(text: &str, is_one: impl Fn(u8) -> bool) -> Option<usize> {
    let (blocks, rest) = text.as_bytes().as_chunks::<BLOCK>();
    let (skipped, near) = match blocks.iter().position(|block| holds(block, &is_one)) {
        Some(at) => (at, blocks.get(at)?.as_slice()),
        None => (blocks.len(), rest),
    };
    near.iter().position(|byte| is_one(*byte)).map(|at| skipped * BLOCK + at)
}

/// Whether any two neighbours of `text` are such a pair. All of them are asked at once, as above.
pub(crate) fn any_pair(text: &str, is_one: impl Fn(u8, u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    pairs.fold(false, |found, (first, second)| found | is_one(*first, *second))
}

/// Every byte is asked, whatever the others say: so the compiler asks them all at once.
fn holds(block: &[u8; BLOCK], is_one: impl Fn(u8) -> bool) -> bool {
    block.iter().fold(false, |found, byte| found | is_one(*byte))
}
