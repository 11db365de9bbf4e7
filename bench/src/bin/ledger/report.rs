//! The figures as tables.

use std::fmt::Write as _;
use std::path::Path;

use bench::machine;

use crate::Plan;
use crate::appending::Appended;
use crate::events::BYTES;
use crate::growing::Grown;

pub(crate) fn part(plan: &Plan, appended: &[Appended], grown: &[Grown], python: &Path) -> String {
    let mut text = format!(
        "\n{}- load at the end: {}\n\nFigures of one run on one machine. Read them as ratios: the sides took turns, \
         {} rounds of {:.1} s each, and the tables have medians.\n",
        machine::description("cargo x bench ledger", python),
        machine::load(),
        plan.rounds,
        plan.each.as_secs_f64(),
    );
    text.push_str(&format!(
        "\n## Durable appends\n\nEvents of about {BYTES} bytes, SQLite, each acknowledged when it is on the disk. The \
         bare program has one table, no hashes and no index. `alone` is one thread of it that commits batches of the \
         size that the ledger had formed, for nobody; `called` has as many callers as the ledger, each with a thread \
         of its own that waits until its row is on the disk.\n\n\
         | callers | batch | ledger, events a second | bare `alone` | bare `called` | ledger / `alone` | ledger / `called` |\n\
         |---:|---:|---:|---:|---:|---:|---:|\n"
    ));
    for row in appended {
        let (ours, bare, called) = (median(&row.ledger), median(&row.bare), median(&row.called));
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "| {} | {:.1} | {ours:.0} | {bare:.0} | {called:.0} | {:.2} | {:.2} |",
            row.callers,
            row.batch,
            ours / bare.max(1e-9),
            ours / called.max(1e-9)
        );
    }
    text.push_str(
        "\n## As it grows\n\nSQLite, one thread. Disk is what lies there for each byte of canonical events, the \
         write-ahead log included, while the ledger is open and after it was closed; memory is the most that the process had by then.\n\n\
         | entries | append of 16 | inclusion proof | `show` | verify, entries a second | memory | disk | closed |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in grown {
        let _ = writeln!(
            text,
            "| {} | {:.0} µs | {:.0} µs | {:.0} µs | {:.0} | {:.0} MB | {:.2} | {:.2} |",
            row.entries, row.append, row.prove, row.show, row.verify, row.memory, row.disk, row.closed
        );
    }
    text
}

fn median(figures: &[f64]) -> f64 {
    let mut figures = figures.to_vec();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
