//! Events of about 500 bytes.

use call::{CallId, Moment};
use record::store::{Draft, RunId};
use record::{Event, SigningKey};

/// The canonical bytes of every event here, give or take a few.
pub(crate) const BYTES: usize = 500;

/// An event that is about no call, so that nothing but the append is measured.
pub(crate) fn event(number: u64) -> Event {
    Event::CheckpointWitnessed {
        witness: format!("{number:0>width$}", width = BYTES - 130),
        size: number,
        root: String::new(),
    }
}

/// The same as the store gets it.
pub(crate) fn draft(number: u64, run: &RunId) -> Draft {
    event(number).draft(now(), run).0
}

pub(crate) fn now() -> Moment {
    Moment::from_civil((2026, 3, 1), (12, 0, 0)).unwrap_or_else(|| unreachable!("it is a date"))
}

pub(crate) fn run(number: u8) -> RunId {
    RunId(CallId::new(now(), [number; 10]))
}

pub(crate) fn key() -> Result<SigningKey, String> {
    SigningKey::new("example.org/bench", [7; 32]).map_err(|error| error.to_string())
}
