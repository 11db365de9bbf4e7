//! Event lines, in one file a day.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use record::export::{Record, jsonl};

use super::folder::{Folder, Unplaced, failed};
use super::{NotExported, Range};

/// Is this the name of a file of such an export?
pub(super) fn belongs(name: &str) -> bool {
    jsonl::day_of_file(name).is_some()
}

/// The days that events came from. A clock that was set back leads to an earlier one again, so none is put
/// in its place before the end.
pub(super) struct Days {
    folder: Folder,
    days: BTreeMap<String, Unplaced>,
    /// The one that was written to last.
    last: String,
}

impl Days {
    pub(super) const fn new(folder: Folder) -> Self {
        Self { folder, days: BTreeMap::new(), last: String::new() }
    }

    pub(super) fn write(&mut self, record: &Record) -> Result<(), NotExported> {
        let day = record.at().day();
        if day != self.last {
            if let Some(last) = self.days.get_mut(&self.last) {
                last.rest()?;
            }
            if !self.days.contains_key(&day) {
                self.days.insert(day.clone(), self.folder.begin()?);
            }
            self.last.clone_from(&day);
        }
        if let Some(file) = self.days.get_mut(&day) {
            file.write(jsonl::line(record).as_bytes())?;
        }
        Ok(())
    }

    /// Puts all files in their places; how many there are. Those of whole days replace what is there. A part
    /// of a day replaces only what it begins with: otherwise lines would be lost.
    pub(super) fn end(mut self, range: &Range) -> Result<u64, NotExported> {
        for (day, file) in &mut self.days {
            file.rest()?;
            let target = self.folder.join(&jsonl::file_name(day));
            if range.cuts(day) && !begins_with(file.path(), &target)? {
                return Err(NotExported::CutDay(target.display().to_string()));
            }
        }
        let mut files = 0;
        for (day, file) in self.days {
            self.folder.place(file, &jsonl::file_name(&day))?;
            files += 1;
        }
        self.folder.flush()?;
        Ok(files)
    }
}

/// Does a file begin with all that is in another one? It does when there is no other.
fn begins_with(whole: &Path, beginning: &Path) -> Result<bool, NotExported> {
    let other = match File::open(beginning) {
        Ok(other) => other,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(source) => return Err(failed(beginning, source).into()),
    };
    let whole_file = File::open(whole).map_err(|source| failed(whole, source))?;
    let (mut whole_file, mut other) = (BufReader::new(whole_file), BufReader::new(other));
    loop {
        let rest = other.fill_buf().map_err(|source| failed(beginning, source))?;
        let ours = whole_file.fill_buf().map_err(|source| failed(whole, source))?;
        let same = rest.iter().zip(ours).take_while(|(one, other)| one == other).count();
        if rest.is_empty() {
            return Ok(true);
        }
        if same == 0 || same < rest.len().min(ours.len()) {
            return Ok(false);
        }
        other.consume(same);
        whole_file.consume(same);
    }
}
