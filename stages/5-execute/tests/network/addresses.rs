//! Which machine is spoken to.

use serde_json::json;

use crate::world::{Gate, gate, gate_with, named, ok};
use call::{Fault, Host, HostPattern};
use execute::network::Caps;

#[test]
fn a_page_is_fetched_from_the_address_that_was_looked_at() {
    let gate = gate();
    gate.world.name("good.example", &[&["93.184.216.34"]]);
    let asked = gate.world.serve("93.184.216.34", ok);
    let done = gate.fetch(&json!({ "url": "http://GOOD.example./a?b" })).unwrap();
    insta::assert_snapshot!(done.summary, @"GET http://good.example/a?b: 200, 5 characters of text");
    assert!(done.untrusted);
    assert_eq!(done.artifacts, [format!("url_sha256:{}", call::Sha256::of(b"http://good.example/a?b"))]);
    assert_eq!(gate.connected(), ["93.184.216.34:80"]);
    let asked = asked.lock().unwrap();
    assert!(asked[0].starts_with("GET /a?b HTTP/1.1\r\nHost: good.example\r\n"), "{asked:?}");
    assert!(!asked[0].to_lowercase().contains("cookie"), "{asked:?}");
}

#[test]
fn no_name_leads_to_a_private_address() {
    let gate = gate();
    for address in [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "::1",
        "fe80::1",
        "fd00:ec2::254",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "168.63.129.16",
    ] {
        gate.world.name("inside.example", &[&[address]]);
        gate.world.serve(address, ok);
        assert_eq!(gate.get("http://inside.example/"), Err("private_address".to_owned()), "{address}");
    }
    assert!(gate.connected().is_empty(), "{:?}", gate.connected());
}

#[test]
fn what_a_skill_lists_may_lie_inside_for_a_call_of_that_skill_alone() {
    let gate = gate();
    let lists = [
        ("reader", vec![named("inside.example", 80), address("10.0.0.9")]),
        ("writer", vec![named("inside.example", 80)]),
        ("other", vec![named("other.example", 80)]),
    ];
    let of_skills = lists.map(|(skill, list)| (skill.parse().unwrap(), list)).into();
    let gate = Gate { egress: gate.egress.with_skills(of_skills), ..gate };
    gate.world.name("inside.example", &[&["10.0.0.8"]]);
    for address in ["10.0.0.8", "10.0.0.9"] {
        gate.world.serve(address, ok);
    }
    for (skills, url, is_reached) in [
        ("reader", "http://inside.example/", true),
        ("reader", "http://10.0.0.9/", true),
        ("reader", "http://10.0.0.8/", false),
        ("reader/writer", "http://inside.example/", true),
        ("reader/writer", "http://10.0.0.9/", false),
        ("reader/other", "http://inside.example/", false),
        ("reader/none", "http://inside.example/", false),
        ("none", "http://inside.example/", false),
        ("", "http://inside.example/", false),
    ] {
        let mut asked = gate.asked(&json!({ "url": url }));
        if !skills.is_empty() {
            asked.actor.skills = skills.parse().unwrap();
        }
        let reached = gate.egress.fetch(&asked.errand(), &gate.vault);
        let class = reached.as_ref().err().map(Fault::class);
        assert_eq!(class, (!is_reached).then_some("private_address"), "{skills} {url}");
    }
}

fn address(text: &str) -> HostPattern {
    HostPattern { host: Host::Address(text.parse().unwrap()), port: None }
}

#[test]
fn no_spelling_of_a_private_address_is_spoken_to() {
    let gate = gate();
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "169.254.169.254",
        "[fd00:ec2::254]",
        "0",
        "[::]",
    ] {
        assert_eq!(gate.get(&format!("http://{host}/")), Err("private_address".to_owned()), "{host}");
    }
    assert!(gate.connected().is_empty());
}

#[test]
fn a_name_that_changes_its_mind_is_asked_only_once() {
    let gate = gate();
    gate.world.name("rebinds.example", &[&["93.184.216.34"], &["127.0.0.1"]]);
    gate.world.serve("93.184.216.34", ok);
    gate.world.serve("127.0.0.1", ok);
    assert_eq!(gate.get("http://rebinds.example/").unwrap()["text"], "hello");
    assert_eq!(gate.connected(), ["93.184.216.34:80"]);
    assert_eq!(gate.world.resolved.lock().unwrap().len(), 1);
    // The next request asks anew, and looks anew.
    assert_eq!(gate.get("http://rebinds.example/"), Err("private_address".to_owned()));
}

#[test]
fn of_several_addresses_only_public_ones_are_tried() {
    let gate = gate();
    gate.world.name("half.example", &[&["10.0.0.1", "93.184.216.34"]]);
    gate.world.serve("10.0.0.1", ok);
    gate.world.serve("93.184.216.34", ok);
    assert_eq!(gate.get("http://half.example/").unwrap()["status"], 200);
    assert_eq!(gate.connected(), ["93.184.216.34:80"]);
}

#[test]
fn a_host_that_is_listed_by_name_may_be_inside() {
    let subdomains = HostPattern { host: Host::Subdomains("corp.example".to_owned()), port: Some(80) };
    let address = HostPattern { host: Host::Address([127, 0, 0, 2].into()), port: Some(80) };
    let gate =
        gate_with(vec![named("wiki.house.example", 80), subdomains, address], Vec::new(), Caps::default());
    for name in ["wiki.house.example", "wiki.corp.example", "other.example"] {
        gate.world.name(name, &[&["127.0.0.2"]]);
    }
    gate.world.serve("127.0.0.2", ok);
    let denied = Err("private_address".to_owned());
    assert_eq!(gate.get("http://wiki.house.example/").unwrap()["text"], "hello");
    assert_eq!(gate.get("http://127.0.0.2/").unwrap()["text"], "hello");
    assert_eq!(gate.get("http://wiki.house.example:81/"), denied);
    assert_eq!(gate.get("http://wiki.corp.example/"), denied);
    assert_eq!(gate.get("http://other.example/"), denied);
    assert_eq!(gate.get("http://127.0.0.3/"), denied);
    gate.world.name("wiki.house.example", &[&["169.254.169.254"]]);
    assert_eq!(gate.get("http://wiki.house.example/"), denied);
}

#[test]
fn a_name_without_an_address_is_an_error_and_no_denial() {
    let gate = gate();
    gate.world.name("empty.example", &[&[]]);
    gate.world.name("down.example", &[&["93.184.216.99"]]);
    for (url, class) in [
        ("http://nowhere.example/", "dns"),
        ("http://empty.example/", "dns"),
        ("http://down.example/", "connect"),
    ] {
        let fault = gate.fetch(&json!({ "url": url })).unwrap_err();
        assert!(matches!(fault, Fault::Failed { class: own, .. } if own == class), "{fault:?}");
    }
}
