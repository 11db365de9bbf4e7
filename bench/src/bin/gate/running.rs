//! `toolgate run` of a trivial Monty request that a person signed, from the command to its exit, beside the same
//! program when it only says its version.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;
use ssh_key::private::Ed25519Keypair;
use ssh_key::{LineEnding, PrivateKey};
use tempfile::TempDir;

use crate::Plan;
use crate::figures::Figures;
use crate::home::APPROVER;
use crate::told;

/// Times in milliseconds.
#[derive(Default)]
pub(crate) struct Run {
    /// All of it.
    pub(crate) all: Figures,
    /// A process that starts and says its version.
    pub(crate) start: Figures,
}

/// A home that the program itself has made.
struct House<'p> {
    program: &'p Path,
    folder: TempDir,
}

pub(crate) fn measure(plan: &Plan, program: &Path) -> Result<Run, String> {
    let house = House::make(program)?;
    let mut run = Run::default();
    for number in 0..=plan.runs {
        let request = house.approved(number)?;
        let (answer, all) = house.told(&["run", &request, "--format", "json"])?;
        if answer.get("status").and_then(Value::as_str) != Some("success") {
            return Err(format!("it was not run: {answer}"));
        }
        let start = Instant::now();
        let said = Command::new(program).arg("--version").stdin(Stdio::null()).output().map_err(told)?;
        let version = start.elapsed().as_secs_f64() * 1e3;
        if !said.status.success() {
            return Err("the program does not say its version".to_owned());
        }
        // The first one fills the caches.
        if number > 0 {
            run.all.push(all);
            run.start.push(version);
        }
    }
    Ok(run)
}

impl<'p> House<'p> {
    fn make(program: &'p Path) -> Result<Self, String> {
        let house = Self { program, folder: TempDir::new().map_err(told)? };
        house.done(&["init"])?;
        let key = PrivateKey::from(Ed25519Keypair::from_seed(&[7; 32]));
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(house.path("key"))
            .map_err(told)?;
        file.write_all(key.to_openssh(LineEnding::LF).map_err(told)?.as_bytes()).map_err(told)?;
        let public = key.public_key().to_openssh().map_err(told)?;
        std::fs::write(house.path("key.pub"), format!("{public}\n")).map_err(told)?;
        std::fs::write(house.path(".toolgate/approvers"), format!("{APPROVER} {public}\n")).map_err(told)?;
        let review = ["--reason", "a measurement", "--abuse-case", "none", "--tests", "none", "--rollback"];
        house.done(&[&["policy", "apply"], &review[..], &["apply the one before"]].concat())?;
        std::fs::write(house.path("sum.py"), "1 + 2\n").map_err(told)?;
        Ok(house)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A request that a person has signed.
    fn approved(&self, number: usize) -> Result<String, String> {
        let slug = format!("sum-{number}");
        let (drafted, _) = self.told(&[
            "new",
            "--slug",
            &slug,
            "--purpose",
            "Add two numbers",
            "--dir",
            ".toolgate/requests/drafts",
            "--justification",
            "a measurement",
            "--sensitivity",
            "public",
            "--risk",
            "low",
            "--code",
            "sum.py",
            "--result",
            "What it comes to.",
            "--format",
            "json",
        ])?;
        let id = drafted.get("request_id").and_then(Value::as_str).ok_or("nothing was drafted")?.to_owned();
        self.done(&["approve", &id, "--key", "key", "--yes"])?;
        Ok(id)
    }

    /// What the program says, and how long that took in milliseconds.
    fn told(&self, words: &[&str]) -> Result<(Value, f64), String> {
        let (said, time) = self.run(words)?;
        Ok((serde_json::from_slice(&said).map_err(told)?, time))
    }

    fn done(&self, words: &[&str]) -> Result<(), String> {
        self.run(words).map(drop)
    }

    fn run(&self, words: &[&str]) -> Result<(Vec<u8>, f64), String> {
        let start = Instant::now();
        let said = Command::new(self.program)
            .args(words)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .map_err(told)?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        match said.status.success() {
            true => Ok((said.stdout, time)),
            false => {
                Err(format!("`toolgate {}`: {}", words.join(" "), String::from_utf8_lossy(&said.stderr)))
            }
        }
    }
}
