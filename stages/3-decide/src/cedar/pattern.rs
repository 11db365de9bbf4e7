//! What a name in a rule covers, as an expression over the names of resources.
//!
//! Whoever proves things about rules has only Cedar's view of them, in which being a member of a glob
//! or a folder is a bare fact. These expressions say which facts go together.

use cedar_policy::EntityUid;
use globset::GlobBuilder;

use crate::entry::{HostEntry, HostGlob, Hosts};

/// An expression that matches the name of a resource, from its start to its end, when the resource is
/// a member of `name` or is it. Nothing comes back when that cannot be told.
pub(crate) fn pattern(name: &EntityUid) -> Option<String> {
    let id = name.id().unescaped();
    match name.type_name().to_string().as_str() {
        "Path" if id == "/" => Some("/.*".to_owned()),
        "Path" => Some(format!("{}(?:/.*)?", escaped(id))),
        "Glob" => path_glob(id),
        "Origin" => Some(escaped(id)),
        "Host" => host(id),
        "Domain" => {
            let below = format!("[^/]*\\.{}", escaped(id));
            Some(format!("http://{below}:80|https://{below}:443"))
        }
        "HostGlob" => {
            let glob = HostGlob::parse(id).ok()?;
            Some(format!("https?://(?:{}):[0-9]+", bare(glob.expression())?))
        }
        "Repository" => Some(format!("{}(?:#.*)?", escaped(id))),
        "BranchGlob" => {
            let glob = GlobBuilder::new(id).build().ok()?;
            Some(format!("[^#]*#(?:{})", bare(glob.regex())?))
        }
        "Database" => Some(format!("{}(?:/.*)?", escaped(id))),
        // Two spellings of one tool.
        "Tool" if matches!(id, "exec_shell" | "run_shell") => Some("exec_shell|run_shell".to_owned()),
        "Branch" | "Endpoint" | "Gate" | "Memory" | "Program" | "Scope" | "Table" | "Tool" => {
            Some(escaped(id))
        }
        _ => None,
    }
}

fn path_glob(id: &str) -> Option<String> {
    let (glob, below) = match id.strip_suffix(" and below") {
        Some(glob) => (glob, "(?:/.*)?"),
        None => (id, ""),
    };
    // `x/**` covers `x` itself too.
    let trunk = glob.strip_suffix("/**").filter(|trunk| !trunk.is_empty());
    let spellings: Option<Vec<String>> = [Some(glob), trunk]
        .into_iter()
        .flatten()
        .map(|spelling| {
            let glob =
                GlobBuilder::new(spelling).literal_separator(true).backslash_escape(true).build().ok()?;
            bare(glob.regex()).map(str::to_owned)
        })
        .collect();
    Some(format!("(?:{}){below}", spellings?.join("|")))
}

fn host(id: &str) -> Option<String> {
    match HostEntry::parse(id).ok()?.what {
        Hosts::Host(host) => {
            let host = escaped(&host.to_string());
            Some(format!("http://{host}:80|https://{host}:443"))
        }
        Hosts::Port(host, port) => Some(format!("https?://{}:{port}", escaped(&host.to_string()))),
        Hosts::All | Hosts::Origin { .. } | Hosts::Below(_) => None,
    }
}

/// A glob's expression without its anchors and flags.
fn bare(expression: &str) -> Option<&str> {
    expression.strip_prefix("(?-u)^")?.strip_suffix('$')
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_punctuation() && !matches!(character, '_' | '/' | ':' | '"' | '\'' | ',') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use call::{AbsolutePath, WebAddress};
    use cedar_policy::EntityUid;

    use super::pattern;
    use crate::cedar::index::Names;
    use crate::cedar::question::{of_address, of_path};
    use crate::cedar::rule::entity;

    /// Whether the expression of a name says the same as being its member does.
    fn agrees(names: &[EntityUid], resource: &str, members: &[EntityUid], itself: &EntityUid) {
        for name in names {
            let expression = format!("(?s-u)^(?:{})$", pattern(name).unwrap());
            let expression = regex::bytes::Regex::new(&expression).unwrap();
            let member = members.contains(name) || itself == name;
            assert_eq!(expression.is_match(resource.as_bytes()), member, "{name} {resource}");
        }
    }

    #[test]
    fn an_expression_covers_the_paths_that_are_members() {
        let globs = ["/w/src/**", "/w/*.rs", "/**/.ssh", "/w/[ab]?/x", "/w/{a,b}/*.md", "/w/a\\[1\\]/*"];
        let mut names = Vec::new();
        for glob in globs {
            names.push(entity("Glob", glob));
            names.push(entity("Glob", &format!("{glob} and below")));
        }
        names.extend(["/", "/w", "/w/src", "/w/a+b"].map(|path| entity("Path", path)));
        let known = Names::of(&names.iter().cloned().collect()).unwrap();
        let paths = [
            "/",
            "/w",
            "/w/src",
            "/w/src/deep/er.rs",
            "/w/srcs",
            "/w/a.rs",
            "/w/a/b.rs",
            "/home/u/.ssh",
            "/home/u/.ssh/id",
            "/w/ax/x",
            "/w/ax/x/y",
            "/w/a/n.md",
            "/w/b/n.md/z",
            "/w/a[1]/f",
            "/w/a+b/c",
            "/w/aab/c",
            "/w/a\nb",
        ];
        for path in paths.into_iter().filter_map(AbsolutePath::parse) {
            let question = of_path("read", &path, &known);
            agrees(&names, path.as_str(), &question.members, &question.resource);
        }
    }

    #[test]
    fn an_expression_covers_the_addresses_that_are_members() {
        let names = [
            entity("Origin", "https://a.example:443"),
            entity("Host", "a.example"),
            entity("Host", "a.example:8443"),
            entity("Host", "127.0.0.1"),
            entity("Domain", "example"),
            entity("Domain", "b.example"),
            entity("HostGlob", "*.b.example"),
            entity("HostGlob", "evil*"),
        ];
        let known = Names::of(&names.iter().cloned().collect()).unwrap();
        let addresses = [
            "https://a.example/",
            "http://a.example/",
            "http://a.example:443/",
            "https://a.example:8443/",
            "https://x.b.example/",
            "https://b.example/",
            "https://y.x.b.example:9/",
            "http://127.0.0.1/",
            "https://evil.test/",
            "https://[::1]/",
        ];
        for address in addresses {
            let question = of_address(&WebAddress::parse(address).unwrap(), &known);
            let resource = question.resource.id().unescaped().to_owned();
            agrees(&names, &resource, &question.members, &question.resource);
        }
    }
}
