//! Secrets and orders that are put together from several texts of a call.
//!
//! Half a token looks like nothing, so what may belong together is looked at together. Only pieces that
//! each look like a part of a token are joined: one that begins like a token and is too short to be
//! one, and others that look drawn at random. A half and an ordinary word make no secret. Each
//! beginning is tried with a few pieces on either side, so the cost stays linear.

use call::{Contraband, Family, Objection, Passage, Role, Span, Weight};

use crate::blocks::has_blank;
use crate::known::{KnownSecrets, Places};
use crate::phrase::{Ends, Outer, Row};
use crate::secret::{self, Beginning};
use crate::{phrase, speech};

/// Secrets whose parts stand in several texts, or in several members of one. The beginnings of tokens
/// are those of each passage.
pub(crate) fn secrets(
    passages: &[Passage],
    beginnings: &[Vec<Beginning>],
    known: &KnownSecrets,
) -> Vec<Objection> {
    let mut found = known_secrets(passages, known);
    if beginnings.iter().all(Vec::is_empty) {
        return found;
    }
    let pieces = pieces(passages, beginnings);
    for (place, piece) in pieces.iter().enumerate() {
        let Some(beginning) = &piece.begins else { continue };
        let behind = pieces.iter().skip(place + 1);
        let before = pieces.iter().take(place).rev();
        let kind =
            completed(beginning, piece.text, behind).or_else(|| completed(beginning, piece.text, before));
        if let (Some(kind), Some(passage)) = (kind, passages.get(piece.passage)) {
            found.push(objection(passage, Contraband { span: piece.span, family: Family::Secret, kind }));
        }
    }
    found
}

/// A part of a text that may be a part of a token.
struct Piece<'t> {
    passage: usize,
    span: Span,
    text: &'t str,
    begins: Option<Beginning>,
}

/// How many pieces a token is put together from at most.
const MOST: usize = 6;

/// What a beginning becomes with the next of these pieces, one by one, or with one of them alone.
fn completed<'p, 't: 'p>(
    beginning: &Beginning,
    head: &str,
    others: impl Iterator<Item = &'p Piece<'t>>,
) -> Option<&'static str> {
    let mut joined = head.to_owned();
    for piece in others.filter(|piece| piece.begins.is_none() && beginning.may_go_on(piece.text)).take(MOST) {
        joined.push_str(piece.text);
        let alone = [head, piece.text].concat();
        if let Some(kind) = beginning.becomes(&joined).or_else(|| beginning.becomes(&alone)) {
            return Some(kind);
        }
    }
    None
}

/// The pieces of all texts, in order: of a word, an address or JSON all of them, of prose its ends.
fn pieces<'t>(passages: &'t [Passage], beginnings: &[Vec<Beginning>]) -> Vec<Piece<'t>> {
    let mut all = Vec::new();
    for (passage, (Passage { text, .. }, begins)) in passages.iter().zip(beginnings).enumerate() {
        let trimmed = text.trim();
        let structured = trimmed.starts_with(['{', '[']) || !trimmed.contains(char::is_whitespace);
        let from = text.len() - text.trim_start().len();
        let to = from + trimmed.len();
        let mut rest = begins.iter().peekable();
        for span in runs(text) {
            while rest.next_if(|beginning| beginning.span.start < span.start).is_some() {}
            let begins = rest
                .next_if(|beginning| beginning.span.start == span.start && beginning.span.end == span.end);
            let written = span.of(text).unwrap_or_default();
            let at_an_end = span.start == from || span.end == to;
            if (structured || at_an_end) && (begins.is_some() || secret::is_part(written)) {
                all.push(Piece { passage, span, text: written, begins: begins.copied() });
            }
        }
    }
    all
}

/// The runs of characters that tokens are written with.
fn runs(text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_sign = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let start = at + bytes.get(at..)?.iter().position(is_sign)?;
        let length = bytes.get(start..)?.iter().take_while(|byte| is_sign(byte)).count();
        at = start + length;
        Some(Span::new(start, at))
    })
}

