//! Requests as people write them: several languages, files in and out, a word on the risk.

use call::{Moment, Sha256};

/// A request document and the name of its file, without the extension.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file's name without `.md`, which is also the request id.
    pub stem: String,
    /// The document.
    pub text: String,
}

/// So many different requests, the same ones in every run.
#[must_use]
pub fn requests(count: usize) -> Vec<Request> {
    (0..count).map(request).collect()
}

/// Subject for file names and ids, and what is done.
const TASKS: &[(&str, &str)] = &[
    ("column-means", "Compute the mean of each column and note columns with missing values."),
    ("word-counts", "Count the words of each chapter and list the hundred most common ones."),
    ("thin-samples", "Keep every tenth sample of the long series, so that it fits in one plot."),
    ("merge-tables", "Join the two tables on the customer number and report rows without a partner."),
    ("check-links", "List links of the manual that point to headings which no longer exist."),
    ("resize-charts", "Scale the charts of the yearly report to the width of the printed page."),
    ("sort-invoices", "Sort the invoices by due date and sum the open amounts for each month."),
    ("parse-logs", "Group the lines of the server log by hour and count answers above 499."),
];

/// Sentences outside ASCII, for every fifth request.
const ABROAD: &[&str] = &[
    "Die Übersicht geht an die Buchhaltung in Köln; größere Änderungen sind nicht geplant.",
    "Le résumé est relu par l'équipe avant d'être envoyé à Besançon.",
    "結果は社内の報告書にだけ使います。",
    "Отчёт нужен отделу планирования и никуда не отправляется.",
];

