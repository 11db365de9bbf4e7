//! What stands at the targets of a call, before anybody is asked about it.

use call::{Effect, Effects, Expected, Fault, FileKind, Located, PathPlace, Target, TargetState};

use super::Files;
use super::patience::Patience;
use super::seen::Seen;
use super::target;

impl Files {
    /// What stands at every file that these effects write, delete or hand to a run. Nothing is changed.
    ///
    /// # Errors
    /// When it cannot be told, or is not what was located.
    pub fn survey(&self, effects: &Effects) -> Result<Expected, Fault> {
        let runs = effects.iter().any(|effect| matches!(effect, Effect::Run(_)));
        let mut targets = Vec::new();
        for effect in effects.iter() {
            match effect {
                Effect::Write { path, .. } | Effect::Delete { path } => targets.extend(self.target(path)?),
                Effect::Read { path, .. } if runs => targets.extend(self.target(path)?),
                Effect::Read { .. }
                | Effect::Run(_)
                | Effect::Network(_)
                | Effect::Secret { .. }
                | Effect::Query(_)
                | Effect::Memory(_)
                | Effect::Repository(_)
                | Effect::Status
                | Effect::Nothing
                | Effect::Unknown { .. } => {}
            }
        }
        Ok(Expected::new(targets))
    }

    /// Nothing for a path that leads nowhere: policy refuses it, whatever stands there.
    fn target(&self, decided: &Located) -> Result<Option<Target>, Fault> {
        let PathPlace::Below { kind, .. } = decided.place else { return Ok(None) };
        if kind == FileKind::Folder {
            let opened = target::open(&self.locator, decided)?;
            return Ok(Some(Target { path: opened.path().clone(), state: TargetState::Folder }));
        }
        let (path, file) = target::open_to_read(&self.locator, decided)?;
        let state = match file {
            None => TargetState::Absent,
            Some((file, _)) => {
                let seen = Seen::read(file, 0, &decided.given, Patience::endless())?;
                TargetState::File { sha256: seen.sha256, bytes: seen.bytes }
            }
        };
        Ok(Some(Target { path, state }))
    }
}
