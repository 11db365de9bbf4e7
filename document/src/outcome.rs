//! Tool Results: the only thing that comes back from execution, and data from end to end.
//!
//! The original validator knew requests only, so results are held to the same rules in both
//! profiles.

use call::{ExitReason, Moment, Sha256, Span};

use crate::fields::Fields;
use crate::findings::Findings;
use crate::front::{Part, Split};
use crate::labels::answers;
use crate::listing::{only_digest, paths_below, without_comments};
use crate::path::{is_below, normalise};
use crate::request::identity::is_request_id;
use crate::request::limits::{decimal, is_digits};
use crate::rules::{self, Rule};
use crate::sections::{self, Section, SectionRules, Sections, Title};
use crate::text::quoted;
use crate::yaml::Map;

/// A Tool Result that keeps every rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The id, which begins with `TS-`.
    pub id: String,
    /// When it was written.
    pub created: Moment,
    /// The request that it answers.
    pub request_id: String,
    /// What the program ended with.
    pub exit_code: i64,
    /// How long it ran.
    pub runtime_seconds: f64,
    /// What it left behind.
    pub artifacts: Vec<Artifact>,
}

/// A file that a run left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// A path below `/out`, or the name of a stream file.
    pub path: String,
    /// The digest of its content.
    pub sha256: Sha256,
}

const KNOWN_KEYS: [&str; 19] = [
    "result_type",
    "schema_version",
    "result_id",
    "created_utc",
    "request_id",
    "executor",
    "backend",
    "exit_code",
    "runtime_sec",
    "network_used",
    "network_destinations",
    "artifacts",
    "stdout_sha256",
    "stderr_sha256",
    "request_sha256",
    "exit_reason",
    "lane",
    "layers",
    "ledger_entry",
];

const TITLES: [Title; 6] = [
    Title::required("## Summary"),
    Title::required("## Provenance"),
    Title::required("## Outputs"),
    Title::stream("## Stdout"),
    Title::stream("## Stderr"),
    Title::required("## Safety Notes"),
];

static SECTION_RULES: SectionRules = SectionRules {
    missing: &rules::RESULT_SECTION,
    order: &rules::RESULT_SECTION,
    twice: &rules::RESULT_SECTION,
    unknown: &rules::RESULT_SECTION,
};

/// Names of the files that hold the two streams whole.
const STREAM_FILES: [&str; 6] = ["stdout", "stderr", "stdout.txt", "stderr.txt", "stdout.log", "stderr.log"];

const SAFETY_LABELS: [&str; 3] =
    ["Untrusted Output Statement", "Unexpected behavior", "Network confirmation"];

/// Lines of a stream that a result shows.
const SHOWN_LINES: usize = 200;

