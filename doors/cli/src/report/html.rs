//! The report as one HTML file: no scripts, nothing from elsewhere, and a policy that says so.
//!
//! Readable on a phone, on paper, in light and in the dark, and by a program that reads aloud.

use super::block::{Block, Cell, Table};
use super::escape::html;
use super::plot::svg;

pub(super) fn render(blocks: &[Block]) -> String {
    let title = blocks.iter().find_map(|block| match block {
        Block::Title(title) => Some(html(title)),
        Block::Part(_)
        | Block::Head(_)
        | Block::Text(_)
        | Block::Lines(_)
        | Block::Table(_)
        | Block::Chart(_) => None,
    });
    let title = title.unwrap_or_default();
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
    );
    let (mut n_charts, mut in_part) = (0, false);
    for block in blocks {
        match block {
            Block::Title(text) => page.push_str(&format!("<h1>{}</h1>\n", html(text))),
            Block::Part(text) => {
                if in_part {
                    page.push_str("</section>\n");
                }
                in_part = true;
                page.push_str(&format!("<section>\n<h2>{}</h2>\n", html(text)));
            }
            Block::Head(text) => page.push_str(&format!("<h3>{}</h3>\n", html(text))),
            Block::Text(text) => page.push_str(&format!("<p>{}</p>\n", typed(text))),
            Block::Lines(lines) => page.push_str(&pre(lines)),
            Block::Table(rows) => page.push_str(&table(rows)),
            Block::Chart(chart) => {
                n_charts += 1;
                let plot = svg(chart, &format!("plot{n_charts}"));
                page.push_str(&format!("<figure>\n{plot}</figure>\n{}", table(&chart.table())));
            }
        }
    }
    if in_part {
        page.push_str("</section>\n");
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

/// Our own sentences; what stands between backticks is code.
fn typed(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(number, part)| match number % 2 {
        0 => html(part),
        _ => format!("<code>{}</code>", html(part)),
    });
    parts.collect()
}

fn pre(lines: &str) -> String {
    let lines: Vec<String> = lines.lines().map(html).collect();
    format!("<pre tabindex=\"0\">{}</pre>\n", lines.join("\n"))
}

fn table(table: &Table) -> String {
    let caption = html(&table.caption);
    let is_number = |column: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(column));
        cells.next().is_some_and(|cell| matches!(cell, Cell::Number(_)))
    };
    let mut shown = format!(
        "<div class=\"wide\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\">\n<table>\n\
         <caption>{caption}</caption>\n<thead><tr>"
    );
    for (column, head) in table.head.iter().enumerate() {
        let class = if is_number(column) { " class=\"number\"" } else { "" };
        shown.push_str(&format!("<th scope=\"col\"{class}>{}</th>", cell(head)));
    }
    shown.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        shown.push_str("<tr>");
        for (column, value) in row.iter().enumerate() {
            shown.push_str(&match (column, value) {
                (0, value) => format!("<th scope=\"row\">{}</th>", cell(value)),
                (_, Cell::Number(number)) => format!("<td class=\"number\">{number}</td>"),
                (_, Cell::Ours(_) | Cell::Theirs(_) | Cell::Several(_)) => {
                    format!("<td>{}</td>", cell(value))
                }
            });
        }
        shown.push_str("</tr>\n");
    }
    shown.push_str("</tbody>\n</table>\n</div>\n");
    shown
}

fn cell(cell: &Cell) -> String {
    let code = |text: &str| format!("<code><bdi>{}</bdi></code>", html(text));
    match cell {
        Cell::Ours(text) => html(text),
        Cell::Theirs(text) if text.is_empty() => "-".to_owned(),
        Cell::Theirs(text) => code(text),
        Cell::Several(texts) if texts.is_empty() => "-".to_owned(),
        Cell::Several(texts) => texts.iter().map(|text| code(text)).collect::<Vec<_>>().join(" "),
        Cell::Number(number) => number.to_string(),
    }
}

const STYLE: &str = "
:root{color-scheme:light dark;--back:#fff;--text:#1b1b1b;--line:#c9c9c9;--soft:#f3f3f3;
--c0:#0072b2;--c1:#e69f00;--c2:#d55e00;--c3:#009e73;--c4:#8a5fb0;--c5:#56b4e9;--c6:#8c8c8c}
@media (prefers-color-scheme:dark){:root{--back:#161616;--text:#ececec;--line:#474747;--soft:#232323;
--c0:#4ea6dc;--c1:#f0b429;--c2:#f07f3c;--c3:#2fc49a;--c4:#b58ad8;--c5:#9ad4f5;--c6:#8c8c8c}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:78rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.2}
h2{font-size:1.25rem;margin:2.5rem 0 .5rem;padding-top:.5rem;border-top:2px solid var(--line)}
h3{font-size:1.05rem;margin:1.5rem 0 .5rem}
code,pre{font:.9em/1.4 ui-monospace,monospace;overflow-wrap:anywhere}
pre{background:var(--soft);padding:.75rem;overflow-x:auto;overflow-wrap:normal}
.wide{overflow-x:auto;margin:.75rem 0 1.25rem}
table{border-collapse:collapse;font-size:.875rem;min-width:50%}
caption{text-align:left;font-weight:600;padding:.25rem 0;color:var(--text)}
th,td{border-bottom:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}
thead th{background:var(--soft)}
tbody th{font-weight:400;white-space:nowrap}
td{min-width:7rem;max-width:24rem}
.number{text-align:right;font-variant-numeric:tabular-nums}
figure{margin:1rem 0 0}
svg{width:100%;height:auto;max-width:48rem;display:block}
svg text{fill:var(--text);font:12px system-ui,sans-serif;unicode-bidi:isolate}
svg .name{text-anchor:end}
svg .axis{stroke:var(--line);fill:none}
.s0{fill:var(--c0)}.s1{fill:var(--c1)}.s2{fill:var(--c2)}.s3{fill:var(--c3)}.s4{fill:var(--c4)}
.s5{fill:var(--c5)}.s6{fill:var(--c6)}
.b0{background:var(--c0)}.b1{background:var(--c1)}.b2{background:var(--c2)}.b3{background:var(--c3)}
.b4{background:var(--c4)}.b5{background:var(--c5)}.b6{background:var(--c6)}
.swatch{display:inline-block;width:.8em;height:.8em}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;margin:.5rem 0}
.legend li{font-size:.875rem}
.legend bdi{overflow-wrap:anywhere}
@media print{body{font-size:11px}main{max-width:none;padding:0}.wide{overflow:visible}
tr,figure{break-inside:avoid}
tbody th{white-space:normal}.swatch,rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
";
