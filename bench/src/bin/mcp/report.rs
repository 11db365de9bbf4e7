//! What was measured, as a part of the page.

use std::fmt::Write as _;
use std::time::Duration;

/// Times of an append, of the gate and of the bare server, turn by turn.
type Sides = [Vec<Duration>; 3];

pub(crate) struct Figures {
    pub(crate) pipes: Sides,
    pub(crate) http: Sides,
    /// A second: appends alone, calls of the gate, calls of the bare server; round by round.
    pub(crate) rates: Vec<[f64; 3]>,
    /// Starts with an empty ledger, and with the one that this run left.
    pub(crate) fresh: Vec<Duration>,
    pub(crate) grown: Vec<Duration>,
    pub(crate) entries: u64,
}

/// What the door may add beside one durable append.
const ALLOWED: f64 = 150.0;

fn median(times: &[Duration]) -> f64 {
    let mut sorted: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn middle(rates: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = rates.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

pub(crate) fn text(figures: &Figures) -> String {
    let mut text = "\n| calls one behind the other | one durable append | gate | bare server | added | asked: at most |\n|---|---|---|---|---|---|\n".to_owned();
    for (name, sides) in [("pipes", &figures.pipes), ("HTTP", &figures.http)] {
        let [append, ours, theirs] = sides.each_ref().map(|times| median(times));
        let _ = writeln!(
            text,
            "| {name} | {append:.0} µs | {ours:.0} µs | {theirs:.0} µs | {:.0} µs | {:.0} µs |",
            ours - theirs,
            append + ALLOWED
        );
    }
    let column = |place: usize| middle(figures.rates.iter().filter_map(|round| round.get(place).copied()));
    let (appends, ours, theirs) = (column(0), column(1), column(2));
    text.push_str("\n| many callers | a second |\n|---|---|\n");
    let _ = writeln!(text, "| appends of one event, by the ledger alone | {appends:.0} |");
    let _ = writeln!(text, "| calls of the gate over HTTP, three events each | {ours:.0} |");
    let _ = writeln!(text, "| calls of the bare server over HTTP | {theirs:.0} |");
    let _ = writeln!(
        text,
        "\nCalls to appends: {:.0} % (asked: at least 80 %); events to appends: {:.0} %.",
        100.0 * ours / appends.max(1.0),
        300.0 * ours / appends.max(1.0)
    );
    let _ = writeln!(
        text,
        "Start to first answer, median of {}: {:.1} ms with an empty ledger, {:.1} ms with {} entries (asked: below 50 ms).",
        figures.fresh.len(),
        median(&figures.fresh) / 1e3,
        median(&figures.grown) / 1e3,
        figures.entries
    );
    text
}
