//! Texts to screen: clean ones as people write them, and ones made to be slow.
//!
//! Clean texts are put together from short lists by a fixed series of numbers, so that they are the
//! same on every machine and do not repeat themselves as a text that is only copied would.

/// A kind of clean text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clean {
    /// English prose in paragraphs.
    Prose,
    /// A page with headings, lists, a table and fenced code.
    Markdown,
    /// A program.
    Source,
}

impl Clean {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Prose, Self::Markdown, Self::Source];

    /// Its name in a table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prose => "English prose",
            Self::Markdown => "Markdown",
            Self::Source => "source code",
        }
    }

    /// Exactly this many bytes of it.
    #[must_use]
    pub fn text(self, size: usize) -> String {
        let mut series = Series(1);
        let mut text = String::with_capacity(size + 1024);
        while text.len() < size {
            text.push_str(&match self {
                Self::Prose => paragraph(&mut series),
                Self::Markdown => section(&mut series),
                Self::Source => function(&mut series),
            });
        }
        // All of it is ASCII, so any byte is a place to cut.
        text.truncate(size);
        text
    }
}

/// Units that are repeated to a text that looks like the start of something again and again.
pub const HOSTILE: [&str; 10] =
    ["a|", "%41", "ignore ", "password=", "../", "$(", "<a ", "\\u0041", "aGVsbG8gd29ybGQg", "日本"];

/// A unit repeated to about this many bytes.
#[must_use]
pub fn repeated(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len().max(1))
}

const SUBJECTS: &[&str] = &[
    "The river",
    "Our neighbour",
    "The second survey",
    "A small workshop",
    "The harbour office",
    "Each volunteer",
    "The new timetable",
    "The orchard",
    "A visitor from the coast",
    "The library",
    "The old bridge",
    "The committee",
];
const VERBS: &[&str] = &[
    "reaches",
    "measured",
    "describes",
    "repaired",
    "compares",
    "has kept",
    "will open",
    "counted",
    "mentions",
    "borrowed",
    "replaces",
    "painted",
];
const OBJECTS: &[&str] = &[
    "the lower meadow",
    "three kinds of timber",
    "a map of the valley",
    "the western gate",
    "the winter figures",
    "several letters",
    "the height of the water",
    "a bench beside the path",
    "the names of all villages",
    "the hours of daylight",
    "a list of repairs",
    "the colour of the roof",
];
const ENDINGS: &[&str] = &[
    "in early spring",
    "before the market closes",
    "on most days of the week",
    "without much noise",
    "as it did ten years ago",
    "when the weather allows it",
    "for the third time",
    "near the station",
    "with great care",
    "at the end of the month",
];
const NAMES: &[&str] =
    &["total", "width", "series", "sample", "offset", "margin", "column", "weight", "index", "buffer"];

fn sentence(series: &mut Series) -> String {
    let (subject, verb) = (series.pick(SUBJECTS), series.pick(VERBS));
    let (object, ending) = (series.pick(OBJECTS), series.pick(ENDINGS));
    match series.below(4) {
        0 => format!("{subject} {verb} {object}, and {} things changed {ending}.", series.below(900) + 2),
        1 => format!("{subject} {verb} {object}; it is {} metres away.", series.below(9_000) + 10),
        _ => format!("{subject} {verb} {object} {ending}."),
    }
}

fn paragraph(series: &mut Series) -> String {
    let sentences: Vec<String> = (0..3 + series.below(4)).map(|_| sentence(series)).collect();
    format!("{}\n\n", sentences.join(" "))
}

fn section(series: &mut Series) -> String {
    let mut text = format!("## {} and {}\n\n", series.pick(SUBJECTS), series.pick(OBJECTS));
    text.push_str(&paragraph(series));
    for _ in 0..3 + series.below(3) {
        let (name, words) = (series.pick(NAMES), sentence(series));
        text.push_str(&format!("- **{name}**: {words} See [the table](docs/{name}.md).\n"));
    }
    text.push_str("\n| name | value | note |\n|---|---:|---|\n");
    for _ in 0..3 {
        let (name, note) = (series.pick(NAMES), series.pick(ENDINGS));
        text.push_str(&format!("| `{name}` | {} | {note} |\n", series.below(10_000)));
    }
    format!("{text}\n```python\n{}```\n\n", function(series))
}

fn function(series: &mut Series) -> String {
    let (name, other, third) = (series.pick(NAMES), series.pick(NAMES), series.pick(NAMES));
    let (number, limit) = (series.below(1_000), series.below(64) + 1);
    format!(
        "def scale_{name}_{number}(rows, {other}={limit}):\n    \"\"\"{} {} {}.\"\"\"\n    found = []\n    \
         for place, row in enumerate(rows):\n        if row[\"{third}\"] > {other} and place % {limit} == 0:\n            \
         found.append((place, row[\"{third}\"] * {number} / {limit}.0))\n    \
         return sorted(found, key=lambda pair: pair[1])[:{limit}]\n\n\n",
        series.pick(SUBJECTS),
        series.pick(VERBS),
        series.pick(OBJECTS),
    )
}

/// Numbers that look arbitrary and are always the same.
struct Series(u64);

impl Series {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end.max(1)
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        let place = usize::try_from(self.below(from.len() as u64)).unwrap_or_default();
        from.get(place).copied().unwrap_or_default()
    }
}
