//! What follows from a finding in a passage: by the role of the text, and by the text around it.

use std::cell::{Cell, OnceCell};
use std::sync::OnceLock;

use call::{Contraband, Family, Passage, Role, Span, Weight};
use regex::bytes::{Regex, RegexBuilder};

use super::is_one_word;
use crate::act::{self, Act, Text};
use crate::mention::{self, Layout, Standing, Syntax};
use crate::speech;

/// What a finding is judged by: the role of its text, and the text around it.
pub(super) struct Context<'t> {
    text: &'t str,
    role: Role,
    /// How the text is read for what it would make a machine do; nothing when that is only flagged.
    kind: Option<Text>,
    /// The path beside it.
    path: Option<&'t str>,
    /// Looked at when something was found.
    syntax: OnceCell<Syntax>,
    layout: OnceCell<Layout<'t>>,
    /// Strings of commands that only print, search for or keep them.
    data: Vec<act::Data>,
    /// Words of commands that are patterns to search by; looked at when something was found in disguise.
    patterns: OnceCell<Vec<Span>>,
    /// Lines that run what somebody else wrote.
    runs: Vec<Span>,
    /// A statement that starts programs or touches files.
    powerful: bool,
    /// How many more phrases are looked at closely.
    left: Cell<usize>,
}

/// Nobody speaks of more orders than this in one text. Behind them, everything counts as said.
const MOST: usize = 1_000;

impl<'t> Context<'t> {
    pub(super) fn new(passage: &'t Passage, path: Option<&'t str>, carried: &[Contraband]) -> Self {
        let text = &*passage.text;
        let powerful = passage.role == Role::Statement && runs_or_reads_files(text);
        let kind = match passage.role {
            Role::Content | Role::Draft | Role::Pattern => None,
            Role::Path => Some(Text::Prose),
            Role::Command => Some(Text::Line),
            Role::Code => Some(Text::Program),
            Role::Outbound => Some(Text::Message),
            Role::Statement => Some(if powerful { Text::Message } else { Text::Prose }),
            Role::Plain => Some(if is_command_like(text) { Text::Line } else { Text::Prose }),
        };
        let overridden = carried.iter().any(|found| found.family == Family::Override);
        let data =
            if passage.role == Role::Command && overridden { act::data_strings(text) } else { Vec::new() };
        let runs = carried
            .iter()
            .filter(|found| found.family == Family::Injection)
            .map(|found| found.span)
            .collect();
        Self {
            text,
            role: passage.role,
            kind,
            path,
            syntax: OnceCell::new(),
            layout: OnceCell::new(),
            data,
            patterns: OnceCell::new(),
            runs,
            powerful,
            left: Cell::new(MOST),
        }
    }

    /// How the text is read for what it would make a machine do.
    pub(super) const fn kind(&self) -> Option<Text> {
        self.kind
    }

    fn standing(&self, span: Span) -> Standing {
        self.layout.get_or_init(|| Layout::new(self.text, self.syntax())).standing(span)
    }

    fn syntax(&self) -> Syntax {
        *self.syntax.get_or_init(|| match self.role {
            Role::Content | Role::Draft => Syntax::of(self.path, self.text),
            Role::Code => Syntax::Program,
            Role::Outbound if self.text.trim_start().starts_with(['{', '[']) => Syntax::Json,
            Role::Path | Role::Command | Role::Outbound | Role::Pattern | Role::Statement | Role::Plain => {
                Syntax::Prose
            }
        })
    }

    pub(super) fn override_weight(&self, found: &Contraband) -> Weight {
        let text = self.text;
        match self.left.get().checked_sub(1) {
            Some(left) => self.left.set(left),
            None if self.role != Role::Pattern && self.syntax() != Syntax::Samples => return Weight::Refuse,
            None => {}
        }
        let mentioned = match self.role {
            Role::Pattern => true,
            Role::Path => false,
            Role::Command => {
                let around = |string: &&act::Data| {
                    string.span.start <= found.span.start && found.span.end <= string.span.end
                };
                self.data
                    .iter()
                    .find(around)
                    .is_some_and(|string| !string.kept || is_mention_inside(text, string.span, found))
            }
            Role::Statement => {
                self.standing(found.span) == Standing::Mentioned
                    && stored_string(text, found.span)
                        .is_none_or(|string| is_mention_inside(text, string, found))
            }
            Role::Code => self.standing(found.span) == Standing::Mentioned,
            Role::Plain | Role::Outbound => match self.standing(found.span) {
                Standing::Mentioned => true,
                Standing::Hidden => false,
                Standing::Said => speech::is_no_order(found.kind, text, found.span),
            },
            Role::Content | Role::Draft => match self.standing(found.span) {
                Standing::Mentioned => true,
                Standing::Hidden => false,
                Standing::Said => self.is_ordinary(found),
            },
        };
        // Data of a test and a pattern to search by ask nobody for anything.
        let data = self.role == Role::Pattern || self.syntax() == Syntax::Samples;
        let asked = || !data && speech::is_asked_for(text, found.span);
        if mentioned && !asked() { Weight::Flag } else { Weight::Refuse }
    }

