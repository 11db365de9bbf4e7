//! Where words, commands and here-documents end.

use super::braces::unbraced;
use super::put_in::names_in;
use super::{List, Manner, Place, Quoted, Reader, Word};

impl Reader<'_> {
    pub(super) fn end_word(&mut self, list: &mut List) {
        if !list.begun {
            return;
        }
        list.begun = false;
        let mut word = std::mem::take(&mut list.word);
        word.text = String::from_utf8_lossy(&std::mem::take(&mut list.letters)).into_owned();
        word.end = (self.offset + self.at).max(word.start);
        // What expands to nothing is no word, unless it stands in quotes: `|${IFS}sh`.
        let nothing =
            word.text.is_empty() && !word.quoted && word.substitutions.is_empty() && word.names.is_empty();
        match list.place {
            Place::Words if nothing => {}
            Place::Words => list.command.words.extend(unbraced(word)),
            Place::Writes => list.command.writes.push(word),
            Place::Reads => list.command.reads.push(word),
            Place::Given => list.command.given.push(word),
            Place::HereDocument => list.awaited.push((word.text, list.commands.len(), Quoted(word.quoted))),
        }
        list.place = Place::Words;
    }

    pub(super) fn end_command(&mut self, list: &mut List, piped: bool) {
        self.end_word(list);
        list.place = Place::Words;
        let mut command = std::mem::take(&mut list.command);
        let empty = command.words.is_empty()
            && command.writes.is_empty()
            && command.given.is_empty()
            && command.reads.is_empty();
        let commands = if list.comment { &mut list.comments } else { &mut list.commands };
        if empty {
            if piped && let Some(last) = commands.last_mut() {
                last.piped = true;
            }
            return;
        }
        command.piped = piped;
        command.depth = list.open;
        if list.comment {
            // It sets no variable, and no alias is put into it.
            command.mention = true;
            commands.push(command);
            return;
        }
        if !self.aliases.is_empty() {
            command.words = self.without_alias(std::mem::take(&mut command.words));
        }
        self.assign(&command);
        list.commands.push(command);
    }

    /// Takes the bodies of here-documents behind the line that announced them.
    pub(super) fn here_documents(&mut self, list: &mut List, depth: usize) {
        let awaited = std::mem::take(&mut list.awaited);
        if self.manner != Manner::Line {
            return;
        }
        for (end, place, quoted) in awaited {
            let start = self.at;
            let rest = self.text.get(start..).unwrap_or_default();
            let mut length = 0;
            let mut closed = false;
            for line in rest.split_inclusive('\n') {
                let Some(left) = self.search_budget.checked_sub(line.len()) else { break };
                self.search_budget = left;
                if line.trim() == end {
                    closed = true;
                    break;
                }
                length += line.len();
            }
            // A document without an end is prose that holds two angle brackets.
            if !closed {
                return;
            }
            let body = rest.get(..length).unwrap_or_default();
            let (from, to) = (self.offset + start, self.offset + start + length);
            let substitutions =
                if quoted.0 { Vec::new() } else { self.put_into_document(start + length, depth) };
            self.at = start + length;
            if let Some(command) = list.commands.get_mut(place) {
                command.given.push(Word {
                    text: body.to_owned(),
                    start: from,
                    end: to,
                    quoted: true,
                    names: if quoted.0 { Vec::new() } else { names_in(body) },
                    substitutions,
                });
            }
            // The line that ends it.
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            self.at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |line| line + 1);
        }
    }
}
