//! Lines that read secrets and print or send them.
//!
//! Reading a secret is ordinary work, and so is giving it to the service it belongs to, in the
//! header that is made for it. Printing it, or putting it into an address or a body, is not.

use std::collections::BTreeSet;

use call::{Family, Span};

use super::names::{is_secret, is_secret_file};
use super::program::{self, Program, Runs};
use super::shell::{self, Command, Manner, Script, Word};
use super::{Act, Setting, Strings, injection, operands, source, vaults};

const DEEPEST: usize = 4;

/// Stands among the files for what git was told to take along. No file has a name like this.
const STAGED: &str = "/";

/// All such lines in `script`.
///
/// Says whether a variable or a file holds a secret, which lines elsewhere may show.
pub(super) fn find(script: &Script, setting: Setting, found: &mut Vec<Act>) -> bool {
    let mut judge = Judge { setting, found, held: BTreeSet::new(), files: BTreeSet::new() };
    judge.list(&script.commands, false, 0);
    !judge.held.is_empty() || !judge.files.is_empty()
}

struct Judge<'f> {
    setting: Setting,
    found: &'f mut Vec<Act>,
    // Variables that hold what was read from a place of secrets.
    held: BTreeSet<String>,
    // Files that such a thing was written to; by the last part of their names.
    files: BTreeSet<String>,
}

/// What comes through a pipe.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Source {
    secret: bool,
    // The whole environment: ordinary to talk of, not to send.
    environment: bool,
    // Names of variables, one to a line.
    names: bool,
    start: usize,
}

