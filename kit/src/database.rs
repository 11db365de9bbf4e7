//! A PostgreSQL server of a test's own.

use std::cell::Cell;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::tls::Authority;

/// The server does not run as root; then it runs as nobody.
const NOBODY: u32 = 65_534;

/// A server that is reached by a socket in a folder of its own, and gone when this is dropped.
#[derive(Debug)]
pub struct Server {
    folder: TempDir,
    programs: PathBuf,
    durable: bool,
    /// Where it is reached over TCP, if it is.
    port: Cell<Option<u16>>,
}

/// Who comes in over TCP; all of them over TLS or not at all, unless a password lets them in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Everybody who speaks TLS.
    Encrypted,
    /// Everybody who has a password.
    Password,
}

impl Server {
    /// One that loses what it has when it crashes, and is quicker for it.
    #[must_use]
    pub fn start() -> Self {
        Self::started(false)
    }

    /// One that keeps what it has said that it has.
    #[must_use]
    pub fn start_durable() -> Self {
        Self::started(true)
    }

    fn started(durable: bool) -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let server = Self { folder, programs: programs(), durable, port: Cell::new(None) };
        let data = server.data();
        std::fs::create_dir(&data).unwrap();
        give_to_server(&data);
        let words =
            ["--auth=trust", "--username=gate", "--encoding=UTF8", "--no-locale", "--no-instructions"];
        let mut initdb = server.command("initdb");
        initdb.arg("-D").arg(&data).args(words);
        if !durable {
            initdb.arg("--no-sync");
        }
        run(&mut initdb);
        server.control(&["start", "-w"]);
        server
    }

    /// Lets it be reached over TCP and TLS as well, as `localhost`. Gives its port and the file with the
    /// authority that vouches for it.
    pub fn open(&self, entry: Entry) -> (u16, String) {
        self.control(&["stop", "-m", "fast"]);
        let (folder, data) = (self.folder.path(), self.data());
        let authority = Authority::new();
        let (certificate, key) = authority.certificate("localhost");
        for (name, text) in [("server.crt", certificate), ("server.key", key)] {
            let place = data.join(name);
            std::fs::write(&place, text).unwrap();
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o600)).unwrap();
            give_to_server(&place);
        }
        let rule = match entry {
            Entry::Encrypted => "hostssl all all 127.0.0.1/32 trust",
            Entry::Password => "host all all 127.0.0.1/32 scram-sha-256",
        };
        std::fs::write(data.join("pg_hba.conf"), format!("local all all trust\n{rule}\n")).unwrap();
        // Whoever takes the port in between makes the test fail, and not show something else.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        self.port.set(Some(port));
        self.control(&["start", "-w"]);
        let root = folder.join("root.pem");
        std::fs::write(&root, authority.pem()).unwrap();
        (port, root.to_str().unwrap().to_owned())
    }

    /// As when the power fails.
    pub fn crash_and_start_again(&self) {
        self.control(&["stop", "-m", "immediate"]);
        self.control(&["start", "-w"]);
    }

    /// Runs statements as the one who owns everything.
    pub fn owner(&self, sql: &str) {
        self.owner_client().batch_execute(sql).unwrap();
    }

    /// The one who owns everything.
    #[must_use]
    pub fn owner_client(&self) -> postgres::Client {
        postgres::Client::connect(&self.settings("postgres"), postgres::NoTls).unwrap()
    }

    /// How many rows a table has.
    #[must_use]
    pub fn count(&self, table: &str) -> i64 {
        self.owner_client().query_one(&format!("SELECT count(*) FROM {table}"), &[]).unwrap().get(0)
    }

    /// A new database, and how the one who owns it reaches it.
    #[must_use]
    pub fn database(&self, name: &str) -> String {
        self.owner(&format!("CREATE DATABASE {name}"));
        self.settings(name)
    }

    /// How a role reaches it.
    #[must_use]
    pub fn url(&self, role: &str) -> String {
        let folder = self.data().display().to_string().replace('/', "%2F");
        format!("postgres://{role}@{folder}/postgres")
    }

    /// Whatever the server has written to its log.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.data().join("log")).unwrap()
    }

    fn settings(&self, database: &str) -> String {
        let port = self.port.get().unwrap_or(5432);
        format!("host={} port={port} user=gate dbname={database}", self.data().display())
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn control(&self, words: &[&str]) {
        let data = self.data();
        // No port, only a socket in a folder that is its own.
        let mut options = format!("-c listen_addresses= -c unix_socket_directories={}", data.display());
        if !self.durable {
            options.push_str(" -c fsync=off");
        }
        if let Some(port) = self.port.get() {
            options.push_str(&format!(" -c listen_addresses=127.0.0.1 -c port={port} -c ssl=on"));
        }
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

fn give_to_server(path: &Path) {
    if is_root() {
        chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
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
    let status = command.stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}");
}
