//! Each effect as a person reads it: what it does, to what, and what stands there now.

use call::{
    Access, Change, Effect, Expected, Located, MemoryUse, PathPlace, Program, Query, Reach, RepositoryUse,
    Run, SecretUse, TargetState, WebHost, WebRequest,
};

use super::page::Page;
use crate::glyph;

/// Writes one effect down; with what stands at its target, except for a grant, which is for whatever does.
pub(super) fn describe(page: &mut Page, number: usize, effect: &Effect, expected: Option<&Expected>) {
    match effect {
        Effect::Read { path, reach } => {
            let what = match reach {
                Reach::Itself => "reads",
                Reach::Below => "reads, and all that lies below it",
            };
            page.own(2, &format!("{number}. {what}"));
            place(page, path);
        }
        Effect::Write { path, change } => {
            page.own(2, &format!("{number}. writes"));
            place(page, path);
            becomes(page, change);
            stands(page, path, expected);
        }
        Effect::Delete { path } => {
            page.own(2, &format!("{number}. deletes"));
            place(page, path);
            stands(page, path, expected);
        }
        Effect::Run(run) => runs(page, number, run),
        Effect::Network(request) => sends(page, number, request),
        Effect::Secret { scope, name, reveal } => {
            let goes = match reveal {
                SecretUse::Header => "a header of a request",
                SecretUse::Env => "the environment of a run",
                SecretUse::File => "a file of a run",
            };
            page.own(2, &format!("{number}. uses a secret, which goes into {goes}"));
            page.theirs("scope", scope);
            page.theirs("name", name);
        }
        Effect::Query(query) => asks(page, number, query),
        Effect::Memory(MemoryUse::Recall { query }) => {
            page.own(2, &format!("{number}. searches the memory for a text with sha256 {query}"));
        }
        Effect::Memory(MemoryUse::Store { text, tags }) => {
            page.own(2, &format!("{number}. remembers a text with sha256 {text}"));
            for tag in tags {
                page.theirs("tag", tag);
            }
        }
        Effect::Repository(using) => repository(page, number, using),
        Effect::Status => page.own(2, &format!("{number}. asks the gate about itself")),
        Effect::Nothing => page.own(2, &format!("{number}. touches nothing")),
        Effect::Unknown { why } => {
            page.own(2, &format!("{number}. nobody can say what"));
            page.theirs("because", why);
        }
    }
}

fn place(page: &mut Page, path: &Located) {
    match &path.place {
        PathPlace::Below { path: place, .. } => {
            page.theirs("path", place.as_str());
            if path.given != place.as_str() {
                page.theirs("written", &path.given);
            }
        }
        PathPlace::Outside => {
            page.theirs("written", &path.given);
            page.warn("leads outside of all roots");
        }
        PathPlace::GateHome => {
            page.theirs("written", &path.given);
            page.warn("leads into the home of the gate");
        }
        PathPlace::Unclear(why) => {
            page.theirs("written", &path.given);
            page.warn(&format!("the path {why}"));
        }
    }
}

fn becomes(page: &mut Page, change: &Change) {
    match change {
        Change::Content { sha256, bytes, binary, create_dirs } => {
            let kind = if *binary { "bytes that are not text" } else { "bytes of text" };
            page.own(4, &format!("it becomes {bytes} {kind}, sha256 {sha256}"));
            if *create_dirs {
                page.own(4, "missing folders are made");
            }
        }
        Change::Edit { old, new, bytes, binary, all } => {
            let often = if *all { "everywhere" } else { "once" };
            let kind = if *binary { "bytes that are not text" } else { "bytes" };
            page.own(4, &format!("a text is replaced {often} by {bytes} {kind}"));
            page.own(4, &format!("the old text has sha256 {old}, the new one {new}"));
        }
        Change::Foreign => page.warn("another server's tool writes it, in a way that is its own"),
    }
}