impl Judge<'_> {
    fn report(&mut self, kind: &'static str, span: Span, mention: bool) {
        self.found.push(Act { family: Family::Exfiltration, kind, span, mention });
    }

    fn list(&mut self, commands: &[Command], mention: bool, depth: usize) {
        let mut source: Option<Source> = None;
        // `while read …; done < <(env)`
        let feeds = |word: &Word| {
            self.substitutes_secret(word) || substitutes_environment(word) || is_secret_file(&word.text)
        };
        let fed = commands.iter().any(|command| {
            command.words.first().is_some_and(|word| word.text == "done") && command.reads.iter().any(feeds)
        });
        for command in commands {
            let mention = mention || command.mention;
            let program = Program::of(command);
            let own = command.span();
            let span = Span::new(source.map_or(own.start, |source| source.start.min(own.start)), own.end);
            let own_secret = self.reads_secret(command, &program);
            let passes = |came: fn(Source) -> bool| source.is_some_and(came) && !filters(&program);
            let secret = own_secret || passes(|source| source.secret);
            let ordered = self.setting.manner == Manner::Prose && ends_with_environment(command);
            let environment = ordered || is_environment(&program) || passes(|source| source.environment);
            if let Some(kind) = self.judge(command, &program, source, own_secret) {
                self.report(kind, span, mention);
            }
            for word in &command.words {
                let put_in = self.substitutes_secret(word) || substitutes_environment(word);
                let assigned = word.text.split_once('=').filter(|_| put_in);
                self.held.extend(assigned.map(|(name, _)| name.to_owned()));
            }
            let all = Source { secret: true, environment: true, names: true, start: own.start };
            self.hold(command, &program, source.or(fed.then_some(all)));
            self.keep(command, &program, secret || environment);
            self.inside(command, &program, mention, depth);
            let names = lists_names(command) || passes(|source| source.names);
            source = command.piped.then_some(Source { secret, environment, names, start: span.start });
        }
    }

    /// Remembers the variables that a loop or a reader puts secrets or their names into.
    fn hold(&mut self, command: &Command, program: &Program<'_>, source: Option<Source>) {
        // `for each in $(env)`, `for name in $(compgen -e)`, `for name in HOME API_KEY`
        if let [loops, name, within, all @ ..] = &*command.words
            && loops.text == "for"
            && within.text == "in"
        {
            if all.iter().any(|word| self.substitutes_secret(word) || substitutes_environment(word)) {
                self.held.insert(name.text.clone());
            }
            let names = |word: &Word| {
                is_secret(&word.text)
                    || word.text.contains("${!")
                    || word.substitutions.iter().flat_map(|inner| &inner.commands).any(lists_names)
            };
            if all.iter().any(names) {
                self.held.insert(format!("!{}", name.text));
            }
        }
        // `env | while IFS== read -r name value`
        if program.name() == "read"
            && let Some(source) = source
        {
            let operands = program.arguments().iter().filter(|word| !word.text.starts_with('-'));
            let named: Vec<&str> = operands.map(|word| &*word.text).collect();
            // Of several the first is the name, when the line is cut at the equals sign.
            let cut = command.words.iter().any(|word| word.text.starts_with("IFS="));
            let values = if cut && named.len() > 1 { named.get(1..) } else { Some(&*named) };
            if source.secret || source.environment {
                self.held.extend(values.unwrap_or_default().iter().map(|name| (*name).to_owned()));
            }
            if source.names || source.secret || source.environment {
                self.held.extend(named.iter().map(|name| format!("!{name}")));
            }
        }
        // `declare -n short=API_KEY`
        if matches!(program.name(), "declare" | "typeset" | "local")
            && program.arguments().iter().any(|word| word.text.starts_with("-n"))
        {
            let pairs = program.arguments().iter().filter_map(|word| word.text.split_once('='));
            self.held.extend(pairs.filter(|(_, of)| is_secret(of)).map(|(name, _)| name.to_owned()));
        }
    }

    /// Remembers the files that a secret is written to.
    fn keep(&mut self, command: &Command, program: &Program<'_>, secret: bool) {
        let operands = || program.arguments().iter().filter(|word| !word.text.starts_with('-'));
        let copies = match program.name() {
            "tee" | "sponge" | "tar" | "zip" | "7z" | "openssl" | "gpg" => secret,
            "cp" | "mv" | "ln" | "install" => {
                copied(program.arguments()).iter().any(|word| self.is_secret_file(&word.text))
            }
            _ => false,
        };
        if program.name() == "git"
            && operands().next().is_some_and(|word| word.text == "add")
            && operands().any(|word| self.is_secret_file(&word.text))
        {
            self.files.insert(STAGED.to_owned());
        }
        let copies = operands().filter(|_| copies);
        let written = command.writes.iter().filter(|_| secret);
        let kept = written.chain(copies).map(|word| injection::file_name(&word.text));
        self.files.extend(kept.filter(|file| !file.is_empty() && file != "null" && file != "."));
    }

    fn judge(
        &self,
        command: &Command,
        program: &Program<'_>,
        source: Option<Source>,
        secret: bool,
    ) -> Option<&'static str> {
        let name = program.name();
        let arguments = program.arguments();
        if name == "git" && self.files.contains(STAGED) && arguments.iter().any(|word| word.text == "push") {
            return Some("secret_sent");
        }
        let to_server = || arguments.first().is_some_and(|word| word.text == "s_client");
        let sends = is_sender(name) && (name != "git" || git_leads_out(arguments))
            || (name == "openssl" && to_server());
        // In prose the names of some senders are words like others.
        let truly_sends = sends && (self.setting.manner == Manner::Line || !is_ordinary_word(name));
        let addressed = arguments.iter().any(|word| word.text.contains(['.', ':', '-', '@', '/']));
        if source.is_some_and(|source| source.environment) && truly_sends && addressed {
            return Some("secret_sent");
        }
        // Secrets come in by a pipe.
        if source.is_some_and(|source| source.secret) {
            if sends && !logs_in(arguments) {
                return Some("secret_sent");
            }
            if !command.piped && command.writes.is_empty() && shows(name) && !filters(program) {
                return Some("secret_printed");
            }
        }
        // `envsubst <<< '$API_KEY'`
        let put_in = |word: &Word| shell::names_in(&word.text).iter().any(|name| is_secret(name));
        if name == "envsubst"
            && !command.piped
            && command.writes.is_empty()
            && command.given.iter().any(put_in)
        {
            return Some("secret_printed");
        }
        // Nothing takes it up, so it is printed.
        let printed = !command.piped || self.setting.manner == Manner::Prose;
        if vaults::tells(name, arguments) && printed && command.writes.is_empty() {
            return Some("secret_printed");
        }
        if sends {
            return self.sends_secret(command, name, arguments).then_some("secret_sent");
        }
        if self.setting.manner == Manner::Line && secret && printed && dumps(name, arguments, command) {
            return Some("secret_printed");
        }
        let given =
            (shows(name) || is_printer(name)) && command.given.iter().any(|word| self.shows_secret(word));
        if given && printed && command.writes.is_empty() {
            return Some("secret_printed");
        }
        if is_printer(name) && arguments.iter().any(|word| self.shows_secret(word)) {
            // `echo "$TOKEN" | docker login --password-stdin` hands it over where it belongs; the
            // next command is judged for that.
            return (!command.piped).then_some("secret_printed");
        }
        None
    }

    /// Does the output of this command hold a secret?
    fn reads_secret(&self, command: &Command, program: &Program<'_>) -> bool {
        let name = program.name();
        let arguments = program.arguments();
        let operands = || {
            let set = matches!(name, "env" | "printenv");
            arguments.iter().filter(move |word| {
                let assigned = set && program::is_assignment(&word.text);
                !word.text.starts_with('-') && !assigned
            })
        };
        match name {
            // `print(ENV)` is a name in a program, and no command.
            "env" if program.words.first().is_some_and(|word| word.text == "ENV") => false,
            "env" | "printenv" | "set" | "gci" | "get-childitem" if self.setting.manner == Manner::Line => {
                match operands().next() {
                    None => arguments.is_empty() || name == "printenv" || name == "env",
                    Some(word) => {
                        (name == "printenv" && operands().any(|word| is_secret(&word.text)))
                            || word.text.eq_ignore_ascii_case("env:")
                    }
                }
            }
            "export" | "declare" | "typeset" => {
                (self.setting.manner == Manner::Line && arguments.is_empty())
                    || arguments.iter().any(|word| matches!(&*word.text, "-p" | "-x" | "-xp" | "-px"))
                        && operands().next().is_none()
            }
            "cat" | "less" | "more" | "head" | "tail" | "bat" | "xxd" | "base64" | "strings" | "od"
            | "hexdump" | "nl" | "paste" | "fold" | "fmt" | "expand" | "tac" | "type" | "gc"
            | "get-content" | "sort" | "rev" | "gzip" | "tar" | "zip" | "openssl" | "cut" | "dd" => {
                vaults::tells(name, arguments)
                    || operands()
                        .chain(&command.reads)
                        .any(|word| self.is_secret_file(word.text.trim_start_matches("if=")))
                    || command.given.iter().any(|word| self.shows_secret(word))
            }
            // The first word is what they do, and no file.
            "awk" | "sed" | "tr" | "jq" | "yq" => {
                vaults::tells(name, arguments)
                    || operands().skip(1).chain(&command.reads).any(|word| is_secret_file(&word.text))
                    || command.given.iter().any(|word| self.shows_secret(word))
            }
            "grep" | "rg" | "egrep" => {
                let quiet = arguments.iter().any(|word| {
                    word.text.starts_with('-')
                        && !word.text.starts_with("--")
                        && word.text.contains(['q', 'c', 'l'])
                });
                !quiet && operands().skip(1).any(|word| is_secret_file(&word.text))
            }
            name if is_printer(name) => {
                arguments.iter().chain(&command.given).any(|word| self.shows_secret(word))
            }
            _ => {
                vaults::tells(name, arguments) || command.reads.iter().any(|word| is_secret_file(&word.text))
            }
        }
    }

    /// Does this word show a secret when it is printed?
    fn shows_secret(&self, word: &Word) -> bool {
        word.names.iter().any(|name| is_secret(name) || self.held.contains(name))
            || self.substitutes_secret(word)
            || has_windows_secret(&word.text)
    }

    fn substitutes_secret(&self, word: &Word) -> bool {
        word.substitutions
            .iter()
            .flat_map(|inner| &inner.commands)
            .any(|command| self.reads_secret(command, &Program::of(command)))
    }

    /// Does a file of this name hold secrets, or was one written to it?
    fn is_secret_file(&self, path: &str) -> bool {
        is_secret_file(path) || self.files.contains(&injection::file_name(path.trim_start_matches('@')))
    }

    fn sends_secret(&self, command: &Command, name: &str, arguments: &[Word]) -> bool {
        if name == "gh" && logs_in(arguments) {
            return false;
        }
        let host =
            arguments.iter().map(|word| &*word.text).find(|text| text.contains("://")).unwrap_or_default();
        let mut flag = "";
        for word in arguments {
            let text = &*word.text;
            let behind_flag = std::mem::replace(&mut flag, text);
            let data = is_data_flag(behind_flag) || is_joined_data(text);
            // A file that goes along.
            let file = text.rsplit_once(['@', '<']).map(|(_, file)| file.split(';').next().unwrap_or(file));
            let sent_file = file.filter(|_| data).is_some_and(|file| self.is_secret_file(file))
                || (matches!(behind_flag, "-T" | "--upload-file" | "-a" | "--post-file" | "--body-file")
                    && self.is_secret_file(text))
                || text.strip_prefix("--post-file=").is_some_and(|file| self.is_secret_file(file))
                || (matches!(
                    name,
                    "scp"
                        | "rsync"
                        | "sftp"
                        | "ftp"
                        | "tftp"
                        | "aws"
                        | "gsutil"
                        | "rclone"
                        | "gh"
                        | "mail"
                        | "croc"
                        | "s3cmd"
                ) && self.is_secret_file(text)
                    && name_leads_out(name, arguments));
            if sent_file {
                return true;
            }
            let own = name == "git" && is_own_token(word);
            if (self.substitutes_secret(word) && !own) || substitutes_environment(word) {
                return true;
            }
            let secrets = word.names.iter().filter(|name| is_secret(name) || self.held.contains(*name));
            for secret in secrets.map(|name| &**name).chain(windows_secrets(text)) {
                let header = matches!(
                    behind_flag,
                    "-H" | "--header"
                        | "-u"
                        | "--user"
                        | "-A"
                        | "--oauth2-bearer"
                        | "-headers"
                        | "-Headers"
                        | "--password"
                        | "-p"
                ) || text.starts_with("-H")
                    || text.starts_with("--header")
                    || text.to_ascii_lowercase().contains("authorization");
                let user_info = text
                    .split_once("://")
                    .is_some_and(|(_, rest)| rest.split(['/', '?']).next().unwrap_or_default().contains('@'));
                if self.held.contains(secret) || !(header || user_info) || !belongs(secret, host) {
                    return true;
                }
            }
        }
        command.reads.iter().any(|word| self.is_secret_file(&word.text) || self.substitutes_secret(word))
            || command.given.iter().any(|word| self.shows_secret(word))
    }

    fn inside(&mut self, command: &Command, program: &Program<'_>, mention: bool, depth: usize) {
        // `eval echo \$API_KEY`
        if program.name() == "eval" && self.setting.manner == Manner::Line {
            let line: Vec<&str> = program.arguments().iter().map(|word| &*word.text).collect();
            self.again(&line.join(" "), command.span(), mention, depth);
        }
        match program.runs() {
            Runs::Line(word) => {
                self.beside(command, word, mention, depth);
                // `bash -c 'echo ${!1}' _ API_KEY`
                let behind = operands::behind(program.arguments(), word);
                if let Some(line) = operands::put_in(&word.text, behind) {
                    self.again(&line, Span::new(word.start, word.end), mention, depth);
                }
                self.again(&word.text, Span::new(word.start, word.end), mention, depth);
                return;
            }
            Runs::Code(word) => {
                self.beside(command, word, mention, depth);
                let from = self.found.len();
                // `node -p` prints the value of what it is given.
                let prints = matches!(program.name(), "node" | "nodejs" | "bun" | "deno")
                    && program.arguments().iter().any(|flag| matches!(&*flag.text, "-p" | "-pe" | "--print"));
                let code = if prints {
                    format!("console.log({})", word.text.trim_end_matches(';'))
                } else {
                    word.text.clone()
                };
                source::find(&code, 0, self.setting, self.found);
                // ``puts `env` `` starts a program as a shell does.
                let by_signs = matches!(program.name(), "ruby" | "perl" | "php" | "irb");
                if by_signs && word.text.contains('`') {
                    self.again(&word.text, Span::new(word.start, word.end), mention, depth);
                }
                for act in self.found.iter_mut().skip(from) {
                    act.span = Span::new(word.start, word.end);
                    act.mention |= mention;
                }
                return;
            }
            Runs::Input if program::is_shell(program.name()) => {
                for word in &command.given {
                    self.again(&word.text, Span::new(word.start, word.end), mention, depth);
                }
            }
            Runs::Input | Runs::File(_) | Runs::Nothing => {}
        }
        let all = command.words.iter().chain(&command.given);
        let data = program.is_data();
        for word in all {
            self.substituted(word, mention, depth);
            let may_be_line =
                word.quoted && word.text.contains(' ') && word.text.contains(['$', '|', '/', '@', '.']);
            if may_be_line && self.setting.strings == Strings::Run && !is_printer(program.name()) {
                self.again(&word.text, Span::new(word.start, word.end), mention || data, depth);
            }
        }
    }

    /// The words that stand beside the one that is run: a shell works out all of them first.
    fn beside(&mut self, command: &Command, run: &Word, mention: bool, depth: usize) {
        for word in command.words.iter().filter(|word| word.start != run.start) {
            self.substituted(word, mention, depth);
        }
    }

    fn substituted(&mut self, word: &Word, mention: bool, depth: usize) {
        for inner in &word.substitutions {
            // What a substitution prints goes into the word, and the word was judged.
            let nested: Vec<Command> =
                inner.commands.iter().map(|command| Command { piped: true, ..command.clone() }).collect();
            self.list(&nested, mention, depth);
        }
    }

    fn again(&mut self, text: &str, span: Span, mention: bool, depth: usize) {
        if depth >= DEEPEST {
            return;
        }
        let script = shell::read(text, 0, self.setting.manner);
        let from = self.found.len();
        self.list(&script.commands, mention, depth + 1);
        for act in self.found.iter_mut().skip(from) {
            act.span = span;
        }
    }
}

