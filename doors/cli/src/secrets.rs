//! Values of the secrets that policy names, so that they are known when they turn up where they must not.

use std::fs::File;
use std::io::Read as _;

use decide::{Policy, Provider};
use screen::KnownSecrets;

/// Bytes of a file of secrets that are read.
const LARGEST: u64 = 1024 * 1024;

/// The values that can be had without running anything: variables of the environment, and files.
pub(crate) fn known_secrets(policy: &Policy) -> KnownSecrets {
    let mut values: Vec<(String, Vec<u8>)> = Vec::new();
    for (scope, provider) in &policy.home().scopes {
        match provider {
            Provider::Env(names) => {
                use std::os::unix::ffi::OsStringExt as _;
                let found =
                    names.iter().filter_map(|name| Some((name.clone(), std::env::var_os(name)?.into_vec())));
                values.extend(found);
            }
            Provider::File(path) => {
                let mut content = Vec::new();
                let read = File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut content));
                if read.is_ok() {
                    // A file may hold one secret, or one on each line, by name or bare.
                    let lines = content.split(|&byte| byte == b'\n');
                    let bare =
                        lines.map(|line| line.splitn(2, |&byte| byte == b'=').last().unwrap_or_default());
                    values.extend(bare.map(|value| (scope.clone(), value.to_vec())));
                    values.push((scope.clone(), content.clone()));
                }
            }
            Provider::Command(_) | Provider::Keyring(_) => {}
        }
    }
    KnownSecrets::new(values)
}
