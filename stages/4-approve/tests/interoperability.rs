//! Both ways with OpenSSH's own `ssh-keygen`: what it signs counts here, and what is signed as we sign counts
//! there.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may panic, and this one runs another program"
)]

mod kit;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use approve::{Approvers, BadSignature, NAMESPACE, NotApproved, Revoked, Signer, verify};
use call::Moment;
use kit::{approval, at};

/// Runs `ssh-keygen` with these words and this standard input.
fn keygen(words: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new("ssh-keygen")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("`ssh-keygen` cannot be run ({error}): install OpenSSH's client"));
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[track_caller]
fn done(output: &Output) -> String {
    assert!(output.status.success(), "ssh-keygen: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn new_key(folder: &Path, name: &str, kind: &[&str]) -> PathBuf {
    let path = folder.join(name);
    done(&keygen(&[&["-q", "-N", "", "-C", "test", "-f", word(&path)], kind].concat(), b""));
    path
}

fn public(key: &Path) -> String {
    std::fs::read_to_string(key.with_extension("pub")).unwrap().trim().to_owned()
}

/// What `ssh-keygen` signs with this key or certificate.
fn signed_by_keygen(key: &Path, namespace: &str, text: &[u8]) -> String {
    done(&keygen(&["-Y", "sign", "-q", "-f", word(key), "-n", namespace], text))
}

fn verified(file: &str, text: &[u8], signature: &str, now: Moment) -> Result<Signer, NotApproved> {
    verify(text, signature, &Approvers::parse(file).unwrap(), now).map(|(_, signer)| signer)
}

const KINDS: [(&str, &[&str]); 6] = [
    ("ssh-ed25519", &["-t", "ed25519"]),
    ("ecdsa-sha2-nistp256", &["-t", "ecdsa", "-b", "256"]),
    ("ecdsa-sha2-nistp384", &["-t", "ecdsa", "-b", "384"]),
    ("ecdsa-sha2-nistp521", &["-t", "ecdsa", "-b", "521"]),
    ("ssh-rsa", &["-t", "rsa", "-b", "2048"]),
    ("ssh-rsa", &["-t", "rsa", "-b", "3072"]),
];

#[test]
fn what_ssh_keygen_signs_counts_for_every_kind_of_key() {
    let folder = tempfile::tempdir().unwrap();
    let text = approval("ada@example.org", at(1)).canonical();
    let other = approval("ada@example.org", at(2)).canonical();
    for (number, (kind, words)) in KINDS.iter().enumerate() {
        let key = new_key(folder.path(), &format!("key{number}"), words);
        let file = format!("ada@example.org namespaces=\"{NAMESPACE}\" {}\n", public(&key));
        for hash in ["sha256", "sha512"] {
            let option = format!("hashalg={hash}");
            let words = ["-Y", "sign", "-q", "-O", &option, "-f", word(&key), "-n", NAMESPACE];
            let signature = done(&keygen(&words, &text));
            let signer = verified(&file, &text, &signature, at(3)).unwrap();
            assert_eq!((signer.kind.as_str(), signer.principal.as_str()), (*kind, "ada@example.org"));
            assert_eq!(
                verified(&file, &other, &signature, at(3)),
                Err(NotApproved::Signature(BadSignature::OtherText)),
                "{kind}"
            );
        }
        let elsewhere = signed_by_keygen(&key, "git", &text);
        assert_eq!(
            verified(&file, &text, &elsewhere, at(3)),
            Err(NotApproved::Signature(BadSignature::Namespace("git".into())))
        );
    }
}

#[test]
fn no_byte_of_a_signature_can_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    let text = approval("ada@example.org", at(1)).canonical();
    for (number, (_, words)) in KINDS.iter().enumerate().take(5) {
        let key = new_key(folder.path(), &format!("key{number}"), words);
        let approvers = Approvers::parse(&format!("ada@example.org {}\n", public(&key))).unwrap();
        let armored = signed_by_keygen(&key, NAMESPACE, &text);
        let body: String = armored.lines().filter(|line| !line.starts_with('-')).collect();
        let bytes = data_encoding::BASE64.decode(body.as_bytes()).unwrap();
        let armor = |bytes: &[u8]| {
            let body = data_encoding::BASE64.encode(bytes);
            format!("-----BEGIN SSH SIGNATURE-----\n{body}\n-----END SSH SIGNATURE-----\n")
        };
        assert!(verify(&text, &armor(&bytes), &approvers, at(3)).is_ok());
        // Curves take their time without optimisation, so that not each byte of theirs is tried.
        let step = if number == 0 { 1 } else { 7 };
        for place in (0..bytes.len()).step_by(step) {
            let mut changed = bytes.clone();
            changed[place] ^= 0x01;
            assert!(verify(&text, &armor(&changed), &approvers, at(3)).is_err(), "byte {place}");
            assert!(verify(&text, &armor(&bytes[..place]), &approvers, at(3)).is_err(), "cut at {place}");
        }
    }
}