/// What `cp`, `mv`, `ln` or `install` copies: of several operands all but the last, which is where it goes. One
/// alone goes here, and behind `-t` stands where all of them go.
fn copied(arguments: &[Word]) -> Vec<&Word> {
    let (mut operands, mut directed) = (Vec::new(), false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if let Some(flag) = word.text.strip_prefix("--") {
            let (name, value) =
                flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
            if !name.is_empty() && "target-directory".starts_with(name) {
                directed = true;
                if value.is_none() {
                    words.next();
                }
            }
        } else if let Some(flags) = word.text.strip_prefix('-') {
            if let Some((_, value)) = flags.split_once('t') {
                directed = true;
                if value.is_empty() {
                    words.next();
                }
            }
        } else {
            operands.push(word);
        }
    }
    if !directed && operands.len() > 1 {
        operands.pop();
    }
    operands
}

/// Hands a secret over where one is asked for.
fn logs_in(arguments: &[Word]) -> bool {
    arguments
        .iter()
        .any(|word| matches!(&*word.text, "login" | "--password-stdin" | "--with-token" | "secret"))
}

fn is_printer(name: &str) -> bool {
    matches!(
        name,
        "echo"
            | "printf"
            | "print"
            | "puts"
            | "write-host"
            | "write-output"
            | "logger"
            | "wall"
            | "say"
            | "tee"
    )
}

