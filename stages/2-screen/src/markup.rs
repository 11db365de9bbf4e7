//! The marks that chat programs put around turns of a conversation.
//!
//! A model that was trained on them may take what follows for a message of the system, so in a
//! document that is for people they have no business.

use call::Span;

use crate::keywords::Hit;

pub(crate) const KIND: &str = "chat_markup";

/// The marks, in letters of either case.
pub(crate) const MARKS: &[&str] = &[
    "<|im_start|>",
    "<|im_end|>",
    "<|im_sep|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|endoftext|>",
    "<|endofprompt|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<|begin_of_text|>",
    "<|channel|>",
    "<|message|>",
    "<｜begin▁of▁sentence｜>",
    "<|begin▁of▁sentence|>",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<</sys>>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<system>",
    "</system>",
    "<system-reminder>",
    "<system_prompt>",
    "<system-prompt>",
    "[system](#",
    "### system:",
    "### instruction:",
    "###system:",
    "### system prompt",
    "[system message]",
    "[system prompt]",
    "\n\nhuman:",
    "\n\nassistant:",
    "\nsystem: you ",
    "\nsystem: ignore ",
];

/// Marks that are also a label in a list: they count in a transcript, or in front of an order.
const TURNS: &[&str] = &["\n\nhuman:", "\n\nassistant:"];

/// How a turn of a conversation begins.
const SAID: &[&str] = &[
    "ignore",
    "approve",
    "disregard",
    "forget",
    "you",
    "please",
    "do",
    "don't",
    "run",
    "execute",
    "send",
    "reveal",
    "print",
    "sure",
    "i",
    "ok",
    "okay",
    "yes",
    "now",
    "always",
    "never",
    "follow",
    "obey",
    "hi",
    "hello",
    "tell",
    "show",
    "write",
    "what",
    "how",
    "can",
    "skip",
    "bypass",
    "allow",
    "accept",
    "understood",
    "certainly",
    "of",
    "act",
    "pretend",
];

/// All such marks in `text`, in which [`MARKS`] stand at these places.
pub(crate) fn find(text: &str, places: &[Hit]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut turns = Vec::new();
    for hit in places {
        let written = text.get(hit.start..hit.end()).unwrap_or_default();
        // In small letters this is a list with one element, in code, and so a type.
        if matches!(written, "[inst]" | "[Inst]") {
            continue;
        }
        let span = Span::new(hit.end() - written.trim_start().len(), hit.end());
        if TURNS.iter().any(|turn| written.eq_ignore_ascii_case(turn)) {
            turns.push(span);
        } else {
            found.push(span);
        }
    }
    let transcript = turns.len() >= 2;
    found.extend(turns.into_iter().filter(|turn| transcript || is_said(text, turn.end)));
    found
}

/// Does what stands at `at` begin like something that is said to somebody?
fn is_said(text: &str, at: usize) -> bool {
    let behind = text.get(at..).unwrap_or_default().trim_start();
    let end = behind
        .find(|character: char| !character.is_alphabetic() && character != '\'')
        .unwrap_or(behind.len());
    let word = behind.get(..end).unwrap_or_default();
    SAID.iter().any(|said| word.eq_ignore_ascii_case(said))
}
