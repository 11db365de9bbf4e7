//! Where what was fetched or decoded is put, so that whatever runs it later is known by that.
//!
//! Files are known by the last part of their names: a line may change folders, and nobody follows it there.

use call::Span;

use super::later::is_started_by_others;
use super::origins::{is_address, substituted};
use super::{Judge, Source};
use crate::act::program;
use crate::act::program::{Origin, Program, Runs, name_of};
use crate::act::shell::{Command, Kind, Manner, Word};

impl Judge<'_> {
    /// `tee >(sh)`: what comes in, or is written, goes into a shell.
    pub(super) fn sink(&mut self, command: &Command, source: Option<Source>, span: Span, mention: bool) {
        let sinks = command.words.iter().chain(&command.writes).flat_map(|word| &word.substitutions);
        let into_shell = sinks.filter(|inner| inner.kind == Kind::Sink).any(|inner| {
            inner.commands.first().is_some_and(|inner| matches!(Program::of(inner).runs(), Runs::Input))
        });
        if !into_shell {
            return;
        }
        let read = command.reads.iter().filter_map(program::file_substitution).max();
        let own = program::origin(std::slice::from_ref(command)).max(read.unwrap_or(Origin::Here));
        if source.map_or(own, |source| source.origin.max(own)) >= Origin::Hidden {
            self.report("download_to_shell", span, mention);
        }
    }

    /// Remembers files that should not be run.
    pub(super) fn remember(&mut self, files: impl IntoIterator<Item = String>) {
        // In prose that is something between backticks, and every other such thing would be the same file.
        let told = |file: &String| self.setting.manner == Manner::Line || !file.contains("$()");
        self.files.extend(files.into_iter().filter(told));
    }

    /// Remembers where what was fetched is put.
    pub(super) fn keep(
        &mut self,
        program: &Program<'_>,
        command: &Command,
        source: Option<Source>,
        mention: bool,
    ) {
        let name = program.name();
        // `read x < <(curl …)`
        let fed = || {
            command.reads.iter().filter_map(program::file_substitution).max() >= Some(Origin::Hidden)
                || command.given.iter().any(|given| substituted(given) >= Origin::Hidden)
        };
        if matches!(name, "read" | "mapfile" | "readarray")
            && (source.is_some_and(|source| source.origin >= Origin::Hidden) || self.loop_fed || fed())
        {
            let named = program.arguments().iter().filter(|word| !word.text.starts_with('-'));
            self.fetched.extend(named.map(|word| word.text.clone()));
            self.fetched.extend(["REPLY", "MAPFILE"].map(str::to_owned));
        }
        if COPIERS.contains(&name) {
            self.remember(copied_from_elsewhere(program.arguments()));
        }
        // `curl … | gcc -xc - -o x`, `go build fetched.go`
        if self.is_line() && is_compiler(name) {
            let piped = source.is_some_and(|source| source.origin >= Origin::Hidden);
            let arguments = program.arguments();
            if piped || arguments.iter().any(|word| self.files.contains(&file_name(&word.text))) {
                let pairs = arguments.iter().zip(arguments.iter().skip(1));
                let named =
                    pairs.into_iter().find(|(flag, _)| flag.text == "-o").map(|(_, file)| &*file.text);
                self.remember([file_name(named.unwrap_or("a.out"))]);
            }
        }
        // `cp fetched other`
        if self.is_line() && matches!(name, "cp" | "mv" | "ln" | "install") {
            let named = program.arguments().iter().filter(|word| !word.text.starts_with('-'));
            let files: Vec<String> = named.map(|word| file_name(&word.text)).collect();
            if let Some((to, from)) = files.split_last()
                && from.iter().any(|file| self.files.contains(file))
                && !matches!(&**to, "" | "." | "..")
            {
                self.remember([to.clone()]);
            }
        }
        let fetcher = command.words.iter().position(|word| program::is_fetcher(&name_of(word)));
        let assigns = |word: &Word| !word.substitutions.is_empty() && word.text.contains('=');
        let starts_beside = self.is_line() && command.words.first().is_some_and(|word| word.text == "coproc");
        let puts = fetcher.is_some()
            || !command.writes.is_empty()
            || matches!(name, "tee" | "sponge" | "dd" | "cp" | "install");
        if !puts && !command.words.iter().any(assigns) {
            return;
        }
        let own = program::origin(std::slice::from_ref(command));
        let own = if self.is_line() && self.prints_fetched(command) { Origin::Elsewhere } else { own };
        if source.map_or(own, |source| source.origin.max(own)) < Origin::Hidden {
            return;
        }
        for word in &command.words {
            if let Some((name, _)) = word.text.split_once('=').filter(|_| !word.substitutions.is_empty()) {
                self.fetched.insert(name.to_owned());
            }
        }
        // `coproc NAME { curl …; }`: what it prints comes out of the descriptors in the variable.
        if starts_beside {
            self.fetched.extend(command.words.get(1).map(|word| word.text.clone()));
            self.fetched.insert("COPROC".to_owned());
        }
        self.remember(command.writes.iter().map(|word| file_name(&word.text)));
        let operands = program.arguments();
        if name == "dd" {
            let into = operands.iter().filter_map(|word| word.text.strip_prefix("of="));
            self.remember(into.map(file_name));
        }
        // `curl … | install /dev/stdin x`
        if matches!(name, "cp" | "install") && operands.iter().any(|word| word.text == "/dev/stdin") {
            self.remember(operands.last().map(|word| file_name(&word.text)));
        }
        if matches!(name, "tee" | "sponge") {
            self.remember(
                operands.iter().filter(|word| !word.text.starts_with('-')).map(|word| file_name(&word.text)),
            );
        }
        let outputs = fetcher.and_then(|place| command.words.get(place..)).map(outputs).unwrap_or_default();
        // `curl … -o ~/.bashrc`: nobody has to start it.
        let written =
            command.writes.iter().chain(operands.iter().filter(|_| matches!(name, "tee" | "sponge")));
        let mut put = written.map(|word| &*word.text).chain(outputs.iter().map(|file| &**file));
        if self.is_line() && put.any(is_started_by_others) {
            self.report("download_then_run", command.span(), mention);
        }
        self.remember(outputs.iter().map(|file| file_name(file)));
    }
}

