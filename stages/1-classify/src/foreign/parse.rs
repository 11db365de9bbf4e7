//! The text of a mapping, read strictly: a key that is not known is an error, not a comment.

use std::collections::BTreeMap;
use std::sync::Arc;

use call::json::{Reading, read};
use call::{Sha256, WebAddress};
use serde_json::Value as Json;
use toml_edit::{Document, Item, Key, TableLike, Value};

use super::MappingError;
use super::argument::Argument;
use super::rule::{METHODS, Rule, Use};
use crate::{near, schema};

/// Bytes that a mapping may have.
const LONGEST: usize = 1 << 20;

type Errors = Vec<MappingError>;

pub(super) fn mapping(text: &str) -> Result<BTreeMap<String, Rule>, Errors> {
    if text.len() > LONGEST {
        return Err(vec![MappingError::new(None, format!("the mapping is longer than {LONGEST} bytes"))]);
    }
    let document = Document::parse(text)
        .map_err(|error| vec![MappingError::new(error.span(), error.message().trim().replace('\n', ", "))])?;
    let mut errors = Vec::new();
    let mut tools = BTreeMap::new();
    for (key, item) in entries(document.as_table()) {
        if key.get() != "tools" {
            let error =
                MappingError::new(key.span(), format!("there is no key `{}` in a mapping", key.get()));
            errors.push(error.hint("write `[tools.NAME]` for each tool"));
            continue;
        }
        let Some(table) = item.as_table_like() else {
            errors
                .push(MappingError::new(item.span(), "`tools` is not a table").hint("write `[tools.NAME]`"));
            continue;
        };
        for (name, item) in entries(table) {
            match item.as_table_like() {
                Some(table) => {
                    let rule = rule(name, table, &mut errors);
                    tools.insert(name.get().to_owned(), rule);
                }
                None => {
                    errors.push(MappingError::new(item.span(), format!("`{}` is not a table", name.get())))
                }
            }
        }
    }
    if errors.is_empty() { Ok(tools) } else { Err(errors) }
}

/// Keys with their places; iterating over a table alone gives none.
fn entries(table: &dyn TableLike) -> Vec<(&Key, &Item)> {
    table.iter().filter_map(|(name, _)| table.get_key_value(name)).collect()
}

/// The keys of a tool that name arguments, in the order in which their effects happen.
const ARGUMENTS: [(&str, Use); 9] = [
    ("read", Use::Read),
    ("write", Use::Write),
    ("delete", Use::Delete),
    ("url", Use::Url),
    ("command", Use::Command),
    ("handle", Use::Handle),
    ("content", Use::Content),
    ("pattern", Use::Pattern),
    ("plain", Use::Plain),
];

/// The other keys of a tool.
const OTHERS: [&str; 8] =
    ["secret", "sql", "method", "network", "optional", "touches_nothing", "schema", "definition"];

fn rule(name: &Key, table: &dyn TableLike, errors: &mut Errors) -> Rule {
    let mut reader = Reader { rule: Rule::default(), errors };
    for (key, used) in ARGUMENTS {
        if let Some(item) = table.get(key) {
            for argument in reader.arguments(item) {
                reader.uses(item, argument, used);
            }
        }
    }
    for (key, item) in entries(table) {
        match key.get() {
            "secret" => reader.secret(item),
            "sql" => reader.sql(item),
            "method" => reader.method(item),
            "network" => reader.network(item),
            "optional" => reader.rule.optional = reader.arguments(item),
            "touches_nothing" => reader.touches_nothing(item),
            "schema" => reader.schema(item),
            "definition" => reader.definition(item),
            known if ARGUMENTS.iter().any(|(name, _)| *name == known) => {}
            unknown => reader.unknown_key(key, unknown),
        }
    }
    reader.whole(name, table);
    reader.rule
}

struct Reader<'e> {
    rule: Rule,
    errors: &'e mut Errors,
}

