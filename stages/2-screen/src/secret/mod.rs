//! Credentials: keys, tokens, passwords, private keys.
//!
//! Found by shape ([`shapes`]), by structure ([`structures`]: key blocks, URLs, headers, JWTs) and
//! by what they are assigned to ([`assigned`]). Whatever is found that way is dropped again when
//! it is a stand-in ([`stand_in`]): documentation is full of them, and refusing documentation is as
//! wrong as passing a key.
//!
//! The rules are facts about token formats, written down here; no other scanner's rules are used.

mod assigned;
mod key_block;
mod letters;
mod named;
mod paired;
mod plain;
mod query;
mod shapes;
mod stand_in;
mod structures;
mod turned;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use call::Span;

use crate::keywords::{Case, Hit};
pub(crate) use named::under_name;
use shapes::{SHAPES, Shape};
pub(crate) use turned::{from_prefix, turned};

/// A credential and where it stands.
#[derive(Debug)]
pub(crate) struct Secret {
    pub(crate) kind: &'static str,
    pub(crate) span: Span,
}

/// What to do where a keyword stands.
#[derive(Clone, Copy)]
enum Rule {
    Shaped(&'static Shape),
    // The text and the place of the keyword; says where the credential stands.
    Structured(&'static str, fn(&str, Span) -> Option<Span>),
}

/// A word, how it may be written, and what to do where it stands.
type Keyword = (Cow<'static, str>, Case, Rule);

static KEYWORDS: LazyLock<Vec<Keyword>> = LazyLock::new(|| {
    let shaped = SHAPES.iter().flat_map(|shape| {
        shape.beginnings().into_iter().map(move |word| (word, Case::Exact, Rule::Shaped(shape)))
    });
    let structured = structures::STRUCTURES
        .iter()
        .map(|&(kind, word, find)| (word.into(), Case::Either, Rule::Structured(kind, find)));
    let discord = Rule::Structured("discord_token", structures::discord_token);
    let snowflakes = structures::snowflakes().map(move |word| (word.into(), Case::Exact, discord));
    let assigned = assigned::NAMES
        .iter()
        .map(|&word| (word.into(), Case::Either, Rule::Structured(assigned::KIND, assigned::find)));
    let in_query = query::NAMES
        .iter()
        .map(|&word| (word.into(), Case::Either, Rule::Structured(assigned::KIND, query::find)));
    shaped.chain(structured).chain(snowflakes).chain(assigned).chain(in_query).collect()
});

/// The words by which credentials are told, and how they may be written.
pub(crate) fn words() -> impl Iterator<Item = (&'static str, Case)> {
    KEYWORDS.iter().map(|(word, case, _)| (word.as_ref(), *case))
}

/// All credentials in `text`, in which [`words`] stand at these places.
pub(crate) fn find(text: &str, places: &[Hit]) -> Vec<Secret> {
    let mut found = Vec::new();
    // Up to where a text was already judged as one long token, for each word.
    let mut judged: BTreeMap<usize, usize> = BTreeMap::new();
    for hit in places {
        found.extend(match KEYWORDS.get(hit.word()) {
            Some((_, _, Rule::Shaped(shape))) => {
                if judged.get(&hit.word()).is_some_and(|&judged| hit.start < judged) {
                    continue;
                }
                let reach = shape.reach(text, hit.start);
                if reach > hit.start {
                    judged.insert(hit.word(), reach);
                }
                let token = shape
                    .find(text, hit.start)
                    .or_else(|| wrapped(shape, text, hit.start))
                    .or_else(|| grouped(shape, text, hit.start));
                token.map(|span| Secret { kind: shape.kind, span })
            }
            Some(&(_, _, Rule::Structured(kind, find))) => {
                find(text, Span::new(hit.start, hit.end())).map(|span| Secret { kind, span })
            }
            None => None,
        });
    }
    settle(found)
}

/// The token that begins at `start` and goes on in the next lines.
fn wrapped(shape: &'static Shape, text: &str, start: usize) -> Option<Span> {
    const LINES: usize = 6;
    let first = shape.beginning(text, start)?;
    let mut joined = first.of(text)?.to_owned();
    let mut end = first.end;
    for _ in 0..LINES {
        let rest = text.get(end..text.floor_char_boundary(end.saturating_add(400)))?;
        // Behind the sign for a soft break, the indentation and the mark of a quotation.
        let broken = rest.strip_prefix(['=', '\\']).unwrap_or(rest).trim_start_matches([' ', '\r']);
        let next = broken.strip_prefix('\n')?.trim_start_matches([' ', '\t', '>', '|', '#', '*']);
        let length =
            next.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte)).count();
        let piece = next.get(..length)?;
        let begun = Beginning { span: first, shape };
        (is_part(piece) && begun.may_go_on(piece)).then_some(())?;
        joined.push_str(piece);
        end += rest.len() - next.len() + length;
        if begun.becomes(&joined).is_some() {
            return Some(Span::new(start, end));
        }
    }
    None
}

/// The token that begins at `start` and is written in groups of as many signs: `ghp_ k3Jx Q9vL …`.
fn grouped(shape: &'static Shape, text: &str, start: usize) -> Option<Span> {
    const MOST: usize = 64;
    let group_at = |place: usize| {
        let rest = text.as_bytes().get(place..).unwrap_or_default().iter().take(16);
        let length = rest.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        text.get(place..place + length)
    };
    let first = group_at(start).filter(|first| (3..=8).contains(&first.len()))?;
    let between = *text.as_bytes().get(start + first.len()).filter(|sign| b" -.".contains(sign))?;
    let begun = Beginning { span: Span::new(start, start + first.len()), shape };
    let mut joined = first.to_owned();
    let (mut end, mut found) = (start + first.len(), None);
    for _ in 0..MOST {
        let group = group_at(end + 1).filter(|_| text.as_bytes().get(end) == Some(&between));
        let Some(group) = group.filter(|group| (1..=first.len()).contains(&group.len())) else { break };
        // Behind the token words go on.
        if found.is_some() && group.bytes().all(|byte| byte.is_ascii_lowercase()) {
            break;
        }
        joined.push_str(group);
        end += 1 + group.len();
        if begun.becomes(&joined).is_some() {
            found = Some(Span::new(start, end));
        }
        if group.len() < first.len() {
            break;
        }
    }
    found
}

/// Where something begins like a token and is too short to be one.
#[derive(Clone, Copy)]
pub(crate) struct Beginning {
    pub(crate) span: Span,
    shape: &'static Shape,
}

impl Beginning {
    /// The same, elsewhere.
    pub(crate) const fn moved(self, span: Span) -> Self {
        Self { span, ..self }
    }

