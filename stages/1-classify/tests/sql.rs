//! Statements, and what they would do.

use call::Access;
use classify::sql::{Dialect, read};

#[track_caller]
fn check(dialect: Dialect, cases: &[(&str, &str)]) {
    for (sql, want) in cases {
        let got = match read(sql, dialect) {
            Ok(statement) => {
                let list = |tables: &std::collections::BTreeSet<String>| {
                    tables.iter().cloned().collect::<Vec<_>>().join(" ")
                };
                let (read, written) = (list(&statement.read), list(&statement.written));
                match statement.access {
                    Access::Read => format!("read {read}").trim_end().to_owned(),
                    Access::Write if read.is_empty() => format!("write {written}"),
                    Access::Write => format!("write {written}, read {read}"),
                }
            }
            Err(error) => format!("no: {}", error.construct),
        };
        match want.strip_suffix('…') {
            Some(beginning) => assert!(got.starts_with(beginning), "{sql}\n got {got}\nwant {want}"),
            None => assert_eq!(&got, want, "{sql}"),
        }
    }
}

#[test]
fn ordinary_questions_are_understood_by_both() {
    for dialect in [Dialect::Sqlite, Dialect::PostgreSql, Dialect::Unknown] {
        check(
            dialect,
            &[
                ("SELECT 1", "read"),
                ("select * from people;", "read people"),
                (
                    "SELECT p.name, count(*) FROM people p JOIN Orders o ON o.person = p.id GROUP BY 1 HAVING count(*) > 2",
                    "read orders people",
                ),
                ("SELECT * FROM app.people", "read app.people"),
                ("VALUES (1, 'a'), (2, 'b')", "read"),
                ("EXPLAIN SELECT * FROM people", "read people"),
                (
                    "SELECT name FROM people WHERE id IN (SELECT person FROM orders) ORDER BY lower(name) LIMIT 5 OFFSET 2",
                    "read orders people",
                ),
                ("WITH recent AS (SELECT * FROM orders) SELECT * FROM recent", "read orders"),
                ("WITH a AS (SELECT 1), b AS (SELECT * FROM a) SELECT * FROM b, a", "read"),
                (
                    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT x FROM n",
                    "read",
                ),
                ("SELECT * FROM a UNION SELECT * FROM b EXCEPT SELECT * FROM c", "read a b c"),
                ("SELECT row_number() OVER (PARTITION BY a ORDER BY b) FROM t", "read t"),
                (
                    "SELECT coalesce(a, 'x'), round(avg(b), 2), CASE WHEN a > 1 THEN upper(c) ELSE NULL END FROM t",
                    "read t",
                ),
                ("SELECT CAST(a AS integer), substr(b, 1, 3), trim(c) FROM t -- only that", "read t"),
                ("SELECT /* all of it */ * FROM t", "read t"),
                ("SELECT 'it''s; DROP TABLE t' FROM t", "read t"),
                ("SELECT * FROM t WHERE a LIKE '%x%' AND b BETWEEN 1 AND 2 OR c IS NOT NULL", "read t"),
                ("SELECT (SELECT max(x) FROM u) FROM t WHERE EXISTS (SELECT 1 FROM v)", "read t u v"),
                ("SELECT current_date, CURRENT_TIMESTAMP", "read"),
            ],
        );
    }
}

#[test]
fn changes_are_understood_by_both() {
    for dialect in [Dialect::Sqlite, Dialect::PostgreSql, Dialect::Unknown] {
        check(
            dialect,
            &[
                ("INSERT INTO notes (a, b) VALUES (1, 'x')", "write notes"),
                ("INSERT INTO notes SELECT * FROM drafts", "write notes, read drafts"),
                (
                    "INSERT INTO notes (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = excluded.a",
                    "write notes",
                ),
                ("INSERT INTO notes (a) VALUES (1) ON CONFLICT DO NOTHING RETURNING a", "write notes"),
                ("UPDATE notes SET a = 1 WHERE b = 2", "write notes"),
                (
                    "UPDATE notes SET a = (SELECT max(x) FROM other) RETURNING lower(a)",
                    "write notes, read other",
                ),
                ("UPDATE notes SET a = s.a FROM source s WHERE s.id = notes.id", "write notes, read source"),
                ("DELETE FROM notes WHERE id IN (SELECT id FROM old)", "write notes, read old"),
                ("DELETE FROM app.notes", "write app.notes"),
                (
                    "WITH gone AS (SELECT id FROM old) DELETE FROM notes WHERE id IN (SELECT id FROM gone)",
                    "write notes, read old",
                ),
                ("INSERT INTO notes SELECT * FROM notes", "write notes, read notes"),
            ],
        );
    }
}

