//! One call's conversation with a forge: requests about one repository, and what the answers mean.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use call::{Errand, Fault, WebAddress};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;

use super::{Fetch, ForgeRequest, ForgeResponse, Kind, Token};

/// Seconds that a call may take where policy says nothing.
const USUAL: u64 = 60;

/// Bytes of an answer that are taken at most.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Characters of what a forge says that are passed on.
const MOST_SAID: usize = 300;

pub(super) struct Talk<'a> {
    api: String,
    kind: Kind,
    token: &'a Token,
    fetch: &'a dyn Fetch,
    errand: &'a Errand<'a>,
    repository: &'a str,
    end: Instant,
}

impl<'a> Talk<'a> {
    pub(super) fn new(
        api: &str,
        token: &'a Token,
        fetch: &'a dyn Fetch,
        errand: &'a Errand<'a>,
        repository: &'a str,
    ) -> Result<Self, Fault> {
        let bad = |why: String| Fault::failed("bad_forge_address", format!("`github.api` {why}"));
        let address = WebAddress::parse(api).map_err(|error| bad(error.to_string()))?;
        if address.path.contains('?') {
            return Err(bad("has a query".to_owned()));
        }
        let path = address.path.trim_end_matches('/');
        // Forgejo and Gitea have their interface at one place, GitHub has its own at others.
        let kind = if path.ends_with("/api/v1") { Kind::Forgejo } else { Kind::GitHub };
        let seconds = errand.walls.max_runtime_seconds.map_or(USUAL, u64::from).min(86_400);
        let end = Instant::now() + Duration::from_secs(seconds);
        Ok(Self { api: format!("{}{path}", address.origin()), kind, token, fetch, errand, repository, end })
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn repository(&self) -> &str {
        self.repository
    }

    /// An argument of the call that is a text.
    pub(super) fn text(&self, key: &str) -> Result<&'a str, Fault> {
        let value = self.argument(key).and_then(Value::as_str);
        value.ok_or_else(|| Fault::failed("bad_request", format!("`{key}` must be a text")))
    }

    pub(super) fn argument(&self, key: &str) -> Option<&'a Value> {
        self.errand.arguments.values().get(key)
    }

    /// The number of the pull request.
    pub(super) fn number(&self) -> Result<u64, Fault> {
        let value = self.argument("number").and_then(Value::as_u64).filter(|number| *number > 0);
        value.ok_or_else(|| Fault::failed("bad_request", "`number` must be a number from 1"))
    }

    /// Looks at something of the repository.
    pub(super) fn get(&self, rest: &str) -> Result<Value, Fault> {
        self.ask("GET", rest, None)
    }

    /// Looks at something of the repository that need not be there.
    pub(super) fn find(&self, rest: &str) -> Result<Option<Value>, Fault> {
        match self.get(rest) {
            Ok(found) => Ok(Some(found)),
            Err(Fault::Failed { class: "not_found", .. }) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Makes something in the repository.
    pub(super) fn post(&self, rest: &str, body: &Value) -> Result<Value, Fault> {
        self.ask("POST", rest, Some(body))
    }

    fn ask(&self, method: &'static str, rest: &str, body: Option<&Value>) -> Result<Value, Fault> {
        if self.errand.cancelled.load(Ordering::Relaxed) {
            return Err(Fault::Cancelled);
        }
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Fault::TimedOut { message: "the forge took too long".to_owned() });
        }
        self.send(method, rest, body, left)
    }

    /// Takes something away that this call made, also when time is up and when nobody wants the call any more.
    pub(super) fn undo(&self, rest: &str) -> Result<(), Fault> {
        self.send("DELETE", rest, None, Duration::from_secs(10)).map(drop)
    }

    /// Looks once more before something is undone.
    pub(super) fn look_again(&self, rest: &str) -> Result<Value, Fault> {
        self.send("GET", rest, None, Duration::from_secs(10))
    }

    fn send(
        &self,
        method: &'static str,
        rest: &str,
        body: Option<&Value>,
        timeout: Duration,
    ) -> Result<Value, Fault> {
        let authorization = (self.token)()?;
        let mut headers = vec![("user-agent", "toolgate".to_owned())];
        match self.kind {
            Kind::GitHub => {
                headers.push(("accept", "application/vnd.github+json".to_owned()));
                headers.push(("x-github-api-version", "2022-11-28".to_owned()));
            }
            Kind::Forgejo => headers.push(("accept", "application/json".to_owned())),
        }
        if body.is_some() {
            headers.push(("content-type", "application/json".to_owned()));
        }
        let request = ForgeRequest {
            method,
            url: format!("{}/repos/{}{rest}", self.api, self.repository),
            headers,
            authorization,
            body: body.map(|body| body.to_string().into_bytes()),
            max_bytes: MOST_BYTES,
            timeout,
        };
        let response = self.fetch.send(&request)?;
        understood(&response, request.authorization.as_ref())
    }
}

