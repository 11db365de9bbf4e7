//! The gate's own egress: the one way by which the gate itself talks to the web.
//!
//! A name is resolved once, every address is looked at, and the connection goes to an address that was looked
//! at (`connect`). Redirects are followed by hand, and each hop is put to policy before anything is looked
//! up for it (`hops`). There are no proxies, cookies or passwords of the surroundings. Time, bytes and
//! redirects are bounded, also against a server that is slow on purpose and a body that grows when it is
//! unpacked (`exchange`, `body`).
//!
//! What comes back is data of strangers: pages become text without what a person would not see (`readable`),
//! and what is no text is described instead of shown (`shown`).
#![expect(clippy::disallowed_methods, reason = "an egress opens sockets, and holds them to a limit of time")]

mod address;
mod body;
mod connect;
mod distrust;
mod exchange;
mod fetch;
mod head;
mod hops;
mod line;
mod readable;
mod shown;
mod style;
mod trust;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use call::{Errand, Fault, HostPattern, Judge, SkillChain, SkillName, WebAddress};
use lanes::network::Outside;
use secrecy::SecretSlice;

use self::address::Listed;

pub use trust::{BadTrust, Trust};

/// The way out.
pub struct Egress {
    outside: Arc<dyn Outside>,
    private: Vec<HostPattern>,
    of_skills: BTreeMap<SkillName, Vec<HostPattern>>,
    trust: Trust,
    caps: Caps,
}

impl fmt::Debug for Egress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Egress").field("private", &self.private).finish_non_exhaustive()
    }
}

/// How far a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// From the first look-up to the last byte, over all hops.
    pub time: Duration,
    /// Bytes of a body, as they come and as they are when they are unpacked.
    pub bytes: usize,
    /// Redirects that are followed.
    pub redirects: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Self { time: Duration::from_secs(30), bytes: 8 * 1024 * 1024, redirects: 10 }
    }
}

/// A request.
#[derive(Debug)]
pub struct Request<'a> {
    /// The method, upper case.
    pub method: &'a str,
    /// The address.
    pub url: &'a WebAddress,
    /// Headers. Those that belong to the connection are set here.
    pub headers: Vec<(String, HeaderValue)>,
    /// The body.
    pub body: Option<&'a [u8]>,
}

/// The value of a header.
#[derive(Debug)]
pub enum HeaderValue {
    /// As it was given.
    Text(String),
    /// A credential, behind a prefix such as `Bearer `. It goes to the first origin and to no other.
    Secret {
        /// What stands in front of it.
        prefix: String,
        /// The credential.
        value: SecretSlice<u8>,
    },
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Where it came from, behind all redirects.
    pub url: WebAddress,
    /// Its headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body, unpacked.
    pub body: Vec<u8>,
    /// Whether there was more of it than is taken.
    pub truncated: bool,
    /// Addresses that redirected, in order.
    pub redirects: Vec<WebAddress>,
}

impl Response {
    /// The first header of this name, which is in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// What one request may use, over all its hops.
#[derive(Clone, Copy)]
pub(crate) struct Budget<'a> {
    deadline: Instant,
    time: Duration,
    cancelled: &'a AtomicBool,
    judge: &'a dyn Judge,
    skills: &'a SkillChain,
}

impl Egress {
    /// An egress that resolves and connects through `outside`. Hosts on the list `private` may have private
    /// addresses: those that it has by their name or address, and not by a pattern.
    #[must_use]
    pub fn new(outside: Arc<dyn Outside>, private: Vec<HostPattern>, trust: Trust) -> Self {
        Self { outside, private, of_skills: BTreeMap::new(), trust, caps: Caps::default() }
    }

    /// The same where skills say for themselves which hosts may have private addresses: those that every skill of a
    /// call lists.
    #[must_use]
    pub fn with_skills(self, of_skills: BTreeMap<SkillName, Vec<HostPattern>>) -> Self {
        Self { of_skills, ..self }
    }

    /// The same with other caps.
    #[must_use]
    pub fn with_caps(self, caps: Caps) -> Self {
        Self { caps, ..self }
    }

    /// Sends a request and follows its redirects. The first address was decided about; each further one is put
    /// to the errand's judge.
    ///
    /// # Errors
    /// When there is no answer, or policy refuses a hop. An answer with a status that says no is none.
    pub fn send(&self, request: &Request<'_>, errand: &Errand<'_>) -> Result<Response, Fault> {
        let asked = errand.walls.max_runtime_seconds.map(|seconds| Duration::from_secs(seconds.into()));
        let time = asked.map_or(self.caps.time, |asked| asked.min(self.caps.time));
        let deadline = Instant::now() + time;
        let budget = Budget {
            deadline,
            time,
            cancelled: errand.cancelled,
            judge: errand.judge,
            skills: &errand.actor.skills,
        };
        hops::follow(self, request, &budget)
    }

    /// Sends a request to an address that policy names, and gives back what comes, a redirect too.
    ///
    /// # Errors
    /// When there is no answer in time.
    pub fn send_once(&self, request: &Request<'_>, time: Duration) -> Result<Response, Fault> {
        let (deadline, cancelled) = (Instant::now() + time, AtomicBool::new(false));
        let skills = SkillChain::default();
        let budget = Budget { deadline, time, cancelled: &cancelled, judge: &NoFurther, skills: &skills };
        hops::only(self, request, &budget)
    }

    /// How a host stands on the lists that count for a call.
    fn listed(&self, url: &WebAddress, budget: &Budget<'_>) -> Listed {
        let on = |list: &[HostPattern]| address::listed(list, &url.host, url.port);
        match on(&self.private) {
            Listed::No => {
                let on = |skill: &SkillName| self.of_skills.get(skill).map_or(Listed::No, |list| on(list));
                let mut of_skills = budget.skills.skills().iter().map(on);
                let first = of_skills.next().unwrap_or(Listed::No);
                if of_skills.all(|other| other == first) { first } else { Listed::No }
            }
            own @ (Listed::Name | Listed::Address) => own,
        }
    }
}

/// Goes nowhere else.
struct NoFurther;

impl Judge for NoFurther {
    fn allows(&self, _: &call::Effect) -> Result<(), call::Reason> {
        Err(call::Reason {
            code: call::ReasonCode::DOMAIN_NOT_ALLOWED,
            message: "nothing but the address itself is asked".to_owned(),
            rule: None,
            remedy: None,
        })
    }
}
