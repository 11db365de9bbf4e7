//! What each parser takes and what it refuses: rows come in pairs, an honest one and its twin.

use std::error::Error;

use verify::checkpoint::{BadCheckpoint, Checkpoint, open};
use verify::key::VerifierKey;
use verify::note::{BadNote, MOST_BYTES, MOST_SIGNATURES, NotSigned, SignedNote};
use verify::proof::EntryProof;

use crate::made::{Keeper, entries};

#[test]
fn keys_have_one_spelling() {
    let good = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    let key = |name: &str, typed: &[u8]| format!("{name}+00000000+{}", data_encoding::BASE64.encode(typed));
    // The point of order one: whatever is signed, everybody can sign.
    let weak: Vec<u8> = [1, 1].into_iter().chain([0; 31]).collect();
    let long: Vec<u8> = [1; 34].to_vec();
    let not_name = "the name of the key is not allowed: the name of a key is not empty, and has no spaces, \
                    plus signs or control characters";
    let cases = [
        // key -> what is said
        (good.to_owned(), "ok"),
        (good.replace("c74f20a3", "C74F20A3"), "the hash belongs to another key, this one has `c74f20a3`"),
        (good.replace("c74f20a3", "c74f20a4"), "the hash belongs to another key, this one has `c74f20a3`"),
        (good.replace("c74f20a3", "0c74f20a3"), "the hash belongs to another key, this one has `c74f20a3`"),
        (good.replace("Peter", "Peter "), not_name),
        (good.replace("Peter", "Peter\u{a0}"), not_name),
        (good.replace("Peter", "Peter\u{1b}"), not_name),
        (good.replace("PeterNeumann", ""), not_name),
        (good.replace("10TW", "10T"), "a key is written NAME+HASH+BASE64"),
        (good.replace('+', " "), "a key is written NAME+HASH+BASE64"),
        (format!("{good}\n"), "a key is written NAME+HASH+BASE64"),
        (String::new(), "a key is written NAME+HASH+BASE64"),
        (key("a", &[]), "a key is written NAME+HASH+BASE64"),
        (key("a", &long), "a key is written NAME+HASH+BASE64"),
        (key("a", &[4; 33]), "keys of type 4 are not known, only those of type 1 (Ed25519)"),
        (key("a", &weak), "the bytes are not a safe Ed25519 public key"),
    ];
    for (text, want) in cases {
        let found = text.parse::<VerifierKey>();
        assert_eq!(said(found.as_ref()), want, "{text:?}");
        if let Ok(key) = found {
            assert_eq!(key.to_string(), text);
        }
    }
}

#[test]
fn notes_are_read_strictly() {
    let keeper = Keeper::new("example.com/ledger", 1);
    let line = keeper.signature("a\n").to_string();
    let many = |count| format!("a\n\n{}", format!("{line}\n").repeat(count));
    let cases: Vec<(Vec<u8>, &str)> = [
        // note -> what is said
        (format!("a\n\n{line}\n"), "ok"),
        (format!("a\n\nb\n\n{line}\n"), "ok"),
        (format!("\n\n{line}\n"), "ok"),
        (many(MOST_SIGNATURES), "ok"),
        (many(MOST_SIGNATURES + 1), "line 103 is one signature too many"),
        (String::new(), "there is no blank line with signatures below it"),
        ("a\n\n".to_owned(), "there is no blank line with signatures below it"),
        (format!("a\n{line}\n"), "there is no blank line with signatures below it"),
        (format!("a\n\n{line}"), "line 3 does not end"),
        (format!("a\n\n{line}\n\n"), "there is no blank line with signatures below it"),
        (format!("a\r\n\n{line}\n"), "line 1 has a control character"),
        (format!("a\nb\tc\n\n{line}\n"), "line 2 has a control character"),
        (
            format!("a\n\n{line}\n{}\n", line.replace('\u{2014}', "-")),
            "line 4 is not a signature: expected a long dash, a name and base64, with one space between them",
        ),
        (
            "a\n\n\u{2014} name\n".to_owned(),
            "line 3 is not a signature: expected a long dash, a name and base64, with one space between them",
        ),
        (
            "a\n\n\u{2014} na+me AAAAAAA=\n".to_owned(),
            "line 3 is not a signature: the name of the key is not allowed",
        ),
        (
            "a\n\n\u{2014}  AAAAAAA=\n".to_owned(),
            "line 3 is not a signature: the name of the key is not allowed",
        ),
        ("a\n\n\u{2014} name AAAAAAA=\n".to_owned(), "ok"),
        (
            "a\n\n\u{2014} name AAAAAAB=\n".to_owned(),
            "line 3 is not a signature: what is behind the name is not base64",
        ),
        (
            "a\n\n\u{2014} name AAAAAAA= \n".to_owned(),
            "line 3 is not a signature: what is behind the name is not base64",
        ),
        ("a\n\n\u{2014} name AAAAAA==\n".to_owned(), "line 3 is not a signature: the signature is too short"),
    ]
    .into_iter()
    .map(|(note, want)| (note.into_bytes(), want))
    .chain([(b"a\n\xff\n\n".to_vec(), "line 2 is not UTF-8")])
    .collect();
    for (note, want) in cases {
        let found = SignedNote::parse(&note);
        let shown = String::from_utf8_lossy(&note);
        assert_eq!(said(found.as_ref()), want, "{shown}");
        if let Ok(read) = found {
            assert_eq!(read.to_string(), shown);
        }
    }
}

