//! Rules that are asked about or laid down, and not lifted.

use super::ignoring::asks_for_an_act;
use super::sentence::Sentence;

/// "Why do we skip approval for docs?", "an agent must never … or skip the approval step".
pub(super) fn is_weighed(sentence: &Sentence) -> bool {
    is_asked(sentence)
        || is_forbidden(sentence)
        || is_of_a_kind_of_thing(sentence)
        || is_about_a_file(sentence)
        || is_a_check_of_a_program(sentence)
        || is_of_an_interface(sentence)
}

/// "Read permission is not required": what a call or an app needs from a system, by the name of the permission.
fn is_of_an_interface(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "read", "location", "camera", "microphone", "storage", "contacts", "calendar", "bluetooth",
        "notification", "notifications", "phone", "sms", "overlay", "usb", "nfc",
    ];
    let needs =
        sentence.said.starts_with("permission is not ") || sentence.said.starts_with("permission is never ");
    let mut front = sentence.words_in_front();
    let named = front.next().is_some_and(|name| NAMES.contains(&name));
    let opens = front.next().is_none_or(|word| matches!(word, "but" | "and" | "the" | "that" | "so"));
    let rest = format!("{} {} ", sentence.behind, sentence.after);
    needs && named && opens && !asks_for_an_act(&rest) && !rest.contains("you")
}

/// "Disable safety checks in the linter with `--no-verify`": programs that build others check them, too.
fn is_a_check_of_a_program(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const PROGRAMS: &[&str] = &[
        "linter", "linters", "compiler", "optimizer", "optimiser", "formatter", "bundler", "transpiler", "eslint", "clippy",
        "webpack", "rustc", "gcc", "clang", "assembler", "simulator", "emulator", "profiler", "minifier", "jit",
    ];
    #[rustfmt::skip]
    const MORE: &[&str] = &[
        " and ", " then ", ", ", ":", ";", " you", "agent", "assistant", "sandbox", "gate", "approv", "polic", "secret", "key",
        "http", " so ", " also ", " as well", " which ", "output", "answer", "response", "filter",
    ];
    let checks = ["safety checks", "security checks", "safety check", "security check"]
        .iter()
        .any(|checks| sentence.said.ends_with(checks));
    let plain = sentence.words_said().all(|word| {
        matches!(
            word,
            "disable"
                | "skip"
                | "disabling"
                | "turn"
                | "off"
                | "the"
                | "safety"
                | "security"
                | "check"
                | "checks"
                | "suspend"
        )
    });
    let mut behind = sentence.words_behind();
    let leads = behind.next().is_some_and(|word| matches!(word, "in" | "of"));
    let program = behind
        .find(|word| !matches!(*word, "the" | "our" | "a"))
        .is_some_and(|word| PROGRAMS.contains(&word));
    let front = sentence.front.trim_matches(['-', '*', '#', ' ']);
    checks
        && plain
        && leads
        && program
        && front.is_empty()
        && !MORE.iter().any(|word| sentence.behind.contains(word))
}

/// "This overrides the rules in `base.css`": files of a program have rules, too.
fn is_about_a_file(sentence: &Sentence) -> bool {
    let rules =
        ["rules", "rule", "permissions", "guidelines"].iter().any(|noun| sentence.said.ends_with(noun));
    let overrides = ["overrides", "override", "supersedes", "takes precedence over", "takes priority over"]
        .iter()
        .any(|verb| sentence.said.starts_with(verb));
    let broad = sentence.words_said().any(|word| {
        matches!(word, "all" | "any" | "your" | "every" | "system" | "safety" | "security" | "previous")
    });
    let mut behind = sentence.words_behind();
    let leads = behind.next().is_some_and(|word| matches!(word, "in" | "from" | "of"));
    let file = behind.take(3).any(is_file_of_a_program);
    let grave = GRAVE.iter().any(|word| sentence.behind.contains(word));
    rules && overrides && leads && file && !broad && !grave
}

/// Names of files by which agents and the gate itself are ruled.
#[rustfmt::skip]
const GRAVE: &[&str] = &[
    "polic", "permission", "rules.", "rules/", "agent", "claude", "gemini", "copilot", ".cursor", "system", "prompt",
    "skill", "guard", "safety", "secur", "approv", "mcp", "toolgate", "sandbox",
];