    /// Is `piece` written with what such tokens are written with? A hash belongs to few of them.
    pub(crate) fn may_go_on(&self, piece: &str) -> bool {
        self.shape.is_hex() || !is_hash(piece)
    }

    /// The kind of token that `joined`, which begins like this, is.
    pub(crate) fn becomes(&self, joined: &str) -> Option<&'static str> {
        self.shape.find(joined, 0).filter(|token| token.end == joined.len()).map(|_| self.shape.kind)
    }
}

/// All beginnings in `text`, in which [`words`] stand at these places.
pub(crate) fn beginnings(text: &str, places: &[Hit]) -> Vec<Beginning> {
    let mut found: Vec<Beginning> = Vec::new();
    for hit in places {
        let Some((_, _, Rule::Shaped(shape))) = KEYWORDS.get(hit.word()) else { continue };
        found.extend(shape.beginning(text, hit.start).map(|span| Beginning { span, shape }));
    }
    found.sort_by_key(|beginning| beginning.span);
    found
}

/// Could this be a part of a token, and not a word or a number of something?
pub(crate) fn is_part(piece: &str) -> bool {
    const SHORTEST: usize = 6;
    piece.len() >= SHORTEST && stand_in::looks_drawn(piece) && !stand_in::is_stand_in(piece)
}

fn is_hash(piece: &str) -> bool {
    piece.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-'))
}

/// One finding for each credential. Where several cover the same text, the one that knows best what
/// it is stands: a token by its shape before a value by its name.
fn settle(mut found: Vec<Secret>) -> Vec<Secret> {
    found.sort_by_key(|secret| {
        (is_general(secret.kind), secret.span.start, std::cmp::Reverse(secret.span.end))
    });
    let general = found.partition_point(|secret| !is_general(secret.kind));
    let general = found.split_off(general);
    let mut kept: Vec<Secret> = Vec::new();
    for secret in found {
        if kept.last().is_none_or(|last| last.span.end <= secret.span.start) {
            kept.push(secret);
        }
    }
    let specific = kept.len();
    let mut last_end = 0;
    for secret in general {
        let named = kept.get(..specific).unwrap_or_default();
        let place = named.partition_point(|known| known.span.end <= secret.span.start);
        let covered = named.get(place).is_some_and(|known| known.span.start < secret.span.end);
        if !covered && secret.span.start >= last_end {
            last_end = secret.span.end;
            kept.push(secret);
        }
    }
    kept.sort_by_key(|secret| secret.span);
    kept
}

fn is_general(kind: &str) -> bool {
    matches!(kind, assigned::KIND | "url_password" | "authorization")
}