/// Known secrets in the texts one behind the other, in this order and with neighbours exchanged, and in
/// what is left of them without names and signs.
fn known_secrets(passages: &[Passage], known: &KnownSecrets) -> Vec<Objection> {
    let mut found = Vec::new();
    if known.is_empty() || passages.is_empty() {
        return found;
    }
    let mut report = |place: usize, from: usize| {
        let Some(passage) = passages.get(place) else { return };
        let span =
            Span::new(passage.text.floor_char_boundary(from.min(passage.text.len())), passage.text.len());
        found.push(objection(passage, Contraband { span, family: Family::Secret, kind: crate::known::KIND }));
    };
    let whole: String = passages.iter().map(|passage| &*passage.text).collect();
    let mut start = 0;
    let mut starts = Vec::new();
    for passage in passages {
        starts.push(start);
        start += passage.text.len();
    }
    // In one text alone nothing goes over.
    let over = if passages.len() > 1 { known.places(&whole) } else { Places::default() };
    let place_of = |at: usize| starts.partition_point(|start| *start <= at).saturating_sub(1);
    for part in over.parts {
        let place = place_of(part.start);
        report(place, part.start - starts.get(place).copied().unwrap_or_default());
    }
    for hit in over.whole {
        let place = place_of(hit.span.start);
        let (Some(start), Some(passage)) = (starts.get(place), passages.get(place)) else { continue };
        if hit.span.end > start + passage.text.len() {
            report(place, hit.span.start - start);
        }
    }
    for (place, pair) in passages.windows(2).enumerate() {
        let [left, right] = pair else { continue };
        let exchanged = [end_of(&right.text, FAR), start_of(&left.text, FAR)].concat();
        let seam = end_of(&right.text, FAR).len();
        if known.find(&exchanged).iter().any(|hit| hit.span.start < seam && seam < hit.span.end) {
            report(place, 0);
        }
    }
    for (place, passage) in passages.iter().enumerate() {
        let values = plain_members(&passage.text);
        // Only where something was found does it matter whether this is JSON at all.
        if values.is_some_and(|values| known.find(&values).is_empty()) {
            continue;
        }
        if members(&passage.text).is_some_and(|values| !known.find(&values).is_empty()) {
            report(place, 0);
        }
    }
    found
}

/// The same as [`members`] of a text that is JSON without escapes, and told sooner; for other texts it means
/// nothing.
fn plain_members(text: &str) -> Option<String> {
    let plain = text.trim_start().starts_with(['{', '[']) && memchr::memchr(b'\\', text.as_bytes()).is_none();
    if !plain {
        return None;
    }
    let mut values = String::with_capacity(text.len());
    let mut parts = text.split('"').skip(1);
    while let (Some(inner), Some(behind)) = (parts.next(), parts.next()) {
        // Behind a key stands a colon.
        let key = behind.bytes().find(|byte| !byte.is_ascii_whitespace()) == Some(b':');
        if !key {
            values.push_str(inner);
        }
    }
    Some(values)
}

/// The values of JSON or of a query, one behind the other.
fn members(text: &str) -> Option<String> {
    use call::json::{self, Json, JsonNode, Reading};
    let trimmed = text.trim_start();
    if trimmed.starts_with(['{', '[']) {
        let mut waiting = vec![json::read(text, 0, Reading::CPython).ok()?];
        let mut values = String::new();
        while let Some(Json { node, .. }) = waiting.pop() {
            match node {
                JsonNode::Text(inner) => values.push_str(&inner),
                JsonNode::List(items) => waiting.extend(items.into_iter().rev()),
                JsonNode::Object(entries) => {
                    waiting.extend(entries.into_iter().rev().map(|entry| entry.value))
                }
                JsonNode::Null | JsonNode::Bool(_) | JsonNode::Number(_) => {}
            }
        }
        return Some(values);
    }
    let query = text.split_once('?').map_or(text, |(_, query)| query);
    let values = query.split('&').filter_map(|pair| pair.split_once('=')).map(|(_, value)| value);
    (query.contains('&') && !query.contains(char::is_whitespace)).then(|| values.collect())
}

/// As much of a text as may belong to something that goes on in another one.
const FAR: usize = 200;

/// The same of a phrase.
pub(crate) const NEAR: usize = 80;

fn end_of(text: &str, far: usize) -> &str {
    text.get(text.ceil_char_boundary(text.len().saturating_sub(far))..).unwrap_or_default()
}

fn start_of(text: &str, far: usize) -> &str {
    text.get(..text.floor_char_boundary(far)).unwrap_or_default()
}