const PEOPLE: &[&str] = &["Ada Lovelace", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov", "Zoë Müller"];

/// Language, program and extension of a script.
const LANGUAGES: &[(&str, &str, &str)] = &[
    ("python", "python3", "py"),
    ("node", "node", "js"),
    ("go", "go run", "go"),
    ("ruby", "ruby", "rb"),
    ("ts", "tsx", "ts"),
];

fn request(number: usize) -> Request {
    let (subject, purpose) = pick(TASKS, number);
    // A minute apart, from the start of 2024: long past on any machine that runs this.
    let minutes = u32::try_from(number).unwrap_or(u32::MAX).saturating_mul(60);
    let at = |minute| Moment::from_civil((2024, 1, 2), (6, minute, 0)).map(|start| start.later_by(minutes));
    let (Some(created), Some(approved)) = (at(0), at(20)) else {
        return Request { stem: String::new(), text: String::new() };
    };
    let stem = format!("TR-{}-{subject}", created.compact());
    let abroad = if number.is_multiple_of(5) { pick(ABROAD, number / 5) } else { "" };
    let head = format!(
        "---\nrequest_type: tool_request\nschema_version: {version}\nrequest_id: {stem}\n\
         created_utc: {created}\nrequested_by: {by}\napproved_by: {person}\napproved_utc: {approved}\n\
         purpose: \"{purpose}\"\n",
        version = pick(&["1", "\"1\""], number / 3),
        by = pick(&["human", "core_draft"], number / 2),
        person = pick(
            if number.is_multiple_of(5) { PEOPLE } else { PEOPLE.get(..4).unwrap_or(PEOPLE) },
            number / 7
        ),
    );
    let limits = format!(
        "cpu_limit: {}\nmemory_limit_mb: {}\ntime_limit_sec: {}\n",
        pick(&["1", "\"2\"", "0.5", "4"], number / 2),
        pick(&["256", "512", "1024", "4096"], number / 3),
        pick(&["30", "120", "600"], number / 5),
    );
    let text = if number % 6 == 5 {
        monty(&head, &limits, number, abroad)
    } else {
        era(&head, &limits, number, subject, abroad)
    };
    Request { stem, text }
}

fn era(head: &str, limits: &str, number: usize, subject: &str, abroad: &str) -> String {
    let (language, program, extension) = pick(LANGUAGES, number / 2);
    let script = format!("{subject}.{extension}");
    let tables: Vec<String> = (0..=number % 3).map(|part| format!("table-{part}.csv")).collect();
    let networked = number % 8 == 3;
    let network = if networked {
        "network: allowlist\nnetwork_allowlist:\n  - data.example.org:443\n  - \"*.mirror.example.net\"\n"
    } else {
        "network: none\n"
    };
    let mut inputs = String::from("inputs:\n");
    let mut listed = String::new();
    let mut arguments = String::new();
    for name in std::iter::once(&script).chain(&tables) {
        let digest = Sha256::of(format!("{number} {name}").as_bytes());
        inputs.push_str(&format!("  - name: {name}\n    sha256: {digest}\n"));
        listed.push_str(&format!("- `/in/{name}`\n"));
    }
    for table in &tables {
        arguments.push_str(&format!(" --table /in/{table}"));
    }
    format!(
        "{head}backend: ERA\nlanguage: {language}\n{network}{limits}{inputs}outputs_expected:\n\
         \x20 - path: /out/{subject}.json\n    description: The numbers, one object for each group.\n\
         \x20 - path: /out/{subject}.md\n    description: The same as a page for people.\nconstraints:\n\
         \x20 - No writes outside /out\n  - No persistence\n---\n\n\
         ## Command\n\n{program} /in/{script}{arguments} --limit {limit} --out /out/{subject}.json \
         --page /out/{subject}.md\n\n\
         ## Input Files\n\n{listed}\n\
         ## Output Expectations\n\n- `/out/{subject}.json`: the numbers\n- `/out/{subject}.md`: the page\n\n\
         ## Risk Assessment\n\n- Risk level: {risk}\n\
         - Justification: The script reads the tables that are listed above and writes two small files. It was \
         reviewed before, and nothing that it reads leaves the machine it runs on. {abroad}\n\
         - Data sensitivity: {sensitivity}\n- Network rationale: {rationale}\n",
        limit = 10 + number % 90,
        risk = if networked { "medium" } else { "low" },
        sensitivity = pick(&["public", "internal", "confidential"], number),
        rationale = if networked { "Reference figures are fetched from the mirror." } else { "none" },
    )
}

fn monty(head: &str, limits: &str, number: usize, abroad: &str) -> String {
    format!(
        "{head}backend: monty\nlanguage: python\nnetwork: none\n{limits}constraints:\n  - No network\n---\n\n\
         ## Code\n\n\
         def mean(values):\n    return sum(values) / len(values)\n\n\
         def spread(values):\n    middle = mean(values)\n    \
         return (sum((value - middle) ** 2 for value in values) / len(values)) ** 0.5\n\n\
         groups = {{}}\nfor row in rows:\n    groups.setdefault(row['group'], []).append(row['value'])\n\n\
         report = []\nfor name in sorted(groups):\n    values = groups[name]\n    if len(values) >= minimum:\n        \
         report.append({{'group': name, 'mean': mean(values), 'spread': spread(values)}})\nreport\n\n\
         ## Inputs (JSON)\n\n\
         {{\n  \"minimum\": {minimum},\n  \"rows\": [\n    {{\"group\": \"north\", \"value\": {value}}},\n    \
         {{\"group\": \"south\", \"value\": 12.5}},\n    {{\"group\": \"north\", \"value\": 7}}\n  ]\n}}\n\n\
         ## Output Expectations\n\nA list of objects with the name of the group, its mean and its spread.\n\n\
         ## Risk Assessment\n\nRisk level: low\n\
         Justification: Arithmetic on the numbers given above; the code has no files and no network. {abroad}\n\
         Data sensitivity: internal\nNetwork rationale: none\n",
        minimum = 1 + number % 3,
        value = number % 100,
    )
}

fn pick<T: Copy + Default>(from: &[T], number: usize) -> T {
    from.get(number % from.len().max(1)).copied().unwrap_or_default()
}
