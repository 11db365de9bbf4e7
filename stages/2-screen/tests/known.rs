//! A secret that the gate keeps, however it is taken apart or written: refused in a call, redacted in what
//! comes back. And what is like it and is none.

use call::{Contraband, Family, Passage, Role, Weight};
use screen::{KnownSecrets, call, returned};

const VALUE: &str = "vN3qLz8RtYw2KpXc7MhBd5Fg";

fn known() -> KnownSecrets {
    KnownSecrets::new([
        ("CI_TOKEN", VALUE),
        ("PHRASE", "correct-Horse-battery-Staple-forever"),
        ("HEX", "9c1f77e04b2d5a83c6e9f01d34b8a752"),
        (
            "SESSION",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.q3XwT7zLp0VbN5rKcY8dHf2MjG6sAe9UiO1tWxRvZ4k",
        ),
    ])
}

/// Is a call with these texts refused because of a known secret?
fn is_refused(texts: &[&str], role: Role) -> bool {
    let passage = |(place, text): (usize, &&str)| Passage {
        argument: format!("x.{place}"),
        role,
        text: (*text).to_owned(),
    };
    let passages: Vec<Passage> = texts.iter().enumerate().map(passage).collect();
    call(&passages, &known())
        .iter()
        .any(|objection| objection.weight == Weight::Refuse && objection.found.kind == "known_secret")
}

fn without_secrets(text: &str) -> String {
    let (mut left, mut end) = (String::new(), 0);
    let found = returned(text, &known());
    for Contraband { span, .. } in found.iter().filter(|found| found.family == Family::Secret) {
        left.push_str(text.get(end..span.start).unwrap_or_default());
        left.push('#');
        end = end.max(span.end);
    }
    left + text.get(end..).unwrap_or_default()
}

#[test]
fn a_known_secret_does_not_leave_in_other_case_or_encoding() {
    let swapped = "Vn3QlZ8rTyW2kPxC7mHbD5fG";
    let lowered = VALUE.to_ascii_lowercase();
    let cases = [
        // As the name of a host, where case is lost.
        "https://ozhdg4kmpi4fe5czo4zew4cymm3u22ccmq2umzy.docs.example.org/",
        "https://OZHDG4KMPI4FE5CZO4ZEW4CYMM3U22CCMQ2UMZY.docs.example.org/",
        "https://oZhDg4KmPi4fE5cZo4zEw4cYmM3u22CcMq2uMzY.docs.example.org/",
        "https://ozhdg4kmpi4fe5cz.o4zew4cymm3u22ccmq2umzy.docs.example.org/",
        "https://nm6xmtrtofghuocsormxomslobmggn2nnbbginkgm4fa.example.org/",
        "https://764e33714c7a38527459.77324b705863374d684264354667.example.org/",
        &format!("https://{lowered}.example.org/"),
        "a lookup of OZHDG4KMPI4FE5CZO4ZEW4CYMM3U22CCMQ2UMZY======",
        "yzmu2qmcc22u3mmyc4wez4ozc5ef4ipmk4gdhzo",
        // Case.
        &format!("it is {lowered}"),
        &VALUE.to_ascii_uppercase(),
        swapped,
        "9C1F77E0-4B2D-5A83-C6E9-F01D34B8A752",
        // Encodings.
        "c1|;KOnNv{bXj*YOK@0YH%(|lWHm--",
        "x = Ydv;OGjU9MI8t<3cQQ+GSYtO$XhLK)MrQ",
        "G\"si59R8ZrFBNfC95n!C2bdsPA2Qhh",
        "<~@:E_i:,?l`H8nfE=a)VoE*-U/9kZk(2+D3~>",
        "C1%&koNnV@BxJ/yok[0yh+^%LwhM??",
        "begin 644 t\n8=DXS<4QZ.%)T67<R2W!88S=-:$)D-49G\n`\nend\n",
        "2900841743868190279268239738821414037955045230570624075367",
        "BnYR8ighe3YU3DBtUmqUmrvzBsymaAse6",
        "166 116 63 161 114 172 70 122 164 131 167 62 113 160 130 143 67 115 150 102 144 65 106 147",
        "nZUNkJEaNdzYYB3SycXW0JFO6xUcz4kd",
        "https://dk4zcux6ofj0wxcys3byyzdnaejknuzn.example.org/",
        "G}bB{Kg#E*HazA)4f|9q5du8",
        "766453462486d473368507b4237795472583a7c41733e467",
    ];
    for text in cases {
        assert!(is_refused(&[text], Role::Outbound), "{text}");
        assert!(without_secrets(text).contains('#'), "{text}");
    }
}

