//! Functions that only compute, by database.
//!
//! A parser cannot know what a function does: `pg_read_file` and `lower` look the same to it. So
//! the harmless ones are listed, and what is not listed is not understood. Left out on purpose is
//! whatever reads or writes files (`readfile`, `lo_export`), runs text as a statement
//! (`query_to_xml`, `ts_stat`), loads code (`load_extension`), changes settings or sequences
//! (`set_config`, `nextval`), waits or locks (`pg_sleep`, `pg_advisory_lock`), reaches other servers
//! (`dblink`) or touches other sessions (`pg_terminate_backend`).

use super::Flavour;

/// Whether a function of this name, folded, only computes.
pub(super) fn is_harmless(name: &str, flavour: Flavour) -> bool {
    let own = match flavour {
        Flavour::Sqlite => SQLITE,
        Flavour::PostgreSql => POSTGRESQL,
    };
    BOTH.iter().chain(own).any(|row| row.split_ascii_whitespace().any(|listed| listed == name))
}

/// Whether a function of this name, folded, may stand where a table stands.
pub(super) fn is_harmless_table(name: &str, flavour: Flavour) -> bool {
    let own = match flavour {
        Flavour::Sqlite => "json_each json_tree jsonb_each jsonb_tree generate_series",
        Flavour::PostgreSql => {
            "generate_series unnest generate_subscripts regexp_matches regexp_split_to_table string_to_table \
             json_each json_each_text json_array_elements json_array_elements_text json_object_keys \
             json_to_record json_to_recordset json_populate_record json_populate_recordset \
             jsonb_each jsonb_each_text jsonb_array_elements jsonb_array_elements_text jsonb_object_keys \
             jsonb_to_record jsonb_to_recordset jsonb_populate_record jsonb_populate_recordset \
             jsonb_path_query jsonb_path_query_tz"
        }
    };
    own.split_ascii_whitespace().any(|listed| listed == name)
}

/// Tables and views that show credentials, files of the server or settings of the process. They are
/// asked for by name like any table, so the name is what is refused.
pub(super) fn is_harmful_table(name: &str, flavour: Flavour) -> bool {
    match flavour {
        // Virtual tables of SQLite answer to their bare name too.
        Flavour::Sqlite => {
            name.starts_with("pragma_")
                || "fsdir zipfile sqlite_dbpage sqlite_dbdata sqlite_dbptr dbstat sqlite_stmt bytecode tables_used"
                    .split_ascii_whitespace()
                    .any(|listed| listed == name)
        }
        Flavour::PostgreSql => "pg_authid pg_shadow pg_user_mapping pg_user_mappings pg_hba_file_rules pg_ident_file_mappings \
                                pg_file_settings pg_config pg_largeobject pg_subscription pg_foreign_server pg_stat_wal_receiver \
                                user_mapping_options foreign_server_options"
            .split_ascii_whitespace()
            .any(|listed| listed == name),
    }
}

/// Types of PostgreSQL that the parser has no word of its own for.
pub(super) fn is_harmless_type(name: &str) -> bool {
    "name oid inet cidr macaddr macaddr8 money citext point line lseg box path polygon circle interval \
     int4range int8range numrange tsrange tstzrange daterange int4multirange int8multirange nummultirange \
     tsvector tsquery regtype regproc regnamespace regrole bpchar jsonpath xml bit varbit float4 float8 int2 int4 int8 \
     bool timestamptz timetz hstore ltree"
        .split_ascii_whitespace()
        .any(|listed| listed == name)
}

#[rustfmt::skip]
const BOTH: &[&str] = &[
    // aggregates
    "count sum avg min max total",
    // windows
    "row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value",
    // choosing
    "coalesce nullif iif",
    // texts
    "lower upper length trim ltrim rtrim replace substr substring instr concat concat_ws format",
    "octet_length unicode char hex",
    // numbers
    "abs round ceil ceiling floor trunc sign mod power pow exp ln log log10 sqrt pi random",
    "acos asin atan atan2 cos cosh acosh sin sinh asinh tan tanh atanh degrees radians",
    // moments
    "current_date current_time current_timestamp",
    // JSON
    "json_array_length",
];

#[rustfmt::skip]
const SQLITE: &[&str] = &[
    // aggregates
    "group_concat string_agg median percentile percentile_cont percentile_disc",
    // choosing
    "ifnull if likelihood likely unlikely typeof",
    // texts
    "glob like quote unhex printf soundex unistr unistr_quote zeroblob randomblob regexp match",
    // numbers
    "log2",
    // moments
    "date time datetime julianday unixepoch strftime timediff",
    // JSON
    "json json_array json_extract json_insert json_object json_patch json_remove json_replace json_set",
    "json_type json_valid json_quote json_pretty json_error_position json_group_array json_group_object",
    "json_array_insert jsonb_array_insert",
    "jsonb jsonb_array jsonb_extract jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set",
    "jsonb_group_array jsonb_group_object",
    // full-text search
    "bm25 highlight snippet matchinfo offsets",
    // about itself
    "changes total_changes last_insert_rowid sqlite_version sqlite_source_id subtype sqlite_compileoption_used \
     sqlite_compileoption_get",
];

