//! What holds for every policy, whether it can be loaded or not.

use std::sync::LazyLock;

use call::{
    AbsolutePath, Actor, CallContext, Change, Effect, Effects, FileKind, Located, PathPlace, Place, Program,
    Reach, Run, RunLimits, SecretUse, Sha256, SkillChain, Span, ToolName, WebAddress, WebRequest,
};
use classify::{Mapping, MappingError};
use decide::{Deciding, Ground, Policy, PolicyFiles, decide, explain};

/// A valid `policy.toml` that uses every key.
pub const HOME: &str = include_str!("../seeds/home/whole.toml");

/// A valid manifest of the skill `s`, with every key.
pub const MANIFEST: &str = include_str!("../seeds/manifest/whole.json");

struct Flat;

impl Ground for Flat {
    fn workspace(&self) -> &AbsolutePath {
        static AT: LazyLock<AbsolutePath> = LazyLock::new(|| at("/w"));
        &AT
    }

    fn user_home(&self) -> Option<&AbsolutePath> {
        static AT: LazyLock<AbsolutePath> = LazyLock::new(|| at("/home/ada"));
        Some(&AT)
    }

    fn real(&self, path: &AbsolutePath) -> AbsolutePath {
        path.clone()
    }
}

fn at(path: &str) -> AbsolutePath {
    AbsolutePath::parse(path).expect("an absolute path")
}

/// Loads a policy of these files and puts calls to it. Returns whether there was one.
///
/// # Panics
///
/// When a promise is broken; that is the point.
pub fn policy_promises_hold(list: &[(&str, &[u8])]) -> bool {
    let files = PolicyFiles(list.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect());
    let loaded = Policy::load(&files, &Flat);
    for found in &loaded.findings {
        let bytes = files.0.get(&found.file).map_or(&[][..], Vec::as_slice);
        let finding = &found.finding;
        place_is_sound(bytes, finding.span, Some(finding.place), &finding.message);
    }
    let key = |found: &decide::PolicyFinding| (found.file.clone(), found.finding.place);
    assert!(
        loaded.findings.is_sorted_by_key(key),
        "in the order of files and places: {:#?}",
        loaded.findings
    );
    let again = Policy::load(&files, &Flat);
    assert_eq!(loaded.findings, again.findings, "the same files have the same findings");
    let has_errors = loaded.findings.iter().any(|found| found.finding.is_error());
    let (Some(policy), Some(_)) = (&loaded.policy, &again.policy) else {
        assert!(loaded.policy.is_none() && again.policy.is_none(), "loaded once and not twice");
        assert!(has_errors, "no policy, and nothing says why");
        return false;
    };
    assert_eq!(policy.digest(), files.digest());
    let closes = |name: &str| !name.starts_with("skills/");
    let bad = loaded.findings.iter().find(|found| found.finding.is_error() && closes(&found.file));
    assert!(bad.is_none(), "an error, and a policy all the same: {bad:?}");
    // Three calls each time, chosen by the files: asking them all would take most of the time.
    let first = policy.digest().to_string().bytes().map(usize::from).sum::<usize>();
    for (tool, effect, must_deny) in CALLS.iter().cycle().skip(first % CALLS.len()).take(3) {
        let secret = matches!(effect, Effect::Secret { .. });
        let context = if secret { CallContext::Operator } else { CallContext::Agent };
        for skills in ["", "s"] {
            put(policy, tool, skills, context, effect, *must_deny);
        }
    }
    true
}

