//! Whoever calls the tools, over real sockets.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use call::{
    Access, Actor, Arguments, CallContext, Confinement, Done, Effect, Effects, Errand, Fault, Judge, Moment,
    Reason, RepositoryUse, RunCaps, Sha256, SkillChain,
};
use execute::github::{Fetch, Forge, ForgeRequest, ForgeResponse, ForgeSettings};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;

pub(crate) const TOKEN: &str = "Bearer tg-very-secret-value";

struct Anything;

impl Judge for Anything {
    fn allows(&self, _: &Effect) -> Result<(), Reason> {
        Ok(())
    }
}

#[derive(Clone, Default)]
struct Sockets {
    cancelled: Arc<AtomicBool>,
    /// The end of the address after which nobody wants the call any more.
    last: Option<&'static str>,
}

impl Fetch for Sockets {
    fn send(&self, request: &ForgeRequest) -> Result<ForgeResponse, Fault> {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(request.timeout))
            .build()
            .new_agent();
        let mut builder = ureq::http::Request::builder().method(request.method).uri(&request.url);
        for (name, value) in &request.headers {
            builder = builder.header(*name, value);
        }
        if let Some(value) = &request.authorization {
            builder = builder.header("authorization", value.expose_secret());
        }
        let answer = match &request.body {
            Some(body) => agent.run(builder.body(body.clone()).unwrap()),
            None => agent.run(builder.body(()).unwrap()),
        };
        let mut answer = answer.map_err(|error| Fault::failed("connection", error.to_string()))?;
        let headers = answer.headers().iter();
        let headers =
            headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
        let body = answer.body_mut().with_config().limit(request.max_bytes as u64).read_to_vec().unwrap();
        if self.last.is_some_and(|last| request.url.ends_with(last)) {
            self.cancelled.store(true, Ordering::Relaxed);
        }
        Ok(ForgeResponse { status: answer.status().as_u16(), headers, body })
    }
}

pub(crate) struct Caller {
    settings: ForgeSettings,
    sockets: Sockets,
    pub(crate) cancelled: Arc<AtomicBool>,
}

impl Caller {
    pub(crate) fn new(api: &str, protected: &[&str]) -> Self {
        let settings = ForgeSettings {
            api: api.to_owned(),
            repositories: BTreeSet::from(["ada/engine".to_owned()]),
            protected: protected.iter().map(|&pattern| pattern.to_owned()).collect(),
        };
        let sockets = Sockets::default();
        let cancelled = Arc::clone(&sockets.cancelled);
        Self { settings, sockets, cancelled }
    }

    pub(crate) fn cancel_after(&mut self, last: &'static str) {
        self.sockets.last = Some(last);
    }

    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Result<Done, Fault> {
        let text = |key: &str| arguments.get(key).and_then(Value::as_str).map(str::to_owned);
        let writes = matches!(tool, "github_create_pr" | "github_add_comment");
        let used = RepositoryUse {
            repository: text("repo").unwrap(),
            access: if writes { Access::Write } else { Access::Read },
            branch: text("branch"),
            base: text("base").filter(|_| writes),
            content: Sha256::of(b""),
        };
        self.call_decided(tool, arguments, used)
    }

    /// With what was decided about, which may be something else.
    pub(crate) fn call_decided(
        &self,
        tool: &str,
        arguments: &Value,
        used: RepositoryUse,
    ) -> Result<Done, Fault> {
        let errand = Errand {
            tool: &tool.parse().unwrap(),
            arguments: &Arguments::from(arguments.as_object().unwrap().clone()),
            actor: &Actor {
                agent: "tester".parse().unwrap(),
                session: "s-1".parse().unwrap(),
                skills: SkillChain::default(),
                context: CallContext::Agent,
            },
            effects: &Effects::new(vec![Effect::Repository(used)]),
            walls: &Confinement {
                max_file_chars: 8_000,
                lane: None,
                sandbox_required: false,
                max_runtime_seconds: Some(20),
                memory_limit_mb: None,
                run: RunCaps { disk_mb: 1, files: 1, processes: 1, output_kb: 1 },
                max_files_written: None,
                max_bytes_written: None,
                max_calls_per_minute: None,
                max_concurrent: None,
            },
            expected: None,
            judge: &Anything,
            now: Moment::since_epoch(Duration::from_secs(1)).unwrap(),
            cancelled: &self.cancelled,
        };
        let token = || Ok(Some(SecretString::from(TOKEN)));
        let forge = Forge::new(self.settings.clone(), Box::new(token), Box::new(self.sockets.clone()));
        let answer = forge.run(&errand);
        assert!(!format!("{answer:?} {forge:?}").contains("very-secret"), "{answer:?}");
        answer
    }
}

/// What went wrong, in one word.
pub(crate) fn class(answer: &Result<Done, Fault>) -> String {
    match answer {
        Ok(done) => panic!("it was done: {done:?}"),
        Err(fault) => fault.class().to_owned(),
    }
}
