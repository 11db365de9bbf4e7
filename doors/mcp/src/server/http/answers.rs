//! Answers to requests that come no further, in the words of HTTP or of the protocol.

use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use call::Reason;
use http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};

use crate::frame::{PARSE_ERROR, Refused};
use crate::server::meant::no_call;

pub(super) type Answer = Response<BoxBody<Bytes, Infallible>>;

/// A request that comes no further, and why, for the ledger.
pub(super) struct No {
    pub(super) answer: Answer,
    pub(super) reason: Reason,
}

impl No {
    pub(super) fn because(answer: Answer, reason: Reason) -> Box<Self> {
        Box::new(Self { answer, reason })
    }

    pub(super) fn plain(status: StatusCode, why: &'static str) -> Box<Self> {
        Self::because(plain(status, why), no_call(why.to_owned()))
    }

    /// A method that there is not: the protocol has HTTP say so as well.
    pub(super) fn missing(refused: &Refused) -> Box<Self> {
        let mut answer = refusal(refused);
        *answer.status_mut() = StatusCode::NOT_FOUND;
        Self::because(answer, no_call(refused.message.clone()))
    }

    pub(super) fn of(refused: Refused) -> Box<Self> {
        Self::because(refusal(&refused), no_call(refused.message))
    }
}

pub(super) fn plain(status: StatusCode, text: &'static str) -> Answer {
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

pub(super) fn unauthorized() -> Answer {
    let mut answer = plain(StatusCode::UNAUTHORIZED, "show a token: Authorization: Bearer …");
    answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"toolgate\""));
    answer
}

pub(super) fn too_many(wait: Duration) -> Answer {
    let mut answer = plain(StatusCode::TOO_MANY_REQUESTS, "too many requests of this token");
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait.as_secs() + 1));
    answer
}
