//! Secrets in what a call came with: its names, its purpose, its arguments.
//!
//! All of these texts are short, and to begin a search costs more than to search one. So they are searched at once,
//! and each by itself only where that found something.

use record::Ledger;

use crate::Incoming;

/// Looks for secrets in what a call came with.
pub(crate) struct Watch<'l> {
    ledger: &'l Ledger,
    /// No name that the call came with holds a secret, nor its purpose.
    clear: bool,
    /// Nor do its arguments.
    clear_arguments: bool,
}

impl<'l> Watch<'l> {
    /// Over a call, and its arguments if they are asked about.
    pub(crate) fn over(ledger: &'l Ledger, incoming: &Incoming, with_arguments: bool) -> Self {
        let Incoming { tool, agent, session, purpose, skill, arguments, .. } = incoming;
        let names = || [tool, agent, session].into_iter().chain(purpose).chain(skill);
        // What is behind an escape, or goes on over lines, is read by itself.
        let with_arguments = with_arguments
            && arguments.len() <= LONGEST_TOGETHER / 2
            && !arguments.contains(['\\', '\n', '\r']);
        let texts = || names().chain(Some(arguments).filter(|_| with_arguments));
        let length: usize = texts().map(|text| text.len() + BETWEEN.len()).sum();
        if length > LONGEST_TOGETHER || texts().any(|text| text.contains(['\n', '\r'])) {
            return Self { ledger, clear: false, clear_arguments: false };
        }
        let mut all = String::with_capacity(length);
        for text in texts() {
            all.push_str(BETWEEN);
            all.push_str(text);
        }
        let clear = !ledger.is_guarded(&all);
        Self { ledger, clear, clear_arguments: clear && with_arguments }
    }

    pub(crate) const fn ledger(&self) -> &Ledger {
        self.ledger
    }

    /// Whether one of the texts that it is over, its arguments apart, holds a secret.
    pub(crate) fn is_guarded(&self, text: &str) -> bool {
        !self.clear && self.ledger.is_guarded(text)
    }

    /// Whether its arguments do.
    pub(crate) fn gives_away(&self, arguments: &str) -> bool {
        !self.clear_arguments && self.ledger.gives_away(arguments.as_bytes())
    }

    /// The beginning of one of the texts; not when it holds a secret.
    pub(crate) fn told(&self, text: &str, most: usize) -> String {
        if self.is_guarded(text) { REDACTED.to_owned() } else { beginning(text, most) }
    }
}

/// The beginning of a text that may be anything; not when it holds a secret.
pub(crate) fn told(ledger: &Ledger, text: &str, most: usize) -> String {
    if ledger.is_guarded(text) { REDACTED.to_owned() } else { beginning(text, most) }
}

/// So many characters of a text, which mostly are all.
fn beginning(text: &str, most: usize) -> String {
    text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)).unwrap_or(text).to_owned()
}

/// Stands between texts that are searched together: a sign that belongs to no name, no number and no encoding.
const BETWEEN: &str = " | ";

/// Bytes that are searched together: what is longer is not worth copying.
const LONGEST_TOGETHER: usize = 4_096;