#[test]
fn a_note_of_one_megabyte_is_read_and_a_longer_one_is_not() {
    let rest = "\n\n\u{2014} name AAAAAAA=\n";
    let note = |bytes: usize| format!("{}{rest}", "a".repeat(bytes - rest.len())).into_bytes();
    assert!(SignedNote::parse(&note(MOST_BYTES)).is_ok());
    assert_eq!(SignedNote::parse(&note(MOST_BYTES + 1)), Err(BadNote::TooLarge(MOST_BYTES + 1)));
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let signature = Keeper::new("example.com/ledger", 1).signature("a\n");
    let empty = verify::note::Signature { bytes: Vec::new(), ..signature.clone() };
    let one = || vec![signature.clone()];
    let cases = [
        // text, signatures -> written
        ("a\n", one(), true),
        ("a\n\nb\n", one(), true),
        ("a", one(), false),
        ("", one(), false),
        // As a note, this would have the text `a` and two signatures.
        ("a\n\n\u{2014} name AAAAAAA=", one(), false),
        ("a\u{7}\n", one(), false),
        ("a\n", Vec::new(), false),
        ("a\n", vec![empty], false),
    ];
    for (text, signatures, want) in cases {
        let note = SignedNote::new(text.to_owned(), signatures);
        assert_eq!(note.is_ok(), want, "{text:?}: {note:?}");
    }
}

#[test]
fn only_the_key_itself_has_signed() {
    let (keeper, other) = (Keeper::new("example.com/ledger", 1), Keeper::new("example.com/witness", 2));
    let namesake = Keeper::new("example.com/ledger", 3);
    let (name, hash) = (keeper.public.name().clone(), keeper.public.hash());
    let wrong = Err(NotSigned::Wrong { name: name.clone(), hash });
    let absent = Err(NotSigned::Absent { name: name.clone(), hash });
    let good = keeper.signature("a\n");
    let of_other_text = keeper.signature("b\n");
    let short = verify::note::Signature { bytes: good.bytes[..63].to_vec(), ..good.clone() };
    let forged = verify::note::Signature { name, key_hash: hash, bytes: namesake.signature("a\n").bytes };
    let cases = [
        // signatures -> is it signed?
        (vec![good.clone()], Ok(())),
        (vec![other.signature("a\n"), good.clone()], Ok(())),
        (vec![namesake.signature("a\n"), good.clone()], Ok(())),
        (vec![good.clone(), good.clone()], Ok(())),
        (vec![other.signature("a\n")], absent.clone()),
        (vec![namesake.signature("a\n")], absent),
        (vec![of_other_text.clone()], wrong.clone()),
        (vec![good.clone(), of_other_text], wrong.clone()),
        (vec![good, forged], wrong.clone()),
        (vec![short], wrong),
    ];
    for (signatures, want) in cases {
        let note = SignedNote::new("a\n".to_owned(), signatures).unwrap();
        assert_eq!(note.verified_by(&keeper.public), want, "{note}");
    }
}

#[test]
fn checkpoints_are_read_strictly() {
    let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
    let not_lines = "a checkpoint has a line each for its origin, size and root, and all of them end";
    let not_origin = "line 1 is not the name of a log: the name of a key is not empty, and has no spaces, \
                      plus signs or control characters";
    let not_size = "line 2 is not a size: decimal digits without leading zeros";
    let not_root = "line 3 is not a root: 32 bytes in base64";
    let cases = [
        // text -> what is said
        (format!("example.com/log\n20852163\n{root}\n"), "ok"),
        (format!("example.com/log\n0\n{root}\n"), "ok"),
        (format!("example.com/log\n18446744073709551615\n{root}\n"), "ok"),
        (format!("example.com/log\n5\n{root}\nmore\nlines\n"), "ok"),
        (format!("example.com/log\n5\n{root}\nmore\n\n"), "line 5 is empty"),
        (format!("example.com/log\n5\n{root}\n\nmore\n"), "line 4 is empty"),
        (format!("\n5\n{root}\n"), not_origin),
        (format!("my log\n5\n{root}\n"), not_origin),
        (format!("example.com/log\n05\n{root}\n"), not_size),
        (format!("example.com/log\n00\n{root}\n"), not_size),
        (format!("example.com/log\n+5\n{root}\n"), not_size),
        (format!("example.com/log\n-5\n{root}\n"), not_size),
        (format!("example.com/log\n5 \n{root}\n"), not_size),
        (format!("example.com/log\n\n{root}\n"), not_size),
        (format!("example.com/log\n18446744073709551616\n{root}\n"), not_size),
        (format!("example.com/log\n5\n{}\n", root.replace("2I=", "2J=")), not_root),
        (format!("example.com/log\n5\n{}\n", root.replace("2I=", "2I")), not_root),
        (format!("example.com/log\n5\n{}\n", root.replace("2I=", "2A==")), not_root),
        (format!("example.com/log\n5\n{}\n", root.replace('/', "_")), not_root),
        (format!("example.com/log\n5\n{root}"), not_lines),
        ("example.com/log\n5\n".to_owned(), not_lines),
        (String::new(), not_lines),
    ];
    for (text, want) in cases {
        let found = text.parse::<Checkpoint>();
        assert_eq!(said(found.as_ref()), want, "{text:?}");
        if let Ok(read) = found {
            assert_eq!(read.to_string(), text);
        }
    }
}

