//! A gate with other servers behind it.
#![allow(dead_code, reason = "each test file uses a part of this")]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot set its stage has failed"
)]

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use call::{Class, Lane};
use classify::{Catalogue, Mapping};
use mcp_door::{Fleet, Launched, Launcher, Pins, Running, Screen, Start, ToolDescription};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::gatekeeper::SmallGate;

/// A screen that knows one phrase.
pub(crate) fn screen() -> Screen {
    Arc::new(|text| {
        let found = text.to_lowercase().contains("ignore previous instructions");
        if found { vec!["instruction_override".to_owned()] } else { Vec::new() }
    })
}

/// A mapping, and the pins that follow from it.
pub(crate) fn mapped(server: &str, text: &str) -> (Mapping, Pins) {
    let mapping = Mapping::parse(text).unwrap();
    let mut pins = Pins::default();
    for tool in mapping.tools() {
        pins.insert(server, tool, mapping.definition(tool));
    }
    (mapping, pins)
}

pub(crate) fn gate(root: &Path, server: &str, mapping: Mapping, fleet: &Arc<Fleet>) -> SmallGate {
    let (runs, lists) = (Arc::clone(fleet), Arc::clone(fleet));
    let list = move || {
        let describe = |offer: mcp_door::Offer| ToolDescription {
            name: offer.name,
            description: offer.description,
            schema: offer.schema,
            classes: vec![Class::Write],
        };
        lists.tools().0.into_iter().map(describe).collect()
    };
    let catalogue = Catalogue::default().with_mapping(server, mapping);
    SmallGate::new(root).with_foreign(catalogue, Arc::new(move |errand| runs.run(errand)), Arc::new(list))
}

/// Starts servers without walls, for tests of what is said over the pipes. Walls have tests of their own.
pub(crate) struct Plain;

impl Launcher for Plain {
    fn launch(&self, _: &str, start: &Start) -> Result<Launched, String> {
        let (program, arguments) = start.argv.split_first().ok_or("it has no program")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.process_group(0).spawn().map_err(|error| error.to_string())?;
        let (input, output) = (child.stdin.take().unwrap().into(), child.stdout.take().unwrap().into());
        Ok(Launched { input, output, server: Arc::new(Family(child)) })
    }
}

/// A process and those that it started.
struct Family(Child);

impl Running for Family {
    fn walls(&self) -> Option<(Lane, Vec<String>)> {
        None
    }

    fn is_covered(&self) -> Result<(), String> {
        Ok(())
    }

    fn last_words(&self) -> String {
        String::new()
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        let group = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw).unwrap();
        let _ = kill_process_group(group, Signal::KILL);
        let _ = self.0.wait();
    }
}