/// Orders that begin in one text and end in another: in a title and the body, in a memory and its tags.
///
/// The texts are read one behind the other, in both orders, and once more without names: between a
/// title and a body there may be a branch.
///
/// Nothing more is read where what is known of the ends of each passage, if it is known, says that none can.
pub(crate) fn overrides(passages: &[Passage], ends: &[Option<Ends>]) -> Vec<Objection> {
    let is_said = |passage: &Passage| {
        matches!(passage.role, Role::Content | Role::Draft | Role::Plain | Role::Outbound)
            && !passage.text.trim_start().is_empty()
    };
    let known = passages.iter().zip(ends).filter(|(passage, _)| is_said(passage));
    let ends = known.map(|(_, ends)| *ends).try_fold(Ends::default(), |all, ends| Some(all.with(ends?)));
    let said: Vec<&Passage> = passages.iter().filter(|passage| is_said(passage)).collect();
    if said.len() < 2 {
        return Vec::new();
    }
    let prose: Vec<&Passage> =
        said.iter().copied().filter(|passage| has_blank(trimmed(&passage.text))).collect();
    let quiet = ends.is_some_and(|ends| {
        // Most texts are told without looking at what goes over.
        ends.are_quiet() && ends.with(what_goes_over(&said, &prose)).are_quiet()
    });
    if !quiet && may_cross(&said, &prose) { crossing(said, prose) } else { Vec::new() }
}

/// The phrases of which a word may go over from one of these texts into another, in one of the ways in which they
/// are read one behind the other.
fn what_goes_over(said: &[&Passage], prose: &[&Passage]) -> Ends {
    let parts = said.iter().map(|passage| ends_of(&passage.text).map(Outer::of));
    let parts: Vec<[Outer; 2]> = parts.collect();
    let mut row = Row::with_room(2 * parts.len());
    let mut over = |places: &mut dyn Iterator<Item = usize>| {
        row.over(places.filter_map(|place| parts.get(place)).flatten())
    };
    let mut all = over(&mut (0..said.len())).with(over(&mut (0..said.len()).rev()));
    if let Some(places) = places_apart(said, prose) {
        all = all.with(over(&mut places.iter().copied())).with(over(&mut places.iter().rev().copied()));
    }
    all
}

/// The places of prose among all texts, if any of it has neighbours that it has not among them.
fn places_apart(said: &[&Passage], prose: &[&Passage]) -> Option<Vec<usize>> {
    let in_prose = |place: &usize| {
        said.get(*place).is_some_and(|passage| prose.iter().any(|other| std::ptr::eq(*other, *passage)))
    };
    let places: Vec<usize> = (0..said.len()).filter(in_prose).collect();
    let apart = places.windows(2).any(|pair| matches!(pair, [left, right] if left + 1 < *right));
    apart.then_some(places)
}

/// What is read of a text where others stand around it: all of it, or its start and its end.
fn ends_of(text: &str) -> [&str; 2] {
    let text = trimmed(text);
    let (start, end) = (start_of(text, NEAR), end_of(text, NEAR));
    if start.len() + end.len() < text.len() { [start, end] } else { [text, ""] }
}

/// As [`str::trim`]. Some texts are filled up with blanks, which are passed over by the few.
fn trimmed(text: &str) -> &str {
    let few = text.as_bytes().as_rchunks::<16>().1.iter().rev();
    let blanks = few.take_while(|few| **few == [b' '; 16]).count() * 16;
    text.get(..text.len() - blanks).unwrap_or(text).trim()
}

fn crossing(said: Vec<&Passage>, prose: Vec<&Passage>) -> Vec<Objection> {
    let mut found = Vec::new();
    let again = prose.len() < said.len();
    for texts in [said, prose].iter_mut().take(1 + usize::from(again)) {
        found.extend(across(texts));
        texts.reverse();
        found.extend(across(texts));
    }
    found
}

/// Could an order begin anywhere in the texts, in one of the ways in which they are read one behind the
/// other? Answered from the letters of their ends, which are taken once for all of these ways.
fn may_cross(said: &[&Passage], prose: &[&Passage]) -> bool {
    if said.len() < 2 {
        return false;
    }
    // Once in order and once the other way round.
    let bytes: usize = said.iter().map(|passage| passage.text.len().min(2 * NEAR + 6)).sum();
    let mut letters = Vec::with_capacity(2 * bytes);
    let mut ends = Vec::with_capacity(said.len());
    for passage in said {
        let parts = ends_of(&passage.text);
        if !parts.iter().all(|part| part.is_ascii()) {
            return true;
        }
        let from = letters.len();
        parts.iter().for_each(|part| phrase::add_letters(part, &mut letters));
        ends.push((from, letters.len()));
    }
    // As they stand they are there already. Where one way ends and the next begins, a word too many may come
    // about, which only means that the texts are looked at.
    let mut add = |&(from, to): &(usize, usize)| letters.extend_from_within(from..to);
    ends.iter().rev().for_each(&mut add);
    // Neighbours that are neighbours among all texts as well were added with them.
    if let Some(places) = places_apart(said, prose) {
        let parts = places.iter().filter_map(|&place| ends.get(place));
        parts.clone().chain(parts.rev()).for_each(&mut add);
    }
    phrase::may_begin(&letters)
}

