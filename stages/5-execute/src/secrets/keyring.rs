//! Credentials in the keyring of the desktop.
//!
//! Asked through `secret-tool` of libsecret: it speaks to whichever keyring the desktop has, and a library of
//! our own would bring a message bus into the gate. An entry is found by `service` and `username`, which is
//! how most programs file theirs.

use std::time::Duration;

use call::Fault;
use secrecy::zeroize::Zeroizing;

use super::{Surroundings, command};

/// The program.
const PROGRAM: &str = "secret-tool";

/// Time for a person to unlock the keyring.
const PATIENCE: Duration = Duration::from_secs(30);

/// What it needs to find the desktop.
const NEEDED: [&str; 4] = ["PATH", "HOME", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"];

pub(super) fn ask(service: &str, name: &str, around: &Surroundings) -> Result<Zeroizing<Vec<u8>>, Fault> {
    let missing = |why: String| Fault::Failed {
        class: "secret_not_found",
        message: format!("the keyring gives no `{name}` for the service `{service}`: {why}"),
        remedy: Some(format!(
            "`secret-tool store --label=NAME service {service} username {name}` files it; the keyring must be \
             unlocked"
        )),
    };
    command::check(name).map_err(missing)?;
    let folders = (around.variable)("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&folders).map(|folder| folder.join(PROGRAM)).find(|path| path.is_file());
    let Some(program) = found else {
        return Err(Fault::Failed {
            class: "keyring_missing",
            message: format!("the keyring cannot be asked: there is no `{PROGRAM}` in the search path"),
            remedy: Some(
                "on Debian or Ubuntu, `apt-get install libsecret-tools` provides it; or use another provider"
                    .to_owned(),
            ),
        });
    };
    let program = program.display().to_string();
    let words = [program.as_str(), "lookup", "service", service, "username", name].map(str::to_owned);
    let printed = command::run(&words, around, &NEEDED, PATIENCE).map_err(missing)?;
    command::whole(&printed).ok_or_else(|| missing("it is not there".to_owned()))
}