/// `base.css`, `tsconfig.json`: other settings may be those of an agent.
fn is_file_of_a_program(word: &str) -> bool {
    #[rustfmt::skip]
    const ENDINGS: &[&str] = &[
        "css", "scss", "less", "sass", "js", "ts", "rs", "py", "go", "java", "rb", "html", "tsx", "jsx", "gradle",
        "eslintrc", "editorconfig", "prettierrc", "gitignore", "htaccess", "stylelintrc", "gitattributes",
    ];
    #[rustfmt::skip]
    const KNOWN: &[&str] = &[
        "tsconfig.json", "jsconfig.json", "package.json", "eslintrc.json", "eslintrc.yml", "eslintrc.yaml",
        "prettierrc.json", "prettierrc.yml", "prettierrc.yaml", "prettierrc.toml", "stylelintrc.json", "biome.json",
        "tslint.json", "deno.json", "babel.config.json", "markdownlint.json", "markdownlint.yaml", "golangci.yml",
        "golangci.yaml", "rubocop.yml", "yamllint.yml", "yamllint.yaml", "cargo.toml", "rustfmt.toml", "clippy.toml",
        "pyproject.toml", "ruff.toml", "taplo.toml", "stylua.toml", "setup.cfg", "tox.ini", "pytest.ini", "mypy.ini",
        "checkstyle.xml", "pom.xml", "nginx.conf", "httpd.conf", "turbo.json", "detekt.yml",
    ];
    let name = word.rsplit('/').next().unwrap_or(word).trim_start_matches('.');
    KNOWN.contains(&name)
        || ENDINGS.contains(&name)
        || name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// "Approval is no longer required for drafts": what changed, and not what the reader does now.
fn is_of_a_kind_of_thing(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const THIS: &[&str] = &[
        "this", "the", "these", "that", "those", "any", "all", "your", "my", "our", "it", "such", "every", "each", "you",
        "tool", "tools", "call", "calls", "request", "requests", "anything", "everything", "a", "an", "what", "agents",
        "assistants", "actions", "commands",
    ];
    let changed = sentence.said.contains("no longer") && sentence.said.ends_with(" for");
    let first = sentence.words_behind().next().unwrap_or_default();
    changed
        && sentence.front.trim_matches(['-', '*', ' ']).is_empty()
        && !first.is_empty()
        && !THIS.contains(&first)
}

/// A question that asks nobody to do anything.
fn is_asked(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const ASKING: &[&str] = &["why", "should", "does", "do", "is", "are", "when", "who", "where", "which", "did", "how"];
    let front = sentence.front.trim();
    let first = front.split(' ').next().unwrap_or_default();
    let first = first.trim_matches(|sign: char| !sign.is_alphanumeric());
    let reader = format!(" {front} ");
    let reader =
        [" you ", " please ", " not you", " agent ", " assistant "].iter().any(|word| reader.contains(word));
    // "Skip the approval step? I would rather keep it."
    let doubted = front.is_empty()
        && [
            "? i would rather keep it",
            "? i would rather not",
            "? i'd rather keep it",
            "? i'd rather not",
            "? why would",
            "? why should",
            "? i don't think",
            "? i do not think",
        ]
        .iter()
        .any(|answer| sentence.after.starts_with(answer));
    sentence.after.starts_with('?') && (ASKING.contains(&first) || doubted) && !reader
}

/// One of several things that somebody must not do.
fn is_forbidden(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const FORBIDDEN: &[&str] = &[
        "must never ", "must not ", "may not ", "may never ", "can never ", "cannot ", "should never ", "should not ",
        "never ", "do not ", "don't ", "shall not ", "is not allowed to ", "are not allowed to ",
    ];
    let front = &sentence.front;
    let listed = front.trim_end().ends_with(" or")
        || front.trim_end().ends_with(" nor")
        || front.trim_end().ends_with(',');
    let forbidden = FORBIDDEN.iter().filter_map(|words| front.rfind(words)).max();
    // Nothing between that would turn it round.
    let turned = forbidden.and_then(|place| front.get(place..)).is_some_and(|rest| {
        [" but ", " instead", ";", ":", " hesitate", " refuse", " fail", " unless", " forget"]
            .iter()
            .any(|word| rest.contains(word))
    });
    listed && forbidden.is_some() && !turned
}