#[test]
fn sqlite_is_understood_as_sqlite_reads_it() {
    check(
        Dialect::Sqlite,
        &[
            ("SELECT * FROM [My Table], `b`, \"C\"", "read \"my table\" b c"),
            (
                "SELECT strftime('%Y', d), json_extract(j, '$.a'), group_concat(x), ifnull(a, b) FROM T",
                "read t",
            ),
            ("SELECT value FROM t, json_each(t.tags)", "read t"),
            ("SELECT * FROM generate_series(1, 10)", "read"),
            ("EXPLAIN QUERY PLAN SELECT * FROM t", "read t"),
            ("INSERT OR REPLACE INTO t VALUES (?1, :name)", "write t"),
            ("REPLACE INTO t VALUES (1)", "write t"),
            ("SELECT name FROM sqlite_master", "read sqlite_master"),
            ("SELECT a ->> '$.b' FROM t WHERE b GLOB 'x*'", "read t"),
            ("SELECT * FROM \"a.b\"", "read \"a.b\""),
            ("SELECT sum(a) FILTER (WHERE b) FROM t", "read t"),
        ],
    );
}

#[test]
fn postgresql_is_understood_as_postgresql_reads_it() {
    check(
        Dialect::PostgreSql,
        &[
            ("SELECT * FROM People, \"People\"", "read People people"),
            ("SELECT a::text, b::timestamptz, '{}'::jsonb -> 'a', now() - interval '1 day' FROM t", "read t"),
            ("SELECT date_trunc('month', d), extract(year FROM d), array_agg(x ORDER BY y) FROM t", "read t"),
            ("SELECT * FROM t WHERE a = ANY($1) AND b ~* 'x' AND c @> '{}'", "read t"),
            ("SELECT * FROM generate_series(1, 3) g, unnest(ARRAY[1, 2]) u", "read"),
            ("SELECT * FROM t CROSS JOIN LATERAL jsonb_array_elements(t.items) AS item", "read t"),
            ("SELECT DISTINCT ON (a) a, string_agg(b, ',') FROM t GROUP BY a", "read t"),
            ("SELECT pg_catalog.lower('A')", "read"),
            ("SELECT table_name FROM information_schema.tables", "read information_schema.tables"),
            ("EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM t", "read t"),
            ("EXPLAIN ANALYZE SELECT * FROM t", "read t"),
            ("WITH moved AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM moved", "write a b"),
            ("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t", "read t"),
            ("SELECT $$a; DROP TABLE t$$", "read"),
            ("SELECT 'a'::my_schema.evil", "no: a function of a schema of one's own"),
            ("SELECT 'a'::evil", "no: a type that is not known"),
            ("SELECT * FROM t TABLESAMPLE SYSTEM (10)", "read t"),
        ],
    );
}

#[test]
fn the_file_itself_is_called_main() {
    check(
        Dialect::Sqlite,
        &[
            ("SELECT * FROM main.t", "read t"),
            ("WITH t AS (SELECT 1) SELECT * FROM main.t", "read t"),
            ("DELETE FROM MAIN.t", "write t"),
            ("SELECT * FROM main", "read main"),
        ],
    );
    check(Dialect::PostgreSql, &[("SELECT * FROM main.t", "read main.t")]);
}

#[test]
fn a_name_of_a_with_is_a_name_only_where_it_holds() {
    for dialect in [Dialect::Sqlite, Dialect::PostgreSql] {
        check(
            dialect,
            &[
                // The second `t` stands outside of the query that has the WITH.
                ("SELECT * FROM (WITH t AS (SELECT 1) SELECT * FROM t) x, t", "read t"),
                // Its own body sees the table, unless it is recursive.
                ("WITH t AS (SELECT * FROM t) SELECT * FROM t", "read t"),
                ("WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a, b", "read b"),
                ("WITH t AS (SELECT 1) SELECT * FROM other.t", "read other.t"),
                ("WITH T AS (SELECT 1) SELECT * FROM t", "read"),
                ("WITH t AS (SELECT 1) SELECT * FROM u WHERE x IN (SELECT * FROM t)", "read u"),
                ("WITH t AS (SELECT 1) DELETE FROM t", "write t"),
            ],
        );
    }
}

