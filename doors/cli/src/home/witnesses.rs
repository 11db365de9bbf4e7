//! The witnesses of a home's ledger, and what each of them has seen.
//!
//! What is remembered here only tells where a push begins; whoever owns the machine can change it. The proof
//! that the ledger was not put back is what the witnesses keep themselves.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};
use verify::cosignature::WitnessKey;

use super::toml_problem;
use crate::ordinary;

/// All witnesses of a ledger. Nobody else changes them while this lives.
#[derive(Debug)]
pub(crate) struct Witnesses {
    path: PathBuf,
    _lock: File,
    pub(crate) all: Vec<Witness>,
}

/// Somebody who keeps checkpoints.
#[derive(Clone, Debug)]
pub(crate) struct Witness {
    pub(crate) name: String,
    pub(crate) target: Target,
    /// What its cosignatures are checked by.
    pub(crate) key: Option<WitnessKey>,
    /// A file with the authorities that vouch for its address; without one, those of the web.
    pub(crate) authorities: Option<PathBuf>,
    pub(crate) seen: Option<Seen>,
}

/// What a witness was given last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) size: u64,
    /// The signed checkpoint, with what the witness has added to it.
    pub(crate) note: String,
}

/// Where a witness is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A file to which checkpoints are appended.
    File(PathBuf),
    /// A ref of a repository on this machine.
    Git(Reference),
    /// A server that cosigns; the address below which `add-checkpoint` is.
    Http(String),
}

/// A ref of a repository on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) repository: PathBuf,
    /// Its full name, `refs/...`.
    pub(crate) name: String,
}

/// Why a text does not say where a witness is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadTarget {
    #[error("`{0}` is neither `file:PATH`, `git:REPOSITORY#REF` nor an `http://` or `https://` address")]
    Unknown(String),
    #[error("`{0}` names no file")]
    NoFile(String),
    #[error("`{0}` is not of the form `git:REPOSITORY#REF`")]
    NoReference(String),
    #[error("`{0}` is not an address of a host, without a name, a question or a fragment")]
    NoAddress(String),
}

/// Why there is no list of witnesses to work with.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadWitnesses {
    #[error("`{path}`: {}", crate::terminal::reason(source))]
    File { path: String, source: io::Error },
    #[error("`{path}`: {why}")]
    Form { path: String, why: String },
}

const FILE: &str = "witnesses.toml";

/// Bytes of it that are read.
const LARGEST: u64 = 16 * 1024 * 1024;

impl Witnesses {
    /// The witnesses of the ledger in this folder; waits for whoever else works on them.
    pub(crate) fn open(folder: &Path) -> Result<Self, BadWitnesses> {
        let path = folder.join(FILE);
        let failed = |source| BadWitnesses::File { path: path.display().to_string(), source };
        let lock = File::open(folder).map_err(failed)?;
        rustix::fs::flock(&lock, FlockOperation::LockExclusive).map_err(|errno| failed(errno.into()))?;
        let all = match ordinary::read_text(&path, LARGEST) {
            Ok(text) => {
                parse(&text).map_err(|why| BadWitnesses::Form { path: path.display().to_string(), why })?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(source) => return Err(failed(source)),
        };
        Ok(Self { path, _lock: lock, all })
    }

    /// Writes all of them down, whole or not at all.
    pub(crate) fn save(&self) -> Result<(), BadWitnesses> {
        let beside = self.path.with_extension("toml.new");
        let written = fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&beside)
            .and_then(|mut file| {
                file.write_all(document(&self.all).to_string().as_bytes())?;
                file.sync_all()
            })
            .and_then(|()| fs::rename(&beside, &self.path))
            .and_then(|()| self.path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all()));
        written.map_err(|source| BadWitnesses::File { path: self.path.display().to_string(), source })
    }
}

fn document(all: &[Witness]) -> DocumentMut {
    let mut tables = ArrayOfTables::new();
    for witness in all {
        let mut table = Table::new();
        table.insert("name", value(&witness.name));
        table.insert("target", value(witness.target.to_string()));
        if let Some(key) = &witness.key {
            table.insert("key", value(key.to_string()));
        }
        if let Some(path) = &witness.authorities {
            table.insert("ca", value(path.display().to_string()));
        }
        if let Some(seen) = &witness.seen {
            // A number of TOML has 63 bits, and no ledger comes near that.
            table.insert("size", value(i64::try_from(seen.size).unwrap_or(i64::MAX)));
            table.insert("note", value(&seen.note));
        }
        tables.push(table);
    }
    let mut document = DocumentMut::new();
    document.insert("witness", Item::ArrayOfTables(tables));
    document
}

fn parse(text: &str) -> Result<Vec<Witness>, String> {
    let document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| toml_problem(text, &error))?;
    let Some(tables) = document.get("witness") else { return Ok(Vec::new()) };
    let tables = tables.as_array_of_tables().ok_or("`witness` is not a list of tables")?;
    tables.iter().map(witness).collect()
}

fn witness(table: &Table) -> Result<Witness, String> {
    let text = |name: &str| table.get(name).and_then(Item::as_str);
    let name = text("name").filter(|name| is_name(name)).ok_or("a witness has no name")?;
    let target = text("target").ok_or_else(|| format!("the witness `{name}` has no target"))?;
    let target = Target::parse(target, Path::new("/")).map_err(|error| error.to_string())?;
    let key = text("key").map(str::parse).transpose();
    let key = key.map_err(|error| format!("the key of the witness `{name}`: {error}"))?;
    let size = table.get("size").and_then(Item::as_integer).and_then(|size| u64::try_from(size).ok());
    let seen = match (size, text("note")) {
        (Some(size), Some(note)) => Some(Seen { size, note: note.to_owned() }),
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => {
            return Err(format!("the witness `{name}` has only one of `size` and `note`"));
        }
    };
    let authorities = text("ca").map(PathBuf::from);
    Ok(Witness { name: name.to_owned(), target, key, authorities, seen })
}

