//! `execute_db` on PostgreSQL.

use call::Fault;
use execute::db::Location;
use kit::database::Server;
use serde_json::{Value, json};

use crate::caller::{Shop, class};

const SHOP: &str = r#"
    CREATE TABLE orders (id serial PRIMARY KEY, what text UNIQUE NOT NULL, n numeric DEFAULT 1, at timestamptz DEFAULT '2026-02-09 00:00+00');
    INSERT INTO orders (what) VALUES ('tea'), ('cake');
    CREATE TABLE "Odd.Name" (x int);
    CREATE SCHEMA other;
    CREATE TABLE other.orders (x int);
    CREATE TABLE log (line text);
    CREATE TABLE told (line text);
    CREATE TABLE lines (order_id int REFERENCES orders (id) ON DELETE CASCADE);
    CREATE TABLE parts (day int) PARTITION BY RANGE (day);
    CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (10);
    CREATE TABLE parts_high PARTITION OF parts FOR VALUES FROM (10) TO (20);
    CREATE VIEW cheap AS SELECT id, what FROM orders;
    CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
        $$ BEGIN INSERT INTO log VALUES ('told'); RETURN NULL; END $$;
    CREATE FUNCTION clear() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
        $$ BEGIN TRUNCATE log; RETURN NULL; END $$;
    CREATE TRIGGER tell AFTER INSERT ON told EXECUTE FUNCTION tell();
    CREATE TRIGGER clear AFTER UPDATE ON told EXECUTE FUNCTION clear();
    CREATE ROLE writer LOGIN;
    GRANT USAGE ON SCHEMA other TO writer;
    GRANT ALL ON ALL TABLES IN SCHEMA public, other TO writer;
    GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO writer;
"#;

fn shop(server: &Server, write_tables: &[&str]) -> Shop {
    Shop::new(Location::Url(server.url("writer")), write_tables)
}

#[test]
fn rows_are_changed_and_counted() {
    let server = Server::start();
    server.owner(SHOP);
    let shop = shop(&server, &["orders", "\"Odd.Name\"", "parts", "other.orders", "told", "log"]);
    for (sql, params, table, answer) in [
        (
            "INSERT INTO orders (what) VALUES ($1), ($2)",
            json!(["milk", "jam"]),
            "orders",
            json!({"affected": 2}),
        ),
        ("UPDATE orders SET n = n + $1 WHERE what <> 'jam'", json!([1.5]), "orders", json!({"affected": 3})),
        (
            "INSERT INTO orders (what) VALUES ('tea') ON CONFLICT (what) DO UPDATE SET n = 9.10 RETURNING id, what, n, at AT TIME ZONE 'UTC' AS at, ARRAY[1, 2] AS list, NULL::inet AS none",
            Value::Null,
            "orders",
            json!({
                "affected": 1,
                "columns": ["id", "what", "n", "at", "list", "none"],
                "rows": [[1, "tea", "9.10", "2026-02-09 00:00:00", "{1,2}", null]],
                "truncated": false,
            }),
        ),
        ("DELETE FROM orders WHERE what = 'nothing'", Value::Null, "orders", json!({"affected": 0})),
        ("INSERT INTO \"Odd.Name\" VALUES (1)", Value::Null, "\"Odd.Name\"", json!({"affected": 1})),
        (
            "INSERT INTO other.orders SELECT id FROM orders",
            Value::Null,
            "other.orders",
            json!({"affected": 4}),
        ),
        ("INSERT INTO parts VALUES (1), (11)", Value::Null, "parts", json!({"affected": 2})),
        ("UPDATE parts SET day = day + 1", Value::Null, "parts", json!({"affected": 2})),
        ("INSERT INTO told VALUES ('x')", Value::Null, "told", json!({"affected": 1})),
    ] {
        let done = shop.execute(sql, params, &[table]).unwrap_or_else(|fault| panic!("{sql}: {fault:?}"));
        assert_eq!(done, answer, "{sql}");
    }
    assert_eq!((server.count("orders"), server.count("parts"), server.count("log")), (4, 2, 1));
    let many = "INSERT INTO other.orders SELECT * FROM generate_series(1, 1500) RETURNING x";
    let done = shop.execute(many, Value::Null, &["other.orders"]).unwrap();
    assert_eq!((&done["affected"], &done["truncated"]), (&json!(1_500), &json!(true)));
    assert_eq!(done["rows"].as_array().unwrap().len(), 1_000);
    assert_eq!(server.count("other.orders"), 1_504);
}

