//! Sections: headings that are headings, lists that agree, and labels that are answered.

mod request;

use request::Request;

#[track_caller]
fn check(base: &Request, cases: &[(&str, &str, &str)]) {
    for (old, new, want) in cases {
        assert_eq!(base.clone().replace(old, new).errors().join(" "), *want, "{old:?} -> {new:?}");
    }
}

#[test]
fn headings_are_exact_lines_in_order_each_once() {
    check(
        &Request::new(),
        &[
            ("## Command\n", "## Command  \n", ""),
            ("## Command\n", "# Title\n\n### Sub\n\n## Command\n", ""),
            ("## Command\n", "##  Command\n", "TR204"),
            ("## Command\n", "## command\n", "TR204"),
            ("## Command\n", "## Command ##\n", "TR204"),
            ("## Command\n", "## Command:\n", "TR201 TR204"),
            ("## Command\n", " ## Command\n", "TR204"),
            ("## Command\n", "Command\n-------\n", "TR204"),
            ("## Command\n", "##Command\n", "TR201"),
            ("## Command\n", "##\u{a0}Command\n", "TR201 TR205"),
            ("## Command\n", "## Command\u{a0}\n", "TR204"),
            ("## Command\n", "## Cоmmand\n", "TR204"),
            ("## Command\n", "\u{200b}## Command\n", "TR201 TR205"),
            ("## Command\n", "＃＃ Command\n", "TR201 TR205"),
            ("## Command\n", "```\n## Command\n```\n", "TR201"),
            ("## Command\n", "<!--\n## Command\n-->\n", "TR201"),
            ("## Command\n", "> ## Command\n", "TR201"),
            ("## Command\n", "    ## Command\n", "TR201"),
            ("## Input Files\n", "## Notes\n\ntext\n\n## Input Files\n", "TR204"),
            ("## Risk Assessment\n", "## Command\n\npython b.py\n\n## Risk Assessment\n", "TR203"),
            ("## Risk Assessment\n", "```\n## Command\n```\n\n## Risk Assessment\n", ""),
            (
                "## Risk Assessment\n",
                "~~~~ text\n## Command\n~~~\n## Input Files\n~~~~\n\n## Risk Assessment\n",
                "",
            ),
            ("## Risk Assessment\n", "> ## Note\n> quoted\n\n## Risk Assessment\n", ""),
            ("## Risk Assessment\n", "text\n---\n\n## Risk Assessment\n", "TR204"),
            ("## Risk Assessment\n", "text\n\n---\n\n## Risk Assessment\n", ""),
            ("## Risk Assessment\n", "## Code\n\n## Risk Assessment\n", "TR204"),
        ],
    );
    let swapped =
        Request::new().replace("## Input Files", "## X").replace("## Output Expectations", "## Input Files");
    let swapped = swapped.replace("## X", "## Output Expectations");
    assert!(swapped.errors().contains(&"TR202"), "{:?}", swapped.errors());
}

