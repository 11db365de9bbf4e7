//! Documents of the home that break the rules.

use call::Clock as _;
use document::{Profile, Source, check};

use super::paper::{Paper, Shelf};
use crate::clock::SystemClock;
use crate::draft::is_approval;
use crate::home::Home;
use crate::outcome::Remark;
use crate::render::Blocks;
use crate::terminal::{say, say_error};
use crate::visible::visible_path;

/// Moves a document of the home that breaks the rules to quarantine, with the reasons. A draft that only lacks
/// its approval stays, and so does whatever lies elsewhere.
pub(crate) fn set_aside(paper: Paper, home: &Home) {
    let stem = paper.stem();
    let source = Source { stem: stem.as_deref(), bytes: &paper.bytes };
    let Ok(checked) = check(&source, Profile::Strict, SystemClock.now()) else { return };
    let broken = checked.findings.iter().any(|finding| finding.is_error() && !is_approval(finding));
    if !broken || !matches!(paper.shelf, Shelf::Drafts | Shelf::Approved) {
        return;
    }
    let shown = visible_path(&paper.path);
    let text = String::from_utf8_lossy(&paper.bytes).into_owned();
    let words = Blocks::new(false).all(&checked.findings, &text, &shown);
    let remarks: Vec<Remark> = checked.findings.iter().map(Remark::from).collect();
    let json = serde_json::json!({ "path": shown, "verdict": "reject", "findings": remarks }).to_string();
    match paper.quarantine(home, words, &json) {
        Ok(moved) => say(&format!("moved to {}", visible_path(&moved))),
        Err(error) => say_error(&error.to_string(), None),
    }
}