#[test]
fn a_checkpoint_is_of_the_log_that_has_the_key() {
    let keeper = Keeper::new("example.com/ledger", 1);
    let text = |origin: &str| format!("{origin}\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n");
    let own = keeper.sign(&text("example.com/ledger"));
    assert!(open(own.to_string().as_bytes(), &keeper.public).is_ok());

    let other = keeper.sign(&text("example.com/other"));
    assert_eq!(
        open(other.to_string().as_bytes(), &keeper.public),
        Err(BadCheckpoint::OtherLog {
            found: "example.com/other".parse().unwrap(),
            expected: "example.com/ledger".parse().unwrap(),
        })
    );
    let stranger = Keeper::new("example.com/ledger", 2);
    assert!(matches!(
        open(own.to_string().as_bytes(), &stranger.public),
        Err(BadCheckpoint::Signature(NotSigned::Absent { .. }))
    ));
}

#[test]
fn proofs_are_read_strictly() {
    let keeper = Keeper::new("example.com/ledger", 1);
    let entries = entries(5);
    let good = keeper.prove(&entries, 2).to_string();
    let (head, note) = good.split_once("\n\n").unwrap();
    let hash = head.lines().last().unwrap();
    let with_hashes = |count: usize| {
        format!("c2sp.org/tlog-proof@v1\nindex 0\n{}\n{note}", format!("{hash}\n").repeat(count))
    };
    let not_index = "line 2 is not `index` with a number";
    let cases = [
        // proof -> what is said
        (good.clone(), "ok"),
        (good.replace("index", "extra aGVsbG8=\nindex"), "ok"),
        (good.replace("index", "extra aGVsbG9=\nindex"), "line 2 is not `extra` with some base64"),
        (good.replace("index", "extra \nindex"), "line 2 is not `extra` with some base64"),
        (
            good.replace("index", "extra aGVsbG8=\nextra aGVsbG8=\nindex"),
            "line 3 is not `index` with a number",
        ),
        (good.replace("@v1", "@v2"), "line 1 is not `c2sp.org/tlog-proof@v1`"),
        (format!("\n{good}"), "line 1 is not `c2sp.org/tlog-proof@v1`"),
        (good.replace("index 2", "index 02"), not_index),
        (good.replace("index 2", "index"), not_index),
        (good.replace("index 2", "index  2"), not_index),
        (good.replace("index 2\n", ""), not_index),
        (good.replace("index 2", "Index 2"), not_index),
        (good.replacen(hash, "aGVsbG8=", 1), "line 5 is neither a hash, 32 bytes in base64, nor empty"),
        (
            good.replacen(hash, &format!("{hash} "), 1),
            "line 5 is neither a hash, 32 bytes in base64, nor empty",
        ),
        (good.replacen('\n', "\r\n", 1), "line 1 is not `c2sp.org/tlog-proof@v1`"),
        (format!("{head}\n"), "there is no empty line with a checkpoint below it"),
        (
            format!("{head}\n\n"),
            "what stands below the hashes, from line 7, is not a signed note: \
             there is no blank line with signatures below it",
        ),
        (format!("{head}\n\n\n{note}"), "ok"),
        (with_hashes(64), "ok"),
        (with_hashes(65), "line 67 is one hash too many"),
        (String::new(), "line 1 is not `c2sp.org/tlog-proof@v1`"),
    ];
    for (text, want) in cases {
        let found = EntryProof::parse(text.as_bytes());
        assert_eq!(said(found.as_ref()), want, "{text}");
        if let Ok(read) = found {
            assert_eq!(read.to_string(), text);
        }
    }
    assert!(EntryProof::parse(b"c2sp.org/tlog-proof@v1\n\xff").is_err());
    let extra = EntryProof::parse(good.replace("index", "extra aGVsbG8=\nindex").as_bytes()).unwrap();
    assert_eq!(extra.extra(), Some(b"hello".as_slice()));
    assert!(extra.check(&entries[2], &keeper.public).is_ok());
}

/// `ok`, or the error and its cause.
fn said<T, E: Error>(result: Result<T, &E>) -> String {
    match result {
        Ok(_) => "ok".to_owned(),
        Err(error) => error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}")),
    }
}
