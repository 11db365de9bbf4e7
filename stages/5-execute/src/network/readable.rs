//! A page as the text that a person would read: without scripts, styles, comments and what is hidden.
//!
//! Read token by token, without a tree: a page of a stranger is as deep as it likes, and a tree would be too.
//! What is hidden by a style sheet rather than by the element itself is not found out; everything that comes
//! from outside is labelled untrusted whether it was hidden or not.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use call::WebAddress;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};
use url::Url;

use super::style::hides;

/// What can be read on a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Readable {
    pub(super) title: String,
    pub(super) text: String,
}

/// Elements inside each other that are told apart.
const DEEPEST: usize = 512;

/// Bytes that are read between two looks at the clock.
const PIECE: usize = 4_096;

/// How long a page may take. A tag with a hundred thousand attributes takes longer than anybody waits.
const PATIENCE: Duration = Duration::from_secs(2);

/// Elements whose content nobody reads.
const UNREAD: [&str; 19] = [
    "script", "style", "noscript", "template", "iframe", "object", "svg", "canvas", "audio", "video",
    "noembed", "noframes", "datalist", "head", "map", "applet", "frameset", "embed", "portal",
];

/// Elements that have no content.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// Elements that stand on lines of their own.
const BLOCKS: [&str; 37] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tr",
    "ul",
];

/// Reads a page that lies at an address.
pub(super) fn readable(page: &str, url: &WebAddress) -> Readable {
    let reader = Reader(RefCell::new(State::new(Url::parse(&url.to_string()).ok())));
    let tokenizer = Tokenizer::new(reader, Default::default());
    let begun = Instant::now();
    let mut rest = page;
    while !rest.is_empty() && begun.elapsed() < PATIENCE {
        let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE.min(rest.len())));
        rest = behind;
        let queue = BufferQueue::default();
        queue.push_back(piece.into());
        // Nothing is ever run, so the tokenizer never stops for it.
        while !queue.is_empty() {
            let _ = tokenizer.feed(&queue);
        }
    }
    if rest.is_empty() {
        tokenizer.end();
    }
    tokenizer.sink.0.into_inner().finish()
}

struct Reader(RefCell<State>);

