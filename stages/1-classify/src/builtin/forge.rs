//! Tools that look at and change repositories on a forge.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use call::{Access, Effect, RepositoryUse, Sha256, WebAddress, WebRequest, is_gate_home};
use serde::Deserialize;
use serde_json::{Value, json};

use super::ToolEffects;
use super::alike::resembles;
use super::check::{self, Content};
use crate::{Catalogue, Fault, exact};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListPrs<'a> {
    repo: &'a str,
    state: Option<&'a str>,
    base: Option<&'a str>,
    limit: Option<u32>,
    page: Option<u32>,
}

pub(super) fn list_prs(arguments: &Value, catalogue: &Catalogue) -> ToolEffects {
    let given: ListPrs<'_> = check::take(arguments)?;
    let repo = repository(given.repo)?;
    let mut query = format!("?state={}", given.state.unwrap_or("open"));
    if let Some(base) = given.base {
        branch("/base", base)?;
        let _ = write!(query, "&base={}", encoded(base));
    }
    if let Some(limit) = given.limit {
        let _ = write!(query, "&per_page={limit}");
    }
    if let Some(page) = given.page {
        let _ = write!(query, "&page={page}");
    }
    Ok(look(catalogue, repo, &format!("/pulls{query}"), arguments))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GetPr<'a> {
    repo: &'a str,
    number: u32,
}

pub(super) fn get_pr(arguments: &Value, catalogue: &Catalogue) -> ToolEffects {
    let given: GetPr<'_> = check::take(arguments)?;
    Ok(look(catalogue, repository(given.repo)?, &format!("/pulls/{}", given.number), arguments))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListFiles<'a> {
    repo: &'a str,
    number: Option<u32>,
    path: Option<&'a str>,
    r#ref: Option<&'a str>,
}

pub(super) fn list_files(arguments: &Value, catalogue: &Catalogue) -> ToolEffects {
    let given: ListFiles<'_> = check::take(arguments)?;
    let repo = repository(given.repo)?;
    if let Some(number) = given.number {
        if given.path.is_some() || given.r#ref.is_some() {
            return Err(Fault::new("", "must have `number`, or `path` and `ref`, not both"));
        }
        return Ok(look(catalogue, repo, &format!("/pulls/{number}/files"), arguments));
    }
    let mut rest = "/contents/".to_owned();
    if let Some(path) = given.path {
        in_repository("/path", path)?;
        rest.push_str(&path.split('/').map(encoded).collect::<Vec<_>>().join("/"));
    }
    if let Some(name) = given.r#ref {
        if name != "HEAD" {
            branch("/ref", name)?;
        }
        let _ = write!(rest, "?ref={}", encoded(name));
    }
    Ok(look(catalogue, repo, &rest, arguments))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CreatePr<'a> {
    repo: &'a str,
    branch: &'a str,
    base: &'a str,
    title: &'a str,
    body: &'a str,
    #[serde(borrow)]
    changes: Vec<FileChange<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileChange<'a> {
    path: &'a str,
    content: Option<&'a str>,
    content_base64: Option<&'a str>,
    delete: Option<bool>,
}

pub(super) fn create_pr(arguments: &Value, catalogue: &Catalogue) -> ToolEffects {
    let given: CreatePr<'_> = check::take(arguments)?;
    let repo = repository(given.repo)?;
    branch("/branch", given.branch)?;
    branch("/base", given.base)?;
    if given.branch.to_lowercase() == given.base.to_lowercase() {
        return Err(Fault::new(
            "/branch",
            "must differ from `base`: changes go through a branch of their own",
        ));
    }
    if given.title.chars().any(char::is_control) {
        return Err(Fault::new("/title", "must be one line without control characters"));
    }
    let mut changes = Vec::new();
    let mut paths = BTreeSet::new();
    for (number, change) in given.changes.iter().enumerate() {
        let place = format!("/changes/{number}");
        in_repository(&format!("{place}/path"), change.path)?;
        if !paths.insert(change.path) {
            return Err(Fault::new(format!("{place}/path"), "must be a path that is not changed twice"));
        }
        let becomes = if change.delete.is_some() {
            if change.content.is_some() || change.content_base64.is_some() {
                return Err(Fault::new(
                    place,
                    "must have exactly one of `content`, `content_base64` and `delete`",
                ));
            }
            Value::Null
        } else {
            Content::take(&place, change.content, change.content_base64)?.sha256.to_string().into()
        };
        changes.push(json!([change.path, becomes]));
    }
    let content = exact::digest(&json!({"title": given.title, "body": given.body, "changes": changes}));
    let used = RepositoryUse {
        repository: repo.to_owned(),
        access: Access::Write,
        branch: Some(given.branch.to_owned()),
        base: Some(given.base.to_owned()),
        content,
    };
    let url = address(catalogue, repo, "/pulls");
    Ok(vec![Effect::Repository(used), request("POST", url, Some(content))])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AddComment<'a> {
    repo: &'a str,
    number: u32,
    body: &'a str,
}

