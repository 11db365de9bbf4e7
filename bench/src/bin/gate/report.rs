//! The figures as tables.

use std::fmt::Write as _;
use std::path::Path;

use bench::machine;

use crate::Plan;
use crate::approving::Approved;
use crate::cleaning::Cleaned;
use crate::large::Large;
use crate::reading::{BYTES, Called, ReadFile};
use crate::running::Run;
use crate::searching::Searched;

/// Everything that was measured.
pub(crate) struct All {
    pub(crate) read: Option<ReadFile>,
    pub(crate) approved: Option<Approved>,
    pub(crate) called: Option<Vec<Called>>,
    pub(crate) searched: Option<Searched>,
    pub(crate) large: Option<Vec<Large>>,
    pub(crate) cleaned: Option<Vec<Cleaned>>,
    pub(crate) ran: Option<Run>,
}

pub(crate) fn part(plan: &Plan, all: &All) -> String {
    let mut text = format!(
        "\n{}- load at the end: {}\n\nFigures of one run on one machine. Read them as ratios: the sides took turns, and \
         the tables have medians. In one process, with a home on the disk, its SQLite ledger, the policy of a new home \
         and 20 known secrets.\n",
        machine::description("cargo x bench gate", Path::new("python3")),
        machine::load(),
    );
    // Writing to a `String` cannot fail.
    let _ = all.read.as_ref().map(|read| reading(&mut text, plan, read));
    let _ = all.approved.as_ref().map(|approved| approving(&mut text, plan, approved));
    let _ = all.ran.as_ref().map(|ran| running(&mut text, plan, ran));
    let _ = all.called.as_ref().map(|called| calling(&mut text, plan, called));
    let _ = all.searched.as_ref().map(|searched| searching(&mut text, plan, searched));
    let _ = all.large.as_ref().map(|large| growing(&mut text, large));
    let _ = all.cleaned.as_ref().map(|cleaned| cleaning(&mut text, plan, cleaned));
    text
}

fn reading(text: &mut String, plan: &Plan, read: &ReadFile) -> std::fmt::Result {
    let (gate, bare) = (read.gate.median(), read.bare.median());
    writeln!(
        text,
        "\n## `read_file`\n\n{} KB, {} calls in turns. The bare side opens, reads and closes the file and appends the \
         same events to a ledger of the same kind, in one transaction. `own` is without the transaction and the tool.\n\n\
         | through the gate | of this: durable | tool | own | bare | of this: append | ratio |\n\
         |---:|---:|---:|---:|---:|---:|---:|\n\
         | {gate:.0} µs | {:.0} µs | {:.0} µs | {:.0} µs | {bare:.0} µs | {:.0} µs | {:.2} |",
        BYTES / 1024,
        plan.reads,
        read.durable.median(),
        read.tool.median(),
        read.own.median(),
        read.appended.median(),
        ratio(gate, bare),
    )
}

fn approving(text: &mut String, plan: &Plan, approved: &Approved) -> std::fmt::Result {
    writeln!(
        text,
        "\n## An approved call\n\n`write_file` of 4 KB with a signed approval, {} calls: what taking it up again costs, \
         from the agent's second call to its answer. `own` is without transactions and tool.\n\n\
         | all | appends | other transactions | in transactions | tool | own | own, 9 of 10 |\n\
         |---:|---:|---:|---:|---:|---:|---:|\n\
         | {:.0} µs | {:.0} | {:.0} | {:.0} µs | {:.0} µs | {:.0} µs | {:.0} µs |",
        plan.approvals,
        approved.all.median(),
        approved.appends.median(),
        approved.others.median(),
        approved.durable.median(),
        approved.tool.median(),
        approved.own.median(),
        approved.own.at(0.9),
    )
}

fn running(text: &mut String, plan: &Plan, ran: &Run) -> std::fmt::Result {
    let (all, start) = (ran.all.median(), ran.start.median());
    writeln!(
        text,
        "\n## `toolgate run`\n\nA Monty request of one line, drafted, signed and run by the program itself, {} times: \
         from the command to its exit. `start` is the same program when it only says its version.\n\n\
         | all | start | without it | all, 9 of 10 |\n|---:|---:|---:|---:|\n\
         | {all:.1} ms | {start:.1} ms | {:.1} ms | {:.1} ms |",
        plan.runs,
        all - start,
        ran.all.at(0.9),
    )
}

fn calling(text: &mut String, plan: &Plan, called: &[Called]) -> std::fmt::Result {
    writeln!(
        text,
        "\n## Many callers\n\n`read_file` of {} KB, {} rounds of {:.1} s each. The ledger alone is told the same three \
         events for each call.\n\n\
         | callers | gate, calls a second | ledger alone, calls a second | gate / ledger |\n|---:|---:|---:|---:|",
        BYTES / 1024,
        plan.rounds,
        plan.each.as_secs_f64(),
    )?;
    for row in called {
        let (gate, ledger) = (row.gate.median(), row.ledger.median());
        writeln!(text, "| {} | {gate:.0} | {ledger:.0} | {:.2} |", row.callers, ratio(gate, ledger))?;
    }
    Ok(())
}

fn searching(text: &mut String, plan: &Plan, searched: &Searched) -> std::fmt::Result {
    let gate = searched.gate.median();
    writeln!(
        text,
        "\n## `search_files`\n\n{} files of 1 to 3 KB, cached, {} searches in turns. The gate asks policy about every \
         file and writes to its ledger; ripgrep is a process of its own, without ignore files, hidden files included.\n\n\
         | gate | `rg` | ratio |\n|---:|---:|---:|",
        plan.files, plan.searches,
    )?;
    match &searched.ripgrep {
        None => writeln!(text, "| {gate:.0} ms | not here | |"),
        Some(figures) => {
            let ripgrep = figures.median();
            writeln!(text, "| {gate:.0} ms | {ripgrep:.0} ms | {:.2} |", ratio(gate, ripgrep))
        }
    }
}

fn growing(text: &mut String, large: &[Large]) -> std::fmt::Result {
    writeln!(
        text,
        "\n## Large files\n\n`read_file` of a whole file, of which `max_file_chars` come back. Memory is the most that \
         the process had during the call, beyond what it had before.\n\n\
         | file | time | memory | characters that came back |\n|---:|---:|---:|---:|"
    )?;
    for row in large {
        let megabytes = row.bytes as f64 / f64::from(1 << 20);
        writeln!(
            text,
            "| {megabytes} MB | {:.0} ms | {:.1} MB | {} |",
            row.milliseconds, row.memory, row.characters
        )?;
    }
    Ok(())
}

fn cleaning(text: &mut String, plan: &Plan, cleaned: &[Cleaned]) -> std::fmt::Result {
    writeln!(
        text,
        "\n## Cleaning an output\n\n{} KB: labels, known secrets, redaction and cap. Text is read once for \
         labels and secrets; `labels alone` is without any secret to look for.\n\n\
         | text | all | labels alone |\n|---|---:|---:|",
        plan.output / 1024,
    )?;
    for row in cleaned {
        writeln!(text, "| {} | {:.1} ms | {:.1} ms |", row.kind, row.all.median(), row.labels.median())?;
    }
    Ok(())
}

fn ratio(one: f64, other: f64) -> f64 {
    one / other.max(1e-9)
}
