//! The gate's memory, on a real file.
#![expect(clippy::disallowed_methods, reason = "these tests are about a file on a real disk")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that cannot do its part should fail the test"
)]

use std::fs;
use std::sync::atomic::AtomicBool;

use call::{
    Actor, Arguments, Confinement, Content, Done, Effect, Effects, Errand, Fault, Judge, Moment, Reason,
    RunCaps,
};
use execute::memory::Memory;
use serde_json::{Value, json};
use tempfile::TempDir;

struct Yes;

impl Judge for Yes {
    fn allows(&self, _: &Effect) -> Result<(), Reason> {
        Ok(())
    }
}

struct Shelf {
    folder: TempDir,
    memory: Memory,
}

impl Shelf {
    fn new(days: Option<u32>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { memory: Memory::new(folder.path(), days), folder }
    }

    fn call(&self, agent: &str, day: i8, arguments: &Value) -> Result<Done, Fault> {
        let actor = Actor {
            agent: agent.parse().unwrap(),
            session: "s".parse().unwrap(),
            skills: call::SkillChain::default(),
            context: call::CallContext::Agent,
        };
        let walls = Confinement {
            max_file_chars: 8000,
            lane: None,
            sandbox_required: false,
            max_runtime_seconds: None,
            memory_limit_mb: None,
            run: RunCaps { disk_mb: 1, files: 1, processes: 1, output_kb: 1 },
            max_files_written: None,
            max_bytes_written: None,
            max_calls_per_minute: None,
            max_concurrent: None,
        };
        let store = arguments.get("text").is_some();
        let errand = Errand {
            tool: &"memory_store".parse().unwrap(),
            arguments: &Arguments::from(arguments.as_object().unwrap().clone()),
            actor: &actor,
            effects: &Effects::new(vec![Effect::Nothing]),
            walls: &walls,
            expected: None,
            judge: &Yes,
            now: Moment::from_civil((2026, 11, day), (12, 0, 0)).unwrap(),
            cancelled: &AtomicBool::new(false),
        };
        if store { self.memory.memory_store(&errand) } else { self.memory.memory_recall(&errand) }
    }

    fn store(&self, agent: &str, text: &str, tags: &[&str]) -> Done {
        self.call(agent, 1, &json!({"text": text, "tags": tags})).unwrap()
    }

    fn found(&self, agent: &str, query: &str) -> Vec<String> {
        self.found_on(agent, 1, query)
    }

