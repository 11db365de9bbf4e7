//! Paths that touch something on their way to a place: a link, a folder that they leave again, a file behind
//! which they come no further.
//!
//! A path that touches what may not be looked at is judged as if it led there. So it is answered alike whether
//! there is a file, a folder, a link or nothing, and nobody learns by its answer what there is.

use call::{Effect, FileKind, Located, Passing, PathPlace};

use crate::cedar::{Names, Question};

/// A place that a path touches, as the questions that are asked about it.
pub(crate) struct Pass {
    /// May it be looked at?
    pub(crate) look: Question,
    /// May the effect come about there?
    pub(crate) own: Vec<Question>,
    /// A link that leads on to a place. Rules speak of where it leads; only one that names the link itself
    /// stands against it.
    pub(crate) leads_on: bool,
}

/// The places that the path of an effect touches, in its order.
pub(crate) fn passes(effect: &Effect, names: &Names) -> Vec<Pass> {
    let Some(located) = path_of(effect) else { return Vec::new() };
    let leads = matches!(located.place, PathPlace::Below { .. });
    let pass = |passed: &call::Passed| Pass {
        look: Question::of_look(&passed.path, names),
        own: Question::of_effect(&there(effect, located, passed), None, names),
        leads_on: leads && passed.how == Passing::Link,
    };
    located.passed.iter().map(pass).collect()
}

/// Whether what is said about a path depends on what is on the disk: then it is not told to everybody.
pub(crate) fn is_found(path: &Located) -> bool {
    !path.passed.is_empty() || matches!(path.place, PathPlace::Below { kind: FileKind::Special, .. })
}

/// The same effect on a place that its path touches.
fn there(effect: &Effect, located: &Located, passed: &call::Passed) -> Effect {
    let place = PathPlace::Below { path: passed.path.clone(), kind: FileKind::File };
    let path = Located::new(located.given.clone(), place);
    match effect {
        Effect::Read { reach, .. } => Effect::Read { path, reach: *reach },
        Effect::Write { change, .. } => Effect::Write { path, change: change.clone() },
        Effect::Delete { .. } => Effect::Delete { path },
        Effect::Run(_)
        | Effect::Network(_)
        | Effect::Secret { .. }
        | Effect::Query(_)
        | Effect::Memory(_)
        | Effect::Repository(_)
        | Effect::Status
        | Effect::Nothing
        | Effect::Unknown { .. } => effect.clone(),
    }
}

const fn path_of(effect: &Effect) -> Option<&Located> {
    match effect {
        Effect::Read { path, .. } | Effect::Write { path, .. } | Effect::Delete { path } => Some(path),
        Effect::Run(_)
        | Effect::Network(_)
        | Effect::Secret { .. }
        | Effect::Query(_)
        | Effect::Memory(_)
        | Effect::Repository(_)
        | Effect::Status
        | Effect::Nothing
        | Effect::Unknown { .. } => None,
    }
}
