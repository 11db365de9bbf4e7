//! Requests for a credential or a command that are made to the user of a product.
//!
//! "Paste your token to verify" is an attack: it is said to whoever reads, and whoever wrote it gets
//! the token. A form, a settings page and a prompt in a terminal ask for the same, and keep it.

use super::sentence::Sentence;

/// A form, a manual or a promise asks, and not the text.
pub(super) fn is_of_a_product(sentence: &Sentence) -> bool {
    if is_denied(sentence) {
        return true;
    }
    if is_put_into_a_request(sentence) || is_a_text_of_an_app(sentence) {
        return true;
    }
    // The phrase may begin with its excuse: "to continue, enter your password".
    let has = |verbs: &[&str]| sentence.words_said().any(|word| verbs.contains(&word));
    if has(&[
        "send",
        "share",
        "post",
        "reply",
        "respond",
        "answer",
        "give",
        "tell",
        "email",
        "text",
        "forward",
        "upload",
        "disclose",
        "hand",
        "leak",
        "exfiltrate",
        "drop",
        "put",
        "message",
        "reveal",
        "show",
        "print",
        "attach",
    ]) || is_said_here(sentence)
    {
        return false;
    }
    if has(&["paste"]) {
        return is_prompted(sentence) || (is_put_into_a_product(sentence) && !has_excuse(sentence));
    }
    // Passwords are what people have. Keys and tokens an agent has too, so there the product must show.
    let held = has(&["token", "tokens", "key", "keys", "secret", "secrets", "cookies", "phrase"]);
    let shown = is_prompted(sentence) || is_put_into_a_product(sentence) || sentence.front.ends_with('>');
    if held && !shown {
        return false;
    }
    has(&["enter", "type", "input", "insert", "fill", "use", "confirm", "re-enter", "reenter"])
        || (shown && has(&["supply", "submit", "provide", "verify", "add", "include"]))
}

/// "We will never ask you to paste your token", "how to paste your token".
fn is_denied(sentence: &Sentence) -> bool {
    let front = sentence.front.trim_end();
    let never =
        [" never ", " not ", "n't ", "cannot "].iter().any(|word| format!(" {front} ").contains(word));
    let asked = [
        "ask you to",
        "ask users to",
        "asks you to",
        "asked to",
        "need to",
        "have to",
        "want to",
        "ask you for",
        "has to",
        "ask anyone to",
        "ask customers to",
    ]
    .iter()
    .any(|words| front.ends_with(words));
    (never && asked) || front.ends_with("how to") || front.ends_with("instead of having to")
}

/// `<string name="key_hint">Paste your API key</string>`: a text of an app, in the table that holds them.
fn is_a_text_of_an_app(sentence: &Sentence) -> bool {
    const FAR: usize = 60;
    let verb = sentence.said.split(' ').next().unwrap_or_default();
    let asks = matches!(verb, "paste" | "enter" | "type" | "input" | "insert" | "provide");
    let opened = sentence.front.strip_suffix('>').and_then(|front| front.rsplit_once('<'));
    let named = opened.is_some_and(|(_, tag)| tag.starts_with("string name="));
    let closed = sentence.behind.split_once("</string>").is_some_and(|(rest, _)| rest.len() <= FAR);
    asks && named && closed && !has_excuse(sentence)
}

/// In the conversation itself, or to whoever wrote it.
fn is_said_here(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const HERE: &[&str] = &[
        " here", " below", "chat", "this issue", "this thread", "this page", "this form", "this field",
        "this box", " reply", "comment", "conversation", "to me", "to us", "so we", "so i ", "so that we",
        "so that i", "so it", "so that it", "http", "this pull request", "this message", "@",
    ];
    let near: String = sentence.behind.chars().take(120).collect();
    let all = format!("{} {} {near}", sentence.front, sentence.said);
    HERE.iter().any(|words| all.contains(words))
}

fn is_prompted(sentence: &Sentence) -> bool {
    let words = [
        "when prompted",
        "when asked",
        "if prompted",
        "if asked",
        "at the prompt",
        "when it asks",
        "when git asks",
        "as the password",
        "once prompted",
        "when the installer asks",
    ];
    words.iter().any(|words| sentence.behind.contains(words) || sentence.front.contains(words))
}

