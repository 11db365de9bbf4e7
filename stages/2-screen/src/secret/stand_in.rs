//! Values that stand where a credential would be, and are none.
//!
//! Placeholders, documented examples, sequences, repetitions. And the opposite question: does a
//! value look as if it had been drawn at random?

/// Parts of words that only stand-ins contain.
const TELLING: &[&str] = &[
    "example",
    "xxxx",
    "your",
    "dummy",
    "placeholder",
    "redacted",
    "changeme",
    "change_me",
    "change-me",
    "insert",
    "replace",
    "sample",
    "fake",
    "goes_here",
    "goes-here",
    "goeshere",
    "todo",
    "notreal",
    "not-real",
    "not_real",
    "lorem",
    "foobar",
    "withheld",
    "removed",
    "hidden",
    "masked",
    "censored",
    "secret_here",
    "token_here",
    "key_here",
    "token-here",
    "key-here",
    "my_token",
    "my-token",
    "my_secret",
    "my-secret",
    "mysecret",
    "mytoken",
    "some_",
    "some-",
    "deadbeef",
    "cafebabe",
    "invalid",
    "revoked",
    "synthetic",
    "test_token",
    "test-token",
    "abcdef123456",
    "123456abcdef",
    "sflkxwrjsmekkf2qt4fwpmejf36pok6yjv_adqssw5c",
    "qwxhzgrpbjpvcgvuihnlc2ftzq",
    // The examples of RFC 6749 and RFC 6750, which every manual of OAuth repeats.
    "2yotnfzfejr1zcsicmwpaa",
    "tgzv3jokf0xg5qx2tlkwia",
    "czzcagrsa3f0mzpnwdfmqmf0m2jw",
    "7fjfp0zbr1ktdrbnfvdmiw",
    "mf_9.b5f-4.1jqm",
    // The UUIDs of manuals.
    "550e8400-e29b-41d4",
    "123e4567-e89b-12d3",
];

/// Whole values that are stand-ins: names of the thing itself, and the passwords of manuals.
const WHOLE: &[&str] = &[
    "password",
    "passwd",
    "pass",
    "pwd",
    "pw",
    "secret",
    "token",
    "key",
    "apikey",
    "api_key",
    "user",
    "username",
    "none",
    "null",
    "nil",
    "undefined",
    "true",
    "false",
    "empty",
    "test",
    "testing",
    "password123",
    "password1",
    "pass123",
    "pass1234",
    "passw0rd",
    "p@ssw0rd",
    "p4ssw0rd",
    "secret123",
    "abc123",
    "test123",
    "test1234",
    "admin123",
    "s3cr3t",
    "s3cret",
    "token123",
    "foo",
    "bar",
    "baz",
    "tbd",
    "n/a",
    "na",
    "required",
    "optional",
    "basic",
    "bearer",
    "12345678",
    "1234",
    "123456",
    "qwerty",
    "letmein",
    "admin",
    "root",
    "guest",
    "postgres",
    "mysecretpassword",
    "correcthorsebatterystaple",
    "p@55w0rd",
    "pa55w0rd",
    "pa$$w0rd",
    "pa$$word",
    "changeit",
    "opensesame",
    "tiger",
    "anoncvs",
    "abc",
    "xyz",
];

/// Is this a stand-in?
pub(super) fn is_stand_in(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let core = lower.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    // `secret1`, `admin123`: a number behind the word does not make it a secret.
    let digits = core.bytes().rev().take(4).take_while(u8::is_ascii_digit).count();
    let unnumbered = core.get(..core.len() - digits).unwrap_or(core);
    WHOLE.contains(&lower.as_str())
        || WHOLE.contains(&core)
        || WHOLE.contains(&unnumbered)
        || TELLING.iter().any(|part| lower.contains(part))
        || has_marks(value)
        || is_made_of_stand_ins(core)
        || is_monotonous(core.as_bytes())
        || is_sequence(core.as_bytes())
        || is_periodic(core.as_bytes())
}

/// `s3cret-test`, `my_test_passw0rd_1`: words that stand for a secret, and others that say what it is for. Digits
/// that stand for letters do not make another word of one.
fn is_made_of_stand_ins(core: &str) -> bool {
    #[rustfmt::skip]
    const BESIDE: &[&str] = &[
        "my", "the", "a", "test", "tests", "testing", "demo", "dev", "local", "super", "very", "new", "old", "wrong", "bad", "good",
        "other", "first", "second", "plain", "mock", "stub", "for", "is", "not", "so", "top", "shared", "default", "unit",
    ];
    let plain = |letter: char| match letter {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    };
    let parts = || core.split(['-', '_', '.', ' ']).filter(|part| !part.is_empty());
    let is_count = |part: &str| part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let names = |part: &str| {
        let word: String = part.chars().map(plain).collect();
        WHOLE.contains(&part) || WHOLE.contains(&&*word)
    };
    parts().count() >= 2
        && parts().any(names)
        && parts().all(|part| names(part) || BESIDE.contains(&part) || is_count(part))
}

