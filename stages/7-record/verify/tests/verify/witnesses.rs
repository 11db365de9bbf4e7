//! What witnesses keep: several checkpoints in one file, and their own signatures.

use ed25519_dalek::{Signer as _, SigningKey};
use verify::checkpoint::{BETWEEN, BadNotes, cut};
use verify::cosignature::{WitnessKey, message};
use verify::key::{BadKey, KeyHash};
use verify::note::{BadNote, NotSigned, Signature, SignedNote};

use crate::made::{Keeper, entries};

/// The example of the specification of cosignatures has no key, so this one has ours.
fn witness() -> (SigningKey, WitnessKey) {
    let key = SigningKey::from_bytes(&[7; 32]);
    let name = "witness.example/w";
    let public = signed_note::new_ed25519_verifier_key(name, &key.verifying_key());
    // Theirs are for logs. With another type the same key has another hash.
    let bytes = data_encoding::BASE64.decode(public.split('+').nth(2).unwrap().as_bytes()).unwrap();
    let typed = [&[4], &bytes[1..]].concat();
    let mut hashed = format!("{name}\n").into_bytes();
    hashed.extend(&typed);
    let hash = <sha2::Sha256 as sha2::Digest>::digest(&hashed);
    let hash = data_encoding::HEXLOWER.encode(&hash[..4]);
    let text = format!("{name}+{hash}+{}", data_encoding::BASE64.encode(&typed));
    (key, text.parse().unwrap())
}

fn cosignature(key: &SigningKey, public: &WitnessKey, time: u64, text: &str) -> Signature {
    let signature = key.sign(message(time, text).as_bytes()).to_bytes();
    let bytes = [time.to_be_bytes().as_slice(), &signature].concat();
    Signature { name: public.name().clone(), key_hash: public.hash(), bytes }
}

#[test]
fn notes_that_are_written_behind_each_other_are_cut_out_again() {
    let keeper = Keeper::new("example.com/ledger", 1);
    let notes: Vec<SignedNote> = [0, 1, 5].map(|count| keeper.checkpoint(&entries(count))).into();
    for count in 1..=notes.len() {
        let texts: Vec<String> = notes[..count].iter().map(SignedNote::to_string).collect();
        let file = texts.join(BETWEEN);
        assert_eq!(cut(file.as_bytes()).as_deref(), Ok(&notes[..count]));
        assert_eq!(
            cut(format!("{file}{BETWEEN}").as_bytes()).as_deref(),
            Ok(&notes[..count]),
            "a torn write"
        );
    }
}

#[test]
fn a_file_that_is_cut_or_changed_is_not_several_notes() {
    let note = Keeper::new("example.com/ledger", 1).checkpoint(&entries(3)).to_string();
    let two = format!("{note}{BETWEEN}{note}");
    let bad = |number, source| Err(BadNotes::Note { number, source });
    let cases = [
        (String::new(), Err(BadNotes::None)),
        ("no checkpoint".to_owned(), bad(1, BadNote::Unsigned)),
        (format!("{two}{BETWEEN}half"), bad(3, BadNote::Unsigned)),
        (two.trim_end().to_owned(), bad(2, BadNote::OpenLine { line: 5 })),
    ];
    for (file, want) in cases {
        assert_eq!(cut(file.as_bytes()).map(|notes| notes.len()), want, "{file}");
    }
    assert!(cut(format!("{note}{note}").as_bytes()).is_err(), "nothing stands between them");
    assert_eq!(cut(&[0xff]), Err(BadNotes::NotUtf8));
}

#[test]
fn a_cosignature_is_of_its_witness_its_time_and_its_text() {
    let keeper = Keeper::new("example.com/ledger", 1);
    let (key, public) = witness();
    let signed = keeper.checkpoint(&entries(3));
    let with = |signatures: Vec<Signature>| {
        let all = [signed.signatures(), &signatures].concat();
        SignedNote::new(signed.text().to_owned(), all).unwrap()
    };
    let of = |time| cosignature(&key, &public, time, signed.text());
    assert_eq!(public.cosigned(&with(vec![of(1_679_315_147)])), Ok(1_679_315_147));
    assert_eq!(public.cosigned(&with(vec![of(5), of(9), of(7)])), Ok(9));
    let (name, hash) = (public.name().clone(), public.hash());
    let absent = NotSigned::Absent { name: name.clone(), hash };
    assert_eq!(public.cosigned(&signed), Err(absent.clone()));
    let wrong = NotSigned::Wrong { name: name.clone(), hash };
    let mut later = of(5);
    later.bytes[7] += 1;
    let plain = Signature { bytes: key.sign(signed.text().as_bytes()).to_bytes().to_vec(), ..of(5) };
    let other_text = cosignature(&key, &public, 5, "another\ntext\n");
    let too_late = of(1 << 63);
    for changed in [later, plain, other_text, too_late] {
        assert_eq!(public.cosigned(&with(vec![of(5), changed])), Err(wrong.clone()));
    }
    let other_key = Signature { key_hash: KeyHash([0; 4]), ..of(5) };
    assert_eq!(public.cosigned(&with(vec![other_key])), Err(absent));
}

#[test]
fn the_key_of_a_witness_has_one_spelling() {
    let (_, public) = witness();
    let text = public.to_string();
    assert_eq!(text.parse(), Ok(public.clone()));
    let changed = text.replace("witness.example/w", "witness.example/v").parse::<WitnessKey>();
    assert!(matches!(changed, Err(verify::cosignature::BadWitnessKey::Key(BadKey::Hash(_)))), "{changed:?}");
}
