//! The name of the gate's home, and names that some disk might take for it.

/// The folder in which the gate keeps its policy, its ledger and its requests.
pub const GATE_HOME: &str = ".toolgate";

/// Whether a file system could read this name as `.toolgate`.
///
/// Where the folder exists, its inode settles the matter and this is only the rule that no path
/// has such a component. Where it does not exist yet, a disk that folds case, drops invisible
/// characters (ext4 and APFS, when told to), drops trailing dots and spaces (FAT, SMB) or reads
/// `:` as the start of a stream (NTFS) would make the home under a name that looks different.
#[must_use]
pub fn is_gate_home(name: &str) -> bool {
    // Of a name in ASCII everything is visible.
    if name.is_ascii() { is_ascii_home(name.as_bytes()) } else { is_home_where_visible(name) }
}

fn is_ascii_home(name: &[u8]) -> bool {
    let Some((front, behind)) = name.split_at_checked(GATE_HOME.len()) else { return false };
    let behind = behind.split(|sign| *sign == b':').next().unwrap_or_default();
    front.eq_ignore_ascii_case(GATE_HOME.as_bytes()) && behind.iter().all(|sign| matches!(sign, b'.' | b' '))
}

fn is_home_where_visible(name: &str) -> bool {
    let name = name.split_once(':').map_or(name, |(before, _)| before);
    let visible = || name.trim_end_matches(['.', ' ']).chars().filter(|character| !is_ignorable(*character));
    visible().count() == GATE_HOME.len()
        && visible().zip(GATE_HOME.chars()).all(|(a, b)| a.eq_ignore_ascii_case(&b))
}

/// The characters of Unicode's `Default_Ignorable_Code_Point`.
const fn is_ignorable(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{is_gate_home, is_home_where_visible};

    proptest! {
        #[test]
        fn a_name_in_ascii_is_read_like_any_other(
            front in "[.:a-z ]{0,2}",
            name in "[.tT][oO]{1,2}[ol]{1,2}lgate|\\.(toolgate|TOOLGATE|toolgat|toolgatee|too:lgate)|[\\x00-\\x7f]{0,12}",
            behind in "[.: ]{0,3}[a-z]?[.: ]{0,2}",
        ) {
            for name in [format!("{name}{behind}"), format!("{front}{name}{behind}")] {
                prop_assert_eq!(is_gate_home(&name), is_home_where_visible(&name), "{:?}", name);
            }
        }
    }

    #[test]
    fn only_what_a_disk_could_take_for_the_home_is_the_home() {
        let cases = [
            (".toolgate", true),
            (".TOOLGATE", true),
            (".ToolGate", true),
            (".tool\u{200c}gate", true),
            (".toolgate.", true),
            (".toolgate .", true),
            (".toolgate::$INDEX_ALLOCATION", true),
            ("toolgate", false),
            (".toolgates", false),
            (".toolgate.md", false),
            (".toolgate2", false),
            ("..toolgate", false),
            (".", false),
            ("", false),
            (".to\u{f6}lgate", false),
        ];
        for (name, want) in cases {
            assert_eq!(is_gate_home(name), want, "{name:?}");
        }
    }
}
