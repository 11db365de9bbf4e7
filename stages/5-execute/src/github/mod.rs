//! Pull requests on a forge: GitHub, GitHub Enterprise, Forgejo and Gitea, over their REST interfaces.
//!
//! Whatever changes a repository does so on a branch that did not exist before and that this call makes itself,
//! and asks for it to be merged. No branch that exists is ever moved, so there is nothing to force. What policy
//! protects is not written to even where it does not exist yet.
//!
//! Requests leave by whatever [`Fetch`] is given, which is the gate's own egress. The credential is asked for when
//! a request is sent, is in no URL, no body and no message, and goes to the API that policy names and nowhere
//! else: a redirect is an error here.
#![expect(clippy::disallowed_methods, reason = "a call has an end by the clock")]

mod branch;
mod change;
mod fetch;
mod look;
mod propose;
mod talk;
mod tree;

use std::collections::BTreeSet;

use call::{Access, Content, Done, Effect, Errand, Fault, Reason, ReasonCode};
use secrecy::SecretString;
use serde_json::{Value, json};

pub use fetch::{Fetch, ForgeRequest, ForgeResponse};
use talk::Talk;

/// The forge that policy names.
pub struct Forge {
    settings: ForgeSettings,
    token: Box<Token>,
    fetch: Box<dyn Fetch>,
}

/// What policy says about the forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeSettings {
    /// The address of its API: `https://api.github.com`, `https://host/api/v3` or `https://host/api/v1`.
    pub api: String,
    /// Repositories that may be touched, `owner/name`.
    pub repositories: BTreeSet<String>,
    /// Patterns of branches that are not written to.
    pub protected: Vec<String>,
}

/// Gives the value of the `Authorization` header, such as `Bearer …`, when a request is about to leave.
pub type Token = dyn Fn() -> Result<Option<SecretString>, Fault> + Send + Sync;

/// Whose interface it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// GitHub and GitHub Enterprise: objects of git are made one by one.
    GitHub,
    /// Forgejo and Gitea: a commit is made of files, with its branch.
    Forgejo,
}

impl Forge {
    /// This forge.
    #[must_use]
    pub fn new(settings: ForgeSettings, token: Box<Token>, fetch: Box<dyn Fetch>) -> Self {
        Self { settings, token, fetch }
    }

    /// Runs one of the tools for forges.
    ///
    /// # Errors
    /// When it was not done, with what stands where something does.
    pub fn run(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        match errand.tool.as_str() {
            "github_list_prs" => self.list_prs(errand),
            "github_get_pr" => self.get_pr(errand),
            "github_list_files" => self.list_files(errand),
            "github_create_pr" => self.create_pr(errand),
            "github_add_comment" => self.add_comment(errand),
            other => Err(Fault::failed("unknown_tool", format!("`{other}` is no tool for forges"))),
        }
    }

    /// `github_list_prs`
    ///
    /// # Errors
    /// When the forge does not answer, or says no.
    pub fn list_prs(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        look::list_prs(&self.begin(errand, Access::Read)?)
    }

    /// `github_get_pr`
    ///
    /// # Errors
    /// When the forge does not answer, or says no.
    pub fn get_pr(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        look::get_pr(&self.begin(errand, Access::Read)?)
    }

    /// `github_list_files`
    ///
    /// # Errors
    /// When the forge does not answer, or says no.
    pub fn list_files(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        look::list_files(&self.begin(errand, Access::Read)?)
    }

    /// `github_create_pr`: a new branch with one commit, and the pull request for it.
    ///
    /// # Errors
    /// When it was not made. A branch that was made before that is deleted again; where it cannot be, the message
    /// names it.
    pub fn create_pr(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        propose::create_pr(&self.begin(errand, Access::Write)?, &self.settings)
    }

    /// `github_add_comment`
    ///
    /// # Errors
    /// When there is no such pull request, or the forge says no.
    pub fn add_comment(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let talk = self.begin(errand, Access::Write)?;
        let number = talk.number()?;
        // An issue that is no pull request has a number of the same kind.
        talk.get(&format!("/pulls/{number}"))?;
        let said =
            talk.post(&format!("/issues/{number}/comments"), &json!({ "body": talk.text("body")? }))?;
        let url = said.get("html_url").and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(Done {
            summary: format!("commented on pull request {number} of {}", talk.repository()),
            content: Content::Data(json!({ "id": said.get("id"), "url": url })),
            artifacts: vec![url],
            untrusted: true,
            ..Done::default()
        })
    }

    /// The repository of a call, which must be authorised and the one that was decided about.
    fn begin<'a>(&'a self, errand: &'a Errand<'a>, access: Access) -> Result<Talk<'a>, Fault> {
        let given = errand.arguments.values();
        let Some(repository) = given.get("repo").and_then(Value::as_str) else {
            return Err(Fault::failed("bad_request", "`repo` must be a text"));
        };
        let decided = errand.effects.iter().any(|effect| {
            matches!(effect, Effect::Repository(used) if used.repository == repository && used.access == access
                && used.branch.as_deref() == given.get("branch").and_then(Value::as_str)
                && (access == Access::Read || used.base.as_deref() == given.get("base").and_then(Value::as_str)))
        });
        if !decided {
            return Err(Fault::Denied(Reason {
                code: ReasonCode::UNKNOWN_EFFECT,
                message: "something else was decided about".to_owned(),
                rule: None,
                remedy: None,
            }));
        }
        if !self.settings.repositories.iter().any(|known| known.eq_ignore_ascii_case(repository)) {
            return Err(Fault::Denied(Reason {
                code: ReasonCode::REPOSITORY_NOT_ALLOWED,
                message: format!("the repository `{repository}` is not authorised"),
                rule: None,
                remedy: Some("whoever owns the policy can add it to `github.repositories`".to_owned()),
            }));
        }
        Talk::new(&self.settings.api, &self.token, self.fetch.as_ref(), errand, repository)
    }
}

impl std::fmt::Debug for Forge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Forge").field("settings", &self.settings).finish_non_exhaustive()
    }
}
