//! A text and what is hidden in it, layer by layer.
//!
//! Each layer is screened in all readings. What can be decoded makes the next layer, at most three
//! deep and not much larger than the text itself, so that nested encodings cost no more than long
//! ones. What is found in a decoded run is reported at the run.
//!
//! What was compressed is larger than its digits, so it is read last, and each of it with a budget of its
//! own: nothing that is packed keeps anything else from being read.

use call::{Contraband, Family, Span};

use crate::landmarks::Landmarks;
use crate::reading::alphabet::Alphabet;
use crate::reading::bare::bare;
use crate::reading::clean::clean;
use crate::reading::disguised::Disguised;
use crate::reading::joined::joined;
use crate::reading::leet::has_leet;
use crate::reading::packed::{self, Shares};
use crate::reading::parts;
use crate::reading::script::script;
use crate::reading::smuggled::smuggled;
use crate::reading::soft_break::unfolded;
use crate::reading::stutter::mended;
use crate::reading::{encoded, encoded::Run};
use crate::view::{Kept, View};
use crate::{act, context, markup, payload, phrase, secret, split};

/// How often what was decoded is decoded again.
const DEEPEST: usize = 3;

/// Decoded bytes for each byte of the text, over all layers.
const LARGEST: usize = 4;

/// What a text carries, and what was read on the way.
pub(crate) struct Screened<'p> {
    pub(crate) carried: Vec<Contraband>,
    pub(crate) landmarks: Landmarks,
    pub(crate) disguised: Disguised<'p>,
    /// Words of orders near its ends, if orders were asked for.
    pub(crate) ends: Option<phrase::Ends>,
}

/// See [`crate::screen`]. The page is the text as [`clean`] shows it.
pub(crate) fn screen<'p>(text: &str, page: &'p View<'_>, families: &[Family]) -> Screened<'p> {
    let landmarks = Landmarks::of(page.text());
    let mut screening = Screening {
        families,
        found: Vec::new(),
        budget: text.len().saturating_mul(LARGEST).saturating_add(1_024),
        packed: Vec::new(),
        ends: None,
    };
    let disguised = Disguised::of(page);
    screening.page(
        text,
        page,
        Read { landmarks: &landmarks, disguised: Some(&disguised) },
        0,
        None,
        &|span| span,
    );
    screening.unpack(None);
    let found =
        screening.found.into_iter().map(|found| Contraband { span: snapped(text, found.span), ..found });
    Screened { carried: settle(found.collect()), landmarks, disguised, ends: screening.ends }
}

/// The orders in a text that is put together from parts which were screened by themselves: as they are
/// written, without the disguises.
pub(crate) fn orders(text: &str) -> Vec<Contraband> {
    let families = &[Family::Override];
    let mut screening = Screening { families, found: Vec::new(), budget: 0, packed: Vec::new(), ends: None };
    let words = phrase::Words::of(text, Alphabet::Plain, families);
    screening.report_phrases(text, phrase::find(&View::unchanged(text), &words), &|span| span);
    if let Some(script) = script(text) {
        screening.report_phrases(text, phrase::find_in_script(&script, families), &|span| span);
    }
    screening.found.into_iter().map(|found| Contraband { span: snapped(text, found.span), ..found }).collect()
}

struct Screening<'f> {
    families: &'f [Family],
    found: Vec<Contraband>,
    budget: usize,
    // What was compressed, and is read when all else was.
    packed: Vec<Packed>,
    // Of the text as it arrived.
    ends: Option<phrase::Ends>,
}

/// Digits of something compressed, and where they stand in the text as it arrived.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Packed {
    span: Span,
    digits: String,
    depth: usize,
}

/// Where something found in a layer stands in the text as it arrived.
type Place<'p> = &'p dyn Fn(Span) -> Span;

/// What was searched for in a layer, and where it stands. The next layer has most of the text of this
/// one, and need not be searched from its start.
struct Searched<'t> {
    landmarks: &'t Landmarks,
    plain: Option<phrase::Words<'t>>,
    leet: Option<phrase::Words<'t>>,
}

/// What was read in a layer. What stands there in disguise is not read in the deepest.
#[derive(Clone, Copy)]
struct Read<'r> {
    landmarks: &'r Landmarks,
    disguised: Option<&'r Disguised<'r>>,
}

/// The layer before, and what was kept of it.
#[derive(Clone, Copy)]
struct Before<'b> {
    searched: &'b Searched<'b>,
    kept: &'b [Kept],
}

