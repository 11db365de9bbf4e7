//! Declarations of a style that take something out of sight.

use std::collections::BTreeSet;

/// What the style sheets of a text hide.
#[derive(Debug, Default)]
pub(super) struct Sheet<'t> {
    // As they are written in a selector: `.name`, `#name`, `name`.
    hidden: BTreeSet<&'t str>,
}

impl<'t> Sheet<'t> {
    /// Of all `<style>` elements of a text.
    pub(super) fn of(text: &'t str) -> Self {
        let mut sheet = Self::default();
        let mut at = 0;
        while let Some(open) = next_style(text.as_bytes(), at) {
            let rest = text.get(open..).unwrap_or_default();
            let end = rest.find("</").map_or(text.len(), |place| open + place);
            sheet.read(text.get(open..end).unwrap_or_default());
            at = end.max(open + 1);
        }
        sheet
    }

    fn read(&mut self, rules: &'t str) {
        let mut from = rules.find('>').map_or(0, |place| place + 1);
        while let Some(open) = rules.get(from..).and_then(|rest| rest.find('{')).map(|place| from + place) {
            let end =
                rules.get(open..).and_then(|rest| rest.find('}')).map_or(rules.len(), |place| open + place);
            let selectors = rules.get(from..open).unwrap_or_default();
            let selectors = selectors.rsplit(['}', ';']).next().unwrap_or_default();
            // Inside `@media … {` the next rule opens before this one closes.
            let body = rules.get(open + 1..end).unwrap_or_default();
            if body.contains('{') {
                from = open + 1;
                continue;
            }
            if hides(body) {
                let last = |selector: &'t str| selector.split_ascii_whitespace().next_back();
                self.hidden.extend(selectors.split(',').filter_map(last).flat_map(names));
            }
            from = end + 1;
        }
    }

    pub(super) fn hides_class(&self, class: &str) -> bool {
        self.has('.', class)
    }

    pub(super) fn hides_id(&self, id: &str) -> bool {
        self.has('#', id)
    }

    pub(super) fn hides_element(&self, name: &str) -> bool {
        !self.hidden.is_empty() && self.hidden.contains(name)
    }

    fn has(&self, sign: char, name: &str) -> bool {
        !self.hidden.is_empty() && self.hidden.contains(format!("{sign}{name}").as_str())
    }
}

fn next_style(bytes: &[u8], at: usize) -> Option<usize> {
    let mut from = at;
    loop {
        from += memchr::memchr(b'<', bytes.get(from..)?)?;
        if bytes.get(from + 1..from + 6).is_some_and(|name| name.eq_ignore_ascii_case(b"style")) {
            return Some(from);
        }
        from += 1;
    }
}

/// The classes and the id of a selector such as `p.a.b:hover`, or its element when it has none.
fn names(selector: &str) -> Vec<&str> {
    let plain = selector.split([':', '[', '>', '+']).next().unwrap_or_default();
    let mut starts: Vec<usize> = plain.match_indices(['.', '#']).map(|(place, _)| place).collect();
    if starts.is_empty() {
        starts.push(0);
    }
    let ends = starts.iter().skip(1).copied().chain([plain.len()]);
    let parts = starts.iter().zip(ends).filter_map(|(&from, to)| plain.get(from..to));
    parts.filter(|part| !part.is_empty()).collect()
}

/// Do these declarations take an element out of sight? As a style sheet or as JSX has them.
pub(super) fn hides(declarations: &str) -> bool {
    let plain: String = declarations
        .chars()
        .filter(|sign| !sign.is_whitespace() && !matches!(sign, '"' | '\'' | '{' | '}' | '-' | '!'))
        .collect::<String>()
        .to_ascii_lowercase();
    let negative = negatives(declarations);
    let pairs = || split(&plain).filter_map(|one| one.split_once(':'));
    let background =
        pairs().find(|(name, _)| matches!(*name, "background" | "backgroundcolor")).map(|(_, value)| value);
    negative
        || pairs().any(|(name, value)| {
            let value = value.trim_end_matches("important");
            match name {
                "display" => value == "none",
                "visibility" | "contentvisibility" => matches!(value, "hidden" | "collapse"),
                "fontsize" => number(value).is_some_and(|size| {
                    size <= 0.1 || (size <= 2.0 && (value.ends_with("px") || value.ends_with("pt")))
                }),
                "opacity" => number(value)
                    .is_some_and(|opacity| opacity <= if value.ends_with('%') { 10.0 } else { 0.1 }),
                "filter" => value.contains("opacity(0"),
                "color" | "webkittextfillcolor" => {
                    is_transparent(value)
                        || match background {
                            Some(background) => value == background,
                            None => is_whitish(value),
                        }
                }
                "height" | "width" | "maxheight" | "maxwidth" => {
                    number(value).is_some_and(|size| size <= 0.0 || (size <= 1.0 && value.ends_with("px")))
                }
                "clip" => value.starts_with("rect("),
                "clippath" => value.contains("inset(") || value.contains("(0"),
                "transform" => {
                    value.contains("scale(0") || value.contains("scalex(0") || value.contains("scaley(0")
                }
                "scale" => number(value).is_some_and(|scale| scale <= 0.05),
                _ => false,
            }
        })
}

