//! `toolgate policy diff`

use std::path::Path;

use call::Clock as _;
use decide::{Loaded, Policy, PolicyFiles};

use super::changes::Changes;
use super::check::say_findings;
use super::proving::{compared, loaded};
use super::{look, no_home};
use crate::arguments::{Format, HomeArguments};
use crate::clock::SystemClock;
use crate::commands::print;
use crate::exit::Exit;
use crate::home::{Applied, Disk, Home, policy_files};
use crate::terminal::{reason, say_error};

pub(super) fn run(old: &Path, new: &Path, arguments: &HomeArguments) -> Exit {
    let start = SystemClock.tick();
    let home = Home::find(arguments.home.as_deref()).ok();
    // Both policies speak of the same folders, or a moved workspace would be the only difference.
    let disk = home.as_ref().map_or_else(Disk::here, |home| Disk::new(home.workspace()));
    let [Ok(old_files), Ok(new_files)] = [old, new].map(|side| files_of(side, home.as_ref())) else {
        return Exit::CouldNot;
    };
    let [old, new] = loaded([&old_files, &new_files], &disk);
    let [Ok(old), Ok(new)] =
        [(old, &old_files), (new, &new_files)].map(|(loaded, files)| sound(loaded, files))
    else {
        return Exit::CouldNot;
    };
    let (comparison, method) = compared(old, new, SystemClock.now(), start);
    let comparison = comparison.with_files(Some(&old_files), &new_files);
    let changes = Changes::of(&comparison, &method);
    let exit = if changes.is_expansion() { Exit::Refused } else { Exit::Done };
    match arguments.format {
        Format::Json => print::json(&changes, exit),
        Format::Text => print::text(&changes.text(), exit),
    }
}

pub(super) fn sound(loaded: Loaded, files: &PolicyFiles) -> Result<Policy, Exit> {
    loaded.policy.ok_or_else(|| {
        say_findings(&loaded.findings, files);
        say_error("a policy has errors and cannot be compared", None);
        Exit::CouldNot
    })
}

/// The policy in force, a folder laid out like a home, or a single `policy.toml`.
pub(super) fn files_of(side: &Path, home: Option<&Home>) -> Result<PolicyFiles, Exit> {
    let shown = side.to_string_lossy();
    if side == Path::new("applied") {
        let Some(home) = home else {
            say_error("there is no home whose policy could be in force", Some("`--home DIR` names one"));
            return Err(Exit::CouldNot);
        };
        let mut ledger = look(home)?;
        return Applied::load(home.folder(), &mut *ledger).map(|applied| applied.files).map_err(|error| {
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