/// Finds everything that is wrong with a result.
pub(crate) fn check(
    split: Split<'_>,
    map: &Map<'_>,
    stem: Option<&str>,
    now: Moment,
    findings: &mut Findings,
) -> Option<Outcome> {
    let mut fields = Fields { split, map, findings };
    fields.warn_unknown(map, &KNOWN_KEYS);
    fields.refuse_unseen(&["result_id", "request_id", "executor", "backend", "path", "network_destinations"]);
    fields.choice("result_type", &rules::RESULT_TYPE, &[("tool_result", ())]);
    fields.choice("schema_version", &rules::SCHEMA_VERSION, &[("1", ())]);
    let id = result_id(&mut fields, stem);
    let created = fields.required("created_utc", &rules::TIME_FORM);
    let created = created.and_then(|field| fields.past("created_utc", field, now));
    let request_id =
        matching(&mut fields, "request_id", &rules::RESULT_REQUEST_ID, is_request_id, "a request id");
    let not_blank = |text: &str| !text.trim().is_empty();
    matching(&mut fields, "executor", &rules::RESULT_TEXT, not_blank, "who ran the request");
    matching(&mut fields, "backend", &rules::RESULT_TEXT, not_blank, "where the request ran");
    let whole = |text: &str| is_digits(text.strip_prefix('-').unwrap_or(text)) && text.parse::<i64>().is_ok();
    let exit_code = matching(&mut fields, "exit_code", &rules::RESULT_NUMBER, whole, "a whole number");
    let number = |text: &str| decimal(text).is_some();
    let runtime = matching(&mut fields, "runtime_sec", &rules::RESULT_NUMBER, number, "a number from 0");
    check_network(&mut fields);
    let artifacts = artifacts(&mut fields);
    for key in ["stdout_sha256", "stderr_sha256", "request_sha256"] {
        let field = fields.optional(key, &rules::RESULT_DIGEST);
        if let Some(field) = field.filter(|field| field.text.parse::<Sha256>().is_err()) {
            let message = format!("`{key}` is not 64 hexadecimal digits");
            fields.findings.add(&rules::RESULT_DIGEST, field.span, message);
        }
    }
    let reason = fields.optional("exit_reason", &rules::RESULT_EXIT_REASON);
    if let Some(field) = reason.filter(|field| !ExitReason::ALL.iter().any(|(word, _)| *word == field.text)) {
        fields.report_choice(
            "exit_reason",
            &rules::RESULT_EXIT_REASON,
            field,
            &ExitReason::ALL.map(|(word, _)| word),
        );
    }
    crate::front::refuse_second_block(split.body, &KNOWN_KEYS, findings);
    let found = sections::find(split.body, &TITLES, &SECTION_RULES, findings);
    sections::refuse_lookalikes(split.body, findings);
    check_sections(&found, &artifacts, findings);
    let artifacts = artifacts.into_iter().map(|(artifact, _)| artifact).collect();
    Some(Outcome {
        id: id?,
        created: created?,
        request_id: request_id?,
        exit_code: exit_code?.parse().ok()?,
        runtime_seconds: runtime?.parse().ok()?,
        artifacts,
    })
}

fn result_id(fields: &mut Fields<'_>, stem: Option<&str>) -> Option<String> {
    let field = fields.required("result_id", &rules::RESULT_ID)?;
    let text = |key: &str| fields.map.entry(key).and_then(|entry| entry.value.text()).unwrap_or_default();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
    let answers = field.text.strip_suffix(text("request_id")).and_then(|rest| rest.strip_prefix("TS-"));
    if !answers.is_some_and(|time| time.ends_with('-') && field.text.bytes().all(plain)) {
        let message = format!("`result_id` is {}, expected `TS-<time>-<request id>`", quoted(field.text));
        fields.findings.add(&rules::RESULT_ID, field.span, message);
        return None;
    }
    if let Some(stem) = stem.filter(|stem| stem.starts_with("TS-") && *stem != field.text) {
        let message =
            format!("`result_id` is {}, but the file is named {}", quoted(field.text), quoted(stem));
        fields.findings.add(&rules::RESULT_ID, field.span, message);
    }
    Some(field.text.to_owned())
}

/// A required key whose text must satisfy `holds`.
fn matching(
    fields: &mut Fields<'_>,
    key: &str,
    rule: &'static Rule,
    holds: impl Fn(&str) -> bool,
    expected: &str,
) -> Option<String> {
    let field = fields.required(key, rule)?;
    if holds(field.text) {
        return Some(field.text.to_owned());
    }
    let message = format!("`{key}` is {}, expected {expected}", quoted(field.text));
    fields.findings.add(rule, field.span, message);
    None
}

fn check_network(fields: &mut Fields<'_>) {
    let used = fields.choice("network_used", &rules::RESULT_NETWORK, &[("none", false), ("allowlist", true)]);
    let destinations = fields.list("network_destinations");
    if let (Some(false), Some(first)) = (used, destinations.first()) {
        let message = "`network_used` is `none`, but `network_destinations` names hosts";
        fields.findings.add(&rules::RESULT_NETWORK, first.span, message);
    }
}

