//! A ref of a repository that keeps checkpoints, one commit for each.
//!
//! Only the parts of git that handle objects and refs are used: no working tree is touched, no hook, filter
//! or helper is run, nothing is fetched. What the environment or the configuration of a user says does not
//! count, and the repository must be the one that was named, not one above it.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use call::Moment;
use verify::checkpoint::{BadNotes, Checkpoint, cut};
use verify::note::SignedNote;

use super::NotWitnessed;
use crate::home::Reference;

/// The file in each commit.
const FILE: &str = "checkpoint";

/// Settings that win over those of the repository.
const SETTINGS: [&str; 7] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.fsync=all",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "commit.gpgSign=false",
];

/// Is there a repository, in which the ref may be used?
pub(super) fn check(reference: &Reference) -> Result<(), NotWitnessed> {
    let git = Git::of(reference)?;
    let trees = git.text(&["worktree", "list", "--porcelain"], b"")?;
    let branch = format!("branch {}", reference.name);
    if trees.lines().any(|line| line == branch) {
        return Err(NotWitnessed::CheckedOut(reference.name.clone()));
    }
    if let Some(tip) = git.tip()?
        && git.text(&["ls-tree", "--name-only", &tip], b"")?.trim_end() != FILE
    {
        return Err(NotWitnessed::OtherFiles(reference.name.clone()));
    }
    Ok(())
}

/// Adds a commit with this note to the ref. It must not have moved meanwhile.
pub(super) fn commit(
    reference: &Reference,
    note: &str,
    checkpoint: &Checkpoint,
    now: Moment,
) -> Result<(), NotWitnessed> {
    check(reference)?;
    let mut git = Git::of(reference)?;
    git.seconds = now.milliseconds() / 1_000;
    let tip = git.tip()?;
    let blob = git.text(&["hash-object", "-w", "--no-filters", "--stdin"], note.as_bytes())?;
    let tree = git.text(&["mktree"], format!("100644 blob {}\t{FILE}\n", blob.trim_end()).as_bytes())?;
    let message = format!("{}: {} entries\n", checkpoint.origin(), checkpoint.size());
    let mut words = vec!["commit-tree", tree.trim_end()];
    words.extend(tip.iter().flat_map(|tip| ["-p", tip.as_str()]));
    let commit = git.text(&words, message.as_bytes())?;
    let commit = commit.trim_end();
    // Zeros stand for a ref that is not there.
    let before = tip.unwrap_or_else(|| "0".repeat(commit.len()));
    git.text(&["update-ref", "-m", "toolgate: checkpoint", &reference.name, commit, &before], b"")?;
    Ok(())
}

/// The notes of all commits of a ref, from the newest.
pub(super) fn notes(reference: &Reference) -> Result<Result<Vec<SignedNote>, BadNotes>, NotWitnessed> {
    let git = Git::of(reference)?;
    let Some(tip) = git.tip()? else { return Ok(Err(BadNotes::None)) };
    let commits = git.text(&["rev-list", "--first-parent", &tip], b"")?;
    let mut all = Vec::new();
    let wanted: String = commits.lines().map(|commit| format!("{commit}:{FILE}\n")).collect();
    let found = git.run(&["cat-file", "--batch"], wanted.as_bytes())?;
    let mut rest = found.as_slice();
    while !rest.is_empty() {
        let (note, behind) = blob(rest)
            .ok_or_else(|| NotWitnessed::Git(format!("a commit of `{}` has no `{FILE}`", reference.name)))?;
        match cut(note) {
            Ok(notes) => all.extend(notes),
            Err(error) => return Ok(Err(error)),
        }
        rest = behind;
    }
    Ok(Ok(all))
}

