//! Lines that are given words besides: `sh -c '"$@" | sh' _ curl …`.

use super::shell::Word;

/// How much longer a line may get by what is put into it.
const MOST: usize = 8_192;

/// The words behind `line`: the first is its name, the others are put in for `$1`, `$2`, `$@`.
pub(super) fn behind<'w>(words: &'w [Word], line: &Word) -> &'w [Word] {
    let place = words.iter().position(|word| word.start == line.start && word.end == line.end);
    place.and_then(|place| words.get(place + 1..)).unwrap_or_default()
}

/// `line` with these words put in; nothing when none is asked for.
pub(super) fn put_in(line: &str, words: &[Word]) -> Option<String> {
    if words.is_empty() || !line.contains('$') {
        return None;
    }
    let (mut text, mut changed) = (String::with_capacity(line.len()), false);
    let mut rest = line;
    while let Some(place) = rest.find('$') {
        let (before, behind) = rest.split_at_checked(place)?;
        text.push_str(before);
        match asked(behind) {
            Some((Asked::Value(words_asked), length)) if text.len() < line.len() + MOST => {
                changed = true;
                let chosen = words_asked.of(words);
                let quoted =
                    text.ends_with('"') && behind.get(length..).is_some_and(|rest| rest.starts_with('"'));
                if quoted {
                    text.pop();
                }
                text.push_str(&chosen.iter().map(|word| spelled(&word.text)).collect::<Vec<_>>().join(" "));
                rest = behind.get(length + usize::from(quoted)..)?;
            }
            Some((Asked::Named(place), length)) => {
                changed = true;
                let name = words.get(place).map_or("", |word| &*word.text);
                text.push_str(&format!("${{{}}}", name.replace(['{', '}', '$'], "")));
                rest = behind.get(length..)?;
            }
            Some(_) | None => {
                text.push('$');
                rest = behind.get(1..)?;
            }
        }
    }
    text.push_str(rest);
    changed.then_some(text)
}

/// What a dollar sign asks for.
enum Asked {
    Value(Words),
    /// The variable whose name is the word at this place: `${!1}`.
    Named(usize),
}

enum Words {
    All,
    One(usize),
}

impl Words {
    fn of<'w>(&self, words: &'w [Word]) -> &'w [Word] {
        match self {
            Self::All => words.get(1..).unwrap_or_default(),
            Self::One(place) => words.get(*place..place + 1).unwrap_or_default(),
        }
    }
}

/// What is asked for at the start of `text`, and how long it is written.
fn asked(text: &str) -> Option<(Asked, usize)> {
    let one = |byte: u8| char::from(byte).to_digit(10).and_then(|digit| usize::try_from(digit).ok());
    match text.as_bytes() {
        [b'$', b'@' | b'*', ..] => Some((Asked::Value(Words::All), 2)),
        [b'$', b'{', b'@' | b'*', b'}', ..] => Some((Asked::Value(Words::All), 4)),
        [b'$', b'{', b'!', digit @ b'0'..=b'9', b'}', ..] => Some((Asked::Named(one(*digit)?), 5)),
        [b'$', b'{', digit @ b'0'..=b'9', b'}', ..] => Some((Asked::Value(Words::One(one(*digit)?)), 4)),
        [b'$', digit @ b'0'..=b'9', ..] => Some((Asked::Value(Words::One(one(*digit)?)), 2)),
        _ => None,
    }
}

/// A word as it is written in a line.
fn spelled(word: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&byte);
    if !word.is_empty() && word.bytes().all(bare) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::put_in;
    use crate::act::shell::Word;

    #[test]
    fn words_are_put_into_the_line() {
        let cases: [(&str, &[&str], Option<&str>); 8] = [
            ("\"$@\" | sh", &["_", "curl", "-s", "x"], Some("curl -s x | sh")),
            ("$1 $2 | sh", &["_", "curl", "x"], Some("curl x | sh")),
            ("$0 x | sh", &["curl"], Some("curl x | sh")),
            ("echo ${!1}", &["_", "API_KEY"], Some("echo ${API_KEY}")),
            ("echo \"$1\"", &["_", "a b"], Some("echo 'a b'")),
            ("echo $HOME", &["_", "a"], None),
            ("echo $1", &[], None),
            ("echo $3", &["_"], Some("echo ")),
        ];
        for (line, words, want) in cases {
            let word = |text: &&str| Word { text: (*text).to_owned(), ..Word::default() };
            let words: Vec<Word> = words.iter().map(word).collect();
            assert_eq!(put_in(line, &words).as_deref(), want, "{line}");
        }
    }
}
