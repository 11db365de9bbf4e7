//! What `toolgate ledger` takes.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::gate::HomeArguments;

/// What `toolgate ledger` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum LedgerCommand {
    /// Show the last entries
    #[command(after_help = "Examples:
  toolgate ledger tail
  toolgate ledger tail -n 50 --follow")]
    Tail {
        /// How many
        #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
        lines: u64,
        /// Go on with what is written from now on, until interrupted
        #[arg(short, long)]
        follow: bool,
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Show an entry, or all entries about a call
    #[command(after_help = "Examples:
  toolgate ledger show 1042
  toolgate ledger show 01kh1jcay80w3ge1r70w3ge1r7")]
    Show {
        /// The number of an entry, or the name of a call
        #[arg(value_name = "ENTRY|CALL-ID")]
        what: String,
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Find entries
    Query(QueryArguments),
    /// Write a report: denied calls first, then failures, changes of policy, approvals and figures
    Report(ReportArguments),
    /// Check the whole record, or a proof about one entry
    Verify(VerifyArguments),
    /// Write a proof that an entry is on record, for somebody who does not trust this machine
    #[command(after_help = "Examples:
  toolgate ledger prove 1042 --out proof/
  toolgate-verify --key \"$(toolgate ledger key)\" proof proof/1042.tlog-proof --entry proof/1042.json")]
    Prove {
        /// The number of the entry
        #[arg(value_name = "ENTRY")]
        entry: u64,
        /// Write the proof and the entry into this folder [default: the proof on standard output]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Sign and print a checkpoint over everything on record
    #[command(after_help = "Examples:
  toolgate ledger checkpoint > somewhere-else/checkpoint")]
    Checkpoint {
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Print the key that checkpoints are checked by
    Key {
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Write the record to a folder, in a form that others read
    Export(ExportArguments),
    /// Give checkpoints to others who keep them, so that nobody can put the record back
    Witness {
        #[command(subcommand)]
        command: WitnessCommand,
    },
    /// Make a ledger for a home that has none
    #[command(after_help = "Examples:
  toolgate ledger create
  toolgate ledger create --url \"host=/run/postgresql dbname=ledger user=gate\"")]
    Create {
        /// A PostgreSQL database, for several gates that share one ledger
        #[arg(long, value_name = "URL")]
        url: Option<String>,
        #[command(flatten)]
        home: HomeArguments,
    },
}

/// What `toolgate ledger query` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate ledger query --status denied --since 2026-02-01T00:00:00Z
  toolgate ledger query --tool write_file --agent coder --format json
  toolgate ledger query --flag injection_attempt
  toolgate ledger query --text README.md --event ruled

Everything that is given must hold.")]
pub(crate) struct QueryArguments {
    /// Who asked
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The tool
    #[arg(long, value_name = "TOOL")]
    pub(crate) tool: Option<String>,
    /// How the call ended
    #[arg(long, value_enum)]
    pub(crate) status: Option<StatusName>,
    /// A risk flag
    #[arg(long, value_name = "FLAG")]
    pub(crate) flag: Option<String>,
    /// What happened: asked, ruled, approved, intent, refused, outcome, policy_applied, ...
    #[arg(long, value_name = "EVENT")]
    pub(crate) event: Option<String>,
    /// Not before this moment
    #[arg(long, value_name = "MOMENT")]
    pub(crate) since: Option<String>,
    /// Before this moment
    #[arg(long, value_name = "MOMENT")]
    pub(crate) until: Option<String>,
    /// A text that the entry holds
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// How many entries are shown at most
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) home: HomeArguments,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum StatusName {
    /// It did what it should
    Success,
    /// It did not
    Error,
    /// It was not run
    Denied,
    /// It took too long
    Timeout,
}

impl StatusName {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Denied => "denied",
            Self::Timeout => "timeout",
        }
    }
}

/// What `toolgate ledger verify` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate ledger verify
  toolgate ledger verify --against ~/kept/checkpoint
  toolgate ledger verify --against git:/srv/witness.git#main
  toolgate ledger verify --since ~/kept/checkpoint
  toolgate ledger verify --proof 1042.tlog-proof --entry 1042.json

Exit codes: 0 sound, 2 something is wrong, 3 could not be checked")]
pub(crate) struct VerifyArguments {
    /// Checkpoints that were kept elsewhere, one or several, and that the record must agree with
    #[arg(long, value_name = "FILE|git:REPOSITORY#REF")]
    pub(crate) against: Vec<PathBuf>,
    /// Check only what came behind this checkpoint, which is trusted
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    pub(crate) since: Option<PathBuf>,
    /// Check a proof about one entry, and nothing else
    #[arg(long, value_name = "FILE", requires = "entry")]
    pub(crate) proof: Option<PathBuf>,
    /// The entry that the proof is about
    #[arg(long, value_name = "FILE", requires = "proof")]
    pub(crate) entry: Option<PathBuf>,
    /// Check signatures by this key [default: the ledger's own]
    #[arg(long, value_name = "VKEY")]
    pub(crate) key: Option<String>,
    #[command(flatten)]
    pub(crate) home: HomeArguments,
}

