//! One server behind the gate, and the talk with it.
//!
//! It is asked for its tools and told to call one; it may ask for nothing. Whatever it says has a size, and
//! whatever it is asked has a time.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, Implementation, JsonObject, PaginatedRequestParams, ProtocolVersion,
};
use rmcp::service::{Peer, RequestContext, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::Mutex;

use super::definition::Definition;
use super::launcher::{Launched, Launcher, Running};
use super::servers::{Reach, ServerEntry};

/// One server.
pub(crate) struct Downstream {
    pub(crate) entry: ServerEntry,
    launcher: Arc<dyn Launcher>,
    link: Mutex<Link>,
}

/// The talk with a server: none, or one that lasts until one side ends it.
#[derive(Default)]
struct Link {
    talk: Option<Talk>,
    failed: Option<(Instant, Trouble)>,
}

struct Talk {
    service: RunningService<RoleClient, Quiet>,
    /// It ends with the talk.
    server: Option<Arc<dyn Running>>,
}

/// The server that a question goes to, whoever is there when it has answered.
struct OtherEnd {
    peer: Peer<RoleClient>,
    server: Option<Arc<dyn Running>>,
}

impl Talk {
    /// A server answers which version it speaks, and may name one that nobody offered.
    fn understood(self) -> Result<Self, Trouble> {
        let info = self.service.peer().peer_info();
        let known = info.is_none_or(|info| ProtocolVersion::KNOWN_VERSIONS.contains(&info.protocol_version));
        if known { Ok(self) } else { Err(Trouble::Foreign) }
    }

    fn other_end(&self) -> OtherEnd {
        OtherEnd { peer: self.service.peer().clone(), server: self.server.clone() }
    }
}

/// Where a server runs, and behind which walls, where anybody knows that.
type Walls = Option<(call::Lane, Vec<String>)>;

/// Why a server did not do what it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("it could not be started: {0}")]
    NotThere(String),
    #[error("it did not answer within {0} seconds")]
    Slow(u64),
    #[error("it says more than it may")]
    TooMuch,
    #[error("it speaks no version of the protocol that the gate knows")]
    Foreign,
    #[error("it ended the talk{0}")]
    Gone(String),
    #[error("{0}")]
    Says(String),
    #[error("{0}: it is started anew, and what it said is withheld")]
    Saw(String),
}

/// Servers are not started again more often than this.
const REST: Duration = Duration::from_secs(2);
/// Tools that one server may have.
const MOST_TOOLS: usize = 1_000;
/// Pages that they may come on.
const MOST_PAGES: usize = 50;

impl Downstream {
    pub(crate) fn new(entry: ServerEntry, launcher: Arc<dyn Launcher>) -> Self {
        Self { entry, launcher, link: Mutex::default() }
    }

    /// Whoever is at the other end, started if need be.
    async fn other_end(&self) -> Result<OtherEnd, Trouble> {
        let mut link = self.link.lock().await;
        if let Some(talk) = &link.talk
            && !talk.service.is_transport_closed()
        {
            return Ok(talk.other_end());
        }
        link.talk = None;
        if let Some((at, trouble)) = &link.failed
            && at.elapsed() < REST
        {
            return Err(trouble.clone());
        }
        let started = tokio::time::timeout(self.entry.start, self.start()).await;
        let started = started.unwrap_or(Err(Trouble::Slow(self.entry.start.as_secs())));
        match started.and_then(Talk::understood) {
            Ok(talk) => {
                let other_end = talk.other_end();
                *link = Link { talk: Some(talk), failed: None };
                Ok(other_end)
            }
            Err(trouble) => {
                link.failed = Some((Instant::now(), trouble.clone()));
                Err(trouble)
            }
        }
    }

    async fn start(&self) -> Result<Talk, Trouble> {
        match &self.entry.reach {
            Reach::Command(start) => {
                let (launcher, name) = (Arc::clone(&self.launcher), self.entry.name.clone());
                let start = start.clone();
                let launched = tokio::task::spawn_blocking(move || launcher.launch(&name, &start)).await;
                let Launched { input, output, server } =
                    launched.map_err(|_| Trouble::Gone(String::new()))?.map_err(Trouble::NotThere)?;
                let pipes = |error: std::io::Error| Trouble::NotThere(error.to_string());
                let output = Receiver::from_owned_fd(nonblocking(output).map_err(pipes)?).map_err(pipes)?;
                let input = Sender::from_owned_fd(nonblocking(input).map_err(pipes)?).map_err(pipes)?;
                let pipes =
                    AsyncRwTransport::new_client(output, input).with_max_line_length(self.entry.longest);
                match Quiet.serve(pipes).await {
                    Ok(service) => Ok(Talk { service, server: Some(server) }),
                    Err(_) => Err(gone(Some(&*server)).await),
                }
            }
            Reach::Http { url, bearer_env } => {
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                    .max_sse_event_size(self.entry.longest)
                    .reinit_on_expired_session(false);
                if let Some(name) = bearer_env {
                    let token = std::env::var(name);
                    config = config.auth_header(
                        token.map_err(|_| Trouble::NotThere(format!("the variable `{name}` is not set")))?,
                    );
                }
                let transport = StreamableHttpClientTransport::with_client(web()?, config);
                let service = Quiet.serve(transport).await.map_err(|_| Trouble::Gone(String::new()))?;
                Ok(Talk { service, server: None })
            }
        }
    }

