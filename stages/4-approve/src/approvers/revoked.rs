//! Keys and certificates that count no more, whatever the file of approvers says.

use std::fmt;

use crate::signature::{BadKey, Certificate, Key};

/// What was revoked.
///
/// One on a line: a public key, its fingerprint (`SHA256:…`), or a line as ssh-keygen(1) takes for a list of
/// revoked keys: `key:`, `sha256:`, `sha1:`, `hash:`, `serial:`, `id:`. Numbers and names of certificates hold
/// for every authority.
#[derive(Clone, Debug, Default)]
pub struct Revoked(Vec<(usize, Item)>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Key(Key),
    Fingerprint(String),
    Serial(u64, u64),
    Id(String),
}

/// What is wrong with a file of revoked keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadRevocation {
    /// It is a list in OpenSSH's own binary form.
    #[error(
        "the file of revoked keys is a binary KRL; write one public key or fingerprint on each line instead"
    )]
    Binary,
    /// It is not text.
    #[error("the file of revoked keys is not UTF-8 text")]
    NotText,
    /// Lines of it cannot be taken.
    #[error("{}", Told(.0))]
    Lines(Vec<(usize, &'static str)>),
}

struct Told<'a>(&'a [(usize, &'static str)]);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> = self.0.iter().map(|(line, why)| format!("line {line}: {why}")).collect();
        f.write_str(&told.join("; "))
    }
}

impl Revoked {
    /// Reads a file of revoked keys, whole or not at all.
    ///
    /// # Errors
    /// [`BadRevocation`] says what is wrong with it, by line.
    pub fn parse(bytes: &[u8]) -> Result<Self, BadRevocation> {
        if bytes.starts_with(b"SSHKRL") {
            return Err(BadRevocation::Binary);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| BadRevocation::NotText)?;
        let mut items = Vec::new();
        let mut wrong = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim_matches([' ', '\t', '\r']);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match item(line) {
                Ok(item) => items.push((number, item)),
                Err(why) => wrong.push((number, why)),
            }
        }
        if wrong.is_empty() { Ok(Self(items)) } else { Err(BadRevocation::Lines(wrong)) }
    }

    /// The line that revokes a key.
    pub(crate) fn key(&self, key: &Key) -> Option<usize> {
        let fingerprint = key.fingerprint();
        let hit = |item: &Item| match item {
            Item::Key(revoked) => revoked == key,
            Item::Fingerprint(revoked) => *revoked == fingerprint,
            Item::Serial(..) | Item::Id(_) => false,
        };
        self.0.iter().find(|(_, item)| hit(item)).map(|(line, _)| *line)
    }

    /// The line that revokes a certificate, its key or its authority, and which of them.
    pub(crate) fn certificate(&self, certificate: &Certificate) -> Option<(&'static str, usize)> {
        let hit = |item: &Item| match item {
            Item::Serial(first, last) => (*first..=*last).contains(&certificate.serial),
            Item::Id(id) => *id == certificate.id,
            Item::Key(_) | Item::Fingerprint(_) => false,
        };
        let named = self.0.iter().find(|(_, item)| hit(item)).map(|(line, _)| ("the certificate", *line));
        let key = || self.key(&certificate.key).map(|line| ("the key", line));
        let authority = || self.key(&certificate.authority).map(|line| ("the authority", line));
        named.or_else(key).or_else(authority)
    }
}

fn item(line: &str) -> Result<Item, &'static str> {
    let spec = line.split_once(':').map(|(name, value)| (name.to_ascii_lowercase(), value.trim()));
    match spec.as_ref().map(|(name, value)| (name.as_str(), *value)) {
        Some(("key" | "sha1", value)) => key(value),
        Some(("sha256", value)) if value.contains(' ') => key(value),
        Some(("sha256", _)) => fingerprint(line),
        Some(("hash", value)) => fingerprint(value),
        Some(("serial", value)) => serial(value).ok_or("expected a number, or two with `-` between them"),
        Some(("id", "")) => Err("expected the name of a certificate"),
        Some(("id", value)) => Ok(Item::Id(value.to_owned())),
        Some(_) | None => key(line),
    }
}

fn fingerprint(text: &str) -> Result<Item, &'static str> {
    let wrong = "expected `SHA256:` and 43 characters of base 64";
    let digest = text.strip_prefix("SHA256:").ok_or(wrong)?.trim_end_matches('=');
    match data_encoding::BASE64_NOPAD.decode(digest.as_bytes()) {
        Ok(bytes) if bytes.len() == 32 => Ok(Item::Fingerprint(format!("SHA256:{digest}"))),
        Ok(_) | Err(_) => Err(wrong),
    }
}

fn serial(text: &str) -> Option<Item> {
    let number = |text: &str| match text.trim().strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.trim().parse().ok(),
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (number(first)?, number(last)?);
    (first <= last).then_some(Item::Serial(first, last))
}

fn key(text: &str) -> Result<Item, &'static str> {
    let mut words = text.split_ascii_whitespace();
    let (Some(kind), Some(base64)) = (words.next(), words.next()) else {
        return Err("expected a public key or a fingerprint `SHA256:…`");
    };
    match Key::from_words(kind, base64) {
        Ok(key) => Ok(Item::Key(key)),
        Err(BadKey::Form) => Err("the key cannot be read"),
        // Such a key counts nowhere, so that there is nothing to revoke; but somebody meant to.
        Err(BadKey::Kind(_)) => Err("keys of this kind are not taken, and need not be revoked"),
        Err(BadKey::Rsa(_)) => Err("RSA keys of this size are not taken, and need not be revoked"),
    }
}
