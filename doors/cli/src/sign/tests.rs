//! With real keys, a real ssh-agent, and `ssh-keygen` and `approve` as judges.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use approve::{Approvers, NAMESPACE, Principal};

use super::{NotSigned, sign, sign_with};

const KINDS: [(&str, &[&str]); 5] = [
    ("ed25519", &["-t", "ed25519"]),
    ("p256", &["-t", "ecdsa", "-b", "256"]),
    ("p384", &["-t", "ecdsa", "-b", "384"]),
    ("p521", &["-t", "ecdsa", "-b", "521"]),
    ("rsa", &["-t", "rsa", "-b", "3072"]),
];

#[track_caller]
fn run(program: &str, words: &[&str], agent: Option<&Path>) -> String {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null());
    if let Some(agent) = agent {
        command.env("SSH_AUTH_SOCK", agent);
    }
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("`{program}` cannot be run ({error}): install OpenSSH's client"));
    assert!(output.status.success(), "{program} {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn new_key(folder: &Path, name: &str, passphrase: &str, words: &[&str]) -> PathBuf {
    let path = folder.join(name);
    run("ssh-keygen", &[&["-q", "-C", "test", "-N", passphrase, "-f", word(&path)], words].concat(), None);
    path
}

fn with_suffix(key: &Path, suffix: &str) -> PathBuf {
    key.with_file_name(format!("{}{suffix}", key.file_name().unwrap().to_str().unwrap()))
}

/// An agent of our own, gone when this is.
struct TestAgent {
    child: Child,
    socket: PathBuf,
}

