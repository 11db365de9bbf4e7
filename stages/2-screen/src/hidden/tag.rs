//! The tags of a page: what is in them, and whether they hide what stands behind them.

use call::Span;

use super::style::{Sheet, hides};

/// Longer than this, something between angle brackets is no tag.
pub(super) const LONGEST: usize = 2_000;

/// An opening tag.
pub(super) struct Tag<'t> {
    name: &'t str,
    attributes: Vec<Attribute<'t>>,
    /// From its `<` to behind its `>`.
    pub(super) length: usize,
}

struct Attribute<'t> {
    name: &'t str,
    value: &'t str,
    // From the start of the tag.
    value_at: usize,
}

/// Where a tag stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a page, or at the start of a line of Markdown: whatever stands in it belongs to it.
    Block,
    /// In a line of Markdown: with a code span in it, it is none.
    Line,
    /// In a program: it ends on its line.
    Program,
}

/// Attributes that a page shows.
const SHOWN: &[&str] = &["placeholder", "label"];

/// Elements whose content a page does not show.
const UNSHOWN: &[&str] =
    &["template", "noscript", "script", "noframes", "iframe", "object", "datalist", "metadata", "desc"];

/// Elements that show their content as code.
const CODE: &[&str] = &["code", "pre", "samp", "kbd", "tt"];

/// Elements without content.
const EMPTY: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// Classes by which the usual style sheets hide an element.
const CLASSES: &[&str] = &[
    "hidden",
    "sr-only",
    "visually-hidden",
    "d-none",
    "invisible",
    "hide",
    "is-hidden",
    "screen-reader-text",
];

/// Is `name` what the tag is called whose letters `text` begins with?
pub(super) fn is_named(text: &str, name: &str) -> bool {
    let behind = text.as_bytes().get(name.len());
    text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        && behind.is_none_or(|byte| *byte == b'>' || byte.is_ascii_whitespace())
}

