//! What the commands around request documents take.

use std::path::PathBuf;

use clap::Args;

use super::HomeArguments;

/// What `toolgate run` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate run TR-20260209-160501Z-stats
  toolgate run stats/TR-20260209-160501Z-stats.md --inputs stats/data --results out

Exit codes: 0 it ran and ended well, 1 it ran and failed, 2 refused, 3 could not be run, 4 more people must agree")]
pub(crate) struct RunArguments {
    /// A request document: its path, or its id when it lies in the home
    #[arg(value_name = "REQUEST")]
    pub(crate) request: String,
    /// Where its input files lie [default: beside the document, or in the workspace]
    #[arg(long, value_name = "DIR")]
    pub(crate) inputs: Option<PathBuf>,
    /// Where the result goes [default: `results` in the home]
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) home: HomeArguments,
}
