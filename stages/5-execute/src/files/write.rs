//! `write_file`, `edit_file` and `diff`: what a file is to become, and how that differs from what it is.

use std::fs::File;

use call::{Arguments, Change, Content, Done, Errand, Fault, Located, Sha256};

use super::difference::{COMPARED, Difference, Side, by_size, kept, unified};
use super::patience::Patience;
use super::replace::Replacement;
use super::seen::Seen;
use super::target::{self, undecided};
use super::{Files, arguments};
use crate::place::Opened;

/// Bytes of a file that can be edited, before and after.
const EDITED: u64 = 64 << 20;

impl Files {
    /// Creates a file, or replaces its content at once.
    ///
    /// # Errors
    /// When it was not done; nothing is changed then.
    pub fn write_file(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let (decided, change) = target::write_path(errand.effects)?;
        let write: arguments::Write = arguments::take(errand.arguments)?;
        let create_dirs = write.create_dirs;
        let content = write.content()?;
        let matches = matches!(change, Change::Content { sha256, create_dirs: decided, .. }
            if *sha256 == Sha256::of(&content) && *decided == create_dirs);
        if !matches {
            return Err(undecided());
        }
        let held = self.hold(decided, COMPARED, Patience::of(errand))?;
        self.put(errand, &held, &content, create_dirs)
    }

    /// Replaces an exact text in a file by another.
    ///
    /// # Errors
    /// When it was not done; nothing is changed then.
    pub fn edit_file(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let (decided, change) = target::write_path(errand.effects)?;
        let edit: arguments::Edit = arguments::take(errand.arguments)?;
        let matches = matches!(change, Change::Edit { old, new, all, .. }
            if *old == Sha256::of(edit.old.as_bytes())
                && *new == Sha256::of(edit.new.as_bytes())
                && *all == edit.all);
        if !matches {
            return Err(undecided());
        }
        let held = self.hold_to_edit(decided, Patience::of(errand))?;
        if errand.expected.is_none() && held.is_binary() {
            return Err(binary_file(held.given));
        }
        let content = held.edited(&edit)?;
        self.put(errand, &held, &content, false)
    }

    /// How a file differs from content that somebody proposes. A file that is not there is empty.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn diff(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let decided = target::read_path(errand.effects)?;
        let diff: arguments::Diff = arguments::take(errand.arguments)?;
        let given = decided.given.as_str();
        let (opened, file) = target::open_file(&self.locator, decided)?;
        let artifacts = vec![opened.path().to_string()];
        let new = Side::of(diff.content.as_bytes());
        let size = file.as_ref().map_or(Ok(0), |file| size_of(file, given))?;
        let difference = if size > COMPARED && size != diff.content.len() as u64 {
            // Nobody need wait for the digest of all of it.
            Some(by_size(given, size, new))
        } else {
            let seen =
                file.map(|file| Seen::read(file, COMPARED, given, Patience::of(errand))).transpose()?;
            unified(given, HeldFile { opened, seen, given }.side(), new)
        };
        let summary = match difference {
            Some(_) => format!("how `{}` would change", decided.given),
            None => format!("`{}` has exactly this content", decided.given),
        };
        let Difference { text, flags } = difference.unwrap_or_default();
        Ok(Done {
            summary,
            content: Content::Text(text),
            artifacts,
            untrusted: true,
            flags,
            ..Done::default()
        })
    }

    /// The difference that a call would make; nothing when it makes none to a file.
    ///
    /// # Errors
    /// When it cannot be told, or the call cannot be done as things are.
    pub fn preview(
        &self,
        tool: &call::ToolName,
        arguments: &Arguments,
        effects: &call::Effects,
    ) -> Result<Option<String>, Fault> {
        let patience = Patience::endless();
        let (decided, held, content) = match tool.as_str() {
            "write_file" => {
                let (decided, _) = target::write_path(effects)?;
                let content = arguments::take::<arguments::Write>(arguments)?.content()?;
                (decided, self.hold(decided, COMPARED, patience)?, Some(content))
            }
            "edit_file" => {
                let (decided, _) = target::write_path(effects)?;
                let edit: arguments::Edit = arguments::take(arguments)?;
                let held = self.hold_to_edit(decided, patience)?;
                let content = held.edited(&edit)?;
                (decided, held, Some(content))
            }
            "delete_file" => {
                let decided = target::delete_path(effects)?;
                (decided, self.hold(decided, COMPARED, patience)?, None)
            }
            _ => return Ok(None),
        };
        let new = content.as_deref().map_or(Side::ABSENT, Side::of);
        Ok(unified(&decided.given, held.side(), new).map(|difference| difference.text))
    }

    /// Opens a file and reads what is in it, if there is one.
    pub(super) fn hold<'d>(
        &self,
        decided: &'d Located,
        most: u64,
        patience: Patience<'_>,
    ) -> Result<HeldFile<'d>, Fault> {
        let (opened, file) = target::open_file(&self.locator, decided)?;
        let seen = file.map(|file| Seen::read(file, most, &decided.given, patience)).transpose()?;
        Ok(HeldFile { opened, seen, given: &decided.given })
    }

    /// The same for a file that is to be edited. One that is too large is not read at all.
    pub(super) fn hold_to_edit<'d>(
        &self,
        decided: &'d Located,
        patience: Patience<'_>,
    ) -> Result<HeldFile<'d>, Fault> {
        let (opened, file) = target::open_file(&self.locator, decided)?;
        let given = decided.given.as_str();
        let size = file.as_ref().map_or(Ok(0), |file| size_of(file, given))?;
        if size > EDITED {
            return Err(too_large(given, size));
        }
        let seen = file.map(|file| Seen::read(file, EDITED, given, patience)).transpose()?;
        Ok(HeldFile { opened, seen, given })
    }

    fn put(
        &self,
        errand: &Errand<'_>,
        held: &HeldFile<'_>,
        content: &[u8],
        create_dirs: bool,
    ) -> Result<Done, Fault> {
        let given = held.given;
        if held.seen.is_none() && names_folder(given) {
            return Err(target::is_folder(given));
        }
        target::check_expected(errand, &held.opened, held.seen.as_ref())?;
        let (diff, flags) = kept(unified(given, held.side(), Side::of(content)));
        let verified = Replacement {
            locator: &self.locator,
            opened: &held.opened,
            old: held.seen.as_ref(),
            content,
            create_dirs,
            given,
            patience: Patience::of(errand),
        }
        .run()?;
        let what = if held.seen.is_some() { "replaced" } else { "created" };
        Ok(Done {
            summary: format!("{what} `{given}`: {} bytes, sha256 {}", content.len(), Sha256::of(content)),
            artifacts: vec![held.opened.path().to_string()],
            diff,
            flags,
            verified: Some(verified),
            ..Done::default()
        })
    }
}