    /// Said in content, and yet no order to whoever reads it.
    fn is_ordinary(&self, found: &Contraband) -> bool {
        let text = self.text;
        let behind = self.runs.partition_point(|run| run.end.saturating_add(600) < found.span.start);
        let near = self.runs.get(behind).is_some_and(|run| run.start < found.span.end.saturating_add(600));
        (found.kind == "run_to_fix" && mention::shows_what_to_run(text, found.span) && !near)
            || (found.kind == "policy_override" && is_infinitive(text, found.span))
            || (speech::is_no_order(found.kind, text, found.span) && !(near && found.kind == "run_to_fix"))
    }

    /// What follows from something that stands in the text only in disguise, as with its escapes read. A shell has
    /// read them, and what is left of them in a pattern is for the search.
    pub(super) fn disguised_weight(&self, found: &Contraband) -> Option<Weight> {
        let in_pattern = || {
            let patterns = self.patterns.get_or_init(|| act::patterns(self.text));
            let place = patterns.partition_point(|pattern| pattern.end <= found.span.start);
            patterns.get(place).is_some_and(|pattern| pattern.start <= found.span.start)
        };
        let sought = self.role == Role::Command && found.family == Family::Injection && in_pattern();
        let act = Act { family: found.family, kind: found.kind, span: found.span, mention: sought };
        self.act_weight(act)
    }

    /// What follows from something that the text would make a machine do; nothing when it only looks so.
    pub(super) fn act_weight(&self, act: Act) -> Option<Weight> {
        let text = self.text;
        let flag_if = |spoken: bool| Some(if spoken { Weight::Flag } else { Weight::Refuse });
        match self.role {
            Role::Content | Role::Draft | Role::Pattern => Some(Weight::Flag),
            Role::Path => (act.family != Family::Traversal).then_some(Weight::Refuse),
            Role::Command => flag_if(act.mention),
            Role::Code => Some(weigh_in_program(text, act)),
            Role::Outbound => {
                let quoted = !text.trim_start().starts_with(['{', '['])
                    && self.standing(act.span) == Standing::Mentioned;
                flag_if(act.mention || quoted)
            }
            Role::Statement | Role::Plain => match act.family {
                Family::Traversal => {
                    let counts = self.powerful
                        || (self.role == Role::Plain && self.kind == Some(Text::Line))
                        || is_one_word(text);
                    counts.then_some(Weight::Refuse)
                }
                Family::Exfiltration => flag_if(act.mention || !opens(text, act.span)),
                Family::Injection => {
                    let named =
                        self.role == Role::Plain && act.kind == "eval_substitution" && !opens(text, act.span);
                    flag_if(act.mention || named)
                }
                Family::Secret | Family::Override | Family::Payload => Some(Weight::Refuse),
            },
        }
    }
}

/// Nothing but a prompt stands in front.
fn opens(text: &str, span: Span) -> bool {
    let before = text.get(..span.start).filter(|before| before.len() < 200).unwrap_or("too far");
    before.trim().trim_matches(['$', '>', '#', '`', '"', '\'', '(', '%']).trim().is_empty()
}

/// Does a text begin as lines for a shell do?
fn is_command_like(text: &str) -> bool {
    let first = text
        .trim_start()
        .trim_start_matches(['$', '>', '`', '"', '\''])
        .split_whitespace()
        .next()
        .unwrap_or_default();
    let name = first.rsplit('/').next().unwrap_or(first);
    // A single word is the name of something; this one is nothing else.
    if is_one_word(text) {
        return name == "printenv";
    }
    is_program(name) && (!text.trim_start().starts_with("cat ") || text.contains(['|', '<', '>', '/']))
}

/// Is this the name of a program that lines for a shell often begin with?
fn is_program(name: &str) -> bool {
    matches!(
        name,
        "curl"
            | "wget"
            | "sh"
            | "bash"
            | "zsh"
            | "dash"
            | "sudo"
            | "eval"
            | "source"
            | "."
            | "env"
            | "printenv"
            | "python"
            | "python3"
            | "perl"
            | "ruby"
            | "node"
            | "php"
            | "powershell"
            | "pwsh"
            | "iwr"
            | "irm"
            | "iex"
            | "echo"
            | "cat"
            | "nc"
            | "ncat"
            | "socat"
            | "base64"
            | "exec"
            | "xargs"
            | "ssh"
            | "scp"
            | "nohup"
            | "docker"
            | "kubectl"
            | "export"
            | "cd"
            | "git"
    )
}

pub(super) fn weigh(act: Act) -> Weight {
    if act.mention { Weight::Flag } else { Weight::Refuse }
}

