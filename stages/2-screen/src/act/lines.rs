//! Lines of prose that hold one of the words, as a shell reads lines.

/// Lines that hold one of the words.
#[derive(Default)]
pub(super) struct Lines(pub(super) Vec<Line>);

pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) shell: bool,
    pub(super) secrets: bool,
    pub(super) spellings: Vec<usize>,
}

impl Lines {
    pub(super) fn add(&mut self, text: &str, at: usize, secrets: bool) {
        self.change(text, at, |line| {
            line.secrets |= secrets;
            line.shell |= !secrets;
        });
    }

    pub(super) fn spelling(&mut self, text: &str, at: usize, place: usize) {
        self.change(text, at, |line| {
            if !line.spellings.contains(&place) {
                line.spellings.push(place);
            }
        });
    }

    /// Changes the line at `at`, as a shell reads lines; hits come in the order of the text.
    fn change(&mut self, text: &str, at: usize, change: impl FnOnce(&mut Line)) {
        let end = self.0.last().map_or(0, |last| last.end);
        if let Some(line) = self.0.last_mut().filter(|line| at < line.end) {
            return change(line);
        }
        let (start, end) = logical_line(text, at, end);
        let mut line = Line { start, end, shell: false, secrets: false, spellings: Vec::new() };
        change(&mut line);
        self.0.push(line);
    }
}

/// A line that ends with a backslash or an operator goes on, for so many bytes.
fn logical_line(text: &str, at: usize, floor: usize) -> (usize, usize) {
    const LONGEST: usize = 4_096;
    let bytes = text.as_bytes();
    let line_start = |from: usize| {
        bytes
            .get(floor..from)
            .unwrap_or_default()
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(floor, |place| floor + place + 1)
    };
    let line_end = |from: usize| {
        bytes
            .get(from..)
            .unwrap_or_default()
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(bytes.len(), |place| from + place + 1)
    };
    let goes_on = |end: usize, start: usize| {
        let line = bytes.get(start..end).unwrap_or_default().trim_ascii_end();
        line.ends_with(b"\\") || line.ends_with(b"|") || line.ends_with(b"&&")
    };
    let (mut start, mut end) = (line_start(at), line_end(at));
    for _ in 0..8 {
        let Some(previous) =
            start.checked_sub(1).filter(|previous| *previous > floor && at - start < LONGEST)
        else {
            break;
        };
        let before = line_start(previous);
        if !goes_on(start, before) {
            break;
        }
        start = before;
    }
    while end < bytes.len() && end - start < LONGEST {
        let last = line_start(end - 1).max(start);
        let next = line_end(end);
        let pipe_follows = bytes.get(end..next).unwrap_or_default().trim_ascii_start().first() == Some(&b'|');
        let table = bytes.get(start..end).unwrap_or_default().trim_ascii_start().first() == Some(&b'|');
        let continued = goes_on(end, last) || (pipe_follows && !table);
        if !continued {
            break;
        }
        end = next;
    }
    (start, end)
}
