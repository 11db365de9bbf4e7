//! What stands behind percent signs, as often as they were put there: a query carries other encodings in it, and
//! proxies and forms encode what is encoded already.

use std::ops::Range;

/// How often one encoding over another is taken off. With every round the text is shorter.
const ROUNDS: usize = 6;

/// Stretches of a text that have percent signs with two digits in them, each with all that it may stand for, the
/// least decoded first: with pluses as they are, and as the blanks that they are in a query.
pub(super) fn layers(text: &str) -> impl Iterator<Item = (Range<usize>, Vec<String>)> {
    stretches(text).map(|stretch| {
        let given = text.get(stretch.clone()).unwrap_or_default();
        let mut layers = rounds(given.to_owned());
        if given.contains('+') {
            layers.extend(rounds(given.replace('+', " ")));
        }
        (stretch, layers)
    })
}

/// What a text is after one round, after two, and so on.
fn rounds(mut text: String) -> Vec<String> {
    let mut all = Vec::new();
    while all.len() < ROUNDS
        && let Some(decoded) = decoded(&text)
    {
        all.push(decoded.clone());
        text = decoded;
    }
    all
}

/// Neither blanks nor quotes nor the signs between the fields of a query stand in what was encoded.
fn stretches(text: &str) -> impl Iterator<Item = Range<usize>> {
    let ends = |sign: char| sign.is_whitespace() || "\"'`<>&?=".contains(sign);
    let mut end = 0;
    text.match_indices('%').filter_map(move |(at, _)| {
        if at < end || !is_escape(text.as_bytes().get(at..at + 3)?) {
            return None;
        }
        let before = text.get(end..at)?;
        let start = before.char_indices().rfind(|(_, sign)| ends(*sign));
        let start = start.map_or(end, |(place, sign)| end + place + sign.len_utf8());
        let rest = text.get(at..)?;
        end = rest.find(ends).map_or(text.len(), |length| at + length);
        Some(start..end)
    })
}

fn is_escape(signs: &[u8]) -> bool {
    matches!(signs, [b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// The text with one round of percent signs taken off; nothing where it has none.
fn decoded(text: &str) -> Option<String> {
    let (mut bytes, mut rest, mut some) = (Vec::with_capacity(text.len()), text.as_bytes(), false);
    while let Some((&first, behind)) = rest.split_first() {
        let value = rest.get(..3).filter(|signs| is_escape(signs)).and_then(|signs| {
            let digits = std::str::from_utf8(signs.get(1..)?).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        some |= value.is_some();
        bytes.push(value.unwrap_or(first));
        rest = if value.is_some() { rest.get(3..).unwrap_or_default() } else { behind };
    }
    some.then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::layers;

    #[test]
    fn every_round_is_taken_off() {
        let cases = [
            ("plain text, 100 % of it, 5%", vec![]),
            ("a%20b", vec![("a%20b", vec!["a b"])]),
            (
                "GET /x?q=%2541&r=%41+b \"%zz%C3%A9\"",
                vec![
                    ("%2541", vec!["%41", "A"]),
                    ("%41+b", vec!["A+b", "A b"]),
                    ("%zz%C3%A9", vec!["%zz\u{e9}"]),
                ],
            ),
        ];
        for (text, want) in cases {
            let found: Vec<(&str, Vec<String>)> = layers(text)
                .map(|(stretch, layers)| (text.get(stretch).unwrap_or_default(), layers))
                .collect();
            let found: Vec<(&str, Vec<&str>)> = found
                .iter()
                .map(|(stretch, layers)| (*stretch, layers.iter().map(String::as_str).collect()))
                .collect();
            assert_eq!(found, want, "{text}");
        }
    }

    #[test]
    fn a_text_of_percent_signs_is_read_in_a_few_rounds() {
        let text = "%25".repeat(100_000);
        let read: usize = layers(&text).flat_map(|(_, layers)| layers).map(|layer| layer.len()).sum();
        assert!(read < 2 * text.len(), "{read}");
    }
}
