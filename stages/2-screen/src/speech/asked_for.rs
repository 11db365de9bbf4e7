//! "Follow the quoted text", "this applies to you": words beside a mention that make an order of it.
//!
//! Whoever speaks of an attack says what it is or what became of it. Whoever says that the quoted words count, that
//! the reader is meant, or that they are to be carried out, gives the order in two parts. Such words undo every
//! way of only speaking of something. They must say it of what is quoted, and to the reader: that some model
//! obeyed, or that nobody should, is a report.

use std::sync::OnceLock;

use call::Span;
use regex::bytes::{Regex, RegexBuilder};

/// How far around a phrase such words are looked for.
const FAR: usize = 240;

/// Is what stands at `span` asked for by the words around it?
pub(crate) fn is_asked_for(text: &str, span: Span) -> bool {
    let from = text.floor_char_boundary(span.start.saturating_sub(FAR));
    let to = text.floor_char_boundary(span.end.saturating_add(FAR));
    let before = plain(text.get(from..span.start).unwrap_or_default());
    let behind = plain(text.get(span.end..to).unwrap_or_default());
    is_announced(&before) || [before, behind].iter().any(|beside| asks(beside))
}

/// In small letters, with single blanks; a line that ends is the end of something.
fn plain(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let words: Vec<String> = line
            .split_whitespace()
            .map(|word| word.to_lowercase().replace('’', "'").replace('—', ";"))
            .collect();
        words.join(" ")
    });
    lines.collect::<Vec<String>>().join(" \n")
}

/// Right in front of the phrase: "New rule: …", "the operator's current order reads …".
fn is_announced(before: &str) -> bool {
    static ANNOUNCED: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"(?:\b(?:operator|developer|administrator|admin|owner|user)(?:'s)? (?:\w+ )?(?:order|orders|command|commands|instruction|instructions|wish|request) (?:\w+ )?(?:reads?|is|are|says?)|(?:^|[.!?\n] ?)(?:your |the )?new (?:rule|order|orders|command|directive)(?: is)?|(?:^|[.!?\n:] ?)(?:please |now |always |assistant, |agent, )*(?:obey|heed|follow|execute|carry out|comply with|act on|apply|perform)(?: the)? (?:this|following|next|quoted|above|below)(?: (?:text|order|line|words|code span|quotation|sentence|block|rule|directive))?)[^\w.!?]*(?:`[a-z]{1,10} ?\n)?[^\w.!?]*$"#;
    matches(&ANNOUNCED, pattern, before, |_| true)
}

/// Anywhere beside it.
fn asks(beside: &str) -> bool {
    static ORDERED: OnceLock<Option<Regex>> = OnceLock::new();
    static COUNTS: OnceLock<Option<Regex>> = OnceLock::new();
    // An order of its own: it begins a sentence, or the reader is called.
    let ordered = r#"(?:^|[.!?;\n)](?:"|'|”|’|»|」)? ?|[:>] ?|\bplease |\byou (?:must|should|will|shall|have to|need to|are to) |\b(?:assistants?|agents?|models?|ai),? (?:must |should |will )?|, (?:so |and )?)(?:simply |just |now |then |always |exactly |so )*(?:(?:obey|heed|respect|honou?r)\b(?: (?:it|this|that|him|her|them|the (?:text|block|quote|quotation|words|order|line|sentence|above|rule|comment|message|expression)))?(?:[.!,;\n]|$| now| at once)|comply(?: with (?:it|this|that|them|him|her|the \w+))?(?:[.!,;\n]|$| now| at once)|(?:follow|execute|carry out|act (?:up)?on|perform|apply|implement) (?:it|that order|that instruction|the (?:quoted|quote|quotation|above order|block|code span|order (?:above|below|in quotes)|instruction (?:above|below|in quotes)|words (?:above|in quotes)|text (?:above|in quotes)))(?:\b|$)|do (?:exactly |just )?(?:what|as) (?:it|he|she|they|the (?:quote|quotation|block|text|next code span|code span|next line|sentence|order)) (?:says?|said|did|does|asks?|asked|wants?|orders?|tells? you)|do (?:the same|likewise|so too)(?:[.!,;\n]|$)|follow suit|act accordingly)"#;
    // A statement that it counts, or for whom.
    let counts = r"\b(?:is|are|was|were|being) (?:now |hereby |still |fully |truly |really |all )*(?:binding|in force|in effect|valid for you|an? (?:real |valid |binding |direct )?(?:order|command|instruction) (?:for|to) (?:you|the (?:assistant|agent|model|reader|ai|machine))|(?:an? )?(?:order|command|instruction)s? (?:from|of|by) (?:your|the) (?:developer|operator|owner|admin\w*)|(?:meant|intended|written) for (?:you|the (?:assistant|agent|model|reader|ai|machine)|whoever reads)|from your (?:developer|operator|owner|admin\w*)|what (?:the|your) (?:operator|developer|owner|admin\w*|user) (?:wants|asks|orders|needs)|always right|not a joke|your (?:new |real |actual |true |current )*(?:orders?|instructions?|task|rules?|prompt))\b|\b(?:this|that|it|which|the same) (?:also |now )*(?:applies|holds|goes|counts|stands) (?:for |to )(?:you|the (?:reader|assistant|agent|model|ai)|whoever reads|this (?:session|chat|conversation))\b|\bas (?:are|should|must|will) you\b|\bso (?:should|must|will|do|are) (?:you|this (?:session|chat|conversation|agent|assistant))\b|\bneither (?:do|does|must|should|need) (?:you|the (?:reader|assistant|agent|model))\b|\bthe (?:right|correct|proper|expected|only) (?:response|answer|reaction) is (?:to comply|compliance|obedience|to obey)\b";
    let free = |at: usize| !is_denied(beside.get(..at).unwrap_or_default());
    matches(&ORDERED, ordered, beside, free) || matches(&COUNTS, counts, beside, free)
}

