//! Whose keys count: files of approvers and of revoked keys.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod kit;

use approve::{Approvers, Revoked, check};
use call::Moment;
use kit::{moment, public, sign_text};

const TEXT: &[u8] = b"some text";

/// Whether the first key counts for this name, under a file in which `KEY` stands for it.
fn admitted(file: &str, name: &str, now: Moment) -> String {
    let file = file.replace("KEY2", &public(2)).replace("KEY", &public(1));
    match Approvers::parse(&file) {
        Err(why) => why.to_string(),
        Ok(approvers) => match check(TEXT, &sign_text(TEXT, 1), &name.parse().unwrap(), &approvers, now) {
            Ok(signer) => format!("line {}", signer.line),
            Err(why) => why.to_string().replace(&fingerprint(1), "FINGERPRINT"),
        },
    }
}

fn fingerprint(seed: u8) -> String {
    kit::key(seed).fingerprint(ssh_key::HashAlg::Sha256).to_string()
}

#[test]
fn a_key_counts_for_the_names_that_its_line_lists_and_for_no_other() {
    let other = "the key FINGERPRINT is not listed for `ada@example.org`";
    let unknown = "the key FINGERPRINT is not in the file of approvers";
    let cases = [
        // file -> what is said to ada
        ("ada@example.org KEY", "line 1"),
        ("# remark\n\n  ada@example.org\tKEY with a remark\r\n", "line 3"),
        ("bob@example.org,ada@example.org KEY", "line 1"),
        ("\"ada@example.org\" KEY", "line 1"),
        ("*@example.org KEY", "line 1"),
        ("*@example.org,!ada@example.org KEY", other),
        ("!ada@example.org,* KEY", other),
        ("bob@example.org KEY\nada@example.org KEY", "line 2"),
        ("Ada@example.org KEY", other),
        ("ada@example.org.evil.example KEY", other),
        ("ada@example.org KEY2", unknown),
        ("", unknown),
        ("ada@example.org namespaces=\"toolgate-approval@v1\" KEY", "line 1"),
        ("ada@example.org NAMESPACES=\"git,toolgate-*\" KEY", "line 1"),
        ("ada@example.org namespaces=toolgate-approval@v1 KEY", "line 1"),
        (
            "ada@example.org namespaces=\"git,file\" KEY",
            "the key is not listed for approvals (line 1 of the file of approvers)",
        ),
        (
            "ada@example.org namespaces=\"*,!toolgate-approval@v1\" KEY",
            "the key is not listed for approvals (line 1 of the file of approvers)",
        ),
        ("ada@example.org namespaces=\"git\" KEY\nada@example.org KEY", "line 2"),
        // A key that signs certificates signs nothing else.
        ("ada@example.org cert-authority KEY", unknown),
    ];
    for (file, want) in cases {
        assert_eq!(admitted(file, "ada@example.org", kit::at(0)), want, "{file}");
    }
}

#[test]
fn a_key_counts_from_its_first_moment_up_to_before_its_last() {
    let file = "ada@example.org valid-after=\"20261118Z\",valid-before=\"202611181200Z\" KEY";
    let cases = [
        ("2026-11-17T23:59:59Z", "the key is not valid yet (line 1 of the file of approvers)"),
        ("2026-11-18T00:00:00Z", "line 1"),
        ("2026-11-18T11:59:59Z", "line 1"),
        ("2026-11-18T12:00:00Z", "the key is not valid any more (line 1 of the file of approvers)"),
    ];
    for (now, want) in cases {
        assert_eq!(admitted(file, "ada@example.org", moment(now)), want, "{now}");
    }
}