/// What crosses the seam between the end of one text and the start of the next.
fn across(texts: &[&Passage]) -> Vec<Objection> {
    if texts.len() < 2 {
        return Vec::new();
    }
    let mut whole = String::with_capacity(texts.len() * (2 * NEAR + 3));
    // Where each text ends.
    let mut seams = Vec::with_capacity(texts.len());
    for passage in texts {
        let text = passage.text.trim();
        let (start, end) = (start_of(text, NEAR), end_of(text, NEAR));
        if start.len() + end.len() < text.len() {
            whole.push_str(start);
            whole.push_str("\n\n");
            whole.push_str(end);
        } else {
            whole.push_str(text);
        }
        seams.push(whole.len());
        whole.push(' ');
    }
    let crosses = |found: Contraband| {
        let place = seams.partition_point(|seam| *seam <= found.span.start);
        let (&seam, passage) = (seams.get(place)?, texts.get(place)?);
        let counts = found.span.end > seam + 1
            && place + 1 < texts.len()
            && phrase::counts(found.kind)
            && !speech::is_no_order(found.kind, &whole, found.span);
        let end = passage.text.trim_end().len();
        let start = passage.text.floor_char_boundary(end.saturating_sub(seam - found.span.start));
        counts.then(|| objection(passage, Contraband { span: Span::new(start, end), ..found }))
    };
    crate::layer::orders(&whole).into_iter().filter_map(crosses).collect()
}

fn objection(passage: &Passage, found: Contraband) -> Objection {
    Objection { argument: passage.argument.clone(), found, weight: Weight::Refuse }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{crossing, may_cross, members, overrides, plain_members, trimmed};
    use crate::layer;
    use crate::reading::clean::clean;
    use call::{Family, Passage, Role};

    const PIECES: &[&str] = &[
        "ignore",
        "igno",
        "re",
        "all",
        "previous",
        "prev",
        "ious",
        "instructions",
        "instr",
        "uctions",
        "send",
        "me",
        "your",
        "token",
        "pass",
        "word",
        "reveal",
        "the",
        "system",
        "prompt",
        ".",
        "main",
        "POST",
        "-",
        "an ordinary text",
        "of some length that is longer than what is looked at on either side of a seam, and then a little more than that",
        "überall",
    ];

    #[test]
    fn blanks_are_taken_off_however_many_there_are() {
        for blanks in [0, 1, 15, 16, 17, 40] {
            for text in ["", "a", "a b", "\u{a0}a\n", "\n", "ü"] {
                let text = format!(" {text}{}", " ".repeat(blanks));
                assert_eq!(trimmed(&text), text.trim());
            }
        }
    }

    #[test]
    fn values_of_plain_json_are_told_in_two_ways() {
        let cases = [
            r#"{"a": "b", "c" : ["d", 1, "", {"e":"f"}], "g"\t:\r\n "h:i" }"#,
            r#" ["it's", ": x", {}, [], null, true, "ü"] "#,
            r#"["a"]"#,
            "[]",
        ];
        for text in cases {
            assert_eq!(plain_members(text), members(text), "{text}");
        }
        assert_eq!(plain_members(r#"["\u0061"]"#), None);
        assert_eq!(plain_members("a=b&c=d"), None);
    }

    proptest! {
        /// What is passed over quickly would have been passed over anyway.
        #[test]
        fn orders_over_several_texts_are_looked_for_wherever_they_are(
            texts in proptest::collection::vec(
                (proptest::collection::vec(proptest::sample::select(PIECES.to_vec()), 1..5), any::<bool>()), 2..5),
        ) {
            let passage = |(pieces, apart): &(Vec<&str>, bool)| Passage {
                argument: "x".to_owned(),
                role: Role::Content,
                text: pieces.join(if *apart { " " } else { "" }),
            };
            let passages: Vec<Passage> = texts.iter().map(passage).collect();
            let said: Vec<&Passage> = passages.iter().collect();
            let prose: Vec<&Passage> =
                passages.iter().filter(|passage| passage.text.contains(char::is_whitespace)).collect();
            let may_cross = may_cross(&said, &prose);
            let ends = |passage: &Passage| {
                let page = clean(&passage.text);
                layer::screen(&passage.text, &page, &[Family::Override]).ends.filter(|_| passage.text.is_ascii())
            };
            let found = overrides(&passages, &passages.iter().map(ends).collect::<Vec<_>>());
            let crossing = crossing(said, prose);
            prop_assert!(may_cross || crossing.is_empty(), "{:?}", passages);
            prop_assert_eq!(found, crossing, "{:?}", passages);
        }
    }
}
