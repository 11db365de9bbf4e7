//! What was measured, as a part of the page.

use std::fmt::Write as _;
use std::time::Duration;

/// Times of an append, of the gate and of the bare server, turn by turn.
type Sides = [Vec<Duration>; 3];

pub(crate) struct Figures {
    pub(crate) pipes: Sides,
    pub(crate) http: Sides,
    /// Round by round.
    pub(crate) rates: Vec<Rates>,
    /// Starts with an empty ledger, and with the one that this run left.
    pub(crate) fresh: Vec<Duration>,
    pub(crate) grown: Vec<Duration>,
    pub(crate) entries: u64,
}

/// A second, with many callers.
pub(crate) struct Rates {
    /// Appends of one event, by the ledger alone.
    pub(crate) appends: f64,
    /// Appends of what a call has to tell, by the ledger alone.
    pub(crate) calls: f64,
    /// Calls of the gate, of a server that does nothing but record them, and of the bare server.
    pub(crate) http: [f64; 3],
    pub(crate) pipes: [f64; 3],
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

/// The lowest and the highest.
fn spread(rates: impl Iterator<Item = f64>) -> (f64, f64) {
    rates.fold((f64::INFINITY, 0.0), |(low, high), rate| (low.min(rate), high.max(rate)))
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
    let column = |which: fn(&Rates) -> f64| middle(figures.rates.iter().map(which));
    let (appends, calls) = (column(|rates| rates.appends), column(|rates| rates.calls));
    let columns = |way: fn(&Rates) -> [f64; 3]| -> [(f64, (f64, f64)); 3] {
        let side = |side: usize| figures.rates.iter().filter_map(move |rates| way(rates).get(side).copied());
        std::array::from_fn(|number| (middle(side(number)), spread(side(number))))
    };
    // What one caller gets who waits for each append.
    let alone = |[append, ..]: &Sides| 1e6 / median(append).max(1.0);
    let ways = [
        ("HTTP, many callers", columns(|rates| rates.http), alone(&figures.http)),
        ("pipes, as many in flight", columns(|rates| rates.pipes), alone(&figures.pipes)),
    ];
    let _ = writeln!(
        text,
        "\nMany callers: the ledger alone appends {appends:.0} single events a second, and what a call has to tell, three events in \
         one append, {calls:.0} times a second. `recording` is the bare server with that ledger: it appends those three \
         events and says back what it was told, and does nothing else. Callers and servers share the machine. One caller who \
         waits for each append gets {:.0} to {:.0} a second; that is `one by one`. Behind each rate stand the lowest and the \
         highest of {} rounds.\n",
        ways.iter().map(|(.., alone)| *alone).fold(f64::INFINITY, f64::min),
        ways.iter().map(|(.., alone)| *alone).fold(0.0, f64::max),
        figures.rates.len(),
    );
    text.push_str(
        "| a second | gate | `recording` | bare server | gate / `recording` | gate / appends of a call (asked: 80 %) | `recording` / \
         appends of a call | gate / appends one by one |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (way, sides, alone) in ways {
        let [ours, recording, bare] = sides.map(|(rate, _)| rate);
        let [our_spread, recordings_spread, bare_spread] =
            sides.map(|(_, (low, high))| format!("{low:.0} to {high:.0}"));
        let share = |rate: f64, of: f64| 100.0 * rate / of.max(1.0);
        let _ = writeln!(
            text,
            "| {way} | {ours:.0} ({our_spread}) | {recording:.0} ({recordings_spread}) | {bare:.0} ({bare_spread}) | {:.0} % | {:.0} % | {:.0} % | {:.0} % |",
            share(ours, recording),
            share(ours, calls),
            share(recording, calls),
            share(ours, alone)
        );
    }
    text.push('\n');
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
