//! `toolgate lanes`: what lanes need before the first run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use call::Language;
use lanes::{LaneError, MicroVm, Probe};
use serde::Serialize;

use super::print;
use crate::arguments::{BuildArguments, CacheArguments, Format, LanesCommand};
use crate::exit::Exit;
use crate::terminal::{say, say_error};
use crate::visible::visible;

pub(crate) fn run(command: &LanesCommand) -> Exit {
    match command {
        LanesCommand::Build(arguments) => build(arguments),
    }
}

fn build(arguments: &BuildArguments) -> Exit {
    let machines = match machines(&arguments.cache) {
        Ok(machines) => machines,
        Err(error) => return could_not(&error),
    };
    let languages = if arguments.languages.is_empty() {
        Language::ALL.map(|(_, language)| language).to_vec()
    } else {
        arguments.languages.clone()
    };
    let built = machines
        .build(&languages, &mut |said| say(&visible(said)))
        .and_then(|probe| Ok((probe, machines.languages()?)));
    match built {
        Ok((probe, languages)) => {
            if matches!(arguments.format, Format::Json) {
                let languages = languages.into_iter().collect();
                let Probe { layers, weaker } = probe;
                return print::json(&Answer { languages, layers, weaker }, Exit::Done);
            }
            let mut text = String::new();
            for (name, version) in languages {
                text.push_str(&format!("{name:<8} {}\n", visible(&version)));
            }
            for weaker in probe.weaker {
                say(&visible(&weaker));
            }
            print::text(&text, Exit::Done)
        }
        Err(error) => could_not(&error),
    }
}

/// What was built, for programs.
#[derive(Serialize)]
struct Answer {
    /// The languages with the versions of their runtimes.
    languages: BTreeMap<String, String>,
    /// The walls that were there when a machine was tried.
    layers: Vec<String>,
    /// What could be better on this machine.
    weaker: Vec<String>,
}

fn could_not(error: &LaneError) -> Exit {
    let text = error.to_string();
    say_error(&text, mend(&text).as_deref().map(|mend| format!("run {mend}")).as_deref());
    Exit::CouldNot
}

/// The command that a refusal names, if it names one.
pub(crate) fn mend(text: &str) -> Option<String> {
    let commands = ["apt-get install", "toolgate lanes"];
    let parts = text.split('`');
    parts.into_iter().find(|part| commands.iter().any(|command| part.starts_with(command))).map(str::to_owned)
}

/// The machines whose parts lie there.
pub(crate) fn machines(CacheArguments { cache }: &CacheArguments) -> Result<MicroVm, LaneError> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || variable("XDG_CACHE_HOME").or_else(|| Some(std::env::home_dir()?.join(".cache")));
    let cache = cache.clone().or_else(|| Some(user()?.join("toolgate/microvm")));
    let cache = cache.and_then(|cache| std::path::absolute(cache).ok()).ok_or_else(|| {
        LaneError::BadJob(
            "neither XDG_CACHE_HOME nor HOME says where to keep machines; give --cache".to_owned(),
        )
    })?;
    let search = std::env::var_os("PATH").unwrap_or_default();
    Ok(MicroVm::new(cache, std::env::split_paths(&search).collect()))
}