/// Shows what comes in, one way or another.
fn shows(name: &str) -> bool {
    matches!(
        name,
        "cat"
            | "sort"
            | "less"
            | "more"
            | "head"
            | "tail"
            | "base64"
            | "xxd"
            | "rev"
            | "tr"
            | "od"
            | "hexdump"
            | "cut"
            | "awk"
            | "sed"
            | "grep"
            | "tac"
            | "nl"
            | "jq"
            | "gzip"
            | "strings"
            | "column"
            | "uniq"
            | "egrep"
            | "rg"
            | "logger"
            | "bat"
            | "out-string"
            | "xargs"
            | "fl"
            | "ft"
            | "format-list"
    )
}

/// Lets through only what has nothing to do with secrets: `env | grep PATH`.
fn filters(program: &Program<'_>) -> bool {
    let name = program.name();
    if matches!(name, "wc" | "sha256sum" | "md5sum" | "sha1sum" | "shasum") || keeps_names(program) {
        return true;
    }
    if !matches!(name, "grep" | "egrep" | "rg" | "findstr") {
        return false;
    }
    let flags = program.arguments().iter().filter(|word| word.text.starts_with('-'));
    if flags.clone().any(|word| !word.text.starts_with("--") && word.text.contains('v')) {
        return false;
    }
    if flags.clone().any(|word| !word.text.starts_with("--") && word.text.contains(['q', 'c'])) {
        return true;
    }
    let pattern = program.arguments().iter().find(|word| !word.text.starts_with('-'));
    pattern.is_some_and(|word| {
        let lower = word.text.to_ascii_lowercase();
        let telling = ["key", "token", "secret", "pass", "cred", "auth", "aws", "api", "pwd", "private"];
        let letters = lower.bytes().filter(u8::is_ascii_alphabetic).count();
        letters >= 3 && !telling.iter().any(|part| lower.contains(part))
    })
}