impl Reader<'_> {
    fn wrong(&mut self, item: &Item, message: impl Into<String>, hint: &str) {
        self.errors.push(MappingError::new(item.span(), message).hint(hint));
    }

    fn unknown_key(&mut self, key: &Key, name: &str) {
        let known = ARGUMENTS.iter().map(|(name, _)| *name).chain(OTHERS);
        let hint = near::names(name, known.clone()).first().map_or_else(
            || format!("the keys are {}", known.collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        let message = format!("there is no key `{name}` in the mapping of a tool");
        self.errors.push(MappingError::new(key.span(), message).hint(hint));
    }

    /// One name of an argument, or a list of them.
    fn arguments(&mut self, item: &Item) -> Vec<Argument> {
        let Some(texts) = texts(item) else {
            self.wrong(
                item,
                "expected the name of an argument, or a list of names",
                "write \"path\" or [\"from\", \"to\"]",
            );
            return Vec::new();
        };
        let mut arguments = Vec::new();
        for text in texts {
            match text.parse() {
                Ok(argument) => arguments.push(argument),
                Err(_) => self.wrong(
                    item,
                    format!("`{}` is not the name of an argument", text.escape_debug()),
                    "write `name`, `options.name` for one inside an object, `names[]` for the items of a list",
                ),
            }
        }
        arguments
    }

    fn uses(&mut self, item: &Item, argument: Argument, used: Use) {
        let path = |used: Use| matches!(used, Use::Read | Use::Write | Use::Delete);
        let clash = |other: Use| other == used || !(path(other) && path(used));
        if self.rule.uses.iter().any(|(known, other)| *known == argument && clash(*other)) {
            self.wrong(item, format!("the argument `{argument}` is named twice"), "say once what it is");
        }
        self.rule.uses.push((argument, used));
    }

    fn argument_of(&mut self, item: &Item, used: Use) {
        let text = item.as_str().map(str::to_owned);
        match text.as_deref().map(str::parse::<Argument>) {
            Some(Ok(argument)) => self.uses(item, argument, used),
            Some(Err(_)) | None => self.wrong(item, "expected the name of an argument", "write \"name\""),
        }
    }

    /// `"scope"`, or `{ scope = "scope", name = "name" }`.
    fn secret(&mut self, item: &Item) {
        let Some(table) = item.as_table_like() else { return self.argument_of(item, Use::SecretScope) };
        if table.get("scope").is_none() {
            self.wrong(
                item,
                "`secret` does not say which argument holds the scope",
                "write { scope = \"…\" }",
            );
        }
        for (key, item) in entries(table) {
            match key.get() {
                "scope" => self.argument_of(item, Use::SecretScope),
                "name" => self.argument_of(item, Use::SecretName),
                _ => self.errors.push(
                    MappingError::new(key.span(), format!("there is no key `{}` in `secret`", key.get()))
                        .hint("the keys are scope, name"),
                ),
            }
        }
    }

    /// `{ argument = "query", database = "main" }`, or `database_argument = "db"`.
    fn sql(&mut self, item: &Item) {
        let Some(table) = item.as_table_like() else {
            return self.wrong(
                item,
                "`sql` is not a table",
                "write { argument = \"query\", database = \"main\" }",
            );
        };
        if table.get("argument").is_none()
            || (table.get("database").is_some() == table.get("database_argument").is_some())
        {
            self.wrong(
                item,
                "`sql` needs `argument`, and one of `database` and `database_argument`",
                "write { argument = \"query\", database = \"main\" }",
            );
        }
        for (key, item) in entries(table) {
            match key.get() {
                "argument" => self.argument_of(item, Use::Sql),
                "database_argument" => self.argument_of(item, Use::Database),
                "database" => match item.as_str() {
                    Some(name) => self.rule.database = Some(name.to_owned()),
                    None => self.wrong(item, "expected the name of a database", "write \"main\""),
                },
                _ => self.errors.push(
                    MappingError::new(key.span(), format!("there is no key `{}` in `sql`", key.get()))
                        .hint("the keys are argument, database, database_argument"),
                ),
            }
        }
    }

    /// A method in capitals, or the argument that holds one.
    fn method(&mut self, item: &Item) {
        match item.as_str() {
            Some(method) if METHODS.contains(&method) => self.rule.method = Some(method.to_owned()),
            Some(word) if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase()) => {
                self.wrong(
                    item,
                    format!("`{word}` is no method that is known"),
                    &format!("it is one of {}", METHODS.join(" ")),
                );
            }
            Some(_) | None => self.argument_of(item, Use::Method),
        }
    }

    fn network(&mut self, item: &Item) {
        let Some(texts) = texts(item) else {
            return self.wrong(
                item,
                "expected an address, or a list of them",
                "write [\"https://api.example.org\"]",
            );
        };
        for text in texts {
            match WebAddress::parse(&text) {
                Ok(url) => self.rule.network.push(url),
                Err(error) => self.wrong(
                    item,
                    format!("`{}` {error}", text.escape_debug()),
                    "write \"https://api.example.org\"",
                ),
            }
        }
    }

    fn touches_nothing(&mut self, item: &Item) {
        match item.as_bool() {
            Some(value) => self.rule.touches_nothing = value,
            None => self.wrong(item, "expected true or false", "write true"),
        }
    }

    /// A JSON Schema, as text or as a table.
    fn schema(&mut self, item: &Item) {
        let json = match item.as_str() {
            Some(text) => match read(text, 0, Reading::Strict) {
                Ok(json) => Some(json.into_value()),
                Err(error) => {
                    return self.wrong(item, format!("the schema is {error}"), "write a JSON Schema");
                }
            },
            None => item.as_table_like().and_then(to_json_object),
        };
        let Some(json) = json.filter(Json::is_object) else {
            return self.wrong(
                item,
                "expected a JSON Schema, as text or as a table",
                "write '''{\"type\": \"object\"}'''",
            );
        };
        match schema::compile(&json) {
            Ok(validator) => self.rule.schema = Some(Arc::new(validator)),
            Err(error) => {
                let message = format!("this is no JSON Schema that can be used: {error}");
                self.wrong(item, message, "references to other documents are not followed");
            }
        }
    }

    fn definition(&mut self, item: &Item) {
        let digest = item.as_str().map(|text| text.strip_prefix("sha256:").unwrap_or(text));
        match digest.map(str::parse::<Sha256>) {
            Some(Ok(digest)) => self.rule.definition = Some(digest),
            Some(Err(_)) | None => {
                self.wrong(item, "expected a SHA-256 digest", "write its 64 hexadecimal digits")
            }
        }
    }

    /// What can only be seen of the tool as a whole.
    fn whole(&mut self, name: &Key, table: &dyn TableLike) {
        let here = |key: &str| table.get(key).map_or_else(|| name.span(), Item::span);
        let rule = &self.rule;
        let has = |wanted: Use| rule.uses.iter().any(|(_, used)| *used == wanted);
        let acts = !rule.network.is_empty() || rule.uses.iter().any(|(_, used)| used.has_effect());
        let mut errors = Vec::new();
        if rule.touches_nothing && acts {
            let message = "the tool touches nothing and has effects";
            errors.push(MappingError::new(here("touches_nothing"), message).hint("keep one of the two"));
        }
        if has(Use::Url) && !has(Use::Method) && rule.method.is_none() {
            let error = MappingError::new(here("url"), "the tool has a `url` and no `method`");
            errors.push(error.hint("write method = \"GET\", or the name of the argument that holds it"));
        }
        for argument in &rule.optional {
            if !rule.uses.iter().any(|(known, used)| known == argument && used.has_effect()) {
                let message =
                    format!("the optional argument `{argument}` has no effect that could be left out");
                errors.push(
                    MappingError::new(here("optional"), message)
                        .hint("name it under read, write, url or kin, or take it out"),
                );
            }
        }
        self.errors.extend(errors);
    }
}

