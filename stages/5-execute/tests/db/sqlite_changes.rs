//! `execute_db` on SQLite.

use std::collections::{BTreeMap, BTreeSet};

use call::{AbsolutePath, Access, Fault};
use execute::db::{Databases, Location, Settings};
use serde_json::{Value, json};

use crate::caller::{Shop, class, effect};
use crate::files::File;

const SHOP: &str = "
    CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL UNIQUE, n INTEGER DEFAULT 1);
    INSERT INTO orders (what) VALUES ('tea'), ('cake');
    CREATE TABLE log (line TEXT);
    CREATE VIRTUAL TABLE notes USING fts5(text);
    CREATE TABLE notes_node (x);
    CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
    CREATE VIEW cheap AS SELECT what FROM orders;
    CREATE TRIGGER through INSTEAD OF INSERT ON cheap BEGIN INSERT INTO log VALUES (new.what); END;
";

#[test]
fn rows_are_changed_and_counted() {
    let file = File::with(SHOP);
    let shop = Shop::file(&file.path(), &["Orders", "notes", "boxes"]);
    for (sql, params, table, answer) in [
        (
            "INSERT INTO orders (what) VALUES (?), (?)",
            json!(["milk", "jam"]),
            "orders",
            json!({"affected": 2}),
        ),
        (
            "UPDATE main.orders SET n = n + :by WHERE what <> 'jam'",
            json!({"by": 2}),
            "orders",
            json!({"affected": 3}),
        ),
        (
            "INSERT INTO orders (what) VALUES ('tea') ON CONFLICT (what) DO UPDATE SET n = 9 RETURNING id, n",
            Value::Null,
            "orders",
            json!({"affected": 1, "columns": ["id", "n"], "rows": [[1, 9]], "truncated": false}),
        ),
        (
            "INSERT OR REPLACE INTO orders (id, what) VALUES (1, 'tea')",
            Value::Null,
            "orders",
            json!({"affected": 1}),
        ),
        ("DELETE FROM orders WHERE what = 'nothing'", Value::Null, "orders", json!({"affected": 0})),
        ("INSERT INTO notes VALUES ('hello world')", Value::Null, "notes", json!({"affected": 1})),
        (
            "UPDATE notes SET text = 'hello again' WHERE notes MATCH 'hello'",
            Value::Null,
            "notes",
            json!({"affected": 1}),
        ),
        ("DELETE FROM notes", Value::Null, "notes", json!({"affected": 1})),
        ("INSERT INTO boxes VALUES (1, 2, 3)", Value::Null, "boxes", json!({"affected": 1})),
        (
            "INSERT INTO orders (what) SELECT what || '!' FROM orders",
            Value::Null,
            "orders",
            json!({"affected": 4}),
        ),
    ] {
        let done = shop.execute(sql, params, &[table]).unwrap_or_else(|fault| panic!("{sql}: {fault:?}"));
        assert_eq!(done, answer, "{sql}");
    }
    assert_eq!(file.count("orders"), 8);
    assert_eq!(file.beside(), ["shop.db"]);
}

#[test]
fn only_listed_tables_change_whoever_changes_them() {
    let file = File::with(SHOP);
    file.open()
        .execute_batch(
            "CREATE TRIGGER tell AFTER UPDATE ON orders BEGIN INSERT INTO log VALUES (new.what); END",
        )
        .unwrap();
    let shop = Shop::file(&file.path(), &["orders", "cheap", "notes"]);
    for sql in [
        "INSERT INTO log VALUES ('x')",
        "DELETE FROM log",
        // by a trigger
        "UPDATE orders SET n = 2",
        "INSERT INTO cheap VALUES ('x')",
        // by what a virtual table keeps its content in
        "DELETE FROM notes_data",
        "INSERT INTO notes_config VALUES ('x', 1)",
        "INSERT INTO boxes VALUES (1, 2, 3)",
        // and what only has such a name
        "INSERT INTO notes_node VALUES (1)",
        "UPDATE sqlite_sequence SET seq = 0",
        "UPDATE sqlite_schema SET sql = ''",
        "INSERT INTO orders (what) SELECT load_extension('x')",
        "DROP TABLE orders",
        "CREATE TABLE more (x)",
        "ALTER TABLE orders ADD COLUMN more",
        "PRAGMA user_version = 7",
        "DELETE FROM orders; DELETE FROM log",
        "SELECT 1",
        "EXPLAIN DELETE FROM orders",
    ] {
        let answer = shop.execute(sql, Value::Null, &["orders"]);
        let class = class(&answer);
        assert!(
            matches!(class.as_str(), "table_not_allowed" | "unknown_effect" | "sql_error"),
            "{sql}: {answer:?}"
        );
    }
    assert_eq!((file.count("orders"), file.count("log"), file.count("notes_node")), (2, 0, 0));
    let answer = shop.execute("INSERT INTO orders (what) SELECT 'box' FROM boxes", Value::Null, &["orders"]);
    assert_eq!(answer.unwrap(), json!({"affected": 0}));
    let answer = shop.execute("UPDATE orders SET n = 2", Value::Null, &["orders"]);
    assert_eq!(class(&answer), "table_not_allowed");
    // The honest twin: what the trigger writes to is listed too.
    let shop = Shop::file(&file.path(), &["orders", "log"]);
    assert_eq!(
        shop.execute("UPDATE orders SET n = 2", Value::Null, &["orders"]).unwrap(),
        json!({"affected": 2})
    );
    assert_eq!(file.count("log"), 2);
}

