//! What one tool of another server does, and what follows for one call of it.

use std::sync::Arc;

use call::{
    Change, Effect, Program, Reach, Role, Run, RunLimits, SecretUse, Sha256, WebAddress, WebRequest,
    handle_in,
};
use jsonschema::Validator;
use serde_json::{Map, Value};

use super::argument::{Agreement, Argument, Found, pointer};
use crate::passages::Step;
use crate::{Catalogue, Fault, builtin, exact, schema};

/// The mapping of one tool.
#[derive(Clone, Debug, Default)]
pub(super) struct Rule {
    /// What the arguments are, in the order in which their effects happen.
    pub(super) uses: Vec<(Argument, Use)>,
    /// Arguments whose absence means that their effect does not happen.
    pub(super) optional: Vec<Argument>,
    /// Addresses that it always talks to.
    pub(super) network: Vec<WebAddress>,
    /// The method of everything that it sends, unless an argument says it.
    pub(super) method: Option<String>,
    /// The database that its statements are for, unless an argument says it.
    pub(super) database: Option<String>,
    pub(super) touches_nothing: bool,
    pub(super) schema: Option<Arc<Validator>>,
    pub(super) definition: Option<Sha256>,
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
    Delete,
    Url,
    Method,
    Command,
    SecretScope,
    SecretName,
    /// What `secrets_get` gave, in whose place the server gets the credential.
    Handle,
    Sql,
    Database,
    Content,
    Pattern,
    Plain,
}

impl Use {
    const fn role(self) -> Role {
        match self {
            Self::Read | Self::Write | Self::Delete => Role::Path,
            Self::Url => Role::Outbound,
            Self::Command => Role::Command,
            Self::Sql => Role::Statement,
            Self::Content => Role::Content,
            Self::Pattern => Role::Pattern,
            Self::Method
            | Self::SecretScope
            | Self::SecretName
            | Self::Handle
            | Self::Database
            | Self::Plain => Role::Plain,
        }
    }

    /// Whether it matters that the argument is there.
    pub(super) const fn has_effect(self) -> bool {
        match self {
            Self::Content | Self::Pattern | Self::Plain => false,
            Self::Read
            | Self::Write
            | Self::Delete
            | Self::Url
            | Self::Method
            | Self::Command
            | Self::SecretScope
            | Self::SecretName
            | Self::Handle
            | Self::Sql
            | Self::Database => true,
        }
    }
}

type Effects = Vec<Effect<String>>;

