//! One request: who is it, may it come in, what does it say.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Frame as Part, Incoming as Body};
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::checks::{self, Names, Stranger};
use super::rate::Rate;
use super::sessions::Sessions;
use super::underway::{Underway, Waits};
use super::{ENDPOINT, HttpOptions};
use crate::Tokens;
use crate::frame::{PARSE_ERROR, Refused, read_frame};
use crate::server::handler::Handler;
use crate::server::{Caller, Shared};

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Where requests are looked at before the protocol sees them.
pub(crate) struct Desk {
    pub(crate) shared: Arc<Shared>,
    tokens: RwLock<Tokens>,
    names: Names,
    rate: Rate,
    sessions: Sessions,
    underway: Underway,
    longest: usize,
    body_time: Duration,
    manager: Arc<LocalSessionManager>,
    protocol: StreamableHttpService<Handler, LocalSessionManager>,
}

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

impl Desk {
    pub(crate) fn new(shared: Arc<Shared>, options: HttpOptions, address: SocketAddr) -> Self {
        let HttpOptions { tokens, hosts, origins, limits, .. } = options;
        let longest = shared.options.longest_message;
        let names = Names::new(address, hosts, origins);
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(names.hosts().to_vec())
            .with_allowed_origins(names.origins())
            .enforce_origin_validation()
            .with_max_request_body_bytes(longest.saturating_add(1024))
            .with_cancellation_token(shared.closing.clone());
        let manager = Arc::new(LocalSessionManager::default());
        let for_handlers = Arc::clone(&shared);
        let protocol = StreamableHttpService::new(
            move || Ok(Handler::new(Arc::clone(&for_handlers), None)),
            Arc::clone(&manager),
            config,
        );
        Self {
            shared,
            tokens: RwLock::new(tokens),
            names,
            rate: Rate::new(limits.requests_per_second, limits.burst),
            sessions: Sessions::new(limits.sessions),
            underway: Underway::default(),
            longest,
            body_time: limits.body,
            manager,
            protocol,
        }
    }

    /// From now on these may come in, and nobody else.
    pub(crate) fn admit(&self, tokens: Tokens) {
        *self.tokens.write().unwrap_or_else(PoisonError::into_inner) = tokens;
    }

    /// Answers one request.
    pub(crate) async fn answer(&self, request: Request<Body>) -> Answer {
        match self.let_in(request).await {
            Ok(answer) | Err(answer) => answer,
        }
    }

    async fn let_in(&self, request: Request<Body>) -> Result<Answer, Answer> {
        self.names.check(request.headers()).map_err(|stranger| match stranger {
            Stranger::Host => plain(StatusCode::FORBIDDEN, "this host name is not one of the gate's"),
            Stranger::Origin => plain(StatusCode::FORBIDDEN, "pages of this origin may not use the gate"),
        })?;
        if request.uri().path() != ENDPOINT || request.uri().query().is_some() {
            return Err(plain(StatusCode::NOT_FOUND, "the one endpoint is /mcp, and it takes no query"));
        }
        let token = checks::token(request.headers()).and_then(|shown| {
            self.tokens.read().unwrap_or_else(PoisonError::into_inner).find(shown).cloned()
        });
        let token = token.ok_or_else(unauthorized)?;
        let now = Instant::now();
        self.rate.take(&token.name, now).map_err(too_many)?;
        let session = match checks::only(request.headers(), &SESSION) {
            None => None,
            Some(Some(session)) if self.sessions.belongs(session, &token.name, now) => {
                Some(session.to_owned())
            }
            Some(_) => return Err(plain(StatusCode::NOT_FOUND, "there is no such session")),
        };
        let caller = Caller {
            identity: token.identity.clone(),
            session: session.clone().unwrap_or_else(|| format!("http-{}", token.name)),
        };
        let ends = request.method() == Method::DELETE;
        let (request, mut waits) = self.read(request, caller, session.as_deref()).await?;
        // It waits until its answer goes out, or nobody listens any more. What comes before an answer, such as
        // how far the work is, has no id.
        let answer = self.protocol.handle(request).await.map(|body| {
            let goes_out = move |part: Part<Bytes>| {
                if part.data_ref().is_some_and(|data| data.windows(5).any(|word| word == b"\"id\":")) {
                    drop(waits.take());
                }
                part
            };
            body.map_frame(goes_out).boxed()
        });
        match session {
            None => self.begun(&answer, &token.name, now).await,
            Some(session) if ends && answer.status().is_success() => self.sessions.end(&session),
            Some(_) => {}
        }
        Ok(answer)
    }

