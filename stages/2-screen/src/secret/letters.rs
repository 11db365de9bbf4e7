//! Do letters look like a word, or like nothing that anybody says?
//!
//! Told by pairs of letters: of two letters that follow each other in a word, hardly any pair is one of
//! those that words do without. Drawn at random, every second one is.

/// For each letter, those that follow it in ordinary words: counted over the words that occur in
/// several files of the documentation and sources of some hundred libraries.
#[rustfmt::skip]
const FOLLOWERS: [&str; 26] = [
    "abcdefgiklmnprstuvwxy",        // a
    "abcdefilorstuy",               // b
    "abcdefhiklmnoprstuy",          // c
    "abcdefgilmnoprstuv",           // d
    "abcdefgiklmnopqrstuvwxy",      // e
    "abcdefilorstuy",               // f
    "aeghilmnorsu",                 // g
    "adeilmorstuy",                 // h
    "abcdefgklmnoprstvxz",          // i
    "aeou",                         // j
    "aeils",                        // k
    "acdefgiklnopstuvy",            // l
    "abdeilmopstuv",                // m
    "abcdefghiklmnoprstuvy",        // n
    "abcdefgiklmnoprstuvwx",        // o
    "acehiklmoprstuy",              // p
    "u",                            // q
    "abcdefgiklmnoprstuvy",         // r
    "acdefghiklmnoprstuwy",         // s
    "abcdefghilmnoprstuwxy",        // t
    "abcdefgilmnoprst",             // u
    "aeio",                         // v
    "aehinors",                     // w
    "aceiptx",                      // x
    "eilmnpst",                     // y
    "aei",                          // z
];

/// Shorter words may be names of anything.
const SHORTEST: usize = 12;

/// Nothing but letters, of which a third of the pairs are strange.
pub(super) fn is_gibberish(value: &str) -> bool {
    let bytes = value.as_bytes();
    if bytes.len() < SHORTEST || !bytes.iter().all(u8::is_ascii_alphabetic) {
        return false;
    }
    let strange = |(first, second): (&u8, &u8)| {
        let place = usize::from(first.to_ascii_lowercase().wrapping_sub(b'a'));
        let second = char::from(second.to_ascii_lowercase());
        FOLLOWERS.get(place).is_some_and(|followers| !followers.contains(second))
    };
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    pairs.filter(|&pair| strange(pair)).count() * 3 >= bytes.len() - 1
}

#[cfg(test)]
mod tests {
    use super::is_gibberish;

    #[test]
    fn words_are_told_from_what_was_drawn() {
        let cases = [
            // value, was it drawn?
            ("CBiJmpflvJfupxqZ", true),
            ("hqzxwvkpjtrnmbgd", true),
            ("zqxvkjwpqhgfbtrmzxcv", true),
            ("qzxwvkp", false),
            ("correcthorsebatterystaple", false),
            ("PasswordResetRequired", false),
            ("HTTPSConnectionPool", false),
            ("kubernetesDashboardTLSCert", false),
            ("xmlHttpRequestToken", false),
            ("benutzerverwaltung", false),
            ("Strengstgeheimhaltung", false),
            ("abracadabraabracadabra", false),
        ];
        for (value, want) in cases {
            assert_eq!(is_gibberish(value), want, "{value}");
        }
    }
}