/// A file that is held, and what was read from it.
pub(super) struct HeldFile<'d> {
    pub(super) opened: Opened,
    pub(super) seen: Option<Seen>,
    pub(super) given: &'d str,
}

impl HeldFile<'_> {
    /// What it is, as one side of a difference.
    pub(super) fn side(&self) -> Side<'_> {
        self.seen.as_ref().map_or(Side::ABSENT, |seen| Side {
            file: Some((seen.sha256, seen.bytes)),
            content: seen.content.as_deref().filter(|content| content.len() as u64 <= COMPARED),
        })
    }

    /// Whether there is anything but text in it.
    fn is_binary(&self) -> bool {
        let content = self.seen.as_ref().and_then(|seen| seen.content.as_deref());
        content.is_some_and(|content| memchr::memchr(0, content).is_some())
    }

    /// What it is to become.
    pub(super) fn edited(&self, edit: &arguments::Edit) -> Result<Vec<u8>, Fault> {
        let given = self.given;
        let failed = |class, message: String, remedy: &str| Fault::Failed {
            class,
            message,
            remedy: Some(remedy.to_owned()),
        };
        let Some(seen) = self.seen.as_ref() else { return Err(target::not_found(given)) };
        let content = seen.content.as_deref().ok_or_else(|| too_large(given, seen.bytes))?;
        let (old, new) = (edit.old.as_bytes(), edit.new.as_bytes());
        if old.is_empty() {
            return Err(Fault::failed("bad_arguments", "`old` must not be empty"));
        }
        let finder = memchr::memmem::Finder::new(old);
        let matches = finder.find_iter(content).count();
        let first = finder.find(content);
        // Two that overlap are two as well: it cannot be said which one is meant.
        let again = first.and_then(|first| finder.find(content.get(first + 1..)?));
        if matches == 0 {
            let crlf = edit.old.replace("\r\n", "\n").replace('\n', "\r\n");
            let by_line_ends = crlf != edit.old && memchr::memmem::find(content, crlf.as_bytes()).is_some();
            let remedy = if by_line_ends {
                "the lines of this file end with CR LF: write `\\r\\n` in `old` and `new`"
            } else {
                "read the file and copy the text exactly, with its blanks and line ends"
            };
            return Err(failed("no_match", format!("`old` does not occur in `{given}`"), remedy));
        }
        if !edit.all && (matches > 1 || again.is_some()) {
            let count = matches.max(2);
            let message = format!("`old` occurs {count} times in `{given}`, and must occur once");
            return Err(failed(
                "many_matches",
                message,
                "take in more of the text around it, or set `all` to replace all of them",
            ));
        }
        let size = content.len() as u64 - (matches * old.len()) as u64;
        let size = size.saturating_add((matches as u64).saturating_mul(new.len() as u64));
        if size > EDITED {
            return Err(too_large(given, size));
        }
        let mut edited = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
        let mut behind = 0;
        for at in finder.find_iter(content) {
            edited.extend_from_slice(content.get(behind..at).unwrap_or_default());
            edited.extend_from_slice(new);
            behind = at + old.len();
        }
        edited.extend_from_slice(content.get(behind..).unwrap_or_default());
        Ok(edited)
    }
}

fn size_of(file: &File, given: &str) -> Result<u64, Fault> {
    file.metadata().map(|facts| facts.len()).map_err(|error| target::unreadable(given, &error))
}

/// Whether a path says by its end that a folder stands there.
pub(super) fn names_folder(given: &str) -> bool {
    given.ends_with('/') || given.ends_with("/.")
}

/// A file that nobody edits whom no person has let.
fn binary_file(given: &str) -> Fault {
    Fault::Failed {
        class: "binary_file",
        message: format!("`{given}` is binary, and `edit_file` changes text"),
        remedy: Some(
            "give the whole content to `write_file` as `content_base64`: a person must agree".to_owned(),
        ),
    }
}

/// A file that is not edited.
fn too_large(given: &str, bytes: u64) -> Fault {
    Fault::Failed {
        class: "too_large",
        message: format!("`{given}` has {bytes} bytes, more than the {EDITED} that can be edited"),
        remedy: Some("edit a smaller file".to_owned()),
    }
}