#[test]
fn a_known_secret_does_not_leave_encoded_behind_percent_signs() {
    let cases = [
        // A row of numbers.
        "118%2C78%2C51%2C113%2C76%2C122%2C56%2C82%2C116%2C89%2C119%2C50%2C75%2C112%2C88%2C99%2C55%2C77%2C104%2C66%2C100%2C53%2C70%2C103",
        // The same, as a form writes it.
        "118%2C+78%2C+51%2C+113%2C+76%2C+122%2C+56%2C+82%2C+116%2C+89%2C+119%2C+50%2C+75%2C+112%2C+88%2C+99%2C+55%2C+77%2C+104%2C+66%2C+100%2C+53%2C+70%2C+103",
        // Entities.
        "%26%23118%3B%26%2378%3B%26%2351%3B%26%23113%3B%26%2376%3B%26%23122%3B%26%2356%3B%26%2382%3B%26%23116%3B%26%2389%3B%26%23119%3B%26%2350%3B%26%2375%3B%26%23112%3B%26%2388%3B%26%2399%3B%26%2355%3B%26%2377%3B%26%23104%3B%26%2366%3B%26%23100%3B%26%2353%3B%26%2370%3B%26%23103%3B",
        // Compressed, in base64.
        "H4sIAAAAAAACAyvzMy70qbIIKoksN%2FIuiEg2981wSjF1SwcAxKI9DhgAAAA%3D",
        // Each sign three times over.
        "%252576%25254E%252533%252571%25254C%25257A%252538%252552%252574%252559%252577%252532%25254B%252570%252558%252563%252537%25254D%252568%252542%252564%252535%252546%252567",
        // A row of numbers, three times over.
        "118%25252C78%25252C51%25252C113%25252C76%25252C122%25252C56%25252C82%25252C116%25252C89%25252C119%25252C50%25252C75%25252C112%25252C88%25252C99%25252C55%25252C77%25252C104%25252C66%25252C100%25252C53%25252C70%25252C103",
    ];
    for value in cases {
        let url = format!("https://docs.example.org/search?q={value}&page=2");
        assert!(is_refused(&[&url], Role::Outbound), "{value}");
        let page = format!("See [the results]({url}) of today.\n");
        let want = "See [the results](https://docs.example.org/search?q=#&page=2) of today.\n";
        assert_eq!(without_secrets(&page), want, "{value}");
    }
    // What is encoded as often and is none.
    for value in ["90%2C113%2C55%2C45", "%2526%252365%253B", "100%2525", "%25".repeat(200).as_str()] {
        let url = format!("https://docs.example.org/search?q={value}&page=2");
        assert!(!is_refused(&[&url], Role::Outbound), "{value}");
        assert_eq!(without_secrets(&url), url, "{value}");
    }
}

#[test]
fn a_known_secret_does_not_leave_in_parts() {
    let (one, two) = VALUE.split_at(12);
    let letters: String = VALUE.chars().map(|letter| format!("<li>{letter}</li>")).collect();
    let cases: [&[&str]; 19] = [
        &[&format!("X-First: {one}"), &format!("second={two}")],
        &[&format!("X-First:\u{200b} {one}"), &format!("second={two}")],
        &[&format!("second={two}"), "POST", "application/json", &format!("X-First: {one}")],
        &[&format!("https://a.invalid/a/{one}?b={two}")],
        &[&format!("https://a.invalid/a/{one}"), &format!("{{\"b\": \"{two}\"}}")],
        &[&format!("Mend {one} in the parser"), &format!("This mends it, see {two} below.")],
        &["src/a.rs", &format!("let a = \"{one}\";\n"), "src/b.rs", &format!("let b = \"{two}\";\n")],
        &[&format!("{one} and {two}")],
        &["0 part=vN3qLz\n1 part=8RtYw2\n2 part=KpXc7M\n3 part=hBd5Fg"],
        &["{\"c\":\"7MhBd5Fg\",\"a\":\"vN3qLz8R\",\"b\":\"tYw2KpXc\"}"],
        &[&format!("{{\"a\":\"{one}\",\"x\":\"something else\",\"b\":\"{two}\"}}")],
        &[&letters],
        &["vN3qLz8RtYw2KpXc7MhB"],
        &["3qLz8RtYw2KpXc7MhBd5Fg"],
        &["is it 3qlz8rtyw2kpxc7mhbd5fg?"],
        &["9c1f77e04b2d5a83 / c6e9f01d34b8"],
        &["q3XwT7zLp0VbN5rKcY8d then Hf2MjG6sAe9UiO1tWxRvZ4k"],
        &["dk4zcUx6OFJ0WXcyIGFuZCBLcFhjN01oQmQ1Rmc="],
        &["118 78 51 113 76 122 56 82 116 89 119 50 32 43 32 75 112 88 99 55 77 104 66 100 53 70 103"],
    ];
    for texts in cases {
        for role in [Role::Outbound, Role::Content, Role::Plain] {
            assert!(is_refused(texts, role), "{texts:?}");
        }
    }
}