#[test]
fn what_does_more_than_it_says_is_not_understood() {
    check(
        Dialect::PostgreSql,
        &[
            (
                "SELECT pg_read_file('/etc/passwd')",
                "no: the function `pg_read_file` is not known to be harmless",
            ),
            ("SELECT \"pg_read_file\"('/etc/passwd')", "no: the function `pg_read_file`…"),
            ("SELECT ('/etc/passwd'::text).pg_read_file", "no: a field of an expression…"),
            ("SELECT (10::float8).pg_sleep", "no: a field of an expression…"),
            ("SELECT 1 END; DROP TABLE t", "no: something follows the statement…"),
            ("SELECT (c).pg_read_file FROM (VALUES ('/x'::text)) t(c)", "no: a field of an expression…"),
            ("SELECT 1 FROM orders ORDER BY ('s'::regclass).nextval", "no: …"),
            ("SELECT pg_catalog.pg_read_file('x')", "no: the function `pg_read_file`…"),
            ("SELECT \"Lower\"('x')", "no: the function `Lower`…"),
            ("SELECT evil.lower('x')", "no: a function of a schema of one's own"),
            ("SELECT * FROM pg_ls_dir('/')", "no: the table function `pg_ls_dir`…"),
            ("SELECT * FROM ROWS FROM (pg_ls_dir('/'))", "no: …"),
            ("SELECT * FROM t, LATERAL dblink('x', 'y') AS d(a int)", "no: …"),
            ("SELECT lower(pg_read_file('x'))", "no: the function `pg_read_file`…"),
            ("SELECT 1 ORDER BY pg_sleep(10)", "no: the function `pg_sleep`…"),
            ("SELECT 1 LIMIT (SELECT pg_sleep(10))", "no: the function `pg_sleep`…"),
            ("SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) FROM t", "no: the function `pg_sleep`…"),
            ("SELECT sum(a) OVER (ORDER BY nextval('s')) FROM t", "no: the function `nextval`…"),
            (
                "SELECT sum(a) OVER w FROM t WINDOW w AS (ORDER BY nextval('s'))",
                "no: the function `nextval`…",
            ),
            ("SELECT * FROM a JOIN b ON set_config('x', 'y', true) = ''", "no: the function `set_config`…"),
            ("SELECT query_to_xml('DELETE FROM t', true, true, '')", "no: the function `query_to_xml`…"),
            ("INSERT INTO t VALUES (lo_import('/etc/passwd'))", "no: the function `lo_import`…"),
            ("INSERT INTO t VALUES (1) RETURNING pg_sleep(1)", "no: the function `pg_sleep`…"),
            (
                "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET a = pg_sleep(1)",
                "no: the function `pg_sleep`…",
            ),
            ("UPDATE t SET a = pg_read_file('x')", "no: the function `pg_read_file`…"),
            ("DELETE FROM t USING pg_ls_dir('/') d", "no: the table function `pg_ls_dir`…"),
            ("SELECT 1 OPERATOR(evil.+) 2", "no: an operator of one's own…"),
            ("WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d", "write t"),
            ("SELECT * FROM (DELETE FROM t RETURNING *) x", "write t"),
            ("SELECT * INTO copy FROM t", "no: SELECT INTO makes a table"),
            ("SELECT * FROM t FOR UPDATE", "no: FOR UPDATE or FOR SHARE locks rows"),
            ("SELECT * FROM (SELECT * FROM t FOR SHARE) x", "no: FOR UPDATE or FOR SHARE locks rows"),
            ("EXPLAIN ANALYZE DELETE FROM t", "no: EXPLAIN of a statement that changes something"),
            ("EXPLAIN (ANALYZE) INSERT INTO t VALUES (1)", "no: EXPLAIN of…"),
            ("EXPLAIN EXPLAIN SELECT 1", "no: …"),
            ("COPY t TO PROGRAM 'sh'", "no: COPY…"),
            ("COPY t FROM '/etc/passwd'", "no: COPY…"),
            ("CALL evil()", "no: CALL…"),
            ("SET ROLE postgres", "no: SET…"),
            ("DO $$BEGIN END$$", "no: DO is not…"),
            ("LOAD 'evil'", "no: LOAD is not…"),
            ("TRUNCATE t", "no: TRUNCATE…"),
            ("DROP TABLE t", "no: DROP…"),
            ("CREATE TABLE t AS SELECT 1", "no: CREATE…"),
            ("GRANT ALL ON t TO public", "no: GRANT…"),
            ("MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE", "no: MERGE…"),
            ("BEGIN", "no: …"),
            ("VACUUM", "no: VACUUM…"),
            ("LISTEN x", "no: LISTEN…"),
            ("PREPARE p AS DELETE FROM t", "no: PREPARE…"),
            ("TABLE secrets", "no: TABLE is not…"),
            ("SELECT a FROM (TABLE secrets) x", "no: …"),
            ("(((DROP TABLE t)))", "no: DROP is not…"),
            ("SELECT a FRO b c", "no: the statement does not parse from line 1, column 14 on"),
            ("SELECT * FROM pg_authid", "no: `pg_authid` shows more than data"),
            ("SELECT * FROM pg_catalog.pg_shadow", "no: `pg_shadow` shows more than data"),
        ],
    );
    check(
        Dialect::Sqlite,
        &[
            (
                "SELECT load_extension('evil')",
                "no: the function `load_extension` is not known to be harmless",
            ),
            ("SELECT \"load_extension\"('evil')", "no: the function `load_extension`…"),
            ("SELECT LOAD_EXTENSION('evil')", "no: the function `load_extension`…"),
            ("SELECT writefile('/tmp/x', 'y')", "no: the function `writefile`…"),
            ("SELECT * FROM pragma_table_info('t')", "no: the table function `pragma_table_info`…"),
            ("SELECT * FROM pragma_database_list", "no: `pragma_database_list` shows more than data"),
            ("SELECT * FROM main.PRAGMA_database_list", "no: `pragma_database_list` shows more than data"),
            ("SELECT * FROM fsdir('/etc')", "no: the table function `fsdir`…"),
            ("SELECT * FROM fsdir WHERE path = '/etc'", "no: `fsdir` shows more than data"),
            ("SELECT 1 WHERE 1 IN pragma_database_list", "no: `pragma_database_list` shows…"),
            ("SELECT 1 WHERE 1 IN fsdir('/etc')", "no: …"),
            ("PRAGMA journal_mode = DELETE", "no: PRAGMA…"),
            ("ATTACH DATABASE 'x' AS y", "no: ATTACH…"),
            ("SELECT * FROM t, (SELECT load_extension('x'))", "no: the function `load_extension`…"),
        ],
    );
}