/// Can a witness be called so? Such names can be printed anywhere.
pub(crate) fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(plain) && !name.starts_with(['.', '-'])
}

impl Target {
    /// Where this text says that a witness is; paths begin at `here`.
    pub(crate) fn parse(text: &str, here: &Path) -> Result<Self, BadTarget> {
        if let Some(path) = text.strip_prefix("file:") {
            let named = !path.is_empty() && !path.ends_with('/') && Path::new(path).file_name().is_some();
            let path = here.join(path);
            // It is written down as text.
            let named = named && path.to_str().is_some();
            return if named { Ok(Self::File(path)) } else { Err(BadTarget::NoFile(text.to_owned())) };
        }
        if text.starts_with("git:") {
            return Reference::parse(text, here).map(Self::Git);
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            let bad = || BadTarget::NoAddress(text.to_owned());
            let address: ureq::http::Uri = text.parse().map_err(|_| bad())?;
            let host = address.authority().filter(|authority| !authority.as_str().contains('@'));
            let plain = address.query().is_none() && !text.contains('#');
            let host = host.filter(|host| !host.host().is_empty() && plain);
            return host.map(|_| Self::Http(text.trim_end_matches('/').to_owned())).ok_or_else(bad);
        }
        Err(BadTarget::Unknown(text.to_owned()))
    }
}

impl Reference {
    /// The ref that `git:REPOSITORY#REF` names; a plain name is one of a branch.
    pub(crate) fn parse(text: &str, here: &Path) -> Result<Self, BadTarget> {
        let bad = || BadTarget::NoReference(text.to_owned());
        let (repository, name) =
            text.strip_prefix("git:").and_then(|rest| rest.rsplit_once('#')).ok_or_else(bad)?;
        let name = if name.starts_with("refs/") { name.to_owned() } else { format!("refs/heads/{name}") };
        // What git allows, and less: no name can be taken for an option, a range or a second ref.
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte);
        let parts = |name: &str| {
            name.split('/')
                .all(|part| !part.is_empty() && !part.starts_with(['.', '-']) && !part.ends_with(".lock"))
        };
        let good = name.bytes().all(plain) && parts(&name) && !name.contains("..") && !name.ends_with('.');
        if repository.is_empty() || !good || name.split('/').count() < 3 {
            return Err(bad());
        }
        let repository = here.join(repository);
        if repository.to_str().is_none() { Err(bad()) } else { Ok(Self { repository, name }) }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Git(reference) => write!(f, "git:{}#{}", reference.repository.display(), reference.name),
            Self::Http(address) => f.write_str(address),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Seen, Target, Witness, document, is_name, parse};

    #[test]
    fn a_target_is_a_file_a_ref_or_an_address() {
        let cases = [
            ("file:kept/checkpoints", Some("file:/here/kept/checkpoints")),
            ("file:/mnt/kept", Some("file:/mnt/kept")),
            ("file:", None),
            ("file:kept/", None),
            ("git:../log#main", Some("git:/here/../log#refs/heads/main")),
            ("git:/log#refs/witness/gate", Some("git:/log#refs/witness/gate")),
            ("git:/log", None),
            ("git:#main", None),
            ("git:/log#", None),
            ("git:/log#--exec=x", None),
            ("git:/log#a..b", None),
            ("git:/log#a/.b", None),
            ("git:/log#a.lock", None),
            ("git:/log#a b", None),
            ("git:/log#refs/a", None),
            ("http://127.0.0.1:8080/w/", Some("http://127.0.0.1:8080/w")),
            ("https://witness.example", Some("https://witness.example")),
            ("https://ada:secret@witness.example", None),
            ("https://witness.example/?a", None),
            ("https://witness.example/#a", None),
            ("https://", None),
            ("ftp://witness.example", None),
            ("kept/checkpoints", None),
        ];
        for (text, want) in cases {
            let got = Target::parse(text, Path::new("/here")).ok().map(|target| target.to_string());
            assert_eq!(got.as_deref(), want, "{text}");
        }
    }

    #[test]
    fn names_can_be_printed_anywhere() {
        let long = "a".repeat(65);
        let cases =
            [("backup", true), ("a.b-c_1", true), ("", false), ("-a", false), ("A", false), (&long, false)];
        for (name, want) in cases {
            assert_eq!(is_name(name), want, "{name}");
        }
    }

    #[test]
    fn witnesses_are_read_as_they_were_written() {
        let target = |text| Target::parse(text, Path::new("/")).unwrap();
        let key = "witness.example/w+bbabb70a+BNdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea";
        let all = [
            Witness {
                name: "a".to_owned(),
                target: target("file:/a \"b\""),
                key: None,
                authorities: None,
                seen: Some(Seen { size: 7, note: "x\n7\n\n\u{2014} x y\n".to_owned() }),
            },
            Witness {
                name: "b".to_owned(),
                target: target("https://witness.example"),
                key: Some(key.parse().unwrap()),
                authorities: Some("/etc/ours.pem".into()),
                seen: None,
            },
        ];
        let text = document(&all).to_string();
        let read = parse(&text).unwrap();
        assert_eq!(format!("{read:?}"), format!("{all:?}"), "{text}");
        assert!(parse("").unwrap().is_empty());
        let bad = [
            "[[witness]]",
            "[[witness]]\nname = \"a\"",
            "witness = 1",
            "[[witness]]\nname = \"a\"\ntarget = \"file:/a\"\nsize = 1",
        ];
        for text in bad {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
