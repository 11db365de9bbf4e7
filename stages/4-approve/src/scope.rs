//! How far an answer goes: this once, or for whatever lies within an extent for a while.

use call::{
    AbsolutePath, Access, Effect, Effects, Moment, Reach, Run, RunLimits, SessionId, ToolName, WebAddress,
    WebRequest,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far an answer goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// This once.
    Once,
    /// Also for later calls of the same tool in the same session, while all they do lies within the extents.
    Grant {
        /// The tool.
        tool: ToolName,
        /// What they may do; never more.
        extents: Vec<Extent>,
        /// The session.
        session: SessionId,
        /// From when on it counts no more.
        until: Moment,
    },
}

/// What calls may do under a grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "extent")]
pub enum Extent {
    /// Exactly this, but for limits of a run, which may be tighter, and parts of a folder that is looked through.
    Exactly {
        /// The effect, as the ledger keeps it.
        effect: Value,
    },
    /// Look at this and whatever lies below it.
    ReadBelow {
        /// The folder or file.
        path: AbsolutePath,
    },
    /// Write this or whatever lies below it, with any content.
    WriteBelow {
        /// The folder or file.
        path: AbsolutePath,
    },
    /// Delete this or whatever lies below it.
    DeleteBelow {
        /// The folder or file.
        path: AbsolutePath,
    },
    /// Requests with this method to this address or one below it, by whole segments, with any query.
    Requests {
        /// The method.
        method: String,
        /// The address, without a query.
        address: String,
        /// The headers that may be sent, by name, with any value.
        headers: Vec<String>,
        /// Whether any body may be sent; none otherwise.
        body: bool,
    },
    /// Statements for this database that name none but these tables.
    Statements {
        /// The database.
        database: String,
        /// Looking or changing; each does not cover the other.
        access: Access,
        /// The tables.
        tables: Vec<String>,
    },
}

impl Extent {
    /// This effect and no other; nothing for one that cannot be told, or that leads nowhere.
    #[must_use]
    pub fn exactly(effect: &Effect) -> Option<Self> {
        if is_refused_anyway(effect) {
            return None;
        }
        let recorded = Effects::new(vec![effect.clone()]).recorded();
        let effect = recorded.as_array()?.first()?.clone();
        Some(Self::Exactly { effect })
    }

    /// Whether this effect lies within.
    #[must_use]
    pub fn covers(&self, effect: &Effect) -> bool {
        if is_refused_anyway(effect) {
            return false;
        }
        match (self, effect) {
            (Self::Exactly { effect: granted }, _) => {
                let granted = Effects::from_recorded(&Value::Array(vec![granted.clone()]));
                granted.is_some_and(|granted| granted.iter().any(|granted| is_at_most(effect, granted)))
            }
            (Self::ReadBelow { path }, Effect::Read { path: asked, reach: Reach::Itself | Reach::Below })
            | (Self::WriteBelow { path }, Effect::Write { path: asked, change: _ })
            | (Self::DeleteBelow { path }, Effect::Delete { path: asked }) => {
                place(asked).is_some_and(|asked| asked.is_within(path))
            }
            (Self::Requests { method, address, headers, body }, Effect::Network(request)) => {
                request.method == *method
                    && (*body || request.body.is_none())
                    && request.headers.iter().all(|(name, _)| headers.contains(name))
                    && WebAddress::parse(address).is_ok_and(|address| lies_below(request, &address))
            }
            (Self::Statements { database, access, tables }, Effect::Query(query)) => {
                query.database == *database
                    && query.access == *access
                    && !query.tables.is_empty()
                    && query.tables.iter().all(|table| tables.contains(table))
            }
            (
                Self::ReadBelow { .. }
                | Self::WriteBelow { .. }
                | Self::DeleteBelow { .. }
                | Self::Requests { .. }
                | Self::Statements { .. },
                _,
            ) => false,
        }
    }

    /// Whether it can be read as what it says it is.
    fn is_sound(&self) -> bool {
        match self {
            Self::Exactly { effect } => Effects::from_recorded(&Value::Array(vec![effect.clone()]))
                .is_some_and(|effects| !effects.iter().any(is_refused_anyway)),
            Self::Requests { address, .. } => {
                WebAddress::parse(address).is_ok_and(|address| !address.path.contains('?'))
            }
            Self::ReadBelow { .. }
            | Self::WriteBelow { .. }
            | Self::DeleteBelow { .. }
            | Self::Statements { .. } => true,
        }
    }
}

