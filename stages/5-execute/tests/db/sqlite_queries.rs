//! `query_db` on SQLite.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use call::{Access, Fault};
use serde_json::{Value, json};

use crate::caller::{Shop, class, effect};
use crate::files::File;

const SHOP: &str = "
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, height REAL, picture BLOB);
    INSERT INTO people VALUES (1, 'Ada', 1.65, x'00ff'), (2, 'Grace ☕ 東京', NULL, NULL), (9007199254740993, '', -0.5, x'');
    CREATE TABLE \"Odd \"\"Name\"\"\" (\"a b\");
    INSERT INTO \"Odd \"\"Name\"\"\" VALUES (7);
    CREATE VIEW tall AS SELECT name FROM people WHERE height > 1;
    CREATE VIRTUAL TABLE notes USING fts5(text);
    CREATE VIRTUAL TABLE people_index USING fts5(name, content = people, content_rowid = id);
    INSERT INTO people_index (people_index) VALUES ('rebuild');
    CREATE VIRTUAL TABLE boxes USING rtree(id, low, high);
    INSERT INTO boxes VALUES (1, 2, 3);
    CREATE VIEW found AS SELECT name FROM people_index;
    INSERT INTO notes VALUES ('the quick brown fox'), ('lazy dogs');
    ANALYZE;
";

#[test]
fn rows_come_back_with_their_types() {
    let file = File::with(SHOP);
    let shop = Shop::file(&file.path(), &[]);
    let answer = shop.query("SELECT * FROM people ORDER BY id", Value::Null, &["people"]).unwrap();
    assert_eq!(
        answer,
        json!({
            "columns": ["id", "name", "height", "picture"],
            "rows": [
                [1, "Ada", 1.65, {"base64": "AP8="}],
                [2, "Grace ☕ 東京", null, null],
                [9_007_199_254_740_993_i64, "", -0.5, {"base64": ""}],
            ],
            "truncated": false,
        })
    );
    assert_eq!(file.beside(), ["shop.db"]);
}

#[test]
fn what_people_ask_is_answered() {
    let file = File::with(SHOP);
    let shop = Shop::file(&file.path(), &[]);
    for (sql, tables, first) in [
        ("SELECT count(*) FROM people", &["people"][..], json!([3])),
        ("SELECT \"a b\" FROM main.\"Odd \"\"Name\"\"\"", &["\"odd \"\"name\"\"\""], json!([7])),
        ("SELECT name FROM tall", &["tall"], json!(["Ada"])),
        ("SELECT p.name FROM PEOPLE AS p JOIN tall USING (name)", &["people", "tall"], json!(["Ada"])),
        ("WITH few AS (SELECT 1 AS x UNION ALL SELECT 2) SELECT count(*) FROM few", &[], json!([2])),
        (
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 5) SELECT sum(x) FROM n",
            &[],
            json!([15]),
        ),
        ("VALUES (1, 'a'), (2, 'b')", &[], json!([1, "a"])),
        ("SELECT text FROM notes WHERE notes MATCH 'fox'", &["notes"], json!(["the quick brown fox"])),
        ("SELECT name FROM people_index WHERE people_index MATCH 'ada'", &["people_index"], json!(["Ada"])),
        ("SELECT name FROM found", &["found"], json!(["Ada"])),
        ("SELECT id FROM boxes WHERE low > 1", &["boxes"], json!([1])),
        ("SELECT value FROM json_each('[7, 8]')", &[], json!([7])),
        ("SELECT '{\"a\": [1]}' ->> '$.a[0]'", &[], json!([1])),
        ("SELECT name FROM sqlite_master WHERE name = 'tall'", &["sqlite_master"], json!(["tall"])),
        ("SELECT name, rank() OVER (ORDER BY height DESC) FROM people", &["people"], json!(["Ada", 1])),
        ("SELECT max(9e999)", &[], json!(["Infinity"])),
        ("SELECT CAST(x'ff' AS TEXT)", &[], json!([{"base64": "/w=="}])),
        (
            "SELECT group_concat(name, ',') FROM people WHERE name LIKE 'a%' -- the end",
            &["people"],
            json!(["Ada"]),
        ),
    ] {
        let answer = shop.query(sql, Value::Null, tables).unwrap_or_else(|fault| panic!("{sql}: {fault:?}"));
        assert_eq!(answer["rows"][0], first, "{sql}");
    }
    let plan =
        shop.query("EXPLAIN QUERY PLAN SELECT * FROM people WHERE id = 1", Value::Null, &["people"]).unwrap();
    assert!(plan.to_string().contains("SEARCH people"), "{plan}");
}

