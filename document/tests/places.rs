//! Lines and columns, whatever the document is made of.

mod request;

use document::Profile;
use request::{Request, check_text, placed};

fn places(text: &str) -> String {
    let checked = check_text(text, None, Profile::Strict);
    checked.findings.iter().map(placed).collect::<Vec<_>>().join(", ")
}

/// Where `needle` stands, counted by hand: lines by LF, columns by characters.
fn place_of(text: &str, needle: &str) -> String {
    let (before, _) = text.split_once(needle).unwrap_or((text, ""));
    let line = before.matches('\n').count() + 1;
    let last = before.rsplit('\n').next().unwrap_or_default();
    let column = last.trim_start_matches('\u{feff}').chars().count() + 1;
    format!("{line}:{column}")
}

#[test]
fn a_finding_points_at_what_is_wrong() {
    let wide = "Zähle 日本 und 🚀";
    let request = Request::new()
        .with("purpose", wide)
        .with("network", "full")
        .command("python -u script.py --title '日本 🚀'\t/etc/passwd");
    for text in [request.text(), request.text().replace('\n', "\r\n"), format!("\u{feff}{}", request.text())]
    {
        let network = place_of(&text, "full");
        let path = place_of(&text, "/etc/passwd");
        let mark = if text.starts_with('\u{feff}') { "TR003 1:1, " } else { "" };
        assert_eq!(places(&text), format!("{mark}TR117 {network}, TR314 {path}"), "{text:?}");
    }
}

#[test]
fn findings_come_in_the_order_of_the_document_and_all_at_once() {
    let request = Request::new()
        .with("schema_version", "2")
        .with("language", "bash")
        .with("time_limit_sec", "0")
        .command("python a.py; ls")
        .replace("- Risk level: low", "- Risk level: tiny");
    let checked = request.checked();
    let codes: Vec<_> = checked.findings.iter().map(|f| f.rule.code).collect();
    assert_eq!(codes, ["TR102", "TR116", "TR126", "TR317", "TR306", "TR214"]);
    let starts: Vec<_> = checked.findings.iter().map(|f| f.span.start).collect();
    assert!(starts.is_sorted());
    let again: Vec<_> = request.checked().findings;
    assert_eq!(checked.findings, again);
}

#[test]
fn a_value_behind_wide_characters_in_the_front_matter_is_placed_by_characters() {
    let request = Request::new().with("constraints", "[\"日本\", \"é\u{301}\", \"a\\tb\"]");
    let text = request.text();
    assert_eq!(places(&text), format!("TR016 {}", place_of(&text, "\"a\\tb\"")));
}

#[test]
fn a_missing_section_is_reported_at_the_end_and_a_missing_key_at_the_top() {
    let request = Request::new().without("language").replace("## Risk Assessment", "### Risk Assessment");
    let text = request.text();
    let lines = text.matches('\n').count() + 1;
    assert_eq!(places(&text), format!("TR014 1:1, TR201 {lines}:1"));
}
