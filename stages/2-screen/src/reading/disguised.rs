//! What stands in a page in disguise: digits that are an encoding, signs that are spelled out, and escapes.
//!
//! It is read once, for everybody who looks at the page.

use call::Span;

use super::encoded::{self, Run};
use super::parts;
use super::spelled::spelled;
use super::unescape::unescape;
use crate::view::View;

/// What a page holds in disguise.
#[derive(Debug)]
pub(crate) struct Disguised<'p> {
    /// Runs of digits that may be an encoding.
    pub(crate) runs: Vec<Run<'p>>,
    /// What each of the runs may stand for, in their order.
    decoded: Vec<Vec<String>>,
    /// Rows of signs that are spelled out.
    pub(crate) spelled: Vec<(Span, String)>,
    /// The page without its escapes, where there are any.
    pub(crate) unescaped: Option<View<'static>>,
}

impl<'p> Disguised<'p> {
    /// Of a page as it is shown.
    pub(crate) fn of(page: &'p View<'_>) -> Self {
        let shown = page.text();
        let runs = encoded::runs(shown);
        let decoded = runs.iter().map(|run| parts::texts(shown, run)).collect();
        let unescaped = if page.is_ordinary() { None } else { unescape(shown) };
        Self { runs, decoded, spelled: spelled(shown), unescaped }
    }

    /// The runs, each with what it may stand for.
    pub(crate) fn decoded(&self) -> impl Iterator<Item = (&Run<'p>, &[String])> {
        self.runs.iter().zip(self.decoded.iter().map(Vec::as_slice))
    }
}
