//! A report of the ledger: figures from its entries, put in order, as HTML or Markdown.
//!
//! Nothing here touches files, the clock or the terminal. What went wrong comes first, however useful the
//! rest was. Every text of the ledger was written by somebody who may mean harm: it is cut when it is
//! collected, and spelled out and escaped when it is rendered, in both forms from the same blocks.

mod block;
mod calendar;
mod counts;
mod dimension;
mod escape;
mod event;
mod figures;
mod html;
mod markdown;
mod page;
mod plot;

pub(crate) use block::Block;
pub(crate) use event::CallLine;
pub(crate) use figures::{Figures, Period};
pub(crate) use page::{Checked, Source, page};

/// The report as one HTML file that needs nothing else.
pub(crate) fn html(blocks: &[Block]) -> String {
    html::render(blocks)
}

/// The report as Markdown.
pub(crate) fn markdown(blocks: &[Block]) -> String {
    markdown::render(blocks)
}