#[test]
fn values_are_bound_by_place_and_by_name() {
    let file = File::with(SHOP);
    let shop = Shop::file(&file.path(), &[]);
    let kinds = "SELECT typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), ?";
    let answer = shop.query(kinds, json!([1, 1.5, "1", null, true, 9_007_199_254_740_993_i64]), &[]).unwrap();
    assert_eq!(
        answer["rows"][0],
        json!(["integer", "real", "text", "null", "integer", 9_007_199_254_740_993_i64])
    );
    let hostile = "'; DROP TABLE people; --";
    let answer = shop.query("SELECT ?1, :b, @c, $d", json!([hostile, 2, 3, 4]), &[]).unwrap();
    assert_eq!(answer["rows"][0], json!([hostile, 2, 3, 4]));
    let answer = shop.query("SELECT :b, @c, $d, :b", json!({"b": 2, "c": 3, "d": "x"}), &[]).unwrap();
    assert_eq!(answer["rows"][0], json!([2, 3, "x", 2]));
    for (sql, params) in [
        ("SELECT ?", json!([])),
        ("SELECT ?", json!([1, 2])),
        ("SELECT 1", json!([1])),
        ("SELECT :a", json!({"b": 1})),
        ("SELECT :a", json!({"a": 1, "b": 1})),
        ("SELECT ?", json!({"a": 1})),
        ("SELECT ?", json!([[1]])),
        ("SELECT ?", json!([18_446_744_073_709_551_615_u64])),
    ] {
        assert_eq!(class(&shop.query(sql, params.clone(), &[])), "bad_parameters", "{sql} {params}");
    }
}

#[test]
fn nothing_but_rows_is_reached_by_a_query() {
    let file = File::with(SHOP);
    let shop = Shop::file(&file.path(), &[]);
    let other = File::with("CREATE TABLE secrets (x)");
    let attach = format!("ATTACH '{}' AS other", other.path().display());
    for sql in [
        "INSERT INTO people (name) VALUES ('Eve')",
        "WITH x AS (SELECT 1) DELETE FROM people",
        "UPDATE people SET name = 'Eve' RETURNING *",
        "DROP TABLE people",
        "CREATE TABLE more (x)",
        "CREATE TEMP TABLE more (x)",
        "CREATE TEMP VIEW more AS SELECT 1",
        "SELECT load_extension('evil')",
        "SELECT fts3_tokenizer('simple')",
        attach.as_str(),
        "PRAGMA query_only = off",
        "PRAGMA writable_schema = on",
        "PRAGMA table_info(people)",
        "SELECT * FROM pragma_table_info('people')",
        "SELECT count(*) FROM pragma_database_list",
        "SELECT * FROM pragma_function_list",
        "SELECT * FROM dbstat",
        "SELECT count(*) FROM dbstat",
        "SELECT * FROM sqlite_dbpage",
        "SELECT * FROM temp.sqlite_schema",
        "VACUUM",
        "VACUUM INTO '/tmp/toolgate-vacuum-copy.db'",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "COMMIT",
        "SAVEPOINT x",
        "SELECT 1; SELECT 2",
        "SELECT writefile('/tmp/x', 'x')",
        "SELECT sqlite_rename_table(1, 2, 3, 4, 5, 6, 7)",
    ] {
        // As if the parser had read something else in it.
        let answer = shop.query(sql, Value::Null, &["people"]);
        assert!(
            matches!(class(&answer).as_str(), "unknown_effect" | "table_not_allowed" | "sql_error"),
            "{sql}: {answer:?}"
        );
    }
    assert_eq!(file.count("people"), 3);
    assert!(!std::path::Path::new("/tmp/toolgate-vacuum-copy.db").exists());
    assert_eq!(file.beside(), ["shop.db"]);
}