#[test]
fn comments_and_second_statements_hide_nothing() {
    for dialect in [Dialect::Sqlite, Dialect::PostgreSql] {
        check(
            dialect,
            &[
                ("SELECT 1; DELETE FROM t", "no: there are 2 statements"),
                ("SELECT 1;;", "read"),
                ("", "no: there is no statement"),
                ("-- nothing", "no: there is no statement"),
                (
                    "SELECT 1 /*!50000 ; DROP TABLE t */",
                    "no: a comment that begins with `/*!` is run by some databases",
                ),
                ("/*!SELECT*/ SELECT 1", "no: a comment that begins with `/*!`…"),
                ("SELECT 1 /* a /* b */ ; DELETE FROM t */", "no: …"),
                ("SELECT 1 /* open", "no: …"),
                ("SELECT 'open", "no: …"),
                ("SELECT 1 -- x\r; DELETE FROM t", "no: …"),
                ("SELECT 1 -- x\r\n FROM t", "read t"),
                ("SELECT 1\0", "no: the statement holds a control character"),
                ("SELECT 1 FROM t\u{a0}u", "read \"t\u{a0}u\""),
                ("SELECT 'a\u{a0}b' FROM t", "read t"),
            ],
        );
    }
}

#[test]
fn what_only_sqlite_writes_is_understood() {
    check(
        Dialect::Sqlite,
        &[
            ("SELECT flags & (1 << 3), flags >> 2 FROM jobs", "read jobs"),
            ("SELECT * FROM jobs INDEXED BY jobs_by_day WHERE day = ?", "read jobs"),
            ("UPDATE jobs indexed by \"jobs by day\" SET done = 1 WHERE day = ?", "write jobs"),
            ("SELECT j.indexed FROM jobs AS j ORDER BY indexed", "read jobs"),
            ("SELECT sqlite_compileoption_used('ENABLE_FTS5')", "read"),
            ("SELECT * FROM jobs INDEXED BY (SELECT load_extension('x'))", "no: …"),
            ("SELECT * FROM jobs INDEXED BY a; DROP TABLE jobs", "no: …"),
            ("SELECT load_extension('x') << 1", "no: …"),
        ],
    );
}

