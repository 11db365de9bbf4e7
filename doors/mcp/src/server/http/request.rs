//! One request: who is it, may it come in, what does it say.

use std::net::SocketAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use bytes::Bytes;
use call::{CallContext, Reason};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName};
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Collected, Full, LengthLimitError, Limited};
use hyper::body::{Frame as Part, Incoming as Body};
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::answers::{Answer, No, plain, too_many, unauthorized};
use super::checks::{self, Names, Stranger};
use super::media;
use super::rate::Rate;
use super::sessions::Sessions;
use super::strangers::Strangers;
use super::underway::{Underway, Waits};
use super::{ENDPOINT, HttpOptions};
use crate::arguments::Written;
use crate::frame::{INVALID_PARAMS, METHOD_NOT_FOUND, Refused, meant, read_frame};
use crate::server::direct;
use crate::server::handler::Handler;
use crate::server::meant::{Meant, NO_ID, no_call, not_admitted};
use crate::server::{Caller, Shared, read_message};
use crate::{Identity, Tokens};

/// Where requests are looked at before the protocol sees them.
pub(crate) struct Desk {
    pub(crate) shared: Arc<Shared>,
    tokens: RwLock<Tokens>,
    names: Names,
    rate: Rate,
    strangers: Strangers,
    sessions: Sessions,
    underway: Underway,
    longest: usize,
    body_time: Duration,
    manager: Arc<LocalSessionManager>,
    protocol: StreamableHttpService<Handler, LocalSessionManager>,
}

/// What a request says.
enum Said {
    /// Something that the protocol answers.
    Message {
        request: Box<Request<Full<Bytes>>>,
        /// Until it is answered, where it asks for something.
        waits: Option<Waits>,
    },
    /// A call that is answered at once.
    Direct { meant: Arc<Meant>, waits: Waits },
}

/// How long an answer is kept for a client whose connection broke before it had it. Clients come back within
/// a few seconds, and all answers of this time are in memory.
const ANSWERS_KEPT: Duration = Duration::from_secs(10);
/// How long a session may be quiet. A call may run for long, and nothing is said meanwhile to a client that
/// does not want to know how far it is.
const QUIET: Duration = Duration::from_secs(60 * 60);

/// Bytes that are read of what somebody sends who may not come in.
const LONGEST_OF_STRANGERS: usize = 64 << 10;

pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

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
        let manager = Arc::new(sessions_in_memory());
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
            strangers: Strangers::default(),
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
        if let Err(stranger) = self.names.check(request.uri(), request.headers()) {
            let why = match stranger {
                Stranger::Host => "this host name is not one of the gate's",
                Stranger::Origin => "pages of this origin may not use the gate",
            };
            return Err(self.stranger(request, why, plain(StatusCode::FORBIDDEN, why)).await);
        }
        if request.uri().path() != ENDPOINT || request.uri().query().is_some() {
            return Err(plain(StatusCode::NOT_FOUND, "the one endpoint is /mcp, and it takes no query"));
        }
        let token = checks::token(request.headers()).and_then(|shown| {
            self.tokens.read().unwrap_or_else(PoisonError::into_inner).find(shown).cloned()
        });
        let Some(token) = token else {
            return Err(self.stranger(request, "no token of this gate was shown", unauthorized()).await);
        };
        let now = Instant::now();
        self.rate.take(&token.name, now).map_err(too_many)?;
        let (parts, body) = request.into_parts();
        let bytes = if parts.method == Method::POST { self.whole(&parts, body).await? } else { Bytes::new() };
        let ends = parts.method == Method::DELETE;
        let knows_empty_events = media::knows_empty_events(&parts.headers);
        let mut caller = Caller { identity: token.identity.clone(), session: format!("http-{}", token.name) };
        let said = self.session(&parts, &token.name, now).and_then(|session| {
            if let Some(session) = &session {
                caller.session.clone_from(session);
            }
            let said = self.read(parts, &bytes, &caller, session.as_deref())?;
            Ok((session, said))
        });
        let (session, said) = match said {
            Ok(said) => said,
            Err(no) => {
                let No { answer, reason } = *no;
                self.turn_away(&bytes, caller, reason).await;
                return Err(answer);
            }
        };
        let (request, mut waits) = match said {
            Said::Message { request, waits } => (*request, waits),
            Said::Direct { meant, waits } => return Ok(self.direct(meant, waits).await),
        };
        // It waits until its answer goes out, or nobody listens any more. What comes before an answer, such as
        // how far the work is, has no id.
        let mut answer = self.protocol.handle(request).await.map(|body| {
            let goes_out = move |part: Part<Bytes>| {
                if !knows_empty_events && part.data_ref().is_some_and(|data| media::is_empty_event(data)) {
                    return Part::data(Bytes::new());
                }
                if part.data_ref().is_some_and(|data| data.windows(5).any(|word| word == b"\"id\":")) {
                    drop(waits.take());
                }
                part
            };
            body.map_frame(goes_out).boxed()
        });
        match session {
            None => self.begun(&answer, &token.name, now).await,
            Some(session) if ends && answer.status().is_success() => {
                self.sessions.end(&session);
                // It has ended, and will not only end some time: clients look at that.
                *answer.status_mut() = StatusCode::NO_CONTENT;
            }
            Some(_) => {}
        }
        Ok(answer)
    }

    /// The session that a request names, where it is one of this token's.
    fn session(&self, parts: &Parts, token: &str, now: Instant) -> Result<Option<String>, Box<No>> {
        match checks::only(&parts.headers, &SESSION) {
            None => Ok(None),
            Some(Some(session)) if self.sessions.belongs(session, token, now) => Ok(Some(session.to_owned())),
            Some(_) => {
                let why = "there is no such session";
                Err(No::because(plain(StatusCode::NOT_FOUND, why), not_admitted(why)))
            }
        }
    }

    /// The whole body of a request, which has only so much room and time.
    async fn whole(&self, parts: &Parts, body: Body) -> Result<Bytes, Answer> {
        let too_large = || plain(StatusCode::PAYLOAD_TOO_LARGE, "the message is too long");
        let said =
            parts.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if said.is_some_and(|length| length > self.longest) {
            return Err(too_large());
        }
        let whole = tokio::time::timeout(self.body_time, Limited::new(body, self.longest).collect()).await;
        let slow = |_| plain(StatusCode::REQUEST_TIMEOUT, "the message took too long to come");
        let not_whole = |error: Box<dyn std::error::Error + Send + Sync>| {
            if error.is::<LengthLimitError>() {
                return too_large();
            }
            plain(StatusCode::BAD_REQUEST, "the message ended before its end")
        };
        Ok(whole.map_err(slow)?.map_err(not_whole)?.to_bytes())
    }

    /// The request with a body that was read strictly, and with what the protocol may not say by itself.
    fn read(
        &self,
        mut parts: Parts,
        bytes: &[u8],
        caller: &Caller,
        session: Option<&str>,
    ) -> Result<Said, Box<No>> {
        let takes_json = media::takes_json(&parts.headers);
        if matches!(checks::only(&parts.headers, &media::VERSION), Some(None)) {
            return Err(No::plain(StatusCode::BAD_REQUEST, "a request follows one version of the protocol"));
        }
        if [Method::GET, Method::POST].contains(&parts.method) && !media::takes_events(&mut parts.headers) {
            let message = "answers are sent as text/event-stream: accept it, and application/json";
            return Err(No::plain(StatusCode::NOT_ACCEPTABLE, message));
        }
        if parts.method != Method::POST {
            parts.extensions.insert(caller.clone());
            let request = Box::new(Request::from_parts(parts, Full::default()));
            return Ok(Said::Message { request, waits: None });
        }
        if !media::is_json(&mut parts.headers) {
            let message = "a message is sent as application/json, in UTF-8";
            return Err(No::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        let frame = read_frame(bytes).map_err(No::of)?;
        // The protocol reads it again, and would say less about what it does not understand.
        if !frame.plain_call
            && let Err((code, message)) = read_message(&frame.text)
        {
            if code == INVALID_PARAMS && media::has_no_hello(&parts.headers) {
                let message = "this version of the protocol has no `initialize`";
                return Err(No::missing(&Refused::new(frame.id, METHOD_NOT_FOUND, message)));
            }
            return Err(No::of(Refused::new(frame.id, code, message)));
        }
        if frame.call.is_some() && frame.id.is_none() {
            let reason = no_call(NO_ID.to_owned());
            return Err(No::because(plain(StatusCode::ACCEPTED, ""), reason));
        }
        if let (Some(session), Some(id)) = (session, &frame.cancels) {
            self.underway.cancel(session, id.clone());
        }
        let now = Instant::now();
        let direct = takes_json
            && media::is_of_a_session(&parts.headers)
            && direct::is_direct(&self.shared, &frame)
            && session.is_some_and(|session| self.sessions.may_pass(session, now, QUIET / 4));
        let waits = match (session, frame.id.filter(|_| frame.asks)) {
            (Some(session), Some(id)) => Some(self.underway.begin(session, id.clone()).ok_or_else(|| {
                let message = "a request of this id is not answered yet: give each its own";
                No::of(Refused::new(Some(id), crate::frame::INVALID_REQUEST, message))
            })?),
            (None, _) | (_, None) => None,
        };
        let call = frame.call.map(|written| Meant::new(&self.shared, caller, written));
        match (call, waits) {
            (Some(meant), Some(waits)) if direct => Ok(Said::Direct { meant, waits }),
            (call, waits) => {
                if let Some(meant) = call {
                    parts.extensions.insert(meant);
                }
                parts.extensions.insert(caller.clone());
                parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(frame.text.len()));
                let request = Box::new(Request::from_parts(parts, Full::new(Bytes::from(frame.text))));
                Ok(Said::Message { request, waits })
            }
        }
    }

    /// Makes a call that is over in a moment. One that is alone stays with the thread that it came in by, which
    /// leaves the rest of its work to another meanwhile: to hand the call over takes longer than much of it. Of
    /// many, nobody waits for the ledger by holding a thread.
    async fn direct(&self, meant: Arc<Meant>, waits: Waits) -> Answer {
        let gone = || plain(StatusCode::INTERNAL_SERVER_ERROR, "the gate failed at this call");
        let Ok(place) = Arc::clone(&self.shared.brief).acquire_owned().await else { return gone() };
        let is_alone = self.shared.brief.available_permits() + 1 == direct::AT_ONCE as usize;
        let told = if is_alone {
            let told = tokio::task::block_in_place(|| direct::answer(&meant, waits.id(), waits.cancelled()));
            drop(place);
            Ok(told)
        } else {
            let (say, told) = tokio::sync::oneshot::channel();
            let (id, cancelled) = (waits.id().clone(), Arc::clone(waits.cancelled()));
            let say = Box::new(|answer, place| {
                drop(place);
                // A client that is gone hears nothing.
                let _ = say.send(answer);
            });
            direct::Errand { meant, id, cancelled, place, say }.send();
            told.await
        };
        let Ok(told) = told else { return gone() };
        let mut answer = Response::new(Full::new(Bytes::from(told)).boxed());
        answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        answer
    }

    /// Puts on record that a request was meant as a call, where it was, and why it is none.
    async fn turn_away(&self, bytes: &[u8], caller: Caller, reason: Reason) {
        if let Some(written) = meant(bytes) {
            self.put_on_record(written, caller, reason).await;
        }
    }

    async fn put_on_record(&self, written: Written, caller: Caller, reason: Reason) {
        let shared = Arc::clone(&self.shared);
        // A ledger that failed closes the door.
        let recorded = tokio::task::spawn_blocking(move || shared.turn_away(&caller, &written, reason)).await;
        drop(recorded);
    }

    /// The answer to somebody who may not come in. That a call was meant is put on record for a few, and only
    /// for those is anything read that they send: nobody fills the disk from outside.
    async fn stranger(&self, request: Request<Body>, why: &str, answer: Answer) -> Answer {
        if request.method() != Method::POST {
            return answer;
        }
        if !self.strangers.is_read(Instant::now()) {
            return answer;
        }
        let (_, body) = request.into_parts();
        let body = Limited::new(body, LONGEST_OF_STRANGERS).collect();
        let body = tokio::time::timeout(self.body_time, body).await;
        let body = body.ok().and_then(Result::ok).map(Collected::to_bytes);
        let Some(written) = body.and_then(|body| meant(&body)) else {
            self.strangers.pass();
            return answer;
        };
        let Some(unnoted) = self.strangers.note(Instant::now()) else { return answer };
        let mut reason = not_admitted(why);
        if unnoted > 0 {
            reason.message.push_str(&format!("; {unnoted} requests before it are not on record"));
        }
        let identity = Identity { agent: String::new(), skill: None, context: CallContext::External };
        self.put_on_record(written, Caller { identity, session: String::new() }, reason).await;
        answer
    }

    /// Notes whose session has begun, if one has.
    async fn begun(&self, answer: &Answer, token: &str, now: Instant) {
        let Some(session) = answer.headers().get(&SESSION).and_then(|id| id.to_str().ok()) else { return };
        if let Some(ended) = self.sessions.begin(session.to_owned(), token, now) {
            let _ = self.manager.close_session(&ended.into()).await;
        }
    }
}

/// Where sessions are kept.
fn sessions_in_memory() -> LocalSessionManager {
    let mut config = SessionConfig::default();
    config.completed_cache_ttl = ANSWERS_KEPT;
    config.keep_alive = Some(QUIET);
    let mut manager = LocalSessionManager::default();
    manager.session_config = config;
    manager
}
