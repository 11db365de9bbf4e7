//! What a role can do beside reading and writing rows.
//!
//! A read-only transaction keeps tables as they are. It does not keep a superuser from reading the files of the
//! server or a member of `pg_execute_server_program` from running programs. Taking on a weaker role for the time
//! of a statement is no answer, since a statement can take it off again. So the role itself has to be weak.

use call::Fault;

use super::{Patience, Session};

/// Roles that are more than their tables, and functions that reach beyond the database where somebody was
/// given them.
const POWERS: &str = "
    SELECT 'acts as `' || rolname || '`' FROM pg_catalog.pg_roles
    WHERE (rolsuper OR rolreplication
           OR rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))
      AND pg_catalog.pg_has_role(session_user, oid, 'MEMBER')
    UNION ALL
    SELECT 'may call `' || proname || '`' FROM pg_catalog.pg_proc
    WHERE pronamespace = 'pg_catalog'::pg_catalog.regnamespace
      AND proname IN ('pg_read_file', 'pg_read_binary_file', 'pg_ls_dir', 'pg_stat_file', 'lo_import', 'lo_export',
                      'pg_reload_conf', 'pg_rotate_logfile', 'pg_promote', 'pg_switch_wal')
      AND pg_catalog.has_function_privilege(session_user, oid, 'EXECUTE')
    LIMIT 1";

/// # Errors
/// When the role can do more.
pub(super) async fn check(session: &Session, patience: &Patience<'_>) -> Result<(), Fault> {
    let found =
        session.client.query_opt(POWERS, &[]).await.map_err(|error| session.fault(&error, patience))?;
    let Some(row) = found else { return Ok(()) };
    let power: String = row.try_get(0).unwrap_or_default();
    Err(Fault::Failed {
        class: "role_too_powerful",
        message: format!("the role of the gate in this database {power}, so that no statement of it is harmless"),
        remedy: Some(
            "whoever owns the database can make a role for the gate: CREATE ROLE gate LOGIN, then GRANT it what it \
             may read and write"
                .to_owned(),
        ),
    })
}