    fn found_on(&self, agent: &str, day: i8, query: &str) -> Vec<String> {
        let done = self.call(agent, day, &json!({"query": query})).unwrap();
        assert!(done.untrusted);
        let Content::Data(Value::Array(texts)) = done.content else { panic!("a list comes back") };
        texts.iter().map(|text| text["text"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn a_text_is_found_by_its_words_and_tags() {
    let shelf = Shelf::new(None);
    shelf.store("ada", "Deployments run every Tuesday", &["operations"]);
    shelf.store("ada", "Die Größe des Puffers ist 4096", &[]);
    shelf.store("ada", "東京は日本の首都です", &[]);
    let cases = [
        ("tuesday", vec!["Deployments run every Tuesday"]),
        ("deployment", vec!["Deployments run every Tuesday"]),
        ("operations", vec!["Deployments run every Tuesday"]),
        ("grosse große GRÖSSE größe", vec!["Die Größe des Puffers ist 4096"]),
        ("日本", vec!["東京は日本の首都です"]),
        ("when do deployments run?", vec!["Deployments run every Tuesday"]),
        ("absent", vec![]),
    ];
    for (query, want) in cases {
        assert_eq!(shelf.found("ada", query), want, "{query}");
    }
    let done = shelf.call("ada", 1, &json!({"query": "tuesday"})).unwrap();
    assert_eq!(done.summary, "1 text found");
    let want = json!([{
        "id": 1,
        "time": "2026-11-01T12:00:00.000Z",
        "agent": "ada",
        "tags": ["operations"],
        "text": "Deployments run every Tuesday",
    }]);
    assert_eq!(done.content, Content::Data(want));
    assert_eq!(done.labels, ["memory"]);
}

#[test]
fn any_text_is_a_query() {
    let shelf = Shelf::new(None);
    shelf.store("ada", "plain words, 100% safe: a\"b", &[]);
    let queries = [
        "\"",
        "'",
        "*",
        "plain*",
        "AND",
        "OR NOT",
        "NEAR(",
        "NEAR(plain, 2)",
        "text:plain",
        "tags : x",
        "{a b}:c",
        "-plain",
        "^plain",
        "+",
        "plain AND",
        "(",
        ")",
        "((((",
        "a\"b",
        "\u{0}",
        "words; DROP TABLE texts;--",
        "%",
        "100%",
        "\\",
        "\u{1f980}",
        " ",
        "\n",
    ];
    for query in queries {
        assert!(shelf.call("ada", 1, &json!({"query": query})).is_ok(), "{query:?}");
    }
    let long = "word ".repeat(200);
    assert!(shelf.call("ada", 1, &json!({"query": long})).is_ok());
    assert_eq!(shelf.found("ada", "plain AND").len(), 1);
    assert_eq!(shelf.found("ada", "%").len(), 1);
    assert_eq!(shelf.found("ada", "safe").len(), 1);
}

#[test]
fn what_one_agent_keeps_is_not_found_by_another() {
    let shelf = Shelf::new(None);
    shelf.store("ada", "secret plans", &[]);
    shelf.store("ada", "common plans", &["shared"]);
    shelf.store("bob", "plans of bob", &["sharedx"]);
    assert_eq!(shelf.found("ada", "plans").len(), 2);
    let mut bob = shelf.found("bob", "plans");
    bob.sort();
    assert_eq!(bob, ["common plans", "plans of bob"]);
    assert_eq!(shelf.found("eve", "plans"), ["common plans"]);
    // Not by a fallback either.
    assert_eq!(shelf.found("eve", "ecret pla"), Vec::<String>::new());
    assert_eq!(shelf.found("shared", "secret"), Vec::<String>::new());
    assert_eq!(shelf.memory.forget(&"ada".parse().unwrap()).unwrap(), 1);
    assert_eq!(shelf.found("ada", "plans"), ["common plans"]);
}

#[test]
fn nothing_is_stored_twice() {
    let shelf = Shelf::new(None);
    assert_eq!(shelf.store("ada", "text", &["b", "a", "b"]).summary, "kept as text 1");
    assert_eq!(shelf.store("ada", "text", &["a", "b"]).summary, "kept already, as text 1");
    assert_eq!(shelf.store("ada", "text", &["a"]).summary, "kept as text 2");
    assert_eq!(shelf.store("bob", "text", &["a", "b"]).summary, "kept as text 3");
    assert_eq!(shelf.store("bob", "text", &["shared"]).summary, "kept as text 4, for all agents");
    assert_eq!(shelf.store("ada", "text", &["shared"]).summary, "kept already, as text 4, for all agents");
    assert_eq!(shelf.found("ada", "text").len(), 3);
}

/// Whether some bytes are anywhere in the folder.
fn is_on_disk(shelf: &Shelf, needle: &str) -> bool {
    fs::read_dir(shelf.folder.path()).unwrap().any(|entry| {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        bytes.windows(needle.len()).any(|window| window == needle.as_bytes())
    })
}

#[test]
fn what_is_older_than_the_retention_is_gone_from_the_file() {
    let shelf = Shelf::new(Some(7));
    shelf.store("ada", "zanzibar is old", &["quokkatag"]);
    shelf.call("ada", 5, &json!({"text": "younger plan"})).unwrap();
    assert_eq!(shelf.found_on("ada", 8, "zanzibar").len(), 1);
    assert_eq!(shelf.found_on("ada", 9, "zanzibar"), Vec::<String>::new());
    assert!(is_on_disk(&shelf, "zanzibar"));
    let now = Moment::from_civil((2026, 11, 9), (12, 0, 0)).unwrap();
    assert_eq!(shelf.memory.purge(now).unwrap(), 1);
    for needle in ["zanzibar", "quokkatag", "quokka", "zanzi"] {
        assert!(!is_on_disk(&shelf, needle), "{needle}");
    }
    assert_eq!(shelf.found_on("ada", 9, "younger"), ["younger plan"]);
    // Stored again, a text is as young as that.
    shelf.call("ada", 11, &json!({"text": "younger plan"})).unwrap();
    assert_eq!(shelf.found_on("ada", 17, "younger").len(), 1);
}

#[test]
fn sizes_are_bounded() {
    let shelf = Shelf::new(None);
    let fault = shelf.call("ada", 1, &json!({"text": "x".repeat((1 << 20) + 1)})).unwrap_err();
    assert_eq!(fault.class(), "too_large");
    for round in 0..64 {
        let text = format!("{round} {}", "x".repeat((1 << 20) - 8));
        shelf.call("ada", 1, &json!({"text": text})).unwrap();
    }
    let fault = shelf.call("ada", 1, &json!({"text": "y".repeat(1 << 20)})).unwrap_err();
    assert_eq!(fault.class(), "memory_full");
    // Another agent's memory is not full.
    shelf.store("bob", "z", &[]);
    let done = shelf.call("ada", 1, &json!({"query": "3", "limit": 1})).unwrap();
    assert_eq!(done.summary, "1 text found");
}

#[test]
fn a_memory_that_cannot_be_used_is_a_fault_and_stays_as_it_is() {
    let shelf = Shelf::new(None);
    let file = shelf.folder.path().join("memory.db");
    fs::write(&file, "this is no database, but somebody's file, and it is long enough to be looked at")
        .unwrap();
    let before = fs::read(&file).unwrap();
    let fault = shelf.call("ada", 1, &json!({"text": "x"})).unwrap_err();
    assert_eq!((fault.class(), fs::read(&file).unwrap()), ("memory_unusable", before));
    // Once it is moved away, all is well.
    fs::rename(&file, shelf.folder.path().join("moved")).unwrap();
    assert_eq!(shelf.store("ada", "x", &[]).summary, "kept as text 1");
}

#[test]
fn gates_that_share_a_memory_take_turns() {
    let shelf = Shelf::new(Some(30));
    std::thread::scope(|scope| {
        for agent in ["ada", "bob", "eve", "joe"] {
            let folder = shelf.folder.path();
            scope.spawn(move || {
                let other =
                    Shelf { folder: tempfile::tempdir().unwrap(), memory: Memory::new(folder, Some(30)) };
                for round in 0..10 {
                    other.store(agent, &format!("note {round}"), &[]);
                    assert!(!other.found(agent, "note").is_empty());
                }
            });
        }
    });
    assert_eq!(
        shelf.call("ada", 1, &json!({"query": "note", "limit": 100})).unwrap().summary,
        "10 texts found"
    );
}