    /// The request with a body that was read strictly, and with what the protocol may not say by itself.
    async fn read(
        &self,
        request: Request<Body>,
        caller: Caller,
        session: Option<&str>,
    ) -> Result<(Request<Full<Bytes>>, Option<Waits>), Answer> {
        let (mut parts, body) = request.into_parts();
        parts.extensions.insert(caller);
        if parts.method != Method::POST {
            return Ok((Request::from_parts(parts, Full::default()), None));
        }
        let too_large = || plain(StatusCode::PAYLOAD_TOO_LARGE, "the message is too long");
        let said =
            parts.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if said.is_some_and(|length| length > self.longest) {
            return Err(too_large());
        }
        let whole = tokio::time::timeout(self.body_time, Limited::new(body, self.longest).collect()).await;
        let slow = |_| plain(StatusCode::REQUEST_TIMEOUT, "the message took too long to come");
        let bytes = whole.map_err(slow)?.map_err(|_| too_large())?.to_bytes();
        let frame = read_frame(&bytes).map_err(|refused| refusal(&refused))?;
        if let Some(arguments) = frame.arguments {
            parts.extensions.insert(arguments);
        }
        // The protocol reads it again, and would say less about what it does not understand.
        if !frame.plain_call
            && serde_json::from_str::<rmcp::model::ClientJsonRpcMessage>(&frame.text).is_err()
        {
            let refused = Refused::new(frame.id, crate::frame::INVALID_REQUEST, "no message of the protocol");
            return Err(refusal(&refused));
        }
        let waits = match (session, frame.id.filter(|_| frame.asks)) {
            (Some(session), Some(id)) => Some(self.underway.begin(session, id.clone()).ok_or_else(|| {
                let message = "a request of this id is not answered yet: give each its own";
                refusal(&Refused::new(Some(id), crate::frame::INVALID_REQUEST, message))
            })?),
            (None, _) | (_, None) => None,
        };
        parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(frame.text.len()));
        Ok((Request::from_parts(parts, Full::new(Bytes::from(frame.text))), waits))
    }

    /// Notes whose session has begun, if one has.
    async fn begun(&self, answer: &Answer, token: &str, now: Instant) {
        let Some(session) = answer.headers().get(&SESSION).and_then(|id| id.to_str().ok()) else { return };
        if let Some(ended) = self.sessions.begin(session.to_owned(), token, now) {
            let _ = self.manager.close_session(&ended.into()).await;
        }
    }
}

fn plain(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}

fn refusal(refused: &Refused) -> Answer {
    let text = refused.answer().to_string();
    let mut answer = Response::new(Full::new(Bytes::from(text)).boxed());
    *answer.status_mut() = StatusCode::BAD_REQUEST;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    debug_assert!(refused.code >= PARSE_ERROR, "codes of the protocol are not below this one");
    answer
}

fn unauthorized() -> Answer {
    let mut answer = plain(StatusCode::UNAUTHORIZED, "show a token: Authorization: Bearer …");
    answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"toolgate\""));
    answer
}

fn too_many(wait: Duration) -> Answer {
    let mut answer = plain(StatusCode::TOO_MANY_REQUESTS, "too many requests of this token");
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait.as_secs() + 1));
    answer
}
