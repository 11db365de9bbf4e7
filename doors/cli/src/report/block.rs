//! What a report is made of, before it is HTML or Markdown.
//!
//! Whose words a text is made of is part of its type, so that no form can forget it.

/// One piece of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// The title of everything.
    Title(String),
    /// The head of a part.
    Part(String),
    /// The head of something within a part.
    Head(String),
    /// Our own sentences; what stands between backticks can be typed.
    Text(String),
    /// Lines that can be copied.
    Lines(String),
    Table(Table),
    Chart(Chart),
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Our own words.
    Ours(String),
    /// A text of the ledger; nothing when it is empty.
    Theirs(String),
    /// Several texts of the ledger.
    Several(Vec<String>),
    Number(u64),
}

impl Cell {
    pub(crate) fn ours(text: impl Into<String>) -> Self {
        Self::Ours(text.into())
    }

    pub(crate) fn theirs(text: impl Into<String>) -> Self {
        Self::Theirs(text.into())
    }
}

/// Rows below a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) caption: String,
    pub(crate) head: Vec<Cell>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// Numbers that are shown as bars, and as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chart {
    pub(crate) shape: Shape,
    pub(crate) caption: String,
    /// What the rows are.
    pub(crate) of: &'static str,
    pub(crate) series: Vec<Cell>,
    /// A name, and a number for each of the series.
    pub(crate) rows: Vec<(Cell, Vec<u64>)>,
}

/// How bars stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One below the other, each with its name.
    Names,
    /// Side by side, as time goes by.
    Time,
}

impl Chart {
    /// The largest of its bars.
    pub(crate) fn largest(&self) -> u64 {
        self.rows.iter().map(|(_, numbers)| numbers.iter().sum()).max().unwrap_or_default()
    }

    /// The numbers as rows. Where time goes by, stretches in which nothing happened are left out.
    pub(crate) fn table(&self) -> Table {
        let several = self.series.len() > 1;
        let mut head = vec![Cell::ours(self.of)];
        head.extend(self.series.iter().cloned());
        if several {
            head.push(Cell::ours("all"));
        }
        let shown = |numbers: &[u64]| self.shape == Shape::Names || numbers.iter().any(|number| *number > 0);
        let row = |(name, numbers): &(Cell, Vec<u64>)| {
            let mut row = vec![name.clone()];
            row.extend(numbers.iter().map(|number| Cell::Number(*number)));
            if several {
                row.push(Cell::Number(numbers.iter().sum()));
            }
            row
        };
        let rows = self.rows.iter().filter(|(_, numbers)| shown(numbers)).map(row).collect();
        Table { caption: self.caption.clone(), head, rows }
    }
}