fn understood(response: &ForgeResponse, token: Option<&SecretString>) -> Result<Value, Fault> {
    let body: Option<Value> = serde_json::from_slice(&response.body).ok();
    if (200..300).contains(&response.status) {
        if response.body.is_empty() {
            return Ok(Value::Null);
        }
        return body
            .ok_or_else(|| Fault::failed("forge_error", "the forge answers with something that is no JSON"));
    }
    let said = said(body.as_ref(), token);
    let status = response.status;
    let limited = status == 429
        || status == 403
            && (response.header("retry-after").is_some()
                || response.header("x-ratelimit-remaining") == Some("0"));
    if limited {
        let wait = response.header("retry-after").and_then(|text| text.parse::<u32>().ok());
        let until = response.header("x-ratelimit-reset").and_then(|text| text.parse::<u64>().ok());
        let remedy = match (wait, until) {
            (Some(seconds), _) => format!("try again in {seconds} seconds"),
            (None, Some(moment)) => format!("try again after {moment} seconds of Unix time"),
            (None, None) => "try again later".to_owned(),
        };
        let message = format!("the forge takes no more requests for now{said}");
        return Err(Fault::Failed { class: "rate_limited", message, remedy: Some(remedy) });
    }
    let (class, what) = match status {
        300..=399 => ("moved", "the repository has moved, and nothing is sent after it"),
        401 => ("unauthorized", "the forge does not take the credential"),
        403 => ("forbidden", "the credential may not do this"),
        404 => ("not_found", "there is no such thing on the forge, or the credential may not see it"),
        409 => ("conflict", "the forge says that this conflicts with what is there"),
        422 => ("rejected", "the forge does not take this"),
        500..=599 => ("forge_error", "the forge has a failure of its own"),
        _ => ("forge_error", "the forge says no"),
    };
    Err(Fault::failed(class, format!("{what} (status {status}){said}")))
}

/// What the forge says, short, in one line, and without the credential should it have been sent back.
fn said(body: Option<&Value>, token: Option<&SecretString>) -> String {
    let text = |value: &Value| value.get("message").and_then(Value::as_str).map(str::to_owned);
    let mut parts: Vec<String> = body.and_then(text).into_iter().collect();
    if let Some(errors) = body.and_then(|body| body.get("errors")).and_then(Value::as_array) {
        parts.extend(
            errors.iter().filter_map(|error| text(error).or_else(|| error.as_str().map(str::to_owned))),
        );
    }
    if parts.is_empty() {
        return String::new();
    }
    let mut said = parts.join("; ");
    if let Some(token) = token {
        let value = token.expose_secret();
        let bare = value.split_once(' ').map_or(value, |(_, bare)| bare);
        for secret in [value, bare].into_iter().filter(|secret| !secret.is_empty()) {
            said = said.replace(secret, "<REDACTED:known_secret>");
        }
    }
    let clean: String = said.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // Whole words: half of one could be half a secret that nobody recognises any more.
    let end = clean.char_indices().nth(MOST_SAID).map_or(clean.len(), |(at, _)| {
        clean.get(at..).and_then(|rest| rest.find(' ')).map_or(clean.len(), |more| at + more)
    });
    format!(": {}", clean.get(..end).unwrap_or(&clean))
}

/// A text as one part of a URL.
pub(super) fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// A path or the name of a branch as parts of a URL.
pub(super) fn encoded_path(path: &str) -> String {
    path.split('/').map(encoded).collect::<Vec<_>>().join("/")
}
