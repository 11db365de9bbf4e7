//! A PostgreSQL server for one test, gone with it.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The server does not run as root; then it runs as nobody.
const NOBODY: u32 = 65_534;

pub(crate) struct Server {
    folder: TempDir,
    programs: PathBuf,
}

impl Server {
    pub(crate) fn start() -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let server = Self { folder, programs: programs() };
        let data = server.data();
        std::fs::create_dir(&data).unwrap();
        if is_root() {
            chown(&data, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let auth = ["--auth=trust", "--username=gate", "--encoding=UTF8", "--no-locale", "--no-instructions"];
        run(server.command("initdb").arg("-D").arg(&data).args(auth));
        server.control(&["start", "-w"]);
        server
    }

    /// A database of its own for whoever asks.
    pub(crate) fn database(&self, name: &str) -> String {
        let mut client = postgres::Client::connect(&self.url("postgres"), postgres::NoTls).unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        self.url(name)
    }

    fn url(&self, database: &str) -> String {
        format!("host={} user=gate dbname={database}", self.data().display())
    }

    /// As when the power fails.
    pub(crate) fn crash_and_start_again(&self) {
        self.control(&["stop", "-m", "immediate"]);
        self.control(&["start", "-w"]);
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn control(&self, words: &[&str]) {
        let data = self.data();
        // No port, only a socket in a folder that is its own.
        let options = format!("-c listen_addresses= -c unix_socket_directories={}", data.display());
        let mut command = self.command("pg_ctl");
        command.arg("-D").arg(&data).arg("-o").arg(options).arg("-l").arg(data.join("log")).args(words);
        run(&mut command);
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.current_dir("/").stdin(Stdio::null());
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.control(&["stop", "-m", "immediate"]);
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

/// On the path, or where Debian puts them.
fn programs() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        folders.extend(versions.map(|version| version.unwrap().path().join("bin")));
    }
    let found = folders.into_iter().find(|folder| folder.join("initdb").is_file());
    let found = found.expect("PostgreSQL is needed: `scripts/test` installs it");
    // Links on the path may point at a wrapper that only works for some users.
    std::fs::canonicalize(found.join("initdb")).unwrap().parent().map(Path::to_path_buf).unwrap()
}

fn run(command: &mut Command) {
    let status = command.stdout(Stdio::null()).stderr(Stdio::inherit()).status().unwrap();
    assert!(status.success(), "{command:?}");
}
