//! A PostgreSQL server for one test, gone with it.

use std::cell::Cell;
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
    /// Where it is reached over TCP, if it is.
    port: Cell<Option<u16>>,
}

/// A root, and a certificate for `localhost` that it signed.
const CERTIFICATES: [&str; 3] = [
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=root -keyout root.key -out root.pem",
    "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout server.key -out server.csr",
    "x509 -req -in server.csr -CA root.pem -CAkey root.key -CAcreateserial -days 2 -extfile names -out server.crt",
];

impl Server {
    pub(crate) fn start() -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let server = Self { folder, programs: programs(), port: Cell::new(None) };
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

    /// One that is reached over TCP and TLS as well, with a certificate that a root of its own signed. Gives
    /// its port and where the root is.
    pub(crate) fn start_with_tls() -> (Self, u16, String) {
        let server = Self::start();
        server.control(&["stop", "-m", "fast"]);
        let (folder, data) = (server.folder.path(), server.data());
        std::fs::write(folder.join("names"), "subjectAltName = DNS:localhost\n").unwrap();
        for words in CERTIFICATES {
            let mut openssl = Command::new("openssl");
            run(openssl.args(words.split_ascii_whitespace()).current_dir(folder));
        }
        for name in ["server.key", "server.crt"] {
            let place = data.join(name);
            std::fs::copy(folder.join(name), &place).unwrap();
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o600)).unwrap();
            if is_root() {
                chown(&place, Some(NOBODY), Some(NOBODY)).unwrap();
            }
        }
        // Whoever is not behind TLS is turned away.
        let rules = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n";
        std::fs::write(data.join("pg_hba.conf"), rules).unwrap();
        // Whoever takes the port in between makes the test fail, and not show something else.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        server.port.set(Some(port));
        server.control(&["start", "-w"]);
        let root = folder.join("root.pem").to_str().unwrap().to_owned();
        (server, port, root)
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
        let mut options = format!("-c listen_addresses= -c unix_socket_directories={}", data.display());
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