    /// Whether this server has seen only what it may. One that may have seen more is ended, and another one is
    /// started when something is asked for.
    async fn is_covered(&self, server: Option<&Arc<dyn Running>>) -> Result<(), Trouble> {
        let Some(server) = server else { return Ok(()) };
        let looks = Arc::clone(server);
        let covered = tokio::task::spawn_blocking(move || looks.is_covered()).await;
        let covered = covered.unwrap_or_else(|_| Err("nobody can say what it sees".to_owned()));
        let Err(why) = covered else { return Ok(()) };
        let mut link = self.link.lock().await;
        let is_this = |talk: &Talk| talk.server.as_ref().is_some_and(|other| Arc::ptr_eq(other, server));
        if link.talk.as_ref().is_some_and(is_this) {
            link.talk = None;
        }
        Err(Trouble::Saw(why))
    }

    /// Asks whoever is at the other end. Whatever it says, errors too, is withheld where that very server may have
    /// seen more than it should by then.
    async fn ask<T>(
        &self,
        question: impl AsyncFnOnce(Peer<RoleClient>) -> Result<T, Trouble>,
    ) -> Result<(T, Option<Arc<dyn Running>>), Trouble> {
        let OtherEnd { peer, server } = self.other_end().await?;
        let mut answer = question(peer).await;
        if matches!(answer, Err(Trouble::Gone(_))) {
            answer = Err(gone(server.as_deref()).await);
        }
        self.is_covered(server.as_ref()).await?;
        answer.map(|answer| (answer, server))
    }

    /// All its tools, as it describes them now. It is started anew where it may have seen more than it should.
    pub(crate) async fn definitions(&self) -> Result<Vec<Definition>, Trouble> {
        let now = self.link.lock().await.talk.as_ref().and_then(|talk| talk.server.clone());
        let _ = self.is_covered(now.as_ref()).await;
        let listing = async |peer: Peer<RoleClient>| {
            let (mut all, mut cursor, mut bytes) = (Vec::new(), None, 0_usize);
            for _ in 0..MOST_PAGES {
                let asked = PaginatedRequestParams::default().with_cursor(cursor.take());
                let page = peer.list_tools(Some(asked)).await.map_err(|error| self.trouble(&error))?;
                for tool in &page.tools {
                    let definition = Definition::new(&self.entry.name, tool);
                    bytes += definition.value.to_string().len();
                    all.push(definition);
                }
                if all.len() > MOST_TOOLS || bytes > self.entry.longest {
                    return Err(Trouble::TooMuch);
                }
                match page.next_cursor {
                    Some(next) => cursor = Some(next),
                    None => return Ok(all),
                }
            }
            Err(Trouble::TooMuch)
        };
        let limit = self.entry.call;
        let in_time = async |peer| {
            let listed = tokio::time::timeout(limit, listing(peer)).await;
            listed.unwrap_or(Err(Trouble::Slow(limit.as_secs())))
        };
        Ok(self.ask(in_time).await?.0)
    }

    /// Calls one of its tools, once: the answer, and behind which walls it ran. A server that asks for input
    /// instead is told nothing.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: JsonObject,
    ) -> Result<(CallToolResponse, Walls), Trouble> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let once = async |peer: Peer<RoleClient>| {
            peer.call_tool_once(params).await.map_err(|error| self.trouble(&error))
        };
        let (answer, server) = self.ask(once).await?;
        Ok((answer, server.and_then(|server| server.walls())))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the library's list of errors is not closed")]
    fn trouble(&self, error: &rmcp::ServiceError) -> Trouble {
        use rmcp::ServiceError;
        match error {
            ServiceError::McpError(error) => Trouble::Says(error.message.to_string()),
            ServiceError::TransportSend(_) | ServiceError::TransportClosed => Trouble::Gone(String::new()),
            ServiceError::Timeout { .. } => Trouble::Slow(self.entry.call.as_secs()),
            other => Trouble::Says(format!("it answered something else than it was asked: {other}")),
        }
    }
}

/// A talk that is over, with what the server said about it. A pipe that ends is heard before the end of its
/// process is, so there is a moment for that.
async fn gone(server: Option<&dyn Running>) -> Trouble {
    let Some(server) = server else { return Trouble::Gone(String::new()) };
    for _ in 0..20 {
        let words = server.last_words();
        if !words.is_empty() {
            return Trouble::Gone(format!(": {words}"));
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Trouble::Gone(String::new())
}

/// A pipe that does not wait.
fn nonblocking(pipe: OwnedFd) -> std::io::Result<OwnedFd> {
    let flags = rustix::fs::fcntl_getfl(&pipe)?;
    rustix::fs::fcntl_setfl(&pipe, flags | rustix::fs::OFlags::NONBLOCK)?;
    Ok(pipe)
}

/// A client that follows no redirect, and knows one way to encrypt.
fn web() -> Result<reqwest::Client, Trouble> {
    // It is there already when another part of the process has put it in place, which is the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let built = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .pool_max_idle_per_host(0)
        .no_proxy()
        .connect_timeout(Duration::from_secs(10))
        .build();
    built.map_err(|error| Trouble::NotThere(error.to_string()))
}

/// This side of a talk: it asks, and is not asked. Sampling is a method that it does not know.
#[derive(Clone, Debug)]
pub(crate) struct Quiet;

impl ClientHandler for Quiet {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("toolgate", env!("CARGO_PKG_VERSION")),
        )
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Err(ErrorData::invalid_request("servers behind the gate have no person to ask", None))
    }
}

pub(crate) type Shared = Arc<Downstream>;
