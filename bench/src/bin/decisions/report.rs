//! The figures as tables.

use std::fmt::{self, Write as _};
use std::path::Path;

use bench::machine;

use crate::comparing::Compared;
use crate::deciding::{Decided, Row};
use crate::screening::{Screened, WAYS};

/// Everything that was measured in one run.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) rounds: usize,
    pub(crate) decided: Decided,
    pub(crate) clean: Vec<Screened>,
    pub(crate) hostile_kilobytes: [usize; 2],
    pub(crate) hostile: Vec<[Screened; 2]>,
    pub(crate) compared: Vec<Compared>,
}

impl Report {
    /// Its part of the page.
    pub(crate) fn part(&self, python: &Path) -> String {
        format!(
            "\n{}- load at the end: {}\n\nFigures of one run on one machine, one thread. Read them as ratios: \
             the sides took turns, {} rounds.\n{}",
            machine::description("cargo x bench decisions", python),
            machine::load(),
            self.rounds,
            self.tables()
        )
    }

    /// The tables alone.
    pub(crate) fn tables(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.side_by_side(&mut text);
        let _ = self.steps(&mut text);
        let _ = self.clean(&mut text);
        let _ = self.hostile(&mut text);
        let _ = self.compared(&mut text);
        text
    }

    fn side_by_side(&self, text: &mut String) -> fmt::Result {
        writeln!(
            text,
            "\n## One decision, by number of rules\n\n\
             A call with 1 KB of text is classified, its texts are screened, and policy is asked. Beside five rules\n\
             that concern the calls there are so many that do not: folders, globs and hosts that are denied, hosts\n\
             that are allowed, tools that need approval."
        )?;
        if self.decided.has_other_side() {
            writeln!(
                text,
                "\n`agent-os-kernel` 3.7.0 evaluates the same rules with its `PolicyEvaluator`, in process, on a\n\
                 context that is ready; before anything was measured, both sides gave the same verdict {} times:\n\
                 allow, ask and deny. `rules` is its quickest form (folders by `contains`), `exact` has folders as\n\
                 patterns tied to the start. Neither looks at the texts; `screened` does, with the package's own\n\
                 detectors of injections and credentials. The last columns say how many times faster the gate is\n\
                 by p50, its screening included.",
                self.decided.agreed
            )?;
        }
        writeln!(
            text,
            "\n| call | rules | toolgate p50 | p99 | `rules` p50 | p99 | `exact` p50 | p99 | `screened` p50 | p99 \
             | times `rules` | times `exact` | times `screened` |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
        )?;
        for row in &self.decided.rows {
            let ours = row.ours.p50();
            write!(text, "| {} | {} | {ours:.1} µs | {:.1} µs |", row.call, row.rules, row.ours.p99())?;
            for theirs in &row.theirs {
                if self.decided.has_other_side() {
                    write!(text, " {:.1} µs | {:.1} µs |", theirs.p50(), theirs.p99())?;
                } else {
                    write!(text, " - | - |")?;
                }
            }
            for theirs in &row.theirs {
                if self.decided.has_other_side() {
                    write!(text, " {:.1} |", theirs.p50() / ours)?;
                } else {
                    write!(text, " - |")?;
                }
            }
            writeln!(text)?;
        }
        self.growth(text)
    }

    fn growth(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "\nFrom the fewest rules to the most, p50 grows by this factor:\n")?;
        writeln!(text, "| call | rules | toolgate | `agent-os-kernel` |\n|---|---|---:|---:|")?;
        let rows = &self.decided.rows;
        for (place, few) in rows.iter().enumerate() {
            let begins = place == 0 || rows.get(place - 1).is_some_and(|before| before.call != few.call);
            let Some(many) = rows.iter().rfind(|row| row.call == few.call).filter(|_| begins) else {
                continue;
            };
            let ours = many.ours.p50() / few.ours.p50();
            let rules = |row: &Row| row.theirs.first().map_or(0.0, |samples| samples.p50());
            let theirs = rules(many) / rules(few);
            let theirs = if theirs.is_finite() { format!("{theirs:.1}") } else { "-".to_owned() };
            writeln!(text, "| {} | {} to {} | {ours:.2} | {theirs} |", few.call, few.rules, many.rules)?;
        }
        Ok(())
    }

    fn steps(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "\n## Steps of a decision\n\nThe gate's own side again, p50 of each step.\n")?;
        writeln!(text, "| call | rules | classify | screen | decide |\n|---|---:|---:|---:|---:|")?;
        for row in &self.decided.rows {
            let [classify, screen, decide] = &row.steps;
            writeln!(
                text,
                "| {} | {} | {:.1} µs | {:.1} µs | {:.1} µs |",
                row.call,
                row.rules,
                classify.p50(),
                screen.p50(),
                decide.p50()
            )?;
        }
        Ok(())
    }

    fn clean(&self, text: &mut String) -> fmt::Result {
        writeln!(
            text,
            "\n## Screening of clean texts\n\nMegabytes a second, one thread: the median call, and in brackets the \
             quickest, which is what the machine can do when nothing else runs on it.\n"
        )?;
        let [first, second, third] = WAYS.map(|(name, _)| name);
        writeln!(text, "| text | size | {first} | {second} | {third} |\n|---|---:|---:|---:|---:|")?;
        for row in &self.clean {
            // A byte in a nanosecond is a thousand megabytes in a second.
            let speed = |each: f64| 1e3 / each.max(1e-9);
            write!(text, "| {} | {} KB |", row.name, row.kilobytes)?;
            for (median, least) in row.each_byte.iter().zip(row.least) {
                write!(text, " {:.0} ({:.0}) |", speed(*median), speed(least))?;
            }
            writeln!(text)?;
        }
        Ok(())
    }

    fn hostile(&self, text: &mut String) -> fmt::Result {
        let [small, large] = self.hostile_kilobytes;
        writeln!(
            text,
            "\n## Screening of hostile texts\n\nOne unit repeated: nanoseconds for each byte at {small} KB and at \
             {large} KB. What grows with the length would be larger on the right.\n"
        )?;
        let [first, second, third] = WAYS.map(|(name, _)| name);
        writeln!(text, "| unit | {first} | {second} | {third} |\n|---|---:|---:|---:|")?;
        for [small, large] in &self.hostile {
            write!(text, "| `{}` |", small.name.replace('|', "\\|"))?;
            for (small, large) in small.each_byte.iter().zip(&large.each_byte) {
                write!(text, " {small:.1} to {large:.1} |")?;
            }
            writeln!(text)?;
        }
        Ok(())
    }

    fn compared(&self, text: &mut String) -> fmt::Result {
        writeln!(
            text,
            "\n## Comparing two policies\n\nWhat `policy diff` does with two policies of so many rules beside the \
             five: one folder is no longer denied, one may be written to, one host may be reached. One run each; \
             the solver is cvc5.\n"
        )?;
        writeln!(
            text,
            "| rules | read and compile both | compare | prove | questions | examples | open |\n\
             |---:|---:|---:|---:|---:|---:|---:|"
        )?;
        for row in &self.compared {
            let (prove, asked) =
                row.prove.map_or(("-".to_owned(), 0), |(time, asked)| (format!("{time:.0} ms"), asked));
            writeln!(
                text,
                "| {} | {:.0} ms | {:.0} ms | {prove} | {asked} | {} | {} |",
                row.rules, row.load, row.compare, row.changes, row.open
            )?;
        }
        Ok(())
    }
}