/// Moved far away: `left: -9999px`, `translate(-9999px)`.
fn negatives(declarations: &str) -> bool {
    let far = |rest: &str| number(rest).is_some_and(|distance| distance >= 500.0);
    declarations.match_indices('-').any(|(place, _)| declarations.get(place + 1..).is_some_and(far))
}

/// Declarations, which semicolons part; in JSX commas that stand in no parentheses.
fn split(declarations: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    declarations.split(move |sign: char| {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        sign == ';' || (sign == ',' && depth == 0)
    })
}

/// The number that a value begins with.
fn number(value: &str) -> Option<f64> {
    let length = value.bytes().take(12).take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    value.get(..length)?.parse().ok()
}

fn is_transparent(value: &str) -> bool {
    let alpha = value
        .strip_prefix("rgba(")
        .or_else(|| value.strip_prefix("hsla("))
        .and_then(|rest| rest.rsplit(',').next());
    value == "transparent" || alpha.and_then(number).is_some_and(|alpha| alpha <= 0.1)
}

/// White, on a page that is white unless it says otherwise.
pub(super) fn is_whitish(value: &str) -> bool {
    let channels = value.strip_prefix('#').filter(|digits| matches!(digits.len(), 3 | 6));
    let hex = channels.is_some_and(|digits| {
        let step = digits.len() / 3;
        (0..3).all(|place| {
            digits.get(place * step..place * step + 1).is_some_and(|digit| matches!(digit, "f" | "e"))
        })
    });
    let function = value.strip_prefix("rgb(").or_else(|| value.strip_prefix("rgba("));
    let bright = function.is_some_and(|rest| {
        rest.split([',', ')', '/']).take(3).all(|part| number(part).is_some_and(|value| value >= 240.0))
    });
    matches!(value, "white" | "snow" | "ivory" | "ghostwhite" | "whitesmoke" | "floralwhite") || hex || bright
}

#[cfg(test)]
mod tests {
    use super::{Sheet, hides};

    #[test]
    fn what_cannot_be_seen_is_told_by_its_style() {
        let cases = [
            // declarations, do they hide?
            ("display: none", true),
            ("display:block", false),
            ("DISPLAY:NONE !important", true),
            ("{display: 'none', color: 'red'}", true),
            ("font-size:0", true),
            ("font-size: 1px", true),
            ("font-size: 1.5em", false),
            ("fontSize: 0", true),
            ("opacity:0", true),
            ("opacity:0.5", false),
            ("line-height:0", false),
            ("height:0;overflow:hidden", true),
            ("height:0.5em", false),
            ("color:#fff", true),
            ("color:#FFFFFE", true),
            ("color:#fff;background:#000", false),
            ("color:#000;background-color:#000", true),
            ("background-color:white", false),
            ("color: rgba(0, 0, 0, 0)", true),
            ("color: rgb(255,255,255)", true),
            ("color: rgb(25,255,255)", false),
            ("position:absolute; left: -9999px", true),
            ("margin-left: -10px", false),
            ("clip-path:inset(100%)", true),
            ("transform: scale(0)", true),
            ("transform: scale(1.5)", false),
            ("transform: translateX(-9999px)", true),
        ];
        for (declarations, want) in cases {
            assert_eq!(hides(declarations), want, "{declarations}");
        }
    }

    #[test]
    fn a_sheet_says_which_classes_are_hidden() {
        let sheet = Sheet::of(
            "<style>\n.a, p.b:hover { display:none } #c{opacity:0}\n@media x { .d {display:none} } i {color:red}\n\
             u{display:none}</style>",
        );
        let classes = ["a", "b", "c", "d", "p"].map(|class| sheet.hides_class(class));
        assert_eq!(classes, [true, true, false, true, false]);
        assert!(sheet.hides_id("c") && sheet.hides_element("u") && !sheet.hides_element("i"));
    }
}
