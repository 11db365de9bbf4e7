//! Values of the secrets that policy names, so that they are known when they turn up where they must not.

use std::fs::File;
use std::io::Read as _;

use decide::{Policy, Provider};
use screen::KnownSecrets;

/// Bytes of a file of secrets that are read.
const LARGEST: u64 = 1024 * 1024;

/// The values that can be had without running anything: variables of the environment, and files.
pub(crate) fn known_secrets(policies: &[Policy]) -> KnownSecrets {
    let mut values: Vec<(String, Vec<u8>)> = Vec::new();
    for (scope, provider) in policies.iter().flat_map(|policy| &policy.home().scopes) {
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
                    values.extend(assigned(&content).map(|value| (scope.clone(), value.to_vec())));
                    values.push((scope.clone(), content.clone()));
                }
            }
            Provider::Command(_) | Provider::Keyring(_) => {}
        }
    }
    KnownSecrets::new(values)
}

/// The values of lines `NAME=value`. Other lines are not taken for secrets by themselves: a comment or the
/// first line of a key stands in many files that hold none.
fn assigned(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    content.split(|&byte| byte == b'\n').filter_map(|line| {
        let line = line.trim_ascii();
        let line = line.strip_prefix(b"export ").unwrap_or(line);
        let at = line.iter().position(|&byte| byte == b'=')?;
        let (name, value) = line.split_at_checked(at)?;
        let is_name =
            !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let value = value.get(1..)?.trim_ascii();
        let quoted =
            [b'"', b'\''].into_iter().find_map(|quote| value.strip_prefix(&[quote])?.strip_suffix(&[quote]));
        is_name.then(|| quoted.unwrap_or(value))
    })
}

#[cfg(test)]
mod tests {
    use super::assigned;

    #[test]
    fn only_values_with_a_name_are_secrets() {
        let content =
            b"# the keys of production\nexport A=one two\nB='three'\r\n-----BEGIN PRIVATE KEY-----\n\
                        MIIB/w==\nC=\"x=y\"\nplain\n a b=c\n";
        let values: Vec<&[u8]> = assigned(content).collect();
        assert_eq!(values, [&b"one two"[..], b"three", b"x=y"]);
    }
}
