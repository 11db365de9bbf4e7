//! `github_create_pr`: a new branch with one commit on top of the base, and the pull request for it.
//!
//! Everything that can be wrong is found out before anything is made. Objects come first, which nobody sees; then
//! the branch, made at the new commit in one step; then the pull request. What fails after the branch was made
//! takes the branch away again, as long as it is still where this call put it.

use call::{Content, Done, Fault};
use serde_json::{Value, json};

use super::change::{self, Becomes, FileChange};
use super::talk::{Talk, encoded_path};
use super::tree::{Standing, Trees};
use super::{ForgeSettings, Kind, branch};

pub(super) fn create_pr(talk: &Talk<'_>, settings: &ForgeSettings) -> Result<Done, Fault> {
    let (name, base) = (talk.text("branch")?, talk.text("base")?);
    let (title, body) = (talk.text("title")?, talk.text("body")?);
    branch::check(name, base, &settings.protected)?;
    let changes = change::read(talk.argument("changes"))?;
    let about = talk.get("")?;
    if !text(&about, "/full_name")?.eq_ignore_ascii_case(talk.repository()) {
        return Err(Fault::failed("moved", "the forge answers for another repository than was asked for"));
    }
    branch::is_not_default(name, &text(&about, "/default_branch")?)?;
    let start = head(talk, base)?.ok_or_else(|| {
        Fault::failed("not_found", format!("there is no branch `{base}` to base the changes on"))
    })?;
    if head(talk, name)?.is_some() {
        return Err(exists(name));
    }
    let commit = match talk.kind() {
        Kind::GitHub => on_github(talk, name, title, &start, &changes)?,
        Kind::Forgejo => on_forgejo(talk, name, base, title, &start, &changes)?,
    };
    let asked = talk.post("/pulls", &json!({ "title": title, "body": body, "head": name, "base": base }));
    let pull = asked.map_err(|fault| undone(talk, name, &commit, fault))?;
    let url = pull.get("html_url").and_then(Value::as_str).unwrap_or_default().to_owned();
    let number = pull.get("number").and_then(Value::as_u64).unwrap_or_default();
    Ok(Done {
        summary: format!("pull request {number} of {}: {name} into {base}", talk.repository()),
        content: Content::Data(json!({
            "number": number, "url": url, "branch": name, "base": base, "commit": commit, "base_commit": start,
        })),
        artifacts: vec![url],
        untrusted: true,
        ..Done::default()
    })
}

/// The commit that a branch is at, if there is such a branch.
fn head(talk: &Talk<'_>, name: &str) -> Result<Option<String>, Fault> {
    let place = head_place(talk.kind());
    let found = talk.find(&format!("{}/{}", head_address(talk.kind()), encoded_path(name)))?;
    found.map(|found| text(&found, place)).transpose()
}

const fn head_address(kind: Kind) -> &'static str {
    match kind {
        Kind::GitHub => "/git/ref/heads",
        Kind::Forgejo => "/branches",
    }
}

const fn head_place(kind: Kind) -> &'static str {
    match kind {
        Kind::GitHub => "/object/sha",
        Kind::Forgejo => "/commit/id",
    }
}

