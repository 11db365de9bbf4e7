//! Bars as SVG, to stand within HTML.
//!
//! Colours are classes (`s0`, `s1`, ...) that the page gives its light and its dark meaning. Each plot has a
//! title and a description for whoever does not see it, and the page has its numbers as a table.

use super::block::{Cell, Chart, Shape};
use super::escape::{cut, html};

const WIDTH: u64 = 720;
/// Beside each other: room for the scale on the left, and for the dates below.
const LEFT: u64 = 56;
const HEIGHT: u64 = 180;
const BELOW: u64 = 24;
const ABOVE: u64 = 12;
/// One below the other: room for the names on the left, and for the sums on the right.
const NAMES: u64 = 200;
const SUMS: u64 = 72;
const LINE: u64 = 22;
/// Characters of a name that fit.
const LONGEST: usize = 24;

/// The plot, and the meaning of its colours. `id` is a name that nothing else on the page has.
pub(super) fn svg(chart: &Chart, id: &str) -> String {
    let (height, body) = match chart.shape {
        Shape::Names => names(chart),
        Shape::Time => time(chart),
    };
    let described = format!(
        "Stacked bars: {} of {} rows, at most {}. The table below has the numbers.",
        chart.rows.iter().filter(|(_, numbers)| numbers.iter().any(|number| *number > 0)).count(),
        chart.rows.len(),
        chart.largest()
    );
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-text\">\n\
         <title id=\"{id}-title\">{}</title><desc id=\"{id}-text\">{described}</desc>\n{body}</svg>\n{}",
        html(&chart.caption),
        legend(chart)
    )
}

/// A length on a scale. Anything above nothing can be seen.
fn scaled(number: u64, largest: u64, length: u64) -> u64 {
    let scaled = u128::from(number) * u128::from(length) / u128::from(largest.max(1));
    u64::try_from(scaled).unwrap_or_default().max(u64::from(number > 0))
}

fn name(cell: &Cell) -> String {
    match cell {
        Cell::Ours(text) | Cell::Theirs(text) => text.clone(),
        Cell::Several(texts) => texts.join(" "),
        Cell::Number(number) => number.to_string(),
    }
}

/// One piece of a bar, which tells its number when it is pointed at.
fn piece(chart: &Chart, series: usize, row: &str, number: u64, [x, y, width, height]: [u64; 4]) -> String {
    let of = chart.series.get(series).map(name).unwrap_or_default();
    format!(
        "<rect class=\"s{}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">\
         <title>{}</title></rect>\n",
        colour(chart, series),
        html(&format!("{row}: {of} {number}"))
    )
}

/// What is not one of the first has the colour of the rest.
fn colour(chart: &Chart, series: usize) -> usize {
    let rest = |cell: &Cell| *cell == Cell::ours("others");
    if chart.series.get(series).is_some_and(rest) { 6 } else { series.min(6) }
}

fn names(chart: &Chart) -> (u64, String) {
    let (largest, length) = (chart.largest(), WIDTH - NAMES - SUMS);
    let (mut body, mut y) = (String::new(), 0);
    for (row, numbers) in &chart.rows {
        let row = name(row);
        let (text, shown) = (y + LINE - 7, html(&cut(&row, LONGEST)));
        body.push_str(&format!("<text class=\"name\" x=\"{}\" y=\"{text}\">{shown}</text>\n", NAMES - 8));
        let (mut sum, mut x) = (0, NAMES);
        for (series, number) in numbers.iter().enumerate().filter(|(_, number)| **number > 0) {
            let width = scaled(*number, largest, length);
            body.push_str(&piece(chart, series, &row, *number, [x, y + 2, width, LINE - 5]));
            x += width;
            sum += number;
        }
        body.push_str(&format!("<text x=\"{}\" y=\"{text}\">{sum}</text>\n", x + 6));
        y += LINE;
    }
    (y.max(LINE), body)
}

fn time(chart: &Chart) -> (u64, String) {
    let largest = chart.largest();
    let bottom = ABOVE + HEIGHT;
    let step = (WIDTH - LEFT) / (chart.rows.len() as u64).max(1);
    // A period of one hour is one bar, and not a wall.
    let (step, gap) = (step.clamp(4, 96), if step > 8 { 2 } else { 1 });
    let mut body = format!(
        "<path class=\"axis\" d=\"M{LEFT} {ABOVE}H{WIDTH}M{LEFT} {bottom}H{WIDTH}\"/>\n\
         <text class=\"name\" x=\"{edge}\" y=\"{}\">{largest}</text>\n\
         <text class=\"name\" x=\"{edge}\" y=\"{bottom}\">0</text>\n",
        ABOVE + 5,
        edge = LEFT - 6
    );
    let mut x = LEFT;
    for (row, numbers) in &chart.rows {
        let row = name(row);
        let mut y = bottom;
        for (series, number) in numbers.iter().enumerate().filter(|(_, number)| **number > 0) {
            let height = scaled(*number, largest, HEIGHT);
            y = y.saturating_sub(height);
            body.push_str(&piece(chart, series, &row, *number, [x, y, step - gap, height]));
        }
        x += step;
    }
    let date = |row: Option<&(Cell, Vec<u64>)>| row.map(|(row, _)| html(&name(row))).unwrap_or_default();
    let label = bottom + BELOW - 6;
    body.push_str(&format!("<text x=\"{LEFT}\" y=\"{label}\">{}</text>\n", date(chart.rows.first())));
    if chart.rows.len() > 4 {
        let last = date(chart.rows.last());
        body.push_str(&format!("<text class=\"name\" x=\"{}\" y=\"{label}\">{last}</text>\n", x.min(WIDTH)));
    }
    (bottom + BELOW, body)
}

fn legend(chart: &Chart) -> String {
    if chart.series.len() < 2 {
        return String::new();
    }
    let item = |(series, cell): (usize, &Cell)| {
        let name = html(&name(cell));
        format!("<li><span class=\"swatch b{}\"></span> <bdi>{name}</bdi></li>", colour(chart, series))
    };
    let items: String = chart.series.iter().enumerate().map(item).collect();
    format!("<ul class=\"legend\">{items}</ul>\n")
}