#[test]
fn every_bad_line_is_named_and_nothing_of_the_file_counts() {
    let good = "ada@example.org KEY\n";
    let cases = [
        ("ada@example.org", "line 2: expected names, options and a public key"),
        ("ada@example.org ssh-ed25519", "line 2: expected names, options and a public key"),
        ("ada@example.org ssh-ed25519 AAAA", "line 2: the key cannot be read"),
        ("ada@example.org ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIAAA", "line 2: the key cannot be read"),
        (
            "ada@example.org no-touch KEY",
            "line 2: the option `no-touch` is not known; expected `cert-authority`, `namespaces=`, `valid-after=` or `valid-before=`",
        ),
        ("a@x namespaces=\"a\",namespaces=\"b\" KEY", "line 2: the option `namespaces` is given twice"),
        ("a@x cert-authority,cert-authority KEY", "line 2: the option `cert-authority` is given twice"),
        ("a@x namespaces KEY", "line 2: the option `namespaces` has no value that it can have"),
        ("a@x namespaces=\"\" KEY", "line 2: the option `namespaces` has no value that it can have"),
        ("a@x namespaces=\"a KEY", "line 2: a quotation mark has no other half"),
        ("\"a@x KEY", "line 2: a quotation mark has no other half"),
        ("a@x, KEY", "line 2: expected names with a comma between two of them"),
        (
            "a@x valid-after=2026-11-18 KEY",
            "line 2: `2026-11-18` is not a time; expected `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, and `Z` for UTC",
        ),
        (
            "a@x valid-after=\"20261118Z\",valid-before=\"20261118Z\" KEY",
            "line 2: the key is never valid: `valid-before` is not after `valid-after`",
        ),
        ("a\u{200b}@x KEY", "line 2: the name holds the character U+200B, which cannot be seen"),
        (
            "\u{430}da@example.org KEY",
            "line 2: the name can be taken for another one: `\\u{430}\\u{64}\\u{61}` mixes scripts or looks like Latin letters",
        ),
        ("ada@examp1e.org KEY2", "line 2: `ada@examp1e.org` can be taken for a name in line 1"),
        (
            "a@x ssh-dss AAAAB3NzaC1kc3MAAAAA",
            "line 2: keys of the kind `ssh-dss` are not taken; use ed25519, ecdsa, rsa, or one of the sk kinds",
        ),
        (
            "x y z\nb@x KEY\n!",
            "line 2: expected names, options and a public key; line 4: expected names with a comma between two of them",
        ),
    ];
    for (line, want) in cases {
        assert_eq!(admitted(&format!("{good}{line}\n"), "ada@example.org", kit::at(0)), want, "{line}");
    }
}

#[test]
fn a_name_that_imitates_a_listed_one_is_nobody_even_where_a_pattern_lets_it_in() {
    let file = "ada@example.org KEY2\n*@example.org,*@examp1e.org KEY";
    assert_eq!(admitted(file, "kim@example.org", kit::at(0)), "line 2");
    let refusal = "the key FINGERPRINT is not listed for `ada@examp1e.org`";
    assert_eq!(admitted(file, "ada@examp1e.org", kit::at(0)), refusal);
}

#[test]
fn a_revoked_key_counts_no_more_however_it_was_revoked() {
    let file = format!("ada@example.org {}\n", public(1));
    let key = public(1);
    let listed = |revoked: &str| {
        let revoked = Revoked::parse(revoked.as_bytes()).map_err(|why| why.to_string())?;
        let approvers = Approvers::parse(&file).unwrap().without(revoked);
        let signer =
            check(TEXT, &sign_text(TEXT, 1), &"ada@example.org".parse().unwrap(), &approvers, kit::at(0));
        signer.map(|_| ()).map_err(|why| why.to_string())
    };
    let revoked = |line: usize| Err(format!("the key was revoked (line {line} of the file of revoked keys)"));
    let sha = fingerprint(1);
    let cases = [
        (String::new(), Ok(())),
        (format!("# none\n{}\n", public(2)), Ok(())),
        (key.clone(), revoked(1)),
        (format!("# lost\n\n{key} laptop\n"), revoked(3)),
        (sha.clone(), revoked(1)),
        (format!("hash: {sha}"), revoked(1)),
        (format!("key: {key}"), revoked(1)),
        (format!("sha256: {key}"), revoked(1)),
        (format!("sha1: {key}"), revoked(1)),
        ("serial: 7\nid: ada".to_owned(), Ok(())),
        ("SHA256:short".to_owned(), Err("line 1: expected `SHA256:` and 43 characters of base 64".to_owned())),
        ("serial: x".to_owned(), Err("line 1: expected a number, or two with `-` between them".to_owned())),
        ("nonsense\nid:".to_owned(), Err("line 1: expected a public key or a fingerprint `SHA256:…`; line 2: expected the name of a certificate".to_owned())),
        (
            "SSHKRL\n\0binary".to_owned(),
            Err("the file of revoked keys is a binary KRL; write one public key or fingerprint on each line instead".to_owned()),
        ),
    ];
    for (text, want) in cases {
        assert_eq!(listed(&text), want, "{text}");
    }
    assert!(Revoked::parse(&[0xff, 0xfe]).is_err());
}

#[test]
fn a_door_can_ask_whose_key_a_key_is() {
    let file = format!("ada@example.org,*@x {}\nbob@example.org {}\n", public(1), public(2));
    let approvers = Approvers::parse(&file).unwrap();
    assert_eq!(approvers.names_of_key(&public(1)), ["ada@example.org"]);
    assert_eq!(approvers.names_of_key("nonsense"), [""; 0]);
    assert_eq!(approvers.names(), ["ada@example.org", "bob@example.org"]);
}
