//! Passages that are the words of one command.

use std::collections::BTreeMap;

use call::{Contraband, Family, Objection, Passage, Role, Weight};

use super::context::is_mention;
use super::{Begun, begun, objection};
use crate::act::{self, Taken};
use crate::known::KnownSecrets;
use crate::layer::{self, Screened};
use crate::reading::clean::clean;

/// Passages that are the words of one command, by the name in front of their number.
pub(super) fn vectors(passages: &[Passage]) -> BTreeMap<&str, Vec<usize>> {
    let mut vectors: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, passage) in passages.iter().enumerate().filter(|(_, passage)| passage.role == Role::Command) {
        if let Some((name, _)) = passage.argument.rsplit_once('[').filter(|(_, number)| number.ends_with(']'))
        {
            vectors.entry(name).or_default().push(place);
        }
    }
    vectors
}

/// What text is to the command whose words these are.
pub(super) fn taken(vectors: &BTreeMap<&str, Vec<usize>>, place: usize, passages: &[Passage]) -> Taken {
    let members = vectors.values().find(|members| members.contains(&place));
    let words = members.into_iter().flatten().filter_map(|&place| passages.get(place));
    act::taken_by(&words.map(|passage| &*passage.text).take(5).collect::<Vec<&str>>())
}

/// One word of an argument vector: what it would do is judged with the others.
pub(super) fn word_of_vector(
    passage: &Passage,
    known: &KnownSecrets,
    taken: Taken,
) -> (Vec<Objection>, Begun) {
    let text = &*passage.text;
    let page = clean(text);
    let Screened { carried, landmarks, disguised, ends } =
        layer::screen(text, &page, &[Family::Secret, Family::Override]);
    let weigh = |found: Contraband| {
        let spoken = found.family == Family::Override
            && match taken {
                Taken::Run => false,
                Taken::Shown => true,
                Taken::Kept => is_mention(text, found.kind, found.span),
            };
        objection(passage, found, if spoken { Weight::Flag } else { Weight::Refuse })
    };
    let judged = carried.into_iter().chain(known.find_in(text, &page, &disguised)).map(weigh).collect();
    (judged, begun(&page, &landmarks, ends))
}