fn stands(page: &mut Page, path: &Located, expected: Option<&Expected>) {
    let (PathPlace::Below { path, .. }, Some(expected)) = (&path.place, expected) else { return };
    let words = match expected.at(path) {
        Some(TargetState::Absent) => "there is nothing now".to_owned(),
        Some(TargetState::Folder) => "there is a folder now".to_owned(),
        Some(TargetState::File { sha256, bytes }) => {
            format!("there is a file of {bytes} bytes now, sha256 {sha256}")
        }
        None => "nobody looked at what is there now".to_owned(),
    };
    page.own(4, &words);
}

fn runs(page: &mut Page, number: usize, run: &Run) {
    match &run.program {
        Program::Code { language, sha256 } => {
            page.own(2, &format!("{number}. runs code with sha256 {sha256}"));
            page.theirs("language", language);
        }
        Program::Argv { language, argv } => {
            page.own(2, &format!("{number}. runs a program, with these words exactly"));
            page.theirs("language", language);
            for (place, word) in argv.iter().enumerate() {
                page.theirs(&format!("argv {place}"), word);
            }
        }
        Program::Shell { command } => {
            page.own(2, &format!("{number}. runs a line in a shell"));
            page.theirs("shell", command);
        }
        Program::Foreign { command } => {
            page.own(
                2,
                &format!("{number}. lets another server's tool run something, in a way that is its own"),
            );
            page.theirs("given", command);
        }
    }
    page.own(4, if run.network { "it asks for the network" } else { "it has no network" });
    let inputs = run.inputs;
    if inputs > 0 {
        page.own(4, &format!("it is given {inputs} file{}", if inputs == 1 { "" } else { "s" }));
    }
    if let Some(stdin) = run.stdin {
        page.own(4, &format!("it is given a standard input with sha256 {stdin}"));
    }
    for (name, value) in &run.environment {
        page.own(4, &format!("it is given a variable, whose value has sha256 {value}"));
        page.theirs("variable", name);
    }
    let limits = [
        (run.limits.time_limit_sec, "seconds"),
        (run.limits.memory_limit_mb, "MB of memory"),
        (run.limits.cpu_limit, "processors"),
    ];
    for (limit, unit) in limits {
        if let Some(limit) = limit {
            page.own(4, &format!("at most {limit} {unit}"));
        }
    }
}

fn sends(page: &mut Page, number: usize, request: &WebRequest) {
    page.own(2, &format!("{number}. sends a request to another machine"));
    page.theirs("method", &request.method);
    page.theirs("url", &request.url.to_string());
    page.theirs("host", &request.url.host.to_string());
    match &request.url.host {
        WebHost::Name(name) if name.split('.').any(|label| label.starts_with("xn--")) => {
            let (read, _) = idna::domain_to_unicode(name);
            page.theirs("reads", &read);
            if glyph::deceptive_word(&read).is_none() {
                page.warn("the name of the host is not written in plain letters");
            }
        }
        WebHost::Name(_) | WebHost::Ip(_) => {}
    }
    for (name, value) in &request.headers {
        page.theirs("header", name);
        page.own(4, &format!("its value has sha256 {value}"));
    }
    match request.body {
        Some(body) => page.own(4, &format!("it has a body with sha256 {body}")),
        None => page.own(4, "it has no body"),
    }
}

fn asks(page: &mut Page, number: usize, query: &Query) {
    let what = match query.access {
        Access::Read => "asks a database",
        Access::Write => "changes a database",
    };
    page.own(2, &format!("{number}. {what}"));
    page.theirs("database", &query.database);
    for table in &query.tables {
        page.theirs("table", table);
    }
    page.own(4, "the statement:");
    page.block(&query.sql);
    page.own(4, &format!("its parameters have sha256 {}", query.parameters));
}

fn repository(page: &mut Page, number: usize, using: &RepositoryUse) {
    let what = match using.access {
        Access::Read => "looks at a repository",
        Access::Write => "changes a repository",
    };
    page.own(2, &format!("{number}. {what}"));
    page.theirs("repository", &using.repository);
    if let Some(branch) = &using.branch {
        page.theirs("branch", branch);
    }
    if let Some(base) = &using.base {
        page.theirs("into", base);
    }
    page.own(4, &format!("all that is sent has sha256 {}", using.content));
}