/// Lets through what stands in front of the equals sign: `env | cut -d= -f1`.
fn keeps_names(program: &Program<'_>) -> bool {
    let line: Vec<&str> = program.arguments().iter().map(|word| &*word.text).take(8).collect();
    let line = line.join(" ");
    match program.name() {
        "cut" => {
            let by_equals = line.contains("-d=") || line.contains("-d =") || line.contains("--delimiter==");
            let first = ["-f1", "-f 1", "--fields=1"].iter().any(|first| {
                line.split_once(first).is_some_and(|(_, rest)| !rest.starts_with([',', '-', '0', '1', '2']))
            });
            by_equals && first
        }
        "sed" => line.contains("s/=.*//"),
        "awk" | "gawk" => line.contains("-F=") && line.contains("{print $1}"),
        "grep" | "rg" => line.contains("-o") && line.contains("^[^=]"),
        _ => false,
    }
}

/// Does this command put its input or a file on the screen?
fn dumps(name: &str, arguments: &[Word], command: &Command) -> bool {
    if !command.writes.is_empty() {
        // Into nothing, or into a file that somebody may read later: not on the screen.
        return false;
    }
    match name {
        // Shell options are set so, too.
        "set" => arguments.is_empty(),
        "sed" => !arguments.iter().any(|word| word.text.starts_with("-i")),
        "dd" => !arguments.iter().any(|word| word.text.starts_with("of=")),
        "tar" | "zip" | "gzip" | "openssl" => false,
        _ => true,
    }
}