/// A text, or a list of texts.
fn texts(item: &Item) -> Option<Vec<String>> {
    if let Some(text) = item.as_str() {
        return Some(vec![text.to_owned()]);
    }
    item.as_array()?.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

fn to_json_object(table: &dyn TableLike) -> Option<Json> {
    let entries = table.iter().map(|(key, item)| Some((key.to_owned(), to_json(item)?)));
    entries.collect::<Option<serde_json::Map<_, _>>>().map(Json::Object)
}

/// A value of TOML as JSON; dates have no form there.
fn to_json(item: &Item) -> Option<Json> {
    match item {
        Item::None => None,
        Item::Value(value) => value_to_json(value),
        Item::Table(table) => to_json_object(table),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| to_json_object(table)).collect(),
    }
}

fn value_to_json(value: &Value) -> Option<Json> {
    match value {
        Value::String(text) => Some(text.value().as_str().into()),
        Value::Integer(number) => Some((*number.value()).into()),
        Value::Float(number) => serde_json::Number::from_f64(*number.value()).map(Json::Number),
        Value::Boolean(value) => Some((*value.value()).into()),
        Value::Datetime(_) => None,
        Value::Array(items) => items.iter().map(value_to_json).collect(),
        Value::InlineTable(table) => to_json_object(table),
    }
}
