//! What the file system says about the files of a policy, without reading them.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::clock::SystemClock;

/// What changed so shortly before it was looked at may change once more without another time: clocks of
/// file systems tick slowly.
const TICK: Duration = Duration::from_millis(100);

/// Files and folders, as they were.
pub(super) struct Stamps {
    all: Vec<(PathBuf, Option<Stamp>)>,
    /// Whether none of them had just changed.
    settled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    place: (u64, u64),
    size: u64,
    mode: u32,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamps {
    /// Everything that the policy of a home is read from. A new file is a change of its folder.
    pub(super) fn of(home: &Path) -> Self {
        let mut paths = vec![home.to_path_buf()];
        let files = ["policy.toml", "approvers", "revoked", "state/applied.json"];
        paths.extend(files.iter().map(|name| home.join(name)));
        for name in ["policies", "tools", "skills"] {
            let folder = home.join(name);
            for entry in below(&folder) {
                if name == "skills" {
                    paths.push(entry.join("PERMISSIONS.json"));
                }
                paths.push(entry);
            }
            paths.push(folder);
        }
        let mut stamps = Self { all: Vec::with_capacity(paths.len()), settled: true };
        for path in paths {
            stamps.add(path);
        }
        stamps
    }

    /// One more file.
    pub(super) fn add(&mut self, path: PathBuf) {
        let stamp = stamp(&path);
        let old = |stamp: Stamp| {
            let (seconds, nanoseconds) = stamp.changed;
            let since = SystemClock.since(seconds, u64::try_from(nanoseconds).unwrap_or_default());
            since.is_some_and(|since| since > TICK)
        };
        self.settled &= stamp.is_none_or(old);
        self.all.push((path, stamp));
    }

    /// Whether all of them are surely as they were.
    pub(super) fn hold(&self) -> bool {
        self.settled && self.all.iter().all(|(path, was)| stamp(path) == *was)
    }
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect()
}

fn stamp(path: &Path) -> Option<Stamp> {
    let is = fs::metadata(path).ok()?;
    Some(Stamp {
        place: (is.dev(), is.ino()),
        size: is.len(),
        mode: is.mode(),
        modified: (is.mtime(), is.mtime_nsec()),
        changed: (is.ctime(), is.ctime_nsec()),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::Stamps;

    #[test]
    fn whatever_changes_in_a_policy_is_seen() {
        let folder = tempfile::TempDir::new().unwrap();
        let home = folder.path();
        fs::create_dir_all(home.join("skills/a")).unwrap();
        fs::create_dir_all(home.join("tools")).unwrap();
        fs::write(home.join("policy.toml"), "one").unwrap();
        fs::write(home.join("skills/a/PERMISSIONS.json"), "{}").unwrap();
        assert!(!Stamps::of(home).hold(), "what has just changed may change again unseen");
        let changes: [(&str, &dyn Fn()); 6] = [
            ("a file", &|| fs::write(home.join("policy.toml"), "two").unwrap()),
            ("a permission", &|| fs::write(home.join("skills/a/PERMISSIONS.json"), "[]").unwrap()),
            ("a new skill", &|| fs::create_dir(home.join("skills/b")).unwrap()),
            ("a new mapping", &|| fs::write(home.join("tools/x.toml"), "").unwrap()),
            ("a list of revoked keys", &|| fs::write(home.join("revoked"), "").unwrap()),
            ("a file that goes", &|| fs::remove_file(home.join("policy.toml")).unwrap()),
        ];
        for (what, change) in changes {
            std::thread::sleep(Duration::from_millis(150));
            let stamps = Stamps::of(home);
            assert!(stamps.hold(), "before {what}");
            change();
            assert!(!stamps.hold(), "{what}");
        }
    }
}
