//! Tool Requests in the strict profile: every rule of the specification, in one pass.

mod files;
pub(crate) mod identity;
pub(crate) mod limits;
mod network;
mod risk;
pub(crate) mod types;

use call::{Language, Moment};

use crate::command;
use crate::command::refused::SHELLS;
use crate::fields::Fields;
use crate::findings::Findings;
use crate::front::Split;
use crate::monty;
use crate::rules;
use crate::sections::{self, SectionRules, Title};
use crate::text::quoted;
use crate::yaml::Map;
use network::Network;
use types::{Request, Task};

/// Keys that a request may have.
const KNOWN_KEYS: [&str; 18] = [
    "request_type",
    "schema_version",
    "request_id",
    "created_utc",
    "requested_by",
    "approved_by",
    "approved_utc",
    "purpose",
    "language",
    "network",
    "cpu_limit",
    "memory_limit_mb",
    "time_limit_sec",
    "backend",
    "network_allowlist",
    "inputs",
    "outputs_expected",
    "constraints",
];

/// Keys that it must have: all but the last five.
pub(crate) const REQUIRED_KEYS: &[&str] = KNOWN_KEYS.split_at(13).0;

/// Keys whose values have one line.
const ONE_LINE_KEYS: [&str; 7] =
    ["approved_by", "approved_utc", "purpose", "request_id", "network_allowlist", "name", "path"];

const ERA_TITLES: [Title; 4] = [
    Title::required("## Command"),
    Title::required("## Input Files"),
    Title::required("## Output Expectations"),
    Title::required("## Risk Assessment"),
];
const MONTY_TITLES: [Title; 4] = [
    Title::code("## Code"),
    Title::optional("## Inputs (JSON)"),
    Title::required("## Output Expectations"),
    Title::required("## Risk Assessment"),
];

static SECTION_RULES: SectionRules = SectionRules {
    missing: &rules::SECTION_MISSING,
    order: &rules::SECTION_ORDER,
    twice: &rules::SECTION_TWICE,
    unknown: &rules::SECTION_UNKNOWN,
};

/// Where a request runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    Era,
    Monty,
}

/// Finds everything that is wrong with a request; the request comes back when nothing is.
pub(crate) fn check(
    split: Split<'_>,
    map: &Map<'_>,
    stem: Option<&str>,
    now: Moment,
    findings: &mut Findings,
) -> Option<Request> {
    let mut fields = Fields { split, map, findings };
    fields.warn_unknown(map, &KNOWN_KEYS);
    fields.refuse_unseen(&ONE_LINE_KEYS);

    fields.choice("request_type", &rules::REQUEST_TYPE, &[("tool_request", ())]);
    fields.choice("schema_version", &rules::SCHEMA_VERSION, &[("1", ())]);
    let id = identity::request_id(&mut fields, stem);
    let created = fields.required("created_utc", &rules::TIME_FORM);
    let created = created.and_then(|field| fields.past("created_utc", field, now));
    let requested_by = identity::requested_by(&mut fields);
    let (approved_by, approved) = identity::approval(&mut fields, created, now);
    let purpose = purpose(&mut fields);
    let backend = backend(&mut fields);
    let language = language(&mut fields);
    let network = network::network(&mut fields);
    let network_allowlist = network::allowlist(&mut fields, network);
    let limits = limits::limits(&mut fields);
    let inputs = files::inputs(&mut fields);
    let outputs = files::outputs(&mut fields);
    let constraints = constraints(&mut fields);

    if backend == Some(Backend::Monty) {
        check_monty_fields(&mut fields, language, network);
    }

    let body = split.body;
    let titles = if backend == Some(Backend::Monty) { &MONTY_TITLES } else { &ERA_TITLES };
    let sections = sections::find(body, titles, &SECTION_RULES, findings);
    let code = sections.section("## Code");
    // A program is not Markdown: what looks like structure in it is none.
    let code_span = code.map_or((body.end(), body.end()), |code| (code.content.start, code.content.end()));
    for part in [body.between(body.start, code_span.0), body.between(code_span.1, body.end())] {
        crate::front::refuse_second_block(part, &KNOWN_KEYS, findings);
        sections::refuse_lookalikes(part, findings);
    }
    let output_section = sections.section("## Output Expectations");
    let task = if backend == Some(Backend::Monty) {
        if let Some(section) = output_section {
            warn_monty_outputs(section, findings);
        }
        let code = code.and_then(|section| monty::code(section, findings));
        let inputs_json = sections.section("## Inputs (JSON)");
        let inputs_json = inputs_json.and_then(|section| monty::inputs(section, findings));
        code.map(|code| Task::Code { code, inputs_json })
    } else {
        let names: Vec<&str> = inputs.iter().map(|input| input.file.0.as_str()).collect();
        if let Some(section) = sections.section("## Input Files") {
            files::agree_on_inputs(section, &inputs, findings);
        }
        if let Some(section) = output_section {
            files::agree_on_outputs(section, outputs.as_deref(), findings);
        }
        let command = sections.section("## Command");
        command.and_then(|section| command::check(split.text, section, language, &names, findings))
    };
    let risk = sections.section("## Risk Assessment");
    let risk = risk.and_then(|section| risk::risk(section, network, findings));

    Some(Request {
        id: id?,
        created: created?,
        requested_by: requested_by?,
        approved_by: approved_by?,
        approved: approved?,
        purpose: purpose?,
        language: language?,
        network_allowlist: network_allowlist?,
        limits: limits?,
        inputs: files::into_inputs(inputs)?,
        outputs: outputs.unwrap_or_default().into_iter().map(|output| output.file).collect(),
        constraints,
        task: task?,
        risk: risk?,
    })
    .filter(|_| !findings.any_error())
}

