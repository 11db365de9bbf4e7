//! Everyday work: what policy said about which calls, and how the gate and its log fared.

use super::super::block::{Block, Cell, Chart, Shape};
use super::super::dimension::{Name, Row, Verdict};
use super::super::figures::Figures;
use super::{Page, count};

/// Names that have a bar of their own, and those that have a colour of their own where time goes by.
const MOST_BARS: usize = 40;
const MOST_COLOURS: usize = 6;

impl Page {
    pub(super) fn rulings(&mut self, figures: &Figures) {
        self.part("Rulings");
        if figures.n_ruled == 0 {
            return self.text("Policy was asked about no call.");
        }
        self.text(format!("Policy ruled {}.", count(figures.n_ruled, "time", "times")));
        let other = figures.by_verdict.top(9).iter().any(|(_, row)| row.of(Verdict::Other) > 0);
        let verdicts: Vec<Verdict> =
            Verdict::ALL.into_iter().filter(|verdict| *verdict != Verdict::Other || other).collect();
        self.by_verdict(figures, &verdicts);
        let dimensions = [
            ("class", "class, once for each kind of effect", &figures.by_class),
            ("agent", "agent", &figures.by_agent),
            ("tool", "tool", &figures.by_tool),
        ];
        for (of, by, dimension) in dimensions {
            self.0.push(Block::Head(format!("By {of}")));
            let rows = dimension.top(MOST_BARS).into_iter();
            let numbers = |row: &Row| verdicts.iter().map(|verdict| row.of(*verdict)).collect();
            self.0.push(Block::Chart(Chart {
                shape: Shape::Names,
                caption: format!("Rulings by {by}"),
                of,
                series: verdicts.iter().map(|verdict| Cell::ours(verdict.as_str())).collect(),
                rows: rows.map(|(name, row)| (label(name), numbers(&row))).collect(),
            }));
            let top = dimension.top(MOST_COLOURS).into_iter().map(|(name, row)| (label(name), row));
            self.over_time(figures, by, &top.collect::<Vec<_>>());
        }
    }

    fn by_verdict(&mut self, figures: &Figures, verdicts: &[Verdict]) {
        self.0.push(Block::Head("By verdict".to_owned()));
        let rows = figures.by_verdict.top(verdicts.len());
        // In the order of the verdicts, and with those that never came.
        let of = |verdict: Verdict| {
            let found = rows.iter().find(|(name, _)| *name == Name::Named(verdict.as_str().to_owned()));
            found.map(|(_, row)| row.clone()).unwrap_or_default()
        };
        let rows: Vec<(Verdict, Row)> = verdicts.iter().map(|verdict| (*verdict, of(*verdict))).collect();
        self.0.push(Block::Chart(Chart {
            shape: Shape::Names,
            caption: "Rulings by verdict".to_owned(),
            of: "verdict",
            series: vec![Cell::ours("rulings")],
            rows: rows.iter().map(|(verdict, row)| (Cell::ours(verdict.as_str()), vec![row.all()])).collect(),
        }));
        let rows = rows.into_iter().map(|(verdict, row)| (Cell::ours(verdict.as_str()), row));
        self.over_time(figures, "verdict", &rows.collect::<Vec<_>>());
    }

    fn over_time(&mut self, figures: &Figures, by: &str, rows: &[(Cell, Row)]) {
        let calendar = &figures.calendar;
        let stretch = |start: i64| {
            let numbers = rows.iter().map(|(_, row)| row.at(start)).collect();
            (Cell::ours(calendar.width.label(start)), numbers)
        };
        self.0.push(Block::Chart(Chart {
            shape: Shape::Time,
            caption: format!("Rulings over time by {by}, for each {}", calendar.width.name()),
            of: "from",
            series: rows.iter().map(|(name, _)| name.clone()).collect(),
            rows: calendar.starts().into_iter().map(stretch).collect(),
        }));
    }

    pub(super) fn flags(&mut self, figures: &Figures) {
        self.part("Risk flags");
        let (rulings, ends) = (&figures.flags_of_rulings, &figures.flags_of_ends);
        let mut names: Vec<&str> =
            ends.sorted().into_iter().chain(rulings.sorted()).map(|(name, _)| name).collect();
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(*name));
        if names.is_empty() {
            return self.text("No call was flagged.");
        }
        let row = |name: &str| {
            vec![Cell::theirs(name), Cell::Number(rulings.of(name)), Cell::Number(ends.of(name))]
        };
        let mut rows: Vec<Vec<Cell>> = names.into_iter().map(row).collect();
        if rulings.others() + ends.others() > 0 {
            rows.push(vec![
                Cell::ours("others"),
                Cell::Number(rulings.others()),
                Cell::Number(ends.others()),
            ]);
        }
        self.table(
            "Risk flags, as rulings and as ends of calls carry them",
            &["flag", "rulings", "ends"],
            rows,
        );
    }

    pub(super) fn gate(&mut self, figures: &Figures) {
        self.part("The gate and its log");
        self.text(format!(
            "{} and {} on record; {} given to a witness; {} removed.",
            count(figures.n_starts, "start of a gate", "starts of a gate"),
            count(figures.recoveries.all, "recovery", "recoveries"),
            count(figures.witnessed.all, "checkpoint was", "checkpoints were"),
            count(figures.removed.all, "kept content was", "kept contents were"),
        ));
        if figures.recoveries.all > 0 {
            let head = ["time", "interrupted calls"];
            self.listed(
                "Recoveries after a gate that died",
                &head,
                &figures.recoveries,
                |(at, interrupted)| vec![Cell::ours(at), Cell::Number(*interrupted)],
            );
        }
        if figures.witnessed.all > 0 {
            let head = ["time", "witness", "entries", "root"];
            self.listed("Checkpoints with a witness", &head, &figures.witnessed, |line| {
                vec![
                    Cell::ours(&line.at),
                    Cell::theirs(&line.witness),
                    Cell::Number(line.size),
                    Cell::theirs(&line.root),
                ]
            });
        }
        if figures.removed.all > 0 {
            self.listed("Contents that were removed", &["time", "digest", "why"], &figures.removed, |line| {
                vec![Cell::ours(&line.at), Cell::theirs(&line.blob), Cell::theirs(&line.why)]
            });
        }
    }
}

fn label(name: Name) -> Cell {
    match name {
        Name::Named(name) => Cell::Theirs(name),
        Name::NotStated => Cell::ours("not stated"),
        Name::Others => Cell::ours("others"),
    }
}