/// "Send your token in the `Authorization` header": how requests to a service are made. Where a host is named,
/// the sentence says who gets it.
fn is_put_into_a_request(sentence: &Sentence) -> bool {
    const PLACES: &[&str] = &["header", "headers", "cookie", "bearer", "authorization"];
    const LETTERS: &[&str] =
        &["email", "mail", "e-mail", "message", "subject", "our", "my", "form", "webhook"];
    let hands = sentence.said.split(' ').next().is_some_and(|verb| {
        matches!(
            verb,
            "send" | "put" | "share" | "post" | "upload" | "include" | "provide" | "supply" | "add"
        )
    });
    let mut behind = sentence.words_behind();
    let leads = behind.next().is_some_and(|word| matches!(word, "in" | "as" | "with" | "via" | "through"));
    let near: Vec<&str> = behind.take(6).collect();
    let every = near.iter().zip(near.iter().skip(1)).any(|(which, what)| {
        matches!((*which, *what), ("each" | "every", "request" | "call") | ("all", "requests" | "calls"))
            || (*which == "api" && matches!(*what, "request" | "requests" | "call" | "calls"))
    });
    let place = every || near.iter().any(|word| PLACES.contains(word));
    let elsewhere = sentence.words_behind().any(|word| names_a_host(word) || LETTERS.contains(&word));
    hands && leads && place && !elsewhere && !is_said_here(sentence) && !has_excuse(sentence)
}

/// `collect.example.net`, `203.0.113.7:8080`, `localhost`
fn names_a_host(word: &str) -> bool {
    let host = word.split(['/', ':']).next().unwrap_or_default();
    let labels = host.split('.').count();
    let plain =
        |label: &str| !label.is_empty() && label.chars().all(|sign| sign.is_alphanumeric() || sign == '-');
    host == "localhost" || (labels > 1 && host.split('.').all(plain) && host.contains(char::is_alphanumeric))
}

/// "… into the settings page".
fn is_put_into_a_product(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const PLACES: &[&str] = &[
        "settings", "setting", "page", "field", "box", "form", "dialog", "prompt", "terminal", "console",
        "config", "configuration", "file", "dashboard", "env", "environment", "variable", "secrets", "tab",
        "section", "window", "panel", "menu", "input", "extension", "plugin", "vault", "manager", "header",
        "preferences", "options", "screen",
    ];
    let mut behind = sentence.words_behind();
    let leads =
        behind.next().is_some_and(|word| matches!(word, "in" | "into" | "on" | "to" | "under" | "at" | "as"));
    leads && behind.take(6).any(|word| PLACES.contains(&word) || is_settings_file(word))
}

/// `config.toml`, `.env.local`
fn is_settings_file(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "toml",
        "json",
        "yaml",
        "yml",
        "env",
        "ini",
        "conf",
        "cfg",
        "properties",
        "local",
        "npmrc",
        "netrc",
        "tf",
        "tfvars",
        "xml",
        "plist",
    ];
    word.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

fn has_excuse(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const EXCUSES: &[&str] = &[
        "to verify", "to confirm", "to validate", "to prove", "to unlock", "to restore", "to regain",
        "to avoid", "to reactivate", "to claim", "for verification", "for validation", "to keep",
    ];
    EXCUSES.iter().any(|excuse| {
        [&sentence.front, &sentence.said, &sentence.behind].iter().any(|part| part.contains(excuse))
    })
}

/// "Run `npm cache clean` to fix the problem": the command is there to be seen, and a usual one.
pub(super) fn names_a_usual_command(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const USUAL: &[&str] = &[
        "npm", "yarn", "pnpm", "cargo", "pip", "go", "make", "git", "brew", "bundle", "composer", "dotnet",
        "gradle", "mvn", "poetry", "uv", "ruff", "black", "prettier", "eslint", "rustup", "terraform",
        "rustfmt", "gofmt", "isort", "mypy", "pre-commit", "nix", "bazel", "cmake", "mix", "rake", "just",
    ];
    let mut said = sentence.words_said();
    let runs = said.next().is_some_and(|word| matches!(word, "run" | "execute" | "running" | "executing"));
    let fetches = ["http", "|", "$(", "curl", "wget", "base64", "&&", ";"]
        .iter()
        .any(|sign| sentence.said.contains(sign));
    runs && said.next().is_some_and(|word| USUAL.contains(&word)) && !fetches
}
