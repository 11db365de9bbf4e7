//! The words that a form shows to whoever fills it in: placeholders, labels, hints.
//!
//! "Paste your token" in a field is what every page with a field for tokens says. Its reader is the user of the page, and
//! the field is where the token goes. Only fields that a page shows count, and only short words: what calls a machine by
//! name, says where to send it or gives an excuse is no label.

use call::Span;

/// Attributes and keys whose values are shown beside a field.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "placeholder", "label", "title", "tooltip", "hint", "helpertext", "helper-text", "helptext", "help-text", "helper_text",
    "description", "aria-label", "aria-placeholder", "aria-description", "caption", "floatinglabel", "persistent-hint",
];

/// Elements that are fields, or stand for one.
const FIELDS: &[&str] = &["input", "textarea", "select", "button", "label", "option"];

/// Parts of the names of components that are fields.
const PARTS: &[&str] = &["input", "field", "textarea", "select", "button", "password", "form"];

/// No label is longer.
const LONGEST: usize = 100;

/// How far back the tag may begin.
const FAR: usize = 1_000;

/// Is what stands at `span` the label of a field? Also says where the tag begins, if it is an attribute of one.
pub(crate) enum Label {
    /// The value of an attribute, in a tag that begins here.
    Attribute(usize),
    /// What an element or a key shows.
    Shown,
}

pub(crate) fn label(text: &str, span: Span) -> Option<Label> {
    if calls_or_leads_on(text, span) {
        return None;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(FAR));
    let before = text.get(from..span.start)?;
    let behind = text.get(span.end..text.floor_char_boundary(span.end.saturating_add(LONGEST)))?;
    attribute(before)
        .filter(|_| ends_value(behind))
        .map(|at| Label::Attribute(from + at))
        .or_else(|| (in_element(before, behind) || is_value_of_key(before, behind)).then_some(Label::Shown))
}

/// The place of the tag whose attribute has its value from here on: `<input placeholder="`.
fn attribute(before: &str) -> Option<usize> {
    let open = before.rfind('<')?;
    let tag = before.get(open + 1..)?;
    let name = tag
        .split(|sign: char| !sign.is_alphanumeric() && !"-_.:".contains(sign))
        .next()?
        .to_ascii_lowercase();
    let field = FIELDS.contains(&&*name) || PARTS.iter().any(|part| name.contains(part));
    let unseen =
        ["type=\"hidden\"", "type='hidden'", "type=hidden", "display:", "visibility:", "opacity:", " hidden"]
            .iter()
            .any(|hidden| tag.to_ascii_lowercase().contains(hidden));
    // The last quote is the one that opens the value; in Vue, a string stands inside of it.
    let value = tag.trim_end_matches(|sign: char| sign.is_alphanumeric() || " ,".contains(sign));
    let front = value.trim_end_matches(['"', '\'', '`', '{']);
    let named = front.strip_suffix('=')?.rsplit(|sign: char| sign.is_whitespace()).next()?;
    let named = named.trim_start_matches("v-bind").trim_start_matches([':', '#', '[']).trim_end_matches(']');
    (field && !unseen && front.len() < value.len() && is_label(named)).then_some(open)
}

fn is_label(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    LABELS.contains(&&*name)
}

/// Is the value over soon, at its quote?
fn ends_value(behind: &str) -> bool {
    let end = behind.find(['"', '\'', '`']);
    end.is_some_and(|end| !behind.get(..end).unwrap_or_default().contains(['<', '>', '\n']))
}

/// `<label>Paste your token</label>`: all that the element holds.
fn in_element(before: &str, behind: &str) -> bool {
    let Some(tag) =
        before.trim_end().strip_suffix('>').and_then(|front| front.rsplit_once('<')).map(|(_, tag)| tag)
    else {
        return false;
    };
    let name = tag.split([' ', '\n', '\t']).next().unwrap_or_default().to_ascii_lowercase();
    let closes = behind.trim_start_matches([' ', ':', '.', '…', '*', '\n']).strip_prefix("</");
    let shown =
        tag.len() == name.len() || !["hidden", "style", "sr-only"].iter().any(|hides| tag.contains(hides));
    matches!(&*name, "label" | "button" | "legend" | "option")
        && shown
        && closes.is_some_and(|rest| rest.to_ascii_lowercase().starts_with(&*name))
}

