//! What `toolgate demo` takes.

use std::path::PathBuf;

use clap::Args;

use super::Format;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate demo
  toolgate demo --keep
  toolgate demo --dir /tmp/morning --open

Exit codes: 0 every step went as it must, 1 one did not, 3 could not be played")]
pub(crate) struct DemoArguments {
    /// Keep the folder, with the home, the ledger and the report
    #[arg(long)]
    pub(crate) keep: bool,
    /// Play in this folder, which must be new or empty, and keep it [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Open the report in a browser, and keep the folder
    #[arg(long)]
    pub(crate) open: bool,
    /// How to answer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
