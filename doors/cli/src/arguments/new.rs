//! What `toolgate new` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Format;

/// What `toolgate new` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate new --slug stats --purpose \"Summarise the survey\" --language python \\
      --command \"python /in/stats.py /in/survey.csv /out/summary.json\" \\
      --input stats.py --input survey.csv --output \"/out/summary.json=Mean and median\" \\
      --risk low --justification \"Reads one file, writes one\" --sensitivity internal
  toolgate new --backend monty --code add.py --inputs-json numbers.json --slug add ...
  toolgate new                         asks for everything, on a terminal")]
pub(crate) struct NewArguments {
    /// The last part of the id: lower-case letters, digits and hyphens
    #[arg(long)]
    pub(crate) slug: Option<String>,
    /// What it is for, in one sentence
    #[arg(long)]
    pub(crate) purpose: Option<String>,
    /// python, node, ts, go or ruby
    #[arg(long)]
    pub(crate) language: Option<String>,
    /// The command line to run, for the ERA backend
    #[arg(long, conflicts_with_all = ["code", "inputs_json", "result"])]
    pub(crate) command: Option<String>,
    /// Where it runs
    #[arg(long, value_enum, ignore_case = true)]
    pub(crate) backend: Option<Backend>,
    /// The file with the Python code to run, for the monty backend
    #[arg(long, value_name = "FILE")]
    pub(crate) code: Option<PathBuf>,
    /// A file with a JSON object: the inputs of the code
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs_json: Option<PathBuf>,
    /// What the value of the code means
    #[arg(long, value_name = "TEXT")]
    pub(crate) result: Option<String>,
    /// A file that the program reads, as `/in/<name>`; may be repeated
    #[arg(long = "input", value_name = "FILE")]
    pub(crate) inputs: Vec<PathBuf>,
    /// A file that the program writes, below `/out`; may be repeated
    #[arg(long = "output", value_name = "PATH[=DESCRIPTION]")]
    pub(crate) outputs: Vec<String>,
    /// A host that the program may reach; may be repeated
    #[arg(long = "allow", value_name = "HOST[:PORT]")]
    pub(crate) allowed: Vec<String>,
    /// Cores [default: 1]
    #[arg(long, value_name = "CORES")]
    pub(crate) cpu: Option<String>,
    /// Memory, in megabytes [default: 512]
    #[arg(long, value_name = "MB")]
    pub(crate) memory_mb: Option<String>,
    /// Time, in seconds [default: 60]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) time_sec: Option<String>,
    /// A further promise, in words; may be repeated
    #[arg(long = "constraint", value_name = "TEXT")]
    pub(crate) constraints: Vec<String>,
    /// low, medium or high
    #[arg(long)]
    pub(crate) risk: Option<String>,
    /// Why the risk is what it is
    #[arg(long)]
    pub(crate) justification: Option<String>,
    /// public, internal or confidential
    #[arg(long)]
    pub(crate) sensitivity: Option<String>,
    /// Why the network is needed
    #[arg(long)]
    pub(crate) network_rationale: Option<String>,
    /// Who asks: human or core_draft [default: human]
    #[arg(long)]
    pub(crate) requested_by: Option<String>,
    /// Start from this request: everything that no flag changes is taken over
    #[arg(long, value_name = "REQUEST")]
    pub(crate) from: Option<PathBuf>,
    /// Where to write it; the file is named after the id
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// Print the document instead of writing a file
    #[arg(long, conflicts_with = "format")]
    pub(crate) stdout: bool,
    /// How to answer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Where a request runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// A command in a jail or virtual machine
    Era,
    /// Python code in the Monty interpreter
    Monty,
}
