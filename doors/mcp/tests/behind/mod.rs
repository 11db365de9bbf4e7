//! A gate with other servers behind it.
#![allow(dead_code, reason = "each test file uses a part of this")]
#![allow(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

use std::path::Path;
use std::sync::Arc;

use call::Class;
use classify::{Catalogue, Mapping};
use mcp_door::{Fleet, Pins, Screen, ToolDescription};

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
