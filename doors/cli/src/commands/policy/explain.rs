//! `toolgate policy explain`

use call::{Clock as _, Reason};
use serde::Serialize;

use crate::arguments::{CallWords, Format, HomeArguments};
use crate::clock::SystemClock;
use crate::commands::call::{exit_of, spelled, typed};
use crate::commands::print;
use crate::exit::Exit;
use crate::gatehouse::{Gatehouse, could_not};
use crate::visible::visible;
use gate::Weighed;

#[derive(Serialize)]
struct Answer<'a> {
    verdict: &'static str,
    classes: Vec<&'static str>,
    effects: Option<serde_json::Value>,
    voices: Vec<Voice<'a>>,
    screened: Vec<Screened<'a>>,
    reasons: &'a [Reason],
    risk_flags: Vec<String>,
    policy: String,
}

#[derive(Serialize)]
struct Voice<'a> {
    authority: &'a str,
    about: &'a str,
    verdict: &'static str,
    permits: &'a [String],
    forbids: &'a [String],
}

#[derive(Serialize)]
struct Screened<'a> {
    argument: &'a str,
    kind: &'static str,
    refuses: bool,
}

pub(super) fn run(words: &CallWords, arguments: &HomeArguments) -> Exit {
    let gatehouse = match Gatehouse::open(arguments.home.as_deref()) {
        Ok(gatehouse) => gatehouse,
        Err(error) => return could_not(&error),
    };
    let typed = match typed(words) {
        Ok(typed) => typed,
        Err(exit) => return exit,
    };
    let (weighed, voices) = gatehouse.explain(&typed, SystemClock.now());
    let exit = exit_of(&weighed.ruled.ruling);
    match arguments.format {
        Format::Json => print::json(&answer(&weighed, &voices), exit),
        Format::Text => print::text(&text(&weighed, &voices), exit),
    }
}

fn answer<'a>(weighed: &'a Weighed, voices: &'a [decide::Voice]) -> Answer<'a> {
    let ruled = &weighed.ruled;
    let voices = voices.iter().map(|voice| Voice {
        authority: &voice.authority,
        about: &voice.about,
        verdict: voice.verdict,
        permits: &voice.permits,
        forbids: &voice.forbids,
    });
    let screened = weighed.objections.iter().map(|objection| Screened {
        argument: &objection.argument,
        kind: objection.found.kind,
        refuses: objection.weight == call::Weight::Refuse,
    });
    Answer {
        verdict: ruled.ruling.verdict(),
        classes: weighed.classes.iter().map(|class| class.as_str()).collect(),
        effects: weighed
            .effects
            .as_ref()
            .and_then(|effects| serde_json::from_slice(&effects.canonical()).ok()),
        voices: voices.collect(),
        screened: screened.collect(),
        reasons: ruled.ruling.reasons(),
        risk_flags: ruled.flags.iter().map(ToString::to_string).collect(),
        policy: ruled.policy.to_string(),
    }
}

fn text(weighed: &Weighed, voices: &[decide::Voice]) -> String {
    let mut text = String::new();
    let classes: Vec<&str> = weighed.classes.iter().map(|class| class.as_str()).collect();
    if !classes.is_empty() {
        text.push_str(&format!("class    {}\n", classes.join(" ")));
    }
    for objection in &weighed.objections {
        let word = if objection.weight == call::Weight::Refuse { "refused" } else { "flagged" };
        let kind = objection.found.kind.replace('_', " ");
        text.push_str(&format!("screen   {word} in `{}`: {kind}\n", visible(&objection.argument)));
    }
    for voice in voices {
        text.push_str(&format!("{:<8} {:<14} {}\n", voice.authority, voice.verdict, visible(&voice.about)));
        for (word, rules) in [("allows", &voice.permits), ("refuses", &voice.forbids)] {
            for rule in rules {
                text.push_str(&format!("           {word} by {}\n", visible(rule)));
            }
        }
    }
    text.push_str(&format!("\nverdict  {}\n", weighed.ruled.ruling.verdict()));
    for reason in weighed.ruled.ruling.reasons() {
        text.push_str(&format!("{}\n", spelled(reason)));
    }
    text
}
