//! Credentials for servers behind the gate: an agent writes a handle, and the server gets the value.

use call::{Effect, Errand, Fault, SecretUse, handle_in};
use execute::secrets::Vault;
use secrecy::ExposeSecret as _;
use serde_json::{Map, Value};

/// The arguments of a call with the values of the handles in them. A handle counts only where the mapping of
/// the tool says that one stands there, because only then was it decided about.
pub(super) fn revealed(errand: &Errand<'_>, vault: &Vault) -> Result<Map<String, Value>, Fault> {
    let mut arguments = errand.arguments.values().clone();
    for value in arguments.values_mut() {
        reveal(value, errand, vault)?;
    }
    Ok(arguments)
}

fn reveal(value: &mut Value, errand: &Errand<'_>, vault: &Vault) -> Result<(), Fault> {
    match value {
        Value::String(text) => {
            let Some((prefix, handle)) = handle_in(text) else { return Ok(()) };
            if !is_decided(handle, errand) {
                return Err(Fault::Failed {
                    class: "bad_handle",
                    message: format!("a handle stands where the mapping of `{}` has none", errand.tool),
                    remedy: Some(
                        "whoever runs the gate can name the argument in `handle` of the mapping".to_owned(),
                    ),
                });
            }
            let value = vault.resolve(handle, &errand.actor.session, SecretUse::Env, errand.now)?;
            let secret = std::str::from_utf8(value.expose_secret())
                .map_err(|_| Fault::failed("secret_not_text", "this credential is not a text"))?;
            *text = format!("{prefix}{secret}");
            Ok(())
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| reveal(item, errand, vault)),
        Value::Object(entries) => entries.values_mut().try_for_each(|item| reveal(item, errand, vault)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

fn is_decided(handle: &str, errand: &Errand<'_>) -> bool {
    let mut parts = handle.splitn(6, ':').skip(4);
    let (Some(scope), Some(name)) = (parts.next(), parts.next()) else { return false };
    let name = name.replace(':', "/");
    errand.effects.iter().any(|effect| {
        matches!(effect, Effect::Secret { scope: own, name: its, .. } if own == scope && *its == name)
    })
}
