//! A machine with a workspace, and calls that run there.

use std::path::PathBuf;
use std::sync::Arc;

use call::{
    AbsolutePath, Content, Done, Effect, Fault, Lane, Paths as _, Program, Reach, Run, RunLimits, SecretUse,
    Sha256, WebAddress, WebRequest,
};
use execute::place::Locator;
use execute::sandbox::Sandbox;
use execute::secrets::{Source, Surroundings, Vault};
use lanes::network::Internet;
use secrecy::SecretBox;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::kit::{Asked, walls};

pub(crate) const TOKEN: &str = "correct-horse-battery";

pub(crate) struct Machine {
    pub(crate) workspace: TempDir,
    pub(crate) locator: Locator,
    pub(crate) sandbox: Sandbox,
    pub(crate) vault: Vault,
}

/// The binary that the tests start in place of the gate's own.
fn worker() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("examples").join("execute_worker")
}

pub(crate) fn absolute(path: &std::path::Path) -> AbsolutePath {
    AbsolutePath::parse(path.canonicalize().unwrap().to_str().unwrap()).unwrap()
}

pub(crate) fn machine() -> Machine {
    machine_with(std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect(), worker())
}

pub(crate) fn machine_with(search: Vec<PathBuf>, worker: PathBuf) -> Machine {
    let workspace = TempDir::new().unwrap();
    let root = absolute(workspace.path());
    let home = AbsolutePath::parse(&format!("{root}/.toolgate")).unwrap();
    let locator = Locator::new(&root, std::slice::from_ref(&root), &home).unwrap();
    let variable = |name: &str| (name == "TOKEN").then(|| TOKEN.into());
    let sources = [("deploy".to_owned(), Source::Env(["TOKEN".to_owned()].into()))].into();
    let around = Surroundings { variable: Box::new(variable) };
    let vault = Vault::new(sources, around, SecretBox::new(Box::new([7; 32])));
    let sandbox = Sandbox::new(search, worker, None, Arc::new(Internet));
    Machine { workspace, locator, sandbox, vault }
}

impl Machine {
    pub(crate) fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.workspace.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn asked(&self, lane: Lane, arguments: &Value) -> Asked {
        let language = arguments["language"].as_str().unwrap_or_default().to_owned();
        let argv = |list: &Vec<Value>| list.iter().map(|word| word.as_str().unwrap().to_owned()).collect();
        let program = match (arguments["code"].as_str(), arguments["argv"].as_array()) {
            (Some(code), _) => Program::Code { language, sha256: Sha256::of(code.as_bytes()) },
            (None, Some(list)) => {
                let argv: Vec<String> = argv(list);
                if call::programs::starts_shell(&argv) {
                    Program::Shell { command: argv.join(" ") }
                } else {
                    Program::Argv { language, argv }
                }
            }
            (None, None) => Program::Shell { command: arguments["command"].as_str().unwrap().to_owned() },
        };
        let inputs = arguments["inputs"].as_array().cloned().unwrap_or_default();
        let mut effects: Vec<Effect> = Vec::new();
        for input in &inputs {
            effects.push(Effect::Read {
                path: self.locator.locate(input.as_str().unwrap()),
                reach: Reach::Below,
            });
        }
        for host in arguments["network"].as_array().into_iter().flatten() {
            let url = WebAddress::parse(&format!("https://{}/", host.as_str().unwrap())).unwrap();
            effects.push(Effect::Network(WebRequest {
                method: "CONNECT".to_owned(),
                url,
                headers: Vec::new(),
                body: None,
            }));
        }
        effects.push(Effect::Run(Run {
            program,
            lane: None,
            network: arguments["network"].is_array(),
            stdin: arguments["stdin"].as_str().map(|text| Sha256::of(text.as_bytes())),
            inputs: inputs.len(),
            environment: arguments["env"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, value)| (name.clone(), Sha256::of(value.to_string().as_bytes())))
                .collect(),
            limits: RunLimits {
                time_limit_sec: arguments["time_limit_sec"]
                    .as_u64()
                    .map(|number| u32::try_from(number).unwrap()),
                memory_limit_mb: arguments["memory_limit_mb"]
                    .as_u64()
                    .map(|number| u32::try_from(number).unwrap()),
                cpu_limit: None,
            },
        }));
        let mut asked = Asked::new("exec_sandbox", arguments, effects);
        asked.walls = walls(Some(lane));
        asked
    }

    pub(crate) fn run_asked(&self, asked: &Asked) -> Result<Done, Fault> {
        self.sandbox.run(&asked.errand(), &self.locator, &self.vault)
    }

    pub(crate) fn run(&self, lane: Lane, arguments: &Value) -> Result<Done, Fault> {
        self.run_asked(&self.asked(lane, arguments))
    }

    /// What a run gave.
    #[track_caller]
    pub(crate) fn data(&self, lane: Lane, arguments: &Value) -> Value {
        let done = self.run(lane, arguments).unwrap();
        assert!(done.untrusted);
        assert_eq!(done.lane.as_ref().unwrap().0, lane);
        assert!(!done.lane.as_ref().unwrap().1.is_empty());
        let Content::Data(data) = done.content else { panic!("{done:?}") };
        data
    }

    pub(crate) fn python(&self, code: &str) -> Value {
        self.data(Lane::Jail, &json!({ "language": "python", "code": code }))
    }

    pub(crate) fn handle(&self, reveal: SecretUse) -> Value {
        let effect = Effect::Secret { scope: "deploy".to_owned(), name: "TOKEN".to_owned(), reveal };
        let asked = Asked::new("secrets_get", &json!({}), vec![effect]);
        let Content::Data(data) = self.vault.get(&asked.errand()).unwrap().content else { panic!() };
        json!({ "$secret": data["handle"] })
    }
}