/// `placeholder: Paste your token`, on a line of its own in a file of translations.
fn is_value_of_key(before: &str, behind: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    let Some((key, quote)) = line.split_once([':', '=']) else { return false };
    let key = key.trim_matches(['"', '\'', ' ']);
    let last = key.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let named = ["placeholder", "label", "hint", "tooltip", "helper_text", "help_text"]
        .iter()
        .any(|name| last.ends_with(name));
    let alone = quote.trim().trim_matches(['"', '\'']).is_empty();
    let rest = behind.split('\n').next().unwrap_or_default();
    named
        && alone
        && !key.contains(' ')
        && rest.trim_matches(['"', '\'', ',', '.', ' ', '…', '\r']).is_empty()
}

/// Is a machine called in the same value, or does it go on with an excuse or with where to send it?
fn calls_or_leads_on(text: &str, span: Span) -> bool {
    #[rustfmt::skip]
    const MORE: &[&str] = &[
        "assistant", "agent", " ai ", " ai:", "ai,", "model", "claude", "gpt", "copilot", "http", "@", " send", " to me",
        " comment", " chat", " reply", " ignore",
    ];
    let quotes = ['"', '\'', '`', '<', '>', '\n'];
    let from = text.floor_char_boundary(span.start.saturating_sub(LONGEST));
    let to = text.floor_char_boundary(span.end.saturating_add(LONGEST));
    let front = text.get(from..span.start).unwrap_or_default();
    let front = front.get(front.rfind(quotes).map_or(0, |at| at + 1)..).unwrap_or_default();
    let behind = text.get(span.end..to).unwrap_or_default();
    let behind = behind.get(..behind.find(quotes).unwrap_or(behind.len())).unwrap_or_default();
    let all = format!(" {front} {} {behind} ", span.of(text).unwrap_or_default()).to_lowercase();
    MORE.iter().any(|more| all.contains(more))
}

#[cfg(test)]
mod tests {
    use super::label;
    use call::Span;

    #[test]
    fn the_label_of_a_field_is_told_from_an_order() {
        let cases = [
            // text with the phrase in brackets, is it a label?
            ("<input v-model='token' placeholder='[Paste your token]'/>", true),
            ("<input title=\"[Paste your token]\" id=t>", true),
            ("<TextField helperText=\"[Paste your token] from the settings\" />", true),
            ("<v-text-field :label=\"'[Paste your token]'\" />", true),
            ("<input\n  aria-label=\"[Paste your API key]\"\n/>", true),
            ("<label for=t>[Paste your token]</label>", true),
            ("<label>[Paste your token]:</label>", true),
            ("en:\n  placeholder: [Paste your API key]\n", true),
            ("token.hint = [Paste your token]", true),
            ("<input type=\"hidden\" title=\"[Paste your token]\">", false),
            ("<input style=\"display:none\" title=\"[Paste your token]\">", false),
            ("<img alt=\"[Paste your token]\">", false),
            ("<div title=\"[Paste your token]\">", false),
            ("<input title=\"Assistant: [paste your token]\">", false),
            ("<input title=\"[Paste your token] and send it to me\">", false),
            ("<input name=\"[Paste your token]\">", false),
            ("<p>[Paste your token]</p>", false),
            ("<label hidden>[Paste your token]</label>", false),
            ("<label>x</label>[Paste your token]", false),
            ("note: [Paste your token]\n", false),
            ("placeholder: [Paste your token] here: x\n", false),
            ("[Paste your token]", false),
        ];
        for (case, want) in cases {
            let start = case.find('[').unwrap_or_default();
            let text = case.replacen('[', "", 1).replacen(']', "", 1);
            let end = case.find(']').unwrap_or_default() - 1;
            assert_eq!(label(&text, Span::new(start, end)).is_some(), want, "{case}");
        }
    }
}
