//! What is done for each command.

use std::path::{Path, PathBuf};

use verify::audit::Standing;
use verify::checkpoint::{self, Checkpoint};
use verify::export::{self, BadLog};
use verify::key::VerifierKey;
use verify::note::SignedNote;
use verify::proof::EntryProof;

use crate::answer::{Answer, CouldNot, Verdict, with_causes};
use crate::arguments::{HELP, Request, Subject};
use crate::files::{self, Folder};

/// Does what is asked.
pub(crate) fn run(request: Request) -> Result<Answer, CouldNot> {
    let said = |text: String| Ok(Answer { text, verdict: Verdict::Holds });
    let (key, subject) = match request {
        Request::Help => return said(HELP.to_owned()),
        Request::Version => return said(format!("toolgate-verify {}\n", env!("CARGO_PKG_VERSION"))),
        Request::Check { key, subject } => (read_key(&key)?, subject),
    };
    match subject {
        Subject::Log { folder, against } => check_log(&key, folder, &against),
        Subject::Proof { file, entry } => check_proof(&key, &file, &entry),
        Subject::Checkpoint { file } => check_checkpoint(&key, &file),
    }
}

fn check_log(key: &VerifierKey, folder: PathBuf, against: &[PathBuf]) -> Result<Answer, CouldNot> {
    let mut answer = Answer::new();
    let (mut names, mut kept) = (Vec::new(), Vec::new());
    for path in against {
        match kept_in(&read(path)?, key) {
            Ok(checkpoints) => {
                let several = checkpoints.len() > 1;
                for (number, checkpoint) in (1..).zip(checkpoints) {
                    let which = if several { format!(" ({number})") } else { String::new() };
                    names.push(format!("`{}`{which}", path.display()));
                    kept.push(checkpoint);
                }
            }
            Err(why) => answer.does_not_hold(&format!("`{}`: {why}", path.display())),
        }
    }
    let folder = Folder(folder);
    match export::check(&folder, key, kept) {
        Ok(standings) => {
            let own = "`checkpoint`".to_owned();
            for (name, (checkpoint, standing)) in std::iter::once(own).chain(names).zip(standings) {
                report(&mut answer, &name, &checkpoint, standing);
            }
        }
        Err(BadLog::NoCheckpoint) => return Err(CouldNot::NoLog(folder.0)),
        Err(BadLog::Unreadable { path, source }) => {
            return Err(CouldNot::File { path: folder.0.join(path), source });
        }
        Err(why) => answer.does_not_hold(&with_causes(&why)),
    }
    Ok(answer)
}

/// The checkpoints in a file. One that is not of the log makes the whole file worth nothing.
fn kept_in(file: &[u8], key: &VerifierKey) -> Result<Vec<Checkpoint>, String> {
    let notes = checkpoint::cut(file).map_err(|why| with_causes(&why))?;
    let open = |note: &SignedNote| Checkpoint::of_note(note, key).map_err(|why| with_causes(&why));
    notes.iter().map(open).collect()
}

fn report(answer: &mut Answer, name: &str, checkpoint: &Checkpoint, standing: Standing) {
    let size = checkpoint.size();
    match standing {
        Standing::Holds => {
            let (origin, root) = (checkpoint.origin(), checkpoint.root().to_base64());
            answer.holds(&format!("{name}: {size} entries of `{origin}`, root {root}"));
        }
        Standing::Truncated { entries } => answer.does_not_hold(&format!(
            "{name} was signed for {size} entries, and the log has {entries}: it was cut, or put back"
        )),
        Standing::Changed { root } => answer.does_not_hold(&format!(
            "{name} was signed for other entries: the first {size} have the root {} and not {}, so the log \
             was changed or forked",
            root.to_base64(),
            checkpoint.root().to_base64()
        )),
    }
}

fn check_proof(key: &VerifierKey, file: &Path, entry: &Path) -> Result<Answer, CouldNot> {
    let mut answer = Answer::new();
    let (proof, entry) = (read(file)?, read(entry)?);
    match EntryProof::parse(&proof) {
        Err(why) => answer.does_not_hold(&with_causes(&why)),
        Ok(proof) => match proof.check(&entry, key) {
            Err(why) => answer.does_not_hold(&with_causes(&why)),
            Ok(checkpoint) => answer.holds(&format!(
                "it is entry {} of the {} entries of `{}`",
                proof.index(),
                checkpoint.size(),
                checkpoint.origin()
            )),
        },
    }
    Ok(answer)
}

fn check_checkpoint(key: &VerifierKey, file: &Path) -> Result<Answer, CouldNot> {
    let mut answer = Answer::new();
    match checkpoint::open(&read(file)?, key) {
        Err(why) => answer.does_not_hold(&with_causes(&why)),
        Ok(checkpoint) => answer.holds(&format!(
            "signed for {} entries of `{}`, root {}",
            checkpoint.size(),
            checkpoint.origin(),
            checkpoint.root().to_base64()
        )),
    }
    Ok(answer)
}

/// The key, or that in the file that is named behind `@`.
fn read_key(key: &str) -> Result<VerifierKey, CouldNot> {
    let text = match key.strip_prefix('@') {
        None => key.to_owned(),
        Some(path) => {
            let bytes = read(Path::new(path))?;
            String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned()
        }
    };
    text.parse().map_err(CouldNot::Key)
}

fn read(path: &Path) -> Result<Vec<u8>, CouldNot> {
    match files::read(path) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(CouldNot::NoFile(path.to_owned())),
        Err(source) => Err(CouldNot::File { path: path.to_owned(), source }),
    }
}
