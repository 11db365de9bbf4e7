//! Case files: calls and what policy must say to them.

use toml_edit::{Document, Item, Table, Value};

/// One call and what must be said to it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) tool: String,
    /// As JSON.
    pub(crate) arguments: String,
    pub(crate) purpose: String,
    pub(crate) agent: String,
    pub(crate) skill: Option<String>,
    pub(crate) context: String,
    pub(crate) verdict: String,
    /// Codes that must be among the reasons.
    pub(crate) reasons: Vec<String>,
}

const KEYS: [&str; 9] =
    ["name", "tool", "arguments", "purpose", "agent", "skill", "context", "verdict", "reasons"];
const VERDICTS: [&str; 3] = ["allow", "needs_approval", "deny"];
const CONTEXTS: [&str; 4] = ["operator", "agent", "webhook", "external"];

/// Reads the cases of a file, or says what is wrong with it.
pub(crate) fn read_cases(text: &str) -> Result<Vec<Case>, String> {
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    if let Some((key, _)) = document.as_table().iter().find(|(key, _)| *key != "case") {
        return Err(format!("there is no key `{key}`, expected `[[case]]`"));
    }
    let Some(tables) = document.get("case").and_then(Item::as_array_of_tables) else {
        return Err("it holds no `[[case]]`".to_owned());
    };
    tables.iter().enumerate().map(|(number, table)| case(table, number + 1)).collect()
}

fn case(table: &Table, number: usize) -> Result<Case, String> {
    if let Some((key, _)) = table.iter().find(|(key, _)| !KEYS.contains(key)) {
        return Err(format!("case {number}: there is no key `{key}`"));
    }
    let text = |key: &str| -> Result<Option<String>, String> {
        match table.get(key) {
            None => Ok(None),
            Some(item) => match item.as_str() {
                Some(text) => Ok(Some(text.to_owned())),
                None => Err(format!("case {number}: `{key}` is not text")),
            },
        }
    };
    let needed = |key: &str| text(key)?.ok_or_else(|| format!("case {number}: `{key}` is missing"));
    let tool = needed("tool")?;
    let verdict = needed("verdict")?;
    if !VERDICTS.contains(&verdict.as_str()) {
        return Err(format!(
            "case {number}: `verdict` is `{verdict}`, expected one of {}",
            VERDICTS.join(", ")
        ));
    }
    let context = text("context")?.unwrap_or_else(|| "agent".to_owned());
    if !CONTEXTS.contains(&context.as_str()) {
        return Err(format!(
            "case {number}: `context` is `{context}`, expected one of {}",
            CONTEXTS.join(", ")
        ));
    }
    let arguments = match table.get("arguments") {
        None => "{}".to_owned(),
        // A text is taken as it is, so that a case can hold arguments that are no JSON.
        Some(Item::Value(Value::String(text))) => text.value().clone(),
        Some(item) => {
            json(item).ok_or_else(|| format!("case {number}: `arguments` has no JSON form"))?.to_string()
        }
    };
    let reasons = match table.get("reasons").map(|item| item.as_array()) {
        None => Vec::new(),
        Some(Some(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(None) => return Err(format!("case {number}: `reasons` is not a list")),
    };
    Ok(Case {
        name: text("name")?.unwrap_or_else(|| format!("case {number}: {tool}")),
        tool,
        arguments,
        purpose: text("purpose")?.unwrap_or_else(|| "test the policy".to_owned()),
        agent: text("agent")?.unwrap_or_else(|| "policy-test".to_owned()),
        skill: text("skill")?,
        context,
        verdict,
        reasons,
    })
}

fn json(item: &Item) -> Option<serde_json::Value> {
    match item {
        Item::None => None,
        Item::Value(value) => value_json(value),
        Item::Table(table) => table.iter().map(|(key, item)| Some((key.to_owned(), json(item)?))).collect(),
        Item::ArrayOfTables(_) => None,
    }
}

fn value_json(value: &Value) -> Option<serde_json::Value> {
    match value {
        Value::String(text) => Some(text.value().clone().into()),
        Value::Integer(number) => Some((*number.value()).into()),
        Value::Float(number) => serde_json::Number::from_f64(*number.value()).map(serde_json::Value::Number),
        Value::Boolean(flag) => Some((*flag.value()).into()),
        Value::Datetime(_) => None,
        Value::Array(items) => items.iter().map(value_json).collect::<Option<Vec<_>>>().map(Into::into),
        Value::InlineTable(table) => {
            table.iter().map(|(key, value)| Some((key.to_owned(), value_json(value)?))).collect()
        }
    }
}