fn is_sender(name: &str) -> bool {
    program::is_fetcher(name) && !matches!(name, "links" | "certutil")
        || matches!(
            name,
            "scp"
                | "rsync"
                | "mail"
                | "mailx"
                | "sendmail"
                | "mutt"
                | "swaks"
                | "ping"
                | "host"
                | "aws"
                | "gh"
                | "croc"
                | "wormhole"
                | "ssh"
                | "mosquitto_pub"
                | "websocat"
                | "wscat"
                | "slackcat"
                | "invoke-restmethod"
                | "git"
        )
}

/// `git push https://…`: only these go anywhere, and only by an address.
fn git_leads_out(arguments: &[Word]) -> bool {
    let goes = |word: &Word| {
        matches!(
            &*word.text,
            "push" | "clone" | "fetch" | "pull" | "remote" | "ls-remote" | "submodule" | "config"
        )
    };
    arguments.iter().any(goes) && arguments.iter().any(|word| word.text.contains("://"))
}

/// A token of the very service that the address leads to, in the place for who asks.
fn is_own_token(word: &Word) -> bool {
    let host = host_of(&word.text);
    let user_info = word.text.split_once("://").is_some_and(|(_, rest)| {
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        authority.rsplit_once('@').is_some_and(|(user, _)| user.contains("$()"))
    });
    let asked = word.substitutions.iter().flat_map(|inner| &inner.commands).map(Program::of);
    let github = host == "github.com" || host.ends_with(".github.com");
    user_info && github && asked.into_iter().all(|program| program.name() == "gh")
}