impl TokenSink for Reader {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => return state.open(&tag),
            Token::TagToken(tag) => state.close(&tag.name),
            Token::CharacterTokens(text) => state.text(&text),
            Token::DoctypeToken(_)
            | Token::CommentToken(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

/// An element that is open.
struct Open {
    name: String,
    hidden: bool,
    /// Where a link leads, and where its text begins.
    link: Option<(String, usize)>,
}

struct State {
    base: Option<Url>,
    open: Vec<Open>,
    /// How many of the open elements hide what is in them.
    hiding: usize,
    preformatted: usize,
    /// Whether something was hidden deeper than elements are told apart.
    lost: bool,
    title: String,
    /// Whether the title is over; there is one.
    titled: bool,
    text: String,
    /// Whether a blank is due before the next word.
    blank: bool,
}

impl State {
    fn new(base: Option<Url>) -> Self {
        Self {
            base,
            open: Vec::new(),
            hiding: 0,
            preformatted: 0,
            lost: false,
            title: String::new(),
            titled: false,
            text: String::new(),
            blank: false,
        }
    }

    fn open(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        let attribute =
            |wanted: &str| tag.attrs.iter().find(|own| &*own.name.local == wanted).map(|own| &*own.value);
        self.close_implied(name);
        if BLOCKS.contains(&name) {
            self.end_line();
        }
        match name {
            "br" => self.push_line(),
            "li" => self.mark("- "),
            "td" | "th" => self.blank = true,
            _ => {}
        }
        if VOID.contains(&name) || (tag.self_closing && matches!(name, "svg" | "math")) {
            return TokenSinkResult::Continue;
        }
        let hidden = UNREAD.contains(&name)
            || attribute("hidden").is_some()
            || attribute("style").is_some_and(hides)
            || (name == "dialog" && attribute("open").is_none());
        if self.open.len() < DEEPEST {
            let link = if name == "a" { attribute("href").and_then(|href| self.link(href)) } else { None };
            let start = self.text.len();
            let link = link.map(|link| (link, start));
            self.hiding += usize::from(hidden);
            self.preformatted += usize::from(name == "pre");
            self.open.push(Open { name: name.to_owned(), hidden, link });
        } else {
            self.lost |= hidden;
        }
        match name {
            "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => {
                TokenSinkResult::RawData(RawKind::Rawtext)
            }
            "plaintext" => TokenSinkResult::Plaintext,
            _ => TokenSinkResult::Continue,
        }
    }

    /// Ends of elements that nobody has to write.
    fn close_implied(&mut self, next: &str) {
        let (ends, until): (&[&str], &[&str]) = match next {
            "body" => (&["head"], &[]),
            "li" => (&["li"], &["ul", "ol", "menu"]),
            "dt" | "dd" => (&["dt", "dd"], &["dl"]),
            "tr" => (&["tr", "td", "th"], &["table"]),
            "td" | "th" => (&["td", "th"], &["table", "tr"]),
            "option" | "optgroup" => (&["option"], &["select"]),
            block if BLOCKS.contains(&block) => {
                (&["p"], &["td", "th", "li", "div", "section", "article", "button"])
            }
            _ => return,
        };
        let stops = |open: &Open| until.contains(&open.name.as_str());
        let from = self.open.iter().rposition(stops).map_or(0, |place| place + 1);
        let found = self.open.iter().skip(from).position(|open| ends.contains(&open.name.as_str()));
        if let Some(found) = found {
            self.cut(from + found);
        }
    }

    fn close(&mut self, name: &str) {
        if let Some(place) = self.open.iter().rposition(|open| open.name == name) {
            self.cut(place);
        }
        self.titled |= name == "title" && !self.title.is_empty();
        if BLOCKS.contains(&name) {
            self.end_line();
        }
    }

    /// Closes everything from this place on.
    fn cut(&mut self, place: usize) {
        for closed in self.open.split_off(place.min(self.open.len())).into_iter().rev() {
            self.hiding -= usize::from(closed.hidden);
            self.preformatted -= usize::from(closed.name == "pre");
            if let Some((link, start)) = closed.link {
                let own = self.text.get(start..).unwrap_or_default().trim();
                if !own.is_empty() && own != link && self.hiding == 0 {
                    self.text.push_str(&format!(" ({link})"));
                }
            }
        }
    }

    /// Where a link leads, if that is somewhere on the web.
    fn link(&self, href: &str) -> Option<String> {
        const LONGEST: usize = 300;
        if href.len() > LONGEST || href.starts_with('#') {
            return None;
        }
        let url = self.base.as_ref()?.join(href).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| url.to_string())
    }