#[test]
fn spellings_that_the_parser_lacks_are_understood() {
    check(
        Dialect::Sqlite,
        &[
            ("WITH t AS MATERIALIZED (SELECT * FROM orders) SELECT * FROM t", "read orders"),
            ("WITH t(a) AS NOT MATERIALIZED (SELECT * FROM orders) SELECT * FROM t", "read orders"),
            (
                "WITH x AS MATERIALIZED (SELECT 1 AS id) INSERT INTO audit(what) SELECT id FROM x",
                "write audit",
            ),
            ("SELECT * FROM orders NOT INDEXED", "read orders"),
            (
                "SELECT * FROM orders AS o NOT INDEXED JOIN \"my users\" not indexed ON 1",
                "read \"my users\" orders",
            ),
            ("DELETE FROM notes NOT INDEXED WHERE a = 1", "write notes"),
            ("SELECT a, NOT b FROM jobs WHERE b ISNULL AND c NOTNULL OR (d) isnull", "read jobs"),
            ("SELECT * FROM users WHERE name IS NOT 'x' AND id IS ? AND a IS b", "read users"),
            ("SELECT * FROM a JOIN b ON a.x IS b.x AND a.y IS NOT NULL AND a.z IS NOT TRUE", "read a b"),
            ("SELECT 1 IS 1 IS NOT 0, a IS (SELECT max(x) FROM u) FROM t", "read t u"),
            ("SELECT * FROM t WHERE a = :is AND b = @isnull AND c = :isnull", "read t"),
            ("SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b FROM t", "read t"),
            ("SELECT * FROM posts WHERE user_id IN users AND tag NOT IN main.tags", "read posts tags users"),
            (
                "SELECT * FROM posts WHERE id IN \"my posts\" OR id IN [Other Posts] LIMIT 5",
                "read \"my posts\" \"other posts\" posts",
            ),
            ("WITH x AS (SELECT 1) DELETE FROM t WHERE a IN x", "write t"),
            ("WITH x AS (SELECT 1 AS a) REPLACE INTO t SELECT a FROM x", "write t"),
            ("INSERT INTO main.t AS x (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = x.a + 1", "write t"),
            (
                "SELECT * FROM docs WHERE body NOT GLOB 'a*' AND body NOT MATCH 'x' AND NOT glob('a', b)",
                "read docs",
            ),
        ],
    );
    for dialect in [Dialect::Sqlite, Dialect::PostgreSql] {
        check(
            dialect,
            &[
                (
                    "SELECT sum(a) OVER (ORDER BY b GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM t",
                    "read t",
                ),
                (
                    "SELECT sum(a) OVER w FROM t WINDOW w AS (ORDER BY b ROWS 2 PRECEDING EXCLUDE CURRENT ROW)",
                    "read t",
                ),
                (
                    "SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE NO OTHERS) FROM t",
                    "read t",
                ),
                ("SELECT a FROM t WHERE b ISNULL", "read t"),
                ("INSERT INTO t (a) VALUES (1) ON CONFLICT (lower(a), b) DO NOTHING", "write t"),
                (
                    "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) WHERE b ISNULL DO NOTHING RETURNING a",
                    "write t",
                ),
                (
                    "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) WHERE b > 1 DO UPDATE SET a = excluded.a WHERE t.a > (SELECT max(x) FROM u)",
                    "write t, read u",
                ),
            ],
        );
    }
}

