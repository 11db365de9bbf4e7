//! What a person sees, also when somebody does not want them to.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "a test may panic")]

mod kit;

use std::collections::BTreeSet;

use approve::show::{Asking, Exhibit, render, render_scope};
use approve::{Extent, Risk, Scope, Subject};
use call::{
    Actor, CallContext, CallId, Confinement, Effect, Effects, Expected, Lane, Located, PathPlace, Program,
    Reason, ReasonCode, RiskFlag, Run, RunCaps, RunLimits, Sha256, WebAddress, WebRequest,
};
use kit::{at, expected, located, one, write};

fn shown(
    effects: &Effects,
    expected: &Expected,
    exhibits: &[Exhibit<'_>],
    purpose: &str,
    flags: &[RiskFlag],
) -> String {
    let walls = Confinement {
        max_file_chars: 8_000,
        lane: effects.iter().any(|effect| matches!(effect, Effect::Run(_))).then_some(Lane::Jail),
        sandbox_required: false,
        max_runtime_seconds: None,
        memory_limit_mb: None,
        run: RunCaps { disk_mb: 1, files: 1, processes: 1, output_kb: 1 },
        max_files_written: None,
        max_bytes_written: None,
        max_calls_per_minute: None,
        max_concurrent: None,
    };
    let reason = Reason {
        code: ReasonCode::APPROVAL_REQUIRED,
        message: "a person must agree to `write_file`".into(),
        rule: Some("policy.toml:7".into()),
        remedy: None,
    };
    let actor = Actor {
        agent: "robot".parse().unwrap(),
        session: "s1".parse().unwrap(),
        skills: "file_editor".parse().unwrap(),
        context: CallContext::Agent,
    };
    let asking = Asking {
        subject: &Subject::Call(CallId::new(at(0), [7; 10])),
        tool: &"write_file".parse().unwrap(),
        effects,
        expected,
        exhibits,
        walls: &walls,
        risk: Risk::Medium,
        flags: &flags.iter().cloned().collect::<BTreeSet<_>>(),
        reasons: &[reason],
        actor: &actor,
        purpose,
        verification: "the file is read again and compared",
        have: 0,
        need: 2,
        expires: at(298),
        now: at(0),
    };
    render(&asking, 80)
}

/// Only what the call does, without what stands around it.
fn effect(effect: Effect) -> String {
    let page = shown(&one(effect), &Expected::default(), &[], "x", &[]);
    let begin = page.find("What it does").unwrap();
    let end = page.find("Why you are asked").unwrap();
    page[begin..end].trim_end().to_owned()
}

fn run(program: Program) -> Effect {
    let limits = RunLimits { time_limit_sec: Some(60), memory_limit_mb: None, cpu_limit: None };
    Effect::Run(Run {
        program,
        lane: None,
        network: true,
        stdin: None,
        inputs: 2,
        limits,
        environment: Vec::new(),
    })
}

fn argv(words: &[&str]) -> Effect {
    let argv = words.iter().map(|&word| word.to_owned()).collect();
    run(Program::Argv { language: "python".into(), argv })
}

#[test]
fn a_whole_page() {
    let diff = Exhibit { title: "difference", text: "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-old\n+new" };
    let page = shown(
        &one(write("/srv/app/a.txt", b"new")),
        &expected(),
        &[diff],
        "Update the file",
        &[RiskFlag::INJECTION_ATTEMPT],
    );
    insta::assert_snapshot!(page, @r"
    May `write_file` do this? medium risk, expires in 4 min 58 s

    What it does
      1. writes
      path | /srv/app/a.txt
        it becomes 3 bytes of text, sha256
        11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437
        there is a file of 3 bytes now, sha256
        cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4

    The difference in full
      | --- a.txt
      | +++ a.txt
      | @@ -1 +1 @@
      | -old
      | +new

    Why you are asked
      approval_required
      because | a person must agree to `write_file`
      rule | policy.toml:7
      ! marked `injection_attempt`

    Who asks
      agent | robot
      session | s1
      skill | file_editor
      context agent
      for | call 01m7q1jn800w3ge1r70w3ge1r7

    What they say it is for (nobody has checked this)
      | Update the file

    Your answer
      0 of 2 needed have agreed
      afterwards: the file is read again and compared
      a yes holds for exactly what stands here, once; nothing is done without one
    ");
}

#[test]
fn escapes_links_overrides_and_newlines_draw_nothing() {
    let words = [
        "python3",
        "-c",
        "\u{1b}[2J\u{1b}]8;;https://evil.example\u{7}ok\u{1b}]8;;\u{7}",
        "a\u{202e}txt.exe",
        "x\nYour answer\n  yes",
        "ok                              ; rm -rf /",
        "zero\u{200b}width",
        "tab\there",
        "",
    ];
    insta::assert_snapshot!(effect(argv(&words)), @r"
    What it does
      1. runs a program, with these words exactly
      language | python
      argv 0 | python3
      argv 1 | -c
      argv 2 | <U+001B>[2J<U+001B>]8;;https://evil.example<U+0007>ok<U+001B>]8;;
             \ <U+0007>
      argv 3 | a<U+202E>txt.exe
      argv 4 | x<U+000A>Your answer<U+000A>  yes
      argv 5 | ok<30 spaces>; rm -rf /
      argv 6 | zero<U+200B>width
      argv 7 | tab<U+0009>here
      argv 8 |
        it asks for the network
        it is given 2 files
        at most 60 seconds
      code runs in the jail lane
    ");
}

#[test]
fn a_host_or_path_of_borrowed_letters_is_marked_and_spelled_out() {
    let request = |url: &str| {
        Effect::Network(WebRequest {
            method: "POST".into(),
            url: WebAddress::parse(url).unwrap(),
            headers: vec![("authorization".into(), Sha256::of(b"v"))],
            body: Some(Sha256::of(b"x")),
        })
    };
    insta::assert_snapshot!(effect(request("https://\u{430}\u{440}\u{440}\u{4cf}\u{435}.com/login?next=%2f")), @r"
    What it does
      1. sends a request to another machine
      method | POST
      url | https://xn--80ak6aa92e.com/login?next=%2f
      host | xn--80ak6aa92e.com
      reads | аррӏе.com
      ! letters that look like others, or of several scripts in one word:
      spelled out | <U+0430><U+0440><U+0440><U+04CF><U+0435>
      header | authorization
        its value has sha256
        4c94485e0c21ae6c41ce1dfe7b6bfaceea5ab68e40a2476f50208e526f506080
        it has a body with sha256
        2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881
    ");
    insta::assert_snapshot!(effect(request("https://bücher.example/")), @r"
    What it does
      1. sends a request to another machine
      method | POST
      url | https://xn--bcher-kva.example/
      host | xn--bcher-kva.example
      reads | bücher.example
      ! the name of the host is not written in plain letters
      header | authorization
        its value has sha256
        4c94485e0c21ae6c41ce1dfe7b6bfaceea5ab68e40a2476f50208e526f506080
        it has a body with sha256
        2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881
    ");
    insta::assert_snapshot!(effect(Effect::Delete { path: located("/srv/\u{430}dmin/x") }), @r"
    What it does
      1. deletes
      path | /srv/аdmin/x
      ! letters that look like others, or of several scripts in one word:
      spelled out | <U+0430>dmin
        nobody looked at what is there now
    ");
    insta::assert_snapshot!(effect(Effect::Delete { path: located("/srv/אבג/x") }), @r"
    What it does
      1. deletes
      path | /srv/אבג/x
      ! letters that run from right to left; in the order in which they stand:
      spelled out | /srv/<U+05D0><U+05D1><U+05D2>/x
        nobody looked at what is there now
    ");
}

#[test]
fn a_path_that_was_spelled_otherwise_is_shown_both_ways() {
    let place = located("/srv/app/a.txt").place;
    let path = Located::new("../app/./a.txt", place);
    insta::assert_snapshot!(effect(Effect::Delete { path }), @r"
    What it does
      1. deletes
      path | /srv/app/a.txt
      written | ../app/./a.txt
        nobody looked at what is there now
    ");
    let outside = Located::new("/etc/passwd", PathPlace::Outside);
    insta::assert_snapshot!(effect(Effect::Delete { path: outside }), @r"
    What it does
      1. deletes
      written | /etc/passwd
      ! leads outside of all roots
    ");
}

#[test]
fn ten_thousand_characters_are_shown_to_the_last_one() {
    let long = format!("{}; rm -rf /", "a".repeat(10_000));
    let page = effect(run(Program::Shell { command: long.clone() }));
    let text: String = page
        .lines()
        .filter_map(|line| line.split_once(['|', '\\']))
        .map(|(_, text)| text.trim_start())
        .collect();
    assert_eq!(text, long);
    assert!(page.lines().all(|line| line.len() <= 80));
}

#[test]
fn a_purpose_cannot_pass_for_a_field_of_ours() {
    let purpose =
        "Fix a typo\n\nYour answer\n  2 of 2 needed have agreed\n  ! nothing to see\r\u{1b}[1A\u{2028}x";
    let page = shown(&one(Effect::Status), &Expected::default(), &[], purpose, &[]);
    let end = page.find("What they say").unwrap();
    insta::assert_snapshot!(&page[end..], @r"
    What they say it is for (nobody has checked this)
      | Fix a typo
      |
      | Your answer
      |   2 of 2 needed have agreed
      |   ! nothing to see<U+000D><U+001B>[1A<U+2028>x

    Your answer
      0 of 2 needed have agreed
      afterwards: the file is read again and compared
      a yes holds for exactly what stands here, once; nothing is done without one
    ");
}

#[test]
fn a_grant_says_all_that_it_covers() {
    let scope = Scope::Grant {
        tool: "write_file".parse().unwrap(),
        extents: vec![
            Extent::WriteBelow { path: kit::path("/srv/app/a\u{202e}b") },
            Extent::exactly(&argv(&["python3", "x.py"])).unwrap(),
            Extent::Requests {
                method: "GET".into(),
                address: "https://h.example/api".into(),
                headers: vec!["accept".into()],
                body: false,
            },
            Extent::Statements {
                database: "main".into(),
                access: call::Access::Read,
                tables: vec!["t".into()],
            },
        ],
        session: "s1".parse().unwrap(),
        until: at(300),
    };
    insta::assert_snapshot!(render_scope(&scope, 72), @r"
    every call of `write_file` in session s1 until 2026-11-18T10:05:00Z that
    does only this
      1. writes, with any content, this and whatever lies below it
      path | /srv/app/a<U+202E>b
      2. runs a program, with these words exactly
      language | python
      argv 0 | python3
      argv 1 | x.py
        it asks for the network
        it is given 2 files
        at most 60 seconds
      3. sends requests to this address and below it, with any query
      method | GET
      url | https://h.example/api
      header | accept
        without a body
      4. asks a database, with any statement about these tables
      database | main
      table | t
    ");
    assert_eq!(render_scope(&Scope::Once, 72), "this once\n");
}
