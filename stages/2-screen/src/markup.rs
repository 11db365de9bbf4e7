//! The marks that chat programs put around turns of a conversation.
//!
//! A model that was trained on them may take what follows for a message of the system, so in a
//! document that is for people they have no business.

use std::sync::LazyLock;

use call::Span;

use crate::keywords::Keywords;

pub(crate) const KIND: &str = "chat_markup";

const MARKS: &[&str] = &[
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

static FINDER: LazyLock<Keywords> = LazyLock::new(|| Keywords::new(MARKS.iter().copied()));

/// All such marks in `text`.
pub(crate) fn find(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    FINDER.find(text.as_bytes(), |hit| {
        let written = text.get(hit.start..hit.end).unwrap_or_default();
        // In small letters this is a list with one element, in code.
        if matches!(written, "[inst]") {
            return;
        }
        found.push(Span::new(hit.end - written.trim_start().len(), hit.end));
    });
    found
}
