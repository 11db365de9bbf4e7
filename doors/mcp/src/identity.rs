//! Who is asking: fixed by whoever starts the door, or by the token that a client shows, never by the
//! client's own word.

use std::collections::BTreeMap;

use call::{CallContext, Sha256};
use data_encoding::BASE32_NOPAD;
use subtle::ConstantTimeEq;
use toml_edit::{DocumentMut, Item, Table, value};

/// Who is asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The agent.
    pub agent: String,
    /// The skill, or chain of skills, outermost first.
    pub skill: Option<String>,
    /// Where its wishes come from.
    pub context: CallContext,
}

/// A token, as it is kept: what it stands for, and a digest from which it cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What people call it.
    pub name: String,
    /// Whoever shows it is this one.
    pub identity: Identity,
    digest: Sha256,
}

impl Token {
    /// A new token made of 32 bytes of chance, and the text that a client shows, which is kept nowhere.
    ///
    /// # Errors
    /// When the name has anything but small letters, digits, `_` and `-`: it stands in names of sessions.
    pub fn new(name: &str, identity: Identity, chance: [u8; 32]) -> Result<(Self, String), BadTokens> {
        let shown = format!("tg_{}", BASE32_NOPAD.encode(&chance).to_ascii_lowercase());
        let name = named(name).map_err(BadTokens)?;
        Ok((Self { name, identity, digest: Sha256::of(shown.as_bytes()) }, shown))
    }
}

fn named(name: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    if (1..=32).contains(&name.len()) && name.bytes().all(fits) {
        return Ok(name.to_owned());
    }
    Err("the name of a token has up to 32 small letters, digits, `_` and `-`".to_owned())
}

/// The tokens that clients may show, by their names.
///
/// ```
/// use mcp_door::{Identity, Token, Tokens};
///
/// let identity = Identity { agent: "writer".into(), skill: None, context: Default::default() };
/// let (token, shown) = Token::new("laptop", identity, [7; 32])?;
/// let mut tokens = Tokens::default();
/// tokens.insert(token);
/// assert_eq!(tokens.find(&shown).unwrap().name, "laptop");
/// assert!(tokens.find("tg_guess").is_none());
/// assert_eq!(Tokens::parse(&tokens.to_string())?, tokens);
/// # Ok::<(), mcp_door::BadTokens>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens(BTreeMap<String, Token>);

/// A text is no list of tokens.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tokens: {0}")]
pub struct BadTokens(String);

impl Tokens {
    /// Reads tokens from TOML: `[tokens.NAME]` with `sha256`, `agent`, and perhaps `skill` and `context`.
    ///
    /// # Errors
    /// When anything of it is not understood. Tokens are taken all or not at all.
    pub fn parse(text: &str) -> Result<Self, BadTokens> {
        let bad = |message: String| BadTokens(message);
        let document: DocumentMut =
            text.parse().map_err(|error: toml_edit::TomlError| bad(error.message().to_owned()))?;
        let mut tokens = Self::default();
        for (key, item) in document.as_table() {
            if key != "tokens" {
                return Err(bad(format!("there is no key `{key}`; write `[tokens.NAME]`")));
            }
            let table = item.as_table_like().ok_or_else(|| bad("`tokens` is not a table".to_owned()))?;
            for (name, item) in table.iter() {
                let token = token(name, item).map_err(|message| bad(format!("`{name}`: {message}")))?;
                tokens.insert(token);
            }
        }
        Ok(tokens)
    }

    /// Adds a token, or puts it in the place of the one with its name.
    pub fn insert(&mut self, token: Token) {
        self.0.insert(token.name.clone(), token);
    }

    /// Takes a token away: whoever shows it is nobody from now on.
    pub fn remove(&mut self, name: &str) -> Option<Token> {
        self.0.remove(name)
    }

    /// The tokens, in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Token> {
        self.0.values()
    }

    /// Whether this very token is among them: not another one of its name, and not for somebody else.
    pub(crate) fn holds(&self, token: &Token) -> bool {
        self.0.get(&token.name) == Some(token)
    }

    /// The token that this text is. How long it takes says nothing about how near a guess was.
    #[must_use]
    pub fn find(&self, shown: &str) -> Option<&Token> {
        let digest = Sha256::of(shown.as_bytes());
        let mut found = None;
        for token in self.0.values() {
            if bool::from(token.digest.as_bytes().as_slice().ct_eq(digest.as_bytes().as_slice())) {
                found = Some(token);
            }
        }
        found
    }
}