/// `aws s3 cp .env s3://…`, `scp .env host:`, `gh gist create .env`.
fn name_leads_out(name: &str, arguments: &[Word]) -> bool {
    match name {
        "scp" | "rsync" | "sftp" => arguments.iter().any(|word| word.text.contains(':')),
        "aws" | "gsutil" | "rclone" | "s3cmd" => {
            arguments.iter().any(|word| word.text.contains("://") || word.text.contains(':'))
        }
        "gh" => arguments.first().is_some_and(|word| word.text == "gist" || word.text == "release"),
        _ => true,
    }
}

fn is_data_flag(flag: &str) -> bool {
    matches!(
        flag,
        "-d" | "--data"
            | "--data-binary"
            | "--data-raw"
            | "--data-urlencode"
            | "--data-ascii"
            | "-F"
            | "--form"
            | "--json"
            | "--post-data"
            | "--body-data"
            | "-body"
            | "-Body"
    )
}

/// `-d@.env`, `--data=@.env`, `-Ffile=@.env`.
fn is_joined_data(text: &str) -> bool {
    text.starts_with("-d@")
        || text.starts_with("-F")
        || text.starts_with("--data")
        || text.starts_with("--form=")
        || text.contains("=@")
        || text.starts_with('@')
}

/// `%AWS_SECRET_ACCESS_KEY%`, `$env:API_KEY`
fn has_windows_secret(text: &str) -> bool {
    windows_secrets(text).next().is_some()
}

/// The names of secrets between percent signs or behind `$env:`.
fn windows_secrets(text: &str) -> impl Iterator<Item = &str> {
    let name =
        |rest: &'_ str| rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let by_percent = text.match_indices('%').filter_map(move |(at, _)| {
        let rest = text.get(at + 1..)?;
        let name = rest
            .get(..name(rest))
            .filter(|name| rest.get(name.len()..).is_some_and(|rest| rest.starts_with('%')))?;
        // Of an address it may be an encoded byte: `%20token%20`.
        let mut letters = name.bytes();
        let (first, second) = (letters.next()?, letters.next()?);
        let byte = first.is_ascii_hexdigit() && second.is_ascii_hexdigit() && !name.contains('_');
        (first.is_ascii_alphabetic() && !byte).then_some(name)
    });
    let by_env = text.match_indices('$').filter_map(move |(at, _)| {
        let rest = text.get(at + 1..)?;
        let rest = rest.get(..4).filter(|env| env.eq_ignore_ascii_case("env:")).and(rest.get(4..))?;
        rest.get(..name(rest))
    });
    by_percent.chain(by_env).filter(|name| is_secret(name))
}

