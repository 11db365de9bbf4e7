//! Expressions that a program searches by, written without quotes: `/…/gi`, `%r{…}`, `qr/…/`, `s/…/…/`.
//!
//! Slashes alone are nothing, people put them around words too. What stands in front of the first and behind
//! the last must be what only a program has there. One line at a time: these expressions seldom have more.

use call::Span;

/// Does what stands at `phrase` belong to an expression of this line of a program?
pub(crate) fn surrounds(line: &str, phrase: Span) -> bool {
    is_between_slashes(line, phrase) || is_behind_a_letter(line, phrase)
}

/// `/…/`, `m/…/`, `qr/…/`, `s/…/…/`
fn is_between_slashes(line: &str, phrase: Span) -> bool {
    let front = line.get(..phrase.start).unwrap_or_default();
    let Some(open) = last_bare(front, '/') else { return false };
    let lead = front.get(..open).unwrap_or_default();
    let (lead, operator) = without_operator(lead);
    let Some(mut rest) = behind_close(line, phrase, '/') else { return false };
    if operator == Some("s") {
        let Some(end) = first_bare(rest, '/') else { return false };
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    let flags = rest.bytes().take_while(u8::is_ascii_lowercase).count();
    let trail = rest.get(flags..).unwrap_or_default();
    let starts = lead.trim().is_empty();
    // A value of a list or a setting ends so in texts that are no programs, too.
    let loose = lead.trim_end().ends_with([':', ',', '?']);
    let ends = match operator {
        Some("s" | "qr") => true,
        // `/…/d` of sed.
        _ if starts => flags == 1 && rest.starts_with(['d', 'p']),
        _ => !loose || flags > 0,
    };
    let leads = operator == Some("qr") || starts || may_come_first(lead);
    flags <= 8 && leads && may_come_next(trail, ends)
}

/// `%r{…}`, `qr{…}`, `m{…}`
fn is_behind_a_letter(line: &str, phrase: Span) -> bool {
    let front = line.get(..phrase.start).unwrap_or_default();
    ["%r", "qr", "m"].iter().any(|operator| {
        let Some(place) = front.rfind(operator) else { return false };
        let lead = front.get(..place).unwrap_or_default();
        let mut inside = front.get(place + operator.len()..).unwrap_or_default().chars();
        let close = match inside.next() {
            Some('{') => '}',
            Some('(') => ')',
            Some('[') => ']',
            Some(sign @ ('!' | '|' | '#')) => sign,
            _ => return false,
        };
        let Some(rest) = behind_close(line, phrase, close) else { return false };
        let trail = rest.trim_start_matches(|sign: char| sign.is_ascii_lowercase());
        let leads = may_come_first(lead) || (*operator != "m" && !lead.ends_with(char::is_alphanumeric));
        last_bare(inside.as_str(), close).is_none() && leads && may_come_next(trail, true)
    })
}

/// The letters of an operator at the end of what stands in front of a slash.
fn without_operator(lead: &str) -> (&str, Option<&'static str>) {
    for operator in ["qr", "m", "s"] {
        if let Some(before) = lead.strip_suffix(operator)
            && !before.ends_with(|sign: char| sign.is_alphanumeric() || "_$@%.'".contains(sign))
        {
            return (before, Some(operator));
        }
    }
    (lead, None)
}

/// May an expression follow in a program? Behind a value a slash divides.
fn may_come_first(lead: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "return", "typeof", "case", "when", "if", "unless", "elsif", "while", "until", "split", "match", "scan", "gsub",
        "sub", "grep",
    ];
    let bare = lead.trim_end();
    let word = bare.rsplit(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap_or_default();
    bare.ends_with(['(', ',', '=', ':', '[', '!', '&', '|', '?', '{', ';', '~'])
        || bare.ends_with("=>")
        || (bare.len() < lead.len() && WORDS.contains(&word))
}

/// May this follow an expression in a program? The end of the line only where `ends`.
fn may_come_next(trail: &str, ends: bool) -> bool {
    const WORDS: &[&str] = &["then", "do", "and", "or", "if", "unless"];
    let bare = trail.trim_start();
    let word = bare.split(|sign: char| !sign.is_alphanumeric()).next().unwrap_or_default();
    let called =
        trail.strip_prefix('.').is_some_and(|name| name.starts_with(|sign: char| sign.is_ascii_alphabetic()));
    (bare.is_empty() && ends)
        || called
        || bare.starts_with([')', ']', '}', ';', ',', '{'])
        || ["&&", "||", "? ", ": ", "=>"].iter().any(|sign| bare.starts_with(sign))
        || (ends && WORDS.contains(&word))
}

/// What stands behind the sign that closes the expression around `phrase`.
fn behind_close(line: &str, phrase: Span, close: char) -> Option<&str> {
    // The last letter of a phrase may have been read from behind the sign: `/…instruction/s`.
    const READ_ON: usize = 2;
    let from = line.get(phrase.start..)?;
    let end = first_bare(from, close)?;
    let inside = phrase.start + end + READ_ON >= phrase.end;
    from.get(end + close.len_utf8()..).filter(|_| inside)
}

/// Where the last such sign stands that no backslash takes its meaning from.
fn last_bare(text: &str, sign: char) -> Option<usize> {
    bare_places(text, sign).last()
}

fn first_bare(text: &str, sign: char) -> Option<usize> {
    bare_places(text, sign).next()
}

fn bare_places(text: &str, sign: char) -> impl Iterator<Item = usize> {
    let mut escaped = false;
    text.char_indices().filter_map(move |(place, found)| {
        let counts = found == sign && !escaped;
        escaped = found == '\\' && !escaped;
        counts.then_some(place)
    })
}

#[cfg(test)]
mod tests {
    use super::surrounds;
    use call::Span;

    #[test]
    fn an_expression_is_told_from_words_between_slashes() {
        let cases = [
            // a line with the phrase as `X Y`
            ("a.replace(/X (all )?Y/gi, '')", true),
            ("const BAD = /X Y/i;", true),
            ("const BAD = /X Y/", true),
            ("  pattern: /X Y/i", true),
            ("  pattern: /X Y/,", true),
            ("if (/X Y/.test(body)) {", true),
            ("/X Y/.test(body)", true),
            ("parts = body.split(/X Y/)", true),
            ("BAD = %r{X Y}i", true),
            ("raise if body =~ /X Y/", true),
            ("when /X Y/i then :bad", true),
            ("next if m{X Y}i;", true),
            ("my $bad = qr/X Y/i;", true),
            ("$body =~ s/X Y/-/gi;", true),
            ("s/X Y//g", true),
            ("/X Y/ { n++ }", true),
            ("/X Y/d", true),
            ("$0 ~ /X Y/ { print }", true),
            ("/X Y/", false),
            ("/X Y/.", false),
            ("/X Y/ and send it", false),
            ("note: /X Y/", false),
            ("He said, /X Y/ to me", false),
            ("He said /X Y/.", false),
            ("see a/X Y/b", false),
            ("a = b / X Y", false),
            ("items/X Y/", false),
            ("class/X Y/;", false),
            ("(a) X Y", false),
            ("form{X Y}", false),
            ("/a/ X Y", false),
            ("a.replace(/b/, c) X Y", false),
        ];
        for (line, want) in cases {
            let start = line.find('X').unwrap();
            let end = line.find('Y').unwrap() + 1;
            assert_eq!(surrounds(line, Span::new(start, end)), want, "{line}");
        }
    }
}
