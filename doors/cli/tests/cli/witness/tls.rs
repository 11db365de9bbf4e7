//! A witness behind TLS, with an authority of our own.

use std::net::TcpStream;

use kit::tls::Authority;

use super::{Server, Talk, done, witness};
use crate::books::{key, with_calls};

/// TLS with a certificate for this name.
fn over(authority: &Authority, name: &str) -> impl Fn(TcpStream, Talk<'_>) + Send + use<> {
    let server = authority.server(name);
    move |stream, talk| server.talk(stream, |stream| talk(stream))
}

#[test]
fn a_server_whose_certificate_is_vouched_for_cosigns() {
    let door = with_calls();
    let own = Authority::new();
    door.write("own.pem", own.pem());
    let server = Server::start_over("https", key(&door), over(&own, "localhost"));
    let words = ["add", "inside", &server.address, "--key", &server.key.to_string(), "--ca", "own.pem"];
    done(&witness(&door, &words));
    done(&witness(&door, &["push"]));
    assert!(server.seen() > 0);
    // What was given is found wherever the next push is made from.
    assert!(door.read(".toolgate/ledger/witnesses.toml").contains("/own.pem\""));
}

#[test]
fn a_server_that_nobody_vouches_for_is_given_nothing() {
    let door = with_calls();
    let (own, strange) = (Authority::new(), Authority::new());
    door.write("own.pem", own.pem());
    let servers = [
        (
            "the authority is unknown",
            Server::start_over("https", key(&door), over(&strange, "localhost")),
            true,
        ),
        ("the name is another", Server::start_over("https", key(&door), over(&own, "other.example")), true),
        ("the web does not know it", Server::start_over("https", key(&door), over(&own, "localhost")), false),
    ];
    for (number, (why, server, with_own)) in servers.iter().enumerate() {
        let name = format!("w{number}");
        let mut words = vec!["add", &name, &server.address];
        words.extend(if *with_own { &["--ca", "own.pem"][..] } else { &[] });
        done(&witness(&door, &words));
        let ran = witness(&door, &["push", &name]);
        assert_eq!(ran.code, Some(3), "{why}: {}", ran.all());
        assert!(
            ran.stderr.contains("cannot be reached") && ran.stderr.contains("certificate"),
            "{}",
            ran.all()
        );
        assert_eq!(server.seen(), 0, "{why}");
    }
}

#[test]
fn a_file_without_authorities_is_refused_before_anything_is_kept() {
    let door = with_calls();
    let own = Authority::new();
    door.write("own.pem", own.pem());
    door.write("empty.pem", "nothing\n");
    door.write("broken.pem", format!("{}-----BEGIN CERTIFICATE-----\n!\n", own.pem()));
    let cases = [
        ("https://localhost:1/", "empty.pem", "no certificate"),
        ("https://localhost:1/", "broken.pem", "no certificate"),
        ("https://localhost:1/", "missing.pem", "missing.pem"),
        ("http://localhost:1/", "own.pem", "`--ca` is for"),
        ("file:kept", "own.pem", "`--ca` is for"),
    ];
    for (target, file, want) in cases {
        let ran = witness(&door, &["add", "a", target, "--ca", file]);
        assert_eq!(ran.code, Some(3), "{}", ran.all());
        assert!(ran.stderr.contains(want), "{}", ran.all());
    }
    assert_eq!(witness(&door, &["list"]).stdout, "");
    // A file that is gone later keeps nothing from being told.
    done(&witness(&door, &["add", "a", "https://localhost:1/", "--ca", "own.pem"]));
    std::fs::remove_file(door.path("own.pem")).unwrap();
    let ran = witness(&door, &["push"]);
    assert!(ran.code == Some(3) && ran.stderr.contains("own.pem"), "{}", ran.all());
}