impl Rule {
    /// What a text at this place is for. The longest place that leads there says so.
    pub(super) fn role_at(&self, steps: &[Step<'_>]) -> Role {
        let there = self.uses.iter().filter(|(argument, _)| argument.agreement(steps) == Agreement::There);
        there.max_by_key(|(argument, _)| argument.length()).map_or(Role::Plain, |(_, used)| used.role())
    }

    /// What these arguments make the tool do.
    pub(super) fn effects(
        &self,
        arguments: &Map<String, Value>,
        catalogue: &Catalogue,
    ) -> Result<Effects, Vec<Fault>> {
        let whole = Value::Object(arguments.clone());
        if let Some(validator) = &self.schema {
            let faults = schema::faults(validator, &whole);
            if !faults.is_empty() {
                return Err(faults);
            }
        }
        let mut faults = Vec::new();
        for (name, value) in arguments {
            self.check_named(value, &mut vec![Step::Key(name)], &pointer("", name), &mut faults);
        }
        if !faults.is_empty() {
            faults.truncate(8);
            return Err(faults);
        }
        self.happening(arguments, &exact::digest(&whole), catalogue).map_err(|fault| vec![fault])
    }

    /// Every argument is named, or lies below one that is.
    fn check_named<'v>(
        &self,
        value: &'v Value,
        steps: &mut Vec<Step<'v>>,
        place: &str,
        faults: &mut Vec<Fault>,
    ) {
        let agreements = || self.uses.iter().map(|(argument, _)| argument.agreement(steps));
        if agreements().any(|agreement| agreement == Agreement::There) || faults.len() >= 8 {
            return;
        }
        if agreements().all(|agreement| agreement == Agreement::Apart) {
            let fault = Fault::new(place, "is an argument that the mapping of this tool does not name");
            faults.push(if place == "/approval" { fault.about_approval() } else { fault });
            return;
        }
        match value {
            Value::Object(entries) => {
                for (key, value) in entries {
                    steps.push(Step::Key(key));
                    self.check_named(value, steps, &pointer(place, key), faults);
                    steps.pop();
                }
            }
            Value::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    steps.push(Step::Item);
                    self.check_named(item, steps, &format!("{place}/{number}"), faults);
                    steps.pop();
                }
            }
            Value::Null => {}
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                faults
                    .push(Fault::new(place, "must be an object or a list, as the mapping of this tool says"));
            }
        }
    }

    fn happening(
        &self,
        arguments: &Map<String, Value>,
        digest: &Sha256,
        catalogue: &Catalogue,
    ) -> Result<Effects, Fault> {
        if self.touches_nothing {
            return Ok(vec![Effect::Nothing]);
        }
        let mut effects = Vec::new();
        let method = self.word_of(Use::Method, arguments)?.map(|word| method(&word)).transpose()?;
        let method = method.or_else(|| self.method.clone());
        // A method that nobody knows is taken for one that changes something.
        let method = method.unwrap_or_else(|| "POST".to_owned());
        let send = |url: WebAddress| {
            Effect::Network(WebRequest {
                method: method.clone(),
                url,
                headers: Vec::new(),
                body: Some(*digest),
            })
        };
        let database =
            self.word_of(Use::Database, arguments)?.or_else(|| self.database.clone()).unwrap_or_default();
        let secret = self.word_of(Use::SecretName, arguments)?.unwrap_or_else(|| "*".to_owned());
        for url in &self.network {
            effects.push(send(url.clone()));
        }
        for (argument, used) in &self.uses {
            if !used.has_effect() {
                continue;
            }
            for Found { value, pointer } in self.given(argument, arguments)? {
                match used {
                    Use::Command => effects.push(command(value, &pointer)?),
                    Use::Sql => {
                        let sql = text(value, &pointer)?;
                        effects.extend(builtin::statement(
                            &database,
                            sql,
                            catalogue.dialect(&database),
                            *digest,
                        ));
                    }
                    Use::SecretScope => {
                        let (scope, name) = (text(value, &pointer)?.to_owned(), secret.clone());
                        effects.push(Effect::Secret { scope, name, reveal: SecretUse::Env });
                    }
                    Use::Handle => {
                        for (text, pointer) in texts(value, &pointer)? {
                            effects.push(revealing(text, pointer)?);
                        }
                    }
                    Use::Url => {
                        for (url, pointer) in texts(value, &pointer)? {
                            let url = WebAddress::parse(url)
                                .map_err(|error| Fault::new(pointer, error.to_string()))?;
                            effects.push(send(url));
                        }
                    }
                    Use::Read | Use::Write | Use::Delete => {
                        for (path, pointer) in texts(value, &pointer)? {
                            effects.push(on_path(*used, builtin::path(&pointer, path)?));
                        }
                    }
                    Use::Method
                    | Use::SecretName
                    | Use::Database
                    | Use::Content
                    | Use::Pattern
                    | Use::Plain => {}
                }
            }
        }
        Ok(effects)
    }

    /// The values at a place; none may be missing that has an effect, unless the mapping says so.
    fn given<'v>(
        &self,
        argument: &Argument,
        arguments: &'v Map<String, Value>,
    ) -> Result<Vec<Found<'v>>, Fault> {
        let mut missing = false;
        let found = argument.find(arguments, &mut missing)?;
        if missing && !self.optional.contains(argument) {
            let expected = format!(
                "must have `{argument}`: it has an effect, and a default of the server would be unseen"
            );
            return Err(Fault::new("", expected));
        }
        Ok(found)
    }

    /// The one text of an argument that says something about the effects of others.
    fn word_of(&self, wanted: Use, arguments: &Map<String, Value>) -> Result<Option<String>, Fault> {
        let Some((argument, _)) = self.uses.iter().find(|(_, used)| *used == wanted) else { return Ok(None) };
        match self.given(argument, arguments)?.as_slice() {
            [] => Ok(None),
            [Found { value, pointer }] => text(value, pointer).map(|text| Some(text.to_owned())),
            [_, Found { pointer, .. }, ..] => Err(Fault::new(pointer.clone(), "must be the only one")),
        }
    }
}

