//! The mapping of another server's tools, and calls of the tools that it names.
#![no_main]

use call::{Arguments, ToolName};
use classify::{Catalogue, classify};
use fuzz::{called, mapping_promises_hold};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Some(mapping) = mapping_promises_hold(text) else {
        return;
    };
    let tools: Vec<String> = mapping.tools().map(|name| format!("other.{name}")).collect();
    let catalogue = Catalogue::default().with_mapping("other", mapping);
    let arguments = [
        "{}",
        r#"{"path": "a", "url": "https://a.example/", "command": "ls", "query": "SELECT 1", "scope": "ci"}"#,
        r#"{"a": [1, {"b": "c"}], "b": {"c": ["d"]}}"#,
    ];
    for tool in tools.iter().filter(|tool| tool.parse::<ToolName>().is_ok()) {
        for arguments in arguments {
            let call = called(tool, arguments.parse::<Arguments>().expect("arguments"));
            let outcome = classify(&call, &catalogue);
            assert_eq!(outcome, classify(&call, &catalogue), "the same call has the same effects");
        }
    }
});