/// Does it print the whole environment?
fn is_environment(program: &Program<'_>) -> bool {
    let bare = program.arguments().is_empty();
    match program.name() {
        "env" | "printenv" => program.arguments().iter().all(|word| matches!(&*word.text, "-0" | "--null")),
        "set" => bare,
        "export" | "declare" | "typeset" => {
            program.arguments().iter().map(|word| &*word.text).eq(["-p"])
                || program.arguments().iter().map(|word| &*word.text).eq(["-x"])
        }
        "gci" | "get-childitem" | "dir" | "ls" => {
            program.arguments().first().is_some_and(|word| word.text.to_ascii_lowercase().starts_with("env:"))
        }
        _ => false,
    }
}

/// Does it print the names of variables?
fn lists_names(command: &Command) -> bool {
    let program = Program::of(command);
    let has = |flags: &[&str]| program.arguments().iter().any(|word| flags.contains(&&*word.text));
    match program.name() {
        "compgen" => has(&["-e", "-v", "export", "variable"]),
        "env" | "printenv" => is_environment(&program),
        _ => false,
    }
}

/// "Run env": an order at the end of a sentence.
fn ends_with_environment(command: &Command) -> bool {
    let [.., order, last] = &*command.words else { return false };
    matches!(&*last.text, "env" | "printenv")
        && (order.text.ends_with(':') || injection::is_order(&order.text))
}

fn substitutes_environment(word: &Word) -> bool {
    let commands = word.substitutions.iter().flat_map(|inner| &inner.commands);
    let mut commands = commands.map(Program::of).peekable();
    commands.peek().is_some_and(is_environment) && !commands.any(|program| filters(&program))
}

/// Senders whose names are words of other sentences, too.
fn is_ordinary_word(name: &str) -> bool {
    matches!(
        name,
        "host" | "http" | "https" | "links" | "mail" | "fetch" | "ping" | "aws" | "gh" | "ssh" | "dig"
    )
}

/// The host of an address, without who asks and without its port.
fn host_of(address: &str) -> String {
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.split(':').next().unwrap_or_default().to_ascii_lowercase()
}

/// May this secret be shown to that host? Its own service, or one that has no name in it.
fn belongs(secret: &str, address: &str) -> bool {
    let host = host_of(address);
    let host = &*host;
    let local = matches!(host, "" | "localhost" | "127.0.0.1" | "[" | "0.0.0.0")
        || host.starts_with('$')
        || host.ends_with(".local");
    let lower = secret.to_ascii_lowercase();
    let owner = lower.split('_').next().unwrap_or_default();
    let general = matches!(
        &*lower,
        "token"
            | "password"
            | "api_key"
            | "api_token"
            | "auth_token"
            | "access_token"
            | "bearer_token"
            | "apikey"
            | "jwt_token"
            | "id_token"
            | "test_token"
            | "ci_job_token"
            | "my_token"
            | "admin_token"
            | "user_token"
            | "service_token"
            | "session_token"
            | "refresh_token"
            | "x_api_key"
            | "secret_token"
            | "webhook_secret"
    );
    let by_name = match owner {
        "gh" => host.contains("github"),
        "hf" => host.contains("huggingface") || host == "hf.co",
        "jira" | "confluence" => host.contains("atlassian") || host.contains(owner),
        "cf" => host.contains("cloudflare"),
        "do" => host.contains("digitalocean"),
        "claude" => host.contains("anthropic"),
        "gemini" | "gcp" => host.contains("google"),
        _ => owner.len() >= 3 && host.contains(owner),
    };
    local || general || by_name
}

/// Is there anything in `text` that this could be about?
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    [
        "printenv",
        "env |",
        "env|",
        "export -p",
        "declare -x",
        "get-childitem env",
        "gci env",
        "dir env:",
        ".env",
        "_key",
        "_token",
        "_secret",
        "_password",
        "_passwd",
        "$token",
        "$secret",
        "$password",
        "${token",
        "${secret",
        "${password",
        "_pass",
        "get-secret-value",
        "kubectl get secret",
        "auth token",
        "/environ",
        "access_key",
        "apikey",
        "id_rsa",
        "id_ed25519",
        ".pem",
        "vault kv",
        "secrets versions access",
        "$(env",
        "`env",
        "export-secret",
        "credentials",
    ]
    .into_iter()
}
