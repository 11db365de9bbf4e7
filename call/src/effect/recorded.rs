//! Effects as the ledger keeps them: enough to decide about them again, years later.
//!
//! The canonical form is what an approval is bound to, and leaves out what stands at a path. Policy asks
//! about that, so it is here.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::{Change, Effect, Effects, MemoryUse, Query, Reach, RepositoryUse, Run, SecretUse, WebRequest};
use crate::{AbsolutePath, FileKind, Located, Passed, PathPlace, Sha256, UnclearPath, WebAddress};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "effect")]
enum Form<'f> {
    Read { path: Place<'f>, reach: Reach },
    Write { path: Place<'f>, change: Cow<'f, Change> },
    Delete { path: Place<'f> },
    Run { run: Cow<'f, Run> },
    Network { method: Cow<'f, str>, url: String, headers: Cow<'f, [(String, Sha256)]>, body: Option<Sha256> },
    Secret { scope: Cow<'f, str>, name: Cow<'f, str>, reveal: SecretUse },
    Query { query: Cow<'f, Query> },
    Memory { memory: Cow<'f, MemoryUse> },
    Repository { repository: Cow<'f, RepositoryUse> },
    Status,
    Nothing,
    Unknown { why: Cow<'f, str> },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "place")]
enum Place<'f> {
    Below {
        path: Cow<'f, AbsolutePath>,
        kind: FileKind,
        #[serde(default, skip_serializing_if = "is_empty")]
        passed: Cow<'f, [Passed]>,
    },
    Outside {
        given: Cow<'f, str>,
        #[serde(default, skip_serializing_if = "is_empty")]
        passed: Cow<'f, [Passed]>,
    },
    GateHome {
        given: Cow<'f, str>,
        #[serde(default, skip_serializing_if = "is_empty")]
        passed: Cow<'f, [Passed]>,
    },
    Unclear {
        given: Cow<'f, str>,
        why: UnclearPath,
        #[serde(default, skip_serializing_if = "is_empty")]
        passed: Cow<'f, [Passed]>,
    },
}

/// Most paths pass nothing, and are written down as they were before any could.
fn is_empty(passed: &[Passed]) -> bool {
    passed.is_empty()
}

/// Effects as they are recorded, for whoever writes them.
struct Recorded<'e>(&'e Effects);

impl Serialize for Recorded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Form::of))
    }
}

impl Effects {
    /// The effects as data.
    #[must_use]
    pub fn recorded(&self) -> Value {
        // Only floats and maps with keys that are not text can fail, and effects hold neither.
        serde_json::to_value(Recorded(self)).unwrap_or_default()
    }

    /// The effects, to be written as they are recorded.
    #[must_use]
    pub fn as_recorded(&self) -> impl Serialize {
        Recorded(self)
    }

    /// The effects that were recorded so; nothing when they were not.
    #[must_use]
    pub fn from_recorded(value: &Value) -> Option<Self> {
        let forms = Vec::<Form<'static>>::deserialize(value).ok()?;
        let effects: Option<Vec<Effect>> = forms.into_iter().map(Form::effect).collect();
        effects.filter(|effects| !effects.is_empty()).map(Self::new)
    }
}

impl<'f> Form<'f> {
    fn of(effect: &'f Effect) -> Self {
        match effect {
            Effect::Read { path, reach } => Self::Read { path: Place::of(path), reach: *reach },
            Effect::Write { path, change } => {
                Self::Write { path: Place::of(path), change: Cow::Borrowed(change) }
            }
            Effect::Delete { path } => Self::Delete { path: Place::of(path) },
            Effect::Run(run) => Self::Run { run: Cow::Borrowed(run) },
            Effect::Network(WebRequest { method, url, headers, body }) => Self::Network {
                method: Cow::Borrowed(method),
                url: url.to_string(),
                headers: Cow::Borrowed(headers),
                body: *body,
            },
            Effect::Secret { scope, name, reveal } => {
                Self::Secret { scope: Cow::Borrowed(scope), name: Cow::Borrowed(name), reveal: *reveal }
            }
            Effect::Query(query) => Self::Query { query: Cow::Borrowed(query) },
            Effect::Memory(memory) => Self::Memory { memory: Cow::Borrowed(memory) },
            Effect::Repository(repository) => Self::Repository { repository: Cow::Borrowed(repository) },
            Effect::Status => Self::Status,
            Effect::Nothing => Self::Nothing,
            Effect::Unknown { why } => Self::Unknown { why: Cow::Borrowed(why) },
        }
    }

    fn effect(self) -> Option<Effect> {
        Some(match self {
            Self::Read { path, reach } => Effect::Read { path: path.located(), reach },
            Self::Write { path, change } => {
                Effect::Write { path: path.located(), change: change.into_owned() }
            }
            Self::Delete { path } => Effect::Delete { path: path.located() },
            Self::Run { run } => Effect::Run(run.into_owned()),
            Self::Network { method, url, headers, body } => Effect::Network(WebRequest {
                method: method.into_owned(),
                url: WebAddress::parse(&url).ok()?,
                headers: headers.into_owned(),
                body,
            }),
            Self::Secret { scope, name, reveal } => {
                Effect::Secret { scope: scope.into_owned(), name: name.into_owned(), reveal }
            }
            Self::Query { query } => Effect::Query(query.into_owned()),
            Self::Memory { memory } => Effect::Memory(memory.into_owned()),
            Self::Repository { repository } => Effect::Repository(repository.into_owned()),
            Self::Status => Effect::Status,
            Self::Nothing => Effect::Nothing,
            Self::Unknown { why } => Effect::Unknown { why: why.into_owned() },
        })
    }
}

impl<'f> Place<'f> {
    fn of(Located { given, place, passed }: &'f Located) -> Self {
        let (given, passed) = (Cow::Borrowed(given.as_str()), Cow::Borrowed(passed.as_slice()));
        match place {
            PathPlace::Below { path, kind } => Self::Below { path: Cow::Borrowed(path), kind: *kind, passed },
            PathPlace::Outside => Self::Outside { given, passed },
            PathPlace::GateHome => Self::GateHome { given, passed },
            PathPlace::Unclear(why) => Self::Unclear { given, why: *why, passed },
        }
    }

    /// How a path below a root was spelled is not kept: it is never decided by.
    fn located(self) -> Located {
        let (given, place, passed) = match self {
            Self::Below { path, kind, passed } => {
                let path = path.into_owned();
                (path.as_str().to_owned(), PathPlace::Below { path, kind }, passed)
            }
            Self::Outside { given, passed } => (given.into_owned(), PathPlace::Outside, passed),
            Self::GateHome { given, passed } => (given.into_owned(), PathPlace::GateHome, passed),
            Self::Unclear { given, why, passed } => (given.into_owned(), PathPlace::Unclear(why), passed),
        };
        Located { given, place, passed: passed.into_owned() }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        AbsolutePath, Access, Change, Effect, Effects, FileKind, Lane, Located, MemoryUse, Passed, Passing,
        PathPlace, Program, Query, Reach, RepositoryUse, Run, RunLimits, SecretUse, Sha256, UnclearPath,
        WebAddress, WebRequest,
    };

    fn located(place: PathPlace) -> Located {
        let given = match &place {
            PathPlace::Below { path, .. } => path.as_str().to_owned(),
            PathPlace::Outside | PathPlace::GateHome | PathPlace::Unclear(_) => "../x".to_owned(),
        };
        Located::new(given, place)
    }

    #[test]
    fn every_effect_comes_back_as_it_was() {
        let digest = Sha256::of(b"x");
        let path = AbsolutePath::parse("/w/a").unwrap();
        let below = |kind| located(PathPlace::Below { path: path.clone(), kind });
        let passed = vec![Passed { path: path.clone(), how: Passing::Up }];
        let run = |program, lane| {
            let limits = RunLimits { time_limit_sec: Some(3), memory_limit_mb: None, cpu_limit: Some(1) };
            let environment = vec![("A".to_owned(), digest)];
            Effect::Run(Run {
                program,
                lane,
                network: true,
                stdin: Some(digest),
                inputs: 2,
                environment,
                limits,
            })
        };
        let language = || "node".to_owned();
        let effects = Effects::new(vec![
            Effect::Read { path: below(FileKind::Special), reach: Reach::Below },
            Effect::Read { path: Located { passed, ..below(FileKind::File) }, reach: Reach::Itself },
            Effect::Read { path: located(PathPlace::Outside), reach: Reach::Itself },
            Effect::Delete { path: located(PathPlace::GateHome) },
            Effect::Delete { path: located(PathPlace::Unclear(UnclearPath::Loop)) },
            Effect::Write {
                path: below(FileKind::Absent),
                change: Change::Content { sha256: digest, bytes: 9, binary: true, create_dirs: false },
            },
            Effect::Write {
                path: below(FileKind::File),
                change: Change::Edit { old: digest, new: digest, bytes: 1, binary: false, all: true },
            },
            Effect::Write { path: below(FileKind::Folder), change: Change::Foreign },
            run(Program::Code { language: language(), sha256: digest }, Some(Lane::Microvm)),
            run(Program::Argv { language: language(), argv: vec!["node".into(), "é\n".into()] }, None),
            run(Program::Shell { command: "ls -l".into() }, Some(Lane::Jail)),
            run(Program::Foreign { command: "x".into() }, Some(Lane::Monty)),
            Effect::Network(WebRequest {
                method: "POST".into(),
                url: WebAddress::parse("https://[::1]:8443/a?b=%20").unwrap(),
                headers: vec![("accept".into(), digest)],
                body: None,
            }),
            Effect::Secret { scope: "s".into(), name: "n".into(), reveal: SecretUse::Header },
            Effect::Query(Query {
                database: "d".into(),
                access: Access::Write,
                tables: vec!["t".into()],
                sql: "SELECT 1".into(),
                parameters: digest,
            }),
            Effect::Memory(MemoryUse::Recall { query: digest }),
            Effect::Memory(MemoryUse::Store { text: digest, tags: vec!["t".into()] }),
            Effect::Repository(RepositoryUse {
                repository: "a/b".into(),
                access: Access::Read,
                branch: None,
                base: Some("main".into()),
                content: digest,
            }),
            Effect::Status,
            Effect::Nothing,
            Effect::Unknown { why: "?".into() },
        ]);
        let recorded = effects.recorded();
        let written = crate::canonical::of(&effects.as_recorded());
        assert_eq!(written, crate::canonical::of_value(&recorded), "it is written as the data that it is");
        let back = Effects::from_recorded(&recorded);
        assert_eq!(back.as_ref().map(Effects::digest), Some(effects.digest()));
        assert_eq!(back, Some(effects));
    }

    #[test]
    fn what_is_no_record_is_no_effect() {
        for text in ["[]", "{}", r#"[{"effect":"fly"}]"#, r#"[{"effect":"delete","path":"/a"}]"#] {
            assert_eq!(Effects::from_recorded(&serde_json::from_str(text).unwrap()), None, "{text}");
        }
    }
}
