//! All tools of the gate in one box: which of them a call means, and who runs it.

use std::sync::Arc;
use std::time::Duration;

use call::{Arguments, Content, Done, Effects, Errand, Expected, Fault, Lane, ToolName, Tools, WebAddress};
use secrecy::{ExposeSecret as _, SecretSlice};

use crate::db::Databases;
use crate::files::Files;
use crate::github::{Fetch, Forge, ForgeRequest, ForgeResponse};
use crate::memory::Memory;
use crate::network::{Egress, HeaderValue, Request};
use crate::place::Locator;
use crate::sandbox::Sandbox;
use crate::secrets::Vault;

/// What the gate says about itself.
pub type Status = dyn Fn() -> serde_json::Value + Send + Sync;

/// Everything that runs calls.
pub struct Toolbox {
    /// Where paths lead.
    pub locator: Arc<Locator>,
    /// Files below the roots.
    pub files: Files,
    /// The databases that policy names.
    pub databases: Databases,
    /// What agents keep.
    pub memory: Memory,
    /// The lanes.
    pub sandbox: Sandbox,
    /// The way out.
    pub egress: Arc<Egress>,
    /// Credentials.
    pub vault: Arc<Vault>,
    /// The forge that policy names.
    pub forge: Forge,
    /// What the gate says about itself.
    pub status: Box<Status>,
    /// Whoever runs other servers' tools, where there are any.
    pub foreign: Option<Arc<dyn Tools>>,
}

impl Tools for Toolbox {
    fn survey(&self, effects: &Effects) -> Result<Expected, Fault> {
        self.files.survey(effects)
    }

    fn preview(
        &self,
        tool: &ToolName,
        arguments: &Arguments,
        effects: &Effects,
    ) -> Result<Option<String>, Fault> {
        self.files.preview(tool, arguments, effects)
    }

    fn prospect(
        &self,
        tool: &ToolName,
        arguments: &Arguments,
        effects: &Effects,
        lane: Option<Lane>,
    ) -> Result<(), Fault> {
        self.sandbox.prospect(effects, lane)?;
        self.files.prospect(tool, arguments, effects)
    }

    fn run(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        self.by_name(errand).map_err(|fault| {
            // Where nobody looked at what was there before, nothing that was agreed to is at stake.
            if let Fault::Changed { path } = &fault
                && errand.expected.is_none()
            {
                changed_meanwhile(path)
            } else {
                fault
            }
        })
    }

    fn revealed(&self) -> Vec<(String, SecretSlice<u8>)> {
        self.vault.revealed()
    }
}

impl Toolbox {
    fn by_name(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        match errand.tool.as_str() {
            "list_files" => self.files.list_files(errand),
            "read_file" => self.files.read_file(errand),
            "search_files" => self.files.search_files(errand),
            "diff" => self.files.diff(errand),
            "write_file" => self.files.write_file(errand),
            "edit_file" => self.files.edit_file(errand),
            "delete_file" => self.files.delete_file(errand),
            "query_db" => self.databases.query(errand),
            "execute_db" => self.databases.execute(errand),
            "memory_recall" => self.memory.memory_recall(errand),
            "memory_store" => self.memory.memory_store(errand),
            "exec_sandbox" | "exec_shell" => self.sandbox.run(errand, &self.locator, &self.vault),
            "network_fetch" => self.egress.fetch(errand, &self.vault),
            "secrets_get" => self.vault.get(errand),
            "status" => Ok(Done {
                summary: "what the gate says about itself".to_owned(),
                content: Content::Data((self.status)()),
                ..Done::default()
            }),
            name if name.starts_with("github_") => self.forge.run(errand),
            name => match &self.foreign {
                Some(foreign) if name.contains('.') => foreign.run(errand),
                Some(_) | None => Err(Fault::Failed {
                    class: "unknown_tool",
                    message: format!("nobody here runs `{name}`"),
                    remedy: Some(
                        "start the gate in front of the server that has it: `toolgate proxy`".to_owned(),
                    ),
                }),
            },
        }
    }
}

/// Somebody else was quicker.
fn changed_meanwhile(path: &str) -> Fault {
    Fault::Failed {
        class: "target_changed",
        message: format!("somebody else changed `{path}` meanwhile; nothing was done"),
        remedy: Some("look at what is there now, and make the call again".to_owned()),
    }
}

/// Sends what a forge is asked through the gate's one way out. Redirects are not followed.
pub struct ForgeRoute(pub Arc<Egress>);

impl Fetch for ForgeRoute {
    fn send(&self, request: &ForgeRequest) -> Result<ForgeResponse, Fault> {
        let bad = |error: &dyn std::fmt::Display| Fault::failed("bad_address", format!("the forge: {error}"));
        let url = WebAddress::parse(&request.url).map_err(|error| bad(&error))?;
        let named = request.headers.iter().map(|(name, value)| (*name, HeaderValue::Text(value.clone())));
        let mut headers: Vec<(String, HeaderValue)> =
            named.map(|(name, value)| (name.to_owned(), value)).collect();
        if let Some(authorization) = &request.authorization {
            let value = SecretSlice::from(authorization.expose_secret().as_bytes().to_vec());
            headers.push(("authorization".to_owned(), HeaderValue::Secret { prefix: String::new(), value }));
        }
        let sent = Request { method: request.method, url: &url, headers, body: request.body.as_deref() };
        let time = request.timeout.max(Duration::from_secs(1));
        let answer = self.0.send_once(&sent, time)?;
        if answer.truncated || answer.body.len() > request.max_bytes {
            return Err(Fault::failed("too_large", "the answer of the forge is larger than is taken"));
        }
        Ok(ForgeResponse { status: answer.status, headers: answer.headers, body: answer.body })
    }
}