impl<'t> Tag<'t> {
    /// The tag that `text` begins with.
    pub(super) fn read(text: &'t str, place: Place) -> Option<Self> {
        let program = place == Place::Program;
        let bytes = text.as_bytes();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'.' | b'_');
        bytes.get(1).filter(|byte| byte.is_ascii_alphabetic())?;
        let name_length = bytes.iter().skip(1).take(64).take_while(|byte| is_name(byte)).count();
        let name = text.get(1..=name_length)?;
        let mut tag = Self { name, attributes: Vec::new(), length: 0 };
        let mut at = 1 + name_length;
        loop {
            let byte = *bytes.get(at).filter(|_| at < LONGEST)?;
            match byte {
                b'>' => break,
                b'\n' if program => return None,
                b'<' => return None,
                b'`' if place == Place::Line => return None,
                _ if byte.is_ascii_whitespace() || byte == b'/' => at += 1,
                _ if at == 1 + name_length => return None,
                _ => at = tag.attribute(text, at)?,
            }
        }
        tag.length = at + 1;
        // Without a value this is a comparison, or a list of types.
        (!program || tag.attributes.is_empty() || tag.attributes.iter().any(|one| !one.value.is_empty()))
            .then_some(tag)
    }

    /// Reads the attribute at `at`, and says where it ends.
    fn attribute(&mut self, text: &'t str, at: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        let ends = |sign: char| sign.is_ascii_whitespace() || matches!(sign, '=' | '>' | '/' | '<');
        let name_length = rest.find(ends)?.max(1);
        let name = rest.get(..name_length).unwrap_or(rest);
        let behind = rest.get(name_length..).unwrap_or_default();
        let Some(value) = behind.trim_ascii_start().strip_prefix('=').map(str::trim_ascii_start) else {
            self.attributes.push(Attribute { name, value: "", value_at: at + name_length });
            return Some(at + name.len());
        };
        let start = text.len() - value.len();
        let window = value.get(..value.floor_char_boundary(LONGEST))?;
        let escaped = window.strip_prefix("\\\"").map(|_| "\\\"");
        let quote = escaped.or_else(|| ["\"", "'"].into_iter().find(|quote| window.starts_with(quote)));
        let (from, to, end) = match quote {
            Some(quote) => {
                let length = window.get(quote.len()..)?.find(quote)?;
                (quote.len(), quote.len() + length, length + 2 * quote.len())
            }
            None if window.starts_with('{') => {
                let end = closing_brace(window)?;
                (1, end, end + 1)
            }
            None => {
                let end = window.find(|sign: char| sign.is_ascii_whitespace() || sign == '>')?;
                (0, end, end)
            }
        };
        self.attributes.push(Attribute { name, value: value.get(from..to)?, value_at: start + from });
        Some(start + end)
    }

    /// What of the tag a page does not show, from its start: all behind the name but some values.
    pub(super) fn unshown(&self) -> Vec<Span> {
        let mut from = 1 + self.name.len();
        let mut unshown = Vec::new();
        for attribute in &self.attributes {
            let shown = SHOWN.iter().any(|name| attribute.name.eq_ignore_ascii_case(name));
            if shown && !self.attributes.iter().any(Attribute::hides_its_own) {
                unshown.push(Span::new(from, attribute.value_at));
                from = attribute.value_at + attribute.value.len();
            }
        }
        unshown.push(Span::new(from, self.length));
        unshown
    }

    /// The element, if it shows what it holds as code.
    pub(super) fn as_code(&self) -> Option<&'static str> {
        CODE.iter().copied().find(|name| self.name.eq_ignore_ascii_case(name))
    }

    /// `<template>`, `<template lang="pug">`: where it stands by itself in a component, that is what is shown.
    pub(super) fn is_bare_template(&self) -> bool {
        self.name.eq_ignore_ascii_case("template") && self.attributes.iter().all(|one| one.name == "lang")
    }

    /// Does it hide what it holds?
    pub(super) fn hides(&self, sheet: &Sheet<'_>) -> bool {
        let is = |names: &[&str]| names.iter().any(|name| self.name.eq_ignore_ascii_case(name));
        !is(EMPTY)
            && (is(UNSHOWN)
                || sheet.hides_element(self.name)
                || self.attributes.iter().any(|one| one.hides(sheet)))
    }

    /// How far what it holds reaches in the text behind it, if it is closed there.
    pub(super) fn end_of_element(&self, content: &str) -> Option<usize> {
        let bytes = content.as_bytes();
        let named = |at: usize| {
            let name = bytes.get(at..at + self.name.len());
            let behind = bytes.get(at + self.name.len());
            name.is_some_and(|name| name.eq_ignore_ascii_case(self.name.as_bytes()))
                && behind.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-')
        };
        let mut depth = 1_usize;
        for open in memchr::memchr_iter(b'<', bytes) {
            if bytes.get(open + 1) == Some(&b'/') && named(open + 2) {
                depth -= 1;
                if depth == 0 {
                    return Some(open);
                }
            } else if named(open + 1) {
                depth += 1;
            }
        }
        None
    }
}

impl Attribute<'_> {
    /// `type="hidden"`, `style="display:none"`: nobody sees the field, nor what it would show.
    fn hides_its_own(&self) -> bool {
        (self.name.eq_ignore_ascii_case("type") && self.value.eq_ignore_ascii_case("hidden"))
            || (self.name.eq_ignore_ascii_case("style") && hides(self.value))
    }

    fn hides(&self, sheet: &Sheet<'_>) -> bool {
        let named = |name: &str| self.name.eq_ignore_ascii_case(name);
        let words =
            || self.value.split_ascii_whitespace().map(|word| word.trim_matches(['"', '\'', '`', '{', '}']));
        let known = |word: &str| CLASSES.iter().any(|class| word.eq_ignore_ascii_case(class));
        (named("hidden") && self.value != "false")
            || (named("aria-hidden") && self.value.trim_matches(['"', '\'']).eq_ignore_ascii_case("true"))
            || (named("type") && self.value.eq_ignore_ascii_case("hidden"))
            || (named("style") && hides(self.value))
            || (named("color") && super::style::is_whitish(&self.value.to_ascii_lowercase()))
            || (named("size") && self.value == "0")
            || ((named("class") || named("classname"))
                && words().any(|word| known(word) || sheet.hides_class(word)))
            || (named("id") && words().any(|word| sheet.hides_id(word)))
    }
}

/// Where the brace closes that `text` begins with.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, byte) in text.bytes().enumerate().take(400) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return Some(place),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}
