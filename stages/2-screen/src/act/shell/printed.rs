//! What a substitution prints, where that can be told from its words alone.

use super::letters::ansi_escape;
use super::{Command, Word};

/// What a substitution prints, where that can be told: `$(echo c)url`, `$(which sh)`.
pub(super) fn printed(commands: &[Command]) -> Option<String> {
    // A comment prints nothing.
    let mut commands = commands.iter().filter(|command| !command.mention);
    let (Some(command), None) = (commands.next(), commands.next()) else { return None };
    if let Some(text) = printed_in_escapes(command) {
        return Some(text);
    }
    let mut words = command.words.iter();
    let plain =
        |word: &Word| word.substitutions.is_empty() && word.names.is_empty() && !word.text.contains('\\');
    let shown = match &*words.next()?.text {
        "echo" | "printf" | "which" => words.as_slice(),
        "command" | "type" => {
            words.next().filter(|flag| flag.text.starts_with('-'))?;
            words.as_slice()
        }
        _ => return None,
    };
    let [word] = shown
        .split_first()
        .filter(|(flag, rest)| flag.text == "-n" && !rest.is_empty())
        .map_or(shown, |(_, rest)| rest)
    else {
        return None;
    };
    let short = word.text.len() <= 64 && !word.text.is_empty() && !word.text.contains(char::is_whitespace);
    (plain(word) && short && command.given.is_empty() && command.writes.is_empty()).then(|| word.text.clone())
}

/// The same with escapes and with words put in: `$(printf "\57etc\57%s" passwd)`, `$(echo -e '\x2fetc')`.
fn printed_in_escapes(command: &Command) -> Option<String> {
    let plain = |word: &Word| word.substitutions.is_empty() && word.names.is_empty();
    let (format, values) = match &*command.words {
        [name, format, values @ ..] if name.text == "printf" => (format, values),
        [name, flag, text] if name.text == "echo" && flag.text == "-e" => (text, &[][..]),
        _ => return None,
    };
    let told = format.text.contains('\\') || (format.text.contains("%s") && !values.is_empty());
    let known =
        plain(format) && values.iter().all(plain) && command.given.is_empty() && command.writes.is_empty();
    if !told || !known || format.text.len() > 256 || values.len() > 8 {
        return None;
    }
    let mut letters = Vec::new();
    let mut values = values.iter();
    let mut rest = format.text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match (byte, behind.first()) {
            (b'\\', Some(_)) => {
                let (letter, length) = ansi_escape(behind);
                letters.extend(letter);
                rest = behind.get(length..).unwrap_or_default();
            }
            (b'%', Some(b's' | b'b')) => {
                letters.extend_from_slice(values.next().map_or(&[][..], |value| value.text.as_bytes()));
                rest = behind.get(1..).unwrap_or_default();
            }
            (b'%', _) => return None,
            _ => letters.push(byte),
        }
    }
    let text = String::from_utf8(letters).ok()?;
    let text = text.trim_end_matches('\n');
    (!text.is_empty() && text.len() <= 64 && !text.contains(char::is_whitespace)).then(|| text.to_owned())
}