#[test]
fn words_of_postgresql_that_the_parser_lacks_are_understood() {
    check(
        Dialect::PostgreSql,
        &[
            (
                "SELECT * FROM t WHERE a BETWEEN SYMMETRIC 3 AND 1 OR b NOT BETWEEN ASYMMETRIC 1 AND 2",
                "read t",
            ),
            ("SELECT a, sum(c) FROM t GROUP BY DISTINCT ROLLUP (a)", "read t"),
            ("INSERT INTO t (a) OVERRIDING SYSTEM VALUE VALUES (1)", "write t"),
            ("INSERT INTO t OVERRIDING USER VALUE SELECT * FROM u", "write t, read u"),
        ],
    );
}

#[test]
fn what_hides_in_a_spelling_that_the_parser_lacks_is_seen() {
    check(
        Dialect::Sqlite,
        &[
            ("SELECT 1 IN secrets", "read secrets"),
            ("SELECT 1 IN pragma_database_list", "no: `pragma_database_list` shows…"),
            ("SELECT 1 IN sqlite_dbpage", "no: `sqlite_dbpage` shows…"),
            ("SELECT 1 IN fsdir('/etc')", "no: …"),
            ("SELECT 1 IN a.b.c", "no: …"),
            ("SELECT 1 IN t; DROP TABLE t", "no: there are 2 statements"),
            ("SELECT 1 IN (SELECT load_extension('x'))", "no: the function `load_extension`…"),
            ("SELECT 1 IS load_extension('x')", "no: the function `load_extension`…"),
            ("SELECT 1 IS NOT (SELECT a FROM secrets)", "read secrets"),
            ("SELECT load_extension('x') ISNULL", "no: the function `load_extension`…"),
            ("SELECT isnull('x')", "no: …"),
            ("SELECT 'a' NOT GLOB load_extension('x')", "no: the function `load_extension`…"),
            ("WITH t AS MATERIALIZED (SELECT load_extension('x')) SELECT * FROM t", "no: the function…"),
            ("WITH t AS MATERIALIZED (DELETE FROM a RETURNING *) SELECT * FROM t", "write a"),
            ("WITH t AS MATERIALIZED (SELECT 1) DELETE FROM users NOT INDEXED", "write users"),
            ("SELECT * FROM t NOT INDEXED; DELETE FROM t", "no: there are 2 statements"),
            (
                "SELECT sum(a) OVER (ORDER BY load_extension('x') ROWS 1 PRECEDING EXCLUDE TIES) FROM t",
                "no: the function…",
            ),
            ("UPDATE t SET a = 1 WHERE b IN users", "write t, read users"),
            ("INSERT INTO users AS notes (a) VALUES (1)", "write users"),
            ("WITH x AS (SELECT 1) REPLACE INTO users SELECT * FROM x", "write users"),
            // To SQLite these are two names.
            ("WITH \u{212a} AS (SELECT 1) SELECT * FROM k", "read k"),
            ("SELECT * FROM \"\u{212a}\"", "read \u{212a}"),
        ],
    );
    check(
        Dialect::PostgreSql,
        &[
            ("SELECT pg_sleep(1) ISNULL", "no: the function `pg_sleep`…"),
            ("SELECT isnull('x')", "no: …"),
            ("SELECT ('x').isnull", "no: …"),
            ("INSERT INTO t VALUES (1) ON CONFLICT (pg_sleep(1)) DO NOTHING", "no: the function `pg_sleep`…"),
            (
                "INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE pg_sleep(1) IS NULL DO NOTHING",
                "no: the function `pg_sleep`…",
            ),
            (
                "INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE 1 IN (SELECT 1 FROM u) DO NOTHING",
                "write t, read u",
            ),
            (
                "INSERT INTO t VALUES (1) ON CONFLICT (lower(a)) DO UPDATE SET b = pg_sleep(1)",
                "no: the function `pg_sleep`…",
            ),
            ("INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE b) DO NOTHING", "no: …"),
            ("SELECT 1 BETWEEN SYMMETRIC pg_sleep(1) AND 2", "no: the function `pg_sleep`…"),
            ("SELECT 1 FROM t GROUP BY DISTINCT pg_sleep(1)", "no: the function `pg_sleep`…"),
            ("INSERT INTO t OVERRIDING SYSTEM VALUE SELECT pg_sleep(1)", "no: the function `pg_sleep`…"),
            ("SELECT * FROM t WHERE a IN users", "no: …"),
            ("SELECT a IS 5 FROM t", "no: the statement does not parse…"),
            (
                "SELECT sum(a) OVER (ORDER BY pg_sleep(1) ROWS 1 PRECEDING EXCLUDE TIES) FROM t",
                "no: the function…",
            ),
            ("DELETE FROM T\u{c4}", "write t\u{c4}"),
        ],
    );
}

