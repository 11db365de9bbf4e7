//! What the commands around a home take.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Format, LearnArguments};

/// Which home.
#[derive(Args, Debug)]
pub(crate) struct HomeArguments {
    /// The gate's home [default: the nearest `.toolgate` upward from here]
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// How to answer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// What `toolgate init` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate init
  toolgate init ~/projects/engine")]
pub(crate) struct InitArguments {
    /// The workspace; `DIR/.toolgate` is made
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
    /// How to answer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Where the wish for a call came from.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum ContextName {
    /// A person at the controls
    Operator,
    /// An agent on its own
    #[default]
    Agent,
    /// An event from another system
    Webhook,
    /// Anything else from outside
    External,
}

impl ContextName {
    pub(crate) const fn context(self) -> call::CallContext {
        match self {
            Self::Operator => call::CallContext::Operator,
            Self::Agent => call::CallContext::Agent,
            Self::Webhook => call::CallContext::Webhook,
            Self::External => call::CallContext::External,
        }
    }
}

/// A call, as it is typed.
#[derive(Args, Debug)]
pub(crate) struct CallWords {
    /// The tool
    #[arg(value_name = "TOOL")]
    pub(crate) tool: String,
    /// Why the call is made
    #[arg(long, value_name = "TEXT")]
    pub(crate) purpose: Option<String>,
    /// The arguments as a JSON object, or `@FILE`, or `@-` for standard input
    #[arg(long, value_name = "JSON|@FILE", default_value = "{}")]
    pub(crate) args: String,
    /// Who asks
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub(crate) agent: String,
    /// The session that asks
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub(crate) session: String,
    /// The skill to act with, or `outer/inner` for a skill that acts for another
    #[arg(long, value_name = "SKILL")]
    pub(crate) skill: Option<String>,
    /// Where the wish came from
    #[arg(long, value_enum, default_value_t)]
    pub(crate) context: ContextName,
}

/// What `toolgate call` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate call read_file --purpose \"See what this is\" --args '{\"path\": \"README.md\"}'
  toolgate call write_file --purpose \"Fix a typo\" --args @call.json --skill file_editor --dry-run

Exit codes: 0 done, 1 it ran and failed, 2 denied, 3 could not be done, 4 waits for approval")]
pub(crate) struct CallArguments {
    #[command(flatten)]
    pub(crate) words: CallWords,
    /// Stop after the ruling: nothing is run and nothing is recorded
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Run the call that waits by this name, now that a person has agreed; the words must be those of that call
    #[arg(long, value_name = "CALL-ID", conflicts_with = "dry_run")]
    pub(crate) approval: Option<String>,
    /// Seconds to wait for a person, where one is needed, before answering that the call waits
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub(crate) wait: u64,
    #[command(flatten)]
    pub(crate) home: HomeArguments,
}

/// What `toolgate screen` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate screen page.html
  git diff | toolgate screen -

Exit codes: 0 clean, 2 something was found, 3 could not be read")]
pub(crate) struct ScreenArguments {
    /// A file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How to answer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// What `toolgate policy` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Show the policy as data
    #[command(after_help = "Examples:
  toolgate policy show --format json
  toolgate policy show --cedar > policy.cedar")]
    Show {
        /// Show what the policy is compiled to
        #[arg(long)]
        cedar: bool,
        /// Show the schema that organisation policies are held to
        #[arg(long, conflicts_with = "cedar")]
        schema: bool,
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Say what is wrong with the files of the policy
    #[command(after_help = "Examples:
  toolgate policy check

Exit codes: 0 sound (warnings may remain), 2 an error, 3 could not be read")]
    Check {
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Put the files of the policy in force
    ///
    /// Shows what changes and its risk. Less authority is applied at once; more needs a review.
    #[command(after_help = "Examples:
  toolgate policy apply
  toolgate policy apply --reason \"Agents fix typos\" --abuse-case \"A page talks an agent into defacing docs\" \\
      --tests \"tests/docs.toml\" --rollback \"git revert\"")]
    Apply(Box<ApplyArguments>),
    /// Say why a call is decided as it is, and what would be allowed instead
    #[command(after_help = "Examples:
  toolgate policy explain read_file --purpose look --args '{\"path\": \".env\"}'")]
    Explain {
        #[command(flatten)]
        words: CallWords,
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Run the policy's own test cases
    #[command(after_help = "Examples:
  toolgate policy test .toolgate/tests
  toolgate policy test tests/calls.toml --format json

A case:
  [[case]]
  name = \"secrets stay closed\"
  tool = \"read_file\"
  arguments = { path = \".env\" }
  verdict = \"deny\"
  reasons = [\"path_denied\"]      # optional; also skill, context, agent, purpose

Exit codes: 0 all pass, 1 one fails, 3 could not be read")]
    Test {
        /// Files with cases, or folders of `*.toml` [default: `tests` in the home]
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Show which paths may be read, written and deleted, as a table
    #[command(after_help = "Examples:
  toolgate policy matrix
  toolgate policy matrix --skill file_editor src/main.rs .env docs")]
    Matrix {
        /// Paths to show [default: those that the policy names]
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
        /// The skill to act with
        #[arg(long, value_name = "SKILL")]
        skill: Option<String>,
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Say what authority one policy has that another has not
    #[command(after_help = "Examples:
  toolgate policy diff old/.toolgate new/.toolgate
  toolgate policy diff applied .

`applied` is the policy in force, `.` the files of this home; else a folder like a home or a policy.toml.
Exit codes: 0 no authority is added, 2 some is, 3 could not be read")]
    Diff {
        /// The old policy
        old: PathBuf,
        /// The new policy
        new: PathBuf,
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Draft the mapping of another MCP server's tools, for a person to review
    Learn(LearnArguments),
    /// Decide the calls on record again, by another policy, and list what would have changed
    #[command(after_help = "Examples:
  toolgate policy backtest .
  toolgate policy backtest stricter/policy.toml --format json

`.` are the files of this home; else a folder like a home or a policy.toml. What calls would have done is on
record; where a path outside of the roots of that time leads is looked up now.
Exit codes: 0 nothing would have been allowed that was not, 2 something would, 3 could not be read")]
    Backtest {
        /// The other policy
        new: PathBuf,
        #[command(flatten)]
        home: HomeArguments,
    },
}

/// What `toolgate policy apply` takes.
#[derive(Args, Debug)]
pub(crate) struct ApplyArguments {
    /// Why the policy needs more authority
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    /// How the new authority could be abused
    #[arg(long, value_name = "TEXT")]
    pub(crate) abuse_case: Option<String>,
    /// Tests that show the intended behaviour and the boundary
    #[arg(long, value_name = "TEXT")]
    pub(crate) tests: Option<String>,
    /// How the old authority is restored
    #[arg(long, value_name = "TEXT")]
    pub(crate) rollback: Option<String>,
    #[command(flatten)]
    pub(crate) home: HomeArguments,
}