fn on_github(
    talk: &Talk<'_>,
    name: &str,
    title: &str,
    start: &str,
    changes: &[FileChange<'_>],
) -> Result<String, Fault> {
    let root = text(&talk.get(&format!("/git/commits/{}", encoded_path(start)))?, "/tree/sha")?;
    let mut trees = Trees::new(talk, root.clone());
    let standing: Vec<Option<Standing>> =
        changes.iter().map(|change| trees.standing(change)).collect::<Result<_, _>>()?;
    let mut entries = Vec::with_capacity(changes.len());
    for (change, standing) in changes.iter().zip(&standing) {
        let mode = standing.as_ref().map_or("100644", |standing| standing.mode.as_str());
        let mut entry = json!({ "path": change.path, "mode": mode, "type": "blob" });
        let (key, value) = match change.becomes {
            Becomes::Text(content) => ("content", content.into()),
            Becomes::Bytes(content) => {
                let blob = talk.post("/git/blobs", &json!({ "content": content, "encoding": "base64" }))?;
                ("sha", text(&blob, "/sha")?.into())
            }
            Becomes::Nothing => ("sha", Value::Null),
        };
        if let Value::Object(entry) = &mut entry {
            entry.insert(key.to_owned(), value);
        }
        entries.push(entry);
    }
    let tree = text(&talk.post("/git/trees", &json!({ "base_tree": root, "tree": entries }))?, "/sha")?;
    if tree == root {
        return Err(Fault::failed("no_change", "the files are already like this on the base"));
    }
    let commit = json!({ "message": title, "tree": tree, "parents": [start] });
    let commit = text(&talk.post("/git/commits", &commit)?, "/sha")?;
    let made = talk.post("/git/refs", &json!({ "ref": format!("refs/heads/{name}"), "sha": commit }));
    match made {
        Ok(_) => Ok(commit),
        // Somebody else was faster; their branch is not touched.
        Err(Fault::Failed { class: "rejected", .. })
            if head(talk, name)?.is_some_and(|head| head != commit) =>
        {
            Err(exists(name))
        }
        Err(fault) => Err(undone(talk, name, &commit, fault)),
    }
}

fn on_forgejo(
    talk: &Talk<'_>,
    name: &str,
    base: &str,
    title: &str,
    start: &str,
    changes: &[FileChange<'_>],
) -> Result<String, Fault> {
    let mut trees = Trees::new(talk, start.to_owned());
    let mut files = Vec::with_capacity(changes.len());
    for change in changes {
        let standing = trees.standing(change)?;
        let operation = match (&standing, &change.becomes) {
            (_, Becomes::Nothing) => "delete",
            (Some(_), _) => "update",
            (None, _) => "create",
        };
        // With the digest of what it replaces, so that a base that moved on is noticed.
        let sha = standing.map(|standing| standing.sha);
        files.push(
            json!({ "operation": operation, "path": change.path, "content": change.base64(), "sha": sha }),
        );
    }
    let asked = json!({ "branch": base, "new_branch": name, "message": title, "files": files });
    let made = talk.post("/contents", &asked);
    match made {
        Ok(made) => text(&made, "/commit/sha"),
        Err(fault) => Err(match &fault {
            // The forge said no, so that there is nothing to undo.
            Fault::Failed {
                class: "rejected" | "conflict" | "forbidden" | "not_found" | "rate_limited",
                ..
            } => fault,
            Fault::Failed { .. }
            | Fault::TimedOut { .. }
            | Fault::Cancelled
            | Fault::Denied(_)
            | Fault::Changed { .. } => uncertain(
                fault,
                &format!("whether the branch `{name}` was made is not known; look before trying again"),
            ),
        }),
    }
}

/// Takes the branch away that this call made, and says what stands when that does not work.
fn undone(talk: &Talk<'_>, name: &str, commit: &str, fault: Fault) -> Fault {
    let place = head_place(talk.kind());
    let address = format!("{}/{}", head_address(talk.kind()), encoded_path(name));
    match talk.look_again(&address).and_then(|found| text(&found, place)) {
        Err(Fault::Failed { class: "not_found", .. }) => return fault,
        Ok(head) if head == commit => {}
        Ok(_) => {
            return uncertain(
                fault,
                &format!("somebody else has added to the branch `{name}` since, so it stands"),
            );
        }
        Err(_) => return uncertain(fault, &format!("whether the branch `{name}` stands is not known")),
    }
    let address = match talk.kind() {
        Kind::GitHub => format!("/git/refs/heads/{}", encoded_path(name)),
        Kind::Forgejo => format!("/branches/{}", encoded_path(name)),
    };
    match talk.undo(&address) {
        Ok(()) => fault,
        Err(_) => uncertain(
            fault,
            &format!("the branch `{name}` at `{commit}` was made and stands; delete it by hand"),
        ),
    }
}

/// The same fault with what else is to be known.
fn uncertain(fault: Fault, what: &str) -> Fault {
    let class = match &fault {
        Fault::Failed { class, .. } => class,
        Fault::TimedOut { .. } => "timeout",
        Fault::Cancelled => "cancelled",
        Fault::Denied(_) => "denied",
        Fault::Changed { .. } => "target_changed",
    };
    Fault::Failed {
        class,
        message: format!("{fault}; {what}"),
        remedy: Some("look at the branch on the forge".to_owned()),
    }
}

fn exists(name: &str) -> Fault {
    Fault::Failed {
        class: "branch_exists",
        message: format!("there is a branch `{name}` already, and no branch that exists is written to"),
        remedy: Some("name a new branch".to_owned()),
    }
}

fn text(value: &Value, place: &str) -> Result<String, Fault> {
    let found = value.pointer(place).and_then(Value::as_str).map(str::to_owned);
    found.ok_or_else(|| Fault::failed("forge_error", format!("the answer of the forge has no `{place}`")))
}
