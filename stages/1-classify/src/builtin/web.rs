//! Tools that talk to the web, and the credentials they do it with.

use std::collections::BTreeMap;

use call::{Effect, SecretUse, Sha256, WebAddress, WebRequest, handle_in};
use serde::Deserialize;
use serde_json::Value;

use super::{ToolEffects, check};
use crate::{Catalogue, Fault};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fetch<'a> {
    url: &'a str,
    method: Option<&'a str>,
    #[serde(default)]
    headers: BTreeMap<String, Header>,
    body: Option<&'a str>,
}

/// The value of a header.
#[derive(Deserialize)]
#[serde(untagged)]
enum Header {
    Text(String),
    Secret {
        #[serde(rename = "$secret")]
        handle: String,
        #[serde(default)]
        prefix: String,
    },
}

/// Headers that belong to the connection, or that make a server take one method for another.
const NOT_YOURS: &[&str] = &[
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
];

pub(super) fn network_fetch(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: Fetch<'_> = check::take(arguments)?;
    let url = WebAddress::parse(given.url).map_err(|error| Fault::new("/url", error.to_string()))?;
    let method = given.method.unwrap_or("GET");
    if given.body.is_some() && matches!(method, "GET" | "HEAD" | "OPTIONS") {
        return Err(Fault::new("/body", format!("does not go with {method}; use POST, PUT or PATCH")));
    }
    let mut headers = BTreeMap::new();
    for (name, value) in &given.headers {
        let lower = name.to_ascii_lowercase();
        // Names hold neither `/` nor `~` that a pointer would have to escape, but for these two.
        let place = format!("/headers/{}", name.replace('~', "~0").replace('/', "~1"));
        if NOT_YOURS.contains(&lower.as_str()) || lower.starts_with("proxy-") {
            return Err(Fault::new(place, "is a header that the gate sets itself"));
        }
        if headers.insert(lower, value.digest(&place)?).is_some() {
            return Err(Fault::new(place, "is given twice, in another case"));
        }
    }
    Ok(vec![Effect::Network(WebRequest {
        method: method.to_owned(),
        url,
        headers: headers.into_iter().collect(),
        body: given.body.map(|body| Sha256::of(body.as_bytes())),
    })])
}

impl Header {
    /// A text that ends with a handle stands for what the handle does.
    fn meant(&self) -> (&str, Option<&str>) {
        match self {
            Self::Text(text) => {
                handle_in(text).map_or((text, None), |(prefix, handle)| (prefix, Some(handle)))
            }
            Self::Secret { handle, prefix } => (prefix, Some(handle)),
        }
    }

    /// The digest that an approval is bound to. That of a handle begins with a NUL, which no text
    /// of a header holds, so that no text can pass for a handle.
    fn digest(&self, place: &str) -> Result<Sha256, Fault> {
        match self.meant() {
            (text, _) if text.contains(|sign: char| sign.is_ascii_control() && sign != '\t') => {
                Err(Fault::new(place, "must be one line without control characters"))
            }
            (text, None) => Ok(Sha256::of(text.as_bytes())),
            // No handle holds a NUL either, so that a prefix is never taken for a part of one.
            ("", Some(handle)) => Ok(Sha256::of(format!("\0secret:{handle}").as_bytes())),
            (prefix, Some(handle)) => Ok(Sha256::of(format!("\0secret:{handle}\0{prefix}").as_bytes())),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Secret<'a> {
    scope: &'a str,
    name: &'a str,
    r#use: Use,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Use {
    Header,
    Env,
    File,
}

pub(super) fn secrets_get(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: Secret<'_> = check::take(arguments)?;
    let reveal = match given.r#use {
        Use::Header => SecretUse::Header,
        Use::Env => SecretUse::Env,
        Use::File => SecretUse::File,
    };
    Ok(vec![Effect::Secret { scope: given.scope.to_owned(), name: given.name.to_owned(), reveal }])
}