#[test]
fn what_is_signed_as_we_sign_is_verified_by_ssh_keygen() {
    let folder = tempfile::tempdir().unwrap();
    let text = approval("ada@example.org", at(1)).canonical();
    let file = folder.path().join("approvers");
    std::fs::write(&file, format!("ada@example.org namespaces=\"{NAMESPACE}\" {}\n", kit::public(1)))
        .unwrap();
    let signature = folder.path().join("record.sig");
    std::fs::write(&signature, kit::sign_text(&text, 1)).unwrap();
    let words =
        ["-Y", "verify", "-f", word(&file), "-I", "ada@example.org", "-n", NAMESPACE, "-s", word(&signature)];
    let said = done(&keygen(&words, &text));
    assert!(said.contains("Good \"toolgate-approval@v1\" signature for ada@example.org"), "{said}");
    assert!(!keygen(&words, b"another text").status.success());
}

/// A certificate for `key` by `authority`, with these words on top.
fn certify(authority: &Path, key: &Path, words: &[&str]) -> PathBuf {
    let fixed = ["-q", "-s", word(authority), "-I", "badge 17", "-z", "17"];
    let public = key.with_extension("pub");
    done(&keygen(&[&fixed[..], words, &[word(&public)]].concat(), b""));
    let name = format!("{}-cert.pub", key.file_name().unwrap().to_str().unwrap());
    key.with_file_name(name)
}

#[test]
fn a_certificate_counts_for_its_names_and_times_by_a_listed_authority() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = approval("ada@example.org", at(1)).canonical();
    let valid = ["-V", "20261118000000Z:20261119000000Z"];
    for (number, (_, kind)) in KINDS.iter().enumerate().take(5) {
        let authority = new_key(folder, &format!("authority{number}"), kind);
        let key = new_key(folder, &format!("key{number}"), kind);
        let file = format!("*@example.org cert-authority {}\n", public(&authority));
        let certificate =
            certify(&authority, &key, &[&["-n", "ada@example.org,kim@example.org"], &valid[..]].concat());
        let signature = signed_by_keygen(&certificate, NAMESPACE, &text);
        let signer = verified(&file, &text, &signature, at(3)).unwrap();
        let used = signer.certificate.unwrap();
        assert_eq!((used.id.as_str(), used.serial, signer.line), ("badge 17", 17, 1));

        let refused = |file: &str, now: &str| match verified(file, &text, &signature, kit::moment(now)) {
            Err(NotApproved::Signature(why)) => why.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(&file, "2026-11-17T23:59:59Z"), "the certificate is not valid now");
        assert_eq!(refused(&file, "2026-11-19T00:00:00Z"), "the certificate is not valid now");
        // The authority's key without `cert-authority`, and the person's own key without its certificate.
        let now = "2026-11-18T10:00:03Z";
        for listed in [public(&authority), public(&key)] {
            let said = refused(&format!("*@example.org {listed}\n"), now);
            assert!(said.ends_with("is not in the file of approvers"), "{said}");
        }
        let said = refused(&format!("bob@example.org cert-authority {}\n", public(&authority)), now);
        assert!(said.ends_with("is not listed for `ada@example.org`"), "{said}");

        for (line, what) in [
            ("serial: 17".to_owned(), "the certificate"),
            ("serial: 0x10-0x20".to_owned(), "the certificate"),
            ("id: badge 17".to_owned(), "the certificate"),
            (public(&key), "the key"),
            (public(&authority), "the authority"),
        ] {
            let approvers =
                Approvers::parse(&file).unwrap().without(Revoked::parse(line.as_bytes()).unwrap());
            let refusal = verify(&text, &signature, &approvers, at(3)).map(|_| ());
            assert_eq!(
                refusal,
                Err(NotApproved::Signature(BadSignature::Revoked { what, line: 1 })),
                "{line}"
            );
        }
    }
}

#[test]
fn a_certificate_for_others_for_hosts_or_under_terms_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = approval("ada@example.org", at(1)).canonical();
    let authority = new_key(folder, "authority", &["-t", "ed25519"]);
    let file = format!("*@example.org cert-authority {}\n", public(&authority));
    let cases: [(&[&str], &str); 4] = [
        (&["-n", "bob@example.org"], "the certificate is not for `ada@example.org`"),
        // One without names is for everybody.
        (&[], "the certificate is not for `ada@example.org`"),
        (&["-h", "-n", "ada@example.org"], "the certificate is for a host, expected one for a user"),
        (
            &["-n", "ada@example.org", "-O", "force-command=/bin/true"],
            "the certificate has the critical option `force-command`, which is not understood",
        ),
    ];
    for (number, (words, want)) in cases.iter().enumerate() {
        let key = new_key(folder, &format!("key{number}"), &["-t", "ed25519"]);
        let certificate = certify(&authority, &key, words);
        let signature = signed_by_keygen(&certificate, NAMESPACE, &text);
        match verified(&file, &text, &signature, at(3)) {
            Err(NotApproved::Signature(why)) => assert_eq!(why.to_string(), *want),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn small_rsa_keys_and_old_hashes_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let small = new_key(folder.path(), "small", &["-t", "rsa", "-b", "1024"]);
    let wrong = Approvers::parse(&format!("ada@example.org {}\n", public(&small))).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "line 1: the RSA key has 1024 bits, expected 2048 to 16384, and a usual exponent"
    );
}

