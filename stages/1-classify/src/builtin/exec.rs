//! Tools that run code.

use std::collections::{BTreeMap, BTreeSet};

use call::programs::{is_runtime, runtimes, starts_shell};
use call::{
    Effect, Lane, Language, Program, Reach, Run, RunLimits, Sha256, WebAddress, WebRequest, WebScheme,
    handle_in,
};
use serde::Deserialize;
use serde_json::Value;

use super::{ToolEffects, check};
use crate::{Catalogue, Fault};

/// The value of a variable.
#[derive(Deserialize)]
#[serde(untagged)]
enum Variable {
    Text(String),
    Secret {
        #[serde(rename = "$secret")]
        handle: String,
    },
}

impl Variable {
    /// The digest that an approval is bound to. That of a handle begins with a NUL, which no variable holds.
    fn digest(&self, place: &str) -> Result<Sha256, Fault> {
        match self {
            Self::Text(text) if text.contains('\0') => Err(Fault::new(place, "must not hold NUL")),
            Self::Text(text) if is_handle(text) => Ok(Sha256::of(format!("\0secret:{text}").as_bytes())),
            Self::Text(text) => Ok(Sha256::of(text.as_bytes())),
            Self::Secret { handle } => Ok(Sha256::of(format!("\0secret:{handle}").as_bytes())),
        }
    }
}

/// Whether a value is a handle and nothing else, and so stands for what the handle does.
fn is_handle(text: &str) -> bool {
    handle_in(text).is_some_and(|(prefix, _)| prefix.is_empty())
}

/// Variables by which a loader or a runtime is made to run something else than it was told to.
fn is_dangerous(name: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: [&str; 20] = [
        "PATH", "HOME", "IFS", "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND",
        "NODE_OPTIONS", "NODE_PATH", "PERL5OPT", "RUBYOPT", "RUBYLIB", "GOFLAGS",
        "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONBREAKPOINT",
    ];
    const BEGINNINGS: [&str; 3] = ["LD_", "DYLD_", "BASH_FUNC_"];
    let upper = name.to_ascii_uppercase();
    NAMES.contains(&upper.as_str())
        || BEGINNINGS.iter().any(|start| upper.starts_with(start))
        || upper.ends_with("_PROXY")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sandbox<'a> {
    language: &'a str,
    code: Option<&'a str>,
    argv: Option<Vec<String>>,
    #[serde(default)]
    inputs: Vec<String>,
    stdin: Option<&'a str>,
    #[serde(default)]
    env: BTreeMap<String, Variable>,
    #[serde(default)]
    network: Value,
    time_limit_sec: Option<u32>,
    memory_limit_mb: Option<u32>,
    cpu_limit: Option<u32>,
    lane: Option<&'a str>,
}

pub(super) fn sandbox(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: Sandbox<'_> = check::take(arguments)?;
    // The schema lets through `"none"`, or a list of texts.
    let hosts: Vec<&str> = given.network.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let program = program(given.language, given.code, given.argv)?;
    let lane = given.lane.and_then(|name| Lane::ALL.iter().find(|(spelling, _)| *spelling == name));
    let lane = lane.map(|&(_, lane)| lane);
    let python = matches!(&program, Program::Code { language, .. } if language == "python");
    if lane == Some(Lane::Monty)
        && !(python && given.inputs.is_empty() && given.env.is_empty() && hosts.is_empty())
    {
        return Err(Fault::new(
            "/lane",
            "is `monty`, which only runs Python `code` without inputs, env and network",
        ));
    }
    let mut effects = Vec::new();
    let mut names = BTreeSet::new();
    for (number, input) in given.inputs.iter().enumerate() {
        let path = check::path(&format!("/inputs/{number}"), input)?;
        if let Some(name) = name_of(input)
            && !names.insert(name)
        {
            let place = format!("/inputs/{number}");
            return Err(Fault::new(place, format!("would be `/in/{name}`, as another of the inputs is")));
        }
        effects.push(Effect::Read { path, reach: Reach::Below });
    }
    for (number, host) in hosts.iter().enumerate() {
        effects.push(connect(&format!("/network/{number}"), host)?);
    }
    let mut environment = Vec::new();
    for (name, value) in &given.env {
        let place = format!("/env/{name}");
        if is_dangerous(name) {
            return Err(Fault::new(
                place,
                "is a variable that the lane sets itself, or that changes what is run",
            ));
        }
        environment.push((name.clone(), value.digest(&place)?));
    }
    effects.push(Effect::Run(Run {
        program,
        lane,
        network: !hosts.is_empty(),
        stdin: given.stdin.map(|stdin| Sha256::of(stdin.as_bytes())),
        inputs: given.inputs.len(),
        environment,
        limits: RunLimits {
            time_limit_sec: given.time_limit_sec,
            memory_limit_mb: given.memory_limit_mb,
            cpu_limit: given.cpu_limit,
        },
    }));
    Ok(effects)
}

