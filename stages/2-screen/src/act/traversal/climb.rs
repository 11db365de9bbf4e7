//! How far a path climbs, and whether it reaches the system from there.

/// How a path climbs.
pub(super) struct Climb {
    /// Steps up, all in all.
    pub(super) steps: usize,
    /// The most steps up in a row.
    pub(super) longest: usize,
    /// How far above where it began it gets.
    pub(super) beyond: usize,
    /// Four dots and the like, which become two when somebody takes two away.
    pub(super) odd: bool,
    /// What it names once it has climbed.
    pub(super) tail: String,
}

impl Climb {
    pub(super) fn of(text: &str) -> Self {
        let local = text
            .split_once("://")
            .map_or(text, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
        let mut climb = Self { steps: 0, longest: 0, beyond: 0, odd: false, tail: String::new() };
        // Where no step leads up, nobody asks where the path ends.
        if !local.as_bytes().array_windows().any(|pair| pair == b"..") {
            return climb;
        }
        let (mut depth, mut row) = (0_usize, 0);
        let mut tail: Vec<&str> = Vec::new();
        let mut parts = local.split('/').peekable();
        while let Some(part) = parts.next() {
            // Blanks, parameters and a query do not change where a step leads.
            let bare = part.trim().split([';', '?', '#']).next().unwrap_or_default();
            match bare {
                "" | "." => {}
                ".." => {
                    climb.odd |= part.contains(';');
                    climb.steps += 1;
                    row += 1;
                    climb.longest = climb.longest.max(row);
                    match depth.checked_sub(1) {
                        Some(less) => depth = less,
                        None => climb.beyond += 1,
                    }
                    tail.clear();
                }
                dots if dots.len() >= 3
                    && dots.bytes().all(|byte| byte == b'.')
                    && parts.peek().is_some() =>
                {
                    climb.odd |= dots.len() >= 4 || parts.peek() == Some(&".");
                    row += 1;
                    climb.longest = climb.longest.max(row);
                    tail.clear();
                }
                name => {
                    depth += 1;
                    row = 0;
                    if tail.len() < 6 {
                        tail.push(name);
                    }
                }
            }
        }
        climb.tail = tail.join("/").to_ascii_lowercase();
        climb
    }
}

pub(super) fn is_system_file(tail: &str) -> bool {
    const FILES: &[&str] = &[
        "etc/passwd",
        "etc/shadow",
        "etc/gshadow",
        "etc/sudoers",
        "etc/hosts",
        "etc/master.passwd",
        "etc/ssh",
        "etc/ssl/private",
        "etc/kubernetes",
        "proc/self",
        "proc/1",
        "windows/system32",
        "windows/win.ini",
        "winnt/",
        "boot.ini",
        "root/.",
        "var/secrets",
        "var/run/secrets",
        "run/secrets",
        "var/lib/kubelet",
        "var/run/docker.sock",
    ];
    FILES.iter().any(|file| tail.starts_with(file))
        || tail.split('/').any(|part| matches!(part, ".ssh" | ".aws" | ".gnupg" | ".kube"))
}

pub(super) fn is_system_place(tail: &str) -> bool {
    let mut parts = tail.split('/');
    let first = parts.next().unwrap_or_default();
    let more = parts.next().is_some();
    matches!(first, "etc" | "proc" | "root" | "sys" | "boot" | "dev" | "windows" | "winnt" | "private")
        || (more && matches!(first, "var" | "usr" | "home" | "users" | "run" | "opt" | "srv"))
        || tail.split('/').any(is_secret_name)
}

/// Folders and files that hold secrets wherever they lie.
fn is_secret_name(part: &str) -> bool {
    matches!(
        part,
        ".ssh"
            | ".aws"
            | ".gnupg"
            | ".kube"
            | ".azure"
            | ".netrc"
            | ".pgpass"
            | ".git-credentials"
            | ".env"
            | ".password-store"
            | ".vault-token"
    )
}