/// Programs that copy files from other machines, and from the stores of clouds.
const COPIERS: &[&str] =
    &["scp", "sftp", "rsync", "aws", "gsutil", "gcloud", "rclone", "s3cmd", "s5cmd", "azcopy", "mc", "oras"];

/// The last part of a file's name.
pub(in crate::act) fn file_name(path: &str) -> String {
    let path = path.trim_end_matches(['/', '\\']);
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}

fn is_compiler(name: &str) -> bool {
    matches!(
        name,
        "gcc"
            | "cc"
            | "g++"
            | "c++"
            | "clang"
            | "clang++"
            | "tcc"
            | "rustc"
            | "ghc"
            | "gfortran"
            | "zig"
            | "go"
    )
}

/// `-so/tmp/x`, `-O/tmp/x`: the file behind the letter, with nothing in front of it but flags without a value.
fn glued_file<'w>(program: &str, flags: &'w str) -> Option<&'w str> {
    let (letter, bare) = match program {
        "curl" => ('o', "sSfLkgGiIjJlnNpqRvV#046a"),
        _ => ('O', "qcNSbnvx"),
    };
    let (front, file) = flags.strip_prefix('-')?.split_once(letter)?;
    (!file.is_empty() && front.chars().all(|flag| bare.contains(flag))).then_some(file)
}

/// `scp host:setup.sh .`: the files that a copy from another machine leaves here.
fn copied_from_elsewhere(arguments: &[Word]) -> Vec<String> {
    let operands: Vec<&str> =
        arguments.iter().map(|word| &*word.text).filter(|text| !text.starts_with('-')).collect();
    let Some((to, from)) = operands.split_last() else { return Vec::new() };
    let far =
        |text: &&&str| text.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/'));
    let mut files: Vec<String> = from
        .iter()
        .filter(far)
        .filter_map(|text| text.split_once(':'))
        .map(|(_, path)| file_name(path))
        .collect();
    if !files.is_empty() {
        files.push(file_name(to));
    }
    files.retain(|file| !file.is_empty() && file != "." && file != "..");
    files
}

/// The files that a download is put into.
fn outputs(words: &[Word]) -> Vec<String> {
    let name = words.first().map(name_of).unwrap_or_default();
    let mut files = Vec::new();
    let mut rest = words.iter().skip(1);
    let mut named_by_address =
        matches!(&*name, "wget" | "wget2" | "aria2c" | "axel" | "fetch" | "lwp-download");
    let mut addresses = Vec::new();
    let mut last = None;
    while let Some(word) = rest.next() {
        let text = &*word.text;
        let lower = text.to_ascii_lowercase();
        let capital_is_file = name != "curl";
        let takes_file =
            matches!(&*lower, "--output" | "--output-document" | "-outfile" | "--out" | "-destination")
                || text == "-o"
                || (text == "-O" && capital_is_file)
                || (text.starts_with('-')
                    && !text.starts_with("--")
                    && text.len() <= 6
                    && (text.ends_with('o') && name == "curl" || text.ends_with('O') && capital_is_file));
        if takes_file {
            files.extend(rest.next().map(|word| word.text.clone()));
            continue;
        }
        if let Some(value) =
            lower.strip_prefix("--output=").or_else(|| lower.strip_prefix("--output-document="))
        {
            files.push(value.to_owned());
        }
        if !text.starts_with("--")
            && let Some(file) = glued_file(&name, text)
        {
            files.push(file_name(file));
            continue;
        }
        if text.starts_with('-') {
            named_by_address |= text.contains('O') || lower == "--remote-name";
            continue;
        }
        last = Some(file_name(text));
        if is_address(word) {
            let path = text.split(['?', '#']).next().unwrap_or(text);
            addresses.push(file_name(path));
        }
    }
    if named_by_address {
        files.extend(addresses);
    }
    if matches!(&*name, "certutil" | "bitsadmin" | "lwp-download" | "tftp") {
        files.extend(last);
    }
    files.retain(|file| !file.is_empty() && file != "-");
    files
}
