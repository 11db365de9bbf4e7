//! What `toolgate lanes` takes.

use std::path::PathBuf;

use call::Language;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Args, Subcommand};

use super::Format;

/// What to do with lanes.
#[derive(Debug, Subcommand)]
pub(crate) enum LanesCommand {
    /// Build what machines of their own need: a kernel, and an image for each language
    ///
    /// From Debian's kernel for clouds and the runtimes of this machine. What is there already is not built
    /// again. A machine is started in the end, to see that it works.
    Build(BuildArguments),
}

/// What `toolgate lanes build` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate lanes build
  toolgate lanes build --language python --language node

Exit codes: 0 built and tried, 3 something is missing, which is said")]
pub(crate) struct BuildArguments {
    /// Only for this language; can be given several times [default: all that this machine has]
    #[arg(long = "language", value_name = "NAME", value_parser = language())]
    pub(crate) languages: Vec<Language>,
    #[command(flatten)]
    pub(crate) cache: CacheArguments,
    /// How to answer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Where the parts of machines are kept.
#[derive(Args, Debug)]
pub(crate) struct CacheArguments {
    /// Where the parts of machines are kept [default: toolgate/microvm in the user's cache]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
}

fn language() -> impl clap::builder::TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::ALL.map(|(name, _)| name)).try_map(|name| {
        let found = Language::ALL.into_iter().find(|(other, _)| *other == name);
        found.map(|(_, language)| language).ok_or_else(|| format!("`{name}` is no language"))
    })
}