#[test]
fn input_files_and_inputs_agree() {
    let listed = "- /in/input.csv\n- /in/script.py\n";
    let a = "a".repeat(64);
    let right = format!("- /in/input.csv sha256: {a}\n- /in/script.py\n");
    let wrong = format!("- /in/input.csv sha256: {}\n- /in/script.py\n", "f".repeat(64));
    check(
        &Request::new(),
        &[
            (listed, "`/in/input.csv` and `/in/script.py`.\n", ""),
            (listed, "| file | use |\n|---|---|\n| /in/input.csv | data |\n| /in/script.py | code |\n", ""),
            (listed, "1. **/in/input.csv**: data\n2. [code](/in/script.py)\n", ""),
            (listed, &right, ""),
            (listed, &wrong, "TR208"),
            (listed, "- /in/input.csv\n", "TR206"),
            (listed, "- input.csv\n- script.py\n", "TR206 TR206"),
            (listed, "None\n", "TR206 TR206"),
            (listed, "- /in/input.csv\n- /in/script.py\n- /in/other.csv\n", "TR207"),
            (listed, "- /in/input.csv\n- /in/script.py\n- /in/../etc/passwd\n", "TR207"),
            (listed, "- /in/input.csv\n- /in/script.py\n- /etc/passwd\n", "TR207"),
            (listed, "- /in/input.csv\n- /in/script.py\n- ../x\n", "TR207"),
            (listed, "- /in/input.csv\n<!-- /in/script.py -->\n", "TR206"),
            (listed, "All files lie in /in/, read-only.\n- /in/input.csv\n- /in/script.py\n", ""),
        ],
    );
    let none = Request::new().without("inputs");
    for text in ["None", "None.", "n/a", "-", "none", ""] {
        let request = none.clone().replace("- /in/input.csv\n- /in/script.py", text);
        assert_eq!(request.errors(), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn output_expectations_and_outputs_agree() {
    let listed = "- /out/output.json: the statistics";
    check(
        &Request::new(),
        &[
            (listed, "The program writes `/out/output.json`.", ""),
            (listed, "- /out/output.json\n- /out/other.json", "TR210"),
            (listed, "None", "TR209"),
            (listed, "- output.json", "TR209"),
            (listed, "- /out/output.json\n- /out/../etc/x", "TR211"),
            (listed, "- /out/output.json\n- /tmp/x", "TR211"),
            (listed, "- /out/output.json\n- ../x", "TR211"),
            (listed, "- /out/output.json\n- `~/x`", "TR211"),
            (listed, "- /out/output.json\n\n/n is the count of rows.", ""),
            (listed, "- /out/output.json, computed from /in/input.csv", ""),
        ],
    );
    let alone = Request::new().without("outputs_expected");
    check(
        &alone,
        &[
            (listed, "- /out/anything.txt", ""),
            (listed, "None", ""),
            (listed, "- /out/../x", "TR211"),
            (listed, "- /etc/cron.d/x", "TR211"),
        ],
    );
}

#[test]
fn risk_labels_are_all_answered_once() {
    check(
        &Request::new(),
        &[
            ("- Risk level: low", "* **Risk level:** LOW", ""),
            ("- Risk level: low", "Risk level: Medium", ""),
            ("- Risk level: low", "- **Risk level**: `high`", ""),
            ("- Risk level: low", "- Risk level: low.", ""),
            ("- Risk level: low", "- Risk level: tiny", "TR214"),
            ("- Risk level: low", "- Risk level: low|medium|high", "TR214"),
            ("- Risk level: low", "- Risk level:", "TR214"),
            ("- Risk level: low", "", "TR212"),
            ("- Risk level: low", "<!-- Risk level: low -->", "TR212"),
            ("- Risk level: low", "- Risk level: low\n- Risk level: high", "TR213"),
            ("- Data sensitivity: internal", "- Data sensitivity: secret", "TR214"),
            ("- Data sensitivity: internal", "- Data sensitivity: PUBLIC", ""),
            ("- Justification: reads one file and writes one", "- Justification:", "TR214"),
            ("- Justification: reads one file and writes one", "- Justification: \u{3164}", "TR214"),
            ("- Justification: reads one file and writes one", "- Justification: -", "TR214"),
            ("- Justification: reads one file and writes one", "- Justification:\n  it reads a file", ""),
            ("- Network rationale: none", "- Network rationale: No network is needed.", ""),
            ("- Network rationale: none", "- Network rationale:", ""),
            ("- Network rationale: none", "", "TR212"),
        ],
    );
}

#[test]
fn monty_code_is_plain_and_its_inputs_are_an_object() {
    check(
        &Request::monty(),
        &[
            ("total = a + b", "# comment\ntotal = a + b", ""),
            ("total = a + b", "total = a + b\n\n---\n", ""),
            ("total = a + b", "html = '<div>'\n<!-- x\ntotal = 1", ""),
            ("total = a + b", "s = '```'", ""),
            ("total = a + b", "s = \"\"\"\n```\n\"\"\"", ""),
            ("total = a + b", "s = \"\"\"\n---\nlanguage: python\n---\n\"\"\"", ""),
            ("total = a + b", "  ## indented comment\ntotal = 1", ""),
            ("total = a + b", "x = 1\n## comment\ntotal = 1", "TR204"),
            ("total = a + b\ntotal", "```python\ntotal = 1\n```", "TR402"),
            ("total = a + b\ntotal", "", "TR401"),
            ("total = a + b", "x = '\u{202e}'", "TR404"),
            ("{\"a\": 1, \"b\": 2}", "", ""),
            ("{\"a\": 1, \"b\": 2}", "{\"match\": 1, \"_x9\": [1, {\"no-key\": 2}]}", ""),
            ("{\"a\": 1, \"b\": 2}", "[1]", "TR405"),
            ("{\"a\": 1, \"b\": 2}", "{a: 1}", "TR405"),
            ("{\"a\": 1, \"b\": 2}", "{\"a\": NaN}", "TR405"),
            ("{\"a\": 1, \"b\": 2}", "{\"a-b\": 1}", "TR406"),
            ("{\"a\": 1, \"b\": 2}", "{\"class\": 1}", "TR406"),
            ("{\"a\": 1, \"b\": 2}", "{\"é\": 1}", "TR406"),
            ("{\"a\": 1, \"b\": 2}", "{\"\": 1}", "TR406"),
            ("{\"a\": 1, \"b\": 2}", "{\"a\": 1, \"a\": 2}", "TR407"),
            ("{\"a\": 1, \"b\": 2}", "```json\n{\"a\": 1}\n```", "TR408"),
            ("## Inputs (JSON)\n\n{\"a\": 1, \"b\": 2}\n\n", "", ""),
            ("## Inputs (JSON)", "## Command", "TR204"),
        ],
    );
    let names = Request::monty().replace("total = a + b", "import math\nx = opening(eval_x)\nopen('a')");
    assert_eq!(names.codes(), ["TR403", "TR403"]);
}

#[test]
fn monty_has_no_files_no_network_and_one_language() {
    let monty = Request::monty;
    assert_eq!(monty().with("backend", "MONTY").errors().join(" "), "");
    assert_eq!(monty().with("inputs", "[]").with("outputs_expected", "[]").errors().join(" "), "");
    let digest = "a".repeat(64);
    let inputs = format!("[{{name: a, sha256: {digest}}}]");
    assert_eq!(monty().with("inputs", &inputs).errors().join(" "), "TR133");
    assert_eq!(monty().with("outputs_expected", "[{path: a, description: b}]").errors().join(" "), "TR133");
    assert_eq!(monty().with("language", "node").errors().join(" "), "TR134");
    let network = monty().with("network", "allowlist").with("network_allowlist", "[example.org]");
    let network = network.replace("Network rationale: none", "Network rationale: index");
    assert_eq!(network.errors().join(" "), "TR135");
}
