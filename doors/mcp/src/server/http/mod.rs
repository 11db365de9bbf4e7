//! The gate over HTTP, for clients that show a token.
//!
//! Loopback unless somebody says otherwise in so many words. Before anything of a request is believed, its
//! Host and Origin are looked at (a page in a browser must not get in by a name that leads here), then its
//! token, which says who is asking. A session belongs to the token that began it. There is no endpoint that
//! approves.

mod answers;
mod checks;
mod media;
mod rate;
mod request;
mod sessions;
mod strangers;
mod underway;

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::direct;
use super::run::CallCount;
use super::{LAST_CALLS, Options, ServeError, Shared};
use crate::{Gatekeeper, Tokens};
use request::Desk;

/// How a listener behaves.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Where it listens.
    pub address: SocketAddr,
    /// Whether it may listen where others can reach it.
    pub beyond_loopback: bool,
    /// Whoever may come in.
    pub tokens: Tokens,
    /// Names that clients may call this machine by, beside those of loopback: `gate.example.org:443`.
    pub hosts: Vec<String>,
    /// Pages that may come in, as browsers name them: `https://app.example.org`. None by default.
    pub origins: Vec<String>,
    /// What a client may use up.
    pub limits: Limits,
    /// What is the same for every way in.
    pub options: Options,
}

impl HttpOptions {
    /// At an address, for these tokens.
    #[must_use]
    pub fn new(address: SocketAddr, tokens: Tokens) -> Self {
        Self {
            address,
            beyond_loopback: false,
            tokens,
            hosts: Vec::new(),
            origins: Vec::new(),
            limits: Limits::default(),
            options: Options::default(),
        }
    }
}

/// What clients may use up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at the same time.
    pub connections: usize,
    /// Sessions of one token. The one that was quiet longest ends when there is one more.
    pub sessions: usize,
    /// Requests of one token in a second, in the long run.
    pub requests_per_second: u32,
    /// Requests of one token at once.
    pub burst: u32,
    /// How long a client may take for the head of a request, and between requests.
    pub head: Duration,
    /// How long it may take for the body.
    pub body: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1024,
            sessions: 256,
            requests_per_second: 5_000,
            burst: 10_000,
            head: Duration::from_secs(20),
            body: Duration::from_secs(20),
        }
    }
}

/// The path of the one endpoint.
pub(crate) const ENDPOINT: &str = "/mcp";

/// A listener that has its address.
pub struct Listener {
    runtime: tokio::runtime::Runtime,
    socket: TcpListener,
    address: SocketAddr,
    desk: Arc<Desk>,
    limits: Limits,
}

impl Listener {
    /// Takes the address.
    ///
    /// # Errors
    /// When it is not one of loopback and nobody said that this is meant, when there is no token, or when
    /// the machine does not give it.
    pub fn bind(gatekeeper: Arc<dyn Gatekeeper>, options: HttpOptions) -> Result<Self, ServeError> {
        if !options.address.ip().is_loopback() && !options.beyond_loopback {
            return Err(ServeError::NotLoopback { address: options.address });
        }
        if options.tokens.iter().next().is_none() {
            return Err(ServeError::NoTokens);
        }
        let machine = |what| move |source| ServeError::Machine { what, source };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(1024)
            .build()
            .map_err(machine("there is no runtime"))?;
        let socket = runtime
            .block_on(TcpListener::bind(options.address))
            .map_err(machine("the address is not free"))?;
        let address = socket.local_addr().map_err(machine("the address is not known"))?;
        let limits = options.limits;
        let shared = Arc::new(Shared {
            gate: gatekeeper,
            options: options.options.clone(),
            halted: OnceLock::new(),
            closing: CancellationToken::new(),
            calls: CallCount::default(),
            brief: Arc::new(Semaphore::new(direct::AT_ONCE)),
        });
        let desk = Arc::new(Desk::new(shared, options, address));
        Ok(Self { runtime, socket, address, desk, limits })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Something that closes it, from another thread.
    pub fn closer(&self) -> impl Fn() + Send + Sync + 'static {
        let closing = self.desk.shared.closing.clone();
        move || closing.cancel()
    }

    /// Something that says who may come in from now on, from another thread. A token that is not among them
    /// any more is worth nothing at once, and neither are its sessions.
    pub fn admission(&self) -> impl Fn(Tokens) + Send + Sync + 'static {
        let (desk, runtime) = (Arc::clone(&self.desk), self.runtime.handle().clone());
        move |tokens| {
            let ended = desk.admit(tokens);
            if !ended.is_empty() {
                let desk = Arc::clone(&desk);
                runtime.spawn(async move { desk.close(ended).await });
            }
        }
    }

    /// Serves until it is closed.
    ///
    /// # Errors
    /// When the ledger failed.
    pub fn serve(self) -> Result<(), ServeError> {
        let Self { runtime, socket, desk, limits, .. } = self;
        let shared = Arc::clone(&desk.shared);
        runtime.block_on(accept(socket, desk, limits));
        runtime.shutdown_timeout(LAST_CALLS);
        match shared.halted.get() {
            Some(halt) => Err(halt.clone().into()),
            None => Ok(()),
        }
    }
}

async fn accept(socket: TcpListener, desk: Arc<Desk>, limits: Limits) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let closing = desk.shared.closing.clone();
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let stream = tokio::select! {
            accepted = socket.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Out of descriptors, or a client that was gone at once: others may still come.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                }
            },
            () = closing.cancelled() => break,
        };
        let _ = stream.set_nodelay(true);
        let desk = Arc::clone(&desk);
        let closing = closing.clone();
        tokio::spawn(async move {
            let _place = place;
            let service = service_fn(move |request| {
                let desk = Arc::clone(&desk);
                async move { Ok::<_, std::convert::Infallible>(desk.answer(request).await) }
            });
            let mut builder = hyper::server::conn::http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(64 << 10);
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            tokio::select! {
                _ = connection => {}
                () = async { closing.cancelled().await; tokio::time::sleep(Duration::from_millis(200)).await } => {}
            }
        });
    }
}

/// Serves over HTTP until the process ends.
///
/// # Errors
/// As [`Listener::bind`] and [`Listener::serve`].
pub fn serve_http(gatekeeper: Arc<dyn Gatekeeper>, options: HttpOptions) -> Result<(), ServeError> {
    Listener::bind(gatekeeper, options)?.serve()
}
