//! This program, run by itself: a step of the demo is a command like any other.

use std::io::{self, Read};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// No command takes nearly this long, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The variable that holds the secret.
pub(super) const VARIABLE: &str = "DEMO_TOKEN";

/// Runs commands in a workspace, and remembers everything that they said.
#[derive(Debug)]
pub(super) struct Program {
    workspace: PathBuf,
    token: String,
    said: Vec<u8>,
}

/// What came of a command.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Program {
    /// Commands see `token` as a variable of their environment.
    pub(super) const fn new(workspace: PathBuf, token: String) -> Self {
        Self { workspace, token, said: Vec::new() }
    }

    /// Everything that any command has said so far.
    pub(super) fn said(&self) -> &[u8] {
        &self.said
    }

    /// Runs one command to its end.
    pub(super) fn run(&mut self, words: &[&str]) -> io::Result<Ran> {
        // Also when the file of this program was replaced meanwhile.
        let mut command = Command::new("/proc/self/exe");
        command.arg0("toolgate").args(words).current_dir(&self.workspace);
        command.env(VARIABLE, &self.token);
        // Nothing of the demo is worth waiting for a long proof, or needs authorities of the web.
        command.env("TOOLGATE_PROOF_SECONDS", "1").env_remove("SSL_CERT_FILE");
        // A policy that closes `~/.ssh` wants to know where that is.
        let homeless = std::env::var_os("HOME").is_none_or(|home| !Path::new(&home).is_absolute());
        if homeless {
            command.env("HOME", &self.workspace);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let stdout = child.stdout.take().map(collect);
        let stderr = child.stderr.take().map(collect);
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if start.elapsed() > PATIENCE {
                child.kill()?;
                child.wait()?;
                return Err(io::Error::new(io::ErrorKind::TimedOut, "the command does not end"));
            }
            thread::sleep(Duration::from_millis(2));
        };
        let (stdout, stderr) = (whole(stdout), whole(stderr));
        self.said.extend_from_slice(&stdout);
        self.said.extend_from_slice(&stderr);
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok(Ran { code: status.code(), stdout: text(stdout), stderr: text(stderr) })
    }
}

fn collect(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read until an error is all there is.
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

fn whole(pipe: Option<JoinHandle<Vec<u8>>>) -> Vec<u8> {
    pipe.and_then(|pipe| pipe.join().ok()).unwrap_or_default()
}

/// The command as somebody would type it.
pub(super) fn typed(words: &[&str]) -> String {
    let mut text = String::from("toolgate");
    for word in words {
        text.push(' ');
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@=+,".contains(&byte);
        if !word.is_empty() && word.bytes().all(plain) {
            text.push_str(word);
        } else {
            text.push_str(&format!("'{}'", word.replace('\'', r"'\''")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::typed;

    #[test]
    fn a_shell_reads_the_words_that_were_meant() {
        let cases: [(&[&str], &str); 4] = [
            (&["ledger", "verify"], "toolgate ledger verify"),
            (&["call", "--args", r#"{"a":1}"#], r#"toolgate call --args '{"a":1}'"#),
            (&["it's", ""], r"toolgate 'it'\''s' ''"),
            (&["$HOME", "a b", "~"], "toolgate '$HOME' 'a b' '~'"),
        ];
        for (words, want) in cases {
            assert_eq!(typed(words), want);
        }
    }
}