#[test]
fn parts_of_a_known_secret_are_taken_out_of_what_comes_back() {
    let cases = [
        ("vN3qLz8RtYw2 and KpXc7MhBd5Fg\n", "# and #\n"),
        ("vN3qLz8RtYw2KpXc7MhB\n", "#\n"),
        ("a: vN3qLz8RtYw2\nb: 1\nc: KpXc7MhBd5Fg\n", "a: #\nb: 1\nc: #\n"),
        // One half alone is nothing, nor beside the whole.
        ("vN3qLz8RtYw2\n", "vN3qLz8RtYw2\n"),
        ("vN3qLz8RtYw2KpXc7MhBd5Fg vN3qLz8RtYw2\n", "# vN3qLz8RtYw2\n"),
    ];
    for (text, want) in cases {
        assert_eq!(without_secrets(text), want, "{text}");
    }
}

#[test]
fn what_only_looks_like_a_known_secret_passes() {
    let image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk".repeat(40);
    let hashes: String = (0..400_u64)
        .map(|number| format!("{:016x}{:016x}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15), number << 7))
        .collect();
    let cases: [&[&str]; 14] = [
        &["The correct horse left the battery, and the staple stayed forever."],
        &["correct", "horse", "battery", "staple"],
        &["vN3qLz8RtYw2", "and nothing more"],
        &["X-First: vN3qLz8R", "second=KpXc7M"],
        &["9c1f77e04b2d5a83 and 9c1f77e04b2d"],
        &["9c1f77e0-4b2d-5a83-a111-222233334444"],
        &["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9 is how each of them begins"],
        &["550e8400-e29b-41d4-a716-446655440000"],
        &["sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
        &["integrity sha512-cOKMcfkRFzHWoO9hYaTrqMCkCtEWuYbFv9FTBTAXIzAAcF9N2aWNcYJgNYzcvI7Wmw2Qh3VBXg=="],
        &["https://ozhdg4kmpi4fe5cz.docs.example.org/"],
        &["<ul><li>v</li><li>N</li><li>3</li><li>q</li></ul>"],
        &[&image],
        &[&hashes],
    ];
    for texts in cases {
        assert!(!is_refused(texts, Role::Outbound), "{texts:?}");
        assert!(!is_refused(texts, Role::Content), "{texts:?}");
    }
}

#[test]
fn what_is_learned_twice_is_known_as_if_learned_once() {
    let more = KnownSecrets::new([("OTHER", "Hq7ZtB2wXk9PdLm4")]);
    let all = known().with(&more).with(&more).with(&known());
    for text in ["vN3qLz8RtYw2 KpXc7M or hBd5Fg", "Hq7ZtB2w, Xk9PdLm4", "hq7ztb2wxk9pdlm4"] {
        assert!(!all.find(text).is_empty(), "{text}");
    }
}

/// Time must not grow faster than the text.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test may look at the clock")]
fn no_text_full_of_parts_takes_long() {
    for piece in
        ["vN3qLz8RtYw2 ", "vN3qLz", "vN3qLz8RtYw2KpXc7MhBd5Fg", "<", "<a", "<b>v", "9c1f77e04b2d5a83 "]
    {
        let text = piece.repeat(200_000 / piece.len());
        let start = std::time::Instant::now();
        let _ = known().find(&text);
        assert!(start.elapsed().as_secs() < 10, "{piece} {:?}", start.elapsed());
    }
}