impl TestAgent {
    fn start(folder: &Path) -> Self {
        let socket = folder.join("agent.sock");
        let child = Command::new("ssh-agent")
            .args(["-D", "-a", word(&socket)])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("`ssh-agent` cannot be run ({error}): install OpenSSH's client"));
        let started = Self { child, socket };
        for _ in 0..500 {
            if started.socket.exists() {
                return started;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("`ssh-agent` did not begin to listen");
    }
}

impl Drop for TestAgent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const TEXT: &[u8] = b"{\"some\":\"record\"}";

/// Both judges must take the signature, for a file of approvers with this line.
#[track_caller]
fn judged(folder: &Path, line: &str, armored: &str) {
    let ada: Principal = "ada@example.org".parse().unwrap();
    let now = "2026-11-18T10:00:00Z".parse().unwrap();
    let approvers = Approvers::parse(line).unwrap();
    approve::check(TEXT, armored, &ada, &approvers, now).unwrap();

    let (file, signature, text) = (folder.join("approvers"), folder.join("text.sig"), folder.join("text"));
    std::fs::write(&file, line).unwrap();
    std::fs::write(&signature, armored).unwrap();
    std::fs::write(&text, TEXT).unwrap();
    let words =
        ["-Y", "verify", "-f", word(&file), "-I", ada.as_str(), "-n", NAMESPACE, "-s", word(&signature)];
    let output = Command::new("ssh-keygen")
        .args(words)
        .arg("-Overify-time=20261118100000Z")
        .stdin(std::fs::File::open(&text).unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn listed(key: &Path) -> String {
    format!("ada@example.org {}", std::fs::read_to_string(with_suffix(key, ".pub")).unwrap())
}

#[test]
fn a_key_file_signs_what_ssh_keygen_and_approve_take() {
    let folder = tempfile::tempdir().unwrap();
    for (name, words) in KINDS {
        let key = new_key(folder.path(), name, "", words);
        let made = sign_with(TEXT, &key, None).unwrap();
        judged(folder.path(), &listed(&key), &made.armored);
        assert!(listed(&key).contains(&made.public_key), "{name}");
    }
}

#[test]
fn an_agent_signs_for_keys_with_a_passphrase_and_for_public_halves() {
    let folder = tempfile::tempdir().unwrap();
    let agent = TestAgent::start(folder.path());
    for (name, words) in KINDS {
        let key = new_key(folder.path(), name, "", words);
        run("ssh-add", &["-q", word(&key)], Some(&agent.socket));
        // From now on the file needs a passphrase, and the agent has the key.
        run("ssh-keygen", &["-q", "-p", "-P", "", "-N", "correct horse", "-f", word(&key)], None);
        for path in [key.clone(), with_suffix(&key, ".pub")] {
            let made = sign_with(TEXT, &path, Some(&agent.socket)).unwrap();
            judged(folder.path(), &listed(&key), &made.armored);
        }
    }
}

#[test]
fn a_certificate_signs_with_the_key_beside_it_or_through_an_agent() {
    let folder = tempfile::tempdir().unwrap();
    let agent = TestAgent::start(folder.path());
    let authority = new_key(folder.path(), "authority", "", &["-t", "ed25519"]);
    let line = format!(
        "*@example.org cert-authority {}",
        std::fs::read_to_string(with_suffix(&authority, ".pub")).unwrap()
    );
    for (name, words) in KINDS {
        let key = new_key(folder.path(), name, "", words);
        let public = with_suffix(&key, ".pub");
        let valid = ["-V", "20261101000000Z:20261201000000Z"];
        let fixed = ["-q", "-s", word(&authority), "-I", "badge", "-n", "ada@example.org"];
        run("ssh-keygen", &[&fixed[..], &valid, &[word(&public)]].concat(), None);
        let certificate = with_suffix(&key, "-cert.pub");
        let made = sign_with(TEXT, &certificate, None).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        judged(folder.path(), &line, &made.armored);

        run("ssh-add", &["-q", word(&key)], Some(&agent.socket));
        std::fs::remove_file(&key).unwrap();
        judged(folder.path(), &line, &sign_with(TEXT, &certificate, Some(&agent.socket)).unwrap().armored);
    }
}

#[test]
fn what_cannot_sign_says_why_and_what_to_do() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let agent = TestAgent::start(folder.path());
    let told = |path: &Path, agent: Option<&Path>| {
        let why = sign_with(TEXT, path, agent).unwrap_err();
        let hint = why.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
        format!("{why}{hint}").replace(word(folder.path()), "FOLDER")
    };
    let secret = new_key(folder.path(), "secret", "correct horse", &["-t", "ed25519"]);
    assert_eq!(
        told(&secret, None),
        "the key has a passphrase, and there is no ssh-agent; start one with `eval $(ssh-agent)` and add the key \
         with `ssh-add`"
    );
    let missing = told(&secret, Some(&agent.socket));
    assert!(missing.starts_with("ssh-agent does not hold the key SHA256:"), "{missing}");
    assert!(
        missing.ends_with("add it with `ssh-add`, and see all that it holds with `ssh-add -l`"),
        "{missing}"
    );
    assert!(
        told(&with_suffix(&secret, ".pub"), None).starts_with("the file has only the public half of the key")
    );

    let nowhere = folder.path().join("nowhere");
    assert_eq!(told(&secret, Some(&nowhere)), "ssh-agent cannot be spoken to");
    assert_eq!(told(&nowhere, None), "`FOLDER/nowhere` cannot be read");
    assert_eq!(
        told(folder.path(), None),
        "`FOLDER` is not a key of OpenSSH; name a private key, a `.pub` file, or a certificate of either"
    );
    let noise = folder.path().join("noise");
    for text in ["", "ssh-ed25519", "ssh-ed25519 AAAA", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n"] {
        std::fs::write(&noise, text).unwrap();
        std::fs::set_permissions(&noise, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert!(told(&noise, None).starts_with("`FOLDER/noise` is not a key of OpenSSH"), "{text}");
    }
    let old = new_key(folder.path(), "old", "", &["-t", "rsa", "-b", "2048", "-m", "PEM"]);
    assert_eq!(
        told(&old, None),
        "`FOLDER/old` is a key in an older form; `ssh-keygen -p -f FOLDER/old` writes it in the present form"
    );
    let open = new_key(folder.path(), "open", "", &["-t", "ed25519"]);
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(told(&open, None), "`FOLDER/open` can be read by others; chmod 600 FOLDER/open");
}

#[test]
fn an_open_key_needs_no_agent() {
    let folder = tempfile::tempdir().unwrap();
    let key = new_key(folder.path(), "key", "", &["-t", "ed25519"]);
    let made = sign(TEXT, &key).unwrap();
    assert_eq!(sign_with(TEXT, &key, Some(Path::new("/nowhere"))).unwrap(), made);
    judged(folder.path(), &listed(&key), &made.armored);
}

#[test]
fn an_agent_that_says_nonsense_is_not_believed() {
    use std::io::{Read as _, Write as _};

    let folder = tempfile::tempdir().unwrap();
    let key = with_suffix(&new_key(folder.path(), "key", "", &["-t", "ed25519"]), ".pub");
    let answers: [&[u8]; 5] =
        [b"", b"\0\0\0\0", b"\xff\xff\xff\xff\x0c", b"\0\0\0\x05\x0c\xff\xff\xff\xff", b"\0\0\0\x01\x05"];
    for (number, answer) in answers.into_iter().enumerate() {
        let socket = folder.path().join(format!("agent{number}"));
        let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let liar = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut question = [0; 5];
            stream.read_exact(&mut question).unwrap();
            stream.write_all(answer).unwrap();
        });
        let why = sign_with(TEXT, &key, Some(&socket)).unwrap_err();
        assert!(matches!(why, NotSigned::AgentOdd | NotSigned::AgentLost(_)), "{why:?}");
        liar.join().unwrap();
    }
}

#[test]
fn a_key_whose_number_begins_with_zeros_signs_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    // One of two has such a number, so one of a few does.
    for number in 0..6 {
        let key = new_key(folder.path(), &format!("p521-{number}"), "", &["-t", "ecdsa", "-b", "521"]);
        judged(folder.path(), &listed(&key), &sign_with(TEXT, &key, None).unwrap().armored);
    }
}
