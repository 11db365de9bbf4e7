//! The functions of SQLite that only compute.
//!
//! The list of those that a statement may call is kept where statements are judged; this one is for what SQLite
//! finds when it compiles the statement, with the functions of views, triggers and generated columns in it. A
//! test holds it against what SQLite has.

/// Whether a function, folded, only computes.
pub(super) fn is_harmless(name: &str) -> bool {
    LISTED.iter().any(|row| row.split_ascii_whitespace().any(|listed| listed == name))
}

#[rustfmt::skip]
const LISTED: &[&str] = &[
    // operators that are functions underneath
    "-> ->> like glob match regexp",
    // aggregates and windows
    "count sum total avg min max group_concat string_agg median percentile percentile_cont percentile_disc",
    "row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value",
    // choosing
    "coalesce nullif ifnull iif if likelihood likely unlikely typeof",
    // texts
    "lower upper length octet_length trim ltrim rtrim replace substr substring instr concat concat_ws format printf",
    "unicode char hex unhex quote soundex unistr unistr_quote zeroblob randomblob",
    // numbers
    "abs round ceil ceiling floor trunc sign mod power pow exp ln log log10 log2 sqrt pi random",
    "acos asin atan atan2 cos cosh acosh sin sinh asinh tan tanh atanh degrees radians",
    // moments
    "current_date current_time current_timestamp date time datetime julianday unixepoch strftime timediff",
    // JSON
    "json json_array json_array_length json_array_insert json_extract json_insert json_object json_patch json_remove",
    "json_replace json_set json_type json_valid json_quote json_pretty json_error_position json_group_array",
    "json_group_object",
    "jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_insert jsonb_object jsonb_patch jsonb_remove",
    "jsonb_replace jsonb_set jsonb_group_array jsonb_group_object",
    // full-text search
    "bm25 highlight snippet matchinfo offsets optimize fts5 fts5_source_id fts5_locale fts5_get_locale fts5_insttoken",
    // about itself
    "changes total_changes last_insert_rowid sqlite_version sqlite_source_id subtype sqlite_compileoption_used",
    "sqlite_compileoption_get",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// Each with the reason why it is left out.
    const LEFT_OUT: [(&str, &str); 12] = [
        ("load_extension", "loads code"),
        ("fts3_tokenizer", "takes and gives addresses of memory"),
        ("sqlite_log", "writes to the log of the program"),
        ("rtreecheck", "runs statements of its own"),
        ("rtreenode", "reads bytes as a tree, for tests"),
        ("rtreedepth", "reads bytes as a tree, for tests"),
        ("sqlite_rename_column", "inside of ALTER TABLE"),
        ("sqlite_rename_table", "inside of ALTER TABLE"),
        ("sqlite_rename_test", "inside of ALTER TABLE"),
        ("sqlite_drop_column", "inside of ALTER TABLE"),
        ("sqlite_rename_quotefix", "inside of ALTER TABLE"),
        ("sqlite_offset", "tells where on the disk a value lies"),
    ];

    #[test]
    fn every_function_of_sqlite_is_listed_or_left_out_for_a_reason() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let mut statement =
            connection.prepare("SELECT DISTINCT lower(name) FROM pragma_function_list").unwrap();
        let names: BTreeSet<String> =
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert!(names.len() > 100);
        let unknown: Vec<_> = names
            .iter()
            .filter(|name| {
                !super::is_harmless(name) && !LEFT_OUT.iter().any(|(left_out, _)| left_out == name)
            })
            .collect();
        assert_eq!(unknown, Vec::<&String>::new());
        assert!(LEFT_OUT.iter().all(|(name, _)| !super::is_harmless(name)));
    }
}
