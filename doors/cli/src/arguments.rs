//! What can be typed, and what the help says about it.
//!
//! Usage that makes no sense ends with 3, "could not do it", because 2 means that a document was
//! refused, and a script must be able to tell a typing error from a refusal.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

mod approvals;
mod demo;
mod gate;
mod lanes;
mod ledger;
mod mcp;
mod new;
mod requests;

pub(crate) use approvals::{ApproveArguments, DenyArguments, GrantCommand};
pub(crate) use demo::DemoArguments;
pub(crate) use gate::{
    ApplyArguments, CallArguments, CallWords, ContextName, HomeArguments, InitArguments, PolicyCommand,
    ScreenArguments,
};
pub(crate) use lanes::{BuildArguments, CacheArguments, LanesCommand};
pub(crate) use ledger::{
    ExportArguments, ExportFormat, LedgerCommand, QueryArguments, ReportArguments, ReportFormat,
    VerifyArguments, WitnessAddArguments, WitnessCommand,
};
pub(crate) use mcp::{
    CallerArguments, LearnArguments, McpArguments, McpCommand, ProxyArguments, TokenAddArguments,
    TokenCommand,
};
pub(crate) use new::{Backend, NewArguments};
pub(crate) use requests::RunArguments;

use crate::exit::Exit;
use crate::terminal;
use crate::visible::visible_lines;

/// A gate in front of the tools of AI agents
#[derive(Debug, Parser)]
#[command(name = "toolgate", version, after_help = EXAMPLES, after_long_help = LONG_EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "Examples:
  toolgate demo                        see the gate at work
  toolgate check requests/             check every document in a folder
  toolgate new --slug stats --purpose \"Summarise the survey\" ...
  toolgate init                        make a home with a safe policy
  toolgate call read_file --purpose look --args '{\"path\": \"README.md\"}' --dry-run
  toolgate help check                  all that `check` can do";

const LONG_EXAMPLES: &str = "Examples:
  toolgate demo                        see the gate at work
  toolgate check requests/             check every document in a folder
  toolgate new --slug stats --purpose \"Summarise the survey\" ...
  toolgate init                        make a home with a safe policy
  toolgate call read_file --purpose look --args '{\"path\": \"README.md\"}' --dry-run
  toolgate help check                  all that `check` can do

