//! Whoever calls the tools, with effects as they are told.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use call::{
    AbsolutePath, Access, Actor, Arguments, CallContext, Confinement, Content, Done, Effect, Effects, Errand,
    Fault, Judge, Moment, Query, Reason, RunCaps, Sha256, SkillChain,
};
use execute::db::{Databases, Location, Settings};
use secrecy::SecretString;
use serde_json::{Map, Value};

/// What the secret `vault/shop` is.
pub(crate) const PASSWORD: &str = "correct horse battery staple";

struct Anything;

impl Judge for Anything {
    fn allows(&self, _: &Effect) -> Result<(), Reason> {
        Ok(())
    }
}

/// One database named `shop`.
pub(crate) struct Shop {
    databases: Databases,
    pub(crate) seconds: Option<u32>,
    pub(crate) cancelled: AtomicBool,
}

impl Shop {
    pub(crate) fn new(location: Location, write_tables: &[&str]) -> Self {
        Self::with_secret(location, write_tables, PASSWORD)
    }

    /// Where the secret `vault/shop` is this.
    pub(crate) fn with_secret(location: Location, write_tables: &[&str], value: &str) -> Self {
        let value = SecretString::from(value);
        let write_tables = write_tables.iter().map(|&table| table.to_owned()).collect();
        let settings = Settings { location, read_only: false, write_tables };
        let secret =
            move |scope: &str, name: &str| (scope == "vault" && name == "shop").then(|| value.clone());
        let databases = Databases::new(BTreeMap::from([("shop".to_owned(), settings)]), Box::new(secret));
        Self { databases, seconds: None, cancelled: AtomicBool::new(false) }
    }

    pub(crate) fn file(path: &std::path::Path, write_tables: &[&str]) -> Self {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        Self::new(Location::File(AbsolutePath::parse(path.to_str().unwrap()).unwrap()), write_tables)
    }

    /// Asks, as a statement that names these tables.
    pub(crate) fn query(&self, sql: &str, params: Value, tables: &[&str]) -> Result<Value, Fault> {
        let effects = vec![effect(Access::Read, sql, tables)];
        self.run(sql, params, effects, |databases, errand| databases.query(errand))
    }

    /// Changes, as a statement that names these tables.
    pub(crate) fn execute(&self, sql: &str, params: Value, tables: &[&str]) -> Result<Value, Fault> {
        let effects = vec![effect(Access::Write, sql, tables)];
        self.run(sql, params, effects, |databases, errand| databases.execute(errand))
    }

    pub(crate) fn run(
        &self,
        sql: &str,
        params: Value,
        effects: Vec<Effect>,
        run: impl FnOnce(&Databases, &Errand<'_>) -> Result<Done, Fault>,
    ) -> Result<Value, Fault> {
        let mut given = Map::new();
        given.insert("database".to_owned(), "shop".into());
        given.insert("sql".to_owned(), sql.into());
        if !params.is_null() {
            given.insert("params".to_owned(), params);
        }
        let errand = Errand {
            tool: &"query_db".parse().unwrap(),
            arguments: &Arguments::from(given),
            actor: &Actor {
                agent: "tester".parse().unwrap(),
                session: "s-1".parse().unwrap(),
                skills: SkillChain::default(),
                context: CallContext::Agent,
            },
            effects: &Effects::new(effects),
            walls: &walls(self.seconds),
            expected: None,
            judge: &Anything,
            now: Moment::since_epoch(Duration::from_secs(1)).unwrap(),
            cancelled: &self.cancelled,
        };
        let done = run(&self.databases, &errand)?;
        assert!(done.untrusted);
        match done.content {
            Content::Data(data) => Ok(data),
            Content::Nothing | Content::Text(_) => panic!("no data"),
        }
    }
}

pub(crate) fn effect(access: Access, sql: &str, tables: &[&str]) -> Effect {
    Effect::Query(Query {
        database: "shop".to_owned(),
        access,
        tables: tables.iter().map(|&table| table.to_owned()).collect(),
        sql: sql.to_owned(),
        parameters: Sha256::of(b""),
    })
}

fn walls(seconds: Option<u32>) -> Confinement {
    Confinement {
        max_file_chars: 8_000,
        lane: None,
        sandbox_required: false,
        max_runtime_seconds: seconds,
        memory_limit_mb: None,
        run: RunCaps { disk_mb: 1, files: 1, processes: 1, output_kb: 1 },
        max_files_written: None,
        max_bytes_written: None,
        max_calls_per_minute: None,
        max_concurrent: None,
    }
}

/// What went wrong, in one word.
pub(crate) fn class(answer: &Result<Value, Fault>) -> String {
    match answer {
        Ok(data) => panic!("it was done: {data}"),
        Err(fault) => fault.class().to_owned(),
    }
}
