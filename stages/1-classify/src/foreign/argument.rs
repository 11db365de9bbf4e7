//! The place of an argument, as a mapping writes it: `path`, `options.path`, `files[]`,
//! `files[].path`.
//!
//! A place is steps and not letters: an argument whose name itself holds a dot is never taken for a
//! step into an object.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use crate::Fault;
use crate::passages::Step;

/// The place of an argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Argument(Vec<Segment>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Segment {
    Key(String),
    Items,
}

/// A text is not the place of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadArgumentPlace;

impl FromStr for Argument {
    type Err = BadArgumentPlace;

    fn from_str(text: &str) -> Result<Self, BadArgumentPlace> {
        let mut segments = Vec::new();
        for part in text.split('.') {
            let key = part.trim_end_matches("[]");
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-$".contains(&byte);
            if key.is_empty() || !key.bytes().all(plain) {
                return Err(BadArgumentPlace);
            }
            segments.push(Segment::Key(key.to_owned()));
            let lists = part.strip_prefix(key).unwrap_or_default().len() / 2;
            segments.extend(std::iter::repeat_n(Segment::Items, lists));
        }
        Ok(Self(segments))
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) if place == 0 => f.write_str(key)?,
                Segment::Key(key) => write!(f, ".{key}")?,
                Segment::Items => f.write_str("[]")?,
            }
        }
        Ok(())
    }
}

/// How far a walk into the arguments agrees with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// It has left the place.
    Apart,
    /// It is on the way there.
    OnTheWay,
    /// It is there, or below it.
    There,
}

/// A value and where it stands, as a JSON pointer.
pub(super) struct Found<'v> {
    pub(super) value: &'v Value,
    pub(super) pointer: String,
}

impl Argument {
    /// How many steps lead there.
    pub(super) const fn length(&self) -> usize {
        self.0.len()
    }

    pub(super) fn agreement(&self, steps: &[Step<'_>]) -> Agreement {
        let same = |(segment, step): (&Segment, &Step<'_>)| match (segment, step) {
            (Segment::Key(key), Step::Key(name)) => key == name,
            (Segment::Items, Step::Item) => true,
            (Segment::Key(_), Step::Item) | (Segment::Items, Step::Key(_)) => false,
        };
        if !self.0.iter().zip(steps).all(same) {
            Agreement::Apart
        } else if steps.len() < self.0.len() {
            Agreement::OnTheWay
        } else {
            Agreement::There
        }
    }

    /// Every value at this place. One that is missing or null counts as not given, and is in
    /// `missing`; one that stands in the way refuses the call.
    pub(super) fn find<'v>(
        &self,
        arguments: &'v serde_json::Map<String, Value>,
        missing: &mut bool,
    ) -> Result<Vec<Found<'v>>, Fault> {
        let Some((Segment::Key(first), rest)) = self.0.split_first() else { return Ok(Vec::new()) };
        let mut found = match arguments.get(first) {
            Some(value) => vec![Found { value, pointer: pointer("", first) }],
            None => {
                *missing = true;
                Vec::new()
            }
        };
        for segment in rest {
            let mut next = Vec::new();
            for Found { value, pointer: place } in found {
                match (segment, value) {
                    (_, Value::Null) => *missing = true,
                    (Segment::Key(key), Value::Object(entries)) => match entries.get(key) {
                        Some(value) => next.push(Found { value, pointer: pointer(&place, key) }),
                        None => *missing = true,
                    },
                    (Segment::Items, Value::Array(items)) => {
                        next.extend(
                            items
                                .iter()
                                .enumerate()
                                .map(|(number, value)| Found { value, pointer: format!("{place}/{number}") }),
                        );
                    }
                    (Segment::Key(_), _) => return Err(Fault::new(place, "must be an object")),
                    (Segment::Items, _) => return Err(Fault::new(place, "must be a list")),
                }
            }
            found = next;
        }
        let before = found.len();
        found.retain(|found| !found.value.is_null());
        *missing |= found.len() < before;
        Ok(found)
    }
}

/// One step further in a JSON pointer, as RFC 6901 writes it.
pub(super) fn pointer(place: &str, key: &str) -> String {
    let short: String = key.chars().take(64).collect();
    format!("{place}/{}", short.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::{Agreement, Argument};
    use crate::passages::Step;

    #[test]
    fn a_dot_in_a_name_is_not_a_step() {
        let place: Argument = "options.path".parse().unwrap();
        assert_eq!(place.agreement(&[Step::Key("options"), Step::Key("path")]), Agreement::There);
        assert_eq!(place.agreement(&[Step::Key("options")]), Agreement::OnTheWay);
        assert_eq!(place.agreement(&[Step::Key("options.path")]), Agreement::Apart);
        for bad in ["", ".", "a..b", "a.", "[]", "a[", "a b", "a[0]", "a[].[]"] {
            assert!(bad.parse::<Argument>().is_err(), "{bad}");
        }
        assert_eq!("a[].b[][]".parse::<Argument>().unwrap().to_string(), "a[].b[][]");
    }
}