fn artifacts(fields: &mut Fields<'_>) -> Vec<(Artifact, Span)> {
    let mut artifacts = Vec::new();
    for (map, item) in fields.maps("artifacts", &["path", "sha256"]) {
        let text = |key| map.entry(key).and_then(|entry| Some((entry.value.text()?, entry.value.span)));
        let (Some((path, span)), Some((digest, digest_span))) = (text("path"), text("sha256")) else {
            let message = "an artifact needs `path` and `sha256`";
            fields.findings.add(&rules::RESULT_ARTIFACT, item, message);
            continue;
        };
        let place = normalise(path, "/");
        if !(is_below(&place, "/out") || STREAM_FILES.contains(&path)) {
            let message = format!("the artifact {} does not lie below `/out`", quoted(path));
            fields.findings.add(&rules::RESULT_ARTIFACT, span, message);
        }
        match digest.parse() {
            Ok(sha256) => artifacts.push((Artifact { path: path.to_owned(), sha256 }, span)),
            Err(_) => {
                let message = format!("the digest {} is not 64 hexadecimal digits", quoted(digest));
                fields.findings.add(&rules::RESULT_DIGEST, digest_span, message);
            }
        }
    }
    artifacts
}

fn check_sections(found: &Sections<'_>, artifacts: &[(Artifact, Span)], findings: &mut Findings) {
    if let Some(section) = found.section("## Outputs") {
        agree_on_outputs(section, artifacts, findings);
    }
    for title in ["## Stdout", "## Stderr"] {
        if let Some(section) = found.section(title) {
            check_stream(title, section, findings);
        }
    }
    if let Some(section) = found.section("## Safety Notes") {
        let shown = without_comments(section.content.text);
        let part = Part { text: &shown, start: section.content.start };
        let answers = answers(part, &SAFETY_LABELS);
        for label in SAFETY_LABELS {
            let given = answers.iter().find(|answer| answer.label == label);
            if given.is_none_or(|answer| answer.value.is_empty()) {
                let message = format!("`## Safety Notes` does not answer `{label}:`");
                findings.add(&rules::RESULT_SAFETY_LABEL, section.heading, message);
            }
        }
    }
}

/// `## Outputs` and the artifacts below `/out` name the same files.
fn agree_on_outputs(section: Section<'_>, artifacts: &[(Artifact, Span)], findings: &mut Findings) {
    let below = |path: &str| normalise(path, "/").strip_prefix("/out/").map(str::to_owned);
    let names: Vec<(String, Span)> =
        artifacts.iter().filter_map(|(artifact, span)| Some((below(&artifact.path)?, *span))).collect();
    let declared: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
    let listed = paths_below(section.content, "/out/", &declared);
    for path in &listed {
        let artifact =
            artifacts.iter().find(|(artifact, _)| below(&artifact.path).as_deref() == Some(path.rest()));
        let digest = only_digest(path.line);
        if let (Some((artifact, _)), Some(digest)) = (artifact, digest)
            && artifact.sha256 != digest
        {
            let message = format!("the digest of {} differs from the artifact's", quoted(path.rest()));
            findings.add(&rules::RESULT_OUTPUTS, path.span, message);
        }
    }
    let listed: Vec<_> = listed.into_iter().map(|path| (below(&path.path), path.span)).collect();
    for (name, span) in &names {
        if !listed.iter().any(|(path, _)| path.as_ref() == Some(name)) {
            let message =
                format!("the artifact {} is not listed under `## Outputs`", quoted(&format!("/out/{name}")));
            findings.add(&rules::RESULT_OUTPUTS, *span, message);
        }
    }
    for (path, span) in &listed {
        if !path.as_deref().is_some_and(|path| declared.contains(&path)) {
            let message = "a file under `## Outputs` is not among the `artifacts`";
            findings.add(&rules::RESULT_OUTPUTS, *span, message);
        }
    }
}

/// Fences and the note that text was cut are not lines of the stream.
fn check_stream(title: &str, section: Section<'_>, findings: &mut Findings) {
    let shown = section.content.text.trim_matches(['\n', '\r']);
    let part = Part { text: shown, start: section.content.start };
    let is_stream = |text: &str| {
        let text = text.trim();
        !(text.starts_with("```") || text.starts_with("~~~") || text.starts_with('[') && text.ends_with(']'))
    };
    let n_lines = part.lines().filter(|line| is_stream(line.text)).count();
    if n_lines > SHOWN_LINES {
        let message = format!("`{title}` shows {n_lines} lines, expected at most {SHOWN_LINES}");
        let hint = "keep the whole text as an artifact, and say that it was cut";
        findings.advise(&rules::RESULT_STREAM_LENGTH, section.heading, message, hint);
    }
}
