//! What the commands take by which people agree and refuse.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::HomeArguments;
use crate::people::Stretch;

/// What `toolgate deny` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate deny 01kh1jcay80w3ge1r70w3ge1r7 --reason \"Not on a Friday\"
  toolgate deny 01kh1jcay80w3ge1r70w3ge1r7 --reason \"Never\" --remember 8h

Exit codes: 0 refused, 2 no such call waits, 3 could not be done")]
pub(crate) struct DenyArguments {
    /// The call, as `toolgate pending` names it
    #[arg(value_name = "CALL-ID")]
    pub(crate) call: String,
    /// Why, for whoever asked
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
    /// Refuse the same in the same session at once, for so long
    #[arg(long, value_name = "TIME")]
    pub(crate) remember: Option<Stretch>,
    /// Who refuses [default: the user of this machine]
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) by: Option<String>,
    #[command(flatten)]
    pub(crate) home: HomeArguments,
}

/// What `toolgate approve` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate approve 01kh1jcay80w3ge1r70w3ge1r7 --key ~/.ssh/id_ed25519
  toolgate approve TR-20260209-160501Z-stats --key ~/.ssh/id_ed25519.pub --expires 10m

A public key, or a private one with a passphrase, signs through ssh-agent.

Exit codes: 0 enough people have agreed, 2 refused, 3 could not be done, 4 more people must agree")]
pub(crate) struct ApproveArguments {
    /// A call, as `toolgate pending` names it, or a request document: its path or its id
    #[arg(value_name = "CALL-ID|REQUEST")]
    pub(crate) subject: String,
    /// The key to sign with
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// The name to sign by, as the file `approvers` has it [default: the one that it has for the key]
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// How long the yes holds [default: as long as policy lets it]
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<Stretch>,
    /// Why you agree, for the record
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) reason: String,
    /// Also agree to the same in the same session, for so long
    #[arg(long, value_name = "TIME")]
    pub(crate) grant: Option<Stretch>,
    /// With `--grant`: agree to the same kind of look or change everywhere below this folder
    #[arg(long, value_name = "FOLDER", requires = "grant")]
    pub(crate) below: Option<PathBuf>,
    /// Do not ask for the typed word; for scripts whose caller has looked at what is shown
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) home: HomeArguments,
}

/// What `toolgate grant` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum GrantCommand {
    /// List what people agreed to for a while, and still holds
    #[command(after_help = "Examples:
  toolgate grant list
  toolgate grant list --format json")]
    List {
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Take a grant back
    #[command(after_help = "Examples:
  toolgate grant revoke 3f9a --reason \"Done for today\"

Exit codes: 0 revoked, 2 no such grant holds, 3 could not be done")]
    Revoke {
        /// The grant, or as much of its name as tells it from others
        grant: String,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        /// Who revokes it [default: the user of this machine]
        #[arg(long = "as", value_name = "NAME")]
        by: Option<String>,
        #[command(flatten)]
        home: HomeArguments,
    },
}
