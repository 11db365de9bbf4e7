//! Redirects: each hop is asked about, and nothing goes to a place that it was not meant for.

use call::{Fault, ReasonCode};
use serde_json::json;

use crate::world::{Gate, TOKEN, answer, gate, gate_with, named, ok, redirect};
use execute::network::Caps;

fn world() -> Gate {
    let mut gate = gate();
    gate.world.name("a.example", &[&["93.184.216.1"]]);
    gate.world.name("b.example", &[&["93.184.216.2"]]);
    gate.world.name("inside.example", &[&["10.0.0.1"]]);
    gate.origins = vec!["http://a.example", "http://b.example", "http://inside.example", "http://127.0.0.1"];
    gate
}

#[test]
fn a_redirect_is_followed_where_policy_allows_it() {
    let gate = world();
    gate.world.serve("93.184.216.1", redirect("302 Found", "http://b.example/next#part"));
    gate.world.serve("93.184.216.2", ok);
    let data = gate.get("http://a.example/").unwrap();
    assert_eq!((&data["url"], &data["text"]), (&json!("http://b.example/next"), &json!("hello")));
    assert_eq!(data["redirected_from"], json!(["http://a.example/"]));
    assert_eq!(*gate.hops.lock().unwrap(), ["GET http://b.example/next"]);
}

#[test]
fn no_hop_is_looked_up_that_policy_refuses() {
    let mut gate = world();
    gate.origins = vec!["http://a.example"];
    gate.world.serve("93.184.216.1", redirect("302 Found", "http://b.example/"));
    let served = gate.world.serve("93.184.216.2", ok);
    let fault = gate.fetch(&json!({ "url": "http://a.example/" })).unwrap_err();
    assert!(
        matches!(&fault, Fault::Denied(reason) if reason.code == ReasonCode::DOMAIN_NOT_ALLOWED),
        "{fault:?}"
    );
    assert_eq!(*gate.world.resolved.lock().unwrap(), ["a.example"]);
    assert!(served.lock().unwrap().is_empty());
}

#[test]
fn no_redirect_leads_inside() {
    for place in ["http://inside.example/", "http://127.0.0.1/", "http://0x7f.1/", "http://127.0.0.1./"] {
        let gate = world();
        gate.world.serve("93.184.216.1", redirect("307 Temporary Redirect", place));
        let inside = gate.world.serve("127.0.0.1", ok);
        assert_eq!(gate.get("http://a.example/"), Err("private_address".to_owned()), "{place}");
        assert!(inside.lock().unwrap().is_empty());
        assert_eq!(gate.connected(), ["93.184.216.1:80"]);
    }
}

#[test]
fn redirects_in_a_circle_or_without_end_are_ended() {
    let gate = world();
    gate.world.serve("93.184.216.1", redirect("301 Moved", "http://b.example/"));
    gate.world.serve("93.184.216.2", redirect("301 Moved", "http://a.example/"));
    assert_eq!(gate.get("http://a.example/"), Err("redirect_circle".to_owned()));
    let gate = world();
    let asked = gate.world.serve("93.184.216.1", |request, stream| {
        let number: u32 = request.split(['/', ' ']).nth(2).and_then(|text| text.parse().ok()).unwrap_or(0);
        answer(stream, "302 Found", &format!("Location: /{}\r\n", number + 1), b"");
    });
    assert_eq!(gate.get("http://a.example/"), Err("too_many_redirects".to_owned()));
    assert_eq!(asked.lock().unwrap().len(), 11);
}

#[test]
fn no_credential_goes_to_another_origin() {
    let mut gate =
        gate_with(vec![named("a.example", 80), named("a.example", 81)], Vec::new(), Caps::default());
    gate.world.name("a.example", &[&["10.0.0.1"]]);
    gate.world.name("b.example", &[&["93.184.216.2"]]);
    gate.origins = vec!["http://a.example", "http://b.example"];
    let first = gate.world.serve("10.0.0.1", |request, stream| {
        let to = if request.starts_with("GET /start") { "/second" } else { "http://b.example/third" };
        answer(stream, "302 Found", &format!("Location: {to}\r\n"), b"");
    });
    let second = gate.world.serve("93.184.216.2", ok);
    let headers = json!({
        "Authorization": gate.handle(), "X-Key": gate.handle(), "Cookie": "a=b", "X-Own": "own", "Accept": "text/*",
    });
    let data = gate.data(&json!({ "url": "http://a.example/start", "headers": headers })).unwrap();
    assert_eq!(data["status"], 200);
    let first = first.lock().unwrap().clone();
    assert_eq!(first.len(), 2);
    for request in &first {
        assert_eq!(request.matches(TOKEN).count(), 2, "{request}");
        assert!(request.contains("x-own: own"), "{request}");
    }
    let second = second.lock().unwrap().concat().to_lowercase();
    assert!(second.contains("accept: text/*"), "{second}");
    for header in [TOKEN, "authorization", "cookie", "x-key", "x-own"] {
        assert!(!second.contains(header), "{second}");
    }
    assert!(!data.to_string().contains(TOKEN));
}

#[test]
fn a_method_and_a_body_change_as_the_status_says() {
    let cases = [
        ("POST", "301 Moved", "GET", false),
        ("POST", "302 Found", "GET", false),
        ("POST", "303 See Other", "GET", false),
        ("POST", "307 Temporary Redirect", "POST", true),
        ("POST", "308 Permanent Redirect", "POST", true),
        ("PUT", "302 Found", "PUT", true),
        ("PUT", "303 See Other", "GET", false),
        ("DELETE", "307 Temporary Redirect", "DELETE", false),
        ("HEAD", "303 See Other", "HEAD", false),
    ];
    for (method, status, want, keeps) in cases {
        let gate = world();
        gate.world.serve("93.184.216.1", redirect(status, "http://b.example/"));
        let asked = gate.world.serve("93.184.216.2", ok);
        let mut arguments = json!({ "url": "http://a.example/", "method": method });
        if !matches!(method, "HEAD" | "DELETE") {
            arguments["body"] = json!("the body");
            arguments["headers"] = json!({ "Content-Type": "text/plain" });
        }
        gate.data(&arguments).unwrap();
        let asked = asked.lock().unwrap().concat();
        assert!(asked.starts_with(&format!("{want} / ")), "{method} {status}: {asked}");
        assert_eq!(asked.ends_with("the body"), keeps, "{method} {status}: {asked}");
        assert_eq!(asked.contains("content-type"), keeps, "{method} {status}: {asked}");
        assert_eq!(*gate.hops.lock().unwrap(), [format!("{want} http://b.example/")]);
    }
}

#[test]
fn what_is_no_redirect_is_an_answer() {
    for status in ["300 Multiple Choices", "304 Not Modified", "200 OK", "201 Created"] {
        let gate = world();
        gate.world.serve("93.184.216.1", redirect(status, "http://b.example/"));
        let data = gate.get("http://a.example/").unwrap();
        assert_eq!(data["status"].to_string(), status.split(' ').next().unwrap());
    }
    let gate = world();
    gate.world.serve("93.184.216.1", |_, stream| answer(stream, "302 Found", "", b"nowhere"));
    assert_eq!(gate.get("http://a.example/").unwrap()["text"], "nowhere");
}
