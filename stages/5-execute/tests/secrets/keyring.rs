//! The keyring of a desktop: a message bus, GNOME's keyring and `secret-tool`, all of them real.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use call::SecretUse;
use execute::secrets::Source;
use tempfile::TempDir;

use crate::{NOW, VALUE, handle, resolve, vault_with};

/// A desktop that ends with the test.
struct Desktop {
    home: TempDir,
    bus: Child,
    keyring: Child,
    address: String,
}

impl Desktop {
    fn start() -> Self {
        let home = TempDir::new().unwrap();
        let needed = "is needed: install dbus-daemon, gnome-keyring and libsecret-tools";
        let mut bus = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("dbus-daemon {needed}: {error}"));
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        let mut keyring = at_desk(Command::new("gnome-keyring-daemon"), &home, &address)
            .args(["--foreground", "--unlock", "--components=secrets"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("gnome-keyring-daemon {needed}: {error}"));
        // The password of the keyring, and its end.
        keyring.stdin.take().unwrap().write_all(b"test").unwrap();
        Self { home, bus, keyring, address }
    }

    /// Files a secret, as soon as the keyring takes it.
    fn file(&self, service: &str, name: &str, value: &str) {
        for _ in 0..100 {
            let mut store = at_desk(Command::new("secret-tool"), &self.home, &self.address)
                .args(["store", "--label=test", "service", service, "username", name])
                .stdin(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("secret-tool is needed: install libsecret-tools");
            store.stdin.take().unwrap().write_all(value.as_bytes()).unwrap();
            if store.wait().unwrap().success() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("the keyring takes no secret");
    }
}

fn at_desk(mut command: Command, home: &TempDir, address: &str) -> Command {
    command.env("HOME", home.path()).env("XDG_RUNTIME_DIR", home.path());
    command.env("XDG_DATA_HOME", home.path()).env("DBUS_SESSION_BUS_ADDRESS", address);
    command
}

impl Drop for Desktop {
    fn drop(&mut self) {
        for child in [&mut self.keyring, &mut self.bus] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn a_secret_of_the_desktops_keyring_is_found_by_service_and_name() {
    let desktop = Desktop::start();
    desktop.file("toolgate-test", "deploy", VALUE);
    desktop.file("other-service", "private", "another-value-of-others");
    let home = desktop.home.path().to_str().unwrap();
    let around =
        [("HOME", home), ("XDG_RUNTIME_DIR", home), ("DBUS_SESSION_BUS_ADDRESS", desktop.address.as_str())];
    let vault = || vault_with(Source::Keyring("toolgate-test".to_owned()), &around, 7);
    let made = handle(&vault(), "deploy", SecretUse::Header).unwrap();
    assert_eq!(resolve(&vault(), &made, SecretUse::Header, NOW).as_deref(), Ok(VALUE));
    // What is filed for another service, and what nobody filed.
    for name in ["private", "nothing"] {
        let fault = handle(&vault(), name, SecretUse::Header).unwrap_err();
        assert_eq!(fault.class(), "secret_not_found", "{fault:?}");
        assert!(format!("{fault:?}").contains("secret-tool store"), "{fault:?}");
    }
}
