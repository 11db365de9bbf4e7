//! The module `uuid`, which the interpreter does not have.
//!
//! A prelude in Python that is run before a program that imports it, as a source of its own, so that
//! places in the program stay what they are. What Python cannot do there (chance and digests) are three
//! functions of the host, found by their exact names.

use md5::{Digest, Md5};
use monty_types::{ExcType, MontyException, MontyObject};
use rustix::rand::{GetRandomFlags, getrandom};
use sha1::Sha1;

/// The attribute of a `UUID` that is its text.
pub(crate) const TEXT: &str = "_text";

/// Names that the prelude calls and the host answers.
pub(crate) const FUNCTIONS: [&str; 3] = ["_uuid_random_", "_uuid_md5_", "_uuid_sha1_"];

/// The source that binds the module to a name.
pub(crate) fn prelude(name: &str) -> String {
    format!("{}\n{name} = _make()\n_make = None\n", include_str!("uuid.py"))
}

/// What a function of the host answers; nothing for any other name.
pub(crate) fn answer(name: &str, arguments: &[MontyObject]) -> Option<Result<MontyObject, MontyException>> {
    let answer = match (name, arguments) {
        ("_uuid_random_", []) => random(),
        ("_uuid_md5_", [MontyObject::Bytes(bytes)]) => Ok(Md5::digest(bytes).to_vec()),
        ("_uuid_sha1_", [MontyObject::Bytes(bytes)]) => Ok(Sha1::digest(bytes).to_vec()),
        (name, _) if FUNCTIONS.contains(&name) => {
            Err(MontyException::new(ExcType::TypeError, Some(format!("{name}: other arguments"))))
        }
        _ => return None,
    };
    Some(answer.map(MontyObject::Bytes))
}

fn random() -> Result<Vec<u8>, MontyException> {
    let mut bytes = [0_u8; 16];
    match getrandom(&mut bytes, GetRandomFlags::empty()) {
        Ok(16) => Ok(bytes.to_vec()),
        Ok(_) | Err(_) => Err(MontyException::runtime_error("no randomness")),
    }
}
