//! `list_files`: the names of what may be looked at.

use std::collections::BinaryHeap;

use call::{Content, Done, Errand, Fault, FileKind};
use globset::{GlobBuilder, GlobMatcher};
use serde_json::Value;

use super::patience::Patience;
use super::target::{self, not_opened};
use super::walk::{Found, Missed, Tree, Visitor};
use super::{Files, arguments, counted};
use crate::place::{Below, Met};

/// How many results there are when nobody says.
pub(super) const RESULTS: u32 = 1_000;

/// How many there are at most.
pub(super) const MOST_RESULTS: u32 = 10_000;

impl Files {
    /// Lists the files below a folder, in order of their paths, which are relative to it. Links are listed
    /// when what they lead to may be looked at, and are not gone into.
    ///
    /// # Errors
    /// When it is no folder, or not the one that was decided about.
    pub fn list_files(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let list: arguments::List = arguments::take(errand.arguments)?;
        let decided = target::read_path(errand.effects)?;
        let given = decided.given.as_str();
        let opened = target::open(&self.locator, decided)?;
        if opened.kind() == FileKind::Absent {
            return Err(Fault::failed("not_found", format!("there is no folder `{given}`")));
        }
        let (below, folder) = self.locator.below(&opened).map_err(|error| not_opened(given, error))?;
        let most = list.max_results.unwrap_or(RESULTS).min(MOST_RESULTS) as usize;
        let tree = Tree {
            locator: &self.locator,
            below: &below,
            path: opened.path(),
            given,
            glob: list.glob.as_deref().map(glob).transpose()?,
            errand,
            patience: Patience::of(errand),
        };
        let names = || Names { below: &below, most, first: BinaryHeap::new(), count: 0 };
        let (visitors, missed) = tree.walk(folder, names)?;
        let count: u64 = visitors.iter().map(|names| names.count).sum();
        let mut all: Vec<String> = visitors.into_iter().flat_map(|names| names.first.into_vec()).collect();
        all.sort_unstable();
        all.truncate(most);
        let summary = match count - all.len() as u64 {
            0 => format!("{} below `{given}`", counted(count, "file")),
            _ => format!(
                "{} below `{given}`, of which these are the first {}",
                counted(count, "file"),
                all.len()
            ),
        };
        Ok(Done {
            summary: with_missed(summary, missed),
            content: Content::Data(Value::from(all)),
            artifacts: vec![opened.path().to_string()],
            untrusted: true,
            ..Done::default()
        })
    }
}

/// The first names that were found, and how many there were.
struct Names<'a> {
    below: &'a Below<'a>,
    most: usize,
    first: BinaryHeap<String>,
    count: u64,
}

impl Visitor for Names<'_> {
    fn visit(&mut self, found: &Found<'_>) -> Result<(), Fault> {
        if found.link.is_none() && self.below.look(found.folder, found.name) != Some(Met::File) {
            return Ok(());
        }
        self.count += 1;
        if self.first.len() < self.most {
            self.first.push(found.relative.to_owned());
        } else if let Some(mut last) = self.first.peek_mut()
            && found.relative < last.as_str()
        {
            found.relative.clone_into(&mut last);
        }
        Ok(())
    }
}

/// A glob over paths that are relative to a folder.
pub(super) fn glob(pattern: &str) -> Result<GlobMatcher, Fault> {
    let pattern = pattern.trim_start_matches("./");
    let glob = GlobBuilder::new(pattern).literal_separator(true).backslash_escape(false).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| Fault::Failed {
        class: "bad_arguments",
        message: format!("`glob` is no glob: {}", error.kind()),
        remedy: Some("write one such as `**/*.rs`".to_owned()),
    })
}

/// Says what could not be looked at.
pub(super) fn with_missed(summary: String, missed: Missed) -> String {
    match missed.folders {
        0 => summary,
        folders => format!("{summary}; {} could not be looked into", counted(folders, "folder")),
    }
}
