//! What is sent, and that nothing else can be made of it.

use serde_json::json;

use crate::world::{TOKEN, gate, gate_with, named, ok};
use execute::network::Caps;

#[test]
fn what_the_call_says_is_what_is_sent() {
    let gate = gate();
    gate.world.name("a.example", &[&["93.184.216.1"]]);
    let asked = gate.world.serve("93.184.216.1", ok);
    let headers = json!({ "X-One": "1", "User-Agent": "ours", "Content-Type": "application/json" });
    let arguments =
        json!({ "url": "http://a.example:8080/p", "method": "POST", "headers": headers, "body": "{}" });
    gate.data(&arguments).unwrap();
    insta::assert_snapshot!(asked.lock().unwrap()[0].replace('\r', ""), @r"
    POST /p HTTP/1.1
    Host: a.example:8080
    accept: */*
    accept-encoding: gzip, deflate
    content-type: application/json
    user-agent: ours
    x-one: 1
    content-length: 2
    connection: close

    {}
    ");
}

#[test]
fn no_header_can_bring_another_with_it() {
    let gate = gate();
    gate.world.name("a.example", &[&["93.184.216.1"]]);
    let asked = gate.world.serve("93.184.216.1", ok);
    for (name, value) in [
        ("X-One", "1\r\nX-Two: 2"),
        ("X-One", "1\nX-Two: 2"),
        ("X-One", "1\u{0}"),
        ("X-One\r\nX-Two", "1"),
        ("X-One:", "1"),
        ("", "1"),
        ("X One", "1"),
    ] {
        let got = gate.data(&json!({ "url": "http://a.example/", "headers": { name: value } }));
        assert_eq!(got, Err("bad_request".to_owned()), "{name:?} {value:?}");
    }
    assert!(asked.lock().unwrap().is_empty());
    gate.data(&json!({ "url": "http://a.example/", "headers": { "X-One": "gr\u{fc}n und\tmehr" } })).unwrap();
}

#[test]
fn a_credential_is_only_on_the_wire() {
    let gate = gate_with(vec![named("a.example", 80)], Vec::new(), Caps::default());
    gate.world.name("a.example", &[&["10.0.0.1"]]);
    let asked = gate.world.serve("10.0.0.1", ok);
    let mut bearer = gate.handle();
    bearer["prefix"] = json!("Bearer ");
    let arguments =
        json!({ "url": "http://a.example/", "headers": { "Authorization": bearer, "X-Key": gate.handle() } });
    let done = gate.fetch(&arguments).unwrap();
    assert!(!format!("{done:?}").contains(TOKEN));
    let asked = asked.lock().unwrap().concat();
    assert!(asked.contains(&format!("authorization: Bearer {TOKEN}\r\n")), "{asked}");
    assert!(asked.contains(&format!("x-key: {TOKEN}\r\n")), "{asked}");
    assert_eq!(gate.vault.revealed().len(), 1);
}

#[test]
fn no_credential_goes_in_the_clear_to_the_outside() {
    let gate = gate();
    gate.world.name("a.example", &[&["93.184.216.1"]]);
    let arguments = json!({ "url": "http://a.example/", "headers": { "X-Key": gate.handle() } });
    assert_eq!(gate.data(&arguments), Err("insecure_secret".to_owned()));
    assert!(gate.world.resolved.lock().unwrap().is_empty());
    // That the host is listed by its name does not make it a host of the house.
    let gate = gate_with(vec![named("a.example", 80)], Vec::new(), Caps::default());
    gate.world.name("a.example", &[&["93.184.216.1"]]);
    let asked = gate.world.serve("93.184.216.1", ok);
    let arguments = json!({ "url": "http://a.example/", "headers": { "X-Key": gate.handle() } });
    assert_eq!(gate.data(&arguments), Err("insecure_secret".to_owned()));
    assert!(asked.lock().unwrap().is_empty());
}

#[test]
fn a_handle_that_is_none_stops_the_request_before_it_starts() {
    let gate = gate();
    gate.world.name("a.example", &[&["93.184.216.1"]]);
    for value in [json!({ "$secret": "tgh1:header:1:2:3:4" }), json!({ "secret": "x" }), json!(7), json!([])]
    {
        assert!(gate.data(&json!({ "url": "http://a.example/", "headers": { "X-Key": value } })).is_err());
    }
    assert!(gate.connected().is_empty());
}

#[test]
fn what_was_not_decided_about_is_not_sent() {
    let gate = gate();
    gate.world.name("a.example", &[&["93.184.216.1"]]);
    let decided =
        json!({ "url": "http://a.example/", "method": "POST", "body": "a", "headers": { "X-One": "1" } });
    let mut asked = gate.asked(&decided);
    for other in [
        json!({ "url": "http://a.example/", "method": "POST", "body": "b", "headers": { "X-One": "1" } }),
        json!({ "url": "http://a.example/", "method": "POST", "body": "a", "headers": { "X-Two": "1" } }),
        json!({ "url": "http://a.example/", "method": "POST", "headers": { "X-One": "1" } }),
    ] {
        asked.arguments = other.to_string().parse().unwrap();
        let fault = gate.egress.fetch(&asked.errand(), &gate.vault).unwrap_err();
        assert_eq!(fault.class(), "bad_request");
    }
    assert!(gate.connected().is_empty());
}
