//! What a grant covers, as a person reads it.

use call::{Access, Effects};
use serde_json::Value;

use super::effects;
use super::page::Page;
use crate::scope::Extent;

/// Writes one extent down.
pub(super) fn describe(page: &mut Page, number: usize, extent: &Extent) {
    match extent {
        Extent::Exactly { effect } => match Effects::from_recorded(&Value::Array(vec![effect.clone()])) {
            Some(found) => found.iter().for_each(|effect| {
                effects::describe(page, number, effect, None);
            }),
            None => page.own(2, &format!("{number}. nothing that can be said")),
        },
        Extent::ReadBelow { path } => below(page, number, "reads", path.as_str()),
        Extent::WriteBelow { path } => below(page, number, "writes, with any content,", path.as_str()),
        Extent::DeleteBelow { path } => below(page, number, "deletes", path.as_str()),
        Extent::Requests { method, address, headers, body } => {
            page.own(2, &format!("{number}. sends requests to this address and below it, with any query"));
            page.theirs("method", method);
            page.theirs("url", address);
            for header in headers {
                page.theirs("header", header);
            }
            page.own(4, if *body { "with any body" } else { "without a body" });
        }
        Extent::Statements { database, access, tables } => {
            let what = match access {
                Access::Read => "asks",
                Access::Write => "changes",
            };
            page.own(2, &format!("{number}. {what} a database, with any statement about these tables"));
            page.theirs("database", database);
            for table in tables {
                page.theirs("table", table);
            }
        }
    }
}

fn below(page: &mut Page, number: usize, what: &str, path: &str) {
    page.own(2, &format!("{number}. {what} this and whatever lies below it"));
    page.theirs("path", path);
}
