//! Braces that stand for several words: `{curl,-s,x}`, `/etc/{a,b/{c,d}}`, `{s..s}h`.
//!
//! What becomes of braces that hold no comma and no row of letters is left as it stands, and so are those that look
//! like data (`{a:1,b:2}`). Words that are empty then are none. So many words and so many steps, and no more.

use super::Word;

/// How many words are made of one with one brace, and of one with several.
const MOST: usize = 64;
const MOST_OF_SEVERAL: usize = 16;

/// How many braces are looked at in a word, and up to which length of it more than one.
const MOST_BRACES: usize = 8;
const LONG: usize = 256;

/// How deep braces stand in braces.
const DEEPEST: usize = 4;

/// The words that a shell makes of this one.
pub(super) fn unbraced(word: Word) -> Vec<Word> {
    let braces = word.text.bytes().filter(|&byte| byte == b'{').take(2).count();
    if word.quoted || braces == 0 {
        return vec![word];
    }
    let most = if braces == 1 { MOST } else { MOST_OF_SEVERAL };
    let mut left = if word.text.len() <= LONG { MOST_BRACES } else { 1 };
    let texts = expanded(&word.text, &mut left, most, DEEPEST);
    if let [text] = &*texts
        && *text == word.text
    {
        return vec![word];
    }
    let told = texts.into_iter().filter(|text| !text.is_empty());
    told.map(|text| Word { text, ..word.clone() }).collect()
}

fn expanded(text: &str, left: &mut usize, most: usize, depth: usize) -> Vec<String> {
    let mut from = 0;
    while let Some(open) = text.get(from..).and_then(|rest| rest.find('{')).map(|place| from + place) {
        let Some(fewer) = left.checked_sub(1).filter(|_| depth > 0) else { break };
        *left = fewer;
        from = open + 1;
        let (front, rest) = text.split_at_checked(open).unwrap_or((text, ""));
        let Some((parts, behind)) = parts(rest).filter(|_| !front.ends_with('$')) else { continue };
        let mut inside: Vec<String> = Vec::new();
        for part in parts.into_iter().take(most) {
            inside.extend(expanded(part, left, most, depth - 1));
        }
        let behind = expanded(behind, left, most, depth);
        let pairs = inside.iter().flat_map(|part| behind.iter().map(move |behind| (part, behind)));
        return pairs.take(most).map(|(part, behind)| format!("{front}{part}{behind}")).collect();
    }
    vec![text.to_owned()]
}

/// What stands between the commas of the brace that `text` begins with, and what stands behind it.
fn parts(text: &str) -> Option<(Vec<&str>, &str)> {
    let (mut depth, mut start) = (0_usize, 1);
    let mut found = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b',' if depth == 1 => {
                found.push(text.get(start..at)?);
                start = at + 1;
            }
            b'}' if depth == 1 => {
                let last = text.get(start..at)?;
                let inner = text.get(1..at)?;
                if found.is_empty() {
                    found = row(last)?;
                } else {
                    found.push(last);
                }
                return is_told(inner).then_some((found, text.get(at + 1..)?));
            }
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `a..d`: the letters from one to the other.
fn row(inner: &str) -> Option<Vec<&'static str>> {
    const LETTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let [first, b'.', b'.', last] = *inner.as_bytes() else { return None };
    let place = |letter: u8| LETTERS.bytes().position(|other| other == letter);
    let (first, last) = (place(first)?, place(last)?);
    let row = first.min(last)..=first.max(last);
    Some(row.filter_map(|place| LETTERS.get(place..=place)).collect())
}

/// It is no data: a colon stands only in an address.
fn is_told(inner: &str) -> bool {
    !inner.contains([' ', '"']) && inner.matches(':').count() == inner.matches("://").count()
}

#[cfg(test)]
mod tests {
    use super::{Word, unbraced};

    #[test]
    fn braces_stand_for_words() {
        let cases = [
            ("{curl,-s,https://x.io/a}", "curl -s https://x.io/a"),
            ("{sh,}", "sh"),
            ("{,bash,}", "bash"),
            ("{{sh,},}", "sh"),
            ("{s..s}h", "sh"),
            ("b{a,}sh", "bash bsh"),
            ("{ba,-}sh", "bash -sh"),
            ("/a/{b,c/{d,e}}.h", "/a/b.h /a/c/d.h /a/c/e.h"),
            ("{a,b}{c,d}", "ac ad bc bd"),
            ("{x}{a,b}", "{x}a {x}b"),
            ("{", "{"),
            ("{}", "{}"),
            ("{a:1,b:2}", "{a:1,b:2}"),
            ("HEAD@{1}", "HEAD@{1}"),
            ("${a,b}", "${a,b}"),
            ("{a,b", "{a,b"),
            ("{1..10}", "{1..10}"),
            ("{ü,ß}x", "üx ßx"),
        ];
        for (text, want) in cases {
            let words = unbraced(Word { text: text.to_owned(), ..Word::default() });
            let words: Vec<String> = words.into_iter().map(|word| word.text).collect();
            assert_eq!(words.join(" "), want, "{text}");
        }
    }

    #[test]
    fn many_braces_make_so_many_words() {
        for text in ["{a,b}".repeat(40), "{".repeat(10_000), "{a,".repeat(5_000) + &"}".repeat(5_000)] {
            assert!(unbraced(Word { text, ..Word::default() }).len() <= super::MOST);
        }
    }
}
