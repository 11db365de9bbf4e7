//! HTML entities, as far as they can hide something.
//!
//! Numbers in full; of the names only those of ASCII characters and of blanks. The other two
//! thousand names stand for characters that neither a credential nor a phrase is written with.

/// Names, and the characters they stand for.
const NAMES: &[(&str, char)] = &[
    ("amp", '&'),
    ("apos", '\''),
    ("ast", '*'),
    ("bsol", '\\'),
    ("colon", ':'),
    ("comma", ','),
    ("commat", '@'),
    ("dollar", '$'),
    ("equals", '='),
    ("excl", '!'),
    ("grave", '`'),
    ("gt", '>'),
    ("hyphen", '-'),
    ("lowbar", '_'),
    ("lpar", '('),
    ("lsqb", '['),
    ("lt", '<'),
    ("nbsp", ' '),
    ("NewLine", '\n'),
    ("num", '#'),
    ("percnt", '%'),
    ("period", '.'),
    ("plus", '+'),
    ("quot", '"'),
    ("rpar", ')'),
    ("rsqb", ']'),
    ("shy", '\u{ad}'),
    ("sol", '/'),
    ("Tab", '\t'),
    ("vert", '|'),
    ("zwj", '\u{200d}'),
    ("zwnj", '\u{200c}'),
    ("ZeroWidthSpace", '\u{200b}'),
    ("ensp", ' '),
    ("emsp", ' '),
    ("thinsp", ' '),
];

/// The character that the entity at the start of `text` stands for, and the length of the entity.
///
/// An ampersand that was itself encoded, once or many times over, counts as one: what is shown
/// after the last decoding is what matters.
pub(super) fn decode(text: &str) -> Option<(char, usize)> {
    let mut rest = text.strip_prefix('&')?;
    let mut shown = None;
    while let Some(behind) = rest.strip_prefix("amp;") {
        rest = behind;
        shown = Some(('&', text.len() - rest.len()));
    }
    let inner = match rest.strip_prefix('#') {
        Some(digits) => number(digits),
        None => name(rest),
    };
    let whole = inner.map(|(character, length)| (character, text.len() - rest.len() + length));
    whole.or(shown)
}

/// A character number behind `&#`, with or without its semicolon, as browsers read it.
fn number(digits: &str) -> Option<(char, usize)> {
    let (digits, radix, prefix) = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 2),
        None => (digits, 10, 1),
    };
    // Leading zeros may be many; more than this is nobody's spelling of a character.
    let length = digits.bytes().take(12).take_while(|&byte| char::from(byte).is_digit(radix)).count();
    let code = u32::from_str_radix(digits.get(..length)?, radix).ok()?;
    let semicolon = usize::from(digits.as_bytes().get(length) == Some(&b';'));
    Some((char::from_u32(code)?, prefix + length + semicolon))
}

fn name(rest: &str) -> Option<(char, usize)> {
    let length = rest.bytes().take(16).take_while(u8::is_ascii_alphabetic).count();
    let name = rest.get(..length)?;
    rest.get(length..)?.strip_prefix(';')?;
    NAMES.iter().find(|&&(known, _)| known == name).map(|&(_, character)| (character, length + 1))
}