/// In a comment, or as what an assertion is about, it is spoken of.
fn weigh_in_program(text: &str, act: Act) -> Weight {
    const FAR: usize = 2_000;
    let from = text.floor_char_boundary(act.span.start.saturating_sub(FAR));
    let start =
        text.get(from..act.span.start).unwrap_or_default().rfind('\n').map_or(from, |place| from + place + 1);
    let line =
        text.get(start..text.floor_char_boundary(act.span.start.saturating_add(FAR))).unwrap_or_default();
    let line = line.get(..line.find('\n').unwrap_or(line.len())).unwrap_or_default();
    let bare = line.trim_start();
    let comment = ["#", "//", "* ", "/*", "--", "\"\"\""].iter().any(|sign| bare.starts_with(sign))
        && !bare.starts_with("#!");
    let asserted = ["assert", "expect(", "self.assert", "with pytest.raises", "@pytest", "it("]
        .iter()
        .any(|word| bare.starts_with(word));
    let reads = ["open(", "read", "system", "popen", "subprocess", "exec", "Path(", "load", "urlopen"]
        .iter()
        .any(|word| bare.contains(word));
    let spoken = act.mention || comment || (asserted && !reads && act.family != Family::Exfiltration);
    if spoken { Weight::Flag } else { Weight::Refuse }
}

/// The quotes around `string` belong to the line that it stands in. Is `found` a mention in the text between
/// them?
fn is_mention_inside(text: &str, string: Span, found: &Contraband) -> bool {
    let written = string.of(text).unwrap_or_default();
    let quotes = ['"', '\''];
    let (Some(open), Some(close)) = (written.find(quotes), written.rfind(quotes)) else { return false };
    let (from, to) = (string.start + open + 1, string.start + close);
    let Some(inner) = text.get(from..to).filter(|_| from <= found.span.start && found.span.end <= to) else {
        return false;
    };
    is_mention(inner, found.kind, Span::new(found.span.start - from, found.span.end - from))
}

/// Is a phrase of this kind only mentioned in a text that somebody will read?
pub(super) fn is_mention(text: &str, kind: &str, span: Span) -> bool {
    match Layout::new(text, Syntax::Prose).standing(span) {
        Standing::Mentioned => true,
        Standing::Hidden => false,
        Standing::Said => speech::is_no_order(kind, text, span),
    }
}

/// The string around `span` that a statement stores; nothing for one that it only compares with.
fn stored_string(text: &str, span: Span) -> Option<Span> {
    static STORES: OnceLock<Option<Regex>> = OnceLock::new();
    static COMPARES: OnceLock<Option<Regex>> = OnceLock::new();
    const FAR: usize = 1_000;
    let from = text.floor_char_boundary(span.start.saturating_sub(FAR));
    let before = text.get(from..span.start)?;
    let open = before.rfind('\'')?;
    let close = text.get(span.end..)?.find('\'')?;
    let front = before.get(..open)?;
    let build = |pattern: &str| RegexBuilder::new(pattern).unicode(false).build().ok();
    let stores = STORES.get_or_init(|| {
        build(r"(?i)\b(?:insert|replace|merge)\b[\s\S]*\b(?:values|select)\b|\bupdate\b[\s\S]*\bset\b")
    });
    let compares = COMPARES.get_or_init(|| build(r"(?i)\b(?:where|having|on)\b[^;]*$"));
    let is_in = |expression: &Option<Regex>| {
        expression.as_ref().is_some_and(|found| found.is_match(front.as_bytes()))
    };
    (is_in(stores) && !is_in(compares)).then(|| Span::new(from + open, span.end + close + 1))
}

/// "To disable the sandbox, pass …": what can be done, said to people.
fn is_infinitive(text: &str, span: Span) -> bool {
    let before = text
        .get(text.floor_char_boundary(span.start.saturating_sub(24))..span.start)
        .unwrap_or_default()
        .to_ascii_lowercase();
    let before = before.trim_end();
    let addressed = [
        "you to",
        "need to",
        "have to",
        "must",
        "please",
        "want to",
        "going to",
        "permission to",
        "permitted to",
        "authorized to",
        "authorised to",
    ]
    .iter()
    .any(|word| before.ends_with(word));
    let infinitive =
        [" to", "\nto", "can", "could", "may", "might", "would", "cannot", "that", "which", "will"]
            .iter()
            .any(|word| before.ends_with(word))
            || before == "to";
    infinitive && !addressed
}

/// Statements that start programs or touch files.
fn runs_or_reads_files(text: &str) -> bool {
    static POWERFUL: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r"(?i)\b(?:from|to)\s+program\b|\bxp_cmdshell\b|\bsys_exec\b|\bsys_eval\b|\bload_file\s*\(|\bpg_read\w*\s*\(|\bpg_ls_dir\s*\(|\breadfile\s*\(|\bwritefile\s*\(|\bedit\s*\(|\blo_(?:import|export)\b|\binto\s+(?:out|dump)file\b|\bload_extension\b|\bdblink\b|\battach\s+(?:database\s+)?'|\bopenrowset\b|\bbulk\s+insert\b|\bcopy\s+[\w.\x22]+[^;]{0,200}(?:from|to)\s+'|\bload\s+data\b";
    let powerful = POWERFUL.get_or_init(|| RegexBuilder::new(pattern).unicode(false).build().ok());
    powerful.as_ref().is_none_or(|powerful| powerful.is_match(text.as_bytes()))
}