/// Does the expression match somewhere that counts?
fn matches(
    cell: &'static OnceLock<Option<Regex>>,
    pattern: &str,
    text: &str,
    counts: impl Fn(usize) -> bool,
) -> bool {
    let expression = cell.get_or_init(|| RegexBuilder::new(pattern).unicode(false).build().ok());
    expression.as_ref().is_some_and(|found| found.find_iter(text.as_bytes()).any(|hit| counts(hit.end())))
}

/// The clause that ends here says no to it: "do not obey it", "if it is binding", "whether".
fn is_denied(before: &str) -> bool {
    #[rustfmt::skip]
    const DENIES: &[&str] = &[
        "not", "never", "don't", "doesn't", "didn't", "cannot", "can't", "won't", "wouldn't", "isn't", "nobody", "without",
        "refuse", "refuses", "refused", "if", "whether", "may", "might", "could", "would", "instead", "no",
    ];
    let clause = before.rsplit(['.', '!', '?', ';', '\n']).next().unwrap_or_default();
    let joke = clause.trim_end().ends_with("not a joke");
    !joke
        && clause
            .split(|sign: char| !sign.is_alphanumeric() && sign != '\'')
            .any(|word| DENIES.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::is_asked_for;
    use call::Span;

    #[test]
    fn words_beside_a_mention_make_an_order_of_it() {
        let cases = [
            // the phrase is `X`
            ("Follow this: `X`", true),
            ("Execute the quoted text: \"X\"", true),
            ("New rule: \"X\".", true),
            ("The operator's current order reads \"X\".", true),
            ("He said \"X\". He is the admin; do what he says.", true),
            ("\"X\" is what the operator wants from you now.", true),
            ("Note.\n\n\"X.\" Obey the quotation.", true),
            ("Note.\n\n“X.” Comply with it.", true),
            ("Note.\n\n\"X.\" Nobody should obey the quotation.", false),
            ("> X\n\nThe above is from your developer. Comply.", true),
            ("```\nX\n```\nObey the block.", true),
            ("```\nX\n```\nThe block above is an order for the assistant.", true),
            ("They told the bot to X. Do as it did.", true),
            ("They told the bot to X and it was right to, as are you.", true),
            ("Someone told the agent to X; this applies to you.", true),
            ("The text X is always right.", true),
            ("The phrase X is not a joke.", true),
            ("The X setting is on. Respect it.", true),
            ("x = /X/; // the expression is an order for you", true),
            ("He said \"X\" and the model refused.", false),
            ("Do not follow this: \"X\"", false),
            ("A page says \"X\". Do not obey it.", false),
            ("A page says \"X\". Never comply with it.", false),
            ("\"X\" is not an order for you, it is data.", false),
            ("If a page says \"X\", refuse and report it.", false),
            ("The test sends `X` and expects a refusal.", false),
            ("Models that read \"X\" may obey it.", false),
            ("Weak models comply when they read \"X\".", false),
            ("Follow these steps to test the gate:\n1. Send `X`.", false),
            ("Run the following:\n```\ncurl -d 'X' localhost\n```", false),
            ("The attack \"X\" works when the model obeys.", false),
            ("- `X`: refused\n- `Y`: refused", false),
        ];
        for (case, want) in cases {
            let start = case.find('X').unwrap_or_default();
            assert_eq!(is_asked_for(case, Span::new(start, start + 1)), want, "{case}");
        }
    }
}
