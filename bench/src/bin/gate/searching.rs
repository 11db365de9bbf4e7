//! `search_files` on a tree of small files, beside ripgrep with the same pattern and no more to leave out.

use std::path::Path;
use std::process::{Command, Stdio};

use bench::Clean;
use gate::Status;
use serde_json::json;

use crate::figures::{Figures, timed};
use crate::home::{Home, incoming, wanted};
use crate::{Plan, told};

const PATTERN: &str = "backup_of_[0-9]+_is_due";

/// Files in one folder.
const IN_FOLDER: usize = 100;

/// Every so many files have a line that matches.
const EVERY: usize = 1_000;

/// Times in milliseconds.
#[derive(Default)]
pub(crate) struct Searched {
    pub(crate) gate: Figures,
    /// Without figures where there is no ripgrep.
    pub(crate) ripgrep: Option<Figures>,
}

pub(crate) fn measure(plan: &Plan) -> Result<Searched, String> {
    let home = Home::make()?;
    let tree = home.workspace.join("tree");
    let matches = plant(&tree, plan.files)?;
    let arguments = json!({ "path": "tree", "pattern": PATTERN, "max_results": 10_000 });
    let call = incoming("search_files", &arguments);
    let there = ripgrep(&["--version"], None).is_ok();
    let mut searched = Searched { gate: Figures::default(), ripgrep: there.then(Figures::default) };
    for number in 0..=plan.searches {
        let (reply, gate) = timed(|| home.gate.handle(&call, &wanted()).map_err(told))?;
        let found = format!("{matches} line{} of ", if matches == 1 { "" } else { "s" });
        if reply.status != Status::Success || !reply.summary.starts_with(&found) {
            return Err(format!("not everything was found: {}", reply.summary));
        }
        // The first of each fills the caches.
        if number > 0 {
            searched.gate.push(gate.as_secs_f64() * 1e3);
        }
        if let Some(figures) = &mut searched.ripgrep {
            let options =
                ["--no-config", "--no-ignore", "--hidden", "--line-number", "--no-heading", "-e", PATTERN];
            let (lines, time) = timed(|| ripgrep(&options, Some(&tree)))?;
            if lines != matches {
                return Err(format!("ripgrep finds {lines} lines of {matches}"));
            }
            if number > 0 {
                figures.push(time.as_secs_f64() * 1e3);
            }
        }
    }
    Ok(searched)
}

/// Lines that it says.
fn ripgrep(options: &[&str], folder: Option<&Path>) -> Result<usize, String> {
    let said = Command::new("rg").args(options).args(folder).stdin(Stdio::null()).output().map_err(told)?;
    Ok(said.stdout.iter().filter(|byte| **byte == b'\n').count())
}

/// Makes the tree, of files of 1 to 3 KB. How many lines match.
fn plant(tree: &Path, files: usize) -> Result<usize, String> {
    let source = Clean::Source.text(256 * 1024);
    let mut matches = 0;
    for number in 0..files {
        let folder = tree.join(format!("{:03}", number / IN_FOLDER));
        if number % IN_FOLDER == 0 {
            std::fs::create_dir_all(&folder).map_err(told)?;
        }
        let start = number * 7_919 % (source.len() - 4_096);
        let piece = source.get(start..start + 1_024 + number * 31 % 2_048).unwrap_or_default();
        let mut text = piece.to_owned();
        if number % EVERY == EVERY / 2 || files < EVERY && number == 0 {
            text.push_str(&format!("\n// backup_of_{number}_is_due\n"));
            matches += 1;
        }
        std::fs::write(folder.join(format!("{number}.rs")), text).map_err(told)?;
    }
    Ok(matches)
}
