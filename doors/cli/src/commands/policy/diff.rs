//! `toolgate policy diff`

use std::path::Path;

use call::Clock as _;
use decide::{Policy, PolicyFiles};

use super::changes::Changes;
use super::check::say_findings;
use super::no_home;
use super::proving::compared;
use crate::arguments::{Format, HomeArguments};
use crate::clock::SystemClock;
use crate::commands::print;
use crate::exit::Exit;
use crate::home::{Applied, Disk, Home, policy_files};
use crate::terminal::{reason, say_error};

pub(super) fn run(old: &Path, new: &Path, arguments: &HomeArguments) -> Exit {
    let home = Home::find(arguments.home.as_deref()).ok();
    // Both policies speak of the same folders, or a moved workspace would be the only difference.
    let disk = home.as_ref().map_or_else(Disk::here, |home| Disk::new(home.workspace()));
    let sides = [old, new].map(|side| {
        let files = files_of(side, home.as_ref())?;
        let policy = load(&files, &disk)?;
        Ok::<_, Exit>((files, policy))
    });
    let [Ok((old_files, old)), Ok((new_files, new))] = sides else { return Exit::CouldNot };
    let (comparison, method) = compared(old, new, SystemClock.now());
    let comparison = comparison.with_files(Some(&old_files), &new_files);
    let changes = Changes::of(&comparison, &method);
    let exit = if changes.is_expansion() { Exit::Refused } else { Exit::Done };
    match arguments.format {
        Format::Json => print::json(&changes, exit),
        Format::Text => print::text(&changes.text(), exit),
    }
}

fn load(files: &PolicyFiles, disk: &Disk) -> Result<Policy, Exit> {
    let loaded = Policy::load(files, disk);
    loaded.policy.ok_or_else(|| {
        say_findings(&loaded.findings, files);
        say_error("a policy has errors and cannot be compared", None);
        Exit::CouldNot
    })
}

/// The policy in force, a folder laid out like a home, or a single `policy.toml`.
fn files_of(side: &Path, home: Option<&Home>) -> Result<PolicyFiles, Exit> {
    let shown = side.to_string_lossy();
    if side == Path::new("applied") {
        let Some(home) = home else {
            say_error("there is no home whose policy could be in force", Some("`--home DIR` names one"));
            return Err(Exit::CouldNot);
        };
        return Applied::load(home.folder()).map(|applied| applied.files).map_err(|error| {
            say_error(&error.to_string(), None);
            Exit::CouldNot
        });
    }
    if side.is_dir() {
        let below = side.join(crate::home::NAME);
        let folder = if side.join("policy.toml").exists() { side } else { below.as_path() };
        let files = policy_files(folder).map_err(|error| no_home(&error))?;
        return Ok(files);
    }
    match std::fs::read(side) {
        Ok(bytes) => Ok(PolicyFiles([("policy.toml".to_owned(), bytes)].into())),
        Err(error) => {
            say_error(
                &format!("`{shown}`: {}", reason(&error)),
                Some("name a home, a `policy.toml`, or `applied`"),
            );
            Err(Exit::CouldNot)
        }
    }
}