Exit codes:
  0  done, and allowed
  1  it ran and failed
  2  refused: an invalid document, a denied call
  3  could not do it: bad usage, an unreadable file, a missing lane
  4  waits for approval";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play an agent's morning with the real gate, in a folder of its own
    ///
    /// Each step prints what was asked, what was ruled and why, and checks that it is as it must be. Needs no
    /// network and leaves nothing behind.
    Demo(DemoArguments),
    /// Check Tool Request and Tool Result documents
    ///
    /// Prints ACCEPT or REJECT on standard output and everything that is wrong on standard error.
    Check(CheckArguments),
    /// Write a new request document that passes all but the approval
    ///
    /// On a terminal, whatever is not given as a flag is asked for.
    #[command(alias = "draft")]
    New(Box<NewArguments>),
    /// Run an approved request document in its lane, and write the result document
    ///
    /// A request runs at most once. What was approved is what runs, and nothing else.
    Run(RunArguments),
    /// Make a home for the gate, with a safe policy
    ///
    /// Read-only, no shell, no network, no secrets, and in force from the start.
    Init(InitArguments),
    /// Put one tool call through the gate
    Call(Box<CallArguments>),
    /// List what waits for a person
    #[command(after_help = "Examples:
  toolgate pending
  toolgate pending --format json")]
    Pending(HomeArguments),
    /// Agree to what waits: look at exactly what will happen, and sign it
    Approve(Box<ApproveArguments>),
    /// Refuse what waits
    Deny(DenyArguments),
    /// Look at what people agreed to for a while, and take it back
    #[command(after_help = "Examples:
  toolgate grant list
  toolgate grant revoke 3f9a")]
    Grant {
        #[command(subcommand)]
        command: GrantCommand,
    },
    /// Look at the policy, test it, and put it in force
    #[command(after_help = "Examples:
  toolgate policy check                               is it sound
  toolgate policy explain read_file --purpose look --args '{\"path\": \".env\"}'
  toolgate policy diff applied .                      what authority a change adds
  toolgate policy apply                               put it in force")]
    Policy {
        #[command(subcommand)]
        command: PolicyCommand,
    },
    /// Look at the record, and prove things about it
    #[command(after_help = "Examples:
  toolgate ledger tail -f
  toolgate ledger query --status denied --since 2026-02-01
  toolgate ledger verify
  toolgate ledger report --out report.html")]
    Ledger {
        #[command(subcommand)]
        command: LedgerCommand,
    },
    /// Say what a text carries that it should not
    Screen(ScreenArguments),
    /// Try what this machine has to run code in, and say how to get the rest
    ///
    /// Nothing is guessed: each lane is tried with a program, and so is each language.
    Doctor(DoctorArguments),
    /// Build what programs run in
    #[command(after_help = "Examples:
  toolgate lanes build")]
    Lanes {
        #[command(subcommand)]
        command: LanesCommand,
    },
    /// The gate as an MCP server, for agents
    Mcp(Box<McpArguments>),
    /// The gate in front of other MCP servers
    Proxy(Box<ProxyArguments>),
    /// Print a completion script for a shell
    #[command(after_help = "Examples:
  toolgate completions bash > ~/.local/share/bash-completion/completions/toolgate
  toolgate completions fish > ~/.config/fish/completions/toolgate.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Examples:
  toolgate man | man -l -
  toolgate man --out ~/.local/share/man/man1")]
    Man {
        /// Write one page a command into this folder instead
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// What `toolgate check` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate check TR-20260209-160501Z-stats.md
  toolgate check --format json requests/ results/
  toolgate check --watch --quarantine quarantine/ drop/
  cat request.md | toolgate check -

Exit codes: 0 all accepted, 2 at least one rejected, 3 at least one could not be checked")]
pub(crate) struct CheckArguments {
    /// Files, folders (every `*.md` below, hidden ones left out), or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Which rules the documents are held to
    #[arg(long, value_enum, default_value_t)]
    pub(crate) profile: ProfileName,
    /// How to answer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Move rejected files to this folder, with the reasons beside them
    #[arg(long, value_name = "DIR")]
    pub(crate) quarantine: Option<PathBuf>,
    /// Go on checking what arrives in the folders, until interrupted
    #[arg(long)]
    pub(crate) watch: bool,
    /// Show where the profiles part for each document
    #[arg(long)]
    pub(crate) explain_profile: bool,
    /// How many documents are checked at once [default: one for each core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// What `toolgate doctor` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate doctor
  toolgate doctor --format json

Exit codes: 0 everything works, 1 something is missing")]
pub(crate) struct DoctorArguments {
    /// How to answer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) cache: CacheArguments,
}

/// The profiles, by the names that people type.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum ProfileName {
    /// Our own rules
    #[default]
    Strict,
    /// The verdict of the original validator, quirks included
    #[value(name = "threegate-v1")]
    ThreegateV1,
}

/// How to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// The whole command line, as clap sees it; for completions and manual pages.
pub(crate) fn command() -> clap::Command {
    Arguments::command()
}

/// Reads the command line. Help, version and usage errors are printed here.
pub(crate) fn parse() -> Result<Arguments, Exit> {
    Arguments::try_parse().map_err(|error| {
        let wanted = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
        if wanted {
            // Clap knows whether standard output shows colours. A reader who left is no matter.
            let _ = error.print();
            return Exit::Done;
        }
        let plain = error.render().to_string();
        let shown = visible_lines(&plain);
        if terminal::colour() && plain == shown {
            let _ = write!(std::io::stderr(), "{}", error.render().ansi());
        } else {
            terminal::say(shown.trim_end());
        }
        if lacks_path(&error) {
            terminal::say("\nhint: `toolgate check .` checks every document in and below this folder");
        }
        if has_bare_arguments(&error) {
            terminal::say(
                "\nhint: arguments of a call go behind `--args`, as in --args '{\"path\": \"notes.md\"}'",
            );
        }
        Exit::CouldNot
    })
}

/// Whether somebody typed `toolgate check` and nothing behind it.
fn lacks_path(error: &clap::Error) -> bool {
    let names = error.get(ContextKind::InvalidArg);
    matches!(names, Some(ContextValue::Strings(names)) if names.iter().any(|name| name == "<PATH>..."))
        && error.kind() == ErrorKind::MissingRequiredArgument
}

/// Whether somebody gave a call its arguments without saying that they are that.
fn has_bare_arguments(error: &clap::Error) -> bool {
    let is_call = matches!(error.get(ContextKind::Usage), Some(ContextValue::StyledStr(usage))
        if usage.to_string().contains("toolgate call "));
    let given = error.get(ContextKind::InvalidArg);
    error.kind() == ErrorKind::UnknownArgument
        && matches!(given, Some(ContextValue::String(given))
            if given.trim_start().starts_with('{') || is_call && !given.starts_with('-'))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_makes_sense_to_clap() {
        super::command().debug_assert();
    }
}
