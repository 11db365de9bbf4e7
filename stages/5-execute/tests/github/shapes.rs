//! What forges answer: the published shapes of GitHub and of Forgejo, over one git remote.

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::remote::Remote;

#[derive(Default)]
pub(crate) struct State {
    pub(crate) pulls: Vec<Value>,
    pub(crate) comments: Vec<(u64, String)>,
    pub(crate) asked: Vec<String>,
    /// Answers to give instead: what is asked begins so; status, headers, body.
    pub(crate) instead: Vec<(String, u16, String, String)>,
}

pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) body: Value,
}

pub(crate) type Answer = (u16, String);

pub(crate) fn answer(asked: &Asked, remote: &Remote, state: &mut State) -> Answer {
    let forgejo = asked.path.starts_with("/api/v1");
    let Some(rest) = asked
        .path
        .strip_prefix("/api/v3/repos/ada/engine")
        .or(asked.path.strip_prefix("/api/v1/repos/ada/engine"))
    else {
        return missing();
    };
    let after = |start: &str| rest.strip_prefix(start);
    match asked.method.as_str() {
        "GET" if rest.is_empty() => done(200, json!({"full_name": "ada/engine", "default_branch": "main"})),
        "GET" if after("/git/trees/").is_some() => {
            tree(remote, after("/git/trees/").unwrap(), &asked.query, forgejo)
        }
        "GET" if after("/pulls/").is_some_and(|rest| rest.ends_with("/files")) => {
            files(&asked.query, forgejo)
        }
        "GET" if after("/pulls/").is_some() => {
            let number: usize = after("/pulls/").unwrap().parse().unwrap();
            state.pulls.get(number - 1).map_or_else(missing, |pull| done(200, pull.clone()))
        }
        "GET" if rest == "/pulls" => done(200, Value::Array(state.pulls.clone())),
        "GET" if after("/contents/").is_some() => {
            let entry = json!({"name": "run.sh", "path": "tools/run.sh", "type": "file", "size": 10, "sha": "1", "url": "u"});
            if after("/contents/") == Some("tools") { done(200, json!([entry])) } else { missing() }
        }
        "POST" if rest == "/pulls" => open_pull(asked, remote, state),
        "POST" if rest.ends_with("/comments") => {
            let number = after("/issues/").unwrap().split('/').next().unwrap().parse().unwrap();
            state.comments.push((number, asked.body["body"].as_str().unwrap().to_owned()));
            done(201, json!({"id": 5, "html_url": "http://forge/c/5"}))
        }
        _ if forgejo => answer_forgejo(asked, rest, remote),
        _ => answer_github(asked, rest, remote),
    }
}

fn answer_github(asked: &Asked, rest: &str, remote: &Remote) -> Answer {
    let after = |start: &str| rest.strip_prefix(start);
    let text = |key: &str| asked.body[key].as_str().unwrap_or_default().to_owned();
    match (asked.method.as_str(), rest) {
        ("GET", _) if after("/git/ref/heads/").is_some() => {
            let branch = after("/git/ref/heads/").unwrap();
            let shown = |sha| json!({"ref": format!("refs/heads/{branch}"), "object": {"type": "commit", "sha": sha}});
            remote.head(branch).map_or_else(missing, |sha| done(200, shown(sha)))
        }
        ("GET", _) if after("/git/commits/").is_some() => {
            let sha = after("/git/commits/").unwrap();
            let tree = remote.objects(&["rev-parse", &format!("{sha}^{{tree}}")], None).unwrap();
            done(200, json!({"sha": sha, "tree": {"sha": tree}}))
        }
        ("POST", "/git/blobs") => {
            let content = BASE64.decode(text("content").as_bytes()).unwrap();
            let sha = remote.objects(&["hash-object", "-w", "--stdin"], Some(&content)).unwrap();
            done(201, json!({"sha": sha}))
        }
        ("POST", "/git/trees") => {
            remote.objects(&["read-tree", &text("base_tree")], None).unwrap();
            for entry in asked.body["tree"].as_array().unwrap() {
                let (path, mode) = (entry["path"].as_str().unwrap(), entry["mode"].as_str().unwrap());
                let sha = match (&entry["content"], &entry["sha"]) {
                    (Value::String(content), _) => Some(remote.object(content)),
                    (_, Value::String(sha)) => Some(sha.clone()),
                    _ => None,
                };
                put(remote, path, mode, sha.as_deref());
            }
            done(201, json!({"sha": remote.objects(&["write-tree"], None).unwrap()}))
        }
        ("POST", "/git/commits") => {
            let parents: Vec<&str> =
                asked.body["parents"].as_array().unwrap().iter().map(|sha| sha.as_str().unwrap()).collect();
            done(201, json!({"sha": remote.commit(&text("tree"), &text("message"), &parents)}))
        }
        ("POST", "/git/refs") => {
            let (name, sha) = (text("ref"), text("sha"));
            if remote.head(name.strip_prefix("refs/heads/").unwrap()).is_some() {
                return done(422, json!({"message": "Reference already exists"}));
            }
            match remote.push(&format!("{sha}:{name}")) {
                Some(_) => done(201, json!({"ref": name, "object": {"type": "commit", "sha": sha}})),
                None => done(422, json!({"message": "Reference update failed"})),
            }
        }
        ("DELETE", _) if after("/git/refs/heads/").is_some() => {
            delete(remote, after("/git/refs/heads/").unwrap())
        }
        _ => missing(),
    }
}