/// Marks that are written around a name, or instead of a value.
fn has_marks(value: &str) -> bool {
    const MARKS: &[&str] =
        &["<", ">", "{{", "}}", "${", "$(", "***", "...", "…", "[[", "%s", "%d", "???", "###", "___", "•"];
    let bytes = value.as_bytes();
    let variable = bytes.first() == Some(&b'$')
        && bytes
            .iter()
            .skip(1)
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    let percent = value.len() > 2 && value.starts_with('%') && value.ends_with('%');
    let braces = value.starts_with('{') && value.ends_with('}');
    let brackets = value.starts_with('[') && value.ends_with(']');
    variable || percent || braces || brackets || MARKS.iter().any(|mark| value.contains(mark))
}

/// Very few different characters for the length: `xxxxxxxx`, `0000-0000`.
fn is_monotonous(value: &[u8]) -> bool {
    let mut seen = [false; 256];
    for &byte in value {
        if let Some(place) = seen.get_mut(usize::from(byte)) {
            *place = true;
        }
    }
    let different = seen.iter().filter(|&&seen| seen).count();
    value.len() >= 6 && (different <= 2 || different * 6 <= value.len().min(60))
}

/// Mostly steps of one: `1234567890abcdef`, `ABCDEFGHIJKL`.
fn is_sequence(value: &[u8]) -> bool {
    let steps = value.iter().zip(value.iter().skip(1));
    let ascending = |(&left, &right): (&u8, &u8)| {
        right == left.wrapping_add(1)
            || right == left.wrapping_sub(1)
            || matches!(
                (left, right),
                (b'9' | b'z' | b'Z', b'0') | (b'9' | b'0', b'a' | b'A') | (b'f' | b'F', b'0' | b'1')
            )
    };
    let ascents = steps.filter(|&step| ascending(step)).count();
    value.len() >= 8 && ascents * 10 >= (value.len() - 1) * 7
}

/// The same few characters again and again: `abc123abc123abc123`.
fn is_periodic(value: &[u8]) -> bool {
    let repeats = |period: usize| {
        let shifted = value.iter().zip(value.iter().skip(period));
        value.len() >= period * 3 && shifted.into_iter().all(|(left, right)| left == right)
    };
    value.len() >= 12 && (1..=10).any(repeats)
}

/// Letters with digits among them, or letters whose case changes without reason.
pub(super) fn looks_random(value: &str) -> bool {
    let bytes = value.as_bytes();
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    if is_wordy(value) {
        return false;
    }
    let capitals = bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    // In `CamelCase` capitals are few; drawn at random, they are about half.
    let mixed = capitals * 3 > letters && (letters - capitals) * 3 > letters;
    (letters > 0 && digits > 0) || (digits == 0 && letters >= 16 && mixed)
}

/// The same of something shorter: a part of a value.
pub(super) fn looks_drawn(value: &str) -> bool {
    let bytes = value.as_bytes();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    !is_wordy(value) && letters > 0 && (digits > 0 || case_changes(bytes) >= 3)
}

/// How often upper and lower case meet. A word has one such place at most, `CamelCase` three.
fn case_changes(bytes: &[u8]) -> usize {
    let pairs = bytes.iter().zip(bytes.iter().skip(1)).filter(|(left, right)| {
        left.is_ascii_alphabetic()
            && right.is_ascii_alphabetic()
            && left.is_ascii_lowercase() != right.is_ascii_lowercase()
    });
    pairs.count()
}

/// Words, numbers and versions with separators between them: `see-section-4`, `my.app.v2`.
pub(super) fn is_wordy(value: &str) -> bool {
    let mut parts = 0;
    for part in value.split(['-', '_', '.', '/', ':', ' ', ',']).filter(|part| !part.is_empty()) {
        parts += 1;
        let bytes = part.as_bytes();
        let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let number = bytes.len() - letters;
        let rest_is_number = bytes.iter().skip(letters).all(u8::is_ascii_digit);
        let capitals = bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count();
        let word = number == 0 && (case_changes(bytes) <= 2 || capitals * 3 <= letters);
        // A version or a small count may follow the letters; a long number is no word.
        let numbered = rest_is_number && number <= 2 && letters <= 12 && case_changes(bytes) <= 1;
        let plain_number = letters == 0 && rest_is_number && number <= 4;
        if !(word || numbered || plain_number) {
            return false;
        }
    }
    parts >= 2 || value.bytes().all(|byte| byte.is_ascii_alphabetic() && byte.is_ascii_lowercase())
}
