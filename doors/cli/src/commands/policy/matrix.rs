//! `toolgate policy matrix`: the policy as a picture, so that its diff is the review.

use std::collections::BTreeSet;

use call::Clock as _;
use decide::{Home, Policy};
use serde::Serialize;

use super::{home, no_home};
use crate::arguments::{Format, HomeArguments};
use crate::clock::SystemClock;
use crate::commands::print;
use crate::exit::Exit;
use crate::terminal::say_error;
use crate::visible::visible;
use crate::weigh::Scale;
use gate::Incoming;

/// The columns: a tool, and what else its arguments need.
const COLUMNS: [(&str, &str, &str); 3] = [
    ("read", "read_file", ""),
    ("write", "write_file", ", \"content\": \"\""),
    ("delete", "delete_file", ""),
];

#[derive(Serialize)]
struct Row {
    path: String,
    read: &'static str,
    write: &'static str,
    delete: &'static str,
}

pub(super) fn run(paths: &[String], skill: Option<&str>, arguments: &HomeArguments) -> Exit {
    let home = match home(arguments.home.as_deref()) {
        Ok(home) => home,
        Err(exit) => return exit,
    };
    let files = match home.policy_files() {
        Ok(files) => files,
        Err(error) => return no_home(&error),
    };
    let scale = match Scale::load(&home, &files) {
        Ok(scale) => scale,
        Err(error) => {
            say_error(&error.to_string(), Some("`toolgate policy check` says what is wrong"));
            return Exit::Refused;
        }
    };
    let paths = if paths.is_empty() {
        named_paths(&scale.rulebook.policy, home.workspace().as_str())
    } else {
        paths.to_vec()
    };
    let rows: Vec<Row> = paths.into_iter().map(|path| row(&scale, path, skill)).collect();
    match arguments.format {
        Format::Json => print::json(&rows, Exit::Done),
        Format::Text => print::text(&table(&rows), Exit::Done),
    }
}

fn row(scale: &Scale, path: String, skill: Option<&str>) -> Row {
    let [read, write, delete] = COLUMNS.map(|(_, tool, more)| {
        let quoted = serde_json::to_string(&path).unwrap_or_default();
        let typed = Incoming {
            tool: tool.to_owned(),
            purpose: Some("show what policy says".to_owned()),
            arguments: format!("{{\"path\": {quoted}{more}}}"),
            agent: "matrix".to_owned(),
            session: "matrix".to_owned(),
            skill: skill.map(str::to_owned),
            ..Incoming::default()
        };
        match scale.weigh(&typed, SystemClock.now()).ruled.ruling.verdict() {
            "allow" => "allow",
            "needs_approval" => "ask",
            _ => "-",
        }
    });
    Row { path, read, write, delete }
}

/// Roots and entries of the policy's lists; a glob gives the path it is named for.
fn named_paths(policy: &Policy, workspace: &str) -> Vec<String> {
    let Home { allowed_roots, write_paths, deny, .. } = policy.home();
    let mut paths =
        BTreeSet::from([format!("{workspace}/README.md"), format!("{workspace}/.toolgate/policy.toml")]);
    for entry in allowed_roots.iter().chain(write_paths).chain(deny) {
        let plain = entry.written.replace("**/", "").replace("/**", "/x").replace('*', "x");
        let path = match plain.as_str() {
            "." => workspace.to_owned(),
            plain if plain.starts_with(['/', '~']) => plain.to_owned(),
            plain => format!("{workspace}/{plain}"),
        };
        paths.insert(path);
    }
    paths.into_iter().collect()
}

fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| visible(&row.path).chars().count()).max().unwrap_or(0).max(4);
    let line = |path: &str, cells: [&str; 3]| {
        let [read, write, delete] = cells;
        let line = format!("{path:<width$}  {read:<5}  {write:<5}  {delete}");
        format!("{}\n", line.trim_end())
    };
    let mut text = line("path", ["read", "write", "delete"]);
    for row in rows {
        text.push_str(&line(&visible(&row.path), [row.read, row.write, row.delete]));
    }
    text
}