const CASCADE: &str = "
    CREATE TABLE lines (order_id INTEGER REFERENCES orders (id) ON DELETE CASCADE);
    INSERT INTO lines VALUES (1);
";

#[test]
fn a_cascade_into_a_table_that_is_not_listed_is_refused() {
    let file = File::with(SHOP);
    file.open().execute_batch(CASCADE).unwrap();
    let shop = Shop::file(&file.path(), &["orders"]);
    for sql in ["DELETE FROM orders", "REPLACE INTO orders (id, what) VALUES (1, 'milk')"] {
        assert_eq!(class(&shop.execute(sql, Value::Null, &["orders"])), "table_not_allowed", "{sql}");
    }
    assert_eq!((file.count("orders"), file.count("lines")), (2, 1));
    let shop = Shop::file(&file.path(), &["orders", "lines"]);
    assert_eq!(shop.execute("DELETE FROM orders", Value::Null, &["orders"]).unwrap(), json!({"affected": 2}));
    assert_eq!(file.count("lines"), 0);
}

#[test]
fn a_change_that_fails_or_takes_too_long_changes_nothing() {
    let file = File::with(SHOP);
    let mut shop = Shop::file(&file.path(), &["orders"]);
    let fault = shop
        .execute("INSERT INTO orders (what) VALUES ('new'), ('tea')", Value::Null, &["orders"])
        .unwrap_err();
    assert_eq!(
        (fault.class(), fault.to_string().as_str()),
        ("sql_error", "UNIQUE constraint failed: orders.what")
    );
    shop.seconds = Some(1);
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) INSERT INTO orders (what) SELECT 'w' || x FROM n";
    assert!(matches!(shop.execute(endless, Value::Null, &["orders"]), Err(Fault::TimedOut { .. })));
    assert_eq!(file.count("orders"), 2);
    assert_eq!(file.beside(), ["shop.db"]);
}

#[test]
fn a_database_that_is_read_only_stays_as_it_is() {
    let file = File::with(SHOP);
    let settings = Settings {
        location: Location::File(AbsolutePath::parse(file.path().to_str().unwrap()).unwrap()),
        read_only: true,
        write_tables: BTreeSet::from(["orders".to_owned()]),
    };
    let databases = Databases::new(BTreeMap::from([("shop".to_owned(), settings)]), Box::new(|_, _| None));
    let shop = Shop::file(&file.path(), &[]);
    let sql = "DELETE FROM orders";
    let effects = vec![effect(Access::Write, sql, &["orders"])];
    let answer = shop.run(sql, Value::Null, effects, |_, errand| databases.execute(errand));
    assert_eq!(class(&answer), "write_blocked_read_only");
    assert_eq!(file.count("orders"), 2);
}

#[test]
fn a_database_whose_program_died_is_answered_as_it_was_before() {
    let file = File::with(SHOP);
    let writer = file.open();
    // Small pages in memory, so that changes reach the disk before they are final.
    writer.execute_batch("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN").unwrap();
    for number in 0..2_000 {
        writer
            .execute("INSERT INTO orders (what) VALUES (?)", [format!("half-done order number {number}")])
            .unwrap();
    }
    let crashed = file.as_after_a_crash();
    assert_eq!(crashed.beside(), ["shop.db", "shop.db-journal"]);
    let shop = Shop::file(&crashed.path(), &["orders"]);
    let count = |shop: &Shop| shop.query("SELECT count(*) FROM orders", Value::Null, &["orders"]);
    // Nobody who only looks can put it right.
    assert_eq!(class(&count(&shop)), "read_only");
    assert_eq!(
        shop.execute("UPDATE orders SET n = 7", Value::Null, &["orders"]).unwrap(),
        json!({"affected": 2})
    );
    assert_eq!(count(&shop).unwrap()["rows"], json!([[2]]));

    let file = File::with(SHOP);
    let writer = file.open();
    writer.execute_batch("PRAGMA journal_mode = wal; INSERT INTO orders (what) VALUES ('milk')").unwrap();
    let crashed = file.as_after_a_crash();
    let shop = Shop::file(&crashed.path(), &["orders"]);
    assert_eq!(count(&shop).unwrap()["rows"], json!([[3]]));
    drop(writer);
    let shop = Shop::file(&file.path(), &["orders"]);
    assert_eq!(count(&shop).unwrap()["rows"], json!([[3]]));
    assert_eq!(shop.execute("DELETE FROM orders", Value::Null, &["orders"]).unwrap(), json!({"affected": 3}));
    assert_eq!(file.count("orders"), 0);
}
