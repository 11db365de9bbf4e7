//! Names that are not what a person who reads them takes them for.
//!
//! A branch `main` with an unseen sign behind it is another branch to git, and the protected one to whoever
//! approves the call and to some forges. Such names are refused, and never read as the one they resemble. Letters
//! of all languages are names: only what cannot be seen, what is drawn as a plain letter, and words of two
//! alphabets that share their shapes are not.

use std::sync::LazyLock;

use regex::Regex;

/// Control signs, turns of direction, whatever takes no room, and what is no character at all. Signs that join or part
/// letters, and the one that makes an emoji of a sign, belong behind what they are made for.
const UNSEEN: &str = r"[[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\x{2800}]--[\x{200C}\x{200D}\x{FE0F}]]|(?:^|[\p{ASCII}\p{Latin}\p{Greek}\p{Cyrillic}\p{Han}])[\x{200C}\x{200D}\x{FE0F}]|[\x{200C}\x{200D}\x{FE0F}][A-Za-z0-9]|[\x{200C}\x{200D}][\x{200C}\x{200D}\x{FE0F}]|\x{FE0F}[\x{200C}\x{FE0F}]";

/// Letters, digits and slashes drawn wide, small, in circles, as mathematics, raised, struck through, or as one sign
/// for two.
const DRAWN: &str = r"[\x{FF01}-\x{FF5E}\x{1D400}-\x{1D7FF}\x{2460}-\x{24FF}\x{1F100}-\x{1F1FF}\x{2070}-\x{209F}\x{2100}-\x{2102}\x{2104}-\x{2108}\x{210A}-\x{2115}\x{2117}-\x{211F}\x{2124}\x{2128}-\x{218F}\x{FB00}-\x{FB06}\x{FE50}-\x{FE6F}\x{02B0}-\x{02B8}\x{1D2C}-\x{1D6A}\x{1D9C}-\x{1DBF}\x{2044}\x{2215}\x{2571}\x{29F8}\x{017F}\x{0334}-\x{0338}\x{20D2}\x{20D3}\x{20D8}-\x{20DA}\x{20E5}-\x{20EB}]|[ij]\x{0307}";

/// Letters of other alphabets that look like plain ones: Cyrillic, Greek, Armenian, some whole alphabets, phonetics.
const ALIKE: &str = r"[авеԁгһіјкӏмнопԛрѕтуүѵԝхсАВЕЗІЈКӀМНОРЅТУҮХСԌԚԜҺαγηικνορτυχϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϿոսօցհզքյաՕՏՍԼ\p{Cherokee}\p{Coptic}\p{Lisu}\x{0251}\x{0261}\x{026A}\x{0274}\x{0280}\x{0299}\x{029C}\x{029F}\x{1D00}-\x{1D25}]";

/// Usual names of protected branches that have an `i`. Without its dot it is a letter of Turkish, and no other sign.
const DOTTED: &[&str] = &["main", "mainline", "production", "staging", "integration"];

static UNSEEN_SIGNS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(UNSEEN).ok());

/// The last two are words in which plain letters stand beside those that have the same shapes.
static LOOK_ALIKES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let within = r"[\p{L}\p{M}\p{N}]*";
    Regex::new(&format!("{DRAWN}|[A-Za-z]{within}{ALIKE}|{ALIKE}{within}[A-Za-z]")).ok()
});

/// What is wrong with a name that resembles another one.
pub(super) fn resembles(name: &str) -> Option<&'static str> {
    if name.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    // An expression that cannot be compiled would refuse every such name; a test has each of them.
    let is_in = |regex: &Option<Regex>| regex.as_ref().is_none_or(|regex| regex.is_match(name));
    let dotted = name.to_lowercase().replace('ı', "i");
    if is_in(&UNSEEN_SIGNS) {
        Some("must hold no signs that cannot be seen: no zero-width, control or direction characters")
    } else if is_in(&LOOK_ALIKES) || DOTTED.contains(&dotted.as_str()) {
        Some("must hold no look-alikes of plain letters: another branch would be read in their place")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::resembles;

    #[test]
    fn a_name_that_reads_as_another_is_told_from_one_in_another_language() {
        let cases = [
            // name, does it read as another?
            ("main\u{200b}", true),
            ("\u{feff}main", true),
            ("ma\u{ad}in", true),
            ("main\u{202e}", true),
            ("main\u{2066}", true),
            ("main\u{fe0f}", true),
            ("main\u{e0061}", true),
            ("main\u{3164}", true),
            ("main\u{2800}", true),
            ("main\u{85}", true),
            ("main\u{e000}", true),
            ("ｍａｉｎ", true),
            ("𝐦𝐚𝐢𝐧", true),
            ("ⓜⓐⓘⓝ", true),
            ("mаin", true),
            ("mαster", true),
            ("mɑin", true),
            ("rеlease/1", true),
            ("release⁄1", true),
            ("release／1", true),
            ("main", false),
            ("feature/größe", false),
            ("fix/日本語", false),
            ("fix/исправление", false),
            ("fix/api-ключ", false),
            ("διόρθωση/1", false),
            ("תיקון", false),
            ("إصلاح", false),
            ("수정", false),
            ("sửa-lỗi", false),
            ("hatalı-giriş", false),
            ("fix/naïve-café", false),
            ("fix/हिन्दी", false),
            ("feat/🚀", false),
            ("main\u{200d}", true),
            ("\u{200c}main", true),
            ("fix/é\u{200d}", true),
            ("fix/-\u{fe0f}-", true),
            ("maın", true),
            ("Maın", true),
            ("main\u{338}", true),
            ("mai\u{307}n", true),
            ("maſter", true),
            ("ⅿain", true),
            ("mаin-λ", true),
            ("feat/❤️", false),
            ("feat/👩‍💻", false),
            ("feat/👩\u{200d}❤️\u{200d}👩", false),
            ("fix/می‌خواهم", false),
            ("fix/क्ष‍", false),
            ("fix/Δt-größe", false),
            ("feat/ΔV", false),
            ("fix/λcalc", false),
            ("feat/Ωmega", false),
            ("fix/μs-timer", false),
            ("fix/№5", false),
            ("fix/20℃", false),
            ("kapı", false),
        ];
        for (name, want) in cases {
            assert_eq!(resembles(name).is_some(), want, "{name:?}");
        }
    }
}
