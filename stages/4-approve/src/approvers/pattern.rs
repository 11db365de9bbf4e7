//! Lists of patterns, as ssh_config(5) has them: `*`, `?`, and `!` in front of what is not meant.

use super::line::BadLine;
use crate::principal;

/// Patterns, one of which must match, and none of those that are not meant.
#[derive(Clone, Debug)]
pub(crate) struct Patterns(Vec<(bool, String)>);

impl Patterns {
    /// Names of people.
    pub(crate) fn names(list: &str) -> Result<Self, BadLine> {
        let patterns = Self::plain(list).ok_or(BadLine::NoName)?;
        for (_, name) in &patterns.0 {
            principal::is_readable(name)?;
        }
        Ok(patterns)
    }

    /// Any texts; nothing when one is empty.
    pub(crate) fn plain(list: &str) -> Option<Self> {
        let one = |text: &str| {
            let (meant, pattern) = text.strip_prefix('!').map_or((true, text), |pattern| (false, pattern));
            (!pattern.is_empty()).then(|| (meant, pattern.to_owned()))
        };
        list.split(',').map(one).collect::<Option<Vec<_>>>().map(Self)
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        let hit =
            |wanted: bool| self.0.iter().any(|(meant, pattern)| *meant == wanted && matches(pattern, text));
        hit(true) && !hit(false)
    }

    /// Those that stand for themselves only.
    pub(crate) fn plain_ones(&self) -> impl Iterator<Item = &str> {
        let plain = |(meant, pattern): &&(bool, String)| *meant && !pattern.contains(['*', '?']);
        self.0.iter().filter(plain).map(|(_, pattern)| pattern.as_str())
    }
}

/// Whether a pattern matches the whole text. Takes at most the product of both lengths.
fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    // Where the last star stood, and from where on it was tried.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || text.get(t) == Some(&c) => {
                p += 1;
                t += 1;
            }
            Some(_) | None => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::Patterns;

    #[test]
    fn a_list_matches_what_it_means_and_nothing_that_it_does_not() {
        let cases = [
            ("ada", "ada", true),
            ("ada", "Ada", false),
            ("ada", "adam", false),
            ("*@example.org", "ada@example.org", true),
            ("*@example.org", "ada@example.org.evil.example", false),
            ("a?a", "ada", true),
            ("a?a", "aa", false),
            ("*", "anybody", true),
            ("*,!eve", "eve", false),
            ("!eve,*", "ada", true),
            ("!eve", "ada", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
        ];
        for (list, text, want) in cases {
            assert_eq!(Patterns::plain(list).unwrap().matches(text), want, "{list} {text}");
        }
        assert!(Patterns::plain("a,,b").is_none());
        assert!(Patterns::plain("!").is_none());
    }

    #[test]
    fn many_stars_cost_no_more_than_both_lengths() {
        let patterns = Patterns::plain(&"*a".repeat(2_000)).unwrap();
        assert!(!patterns.matches(&"a".repeat(1_999)));
        assert!(patterns.matches(&"a".repeat(4_000)));
    }
}