#[test]
fn where_it_does_not_parse_is_told_without_the_words_of_others() {
    check(
        Dialect::Sqlite,
        &[
            (
                "SELECT a FROM t GROUP ORDER BY b",
                "no: the statement does not parse from line 1, column 17 on, where `GROUP` stands",
            ),
            ("SELECT a FRO hunter2 c", "no: the statement does not parse from line 1, column 14 on"),
            (
                "SELECT a FROM t WHERE b = = 'hunter2'",
                "no: the statement does not parse from line 1, column 27 on",
            ),
        ],
    );
}

#[test]
fn options_of_other_servers_are_not_read() {
    check(
        Dialect::PostgreSql,
        &[
            ("SELECT * FROM information_schema.user_mapping_options", "no: …"),
            ("SELECT conninfo FROM pg_stat_wal_receiver", "no: …"),
            ("SELECT * FROM information_schema.columns", "read information_schema.columns"),
        ],
    );
}

#[test]
fn a_chain_or_a_nest_of_any_length_has_an_answer() {
    let many = |piece: &str, count: usize| piece.repeat(count);
    let deep = |open: &str, middle: &str, close: &str, count: usize| {
        format!("SELECT {}{middle}{}", many(open, count), many(close, count))
    };
    let mut hostile = vec![
        format!("SELECT 1{}", many("+1", 20_000)),
        format!("SELECT 1 WHERE 1=1{}", many(" OR 1=1", 8_000)),
        format!("SELECT 1{}", many(" UNION SELECT 1", 4_000)),
        format!("SELECT 1{}", many("::int", 12_000)),
        format!("SELECT a{}", many("[1]", 12_000)),
        format!("SELECT a{}", many(".a", 12_000)),
        format!("SELECT {}1", many("NOT ", 16_000)),
        format!("SELECT {}1", many("- ", 16_000)),
        format!("SELECT {}1", many("CASE WHEN ", 6_000)),
        format!("SELECT * FROM a{}", many(" JOIN a ON 1", 5_000)),
        format!("SELECT 1 {}", many("COLLATE x ", 6_000)),
        format!("SELECT 1 {}", many("IS NULL ", 6_000)),
        format!("SELECT 1 {}", many("ISNULL ", 8_000)),
        format!("SELECT 1 {}", many("IS 1 ", 12_000)),
        format!("SELECT 1 {}", many("IS NOT ", 8_000)),
        format!("SELECT 1 {}", many("IN t ", 12_000)),
        format!("SELECT 1 {}", many("NOT GLOB ", 6_000)),
        format!("SELECT * FROM t {}", many("NOT INDEXED ", 5_000)),
        format!("SELECT 1 AS {}", many("NOT MATERIALIZED ", 3_500)),
        format!("SELECT {}", many("EXCLUDE ", 8_000)),
        format!("SELECT {}", many("ON CONFLICT (", 5_000)),
        format!("SELECT {}", many("ON CONFLICT (a) WHERE ", 3_000)),
        format!("INSERT INTO a {}", many("ON CONFLICT (a()) DO NOTHING ", 2_000)),
        many("INTO a AS a ", 5_000),
        format!("SELECT 1 {}", many("AT TIME ZONE 'x' ", 3_000)),
        many("(", 60_000),
        many("SELECT ", 9_000),
        many("EXPLAIN ", 8_000),
        many("WITH a AS (", 5_000),
        format!("SELECT 1 IN ({})", many("1,", 30_000)),
        many("'", 60_001),
        many("/*", 30_000),
    ];
    for count in [10, 30, 32, 33, 500, 20_000] {
        hostile.push(deep("(", "1", ")", count));
        hostile.push(deep("(SELECT ", "1", ")", count.min(6_000)));
        hostile.push(deep("lower(", "1", ")", count.min(6_000)));
        hostile.push(deep("1 IN (", "1", ")", count.min(6_000)));
        hostile.push(deep("EXISTS (SELECT ", "1", ")", count.min(4_000)));
        hostile.push(deep("CASE WHEN ", "1", " THEN 1 END", count.min(3_000)));
        hostile.push(deep("ARRAY[", "1", "]", count.min(6_000)));
        hostile.push(deep("1 + 1 * (2 - ", "1", ")", count.min(4_000)));
        hostile.push(format!("SELECT * FROM {}a{}", many("(", count), many(")", count)));
        hostile.push(format!(
            "SELECT * FROM {}a{}",
            many("(SELECT * FROM ", count.min(3_000)),
            many(") x", count.min(3_000))
        ));
        hostile.push(format!(
            "SELECT * FROM a{}{}",
            many(" JOIN (a", count.min(6_000)),
            many(")", count.min(6_000))
        ));
        hostile.push(format!("{}SELECT 1{}", many("(", count), many(")", count)));
    }
    // Left-deep trees of chains inside chains.
    let mut wrapped = "1".to_owned();
    for _ in 0..31 {
        wrapped = format!("({wrapped}){}", many("+1", 11));
    }
    hostile.push(format!("SELECT {wrapped}"));
    hostile.push(format!("SELECT 1{}", many("+1", 390)));
    for sql in &hostile {
        for dialect in [Dialect::Sqlite, Dialect::PostgreSql] {
            #[expect(clippy::disallowed_methods, reason = "a test may look at the clock")]
            let before = std::time::Instant::now();
            let _ = read(sql, dialect);
            let took = before.elapsed();
            let start: String = sql.chars().take(60).collect();
            assert!(took.as_secs() < 2, "{took:?} for {} bytes of {start}", sql.len());
        }
    }
    // The honest twins.
    let list = (0..8_000).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    assert!(read(&format!("SELECT * FROM t WHERE id IN ({list})"), Dialect::Sqlite).is_ok());
    let rows = vec!["(1, -2, 'x')"; 3_000].join(",");
    assert!(read(&format!("INSERT INTO t VALUES {rows}"), Dialect::PostgreSql).is_ok());
    let either = vec!["(a = 1 AND b = 2)"; 150].join(" OR ");
    assert!(read(&format!("SELECT * FROM t WHERE {either}"), Dialect::PostgreSql).is_ok());
    assert!(read(&format!("SELECT {}1{}", many("(", 12), many(")", 12)), Dialect::Sqlite).is_ok());
    assert!(read(&"x".repeat(70_000), Dialect::Sqlite).is_err());
}

