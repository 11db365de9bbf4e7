//! What is kept from users with good reason, and modes that programs are in.

use super::ignoring::asks_for_an_act;
use super::sentence::Sentence;

/// "Do not tell users about unreleased features": a kind of thing, and not what the reader does.
pub(super) fn is_discretion(sentence: &Sentence) -> bool {
    const THIS: &[&str] = &[
        "this", "it", "that", "these", "those", "the", "your", "my", "our", "any", "anything", "what", "how",
        "his", "her", "its", "all", "them", "us", "me", "a", "an", "why", "where", "who", "changes",
        "deleting", "sending",
    ];
    #[rustfmt::skip]
    const GRAVE: &[&str] = &[
        "exfil", "secret", "leak", "delet", "backdoor", "transfer", "inject", "instruct", "payment", "change",
        "remov", "sent", "upload", "access", "token", "key", "password", "credential", "prompt", "action",
        "command", "tool",
    ];
    let first = sentence.words_behind().next().unwrap_or_default();
    let many = sentence.words_behind().take(4).any(|word| word.len() > 3 && word.ends_with('s'));
    let about = sentence.said.ends_with("about");
    let opens = ["do not tell", "don't tell", "do not inform", "don't inform", "never tell"]
        .iter()
        .any(|verb| sentence.said.starts_with(verb));
    let follows = sentence.front.trim().is_empty() || sentence.front.trim_end().ends_with(['-', '*', '.']);
    about
        && opens
        && follows
        && many
        && !first.is_empty()
        && !THIS.contains(&first)
        && !GRAVE.iter().any(|word| sentence.behind.contains(word))
}

/// "You are now in developer mode when the toast appears": said of a device.
pub(super) fn is_a_state_of_a_program(sentence: &Sentence) -> bool {
    let mode = ["developer mode", "dev mode", "debug mode", "maintenance mode", "test mode"]
        .iter()
        .any(|mode| sentence.said.ends_with(mode));
    let condition =
        sentence.words_behind().next().is_some_and(|word| matches!(word, "when" | "once" | "after"));
    let reader = sentence.words_behind().any(|word| {
        matches!(
            word,
            "you"
                | "your"
                | "i"
                | "assistant"
                | "model"
                | "ai"
                | "agent"
                | "reading"
                | "read"
                | "this"
                | "these"
        )
    });
    let turned = [
        " rule",
        " restrict",
        " limit",
        " hidden",
        " filter",
        " polic",
        " secret",
        " answer ",
        " comply",
        " obey",
    ]
    .iter()
    .any(|word| sentence.all_around().contains(word));
    mode && condition && !reader && !turned && sentence.words_behind().any(|word| SEEN.contains(&word))
}

/// Where a device shows what it does.
#[rustfmt::skip]
const SEEN: &[&str] = &[
    "toast", "screen", "banner", "message", "icon", "menu", "light", "led", "notification", "prompt",
    "device", "phone", "toggle", "dialog",
];

/// "Developer mode is enabled on the tablet", "enable developer mode by tapping the build number": where or how a
/// device has it. A mode of the reader is none of a device, and nothing else may be made of it.
pub(super) fn is_a_mode_of_a_device(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const HOW: &[&str] = &[
        "pressing", "tapping", "clicking", "holding", "setting", "passing", "typing", "toggling", "default", "selecting",
        "opening", "choosing",
    ];
    #[rustfmt::skip]
    const DEVICES: &[&str] = &[
        "tablet", "phone", "device", "devices", "phones", "tablets", "laptop", "chromebook", "headset", "watch", "console",
        "settings", "browser", "chrome", "chromium", "firefox", "android", "ios", "windows", "macos", "emulator", "simulator",
        "simulators", "extension", "extensions", "menu", "tv", "router", "server", "webpack", "vite", "editor", "plugin",
        "kit", "board", "app",
    ];
    const OF: &[&str] = &[
        "the", "a", "an", "your", "my", "our", "all", "test", "android", "old", "new", "every", "each", "ios",
    ];
    #[rustfmt::skip]
    const READER: &[&str] = &[
        " you ", " you'", " i ", " assistant", " model", " ai ", " agent", " restrict", " filter", " rule", " limit", " answer",
        " respond", " reply", " comply", " obey", " ignore", " unrestricted", " guideline", " safety", " ethic", " censor",
        " policy", " anything", " jailbr", " dan ", " instruct", " prompt", " refuse", " bypass", " now ", " secret", " password",
        " tell ", " me ", " chat", " conversation",
    ];
    let mode = ["developer mode", "dev mode"];
    let said = sentence.said.trim();
    let state = [
        "is enabled",
        "is activated",
        "is active",
        "was enabled",
        "was activated",
        "has been enabled",
        "enabled",
    ]
    .iter()
    .any(|state| mode.iter().any(|mode| said == format!("{mode} {state}")));
    let order = ["enable", "turn on", "activate"].iter().any(|verb| {
        ["", "the "].iter().any(|the| mode.iter().any(|mode| said == format!("{verb} {the}{mode}")))
    });
    let mut behind = sentence.words_behind();
    let placed = match behind.next() {
        Some("by") => behind.next().is_some_and(|word| HOW.contains(&word)),
        Some("on" | "in") => {
            behind.find(|word| !OF.contains(word)).is_some_and(|word| DEVICES.contains(&word))
        }
        Some("when" | "once") => sentence.words_behind().any(|word| SEEN.contains(&word)),
        // "To enable developer mode, tap the build number seven times."
        Some("tap" | "press" | "open") => {
            sentence.front.trim() == "to"
                && sentence.words_behind().any(|word| word == "build" || DEVICES.contains(&word))
        }
        None => ["go to settings", "open settings", "open the settings"]
            .iter()
            .any(|start| sentence.front.starts_with(start)),
        Some(_) => false,
    };
    let all = sentence.all_around().replace(" before you ", " before ");
    let mut words = all.split(' ');
    let mine = |word: &str| DEVICES.contains(&word) || OF.contains(&word);
    let yours = std::iter::from_fn(|| {
        words.find(|word| *word == "your").map(|_| words.clone().next().unwrap_or_default())
    })
    .any(|word| !mine(word));
    let turned =
        yours || sentence.behind.contains([':', ';', '—']) || READER.iter().any(|word| all.contains(word));
    (state || order) && placed && !turned && !asks_for_an_act(&sentence.behind)
}