#[test]
fn a_table_that_the_statement_was_not_said_to_name_is_not_read() {
    let file = File::with(SHOP);
    let shop = Shop::file(&file.path(), &[]);
    assert_eq!(class(&shop.query("SELECT * FROM people", Value::Null, &["sqlite_stat1"])), "unknown_effect");
    assert_eq!(class(&shop.query("SELECT count(*) FROM people", Value::Null, &[])), "unknown_effect");
    let answer = shop.run(
        "SELECT 1",
        Value::Null,
        vec![effect(Access::Read, "SELECT 2", &[])],
        |databases, errand| databases.query(errand),
    );
    assert_eq!(class(&answer), "unknown_effect");
    let answer = shop.run(
        "DELETE FROM people",
        Value::Null,
        vec![effect(Access::Write, "DELETE FROM people", &["people"])],
        |databases, errand| databases.query(errand),
    );
    assert_eq!(class(&answer), "unknown_effect");
    assert_eq!(file.count("people"), 3);
}

#[test]
fn a_schema_that_was_written_by_hand_does_no_harm() {
    let file = File::with("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    let sql = "PRAGMA writable_schema = on;
        INSERT INTO sqlite_master VALUES ('view', 'trap', 'trap', 0, 'CREATE VIEW trap AS SELECT load_extension(''evil'') FROM t');
        INSERT INTO sqlite_master VALUES ('view', 'window', 'window', 0, 'CREATE VIEW window AS SELECT * FROM pragma_database_list');";
    file.open().execute_batch(sql).unwrap();
    let shop = Shop::file(&file.path(), &[]);
    for name in ["trap", "window"] {
        let answer = shop.query(&format!("SELECT * FROM {name}"), Value::Null, &[name]);
        assert!(matches!(class(&answer).as_str(), "unknown_effect" | "sql_error"), "{name}: {answer:?}");
    }
    assert_eq!(shop.query("SELECT x FROM t", Value::Null, &["t"]).unwrap()["rows"], json!([[1]]));
}

#[test]
fn many_rows_end_where_the_cap_is_and_one_huge_value_is_told() {
    let file = File::with(SHOP);
    let shop = Shop::file(&file.path(), &[]);
    let counting = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n";
    let answer = shop.query(&format!("{counting} LIMIT 1000"), Value::Null, &[]).unwrap();
    assert_eq!((answer["rows"].as_array().unwrap().len(), &answer["truncated"]), (1_000, &json!(false)));
    let answer = shop.query(counting, Value::Null, &[]).unwrap();
    assert_eq!((answer["rows"].as_array().unwrap().len(), &answer["truncated"]), (1_000, &json!(true)));
    let wide = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 900) SELECT hex(zeroblob(50000)) FROM n";
    let answer = shop.query(wide, Value::Null, &[]).unwrap();
    assert_eq!((answer["rows"].as_array().unwrap().len(), &answer["truncated"]), (10, &json!(true)));
    assert_eq!(class(&shop.query("SELECT hex(zeroblob(5000000))", Value::Null, &[])), "result_too_large");
    assert_eq!(class(&shop.query("SELECT zeroblob(1000000000)", Value::Null, &[])), "result_too_large");
}

