//! The Monty lane, warm: a round trip through a worker, beside workers with the same framing and less: one
//! that has the interpreter and no walls, rule or streamed prints, and one that only answers.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use monty::MontyRun;
use monty_lane::{Limits, Pool, Request, Settings};
use monty_types::{CompileOptions, MontyObject, PrintWriter, ResourceLimits, ResourceTracker};
use tempfile::TempDir;

use crate::told;

/// The names under which this binary is a worker with less.
const ECHO: &str = "echo-worker";
const BARE: &str = "bare-worker";

const TRIVIAL: &str = "x + y * 2";

const SMALL: &str = "import json, re
def clean(row):
    name = re.sub(r'\\s+', ' ', row['name']).strip()
    return {'name': name.title(), 'total': sum(row['parts'])}
rows = json.loads('[{\"name\": \" ann   lee\", \"parts\": [1, 2]}, {\"name\": \"bob\", \"parts\": [3, 4]}]')
out = []
for row in rows:
    try:
        out.append(clean(row))
    except KeyError as error:
        print('left out', error)
print(len(out))
out";

/// Serves as a worker with less, if it was started as one.
pub(crate) fn serve_if_bare() -> Option<ExitCode> {
    let name = std::env::args_os().next()?;
    let served = match Path::new(&name).file_name()?.to_str()? {
        ECHO => serve(|_| Ok(br#"{"Done":{"json":"2","exact":true}}"#.to_vec())),
        BARE => serve(interpret),
        _ => return None,
    };
    Some(if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn serve(answer: impl Fn(&[u8]) -> std::io::Result<Vec<u8>>) -> std::io::Result<()> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut say = |answer: &[u8]| {
        let length = u32::try_from(answer.len()).map_err(std::io::Error::other)?;
        output.write_all(&[&length.to_le_bytes(), answer].concat())?;
        output.flush()
    };
    say(br#"{"Ready":{"layers":["bare"]}}"#)?;
    let mut head = [0; 4];
    while input.read_exact(&mut head).is_ok() {
        let length = usize::try_from(u32::from_le_bytes(head)).map_err(std::io::Error::other)?;
        let mut body = vec![0; length];
        input.read_exact(&mut body)?;
        say(&answer(&body)?)?;
    }
    Ok(())
}

/// The interpreter as one would use it without a lane, with limits.
fn interpret(body: &[u8]) -> std::io::Result<Vec<u8>> {
    let request: Request = serde_json::from_slice(body)?;
    let values = request.inputs.values().map(|value| MontyObject::Int(value.as_i64().unwrap_or_default()));
    let values = values.collect();
    let names = request.inputs.keys().cloned().collect();
    let limits =
        ResourceLimits::default().max_duration(request.limits.time).max_memory(request.limits.memory);
    let mut prints = String::new();
    let value = MontyRun::new(request.source, "program.py", names, CompileOptions::default())
        .and_then(|run| {
            let print = PrintWriter::collect_string(&mut prints);
            run.run(values, ResourceTracker::new(limits), print)
        })
        .map_err(std::io::Error::other)?;
    serde_json::to_vec(&serde_json::json!({"Done": {"json": json(&value), "exact": true}}))
        .map_err(Into::into)
}

fn json(value: &MontyObject) -> String {
    // As text: what a value is as JSON costs the lane what it costs here.
    serde_json::Value::String(value.py_repr()).to_string()
}

pub(crate) fn measure(smoke: bool) -> Result<String, String> {
    let (rounds, runs) = if smoke { (1, 20) } else { (15, 1_000) };
    let own = std::env::current_exe().map_err(told)?;
    let folder = TempDir::new().map_err(told)?;
    let start = |executable: &Path| {
        let settings = Settings { workers: 1, runs_per_worker: u32::MAX, ..Settings::new(executable) };
        let start = Instant::now();
        Pool::start(settings).map(|pool| (pool, start.elapsed())).map_err(told)
    };
    let less = |name: &str| {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink(&own, &link).map_err(told).and_then(|()| start(&link))
    };
    let (lane, lane_start) = start(&own)?;
    let (bare, bare_start) = less(BARE)?;
    let (echo, _) = less(ECHO)?;
    let mut text = format!(
        "\n## Monty\n\nRound trips with a warm worker, median and 99th of a hundred, {rounds} rounds of {runs} runs. \
         The bare worker has the interpreter and no walls, rule or streamed prints; the other one only answers. A worker \
         of the lane is ready {:.1} ms after its start, a bare one {:.1} ms.\n\n\
         | program | lane | bare worker | ratio | only answers | ratio |\n|---|---|---|---|---|---|\n",
        lane_start.as_secs_f64() * 1e3,
        bare_start.as_secs_f64() * 1e3,
    );
    for (name, source) in [("`x + y * 2`", TRIVIAL), ("12 lines with json and re", SMALL)] {
        let request = request(source);
        let (mut ours, mut theirs, mut nothing) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            trips(&bare, &request, runs, &mut theirs)?;
            trips(&lane, &request, runs, &mut ours)?;
            trips(&echo, &request, runs, &mut nothing)?;
        }
        let [ours, theirs, nothing] = [ours, theirs, nothing].map(Spread::of);
        let (bare, echo) = (ours.median / theirs.median, ours.median / nothing.median);
        let _ = writeln!(text, "| {name} | {ours} | {theirs} | {bare:.2} | {nothing} | {echo:.2} |");
    }
    Ok(text)
}

fn request(source: &str) -> Request {
    let inputs = [("x".to_owned(), 1.into()), ("y".to_owned(), 2.into())];
    Request {
        source: source.to_owned(),
        modules: Vec::new(),
        inputs: inputs.into_iter().collect(),
        limits: Limits::default(),
    }
}

fn trips(pool: &Pool, request: &Request, runs: usize, times: &mut Vec<Duration>) -> Result<(), String> {
    for _ in 0..runs {
        let start = Instant::now();
        let outcome = pool.run(request, None).map_err(told)?;
        times.push(start.elapsed());
        outcome.result.map_err(told)?;
    }
    Ok(())
}

/// Microseconds.
struct Spread {
    median: f64,
    late: f64,
}

impl Spread {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |place: usize| times.get(place).copied().unwrap_or_default().as_secs_f64() * 1e6;
        Self { median: at(times.len() / 2), late: at(times.len() * 99 / 100) }
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:.0} us ({:.0})", self.median, self.late)
    }
}
