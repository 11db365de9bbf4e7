//! A bare server of the same library: it says back what it is told, and decides nothing. One kind of it also
//! puts every call on record before it answers, with the ledger of the gate and the events of a call there.

use std::process::{Command, Stdio};
use std::sync::Arc;

use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};

use crate::appends::Appends;

/// What it does beside saying back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing.
    Bare,
    /// It puts calls on record.
    Recording,
}

impl Kind {
    /// As it is told on the command line.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Recording => "recording",
        }
    }
}

#[derive(Clone)]
struct Echo(Option<Arc<Appends>>);

impl Echo {
    fn of(kind: Kind) -> Result<Self, String> {
        match kind {
            Kind::Bare => Ok(Self(None)),
            Kind::Recording => Ok(Self(Some(Arc::new(Appends::new()?)))),
        }
    }
}

impl ServerHandler for Echo {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let said = serde_json::to_string(&request.arguments).unwrap_or_default();
        if let Some(appends) = self.0.clone() {
            let told = tokio::task::spawn_blocking(move || appends.tell_call()).await;
            let told = told.unwrap_or_else(|error| Err(error.to_string()));
            told.map_err(|error| ErrorData::internal_error(error, None))?;
        }
        Ok(CallToolResponse::Complete(CallToolResult::success(vec![ContentBlock::text(said)])))
    }
}

/// This very program, as that server.
pub(crate) fn command(how: &str, kind: Kind) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.args(["--echo", how, kind.word()]).stderr(Stdio::null());
    command
}

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| error.to_string())
}

pub(crate) fn pipes(kind: Kind) -> Result<(), String> {
    let echo = Echo::of(kind)?;
    runtime()?.block_on(async {
        let transport = AsyncRwTransport::new_server(tokio::io::stdin(), tokio::io::stdout());
        let service = echo.serve(transport).await.map_err(|error| error.to_string())?;
        service.waiting().await.map(drop).map_err(|error| error.to_string())
    })
}

pub(crate) fn http(kind: Kind) -> Result<(), String> {
    let echo = Echo::of(kind)?;
    runtime()?.block_on(async {
        let listener =
            tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(|error| error.to_string())?;
        println!("http://{}/mcp", listener.local_addr().map_err(|error| error.to_string())?);
        let service = StreamableHttpService::new(
            move || Ok(echo.clone()),
            LocalSessionManager::default().into(),
            StreamableHttpServerConfig::default(),
        );
        loop {
            let (stream, _) = listener.accept().await.map_err(|error| error.to_string())?;
            let _ = stream.set_nodelay(true);
            let service = service.clone();
            tokio::spawn(async move {
                let service = service_fn(move |request| {
                    let service = service.clone();
                    async move { Ok::<_, std::convert::Infallible>(service.handle(request).await) }
                });
                let _ = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    })
}
