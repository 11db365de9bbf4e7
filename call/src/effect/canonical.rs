//! The canonical form of effects: what an approval is bound to.
//!
//! RFC 8785 JSON of the load-bearing fields only. How a path was spelled or why a call is made is
//! not in it, so a reworded call needs no new approval; every path, byte of content, word, address
//! and limit is, so another call does.

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use super::{Effect, Effects, WebRequest};
use crate::{Located, PathPlace, Sha256};

impl Effects {
    /// The canonical bytes.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        // Only floats and maps with keys that are not text can fail, and effects hold neither.
        crate::canonical::of(&self.0.all).unwrap_or_default()
    }

    /// The digest of the canonical bytes.
    #[must_use]
    pub fn digest(&self) -> Sha256 {
        *self.0.digest.0.get_or_init(|| Sha256::of(&self.canonical()))
    }
}

/// Two members: which effect it is, and what it touches.
fn tagged<S: Serializer, T: Serialize>(serializer: S, effect: &str, on: &T) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_struct("Effect", 2)?;
    out.serialize_field("effect", effect)?;
    out.serialize_field("on", on)?;
    out.end()
}

impl Serialize for Effect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Read { path, reach } => tagged(serializer, "read", &(path, reach)),
            Self::Write { path, change } => tagged(serializer, "write", &(path, change)),
            Self::Delete { path } => tagged(serializer, "delete", path),
            Self::Run(run) => tagged(serializer, "run", run),
            Self::Network(request) => tagged(serializer, "network", request),
            Self::Secret { scope, name, reveal } => tagged(serializer, "secret", &(scope, name, reveal)),
            Self::Query(query) => tagged(serializer, "query", query),
            Self::Memory(memory) => tagged(serializer, "memory", memory),
            Self::Repository(repository) => tagged(serializer, "repository", repository),
            Self::Status => tagged(serializer, "status", &()),
            Self::Nothing => tagged(serializer, "nothing", &()),
            Self::Unknown { why } => tagged(serializer, "unknown", why),
        }
    }
}

impl Serialize for Located {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.place {
            PathPlace::Below { path, .. } => path.serialize(serializer),
            // What leads nowhere is refused; it has a form so that a refusal can be recorded.
            PathPlace::Outside => ("outside", &self.given).serialize(serializer),
            PathPlace::GateHome => ("gate home", &self.given).serialize(serializer),
            PathPlace::Unclear(_) => ("unclear", &self.given).serialize(serializer),
        }
    }
}

impl Serialize for WebRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("WebRequest", 4)?;
        out.serialize_field("body", &self.body)?;
        out.serialize_field("headers", &self.headers)?;
        out.serialize_field("method", &self.method)?;
        out.serialize_field("url", &self.url.to_string())?;
        out.end()
    }
}

#[cfg(test)]
mod tests {
    use crate::{AbsolutePath, Effect, Effects, FileKind, Located, PathPlace, Reach, Sha256};

    fn read(given: &str, path: &str) -> Effects {
        let path = AbsolutePath::parse(path).unwrap();
        let place = PathPlace::Below { path, kind: FileKind::File };
        Effects::new(vec![Effect::Read { path: Located::new(given, place), reach: Reach::Itself }])
    }

    #[test]
    fn spelling_does_not_count_and_the_place_does() {
        let plain = read("a", "/w/a");
        assert_eq!(
            String::from_utf8(plain.canonical()).unwrap(),
            r#"[{"effect":"read","on":["/w/a","itself"]}]"#
        );
        assert_eq!(plain.digest(), read("./a", "/w/a").digest());
        assert_ne!(plain.digest(), read("a", "/w/b").digest());
    }

    #[test]
    fn a_digest_that_was_taken_is_that_of_the_canonical_bytes_and_makes_no_difference() {
        let (taken, not) = (read("a", "/w/a"), read("a", "/w/a"));
        assert_eq!(taken.digest(), Sha256::of(&not.canonical()));
        assert_eq!((taken.clone().digest(), &taken), (not.digest(), &not));
        assert_eq!(taken, read("a", "/w/a"));
        // Other effects that come of these have a digest of their own.
        let other = AbsolutePath::parse("/w/b").unwrap();
        let moved = taken.clone().with_paths(|path| Located {
            place: PathPlace::Below { path: other.clone(), kind: FileKind::File },
            ..path
        });
        assert_eq!(moved.digest(), read("b", "/w/b").digest());
        assert_ne!(moved.digest(), taken.digest());
    }
}