fn answer_forgejo(asked: &Asked, rest: &str, remote: &Remote) -> Answer {
    let text = |key: &str| asked.body[key].as_str().unwrap_or_default().to_owned();
    match (asked.method.as_str(), rest) {
        ("GET", _) if rest.starts_with("/branches/") => {
            let branch = rest.strip_prefix("/branches/").unwrap();
            remote
                .head(branch)
                .map_or_else(missing, |sha| done(200, json!({"name": branch, "commit": {"id": sha}})))
        }
        ("POST", "/contents") => {
            let (base, branch) = (remote.head(&text("branch")).unwrap(), text("new_branch"));
            if remote.head(&branch).is_some() {
                return done(409, json!({"message": "branch already exists"}));
            }
            remote.objects(&["read-tree", &base], None).unwrap();
            for file in asked.body["files"].as_array().unwrap() {
                let path = file["path"].as_str().unwrap();
                let standing =
                    remote.objects(&["rev-parse", "-q", "--verify", &format!("{base}:{path}")], None);
                let operation = file["operation"].as_str().unwrap();
                if standing.as_deref() != file["sha"].as_str()
                    || standing.is_some() == (operation == "create")
                {
                    return done(422, json!({"message": "sha does not match"}));
                }
                let mode = remote.objects(&["ls-tree", &base, path], None).unwrap();
                let mode = mode.split(' ').next().filter(|mode| !mode.is_empty()).unwrap_or("100644");
                let sha = (operation != "delete").then(|| {
                    let content = BASE64.decode(file["content"].as_str().unwrap().as_bytes()).unwrap();
                    remote.objects(&["hash-object", "-w", "--stdin"], Some(&content)).unwrap()
                });
                put(remote, path, mode, sha.as_deref());
            }
            let tree = remote.objects(&["write-tree"], None).unwrap();
            let commit = remote.commit(&tree, &text("message"), &[&base]);
            remote.push(&format!("{commit}:refs/heads/{branch}")).unwrap();
            done(201, json!({"commit": {"sha": commit, "parents": [{"sha": base}]}, "files": []}))
        }
        ("DELETE", _) if rest.starts_with("/branches/") => {
            delete(remote, rest.strip_prefix("/branches/").unwrap())
        }
        _ => missing(),
    }
}

fn put(remote: &Remote, path: &str, mode: &str, sha: Option<&str>) {
    let zero = "0".repeat(40);
    // A mode of nothing takes the entry out.
    let line = match sha {
        Some(sha) => format!("{mode} {sha}\t{path}\n"),
        None => format!("0 {zero}\t{path}\n"),
    };
    remote.objects(&["update-index", "--index-info"], Some(line.as_bytes())).unwrap();
}

fn delete(remote: &Remote, branch: &str) -> Answer {
    if remote.push(&format!(":refs/heads/{branch}")).is_some() {
        (204, String::new())
    } else {
        done(422, json!({"message": "no"}))
    }
}

fn tree(remote: &Remote, sha: &str, query: &str, paged: bool) -> Answer {
    let Some(listed) = remote.objects(&["ls-tree", sha], None) else { return missing() };
    let entry = |line: &str| {
        let (about, path) = line.split_once('\t').unwrap();
        let about: Vec<&str> = about.split(' ').collect();
        json!({"path": path, "mode": about[0], "type": about[1], "sha": about[2]})
    };
    let entries: Vec<Value> = listed.lines().map(entry).collect();
    if !paged {
        return done(200, json!({"sha": sha, "tree": entries, "truncated": false}));
    }
    // Pages of two, smaller than what was asked for, as forges do.
    let page: usize = query.split("page=").last().unwrap().parse().unwrap();
    let some: Vec<&Value> = entries.iter().skip((page - 1) * 2).take(2).collect();
    done(200, json!({"sha": sha, "tree": some, "truncated": entries.len() > page * 2, "page": page}))
}

fn files(query: &str, forgejo: bool) -> Answer {
    let page: usize = query.split("page=").last().unwrap().parse().unwrap();
    let n_files = if forgejo { 30_usize } else { 100 };
    let last = if forgejo { 2 } else { 1 };
    let n_files = match page {
        page if page <= last => n_files,
        page if page == last + 1 && !forgejo => 7,
        _ => 0,
    };
    let file = |number| json!({"filename": format!("f{page}-{number}"), "status": "added", "patch": "+x", "raw_url": "u"});
    done(200, (0..n_files).map(file).collect())
}

fn open_pull(asked: &Asked, remote: &Remote, state: &mut State) -> Answer {
    let text = |key: &str| asked.body[key].as_str().unwrap_or_default().to_owned();
    let (Some(head), Some(base)) = (remote.head(&text("head")), remote.head(&text("base"))) else {
        return done(
            422,
            json!({"message": "Validation Failed", "errors": [{"message": "head or base is missing"}]}),
        );
    };
    let number = state.pulls.len() + 1;
    let end = |name: &str, sha: &str| json!({"ref": name, "sha": sha, "repo": {"full_name": "ada/engine"}});
    let pull = json!({
        "number": number, "title": text("title"), "body": text("body"), "state": "open", "draft": false,
        "user": {"login": "agent"}, "html_url": format!("http://forge/ada/engine/pull/{number}"),
        "head": end(&text("head"), &head), "base": end(&text("base"), &base), "mergeable": true, "node_id": "x",
    });
    state.pulls.push(pull.clone());
    done(201, pull)
}

fn done(status: u16, body: Value) -> Answer {
    (status, body.to_string())
}

fn missing() -> Answer {
    done(404, json!({"message": "Not Found"}))
}
