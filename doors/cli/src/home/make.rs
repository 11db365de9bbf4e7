//! A new home, with a safe policy that is in force from the start.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use call::{AbsolutePath, Moment};
use decide::{Ground as _, PathEntry};

use super::{Applied, Books, Disk, NAME, NoBooks, policy_files};

/// The policy that a new home begins with.
const POLICY: &str = include_str!("../../templates/policy.toml");

/// The skills that a new home begins with.
const SKILLS: [(&str, &str); 4] = [
    ("file_editor", include_str!("../../templates/skills/file_editor/PERMISSIONS.json")),
    ("github_pr", include_str!("../../templates/skills/github_pr/PERMISSIONS.json")),
    ("sandbox_exec", include_str!("../../templates/skills/sandbox_exec/PERMISSIONS.json")),
    ("web_research", include_str!("../../templates/skills/web_research/PERMISSIONS.json")),
];

const APPROVERS: &str = "# Who may approve: one line for each key, in the form of OpenSSH's allowed_signers.\n\
# ada@example.org namespaces=\"toolgate-approval@v1\" ssh-ed25519 AAAA...\n";

/// A home that was made.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) folder: PathBuf,
    /// Entries of `deny` that were left out, because they cover the workspace itself.
    pub(crate) left_out: Vec<String>,
}

/// Why no home was made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotMade {
    #[error("`{0}` is there already")]
    Exists(String),
    #[error("`{0}` is not a folder")]
    NotFolder(String),
    #[error("`{path}`: {}", crate::terminal::reason(source))]
    Unwritable { path: String, source: io::Error },
}

/// Makes `workspace/.toolgate`. Nothing is left behind when that fails half-way.
pub(crate) fn make(workspace: &Path, now: Moment) -> Result<Made, NotMade> {
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let unwritable = |path: &Path| {
        let path = shown(path);
        move |source| NotMade::Unwritable { path, source }
    };
    if !workspace.exists() {
        fs::create_dir_all(workspace).map_err(unwritable(workspace))?;
    }
    let real = fs::canonicalize(workspace).map_err(unwritable(workspace))?;
    let root = real.to_str().and_then(AbsolutePath::parse).filter(|_| real.is_dir());
    let Some(root) = root else { return Err(NotMade::NotFolder(shown(workspace))) };
    let folder = real.join(NAME);
    if fs::symlink_metadata(&folder).is_ok() {
        return Err(NotMade::Exists(shown(&folder)));
    }
    // Built beside its place and renamed, so that nobody ever meets half a home.
    let building = real.join(format!("{NAME}.new-{}", std::process::id()));
    let disk = Disk::new(&root);
    let mut left_out = Vec::new();
    let policy = fitting(POLICY, &disk, &mut left_out);
    let built = build(&building, &policy, &disk, now).and_then(|()| fs::rename(&building, &folder));
    if let Err(source) = built {
        let _ = fs::remove_dir_all(&building);
        return Err(NotMade::Unwritable { path: shown(&folder), source });
    }
    Ok(Made { folder, left_out })
}

fn build(folder: &Path, policy: &str, disk: &Disk, now: Moment) -> io::Result<()> {
    let private = |path: &Path| fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    private(folder)?;
    let folders = [
        "policies",
        "tools",
        "results",
        "ledger",
        "reviews",
        "state",
        "requests/drafts",
        "requests/approved",
        "requests/done",
        "requests/quarantine",
    ];
    for name in folders {
        private(&folder.join(name))?;
    }
    fs::write(folder.join("policy.toml"), policy)?;
    fs::write(folder.join("approvers"), APPROVERS)?;
    for (name, manifest) in SKILLS {
        private(&folder.join("skills").join(name))?;
        let manifest = fitting(manifest, disk, &mut Vec::new());
        fs::write(folder.join("skills").join(name).join("PERMISSIONS.json"), manifest)?;
    }
    let files = policy_files(folder).map_err(io::Error::other)?;
    let applied =
        record::Applied { policy: files.digest(), before: None, risk: None, review: None, by: None };
    begin_ledger(folder, applied, now).map_err(io::Error::other)?;
    Applied::store(folder, &files, now)
}

/// A ledger whose first entry says which policy is in force.
fn begin_ledger(folder: &Path, applied: record::Applied, now: Moment) -> Result<(), NoBooks> {
    let ledger = Books::create(folder, None)?.start(now)?;
    ledger.append(&record::Event::PolicyApplied(applied), now)?;
    ledger.checkpoint()?;
    Ok(())
}

/// A template without entries of its deny list that would close the workspace itself. Each entry of
/// such a list stands on a line of its own, and nothing else there looks like a path that covers it.
fn fitting(template: &str, disk: &Disk, left_out: &mut Vec<String>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in template.lines() {
        let entry = line.trim().trim_end_matches(',');
        let entry = entry.strip_prefix('"').and_then(|entry| entry.strip_suffix('"'));
        let entry = entry.filter(|entry| entry.starts_with(['/', '~', '*']));
        let covers = entry.and_then(|entry| PathEntry::parse_denying(entry, disk));
        if covers.is_some_and(|covers| covers.denies(disk.workspace())) {
            left_out.extend(entry.map(str::to_owned));
            continue;
        }
        // JSON has no comma in front of the end of a list.
        if line.trim_start().starts_with(']')
            && line.starts_with(' ')
            && let Some(last) = lines.last_mut()
        {
            last.truncate(last.trim_end_matches(',').len());
        }
        lines.push(line.to_owned());
    }
    lines.join("\n") + "\n"
}
