//! Variables of a run, with the values of handles.
//!
//! A handle for use as `env` becomes the value of its variable. One for use as `file` becomes a file below
//! `/in`, and the variable holds its path.

use std::io::{Seek as _, Write as _};

use call::{Errand, Fault, Run, SecretUse, handle_in};
use lanes::Input;
use secrecy::ExposeSecret as _;
use serde_json::Value;

use crate::secrets::Vault;

type Variables = Vec<(String, String)>;

pub(super) fn given(run: &Run, errand: &Errand<'_>, vault: &Vault) -> Result<(Variables, Vec<Input>), Fault> {
    let (mut variables, mut files) = (Vec::new(), Vec::new());
    let given = errand.arguments.values().get("env").and_then(Value::as_object);
    // Both are in order of their names.
    let mut names: Vec<&String> = given.into_iter().flatten().map(|(name, _)| name).collect();
    names.sort();
    if !names.into_iter().eq(run.environment.iter().map(|(name, _)| name)) {
        return Err(Fault::failed("bad_request", "the variables are not those that were decided about"));
    }
    for (name, value) in given.into_iter().flatten() {
        let bad = |what: &str| Fault::failed("bad_request", format!("the variable `{name}` {what}"));
        let text = value.as_str();
        // A handle is meant for what it stands for, also where it is given as a plain text.
        let handle =
            text.and_then(handle_in).filter(|(prefix, _)| prefix.is_empty()).map(|(_, handle)| handle);
        let handle = handle.or_else(|| value.get("$secret").and_then(Value::as_str));
        let value = match (text, handle) {
            (_, Some(handle)) => {
                let as_file = handle.split(':').nth(1) == Some("file");
                let reveal = if as_file { SecretUse::File } else { SecretUse::Env };
                let value = vault.resolve(handle, &errand.actor.session, reveal, errand.now)?;
                if as_file {
                    let path = format!("secret-{name}");
                    files.push(Input { name: path.clone(), content: file(value.expose_secret())? });
                    format!("/in/{path}")
                } else {
                    let text = std::str::from_utf8(value.expose_secret());
                    text.map_err(|_| bad("has a credential that is no text"))?.to_owned()
                }
            }
            (Some(text), None) => text.to_owned(),
            (None, None) => return Err(bad("is neither a text nor a handle")),
        };
        if value.contains('\0') {
            return Err(bad("holds NUL"));
        }
        variables.push((name.clone(), value));
    }
    Ok((variables, files))
}

/// A file without a name that holds a credential, in memory.
fn file(value: &[u8]) -> Result<std::fs::File, Fault> {
    let failed =
        |error: std::io::Error| Fault::failed("lane_failed", format!("no file for a credential: {error}"));
    let memory = rustix::fs::memfd_create("credential", rustix::fs::MemfdFlags::CLOEXEC);
    let mut file = std::fs::File::from(memory.map_err(|error| failed(error.into()))?);
    file.write_all(value).and_then(|()| file.rewind()).map_err(failed)?;
    Ok(file)
}