#[test]
fn only_listed_tables_change_whoever_changes_them() {
    let server = Server::start();
    server.owner(SHOP);
    let mut shop = shop(&server, &["orders", "told", "cheap", "parts_low"]);
    for (sql, named, expected) in [
        ("INSERT INTO log VALUES ('x')", "log", "table_not_allowed"),
        // As if the parser had read another table in it.
        ("INSERT INTO log VALUES ('x')", "orders", "table_not_allowed"),
        ("INSERT INTO other.orders VALUES (1)", "orders", "table_not_allowed"),
        (
            "WITH x AS (INSERT INTO log VALUES ('x') RETURNING 1) DELETE FROM orders",
            "orders",
            "table_not_allowed",
        ),
        // by a trigger, which writes or empties
        ("INSERT INTO told VALUES ('x')", "told", "table_not_allowed"),
        ("UPDATE told SET line = 'x'", "told", "table_not_allowed"),
        // by a foreign key
        ("DELETE FROM orders", "orders", "table_not_allowed"),
        // a part is listed, and not the whole
        ("INSERT INTO parts VALUES (11)", "parts_low", "table_not_allowed"),
        ("DELETE FROM orders; DELETE FROM log", "orders", "sql_error"),
        ("COMMIT", "orders", "unknown_effect"),
        ("ROLLBACK", "orders", "unknown_effect"),
    ] {
        let answer = shop.execute(sql, Value::Null, &[named]);
        assert_eq!(class(&answer), expected, "{sql}: {answer:?}");
    }
    assert_eq!((server.count("orders"), server.count("log"), server.count("other.orders")), (2, 0, 0));
    // Honest twins: a table behind a view that is listed too, and a part that is listed itself.
    assert!(shop.execute("UPDATE cheap SET what = what || '!'", Value::Null, &["cheap"]).is_ok());
    assert!(shop.execute("INSERT INTO parts_low VALUES (1)", Value::Null, &["parts_low"]).is_ok());

    let fault = shop
        .execute("INSERT INTO orders (what) VALUES ('new'), ('tea!')", Value::Null, &["orders"])
        .unwrap_err();
    assert_eq!(fault.class(), "sql_error");
    assert!(fault.to_string().contains("orders_what_key"), "{fault}");
    shop.seconds = Some(1);
    let slow = "UPDATE orders SET n = 5 FROM pg_sleep(600)";
    assert!(matches!(shop.execute(slow, Value::Null, &["orders"]), Err(Fault::TimedOut { .. })));
    assert_eq!(server.count("orders WHERE n = 5"), 0);
    shop.seconds = Some(30);
    let mut owner = server.owner_client();
    owner.batch_execute("BEGIN; UPDATE orders SET n = 3").unwrap();
    assert_eq!(class(&shop.execute("UPDATE orders SET n = 5", Value::Null, &["orders"])), "database_locked");
    owner.batch_execute("COMMIT").unwrap();
    server.owner("ALTER TABLE lines ADD CONSTRAINT late FOREIGN KEY (order_id) REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED");
    let listed = self::shop(&server, &["lines"]);
    let fault = listed.execute("INSERT INTO lines VALUES (999)", Value::Null, &["lines"]).unwrap_err();
    assert_eq!(fault.class(), "sql_error");
    assert_eq!(server.count("lines"), 0);
    assert!(!server.log().contains("staple"));
}