/// What `toolgate ledger export` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate ledger export --format jsonl --out events/
  toolgate ledger export --format jsonl --out events/ --since 2026-02-09T00:00:00Z \\
      --until 2026-02-10T00:00:00Z
  toolgate ledger export --format tiles --out log/
  toolgate-verify --key \"$(toolgate ledger key)\" log log/
  toolgate ledger export --format otlp --out telemetry/

Exit codes: 0 done, 2 the folder or the ledger is not what it was, 3 could not be done")]
pub(crate) struct ExportArguments {
    /// The form
    #[arg(long, value_enum)]
    pub(crate) format: ExportFormat,
    /// A new folder, or one with an earlier export in the same form
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Not before this moment
    #[arg(long, value_name = "MOMENT")]
    pub(crate) since: Option<String>,
    /// Before this moment
    #[arg(long, value_name = "MOMENT")]
    pub(crate) until: Option<String>,
    /// The gate's home [default: the nearest `.toolgate` upward from here]
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
}

/// A form that others read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Event lines, one file a day: `events_2026-02-09.jsonl`
    Jsonl,
    /// The log itself with a signed checkpoint, as C2SP tlog-tiles: what `toolgate-verify log` checks
    Tiles,
    /// OpenTelemetry logs, as requests in JSON: `events.otlp.jsonl`
    Otlp,
}

/// What `toolgate ledger witness` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum WitnessCommand {
    /// Make a witness known
    Add(WitnessAddArguments),
    /// Show all witnesses, and what each of them has seen
    #[command(after_help = "Examples:
  toolgate ledger witness list --format json")]
    List {
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Forget a witness; what it keeps stays where it is
    #[command(after_help = "Examples:
  toolgate ledger witness remove backup")]
    Remove {
        /// The witness
        #[arg(value_name = "NAME")]
        name: String,
        #[command(flatten)]
        home: HomeArguments,
    },
    /// Sign a checkpoint and give it to a witness, or to all of them
    ///
    /// A ledger that does not follow from what a witness has seen is given to none.
    #[command(after_help = "Examples:
  toolgate ledger witness push
  toolgate ledger witness push backup

Exit codes: 0 all have it, 2 the record is not what a witness has seen, 3 a witness has not got it")]
    Push {
        /// The witness [default: all]
        #[arg(value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        home: HomeArguments,
    },
}

/// What `toolgate ledger witness add` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate ledger witness add backup file:/mnt/backup/checkpoints
  toolgate ledger witness add archive git:/srv/witness.git#refs/heads/gate
  toolgate ledger witness add public https://witness.example/api --key witness.example/w+bbabb70a+BNda...

A file gets each checkpoint behind the others; a ref gets a commit with the file `checkpoint`; a server is
asked for its cosignature, as C2SP tlog-witness has it.")]
pub(crate) struct WitnessAddArguments {
    /// What to call it: small letters, digits, `.`, `_` and `-`
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// `file:PATH`, `git:REPOSITORY#REF`, or an `http://` or `https://` address
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,
    /// The key that the cosignatures of a server are checked by
    #[arg(long, value_name = "VKEY")]
    pub(crate) key: Option<String>,
    /// The authorities that vouch for an `https://` server, as PEM [default: those of the web]
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) home: HomeArguments,
}

/// What `toolgate ledger report` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate ledger report --out report.html
  toolgate ledger report --since 2026-02-01T00:00:00Z --until 2026-03-01T00:00:00Z
  toolgate ledger report --format markdown | less

The page needs no network and runs no scripts. Writing it does not check the record:
`toolgate ledger verify` does.")]
pub(crate) struct ReportArguments {
    /// Write it to this file, in place of one that is there [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ReportFormat,
    /// Not before this moment
    #[arg(long, value_name = "MOMENT")]
    pub(crate) since: Option<String>,
    /// Before this moment
    #[arg(long, value_name = "MOMENT")]
    pub(crate) until: Option<String>,
    /// The gate's home [default: the nearest `.toolgate` upward from here]
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
}

/// What a report is written as.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum ReportFormat {
    /// One page for a browser
    #[default]
    Html,
    /// Text with tables
    Markdown,
}