fn token(name: &str, item: &Item) -> Result<Token, String> {
    let table = item.as_table_like().ok_or("it is not a table")?;
    let (mut digest, mut agent, mut skill, mut context) = (None, None, None, CallContext::Agent);
    for (key, item) in table.iter() {
        let text = item.as_str().ok_or_else(|| format!("`{key}` is not text"))?;
        match key {
            "sha256" => {
                digest = Some(text.parse::<Sha256>().map_err(|_| "`sha256` is not 64 hexadecimal digits")?);
            }
            "agent" => agent = Some(text.to_owned()),
            "skill" => skill = Some(text.to_owned()),
            "context" => {
                let known = CallContext::ALL.iter().find(|(spelling, _)| *spelling == text);
                context = known.ok_or_else(|| format!("there is no context `{text}`"))?.1;
            }
            unknown => return Err(format!("there is no key `{unknown}`")),
        }
    }
    let identity = Identity { agent: agent.ok_or("it has no `agent`")?, skill, context };
    Ok(Token { name: named(name)?, identity, digest: digest.ok_or("it has no `sha256`")? })
}

impl std::fmt::Display for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut all = Table::new();
        all.set_implicit(true);
        for token in self.iter() {
            let mut table = Table::new();
            table.insert("sha256", value(token.digest.to_string()));
            table.insert("agent", value(&token.identity.agent));
            if let Some(skill) = &token.identity.skill {
                table.insert("skill", value(skill));
            }
            table.insert("context", value(token.identity.context.as_str()));
            all.insert(&token.name, Item::Table(table));
        }
        let mut document = DocumentMut::new();
        if !self.0.is_empty() {
            document.insert("tokens", Item::Table(all));
        }
        write!(f, "{document}")
    }
}

#[cfg(test)]
mod tests {
    use call::CallContext;

    use super::{Identity, Token, Tokens};

    #[test]
    fn a_token_cannot_be_told_from_what_is_kept() {
        let identity = Identity {
            agent: "writer".into(),
            skill: Some("web_research".into()),
            context: CallContext::Agent,
        };
        let (token, shown) = Token::new("laptop", identity, [7; 32]).unwrap();
        let mut tokens = Tokens::default();
        tokens.insert(token);
        assert!(!tokens.to_string().contains(&shown));
        insta::assert_snapshot!(tokens, @r#"
        [tokens.laptop]
        sha256 = "66f8a97e8944f58c16cab2dae02ec9f0995de1d1549a553a6d6157b2d88ad9ff"
        agent = "writer"
        skill = "web_research"
        context = "agent"
        "#);
        assert!(tokens.find(&shown).is_some());
        assert!(tokens.find(&shown.to_ascii_uppercase()).is_none());
        assert!(tokens.find("").is_none());
        tokens.remove("laptop");
        assert!(tokens.find(&shown).is_none());
    }

    #[test]
    fn tokens_that_are_not_understood_let_nobody_in() {
        for text in [
            "[tokens.a]\nagent = 'x'",
            "[tokens.a]\nsha256 = 'zz'\nagent = 'x'",
            "[tokens.a]\nsha256 = '66f8a97e8944f58c16cab2dae02ec9f0995de1d1549a553a6d6157b2d88ad9ff'",
            "[token.a]\nagent = 'x'",
            "[tokens.a]\nsha256 = '66f8a97e8944f58c16cab2dae02ec9f0995de1d1549a553a6d6157b2d88ad9ff'\nagent = 'x'\ncontext = 'root'",
            "[tokens.a]\nsha256 = '66f8a97e8944f58c16cab2dae02ec9f0995de1d1549a553a6d6157b2d88ad9ff'\nagent = 'x'\nscope = 'all'",
            "[tokens.'a b']\nsha256 = '66f8a97e8944f58c16cab2dae02ec9f0995de1d1549a553a6d6157b2d88ad9ff'\nagent = 'x'",
            "[[",
        ] {
            assert!(Tokens::parse(text).is_err(), "{text}");
        }
        assert_eq!(Tokens::parse("").unwrap(), Tokens::default());
    }
}
