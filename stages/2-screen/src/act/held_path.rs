//! A program with the values of variables put in that hold the beginning of a path: `p = '/etc'`, `open(p + '/shadow')`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use call::Span;
use regex::bytes::Regex;

use super::{compiled, source};

/// How many variables are followed, and how much longer a program may get by them.
const MOST: usize = 32;
const LONGEST: usize = 16_384;

/// The program, and where everything in it stood.
pub(super) struct PutIn {
    pub(super) text: String,
    // Places in it, and where they were.
    seams: Vec<(usize, usize)>,
}

impl PutIn {
    /// Nothing when no variable holds such a thing, or none of them is used.
    pub(super) fn of(text: &str) -> Option<Self> {
        let values = values(text);
        if values.is_empty() {
            return None;
        }
        let (mut put_in, mut seams, mut end) = (String::with_capacity(text.len()), Vec::new(), 0);
        for (place, word) in source::words(text) {
            let Some(value) = values.get(word).filter(|_| put_in.len() < text.len() + LONGEST) else {
                continue;
            };
            let (before, behind) = (text.get(..place)?, text.get(place + word.len()..)?);
            let braced = before.ends_with('{') && behind.starts_with('}');
            let used = before.ends_with(['(', ',', '+', ' ', '/'])
                && behind.trim_start().starts_with(['+', ',', ')', '/']);
            let (from, to, written) = if braced {
                let sign = usize::from(before.ends_with("${"));
                (place - 1 - sign, place + word.len() + 1, value.clone())
            } else if used {
                (place, place + word.len(), format!("'{value}'"))
            } else {
                continue;
            };
            put_in.push_str(text.get(end..from)?);
            put_in.push_str(&written);
            seams.push((put_in.len(), to));
            end = to;
        }
        put_in.push_str(text.get(end..)?);
        (!seams.is_empty()).then_some(Self { text: put_in, seams })
    }

    /// Where it stands in the program as it is written.
    pub(super) fn source(&self, span: Span) -> Span {
        let moved = |place: usize| {
            let before = self.seams.partition_point(|(seam, _)| *seam <= place);
            let last = before.checked_sub(1).and_then(|last| self.seams.get(last));
            last.map_or(place, |(seam, was)| was + (place - seam))
        };
        let start = moved(span.start);
        Span::new(start, moved(span.end).max(start))
    }
}

/// The variables that hold the beginning of a path.
fn values(text: &str) -> BTreeMap<String, String> {
    static VALUES: OnceLock<Option<Regex>> = OnceLock::new();
    let values = r#"\b([A-Za-z_]\w{0,40})\s{0,4}:?=\s{0,4}["']((?:/|~|\.\.)[\w./~-]{0,60})["']"#;
    let found =
        compiled(&VALUES, values).into_iter().flat_map(|values| values.captures_iter(text.as_bytes()));
    let pair = |captures: regex::bytes::Captures<'_>| {
        let shown = |place: usize| {
            captures.get(place).map(|part| String::from_utf8_lossy(part.as_bytes()).into_owned())
        };
        shown(1).zip(shown(2))
    };
    found.filter_map(pair).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::PutIn;

    #[test]
    fn values_stand_where_their_variables_do() {
        let cases = [
            ("p = '/etc'\nopen(p + '/a')", Some("p = '/etc'\nopen('/etc' + '/a')")),
            ("p = '/etc'\nopen(f'{p}/a')", Some("p = '/etc'\nopen(f'/etc/a')")),
            ("const p = '/etc'; read(`${p}/a`)", Some("const p = '/etc'; read(`/etc/a`)")),
            ("p = '/etc'\njoin(p, 'a')", Some("p = '/etc'\njoin('/etc', 'a')")),
            ("p = 'etc'\nopen(p + '/a')", None),
            ("p = '/etc'\np.read()", None),
        ];
        for (text, want) in cases {
            assert_eq!(PutIn::of(text).map(|put_in| put_in.text).as_deref(), want, "{text}");
        }
    }
}
