//! `query_db` on PostgreSQL.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use call::Fault;
use execute::db::Location;
use kit::database::Server;
use serde_json::{Value, json};

use crate::caller::{Shop, class};

const SHOP: &str = r#"
    CREATE TABLE people (id int PRIMARY KEY, name text);
    INSERT INTO people VALUES (1, 'Ada'), (2, 'Grace ☕ 東京');
    CREATE TABLE "Secret Things" (x int);
    CREATE VIEW names AS SELECT name FROM people;
    CREATE TYPE mood AS ENUM ('glad', 'sad');
    CREATE DOMAIN age AS int;
    CREATE SEQUENCE numbers;
    CREATE FUNCTION sneaky() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS
        $$ BEGIN DELETE FROM people; RETURN 1; END $$;
    CREATE ROLE reader LOGIN;
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
    GRANT ALL ON people TO reader;
    GRANT ALL ON SEQUENCE numbers TO reader;
    CREATE ROLE files LOGIN; GRANT pg_read_server_files TO files;
    CREATE ROLE caller LOGIN; GRANT EXECUTE ON FUNCTION pg_read_file(text) TO caller;
    CREATE ROLE climber LOGIN NOINHERIT; GRANT gate TO climber;
    ALTER ROLE reader SET standard_conforming_strings = off;
    ALTER ROLE reader SET bytea_output = escape;
    ALTER ROLE reader SET default_transaction_read_only = off;
"#;

fn shop(server: &Server) -> Shop {
    Shop::new(Location::Url(server.url("reader")), &[])
}

#[test]
fn queries_are_answered_with_their_types() {
    let server = Server::start();
    server.owner(SHOP);
    let shop = shop(&server);
    let answer = shop.query("SELECT * FROM people ORDER BY id", Value::Null, &["people"]).unwrap();
    let rows = json!([[1, "Ada"], [2, "Grace ☕ 東京"]]);
    assert_eq!(answer, json!({"columns": ["id", "name"], "rows": rows, "truncated": false}));
    let typed = r#"SELECT true, 1::smallint, 9007199254740993::bigint, 1.5::real, 'NaN'::float8, 1.10::numeric, 'x'::char(3),
        NULL::int, '\x00ff'::bytea, '2026-02-09'::date, '2026-02-09 12:00+02'::timestamptz AT TIME ZONE 'UTC', interval '1 day',
        '{1,2}'::int[], '[1,3)'::int4range, '{"a": [1, null]}'::jsonb, 'glad'::mood, 7::age, row(1, 'a'), 'a\b',
        '10.0.0.0/8'::cidr, gen_random_uuid() IS NULL"#;
    let answer = shop.query(typed, Value::Null, &[]).unwrap();
    assert_eq!(
        answer["rows"][0],
        json!([
            true, 1, 9_007_199_254_740_993_i64, 1.5, "NaN", "1.10", "x  ", null, {"base64": "AP8="}, "2026-02-09",
            "2026-02-09 10:00:00", "P1D", "{1,2}", "[1,3)", {"a": [1, null]}, "glad", 7, "(1,a)", "a\\b",
            "10.0.0.0/8", false
        ])
    );
    for (sql, params, first) in [
        (
            "SELECT $1::int + 1, $2 || '!', $3::bool, $4::numeric, $5::text",
            json!([1, "a", true, 1.25, null]),
            json!([2, "a!", true, "1.25", null]),
        ),
        ("SELECT name FROM people WHERE id = $1", json!([2]), json!(["Grace ☕ 東京"])),
        (
            "SELECT id FROM people WHERE name = $1 OR name = 'Ada'",
            json!(["'; DROP TABLE people; --"]),
            json!([1]),
        ),
        // A document with a number that readers of JSON would round stays a text.
        (
            "SELECT '{\"price\": 12345678901234.5678}'::jsonb, '{\"price\": 5.25}'::json",
            Value::Null,
            json!(["{\"price\": 12345678901234.5678}", {"price": 5.25}]),
        ),
        ("SELECT $1::bigint", json!([9_007_199_254_740_993_i64]), json!([9_007_199_254_740_993_i64])),
        (
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT sum(x) FROM n",
            Value::Null,
            json!([15]),
        ),
        ("VALUES (1, 'a'), (2, 'b');", Value::Null, json!([1, "a"])),
        ("(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1 -- the end", Value::Null, json!([1])),
        ("SELECT * FROM names ORDER BY 1", Value::Null, json!(["Ada"])),
        ("SELECT count(*) FROM \"Secret Things\"", Value::Null, json!([0])),
        (
            "SELECT relacl IS NULL, relacl FROM pg_class WHERE relname = 'names'",
            Value::Null,
            json!([false, "{gate=arwdDxt/gate,reader=r/gate}"]),
        ),
    ] {
        let answer = shop.query(sql, params, &[]).unwrap_or_else(|fault| panic!("{sql}: {fault:?}"));
        assert_eq!(answer["rows"][0], first, "{sql}");
    }
    let plan = shop
        .query("/* a plan */ EXPLAIN SELECT * FROM people WHERE id = $1", json!([1]), &["people"])
        .unwrap();
    assert!(plan.to_string().contains("people"), "{plan}");
    let plan = shop.query("explain (format json) SELECT 1", Value::Null, &[]).unwrap();
    assert!(plan["rows"][0][0][0]["Plan"].is_object(), "{plan}");

    let fault = shop.query("SELECT nothing FROM people", Value::Null, &["people"]).unwrap_err();
    assert_eq!(
        (fault.class(), fault.to_string().as_str()),
        ("sql_error", "column \"nothing\" does not exist")
    );
    assert_eq!(class(&shop.query("SELECT $1::int", json!({"a": 1}), &[])), "bad_parameters");
    assert_eq!(class(&shop.query("SELECT $1::int", json!([]), &[])), "bad_parameters");
    assert_eq!(class(&shop.query("SELECT $1::int", json!(["x"]), &[])), "sql_error");
    assert_eq!(class(&shop.query("SELECT $1", json!(["nul \u{0} byte"]), &[])), "sql_error");

    let answer = shop.query("SELECT * FROM generate_series(1, 1000)", Value::Null, &[]).unwrap();
    assert_eq!((answer["rows"].as_array().unwrap().len(), &answer["truncated"]), (1_000, &json!(false)));
    let answer = shop.query("SELECT generate_series(1, 100000000)", Value::Null, &[]).unwrap();
    assert_eq!((answer["rows"].as_array().unwrap().len(), &answer["truncated"]), (1_000, &json!(true)));
    assert_eq!(class(&shop.query("SELECT repeat('x', 2000000)", Value::Null, &[])), "result_too_large");
    let wide = "SELECT repeat('x', 700000) FROM generate_series(1, 500)";
    let answer = shop.query(wide, Value::Null, &[]).unwrap();
    assert_eq!((answer["rows"].as_array().unwrap().len(), &answer["truncated"]), (1, &json!(true)));
    // Far more than the gate would hold in memory, in one row and in many.
    let many = "SELECT repeat('x', 4000000) FROM generate_series(1, 100)";
    assert_eq!(class(&shop.query(many, Value::Null, &[])), "result_too_large");
    assert_eq!(class(&shop.query("SELECT repeat('x', 100000000)", Value::Null, &[])), "result_too_large");
}