pub(super) fn add_comment(arguments: &Value, catalogue: &Catalogue) -> ToolEffects {
    let given: AddComment<'_> = check::take(arguments)?;
    let repo = repository(given.repo)?;
    let content = exact::digest(&json!({"number": given.number, "body": given.body}));
    let used = RepositoryUse {
        repository: repo.to_owned(),
        access: Access::Write,
        branch: None,
        base: None,
        content,
    };
    let url = address(catalogue, repo, &format!("/issues/{}/comments", given.number));
    Ok(vec![Effect::Repository(used), request("POST", url, Some(content))])
}

fn look(catalogue: &Catalogue, repo: &str, rest: &str, arguments: &Value) -> Vec<Effect<String>> {
    let used = RepositoryUse {
        repository: repo.to_owned(),
        access: Access::Read,
        branch: None,
        base: None,
        content: exact::digest(arguments),
    };
    vec![Effect::Repository(used), request("GET", address(catalogue, repo, rest), None)]
}

fn request(method: &str, url: WebAddress, body: Option<Sha256>) -> Effect<String> {
    Effect::Network(WebRequest { method: method.to_owned(), url, headers: Vec::new(), body })
}

/// The address of something in a repository, below the API that the catalogue names.
fn address(catalogue: &Catalogue, repo: &str, rest: &str) -> WebAddress {
    let api = catalogue.api();
    WebAddress { path: format!("{}/repos/{repo}{rest}", api.path.trim_end_matches('/')), ..api.clone() }
}

/// The schema holds the alphabet; what is left are the names that mean a folder.
fn repository(repo: &str) -> Result<&str, Fault> {
    let name = repo.split_once('/').map_or("", |(_, name)| name);
    if matches!(name, "." | "..") || name.to_ascii_lowercase().ends_with(".git") {
        return Err(Fault::new("/repo", "must be `owner/name`, without `.git`"));
    }
    Ok(repo)
}

/// What `git check-ref-format --branch` takes and people read as what it is, and no leading `-`, which programs take for an option; nor
/// a longer name of a ref, or the sign that forces a push, by which a protected branch has two names.
fn branch(place: &str, name: &str) -> Result<(), Fault> {
    if let Some(why) = resembles(name) {
        return Err(Fault::new(place, why));
    }
    let bad_sign = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let lower = name.to_lowercase();
    let bad = name.len() > LONGEST_BRANCH
        || name.starts_with(['-', '+'])
        || ["refs/", "heads/", "remotes/", "tags/"].iter().any(|prefix| lower.starts_with(prefix))
        || name == "@"
        || name == "HEAD"
        || name.contains(bad_sign)
        || name.contains("..")
        || name.contains("@{")
        || name.ends_with('.')
        || name.split('/').any(|part| part.is_empty() || part.starts_with('.') || part.ends_with(".lock"));
    if bad {
        Err(Fault::new(
            place,
            "must be the plain name of a branch that git accepts, without leading `-` or `+`, `refs/` or `heads/`",
        ))
    } else {
        Ok(())
    }
}

/// Bytes of the name of a branch, which is the name of a file on many forges.
const LONGEST_BRANCH: usize = 250;

/// A path in a repository.
fn in_repository(place: &str, path: &str) -> Result<(), Fault> {
    check::relative(place, path)?;
    let odd = |part: &str| {
        part.is_empty() || part == "." || part.eq_ignore_ascii_case(".git") || is_gate_home(part)
    };
    if path.split('/').any(odd) {
        return Err(Fault::new(
            place,
            "must be a plain path in the repository, not below `.git` or `.toolgate`",
        ));
    }
    Ok(())
}

/// A text as one part of a URL.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