impl Screening<'_> {
    fn layer(&mut self, text: &str, depth: usize, before: Option<Before<'_>>, place: Place<'_>) {
        let page = clean(text);
        let before = before.filter(|_| page.text() == text);
        let landmarks = match before {
            Some(Before { searched, kept }) => searched.landmarks.again(page.text(), kept),
            None => Landmarks::of(page.text()),
        };
        let disguised = (depth < DEEPEST).then(|| Disguised::of(&page));
        let read = Read { landmarks: &landmarks, disguised: disguised.as_ref() };
        self.page(text, &page, read, depth, before, place);
    }

    /// The same for a layer of which it is known how a page shows it, and what was read there.
    fn page(
        &mut self,
        text: &str,
        page: &View<'_>,
        read: Read<'_>,
        depth: usize,
        before: Option<Before<'_>>,
        place: Place<'_>,
    ) {
        let Read { landmarks, disguised } = read;
        let on_page = |span| place(page.source(span));
        let shown = page.text();
        self.secrets(shown, landmarks, &on_page);
        self.payloads(shown, disguised, landmarks, &on_page);
        self.markup(shown, landmarks, &on_page);
        let (plain, leet) = self.phrases(page, before, &on_page);
        let overrides = self.wants(Family::Override);
        if depth == 0 && overrides {
            self.ends = plain.as_ref().map(|words| phrase::Ends::of(words, split::NEAR));
        }
        self.acts(shown, landmarks, &on_page);
        let Some(disguised) = disguised else { return };
        for (run, decoded) in disguised.decoded() {
            for decoded in decoded {
                self.next_layer(decoded, depth, None, &|_| on_page(run.span));
            }
            for turned in secret::turned(&run.digits) {
                self.next_layer(&turned, depth, None, &|_| on_page(run.span));
            }
            for (span, digits) in parts::packed(shown, run) {
                self.packed.push(Packed { span: on_page(span), digits: digits.to_owned(), depth });
            }
            if packed::is_packed(&run.digits) {
                for (span, line) in parts::lines_of(shown, run) {
                    for decoded in encoded::decode(line) {
                        self.next_layer(&decoded, depth, None, &|_| on_page(span));
                    }
                }
            }
        }
        for (span, spelled) in &disguised.spelled {
            self.next_layer(spelled, depth, None, &|_| on_page(*span));
            // A word in front of the row may have been taken for a part of it.
            if let Some(token) = secret::from_prefix(spelled) {
                self.next_layer(token, depth, None, &|_| on_page(*span));
            }
        }
        let searched = Searched { landmarks, plain, leet };
        let mut read_again = |view: Option<&View<'_>>| {
            let Some(view) = view else { return };
            let before = Before { searched: &searched, kept: &view.kept(shown) };
            self.next_layer(view.text(), depth, Some(before), &|span| on_page(view.source(span)));
        };
        if !page.is_ordinary() {
            read_again(disguised.unescaped.as_ref());
            read_again(joined(shown).as_ref());
            read_again(unfolded(shown).as_ref());
        }
        if overrides {
            read_again(mended(shown).as_ref());
        }
        if page.is_ordinary() {
            return;
        }
        for (span, spelled) in smuggled(text) {
            self.next_layer(&spelled, depth, None, &|_| place(span));
        }
    }

    fn next_layer(&mut self, text: &str, depth: usize, before: Option<Before<'_>>, place: Place<'_>) {
        if let Some(left) = self.budget.checked_sub(text.len()) {
            self.budget = left;
            self.layer(text, depth + 1, before, place);
        }
    }

    /// Reads what is packed in the layers read so far, within `most` bytes if that is given. Each run has its
    /// share, for what comes out of it and all that is read in that.
    fn unpack(&mut self, most: Option<usize>) {
        let mut runs = std::mem::take(&mut self.packed);
        if runs.is_empty() {
            return;
        }
        // Several readings of a text have the same runs; those of the outermost may go deepest.
        runs.sort();
        runs.dedup_by(|later, kept| later.span == kept.span && later.digits == kept.digits);
        let shares = Shares::of(runs.iter().map(|run| run.digits.len()));
        let shares = most.map_or(shares, |most| shares.within(most));
        let budget = self.budget;
        for Packed { span, digits, depth } in &runs {
            self.budget = shares.share(digits.len());
            let Some(unpacked) = packed::unpack(digits, self.budget) else { continue };
            self.next_layer(unpacked.behind, *depth, None, &|_| *span);
            let text = String::from_utf8_lossy(&unpacked.bytes);
            let beginning = text.get(..text.floor_char_boundary(self.budget)).unwrap_or_default();
            self.next_layer(beginning, *depth, None, &|_| *span);
            self.unpack(Some(self.budget));
        }
        self.budget = budget;
    }

    fn wants(&self, family: Family) -> bool {
        self.families.contains(&family)
    }

    fn report(&mut self, family: Family, kind: &'static str, span: Span) {
        self.found.push(Contraband { span, family, kind });
    }

    fn secrets(&mut self, shown: &str, landmarks: &Landmarks, place: Place<'_>) {
        if self.wants(Family::Secret) {
            for secret in secret::find(shown, &landmarks.secrets()) {
                self.report(Family::Secret, secret.kind, place(secret.span));
            }
        }
    }

    fn payloads(
        &mut self,
        shown: &str,
        disguised: Option<&Disguised<'_>>,
        landmarks: &Landmarks,
        place: Place<'_>,
    ) {
        if self.wants(Family::Payload) {
            let read;
            let runs: &[Run<'_>] = match disguised {
                Some(disguised) => &disguised.runs,
                None => {
                    read = encoded::runs(shown);
                    &read
                }
            };
            for (kind, span) in payload::find(shown, runs, &landmarks.commands()) {
                self.report(Family::Payload, kind, place(span));
            }
        }
    }

    fn acts(&mut self, shown: &str, landmarks: &Landmarks, place: Place<'_>) {
        let families = [Family::Injection, Family::Traversal, Family::Exfiltration];
        if families.into_iter().any(|family| self.wants(family)) {
            for act in act::find(shown, &landmarks.acts(), self.families) {
                self.report(act.family, act.kind, place(act.span));
            }
        }
    }

    fn markup(&mut self, shown: &str, landmarks: &Landmarks, place: Place<'_>) {
        if self.wants(Family::Override) {
            for span in markup::find(shown, &landmarks.marks()) {
                self.report(Family::Override, markup::KIND, place(span));
            }
        }
    }

    /// Reports phrases; gives back the words that were searched for, in plain letters and in leet.
    fn phrases<'t>(
        &mut self,
        page: &'t View<'_>,
        before: Option<Before<'_>>,
        place: Place<'_>,
    ) -> (Option<phrase::Words<'t>>, Option<phrase::Words<'t>>) {
        let families: &[Family] = match (self.wants(Family::Override), self.wants(Family::Payload)) {
            (true, true) => &[Family::Override, Family::Payload],
            (true, false) => &[Family::Override],
            (false, true) => &[Family::Payload],
            (false, false) => return (None, None),
        };
        let shown = page.text();
        let words = |alphabet, known: Option<&phrase::Words<'_>>| match (before, known) {
            (Some(Before { kept, .. }), Some(known)) => known.again(shown, kept),
            _ => phrase::Words::of(shown, alphabet, families),
        };
        let whole = View::unchanged(shown);
        let plain = words(Alphabet::Plain, before.and_then(|before| before.searched.plain.as_ref()));
        self.report_phrases(shown, phrase::find(&whole, &plain), place);
        if page.is_ordinary() {
            return (Some(plain), None);
        }
        let leet = has_leet(shown)
            .then(|| words(Alphabet::Leet, before.and_then(|before| before.searched.leet.as_ref())));
        if let Some(leet) = &leet {
            self.report_phrases(shown, phrase::find(&whole, leet), place);
        }
        if let Some(left) = bare(shown) {
            self.report_phrases(shown, phrase::find_in_rest(shown, &left, &plain), place);
        }
        if let Some(script) = script(shown) {
            self.report_phrases(shown, phrase::find_in_script(&script, families), place);
        }
        (Some(plain), leet)
    }

    fn report_phrases(&mut self, shown: &str, hits: Vec<phrase::Hit>, place: Place<'_>) {
        for phrase::Hit { family, phrase, span, denied, turned } in hits {
            let span = context::without_next_word(shown, span);
            let colon = !phrase.colon || context::colon_follows(shown, span);
            let opening = !phrase.opening || context::opens_sentence(shown, span);
            let harmless = (denied && context::is_denied_directly(shown, span))
                || (turned && context::goes_on_directly(shown, span))
                || context::is_about_things(phrase.unless_about, shown, span)
                || context::is_harmless(phrase.kind, shown, span);
            if colon && opening && !harmless {
                self.report(family, phrase.kind, place(span));
            }
        }
    }
}

/// `span`, widened to whole characters of `text`.
pub(crate) fn snapped(text: &str, span: Span) -> Span {
    let start = text.floor_char_boundary(span.start.min(text.len()));
    let end = text.ceil_char_boundary(span.end.min(text.len()));
    Span::new(start, end)
}

/// In order of the text; what several readings found at one place, once.
fn settle(mut found: Vec<Contraband>) -> Vec<Contraband> {
    found
        .sort_by_key(|found| (found.family, found.kind, found.span.start, std::cmp::Reverse(found.span.end)));
    found.dedup_by(|later, kept| {
        let same = later.family == kept.family && later.kind == kept.kind && later.span.start < kept.span.end;
        if same {
            kept.span.end = kept.span.end.max(later.span.end);
        }
        same
    });
    found.sort();
    found
}
