//! Credentials: handles that work, handles that must not, and providers as they are.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::panic,
    reason = "tests of a crate that touches the world; a failure is a failed test"
)]

#[path = "../kit/mod.rs"]
mod kit;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use call::{Content, Effect, Fault, SecretUse};
use execute::secrets::{Source, Surroundings, Vault};
use kit::{Asked, moment};
use secrecy::{ExposeSecret as _, SecretBox};
use tempfile::TempDir;

const VALUE: &str = "correct-horse-battery";

fn around(variables: &[(&str, &str)]) -> Surroundings {
    let path = std::env::var("PATH").unwrap();
    let mut all: BTreeMap<String, OsString> = [("PATH".to_owned(), path.into())].into();
    all.extend(variables.iter().map(|(name, value)| ((*name).to_owned(), OsString::from(value))));
    Surroundings { variable: Box::new(move |name| all.get(name).cloned()) }
}

fn vault_with(source: Source, variables: &[(&str, &str)], key: u8) -> Vault {
    Vault::new([("deploy".to_owned(), source)].into(), around(variables), SecretBox::new(Box::new([key; 32])))
}

fn env_vault() -> Vault {
    let names = ["TOKEN", "SHORT", "UNSET"].map(str::to_owned).into();
    vault_with(Source::Env(names), &[("TOKEN", VALUE), ("SHORT", "12345"), ("OTHER", "other-value")], 7)
}

fn asked(name: &str, reveal: SecretUse) -> Asked {
    let effect = Effect::Secret { scope: "deploy".to_owned(), name: name.to_owned(), reveal };
    Asked::new("secrets_get", &serde_json::json!({}), vec![effect])
}

fn handle(vault: &Vault, name: &str, reveal: SecretUse) -> Result<String, Fault> {
    let done = vault.get(&asked(name, reveal).errand())?;
    let Content::Data(data) = &done.content else { panic!("{done:?}") };
    assert!(!format!("{done:?}").contains(VALUE), "{done:?}");
    Ok(data["handle"].as_str().unwrap().to_owned())
}

fn resolve(vault: &Vault, handle: &str, reveal: SecretUse, now: &str) -> Result<String, String> {
    let session = asked("TOKEN", reveal).actor.session;
    let value = vault.resolve(handle, &session, reveal, moment(now));
    value
        .map(|value| String::from_utf8(value.expose_secret().to_vec()).unwrap())
        .map_err(|fault| fault.class().to_owned())
}

const NOW: &str = "2026-02-09T16:05:01Z";

#[test]
fn a_handle_works_in_another_process_of_the_same_home() {
    let made = handle(&env_vault(), "TOKEN", SecretUse::Header).unwrap();
    // Another vault with the same key, as a later process has it.
    let later = env_vault();
    assert!(later.revealed().is_empty());
    assert_eq!(resolve(&later, &made, SecretUse::Header, NOW).as_deref(), Ok(VALUE));
    let known = later.revealed();
    assert_eq!(known.len(), 1);
    assert_eq!((known[0].0.as_str(), known[0].1.expose_secret()), ("deploy", VALUE.as_bytes()));
}

#[test]
fn a_handle_has_the_form_that_arguments_take() {
    let source = Source::Command(vec!["echo".to_owned(), "printed-{name}".to_owned()]);
    let made = handle(&vault_with(source, &[], 7), "a/b.c", SecretUse::Env).unwrap();
    assert!(made.chars().all(|c| c.is_ascii_alphanumeric() || "._:-".contains(c)), "{made}");
    assert!(made.len() <= 384, "{made}");
}

#[test]
fn no_handle_works_for_another_session_use_time_name_or_home() {
    let vault = env_vault();
    let made = handle(&vault, "TOKEN", SecretUse::Header).unwrap();
    let header = SecretUse::Header;
    assert_eq!(resolve(&vault, &made, header, NOW).as_deref(), Ok(VALUE));
    assert_eq!(resolve(&vault, &made, header, "2026-02-09T17:05:00Z").as_deref(), Ok(VALUE));
    let refused = |handle: &str, reveal, now| resolve(&vault, handle, reveal, now).unwrap_err();
    assert_eq!(refused(&made, header, "2026-02-09T17:05:01Z"), "handle_expired");
    assert_eq!(refused(&made, SecretUse::Env, NOW), "bad_handle");
    let other = vault_with(Source::Env(["TOKEN".to_owned()].into()), &[("TOKEN", VALUE)], 8);
    assert_eq!(resolve(&other, &made, header, NOW).unwrap_err(), "bad_handle");
    let session = "session-2".parse().unwrap();
    let fault = vault.resolve(&made, &session, header, moment(NOW)).unwrap_err();
    assert_eq!(fault.class(), "bad_handle");
    let forged = [
        made.replace("TOKEN", "SHORT"),
        made.replace(":deploy:", ":other:"),
        made.replace(":header:", ":env:"),
        made.replace("tgh1", "tgh2"),
        made.replacen(":17", ":99", 1),
        made.replacen(":17", ":017", 1),
        format!("{made}:x"),
        made.strip_suffix('N').unwrap().to_owned(),
        "tgh1:header:9999999999".to_owned(),
        String::new(),
        ":".repeat(10),
        "a".repeat(100_000),
    ];
    for forged in forged {
        assert_eq!(refused(&forged, header, NOW), "bad_handle", "{forged}");
    }
}

