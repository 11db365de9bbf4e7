//! The tools that only look. What people wrote on the forge is not the gate's word, and is marked so.

use call::{Content, Done, Fault};
use serde_json::{Map, Value, json};

use super::Kind;
use super::talk::{Talk, encoded, encoded_path};
use crate::files::counted;

/// Entries on a page of the forge, and pages that are read at most.
const PAGE: usize = 100;
const MOST_PAGES: usize = 30;

pub(super) fn list_prs(talk: &Talk<'_>) -> Result<Done, Fault> {
    let whole = |key: &str, default: u64| talk.argument(key).and_then(Value::as_u64).unwrap_or(default);
    let (limit, page) = (whole("limit", 30).clamp(1, 100), whole("page", 1).max(1));
    let state = talk.argument("state").and_then(Value::as_str).unwrap_or("open");
    let size = match talk.kind() {
        Kind::GitHub => "per_page",
        Kind::Forgejo => "limit",
    };
    let mut rest = format!("/pulls?state={}&{size}={limit}&page={page}", encoded(state));
    let base = talk.argument("base").and_then(Value::as_str);
    if let Some(base) = base {
        rest.push_str(&format!("&base={}", encoded(base)));
    }
    let found = talk.get(&rest)?;
    let list = found.as_array().map(Vec::as_slice).unwrap_or_default();
    // Not every forge knows how to leave out the others.
    let into = |pull: &&Value| base.is_none_or(|base| at(pull, "/base/ref") == base);
    let pulls: Vec<Value> = list.iter().filter(into).map(short).collect();
    let more = list.len() as u64 >= limit;
    let summary = format!("{} of {}", counted(pulls.len() as u64, "pull request"), talk.repository());
    Ok(shown(summary, json!({ "pull_requests": pulls, "page": page, "more": more })))
}

pub(super) fn get_pr(talk: &Talk<'_>) -> Result<Done, Fault> {
    let number = talk.number()?;
    let pull = talk.get(&format!("/pulls/{number}"))?;
    let mut data = short(&pull);
    if let Value::Object(entries) = &mut data {
        let more = [
            "body",
            "mergeable",
            "merged_at",
            "comments",
            "commits",
            "additions",
            "deletions",
            "changed_files",
        ];
        entries.extend(picked(&pull, &more));
    }
    Ok(shown(format!("pull request {number} of {}", talk.repository()), data))
}

pub(super) fn list_files(talk: &Talk<'_>) -> Result<Done, Fault> {
    if talk.argument("number").is_some() {
        return changed_files(talk);
    }
    let path = talk.argument("path").and_then(Value::as_str).unwrap_or_default();
    let mut rest = format!("/contents/{}", encoded_path(path));
    if let Some(name) = talk.argument("ref").and_then(Value::as_str) {
        rest.push_str(&format!("?ref={}", encoded(name)));
    }
    let found = talk.get(&rest)?;
    let entry = |entry: &Value| Value::Object(picked(entry, &["path", "type", "size", "sha"]));
    // A file answers with itself.
    let list = found.as_array().map_or(std::slice::from_ref(&found), Vec::as_slice);
    let files: Vec<Value> = list.iter().map(entry).collect();
    let place = if path.is_empty() { "the top folder" } else { path };
    Ok(shown(
        format!("{} entries in {place} of {}", files.len(), talk.repository()),
        json!({ "files": files }),
    ))
}

fn changed_files(talk: &Talk<'_>) -> Result<Done, Fault> {
    let number = talk.number()?;
    let mut files = Vec::new();
    let mut more = true;
    for page in 1..=MOST_PAGES {
        let size = match talk.kind() {
            Kind::GitHub => format!("per_page={PAGE}"),
            // Forges have a largest page of their own, often of 50.
            Kind::Forgejo => "limit=50".to_owned(),
        };
        let found = talk.get(&format!("/pulls/{number}/files?{size}&page={page}"))?;
        let list = found.as_array().map(Vec::as_slice).unwrap_or_default();
        let keys = ["filename", "previous_filename", "status", "additions", "deletions", "patch"];
        files.extend(list.iter().map(|file| Value::Object(picked(file, &keys))));
        let full = match talk.kind() {
            Kind::GitHub => PAGE,
            Kind::Forgejo => 1,
        };
        if list.len() < full {
            more = false;
            break;
        }
    }
    let summary =
        format!("{} of pull request {number} of {}", counted(files.len() as u64, "file"), talk.repository());
    Ok(shown(summary, json!({ "files": files, "truncated": more })))
}

fn shown(summary: String, data: Value) -> Done {
    Done { summary, content: Content::Data(data), untrusted: true, ..Done::default() }
}

/// A pull request in a few words.
fn short(pull: &Value) -> Value {
    let mut data = picked(
        pull,
        &["number", "title", "state", "draft", "merged", "created_at", "updated_at", "html_url"],
    );
    data.insert("author".to_owned(), at(pull, "/user/login").into());
    for side in ["head", "base"] {
        let end = json!({
            "repository": at(pull, &format!("/{side}/repo/full_name")),
            "branch": at(pull, &format!("/{side}/ref")),
            "commit": at(pull, &format!("/{side}/sha")),
        });
        data.insert(side.to_owned(), end);
    }
    Value::Object(data)
}

fn picked(from: &Value, keys: &[&str]) -> Map<String, Value> {
    keys.iter().filter_map(|&key| from.get(key).map(|value| (key.to_owned(), value.clone()))).collect()
}

fn at<'v>(value: &'v Value, place: &str) -> &'v str {
    value.pointer(place).and_then(Value::as_str).unwrap_or_default()
}