#[test]
fn a_query_that_never_ends_is_ended() {
    let file = File::with(SHOP);
    let mut shop = Shop::file(&file.path(), &[]);
    shop.seconds = Some(1);
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
    let began = Instant::now();
    assert!(matches!(shop.query(endless, Value::Null, &[]), Err(Fault::TimedOut { .. })));
    assert!(began.elapsed() < Duration::from_secs(5));
    shop.seconds = Some(60);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            shop.cancelled.store(true, Ordering::Relaxed);
        });
        assert!(matches!(shop.query(endless, Value::Null, &[]), Err(Fault::Cancelled)));
    });
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_file_that_is_no_database_is_told_apart() {
    let file = File::with(SHOP);
    let query = |path: &std::path::Path| {
        class(&Shop::file(path, &[]).query("SELECT * FROM people", Value::Null, &["people"]))
    };
    let beside = |name: &str| file.path().with_file_name(name);
    assert_eq!(query(&beside("missing.db")), "not_found");
    assert!(!beside("missing.db").exists());
    std::fs::create_dir(beside("folder")).unwrap();
    assert_eq!(query(&beside("folder")), "not_a_file");
    std::fs::write(
        beside("text.db"),
        "once upon a time there was no database in this file, and it was long enough",
    )
    .unwrap();
    assert_eq!(query(&beside("text.db")), "not_a_database");
    rustix::fs::mknodat(rustix::fs::CWD, beside("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
        .unwrap();
    assert_eq!(query(&beside("pipe")), "not_a_file");
    let mut bytes = std::fs::read(file.path()).unwrap();
    for byte in bytes.iter_mut().skip(100).take(3_900) {
        *byte = 0xa5;
    }
    std::fs::write(beside("damaged.db"), &bytes).unwrap();
    assert_eq!(query(&beside("damaged.db")), "database_damaged");
    std::fs::write(beside("empty.db"), "").unwrap();
    assert_eq!(query(&beside("empty.db")), "sql_error");
    std::os::unix::fs::symlink(file.path(), beside("link.db")).unwrap();
    let path = call::AbsolutePath::parse(beside("link.db").to_str().unwrap()).unwrap();
    let linked = Shop::new(execute::db::Location::File(path), &[]);
    assert_eq!(class(&linked.query("SELECT * FROM people", Value::Null, &["people"])), "not_a_file");
}

#[test]
fn another_program_that_writes_is_waited_for_and_then_told() {
    let file = File::with(SHOP);
    let mut shop = Shop::file(&file.path(), &["people"]);
    shop.seconds = Some(20);
    let writer = file.open();
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let began = Instant::now();
    let answer = shop.query("SELECT * FROM people", Value::Null, &["people"]);
    assert_eq!(class(&answer), "database_locked");
    assert!((4..10).contains(&began.elapsed().as_secs()));
    writer.execute_batch("COMMIT; PRAGMA journal_mode = wal").unwrap();
    writer.execute_batch("BEGIN IMMEDIATE; DELETE FROM people WHERE id = 1").unwrap();
    // With a write-ahead log, readers see what was there before.
    let answer = shop.query("SELECT count(*) FROM people", Value::Null, &["people"]).unwrap();
    assert_eq!(answer["rows"], json!([[3]]));
    assert_eq!(class(&shop.execute("DELETE FROM people", Value::Null, &["people"])), "database_locked");
    writer.execute_batch("COMMIT").unwrap();
    let answer = shop.query("SELECT count(*) FROM people", Value::Null, &["people"]).unwrap();
    assert_eq!(answer["rows"], json!([[2]]));
}

#[test]
fn wrong_statements_are_told_in_the_words_of_sqlite() {
    let file = File::with(SHOP);
    let shop = Shop::file(&file.path(), &[]);
    let fault = shop.query("SELECT nobody FROM people", Value::Null, &["people"]).unwrap_err();
    assert_eq!((fault.class(), fault.to_string().as_str()), ("sql_error", "no such column: nobody"));
    let fault = shop.query("SELECT * FROM nowhere", Value::Null, &["nowhere"]).unwrap_err();
    assert_eq!(fault.to_string(), "no such table: nowhere");
    let fault = shop.query("SELECT \"Ada\"", Value::Null, &[]).unwrap_err();
    assert!(fault.to_string().contains("single-quotes"), "{fault}");
}