#[test]
fn only_listed_variables_are_credentials() {
    let vault = env_vault();
    for (name, class) in
        [("OTHER", "secret_not_found"), ("UNSET", "secret_not_found"), ("SHORT", "secret_too_short")]
    {
        let fault = handle(&vault, name, SecretUse::Header).unwrap_err();
        assert_eq!(fault.class(), class, "{name}");
        assert!(!format!("{fault:?}").contains("12345"), "{fault:?}");
    }
    assert!(vault.revealed().is_empty());
    assert!(!format!("{vault:?}").contains(VALUE));
}

#[test]
fn a_file_gives_a_line_or_itself_and_never_all_for_a_slip() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        vault_with(Source::File(path), &[], 7)
    };
    let value = |vault: &Vault, name: &str| {
        let value = vault.look_up("deploy", name).map_err(|fault| fault.class().to_owned())?;
        Ok::<_, String>(String::from_utf8(value.expose_secret().to_vec()).unwrap())
    };
    let lines = file("env", &format!("A=another-value\nTOKEN={VALUE}\n"));
    assert_eq!(value(&lines, "TOKEN").as_deref(), Ok(VALUE));
    assert_eq!(value(&lines, "TOKNE"), Err("secret_not_found".to_owned()));
    assert_eq!(value(&file("token", &format!("{VALUE}\n")), "any").as_deref(), Ok(VALUE));
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [folder.path().join("missing"), folder.path().to_owned(), pipe] {
        let vault = vault_with(Source::File(path), &[], 7);
        assert_eq!(value(&vault, "TOKEN"), Err("secret_not_found".to_owned()));
    }
    let huge = folder.path().join("huge");
    std::fs::File::create(&huge).unwrap().set_len(10 << 30).unwrap();
    assert_eq!(value(&vault_with(Source::File(huge), &[], 7), "TOKEN"), Err("secret_not_found".to_owned()));
}

fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn command(words: &[&str], name: &str) -> Result<String, Fault> {
    let source = Source::Command(words.iter().map(|word| (*word).to_owned()).collect());
    let vault = vault_with(source, &[("HOME", "/home/of-somebody"), ("TOKEN", VALUE)], 7);
    let value = vault.look_up("deploy", name)?;
    Ok(String::from_utf8(value.expose_secret().to_vec()).unwrap())
}

#[test]
fn a_command_is_started_without_a_shell_and_without_the_environment() {
    assert_eq!(command(&["echo", "prefix-{name}"], "a/b").unwrap(), "prefix-a/b");
    assert_eq!(command(&["printf", "A=first-value\nB=second-value\n"], "B").unwrap(), "second-value");
    assert_eq!(command(&["echo", "$HOME;{name}"], "x").unwrap(), "$HOME;x");
    let seen = command(&["env"], "HOME").unwrap();
    assert_eq!(seen, "/home/of-somebody");
    assert_eq!(command(&["env"], "TOKEN").unwrap_err().class(), "secret_not_found");
}

#[test]
fn a_name_is_never_an_option_and_never_climbs() {
    for name in ["-n", "--help", "../other", "a/../b", "/etc/shadow", "a//b"] {
        let fault = command(&["echo", "{name}-and-more"], name).unwrap_err();
        assert_eq!(fault.class(), "secret_not_found", "{name}");
    }
}

#[test]
fn a_command_that_fails_talks_too_much_or_is_not_there_tells_nothing() {
    let folder = TempDir::new().unwrap();
    let fails =
        script(folder.path(), "fails", "echo correct-horse-battery; echo correct-horse-battery >&2; exit 3");
    let floods = script(folder.path(), "floods", "exec yes correct-horse-battery");
    for words in [&[fails.as_str()][..], &[floods.as_str()], &["/nonexistent/program"], &[]] {
        let fault = command(words, "x").unwrap_err();
        assert_eq!(fault.class(), "secret_not_found");
        assert!(!format!("{fault:?} {fault}").contains("horse"), "{fault:?}");
    }
}

#[test]
fn a_command_that_hangs_is_ended_with_all_that_it_started() {
    let folder = TempDir::new().unwrap();
    let pid = folder.path().join("pid");
    let hangs = script(folder.path(), "hangs", &format!("sleep 1000 & echo $! > {}\nwait", pid.display()));
    let begun = std::time::Instant::now();
    let fault = command(&[&hangs], "x").unwrap_err();
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    assert!(fault.to_string().contains("did not end within"), "{fault}");
    let pid = std::fs::read_to_string(pid).unwrap();
    let state = || std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    // Whoever inherited it may not have buried it yet, and on a busy machine it may not even have noticed that
    // it was ended.
    let is_over = || state().is_empty() || state().contains(") Z ");
    for _ in 0..500 {
        if is_over() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("it goes on: {}", state());
}

#[test]
fn a_machine_without_a_keyring_program_says_what_is_missing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().display().to_string();
    let vault = vault_with(Source::Keyring("toolgate".to_owned()), &[("PATH", &path)], 7);
    let fault = vault.look_up("deploy", "TOKEN").unwrap_err();
    assert_eq!(fault.class(), "keyring_missing");
    let Fault::Failed { remedy: Some(remedy), .. } = fault else { panic!("{fault:?}") };
    assert!(remedy.contains("libsecret-tools"), "{remedy}");
}

#[test]
fn a_credential_that_was_replaced_is_still_known() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("token");
    let vault = vault_with(Source::File(path.clone()), &[], 7);
    for value in ["first-value", "second-value"] {
        std::fs::write(&path, value).unwrap();
        vault.look_up("deploy", "x").unwrap();
    }
    let mut known: Vec<Vec<u8>> =
        vault.revealed().iter().map(|(_, value)| value.expose_secret().to_vec()).collect();
    known.sort();
    assert_eq!(known, [b"first-value".to_vec(), b"second-value".to_vec()]);
}
