//! SQLite files for one test.

use std::path::PathBuf;

use rusqlite::Connection;
use tempfile::TempDir;

pub(crate) struct File {
    folder: TempDir,
}

impl File {
    pub(crate) fn with(sql: &str) -> Self {
        let file = Self { folder: TempDir::new().unwrap() };
        file.open().execute_batch(sql).unwrap();
        file
    }

    /// The same as it lies on the disk now, as after the power failed.
    pub(crate) fn as_after_a_crash(&self) -> Self {
        let copy = Self { folder: TempDir::new().unwrap() };
        for name in self.beside() {
            std::fs::copy(self.folder.path().join(&name), copy.folder.path().join(&name)).unwrap();
        }
        copy
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("shop.db")
    }

    /// A program that the database belongs to.
    pub(crate) fn open(&self) -> Connection {
        Connection::open(self.path()).unwrap()
    }

    pub(crate) fn count(&self, table: &str) -> i64 {
        self.open().query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    /// Names of whatever lies beside the database.
    pub(crate) fn beside(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}