/// Effects that no grant speaks of: nobody can say what they touch.
fn is_refused_anyway(effect: &Effect) -> bool {
    match effect {
        Effect::Unknown { .. } => true,
        Effect::Read { path, .. } | Effect::Write { path, .. } | Effect::Delete { path } => {
            place(path).is_none()
        }
        Effect::Run(_)
        | Effect::Network(_)
        | Effect::Secret { .. }
        | Effect::Query(_)
        | Effect::Memory(_)
        | Effect::Repository(_)
        | Effect::Status
        | Effect::Nothing => false,
    }
}

fn place(path: &call::Located) -> Option<&AbsolutePath> {
    match &path.place {
        call::PathPlace::Below { path, .. } => Some(path),
        call::PathPlace::Outside | call::PathPlace::GateHome | call::PathPlace::Unclear(_) => None,
    }
}

/// Whether `asked` is `granted`, the same run within tighter limits, or a part of what is looked through.
fn is_at_most(asked: &Effect, granted: &Effect) -> bool {
    if let (Effect::Run(asked), Effect::Run(granted)) = (asked, granted) {
        let tighter = |asked: Option<u32>, granted: Option<u32>| match (asked, granted) {
            (Some(asked), Some(granted)) => asked <= granted,
            // No limit is that of the gate, of which nothing is known here.
            (asked, granted) => asked == granted,
        };
        let (one, other) = (asked.limits, granted.limits);
        return Run { limits: RunLimits::default(), ..asked.clone() }
            == Run { limits: RunLimits::default(), ..granted.clone() }
            && tighter(one.time_limit_sec, other.time_limit_sec)
            && tighter(one.memory_limit_mb, other.memory_limit_mb)
            && tighter(one.cpu_limit, other.cpu_limit);
    }
    if let (Effect::Read { path: asked, .. }, Effect::Read { path: granted, reach: Reach::Below }) =
        (asked, granted)
    {
        return place(asked).zip(place(granted)).is_some_and(|(asked, granted)| asked.is_within(granted));
    }
    Effects::new(vec![asked.clone()]).digest() == Effects::new(vec![granted.clone()]).digest()
}

/// Whether a request goes to `address` or below it, by whole segments of the path.
fn lies_below(request: &WebRequest, address: &WebAddress) -> bool {
    let path = request.url.path.split('?').next().unwrap_or_default();
    // A server may take these for other segments than they look like.
    let lowered = path.to_ascii_lowercase();
    let ambiguous = ["%2f", "%5c", "%2e", "%00", "//", ";"].iter().any(|text| lowered.contains(text));
    let folder = address.path.strip_suffix('/').unwrap_or(&address.path);
    let within = path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    (request.url.scheme, &request.url.host, request.url.port) == (address.scheme, &address.host, address.port)
        && (path == address.path || (within && !ambiguous))
}

/// A scope as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "scope")]
pub(crate) enum Form {
    Once {},
    Grant { tool: String, extents: Vec<Extent>, session: String, until: String },
}

impl From<&Scope> for Form {
    fn from(scope: &Scope) -> Self {
        match scope {
            Scope::Once => Self::Once {},
            Scope::Grant { tool, extents, session, until } => Self::Grant {
                tool: tool.to_string(),
                extents: extents.clone(),
                session: session.to_string(),
                until: until.to_string(),
            },
        }
    }
}

impl Form {
    /// The scope; nothing when something in it is not what it should be.
    pub(crate) fn scope(self) -> Option<Scope> {
        match self {
            Self::Once {} => Some(Scope::Once),
            Self::Grant { tool, extents, session, until } => {
                let sound = !extents.is_empty() && extents.iter().all(Extent::is_sound);
                sound.then_some(Scope::Grant {
                    tool: tool.parse().ok()?,
                    extents,
                    session: session.parse().ok()?,
                    until: until.parse().ok()?,
                })
            }
        }
    }
}
