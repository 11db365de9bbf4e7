//! What the classifier has to know about the world, told by whoever loaded policy.

use std::collections::BTreeMap;

use call::{Class, WebAddress, WebHost, WebScheme};

use crate::sql::Dialect;
use crate::{Mapping, builtin};

/// The tools there are, and what their arguments can name.
#[derive(Clone, Debug)]
pub struct Catalogue {
    api: WebAddress,
    databases: BTreeMap<String, Dialect>,
    mappings: BTreeMap<String, Mapping>,
}

impl Default for Catalogue {
    /// The built-in tools, GitHub's own API, no database, no other server.
    fn default() -> Self {
        let api = WebAddress {
            scheme: WebScheme::Https,
            host: WebHost::Name("api.github.com".into()),
            port: WebScheme::Https.default_port(),
            path: "/".to_owned(),
        };
        Self { api, databases: BTreeMap::new(), mappings: BTreeMap::new() }
    }
}

impl Catalogue {
    /// With the API of another forge: GitHub Enterprise, Forgejo.
    #[must_use]
    pub fn with_api(self, api: WebAddress) -> Self {
        Self { api, ..self }
    }

    /// With a database, by the name that policy gives it.
    #[must_use]
    pub fn with_database(mut self, name: impl Into<String>, dialect: Dialect) -> Self {
        self.databases.insert(name.into(), dialect);
        self
    }

    /// With the mapping of another server's tools, by the name of the server.
    #[must_use]
    pub fn with_mapping(mut self, server: impl Into<String>, mapping: Mapping) -> Self {
        self.mappings.insert(server.into(), mapping);
        self
    }

    /// The names of the built-in tools.
    pub fn tools(&self) -> impl Iterator<Item = &'static str> + use<> {
        builtin::names()
    }

    /// The classes of a built-in tool, by its name or another spelling of it.
    #[must_use]
    pub fn classes(&self, tool: &str) -> Option<&'static [Class]> {
        builtin::Tool::find(tool).map(|tool| tool.classes)
    }

    /// The JSON Schema of a built-in tool's arguments, by its name or another spelling of it.
    #[must_use]
    pub fn schema(&self, tool: &str) -> Option<&'static serde_json::Value> {
        builtin::Tool::find(tool).and_then(builtin::Tool::schema)
    }

    /// The mapping of a server's tools.
    #[must_use]
    pub fn mapping(&self, server: &str) -> Option<&Mapping> {
        self.mappings.get(server)
    }

    pub(crate) const fn api(&self) -> &WebAddress {
        &self.api
    }

    /// The dialect of a database. One that nobody named has effects all the same, and policy is
    /// there to refuse it.
    pub(crate) fn dialect(&self, database: &str) -> Dialect {
        self.databases.get(database).copied().unwrap_or(Dialect::Unknown)
    }
}