fn program(language: &str, code: Option<&str>, argv: Option<Vec<String>>) -> Result<Program, Fault> {
    let language = language.to_owned();
    match (code, argv) {
        (Some(code), None) => Ok(Program::Code { language, sha256: Sha256::of(code.as_bytes()) }),
        (None, Some(argv)) => {
            if argv.first().is_none_or(String::is_empty) {
                return Err(Fault::new("/argv/0", "must be the name of a program"));
            }
            match argv.iter().position(|word| word.contains('\0')) {
                Some(number) => Err(Fault::new(format!("/argv/{number}"), "must not hold NUL")),
                // Whoever reads the line decides what it is, not the tool that it came by.
                None if starts_shell(&argv) => Ok(Program::Shell { command: argv.join(" ") }),
                None => match not_a_runtime(&language, &argv) {
                    Some(fault) => Err(fault),
                    None => Ok(Program::Argv { language, argv }),
                },
            }
        }
        (None, None) | (Some(_), Some(_)) => {
            Err(Fault::new("", "must have exactly one of `code` and `argv`"))
        }
    }
}

/// Why these words start nothing: the lane has the runtime of the language, and no other program.
fn not_a_runtime(language: &str, argv: &[String]) -> Option<Fault> {
    let (_, language) = *Language::ALL.iter().find(|(spelling, _)| *spelling == language)?;
    let program = argv.first()?;
    (!is_runtime(language, program)).then(|| {
        let names = runtimes(language).join("` or `");
        let wanted = format!("must be the runtime of `{}`: `{names}`", language.as_str());
        let remedy = format!(
            "the lane has the runtime of `language` and no other program: begin `argv` with `{names}` or give \
             `code`; a shell such as `sh` may start too, where policy allows shells"
        );
        Fault::new("/argv/0", wanted).with_remedy(remedy)
    })
}

/// The name that an input has below `/in`, where its path says so.
fn name_of(input: &str) -> Option<&str> {
    let last = input.trim_end_matches('/').rsplit('/').next()?;
    (!matches!(last, "" | "." | "..")).then_some(last)
}

/// A connection to `host` or `host:port`. Which protocol is spoken is up to the code; port 80 is
/// taken for plain HTTP, any other for TLS, so that the default ports have their usual names.
fn connect(place: &str, host: &str) -> Result<Effect<String>, Fault> {
    let bad =
        || Fault::new(place, "must be `host` or `host:port`, such as `example.com` or `example.org:8443`");
    let plain = host.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']' | '_'));
    if !plain {
        return Err(bad());
    }
    let mut url = WebAddress::parse(&format!("https://{host}/")).map_err(|_| bad())?;
    if url.path != "/" {
        return Err(bad());
    }
    if url.port == WebScheme::Http.default_port() {
        url.scheme = WebScheme::Http;
    }
    Ok(Effect::Network(WebRequest { method: "CONNECT".to_owned(), url, headers: Vec::new(), body: None }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shell<'a> {
    command: &'a str,
}

pub(super) fn shell(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: Shell<'_> = check::take(arguments)?;
    if given.command.contains('\0') {
        return Err(Fault::new("/command", "must not hold NUL"));
    }
    Ok(vec![Effect::Run(Run {
        program: Program::Shell { command: given.command.to_owned() },
        lane: None,
        network: false,
        stdin: None,
        inputs: 0,
        environment: Vec::new(),
        limits: RunLimits::default(),
    })])
}