#[test]
fn a_table_alone_is_the_table() {
    check(
        Dialect::PostgreSql,
        &[
            ("UPDATE ONLY notes SET a = 1", "write notes"),
            ("update only app.notes n set a = 1 where n.b = 2", "write app.notes"),
            ("DELETE FROM ONLY notes WHERE a = 1", "write notes"),
            ("DELETE FROM ONLY (notes) WHERE a = 1", "write notes"),
            ("DELETE FROM notes USING ONLY other WHERE a = 1", "write notes, read other"),
            ("SELECT * FROM ONLY people", "read people"),
            ("SELECT * FROM ONLY/**/people p, ONLY ( app.pets ) q", "read app.pets people"),
            ("SELECT * FROM a JOIN ONLY b ON a.x = b.x", "read a b"),
            ("SELECT * FROM people FETCH FIRST 3 ROWS ONLY", "read people"),
            ("SELECT * FROM \"only\" t", "read only"),
            ("SELECT 'from only x' FROM t", "read t"),
        ],
    );
    for sql in [
        "SELECT * FROM ONLY",
        "UPDATE ONLY SET a = 1",
        "DELETE FROM ONLY (a, b)",
        "SELECT * FROM a, ONLY ONLY b",
    ] {
        assert!(read(sql, Dialect::PostgreSql).is_err(), "{sql}");
    }
    // To SQLite it is a name like any other, so a database that nobody knows is not asked this.
    check(Dialect::Sqlite, &[("SELECT * FROM only", "read only")]);
    assert!(read("UPDATE ONLY notes SET a = 1", Dialect::Unknown).is_err());
}
