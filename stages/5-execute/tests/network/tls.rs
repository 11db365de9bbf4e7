//! TLS, with an authority of our own.

use std::io::Write as _;
use std::net::TcpStream;

use kit::tls::Authority;
use serde_json::json;

use crate::world::{Act, Gate, TOKEN, gate_with, ok, redirect};
use execute::network::Caps;

/// A server with a certificate for this name, over a connection.
fn over(authority: &Authority, name: &str) -> impl Fn(TcpStream, Act<'_>) + use<> {
    let server = authority.server(name);
    move |stream, act| server.talk(stream, |stream| act(stream))
}

fn world(own: &Authority) -> Gate {
    let mut gate = gate_with(Vec::new(), vec![own.der().to_vec()], Caps::default());
    for (name, address) in [("a.example", "93.184.216.1"), ("b.example", "93.184.216.2")] {
        gate.world.name(name, &[&[address]]);
    }
    gate.origins = vec!["https://a.example", "https://b.example", "http://b.example"];
    gate
}

#[test]
fn a_server_with_the_right_certificate_is_believed() {
    let own = Authority::new();
    let gate = world(&own);
    let asked = gate.world.serve_over("93.184.216.1", ok, over(&own, "a.example"));
    let arguments = json!({ "url": "https://a.example/", "headers": { "X-Key": gate.handle() } });
    assert_eq!(gate.data(&arguments).unwrap()["text"], "hello");
    assert!(asked.lock().unwrap().concat().contains(TOKEN));
    assert_eq!(gate.connected(), ["93.184.216.1:443"]);
}

#[test]
fn a_server_with_another_name_or_a_strange_authority_is_told_nothing() {
    let (own, strange) = (Authority::new(), Authority::new());
    let gate = world(&own);
    let wrong = gate.world.serve_over("93.184.216.1", ok, over(&own, "b.example"));
    let unknown = gate.world.serve_over("93.184.216.2", ok, over(&strange, "b.example"));
    for (url, why) in [
        ("https://a.example/", "is for another name"),
        ("https://b.example/", "is from an authority that this machine does not trust"),
    ] {
        let arguments = json!({ "url": url, "headers": { "X-Key": gate.handle() } });
        let fault = gate.fetch(&arguments).unwrap_err();
        let origin = url.trim_end_matches('/');
        assert_eq!(fault.to_string(), format!("`{origin}`: the certificate of the server {why}"));
        assert_eq!(fault.class(), "tls");
    }
    assert!(wrong.lock().unwrap().is_empty() && unknown.lock().unwrap().is_empty());
}

#[test]
fn a_server_without_tls_is_not_spoken_to_over_tls() {
    let gate = world(&Authority::new());
    let in_the_clear = |mut stream: TcpStream, _: Act<'_>| {
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    };
    gate.world.serve_over("93.184.216.1", ok, in_the_clear);
    let fault = gate.fetch(&json!({ "url": "https://a.example/" })).unwrap_err();
    assert_eq!(fault.to_string(), "`https://a.example`: what listens there does not speak TLS");
    assert_eq!(fault.class(), "tls");
}

#[test]
fn no_redirect_leads_out_of_tls() {
    let own = Authority::new();
    let gate = world(&own);
    gate.world.serve_over(
        "93.184.216.1",
        redirect("302 Found", "http://b.example/"),
        over(&own, "a.example"),
    );
    let second = gate.world.serve("93.184.216.2", ok);
    assert_eq!(gate.get("https://a.example/"), Err("insecure_redirect".to_owned()));
    assert!(second.lock().unwrap().is_empty());
    let gate = world(&own);
    gate.world.serve_over(
        "93.184.216.1",
        redirect("302 Found", "https://b.example/"),
        over(&own, "a.example"),
    );
    gate.world.serve_over("93.184.216.2", ok, over(&own, "b.example"));
    assert_eq!(gate.get("https://a.example/").unwrap()["text"], "hello");
}