const REDACTED: &str = "<REDACTED:known_secret>";

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use call::{CallContext, CallId, Moment};
    use proptest::prelude::*;
    use record::store::{RunId, SqliteStore};
    use record::{Asked, Ended, Event, Ledger, NotRecorded, SigningKey, Status};
    use screen::KnownSecrets;
    use tempfile::TempDir;

    use super::Watch;
    use crate::Incoming;

    const VALUES: [&str; 3] = ["tk-9f8e7d6c5b4a3210fedcba98", "p/9\"Zk+3 q~Lm7Vx2Wt", "hunter2x"];

    fn now() -> Moment {
        Moment::since_epoch(std::time::Duration::from_secs(1_790_000_000)).unwrap()
    }

    fn id(number: u8) -> CallId {
        CallId::new(now(), [number; 10])
    }

    /// A ledger whose folder goes with it.
    fn ledger() -> (Ledger, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        SqliteStore::create(folder.path()).unwrap();
        let run = RunId(id(1));
        let store = Box::new(SqliteStore::open(folder.path(), Some(run)).unwrap());
        let key = SigningKey::new("example.org/test", [7; 32]).unwrap();
        let known = KnownSecrets::new(VALUES.map(|value| ("", value)));
        let guard = Box::new(move |text: &str| !known.find(text).is_empty());
        (Ledger::start(store, key, guard, run, Default::default(), now()).unwrap(), folder)
    }

    /// Words, encodings of nothing, and now and then a secret in one spelling or another.
    fn text() -> impl Strategy<Value = String> {
        let hex = |value: &str| value.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
        let spelled = |value: &str, between: &str| {
            value.bytes().map(|byte| byte.to_string()).collect::<Vec<String>>().join(between)
        };
        let percent = |value: &str| value.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let strewn = |value: &str| value.chars().map(|sign| format!("{sign} ")).collect::<String>();
        let value = prop::sample::select(VALUES.to_vec());
        let secret = (value, 0..8_usize).prop_map(move |(value, way)| match way {
            0 => value.to_owned(),
            1 => hex(value),
            2 => spelled(value, ", "),
            3 => percent(value),
            4 => strewn(value),
            5 => value.chars().rev().collect(),
            6 => data_encoding::BASE64.encode(value.as_bytes()),
            _ => value.chars().flat_map(|sign| [sign, '\u{200b}']).collect(),
        });
        let part = prop_oneof![
            6 => "[a-z]{1,9}",
            2 => "[A-Za-z0-9+/_-]{4,44}=?",
            1 => "[0-9 .,:&;|%<>-]{1,12}",
            1 => "(&amp|&lt|&#x67|&#103|=67=68|%41|\\\\n|\n|\\t|\"|é|日本)",
            1 => secret,
        ];
        let between = prop::sample::select(vec![" ", "", "-", ": "]);
        prop::collection::vec((part, between), 0..5)
            .prop_map(|parts| parts.into_iter().map(|(part, between)| part + between).collect())
    }

    fn asked(number: u8, tool: String, purpose: String, arguments: String) -> Asked {
        Asked { call: id(number), actor: None, tool, purpose: Some(purpose), arguments: Some(arguments) }
    }

    fn ended(asked: Asked, artifacts: Vec<String>, decision: String) -> Event {
        Event::Outcome(Box::new(Ended {
            asked: Arc::new(asked),
            status: Status::Success,
            elapsed_ms: 3,
            error_class: None,
            flags: Default::default(),
            artifacts,
            decision: Some(decision),
            reasons: Vec::new(),
            policy: Some(call::Sha256::of(b"policy")),
            approval: None,
            effects: Some(call::Sha256::of(b"effects")),
            diff: None,
            lane: None,
            verified: None,
        }))
    }

    #[test]
    fn a_secret_is_found_in_texts_that_are_searched_at_once() {
        let (ledger, _folder) = ledger();
        let texts = [text(), text(), text(), text(), text(), text()];
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(2_000));
        let run = runner.run(&texts, |[tool, purpose, agent, session, skill, arguments]| {
            let incoming = Incoming {
                tool,
                purpose: Some(purpose),
                arguments,
                not_text: None,
                agent,
                session,
                skill: Some(skill),
                context: CallContext::Agent,
            };
            let Incoming { tool, purpose, agent, session, skill, arguments, .. } = &incoming;
            for with_arguments in [true, false] {
                let watch = Watch::over(&ledger, &incoming, with_arguments);
                for text in [tool, agent, session].into_iter().chain(purpose).chain(skill) {
                    prop_assert_eq!(watch.is_guarded(text), ledger.is_guarded(text), "{:?}", text);
                }
                let alone = ledger.gives_away(arguments.as_bytes());
                prop_assert_eq!(watch.gives_away(arguments), alone, "{:?}", arguments);
            }
            Ok(())
        });
        run.unwrap();
    }

    #[test]
    fn events_that_are_searched_at_once_are_kept_out_like_events_that_are_searched_as_they_are_written() {
        let (ledger, _folder) = ledger();
        let number = std::cell::Cell::new(1);
        let hash = prop_oneof![
            3 => Just(format!("sha256:{}", call::Sha256::of(b"arguments"))),
            1 => text(),
        ];
        let texts = ([text(), text(), text(), text()], hash);
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(1_000));
        let run = runner.run(&texts, |([tool, purpose, artifact, decision], arguments)| {
            number.set(u8::wrapping_add(number.get(), 1));
            let one = asked(number.get(), tool, purpose, arguments);
            let events = [Event::Asked(Arc::new(one.clone())), ended(one, vec![artifact], decision)];
            let leaves = events.each_ref().map(|event| event.draft(now(), &ledger.run()).0.leaf().to_vec());
            let first =
                leaves.iter().position(|leaf| ledger.gives_away(leaf)).map(|place| events[place].name());
            match (ledger.append_all(&events, now()), first) {
                (Err(NotRecorded::Secret(name)), Some(first)) => prop_assert_eq!(name, first),
                (Ok(_), None) | (Err(NotRecorded::Misstep(_)), None) => {}
                (answer, first) => prop_assert!(false, "{:?} {:?}", answer, first),
            }
            Ok(())
        });
        run.unwrap();
    }
}