fn on_path(used: Use, path: String) -> Effect<String> {
    match used {
        Use::Write => Effect::Write { path, change: Change::Foreign },
        Use::Delete => Effect::Delete { path },
        Use::Read
        | Use::Url
        | Use::Method
        | Use::Command
        | Use::SecretScope
        | Use::SecretName
        | Use::Handle
        | Use::Sql
        | Use::Database
        | Use::Content
        | Use::Pattern
        | Use::Plain => {
            // How much of a folder another server looks at is not known, so it is all of it.
            Effect::Read { path, reach: Reach::Below }
        }
    }
}

/// The credential that a handle stands for. Whether the handle is a good one is seen when it is used.
fn revealing(text: &str, place: String) -> Result<Effect<String>, Fault> {
    let parts = handle_in(text).map(|(_, handle)| handle.splitn(6, ':').skip(4).collect::<Vec<_>>());
    match parts.as_deref() {
        Some([scope, name]) if !scope.is_empty() && !name.is_empty() => {
            let (scope, name) = ((*scope).to_owned(), name.replace(':', "/"));
            Ok(Effect::Secret { scope, name, reveal: SecretUse::Env })
        }
        Some(_) | None => {
            Err(Fault::new(place, "must be a handle that `secrets_get` gave, for use as `env`"))
        }
    }
}

/// A line, or words. Words are written as JSON, so that two lists of words never look the same.
fn command(value: &Value, place: &str) -> Result<Effect<String>, Fault> {
    let command = match value {
        Value::String(line) => line.clone(),
        Value::Array(_) => {
            texts(value, place)?;
            value.to_string()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            return Err(Fault::new(place, "must be a line or a list of words"));
        }
    };
    Ok(Effect::Run(Run {
        program: Program::Foreign { command },
        lane: None,
        // The gate does not confine it, so it can reach whatever its server can.
        network: true,
        stdin: None,
        inputs: 0,
        environment: Vec::new(),
        limits: RunLimits::default(),
    }))
}

fn method(word: &str) -> Result<String, Fault> {
    let upper = word.to_ascii_uppercase();
    if METHODS.contains(&upper.as_str()) {
        return Ok(upper);
    }
    Err(Fault::new("", format!("must have a method among {}", METHODS.join(" "))))
}

/// Methods that a mapping can speak of.
pub(super) const METHODS: [&str; 7] = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

fn text<'v>(value: &'v Value, place: &str) -> Result<&'v str, Fault> {
    value.as_str().ok_or_else(|| Fault::new(place, "must be text"))
}

/// One text or a list of texts, each with its place.
fn texts<'v>(value: &'v Value, place: &str) -> Result<Vec<(&'v str, String)>, Fault> {
    if let Value::Array(items) = value {
        let item = |(number, item)| {
            let place = format!("{place}/{number}");
            text(item, &place).map(|text| (text, place))
        };
        return items.iter().enumerate().map(item).collect();
    }
    let text = value.as_str().ok_or_else(|| Fault::new(place, "must be text or a list of texts"))?;
    Ok(vec![(text, place.to_owned())])
}