/// Bytes with their length in front.
fn string(bytes: &[u8]) -> Vec<u8> {
    [&u32::try_from(bytes.len()).unwrap().to_be_bytes()[..], bytes].concat()
}

/// What a hardware key of this kind signs, made from a key in a file: hash of the application, how it was
/// used, a counter, hash of the message.
fn signed_by_hardware(key: &ssh_key::PrivateKey, kind: &str, flags: u8, text: &[u8]) -> (String, String) {
    use p521::ecdsa::signature::Signer as _;
    use sha2::Digest as _;

    let application = b"ssh:";
    let fields = match key.public_key().key_data() {
        ssh_key::public::KeyData::Ed25519(public) => string(&public.0),
        ssh_key::public::KeyData::Ecdsa(public) => {
            [string(b"nistp256"), string(public.as_sec1_bytes())].concat()
        }
        other @ (ssh_key::public::KeyData::Dsa(_)
        | ssh_key::public::KeyData::Rsa(_)
        | ssh_key::public::KeyData::SkEcdsaSha2NistP256(_)
        | ssh_key::public::KeyData::SkEd25519(_)
        | ssh_key::public::KeyData::Other(_)
        | _) => panic!("{other:?}"),
    };
    let public = [string(kind.as_bytes()), fields, string(application)].concat();
    let hash = sha2::Sha512::digest(text);
    let message =
        [&b"SSHSIG"[..], &string(NAMESPACE.as_bytes()), &string(b""), &string(b"sha512"), &string(&hash)]
            .concat();
    let used = [&[flags][..], &7_u32.to_be_bytes()].concat();
    let inner = [&sha2::Sha256::digest(application)[..], &used, &sha2::Sha256::digest(&message)].concat();
    let made: ssh_key::Signature = key.try_sign(&inner).unwrap();
    let signature = [string(kind.as_bytes()), string(made.as_bytes()), used].concat();
    let envelope = [
        &b"SSHSIG"[..],
        &1_u32.to_be_bytes(),
        &string(&public),
        &string(NAMESPACE.as_bytes()),
        &string(b""),
        &string(b"sha512"),
        &string(&signature),
    ]
    .concat();
    let mut armored = String::from("-----BEGIN SSH SIGNATURE-----\n");
    for line in data_encoding::BASE64.encode(&envelope).as_bytes().chunks(70) {
        armored.push_str(std::str::from_utf8(line).unwrap());
        armored.push('\n');
    }
    armored.push_str("-----END SSH SIGNATURE-----\n");
    (format!("{kind} {}", data_encoding::BASE64.encode(&public)), armored)
}

#[test]
fn a_hardware_key_counts_when_it_was_touched_and_ssh_keygen_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let text = approval("ada@example.org", at(1)).canonical();
    let curve = new_key(folder.path(), "curve", &["-t", "ecdsa", "-b", "256"]);
    let curve = ssh_key::PrivateKey::from_openssh(std::fs::read(curve).unwrap()).unwrap();
    let cases = [(kit::key(1), "sk-ssh-ed25519@openssh.com"), (curve, "sk-ecdsa-sha2-nistp256@openssh.com")];
    for (key, kind) in cases {
        let (public, signature) = signed_by_hardware(&key, kind, 1, &text);
        let file = format!("ada@example.org {public}\n");
        assert_eq!(verified(&file, &text, &signature, at(3)).unwrap().kind, kind);

        let listed = folder.path().join("approvers");
        let kept = folder.path().join("record.sig");
        std::fs::write(&listed, &file).unwrap();
        std::fs::write(&kept, &signature).unwrap();
        let words = [
            "-Y",
            "verify",
            "-f",
            word(&listed),
            "-I",
            "ada@example.org",
            "-n",
            NAMESPACE,
            "-s",
            word(&kept),
        ];
        done(&keygen(&words, &text));

        let (_, untouched) = signed_by_hardware(&key, kind, 0, &text);
        let refusal = verified(&file, &text, &untouched, at(3));
        assert_eq!(refusal, Err(NotApproved::Signature(BadSignature::NotTouched)));
    }
}
