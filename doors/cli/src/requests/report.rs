//! What a result says about a run.

use std::collections::BTreeSet;
use std::time::Duration;

use call::{ExitReason, Moment, Sha256};
use document::{Report, ReportArtifact, ReportStream, Request, Task};
use lanes::Ran;
use screen::KnownSecrets;

use super::approval::Agreed;
use super::lane::Ready;
use super::once::Begun;
use super::weighing::Weighed;

/// Everything that a run is made of.
pub(super) struct MadeOf<'m> {
    pub(super) weighed: &'m Weighed,
    pub(super) agreed: &'m Agreed,
    pub(super) ready: &'m Ready,
    pub(super) limits: lanes::Limits,
    pub(super) begun: &'m Begun,
    pub(super) known: &'m KnownSecrets,
}

impl MadeOf<'_> {
    pub(super) const fn request(&self) -> &Request {
        &self.weighed.request
    }

    /// What the result says.
    pub(super) fn report(&self, ran: &Ran, missing: &[String], now: Moment) -> Report {
        let request = self.request();
        Report {
            request_id: request.id.clone(),
            request_sha256: self.weighed.document,
            created: whole_seconds(now),
            executor: concat!("toolgate ", env!("CARGO_PKG_VERSION")).to_owned(),
            backend: match request.task {
                Task::Command { .. } => "ERA".to_owned(),
                Task::Code { .. } => "monty".to_owned(),
            },
            exit_code: ran.ending.code.into(),
            exit_reason: ran.ending.reason,
            runtime: ran.runtime,
            network: !request.network_allowlist.is_empty(),
            destinations: reached(ran),
            artifacts: artifacts(request, ran),
            stdout: ReportStream {
                text: self.redacted(&ran.stdout),
                sha256: Sha256::of(&ran.stdout),
                file: "stdout.txt",
            },
            stderr: ReportStream {
                text: self.redacted(&ran.stderr),
                sha256: Sha256::of(&ran.stderr),
                file: "stderr.txt",
            },
            lane: self.ready.lane,
            layers: ran.layers.clone(),
            ledger_entry: Some(self.begun.entry),
            summary: summary(request, self.agreed, ran, missing),
            provenance: provenance(self),
            unexpected: unexpected(ran, missing),
            network_confirmation: network_confirmation(request, ran),
        }
    }

    /// What may be shown of a stream: without secrets that the gate knows, or that look like any.
    fn redacted(&self, bytes: &[u8]) -> Vec<u8> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            // What is no text is spelled out line by line, and withheld where it holds what looks like a secret.
            return if self.known.find(&String::from_utf8_lossy(bytes)).is_empty() {
                bytes.to_vec()
            } else {
                b"<REDACTED:known_secret>\n".to_vec()
            };
        };
        let mut found = screen::screen(text, &[call::Family::Secret]);
        found.extend(self.known.find(text));
        redact::redact(text, &found).text().as_bytes().to_vec()
    }
}

fn whole_seconds(now: Moment) -> Moment {
    Moment::since_epoch(Duration::from_secs(now.milliseconds() / 1_000)).unwrap_or(now)
}

/// Expected outputs that the program did not leave.
pub(super) fn missing_outputs(request: &Request, ran: &Ran) -> Vec<String> {
    let left = |path: &str| {
        ran.artifacts.iter().any(|artifact| path.strip_prefix("/out/") == Some(artifact.path.as_str()))
    };
    request.outputs.iter().map(|output| output.path.clone()).filter(|path| !left(path)).collect()
}

fn artifacts(request: &Request, ran: &Ran) -> Vec<ReportArtifact> {
    let described = |path: &str| {
        let output = request.outputs.iter().find(|output| output.path == path)?;
        output.description.clone()
    };
    let artifacts = ran.artifacts.iter().map(|artifact| {
        let path = format!("/out/{}", artifact.path);
        ReportArtifact { description: described(&path), path, sha256: artifact.sha256 }
    });
    artifacts.collect()
}

/// Those who were really connected to.
fn reached(ran: &Ran) -> Vec<String> {
    let reached = ran.destinations.iter().filter(|destination| destination.address.is_some());
    let names: BTreeSet<String> = reached.map(|one| format!("{}:{}", one.host, one.port)).collect();
    names.into_iter().collect()
}

fn summary(request: &Request, agreed: &Agreed, ran: &Ran, missing: &[String]) -> Vec<String> {
    let mut summary = vec![
        format!("for: {}", request.purpose),
        if ran.ending.reason == ExitReason::Exited {
            format!("the program ended with exit code {}", ran.ending.code)
        } else {
            format!("the program was ended: {}, exit code {}", ran.ending.reason.as_str(), ran.ending.code)
        },
        format!("files left behind: {}, expected and missing: {}", ran.artifacts.len(), missing.len()),
    ];
    if agreed.unsigned {
        summary.push("nobody signed the approval; policy lets that pass".to_owned());
    }
    summary
}

fn provenance(made_of: &MadeOf<'_>) -> Vec<(&'static str, String)> {
    let MadeOf { weighed, agreed, ready, limits, begun, .. } = made_of;
    let request = &weighed.request;
    let json = |words: &[String]| serde_json::to_string(words).unwrap_or_default();
    let argv = match &request.task {
        Task::Command { argv, .. } => json(argv),
        Task::Code { code, .. } => format!("[\"monty\"], code with sha256 {}", Sha256::of(code.as_bytes())),
    };
    let limits = format!(
        "time {} s, memory {} MB, cpus {}, processes {}, disk {} MB, files {}, output {} KB",
        limits.time.as_secs(),
        limits.memory >> 20,
        limits.cpus,
        limits.processes,
        limits.disk >> 20,
        limits.files,
        limits.output >> 10
    );
    let inputs: Vec<String> =
        request.inputs.iter().map(|input| format!("{} sha256 {}", input.name, input.sha256)).collect();
    vec![
        ("argv", argv),
        ("backend identity", ready.identity.clone()),
        ("limits applied", limits),
        ("inputs", if inputs.is_empty() { "none".to_owned() } else { inputs.join(", ") }),
        ("approved by", agreed.people.join(", ")),
        ("policy sha256", weighed.ruled.policy.to_string()),
        ("call", begun.call.to_string()),
    ]
}

fn unexpected(ran: &Ran, missing: &[String]) -> Vec<String> {
    let mut told: Vec<String> =
        missing.iter().map(|path| format!("`{path}` was expected and is not there")).collect();
    told.extend(
        ran.unwanted.iter().map(|unwanted| format!("`{}` was not taken: {}", unwanted.path, unwanted.why)),
    );
    let refused = ran.destinations.iter().filter_map(|one| Some((one, one.refused?)));
    told.extend(refused.map(|(one, why)| format!("{}:{} was refused: {why}", one.host, one.port)));
    told.truncate(100);
    told
}

fn network_confirmation(request: &Request, ran: &Ran) -> String {
    if request.network_allowlist.is_empty() {
        return "the program had no network".to_owned();
    }
    let reached = ran.destinations.iter().filter(|one| one.address.is_some()).count();
    format!("through the proxy of the gate only, {reached} connections to hosts that are listed")
}