#[rustfmt::skip]
const POSTGRESQL: &[&str] = &[
    // aggregates
    "array_agg string_agg bool_and bool_or every bit_and bit_or bit_xor any_value grouping mode",
    "stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp",
    "regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy",
    "percentile_cont percentile_disc range_agg range_intersect_agg",
    "json_agg json_object_agg jsonb_agg jsonb_object_agg json_agg_strict jsonb_agg_strict",
    // choosing
    "greatest least num_nulls num_nonnulls",
    // texts
    "char_length character_length bit_length bit_count initcap left right lpad rpad btrim repeat reverse position",
    "overlay strpos split_part starts_with string_to_array array_to_string translate ascii chr to_hex to_bin to_oct",
    "md5 sha224 sha256 sha384 sha512 encode decode convert_from convert_to quote_ident quote_literal quote_nullable",
    "regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_count",
    "regexp_instr regexp_like regexp_substr normalize unistr string_to_table get_bit get_byte set_bit set_byte",
    "similarity word_similarity show_trgm levenshtein soundex metaphone dmetaphone unaccent crc32 casefold",
    // numbers
    "cbrt div gcd lcm factorial scale min_scale trim_scale width_bucket random_normal setseed gamma lgamma erf erfc",
    "asind acosd atand atan2d sind cosd tand cot cotd",
    // moments
    "now age date_part date_trunc date_bin extract make_date make_time make_timestamp make_timestamptz make_interval",
    "justify_days justify_hours justify_interval isfinite to_timestamp to_date to_char to_number timezone timeofday",
    "clock_timestamp statement_timestamp transaction_timestamp localtime localtimestamp date_add date_subtract",
    "date timestamp timestamptz time overlaps",
    // arrays and ranges
    "array array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position",
    "array_positions array_prepend array_remove array_replace array_sample array_shuffle array_sort array_reverse",
    "array_upper cardinality trim_array unnest generate_subscripts generate_series row",
    "lower_inc lower_inf upper_inc upper_inf isempty range_merge multirange int4range int8range numrange",
    "tsrange tstzrange daterange",
    // JSON
    "to_json to_jsonb row_to_json array_to_json json_build_array json_build_object jsonb_build_array jsonb_build_object",
    "json_object jsonb_object json_each json_each_text jsonb_each jsonb_each_text json_object_keys jsonb_object_keys",
    "json_extract_path json_extract_path_text jsonb_extract_path jsonb_extract_path_text json_typeof jsonb_typeof",
    "json_array_elements json_array_elements_text jsonb_array_elements jsonb_array_elements_text jsonb_array_length",
    "json_strip_nulls jsonb_strip_nulls jsonb_set jsonb_set_lax jsonb_insert jsonb_pretty jsonb_path_exists",
    "jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first json_scalar json_serialize",
    "json_value json_query json_exists json_array json_arrayagg json_objectagg json",
    // full-text search
    "to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline",
    "setweight strip numnode querytree tsvector_to_array array_to_tsvector ts_delete ts_filter tsquery_phrase",
    // addresses and identifiers
    "host hostmask masklen netmask network broadcast family inet_merge inet_same_family abbrev text",
    "gen_random_uuid uuidv4 uuidv7 uuid_extract_timestamp uuid_extract_version",
    // about itself
    "pg_typeof version current_database current_schema current_schemas current_user session_user user current_role",
    "current_catalog pg_size_pretty pg_relation_size pg_table_size pg_total_relation_size pg_indexes_size",
    "pg_database_size pg_column_size obj_description col_description format_type pg_get_expr pg_get_constraintdef",
    "pg_get_indexdef pg_get_viewdef to_regclass to_regtype has_table_privilege has_schema_privilege lastval currval",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_function_that_does_more_than_compute_is_listed() {
        let harmful = "pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file lo_import lo_export lo_get lo_put dblink \
            dblink_exec query_to_xml query_to_xmlschema table_to_xml database_to_xml cursor_to_xml ts_stat set_config \
            current_setting nextval setval pg_sleep pg_sleep_for pg_advisory_lock pg_try_advisory_lock pg_terminate_backend \
            pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_notify pg_logical_emit_message pg_create_restore_point \
            load_extension readfile writefile edit fts3_tokenizer eval lsmode fsdir zipfile crosstab xpath_table";
        for name in harmful.split_ascii_whitespace() {
            for flavour in [Flavour::Sqlite, Flavour::PostgreSql] {
                assert!(!is_harmless(name, flavour) && !is_harmless_table(name, flavour), "{name}");
            }
        }
    }
}
