//! The tool `network_fetch`.

use std::collections::BTreeMap;

use call::{Content, Done, Effect, Errand, Fault, SecretUse, Sha256, WebRequest, handle_in};
use serde_json::{Value, json};

use super::shown::{Shown, show};
use super::{Egress, HeaderValue, Request};
use crate::secrets::Vault;

impl Egress {
    /// The tool `network_fetch`: sends the request that was decided about, and gives back what can be read of
    /// the answer.
    ///
    /// # Errors
    /// When there is no answer, a handle is none, or policy refuses a hop.
    pub fn fetch(&self, errand: &Errand<'_>, vault: &Vault) -> Result<Done, Fault> {
        let decided = errand
            .effects
            .iter()
            .find_map(|effect| if let Effect::Network(request) = effect { Some(request) } else { None });
        let Some(decided) = decided else {
            return Err(Fault::failed("unknown_effect", "nothing says what is to be fetched"));
        };
        let body = errand.arguments.values().get("body").and_then(Value::as_str).map(str::as_bytes);
        let headers = headers(errand, decided, vault)?;
        if body.map(Sha256::of) != decided.body {
            return Err(Fault::failed("bad_request", "the body is not the one that was decided about"));
        }
        let request = Request { method: &decided.method, url: &decided.url, headers, body };
        let response = self.send(&request, errand)?;
        let Shown { content, labels, what } = show(&response);
        let mut data = json!({
            "status": response.status,
            "url": response.url.to_string(),
            "truncated": response.truncated,
        });
        if let (Value::Object(data), Value::Object(content)) = (&mut data, content) {
            data.extend(content);
            if !response.redirects.is_empty() {
                let hops = response.redirects.iter().map(|hop| Value::String(hop.to_string()));
                data.insert("redirected_from".to_owned(), hops.collect());
            }
        }
        let mut artifacts = vec![url_hash(&decided.url.to_string())];
        artifacts.extend((response.url != decided.url).then(|| url_hash(&response.url.to_string())));
        Ok(Done {
            summary: format!("{} {}: {}, {what}", decided.method, response.url, response.status),
            content: Content::Data(data),
            artifacts,
            untrusted: true,
            labels,
            ..Done::default()
        })
    }
}

/// How the ledger speaks of an address.
fn url_hash(url: &str) -> String {
    format!("url_sha256:{}", Sha256::of(url.as_bytes()))
}

/// The headers of the call, which must be those that were decided about, with the values of their handles.
fn headers(
    errand: &Errand<'_>,
    decided: &WebRequest,
    vault: &Vault,
) -> Result<Vec<(String, HeaderValue)>, Fault> {
    let empty = serde_json::Map::new();
    let given = errand.arguments.values().get("headers").and_then(Value::as_object).unwrap_or(&empty);
    let mut headers = BTreeMap::new();
    for (name, value) in given {
        let resolved = |handle| vault.resolve(handle, &errand.actor.session, SecretUse::Header, errand.now);
        let value = match value {
            Value::String(text) => match handle_in(text) {
                None => HeaderValue::Text(text.clone()),
                Some((prefix, handle)) => {
                    HeaderValue::Secret { prefix: prefix.to_owned(), value: resolved(handle)? }
                }
            },
            Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                let Some(handle) = value.get("$secret").and_then(Value::as_str) else {
                    let message = format!("the header `{name}` is neither a text nor a handle");
                    return Err(Fault::failed("bad_request", message));
                };
                let prefix = value.get("prefix").and_then(Value::as_str).unwrap_or_default().to_owned();
                HeaderValue::Secret { prefix, value: resolved(handle)? }
            }
        };
        headers.insert(name.to_ascii_lowercase(), value);
    }
    let same = headers.keys().eq(decided.headers.iter().map(|(name, _)| name));
    if !same {
        return Err(Fault::failed("bad_request", "the headers are not those that were decided about"));
    }
    Ok(headers.into_iter().collect())
}
