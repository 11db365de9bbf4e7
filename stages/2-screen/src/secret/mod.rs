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
mod shapes;
mod stand_in;
mod structures;

use std::sync::LazyLock;

use call::Span;

use crate::keywords::Keywords;
use shapes::{SHAPES, Shape};

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

static KEYWORDS: LazyLock<(Keywords, Vec<Rule>)> = LazyLock::new(|| {
    let mut words = Vec::new();
    let mut rules = Vec::new();
    for shape in SHAPES {
        for word in shape.beginnings() {
            words.push(word);
            rules.push(Rule::Shaped(shape));
        }
    }
    for &(kind, word, find) in structures::STRUCTURES {
        words.push(word.to_owned());
        rules.push(Rule::Structured(kind, find));
    }
    for word in structures::snowflakes() {
        words.push(word);
        rules.push(Rule::Structured("discord_token", structures::discord_token));
    }
    for &word in assigned::NAMES {
        words.push(word.to_owned());
        rules.push(Rule::Structured(assigned::KIND, assigned::find));
    }
    (Keywords::new(words.iter().map(String::as_str)), rules)
});

/// All credentials in `text`.
pub(crate) fn find(text: &str) -> Vec<Secret> {
    let (keywords, rules) = &*KEYWORDS;
    let mut found = Vec::new();
    // Up to where a text was already judged as one long token, for each rule.
    let mut judged = vec![0; rules.len()];
    keywords.find(text.as_bytes(), |hit| {
        if let (Some(Rule::Shaped(shape)), Some(judged)) = (rules.get(hit.word), judged.get_mut(hit.word)) {
            if hit.start < *judged {
                return;
            }
            *judged = shape.reach(text, hit.start);
        }
        let place = Span::new(hit.start, hit.end);
        found.extend(match rules.get(hit.word) {
            Some(Rule::Shaped(shape)) => {
                shape.find(text, hit.start).map(|span| Secret { kind: shape.kind, span })
            }
            Some(&Rule::Structured(kind, find)) => find(text, place).map(|span| Secret { kind, span }),
            None => None,
        });
    });
    settle(found)
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