/// The first object in what `cat-file --batch` writes, and what is behind it: `ID blob SIZE`, a line feed,
/// so many bytes, and a line feed.
fn blob(batch: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = batch.iter().position(|&byte| byte == b'\n')?;
    let (header, rest) = batch.split_at_checked(end)?;
    let header = str::from_utf8(header).ok()?;
    let [_, "blob", size] = header.split(' ').collect::<Vec<_>>()[..] else { return None };
    let (content, rest) = rest.strip_prefix(b"\n")?.split_at_checked(size.parse().ok()?)?;
    Some((content, rest.strip_prefix(b"\n")?))
}

/// git in one repository.
struct Git<'r> {
    reference: &'r Reference,
    repository: std::path::PathBuf,
    /// The time of commits.
    seconds: u64,
}

impl<'r> Git<'r> {
    fn of(reference: &'r Reference) -> Result<Self, NotWitnessed> {
        let repository = std::fs::canonicalize(&reference.repository).map_err(|source| {
            NotWitnessed::File { path: reference.repository.display().to_string(), source }
        })?;
        Ok(Self { reference, repository, seconds: 0 })
    }

    /// The commit that the ref names. Nothing when there is no such ref.
    fn tip(&self) -> Result<Option<String>, NotWitnessed> {
        // Says nothing for a ref that is not there, and fails for a repository that is not.
        let refs = self.text(
            &["for-each-ref", "--format=%(objectname) %(objecttype) %(refname)", &self.reference.name],
            b"",
        )?;
        let line = refs.lines().find_map(|line| line.strip_suffix(&format!(" {}", self.reference.name)));
        match line.and_then(|line| line.split_once(' ')) {
            None => Ok(None),
            Some((commit, "commit")) => Ok(Some(commit.to_owned())),
            Some(_) => Err(NotWitnessed::Git(format!("`{}` is not a commit", self.reference.name))),
        }
    }

    fn text(&self, words: &[&str], input: &[u8]) -> Result<String, NotWitnessed> {
        String::from_utf8(self.run(words, input)?)
            .map_err(|_| NotWitnessed::Git("said something that is not text".to_owned()))
    }

    fn run(&self, words: &[&str], input: &[u8]) -> Result<Vec<u8>, NotWitnessed> {
        let failed = |error: std::io::Error| NotWitnessed::Git(crate::terminal::reason(&error));
        let mut child = self.command(words).spawn().map_err(failed)?;
        let stdin = child.stdin.take();
        let output = thread::scope(|scope| {
            // A program that stops reading says why by how it ends.
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
            child.wait_with_output()
        });
        let output = output.map_err(failed)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(NotWitnessed::Git(said.lines().next().unwrap_or("failed without a word").to_owned()))
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.envs([
            ("LC_ALL", "C"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_NO_REPLACE_OBJECTS", "1"),
            ("GIT_TERMINAL_PROMPT", "0"),
        ]);
        command.env("GIT_CEILING_DIRECTORIES", self.repository.parent().unwrap_or(Path::new("/")));
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "toolgate");
            command.env(format!("GIT_{role}_EMAIL"), "toolgate@localhost");
            command.env(format!("GIT_{role}_DATE"), format!("@{} +0000", self.seconds));
        }
        command.arg("-C").arg(&self.repository);
        command.args(SETTINGS.iter().flat_map(|setting| ["-c", setting])).args(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

#[cfg(test)]
mod tests {
    use super::blob;

    #[test]
    fn objects_are_read_by_their_length() {
        type Case<'a> = (&'a [u8], Option<(&'a [u8], &'a [u8])>);
        let cases: [Case<'_>; 6] = [
            (b"ab blob 3\na\nb\nmore", Some((b"a\nb", b"more"))),
            (b"ab blob 0\n\n", Some((b"", b""))),
            (b"ab:checkpoint missing\n", None),
            (b"ab tree 1\nx\n", None),
            (b"ab blob 9\nx\n", None),
            (b"ab blob 1\nxy", None),
        ];
        for (batch, want) in cases {
            assert_eq!(blob(batch), want, "{batch:?}");
        }
    }
}
