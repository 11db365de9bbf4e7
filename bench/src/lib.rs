//! Inputs for the benchmarks: documents, calls and texts that look like work, the same on every
//! machine; and what the measuring programs share.
//!
//! Nothing here is measured. The tests say that inputs are what they claim: accepted where they
//! should be, of the size that was asked for, and alike from run to run.

mod calls;
mod gate;
mod honest;
pub mod machine;
mod odd;
pub mod page;
mod partner;
mod rulebook;
mod sized;
mod texts;

pub use calls::{Case, cases};
pub use gate::Gate;
pub use honest::{Request, requests};
pub use odd::{Odd, odd_requests};
pub use partner::Partner;
pub use rulebook::{Folders, Rulebook};
pub use sized::{prose, request_of, rows};
pub use texts::{Clean, HOSTILE, repeated};

use call::Moment;
use document::{Checked, NotText, Profile, Source, check};

/// The present, for checks in this process.
///
/// # Errors
///
/// Never: the text is a moment.
pub fn now() -> Result<Moment, call::BadMoment> {
    "2026-11-15T00:00:00Z".parse()
}

/// Checks a document that lies under this name.
///
/// # Errors
///
/// As [`check`].
pub fn check_named(stem: &str, bytes: &[u8], profile: Profile, now: Moment) -> Result<Checked, NotText> {
    check(&Source { stem: Some(stem), bytes }, profile, now)
}

#[cfg(test)]
mod tests {
    use document::{Profile, Verdict};

    use call::{Family, Passage, Role};
    use screen::KnownSecrets;

    use super::{Clean, Gate, Rulebook, cases, check_named, now, odd_requests, prose, request_of, requests};

    fn verdict(stem: &str, text: &str, profile: Profile) -> (Verdict, String) {
        let checked = check_named(stem, text.as_bytes(), profile, now().unwrap()).unwrap();
        let findings: Vec<String> = checked
            .findings
            .iter()
            .map(|finding| format!("{} {:?} {}", finding.rule.code, finding.place, finding.message))
            .collect();
        (checked.verdict(), findings.join("\n"))
    }

    #[test]
    fn honest_requests_are_accepted_without_a_warning_in_both_profiles() {
        for request in requests(500) {
            for profile in [Profile::Strict, Profile::ThreegateV1] {
                let (verdict, findings) = verdict(&request.stem, &request.text, profile);
                assert_eq!(
                    (verdict, findings.as_str()),
                    (Verdict::Accept, ""),
                    "{profile:?}\n{}",
                    request.text
                );
            }
        }
    }

    #[test]
    fn honest_requests_differ_and_are_about_a_kilobyte_and_a_half() {
        let requests = requests(2_000);
        let stems: std::collections::BTreeSet<&str> = requests.iter().map(|r| r.stem.as_str()).collect();
        assert_eq!(stems.len(), requests.len());
        let mean = requests.iter().map(|request| request.text.len()).sum::<usize>() / requests.len();
        assert!((1_200..1_800).contains(&mean), "{mean}");
        let plain = requests.iter().filter(|request| request.text.is_ascii()).count();
        assert!((1_400..1_900).contains(&plain), "mostly ASCII, some not: {plain}");
        for words in
            ["language: python", "language: node", "language: go", "language: ruby", "backend: monty"]
        {
            let with = requests.iter().filter(|request| request.text.contains(words)).count();
            assert!(with > 100, "{words}: {with}");
        }
    }

    #[test]
    fn sized_requests_have_their_size_to_the_byte_and_are_accepted() {
        for kilobytes in [1, 4, 16, 64, 256] {
            let text = request_of(kilobytes * 1024);
            assert_eq!(text.len(), kilobytes * 1024);
            let (verdict, findings) = verdict("standard input", &text, Profile::Strict);
            assert_eq!((verdict, findings.as_str()), (Verdict::Accept, ""), "{kilobytes} KB");
        }
    }

    #[test]
    fn prose_has_its_size_to_the_byte() {
        for size in [1, 100, 1_024, 65_536] {
            assert_eq!(prose(size).len(), size);
        }
    }

    #[test]
    fn odd_requests_get_the_verdict_of_the_original_validator() {
        for odd in odd_requests() {
            let (verdict, findings) = verdict("odd", &odd.text, Profile::ThreegateV1);
            assert_eq!(verdict, odd.threegate_v1, "{}\n{findings}", odd.name);
        }
    }

    #[test]
    fn calls_get_their_verdict_under_every_number_of_rules() {
        for others in [0, 10, 100] {
            let policy = Rulebook::with_others(others).policy_toml();
            let gate = Gate::load(&policy, now().unwrap()).unwrap();
            for case in cases().unwrap() {
                let ruled = gate.weigh(&case.call).unwrap();
                assert_eq!(ruled.ruling.verdict(), case.verdict, "{}: {ruled:#?}", case.name);
            }
        }
    }

    #[test]
    fn nothing_is_found_in_the_texts_of_calls_that_are_measured() {
        let policy = Rulebook::with_others(0).policy_toml();
        let gate = Gate::load(&policy, now().unwrap()).unwrap();
        for case in cases().unwrap().iter().filter(|case| case.measured) {
            let classified = gate.classify(&case.call).unwrap();
            assert_eq!(gate.screen(&classified), [], "{}", case.name);
            let bytes: usize = classified.passages.iter().map(|passage| passage.text.len()).sum();
            assert!((1_024..1_200).contains(&bytes), "{}: {bytes}", case.name);
        }
    }

    #[test]
    fn clean_texts_have_their_size_to_the_byte_and_carry_nothing() {
        for kind in Clean::ALL {
            for size in [1, 1_024, 16_384] {
                let text = kind.text(size);
                assert_eq!(text.len(), size);
                assert_eq!(screen::screen(&text, &[Family::Secret, Family::Override]), [], "{kind:?}");
                for role in [Role::Content, Role::Outbound] {
                    let passage = Passage { argument: "content".to_owned(), role, text: text.clone() };
                    let found = screen::call(&[passage], &KnownSecrets::default());
                    assert_eq!(found, [], "{kind:?} {role:?}");
                }
            }
        }
    }
}
