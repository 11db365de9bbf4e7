//! Programs that a program starts and that send what stands among their words:
//! `subprocess.run(["curl", "-d", key, address])`.
//!
//! Where the credentials of such a program belong (`-H`, `-u`, its environment) they may stand.

use std::sync::OnceLock;

use regex::bytes::Regex;

use crate::act::compiled;

/// Do these arguments start a program that sends?
pub(super) fn starts_sender(arguments: &str) -> bool {
    static SENDERS: OnceLock<Option<Regex>> = OnceLock::new();
    let senders = r#"["'`\s/;&|(](?:curl|wget|nc|ncat|netcat|socat|telnet|nslookup|dig|ping|xh|mail|mailx|sendmail)["'`\s]"#;
    compiled(&SENDERS, senders).is_some_and(|senders| senders.is_match(arguments.as_bytes()))
}

/// Is this the place where such a program takes credentials, or its environment?
pub(super) fn is_own_place(arguments: &str, place: usize) -> bool {
    static FLAG: OnceLock<Option<Regex>> = OnceLock::new();
    let before = arguments.get(..place).unwrap_or_default();
    let environment = ["env=", "env:", "env ="].iter().filter_map(|front| before.rfind(front)).max();
    if environment.is_some_and(|at| before.get(at..).is_some_and(|behind| !behind.contains('}'))) {
        return true;
    }
    let flag = compiled(&FLAG, r#"["'`\s](--?[A-Za-z][\w-]*)"#);
    let last = flag.and_then(|flag| flag.captures_iter(before.as_bytes()).last());
    let last = last.and_then(|last| last.get(1)).map(|last| last.as_bytes());
    let own: [&[u8]; 9] = [
        b"-H",
        b"--header",
        b"-u",
        b"--user",
        b"--oauth2-bearer",
        b"--password",
        b"--http-password",
        b"--proxy-user",
        b"--cert",
    ];
    last.is_some_and(|last| own.contains(&last))
}