fn put(policy: &Policy, tool: &str, skills: &str, context: CallContext, effect: &Effect, must_deny: bool) {
    let tool: ToolName = tool.parse().expect("a name");
    let skills = if skills.is_empty() { SkillChain::default() } else { skills.parse().expect("a chain") };
    let alone = skills.skills().is_empty();
    let actor = Actor {
        agent: "fuzzer".parse().expect("a name"),
        session: "s1".parse().expect("a name"),
        skills,
        context,
    };
    let effects = Effects::new(vec![effect.clone()]);
    let call = Deciding { tool: &tool, actor: &actor, effects: &effects, objections: &[], now: super::now() };
    let ruled = decide(policy, &call);
    let (explained, voices) = explain(policy, &call);
    assert_eq!(ruled, explained, "what is explained is what is decided");
    assert_eq!(ruled.policy, policy.digest());
    let verdict = ruled.ruling.verdict();
    assert_eq!(
        verdict == "allow",
        ruled.ruling.reasons().is_empty(),
        "reasons where there is no yes: {ruled:?}"
    );
    assert!(!must_deny || verdict == "deny", "never allowed: {effect:?}");
    let heard = |word: &str| voices.iter().any(|voice| voice.verdict == word);
    assert!(verdict == "deny" || !heard("deny"), "one no is a no: {voices:?}");
    assert!(verdict != "allow" || !heard("needs_approval"), "one question is a question: {voices:?}");
    if !alone {
        let home = Actor { skills: SkillChain::default(), ..actor.clone() };
        let call = Deciding { actor: &home, ..call };
        let of_home = decide(policy, &call).ruling.verdict();
        let secret = matches!(effect, Effect::Secret { .. });
        assert!(secret || rank(verdict) <= rank(of_home), "a skill has more than the home: {effect:?}");
    }
}

fn rank(verdict: &str) -> u8 {
    match verdict {
        "allow" => 2,
        "needs_approval" => 1,
        _ => 0,
    }
}

/// A tool, an effect, and whether every policy denies it.
static CALLS: LazyLock<Vec<(&'static str, Effect, bool)>> = LazyLock::new(|| {
    let path = |path: &str| {
        let place = PathPlace::Below { path: at(path), kind: FileKind::File };
        Located::new(path.to_owned(), place)
    };
    let change = Change::Content { sha256: Sha256::of(b""), bytes: 0, binary: false, create_dirs: false };
    let shell = Program::Shell { command: "ls".to_owned() };
    let run = Run {
        program: shell,
        lane: None,
        network: false,
        stdin: None,
        inputs: 0,
        environment: Vec::new(),
        limits: RunLimits::default(),
    };
    let url = |url: &str| WebAddress::parse(url).expect("an address");
    let get = |address: &str| WebRequest {
        method: "GET".to_owned(),
        url: url(address),
        headers: Vec::new(),
        body: None,
    };
    let gate = Located::new("x", PathPlace::GateHome);
    vec![
        ("read_file", Effect::Read { path: path("/w/src/a.md"), reach: Reach::Itself }, false),
        ("read_file", Effect::Read { path: path("/etc/passwd"), reach: Reach::Itself }, false),
        ("read_file", Effect::Read { path: gate, reach: Reach::Itself }, true),
        ("write_file", Effect::Write { path: path("/w/src/a.md"), change }, false),
        ("exec_shell", Effect::Run(run), false),
        ("network_fetch", Effect::Network(get("https://api.example.org/x")), false),
        (
            "secrets_get",
            Effect::Secret { scope: "ci".to_owned(), name: "T".to_owned(), reveal: SecretUse::Header },
            false,
        ),
        ("other.tool", Effect::Unknown { why: "nobody knows".to_owned() }, true),
        ("status", Effect::Status, false),
    ]
});

/// Reads a mapping, and asserts what holds for every text. Returns whether it is one.
///
/// # Panics
///
/// When a promise is broken; that is the point.
pub fn mapping_promises_hold(text: &str) -> Option<Mapping> {
    let read = Mapping::parse(text);
    let again = Mapping::parse(text);
    match (read, again) {
        (Ok(mapping), Ok(again)) => {
            assert_eq!(mapping.tools().collect::<Vec<_>>(), again.tools().collect::<Vec<_>>());
            Some(mapping)
        }
        (Err(errors), Err(again)) => {
            assert_eq!(errors, again, "the same text has the same errors");
            assert!(!errors.is_empty(), "no mapping, and nothing says why");
            for MappingError { span, message, .. } in &errors {
                place_is_sound(text.as_bytes(), *span, None, message);
            }
            None
        }
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => panic!("read once and not twice"),
    }
}

fn place_is_sound(bytes: &[u8], span: Span, place: Option<Place>, message: &str) {
    let text = String::from_utf8_lossy(bytes);
    assert!(span.of(&text).is_some(), "a span lies in the text, on character boundaries: {span:?} {message}");
    let lines = text.split(['\n', '\r']).count();
    let fits = place.is_none_or(|place| place.line >= 1 && place.line <= lines && place.column >= 1);
    assert!(fits, "a line of the file: {place:?} {message}");
}
