//! The figures as a page.

use std::fmt::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use bench::machine;

/// One side of the comparison.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) name: String,
    /// Which variant of the check in Python this is, if it is one.
    pub(crate) python: Option<String>,
    pub(crate) median: Duration,
}

/// Everything that was measured in one run.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) documents: usize,
    pub(crate) bytes: usize,
    pub(crate) rounds: usize,
    pub(crate) agreed: usize,
    pub(crate) sides: Vec<Measured>,
    /// Kilobytes of one document, and the time of its check.
    pub(crate) by_size: Vec<(usize, Duration)>,
    /// Number of documents, time in process on one thread, time of the gate's process.
    pub(crate) by_count: Vec<(usize, Duration, Duration)>,
}

impl Report {
    /// Its part of the page.
    pub(crate) fn part(&self) -> String {
        format!(
            "\n{}\n\
             Figures of one run on one machine. Read them as ratios: the sides took turns of at least 0.7 s,\n\
             {} rounds, and the tables have medians.\n{}",
            machine::description("cargo x bench", Path::new("python3")),
            self.rounds,
            self.tables()
        )
    }

    /// The tables alone.
    pub(crate) fn tables(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.side_by_side(&mut text);
        let _ = self.sizes(&mut text);
        let _ = self.counts(&mut text);
        text
    }

    fn side_by_side(&self, text: &mut String) -> fmt::Result {
        let mean = self.bytes / self.documents.max(1);
        writeln!(
            text,
            "\n## Side by side\n\n\
             {} different requests of {mean} bytes on average, each read from disk. Before anything was measured,\n\
             both sides gave the same verdict in the threegate-v1 profile {} times, rejected documents included.\n\n\
             The last two columns say how many times faster a side is than Python: than the faster of `plain`\n\
             (front matter line by line) and `pyyaml` (libyaml), both with patterns as they are usually written;\n\
             and than `tuned`, which is `plain` with patterns written for the speed of CPython's engine.\n\
             They find the same things, so the last column is the one to judge by. What Python scans for are the\n\
             token shapes of the screen and the main families of overrides, not every disguise.\n",
            self.documents, self.agreed
        )?;
        writeln!(
            text,
            "| side | all documents | one document | documents a second | times usual Python | times tuned Python |\n\
             |---|---:|---:|---:|---:|---:|"
        )?;
        let (usual, tuned) = (self.fastest_python(false), self.fastest_python(true));
        for side in &self.sides {
            let all = side.median.as_secs_f64().max(1e-9);
            let each = all / self.documents.max(1) as f64;
            let times = |python: Option<Duration>| {
                python.map_or_else(|| "-".to_owned(), |python| format!("{:.1}", python.as_secs_f64() / all))
            };
            let (than_usual, than_tuned) = (times(usual), times(tuned));
            let (milliseconds, microseconds, rate) = (all * 1e3, each * 1e6, 1.0 / each);
            writeln!(
                text,
                "| {} | {milliseconds:.1} ms | {microseconds:.1} µs | {rate:.0} | {than_usual} | {than_tuned} |",
                side.name
            )?;
        }
        Ok(())
    }

    fn fastest_python(&self, tuned: bool) -> Option<Duration> {
        let is_one =
            |side: &&Measured| side.python.as_ref().is_some_and(|variant| (variant == "tuned") == tuned);
        self.sides.iter().filter(is_one).map(|side| side.median).min()
    }

    fn sizes(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "\n## By size of one document\n\nStrict, in process, from memory, one thread.\n")?;
        writeln!(text, "| size | one check | for each KB |\n|---:|---:|---:|")?;
        for (kilobytes, time) in &self.by_size {
            let microseconds = time.as_secs_f64() * 1e6;
            let each = microseconds / *kilobytes as f64;
            writeln!(text, "| {kilobytes} KB | {microseconds:.0} µs | {each:.1} µs |")?;
        }
        Ok(())
    }

    fn counts(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "\n## By number of documents\n\nStrict, read from disk.\n")?;
        writeln!(
            text,
            "| documents | in process, one thread | each | `toolgate check FOLDER` | each |\n\
             |---:|---:|---:|---:|---:|"
        )?;
        for (count, in_process, process) in &self.by_count {
            let cells = |time: &Duration| {
                let seconds = time.as_secs_f64();
                format!("{:.1} ms | {:.1} µs", seconds * 1e3, seconds * 1e6 / *count as f64)
            };
            writeln!(text, "| {count} | {} | {} |", cells(in_process), cells(process))?;
        }
        Ok(())
    }
}