    fn text(&mut self, text: &str) {
        if self.open.last().is_some_and(|open| open.name == "title") {
            if !self.titled && !self.open.iter().any(|open| open.name == "svg") {
                self.title.push_str(text);
            }
            return;
        }
        if self.hiding > 0 || self.lost {
            return;
        }
        if self.preformatted > 0 {
            self.text.push_str(text);
            return;
        }
        for character in text.chars() {
            if matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}') {
                self.blank = true;
            } else {
                if self.blank && !self.text.is_empty() && !self.text.ends_with(['\n', ' ']) {
                    self.text.push(' ');
                }
                self.blank = false;
                self.text.push(character);
            }
        }
    }

    /// The next word begins a line.
    fn end_line(&mut self) {
        self.blank = false;
        if self.hiding == 0 && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn push_line(&mut self) {
        self.blank = false;
        // Three line ends say no more than two.
        if self.hiding == 0 && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn mark(&mut self, mark: &str) {
        if self.hiding == 0 {
            self.text.push_str(mark);
        }
    }

    fn finish(self) -> Readable {
        let lines = self.text.lines().map(str::trim_end).filter(|line| *line != "-");
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        Readable { title, text: lines.collect::<Vec<_>>().join("\n").trim().to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use call::WebAddress;

    use super::readable;

    fn text(page: &str) -> String {
        readable(page, &WebAddress::parse("https://example.org/a/").unwrap()).text
    }

    #[test]
    fn a_page_becomes_what_a_person_reads() {
        let page = "<!doctype html><html><head><title>The &amp; title</title><style>p{}</style></head><body>\
            <h1>Head</h1><p>One  <b>two</b>\n three.<p>Four<br>five<ul><li>a<li>b</ul>\
            <table><tr><td>x<td>y<tr><td>z</table><pre>  keep\n   this</pre>\
            <p>See <a href='b?c'>here</a> or <a href='#part'>there</a>.</body></html>";
        let url = WebAddress::parse("https://example.org/a/").unwrap();
        let read = readable(page, &url);
        assert_eq!(read.title, "The & title");
        insta::assert_snapshot!(read.text, @"
        Head
        One two three.
        Four
        five
        - a
        - b
        x y
        z
          keep
           this
        See here (https://example.org/a/b?c) or there.
        ");
    }

    #[test]
    fn no_script_style_comment_or_hidden_text_comes_through() {
        for page in [
            "<script>secret</script>",
            "<script>if (a < b) '</scr' + 'ipt>'; secret</script>",
            "<SCRIPT SRC=x>secret</SCRIPT >",
            "<style>secret</style>",
            "<!-- secret -->",
            "<!-- a --!> <!-- secret -->",
            "<div hidden>secret</div>",
            "<div hidden=until-found><p>a<p>secret</div>",
            "<div style='display: none'><div><b>secret</b></div></div>",
            "<span style=\"font-size:0\">secret</span>",
            "<template>secret</template>",
            "<noscript>secret</noscript>",
            "<iframe srcdoc='secret'>secret</iframe>",
            "<svg><text>secret</text></svg>",
            "<dialog>secret</dialog>",
            "<img alt='secret' title='secret'>",
            "<input value='secret'>",
            "<p hidden>secret",
            "<![CDATA[secret]]>",
            "<?php secret ?>",
            "<a title='secret'></a>",
        ] {
            let read = text(&format!("<p>before</p>{page}"));
            assert!(read.contains("before"), "{page}: {read}");
            assert!(!read.contains("secret"), "{page}: {read}");
        }
    }

    #[test]
    fn what_stands_behind_hidden_text_is_still_read() {
        for page in [
            "<div hidden>x</div><p>after",
            "<p hidden>x<p>after",
            "<ul><li hidden>x<li>after</ul>",
            "<script>x</script>after",
            "<svg/>after",
            "<svg><path d=''/></svg>after",
            "<div style='display:none'><p>x</div>after",
            "<dialog open>after</dialog>",
            "<details><summary>s</summary>after</details>",
            "<p>a < b and after",
            "<textarea>after</textarea>",
            "<head><meta charset=utf-8><body>after",
        ] {
            assert!(text(page).contains("after"), "{page}: {}", text(page));
        }
    }

    #[test]
    fn no_page_takes_longer_than_anybody_waits() {
        let begun = std::time::Instant::now();
        let attributes: String = (0..100_000).map(|number| format!("a{number} ")).collect();
        for page in [
            "<div>".repeat(100_000),
            "</div>".repeat(100_000),
            "<p>".repeat(100_000),
            format!("<div {attributes}>text</div>"),
            "<".repeat(200_000),
            "&".repeat(200_000),
            "<!--".repeat(50_000),
            "<a href=x>".repeat(50_000),
        ] {
            let _ = text(&page);
        }
        assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
    }
}
