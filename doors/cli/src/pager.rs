//! Long texts for a person, a screen at a time.

use std::io::{IsTerminal as _, Write as _};

use crate::terminal::{ask_line, say};

/// Columns of the terminal that people are asked on, or a usual number where nobody says.
pub(crate) fn width() -> usize {
    size().map_or(100, |(columns, _)| columns.clamp(40, 160))
}

fn size() -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(std::io::stderr()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0).then_some((usize::from(size.ws_col), usize::from(size.ws_row)))
}

/// Shows all of a text. What does not fit on the screen comes a screen at a time; nothing is left out, and
/// no key but Enter goes on.
pub(crate) fn show(text: &str) {
    let rows =
        size().filter(|_| std::io::stderr().is_terminal()).map(|(_, rows)| rows.saturating_sub(2).max(4));
    let lines: Vec<&str> = text.lines().collect();
    let Some(rows) = rows.filter(|rows| lines.len() > *rows) else {
        say(text.trim_end());
        return;
    };
    let screens = lines.chunks(rows);
    let last = screens.len();
    for (number, screen) in (1..).zip(screens) {
        say(&screen.join("\n"));
        if number < last && ask_line(&format!("-- {number} of {last}, Enter for more --")).is_none() {
            return;
        }
    }
    let _ = std::io::stderr().flush();
}
