//! Where browsers and kindred programs keep cookies and passwords.

/// Where a browser keeps cookies and passwords, at home.
pub(super) fn is_browser_profile(rest: &[&str]) -> bool {
    const FOLDERS: &[&str] = &[
        "google-chrome",
        "google-chrome-beta",
        "chromium",
        "bravesoftware",
        "brave-browser",
        "microsoft-edge",
        "vivaldi",
        "opera",
        "google",
        "firefox",
        "mozilla",
        "microsoft edge",
        "com.operasoftware.opera",
        "arc",
        "slack",
        "discord",
        "signal",
        "solana",
        "keepassxc",
        "github-copilot",
    ];
    match rest {
        [".mozilla", ..] | ["library", "cookies" | "safari", ..] => true,
        [".config" | "snap", folder, ..] | ["library", "application support", folder, ..] => {
            FOLDERS.contains(folder)
        }
        [".var", "app", name, ..] => {
            ["firefox", "chrome", "chromium", "brave"].iter().any(|part| name.contains(part))
        }
        ["appdata", "local" | "roaming", "google" | "mozilla" | "bravesoftware" | "microsoft", name, ..] => {
            matches!(
                *name,
                "chrome" | "firefox" | "brave-browser" | "edge" | "credentials" | "protect" | "vault"
            )
        }
        _ => false,
    }
}
