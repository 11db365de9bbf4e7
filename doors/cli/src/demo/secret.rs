//! A secret that is used, and never shown.

use serde_json::{Value, json};

use super::morning::{Morning, because, lists, text};
use super::program::VARIABLE;
use super::step::Step;

fn arguments() -> Value {
    json!({ "scope": "ci", "name": VARIABLE, "use": "header" })
}

pub(super) fn agent(morning: &mut Morning, step: &mut Step) {
    let answer = morning.call(step, ("secrets_get", "Ask the build service", &arguments()), &[], &[2]);
    step.must(because(&answer, "secret_context_denied"), "it was not refused for its context");
}

pub(super) fn operator(morning: &mut Morning, step: &mut Step) {
    let words = ("secrets_get", "Ask the build service", &arguments());
    let answer = morning.call(step, words, &["--context", "operator"], &[0]);
    morning.handle = text(&answer, "/content/handle").to_owned();
    step.show(format!("handle: {}", morning.handle));
    step.must(!morning.handle.is_empty(), "there is no handle");
}

pub(super) fn used(morning: &mut Morning, step: &mut Step) {
    let arguments = json!({
        "url": format!("http://{}/build", morning.site.host()),
        "headers": { "authorization": { "$secret": morning.handle, "prefix": "Bearer " } },
    });
    let words = ("network_fetch", "How is the build?", &arguments);
    let answer = morning.call(step, words, &["--context", "operator"], &[0]);
    step.show(text(&answer, "/content/text"));
    step.must(morning.site.tokens() == 1, "the service did not get the token");
    step.must(text(&answer, "/content/text").contains("accepted"), "the service did not take the token");
    step.must(lists(&answer, "/labels", "secret_redacted"), "what the service sent back is not redacted");
}