#[test]
fn nothing_but_rows_is_reached_by_a_query() {
    let server = Server::start();
    server.owner(SHOP);
    let mut shop = shop(&server);
    shop.seconds = Some(20);
    for sql in [
        "INSERT INTO people VALUES (3, 'Eve')",
        "DELETE FROM people RETURNING *",
        "WITH gone AS (DELETE FROM people RETURNING *) SELECT * FROM gone",
        "SELECT sneaky()",
        "SELECT nextval('numbers')",
        "SELECT setval('numbers', 99)",
        "SELECT set_config('transaction_read_only', 'off', true), sneaky()",
        "CREATE TABLE more (x int)",
        "CREATE TEMP TABLE more (x int)",
        "SELECT 1 AS x INTO more",
        "COPY people TO STDOUT",
        "COPY people TO PROGRAM 'touch /tmp/toolgate-copied'",
        "COPY (SELECT 1) TO '/tmp/toolgate-copied'",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_ls_dir('/')",
        "SELECT * FROM pg_authid",
        "SET TRANSACTION READ WRITE",
        "COMMIT",
        "BEGIN",
        "DO $$ BEGIN DELETE FROM people; END $$",
        "SELECT 1; DELETE FROM people",
        "SELECT 1; COMMIT; DELETE FROM people; SELECT 1",
        "LISTEN x",
        "VACUUM",
        "EXPLAIN ANALYZE DELETE FROM people",
        "EXPLAIN ANALYZE SELECT sneaky()",
        "SELECT * FROM people FOR UPDATE",
    ] {
        let answer = shop.query(sql, Value::Null, &["people"]);
        assert_eq!(class(&answer), "sql_error", "{sql}: {answer:?}");
    }
    // What the server lets through in a read-only transaction is undone with it.
    let _ = shop.query("SELECT lo_create(0)", Value::Null, &[]);
    assert_eq!((server.count("people"), server.count("pg_largeobject_metadata")), (2, 0));
    assert!(!std::path::Path::new("/tmp/toolgate-copied").exists());
}

#[test]
fn a_role_that_is_more_than_its_tables_is_refused() {
    let server = Server::start();
    server.owner(SHOP);
    for (role, what) in [
        ("gate", "acts as `"),
        ("files", "acts as `pg_read_server_files`"),
        ("caller", "may call `pg_read_file`"),
        ("climber", "acts as `gate`"),
    ] {
        let shop = Shop::new(Location::Url(server.url(role)), &["people"]);
        let fault = shop.query("SELECT 1", Value::Null, &[]).unwrap_err();
        assert_eq!(fault.class(), "role_too_powerful", "{role}");
        assert!(fault.to_string().contains(what), "{role}: {fault}");
        assert_eq!(class(&shop.execute("DELETE FROM people", Value::Null, &["people"])), "role_too_powerful");
    }
    assert_eq!(server.count("people"), 2);
}

#[test]
fn a_query_that_never_ends_is_ended_also_on_the_server() {
    let server = Server::start();
    server.owner(SHOP);
    let mut shop = shop(&server);
    let mut owner = server.owner_client();
    let mut running = || -> i64 {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active'";
        owner.query_one(sql, &[]).unwrap().get(0)
    };
    let endless =
        "WITH RECURSIVE n(x) AS (SELECT 1::bigint UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
    for sql in [endless, "SELECT pg_sleep(600)"] {
        shop.seconds = Some(1);
        let began = Instant::now();
        assert!(matches!(shop.query(sql, Value::Null, &[]), Err(Fault::TimedOut { .. })), "{sql}");
        shop.seconds = Some(60);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                shop.cancelled.store(true, Ordering::Relaxed);
            });
            assert!(matches!(shop.query(sql, Value::Null, &[]), Err(Fault::Cancelled)), "{sql}");
        });
        shop.cancelled.store(false, Ordering::Relaxed);
        assert!(began.elapsed() < Duration::from_secs(10));
    }
    // Within the grace that the server's own timeout would have taken.
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(running(), 0);

    owner.batch_execute("BEGIN; LOCK TABLE people").unwrap();
    assert_eq!(class(&shop.query("SELECT * FROM people", Value::Null, &["people"])), "database_locked");
}
