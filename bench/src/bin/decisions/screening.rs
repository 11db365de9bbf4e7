//! Screening by kind and size of a text.

use bench::{Clean, HOSTILE, repeated};
use call::{Family, Passage, Role};
use screen::KnownSecrets;

use crate::Plan;
use crate::samples::repeat;

/// A way to screen a text, and its name in a table.
pub(crate) const WAYS: [(&str, Way); 3] = [
    ("`screen`, secrets and overrides", Way::Families),
    ("`call`, as content", Way::Passage(Role::Content)),
    ("`call`, as a message sent out", Way::Passage(Role::Outbound)),
];

/// What is asked about the text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// Two families, as in a document.
    Families,
    /// All families, and what follows from them in this role, as in a call.
    Passage(Role),
}

/// A text, and the nanoseconds for each of its bytes in the order of [`WAYS`]: the median, and the least.
#[derive(Debug)]
pub(crate) struct Screened {
    pub(crate) name: String,
    pub(crate) kilobytes: usize,
    pub(crate) each_byte: [f64; 3],
    pub(crate) least: [f64; 3],
}

pub(crate) fn clean(plan: &Plan) -> Vec<Screened> {
    let kinds = Clean::ALL.into_iter();
    let texts = kinds.flat_map(|kind| plan.clean_kilobytes.iter().map(move |&size| (kind, size)));
    texts
        .map(|(kind, kilobytes)| {
            screened(kind.name().to_owned(), kilobytes, kind.text(kilobytes * 1024), plan)
        })
        .collect()
}

/// Each unit in both sizes.
pub(crate) fn hostile(plan: &Plan) -> Vec<[Screened; 2]> {
    let of = |unit: &str| {
        plan.hostile_kilobytes
            .map(|size| screened(unit.escape_debug().to_string(), size, repeated(unit, size * 1024), plan))
    };
    HOSTILE.into_iter().map(of).collect()
}

fn screened(name: String, kilobytes: usize, text: String, plan: &Plan) -> Screened {
    let length = text.len().max(1) as f64;
    let known = KnownSecrets::default();
    let mut passages = [Passage { argument: "content".to_owned(), role: Role::Content, text }];
    let samples = WAYS.map(|(_, way)| match way {
        Way::Families => repeat(plan.each_text, || {
            let [passage] = &passages;
            screen::screen(&passage.text, &[Family::Secret, Family::Override])
        }),
        Way::Passage(role) => {
            let [passage] = &mut passages;
            passage.role = role;
            repeat(plan.each_text, || screen::call(&passages, &known).len())
        }
    });
    let each_byte = samples.each_ref().map(|samples| samples.p50() * 1e3 / length);
    let least = samples.map(|samples| samples.least() * 1e3 / length);
    Screened { name, kilobytes, each_byte, least }
}