fn purpose(fields: &mut Fields<'_>) -> Option<String> {
    const LONGEST: usize = 300;
    let field = fields.required("purpose", &rules::PURPOSE)?;
    let text = field.text.trim();
    let why = if text.is_empty() {
        "is empty"
    } else if text.contains(['\n', '\r']) {
        "has several lines"
    } else if text.chars().count() > LONGEST {
        "is longer than 300 characters"
    } else {
        return Some(text.to_owned());
    };
    let hint = "say in one sentence why the program is needed";
    fields.findings.advise(&rules::PURPOSE, field.span, format!("`purpose` {why}"), hint);
    None
}

fn backend(fields: &mut Fields<'_>) -> Option<Backend> {
    if fields.map.entry("backend").is_none() {
        return Some(Backend::Era);
    }
    let field = fields.optional("backend", &rules::BACKEND)?;
    let choices = [("ERA", Backend::Era), ("monty", Backend::Monty)];
    let found = choices.iter().find(|(word, _)| word.eq_ignore_ascii_case(field.text));
    if found.is_none() {
        fields.report_choice("backend", &rules::BACKEND, field, &["ERA", "monty"]);
    }
    found.map(|(_, backend)| *backend)
}

fn language(fields: &mut Fields<'_>) -> Option<Language> {
    let field = fields.required("language", &rules::LANGUAGE)?;
    if let Some((_, language)) = Language::ALL.iter().find(|(word, _)| *word == field.text) {
        return Some(*language);
    }
    let name = field.text.trim().to_lowercase();
    if SHELLS.contains(&name.as_str()) || SHELLS.contains(&name.trim_end_matches(".exe")) {
        let message = format!("`language` is {}, which is a shell", quoted(field.text));
        let hint = "use `python`, `node`, `ts`, `go` or `ruby`";
        fields.findings.advise(&rules::LANGUAGE_SHELL, field.span, message, hint);
        return None;
    }
    fields.report_choice("language", &rules::LANGUAGE, field, &Language::ALL.map(|(word, _)| word));
    None
}

fn constraints(fields: &mut Fields<'_>) -> Vec<String> {
    let values = fields.list("constraints");
    values.iter().filter_map(|value| Some(fields.scalar("constraints", value)?.text.to_owned())).collect()
}

/// Monty has no files, no network, and one language.
fn check_monty_fields(fields: &mut Fields<'_>, language: Option<Language>, network: Option<Network>) {
    for key in ["inputs", "outputs_expected"] {
        if let (false, Some(entry)) = (fields.list(key).is_empty(), fields.map.entry(key)) {
            let message = format!("`backend: monty` has no files, but `{key}` names some");
            let hint = "pass values under `## Inputs (JSON)`, or use `backend: ERA`";
            fields.findings.advise(&rules::MONTY_FILES, entry.key_span, message, hint);
        }
    }
    if let (Some(entry), Some(language)) = (fields.map.entry("language"), language)
        && language != Language::Python
    {
        let message = format!("`backend: monty` runs `python`, not `{}`", language.as_str());
        fields.findings.add(&rules::MONTY_LANGUAGE, entry.value.span, message);
    }
    if let (Some(entry), Some(Network::Allowlist)) = (fields.map.entry("network"), network) {
        let message = "`backend: monty` has no network";
        fields.findings.advise(&rules::MONTY_NETWORK, entry.value.span, message, "write `network: none`");
    }
}

fn warn_monty_outputs(section: sections::Section<'_>, findings: &mut Findings) {
    for path in crate::listing::paths_below(section.content, "/out/", &[]) {
        let message = format!("{} cannot be written: Monty has no files", quoted(&path.path));
        findings.add(&rules::MONTY_OUTPUT_FILE, path.span, message);
    }
}
