//! Values that stand where a secret would and are none: types, references, numbers, names, what was encrypted.

use super::letters::is_gibberish;

/// Base64 from the first to the last character, with or without padding.
pub(super) fn is_base64(value: &str) -> bool {
    let digits = value.trim_end_matches('=');
    value.len() - digits.len() <= 2
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
}

/// `enc:…`, with or without a version: what stands there is a block or more behind its vector.
pub(super) fn is_encrypted(value: &str) -> bool {
    const SHORTEST: usize = 40;
    let Some(("enc" | "ENC" | "Enc", rest)) = value.split_once(':') else { return false };
    let (version, data) = rest.rsplit_once(':').unwrap_or(("", rest));
    version.len() <= 16 && data.len() >= SHORTEST && data.len().is_multiple_of(4) && is_base64(data)
}

/// `!vault`, `!Ref`: a tag of YAML; `!loading`: the contrary of a variable. Both are words.
pub(super) fn is_tag(value: &str) -> bool {
    value
        .strip_prefix('!')
        .is_some_and(|tag| tag.bytes().all(|byte| byte.is_ascii_alphabetic()) && !is_gibberish(tag))
}

/// `Ed25519SigningKey`, `p256::SecretKey`: the type of the value. Of two words or of one for a key, with a number
/// between or in front of them; what is drawn at random has letters beside its words, and whoever thinks one up
/// puts the number at its end.
pub(super) fn is_kind_of_thing(value: &str) -> bool {
    let (path, name) = value.rsplit_once("::").unwrap_or(("", value));
    let bytes = name.as_bytes();
    // Of modules, which are words: `p256`, `ed25519_dalek`.
    let is_module = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_lowercase())
            && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
            && part.bytes().filter(u8::is_ascii_digit).count() <= 5
            && part.len() <= 16
    };
    if !bytes.first().is_some_and(u8::is_ascii_uppercase)
        || !bytes.last().is_some_and(u8::is_ascii_lowercase)
        || !bytes.iter().all(u8::is_ascii_alphanumeric)
        || !(path.is_empty() || path.split("::").all(is_module))
    {
        return false;
    }
    let (mut words, mut in_words, mut length) = (0, 0, 0);
    let mut end = |length: &mut usize| {
        if *length >= 3 {
            words += 1;
            in_words += *length;
        }
        *length = 0;
    };
    for byte in bytes {
        match byte {
            b'A'..=b'Z' => {
                end(&mut length);
                length = 1;
            }
            b'a'..=b'z' if length > 0 => length += 1,
            _ => end(&mut length),
        }
    }
    end(&mut length);
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    const ENDINGS: &[&str] = &["Key", "Keypair", "Secret", "Token", "Password", "Credential", "Credentials"];
    let of_secret = ENDINGS.iter().any(|word| name.ends_with(word));
    words >= 1 && of_secret && in_words * 3 >= letters * 2
}

/// Something that says where the value is, and is not the value.
pub(super) fn is_reference(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let code =
        value.contains(['(', '[', '{', '<', '`', '\\', '|']) || value.starts_with(['$', '&', '@', '*', '%']);
    let path = value.starts_with(['/', '.', '~']) || value.contains("://") || value.contains("/./");
    let hash =
        ["sha1", "sha256", "sha384", "sha512", "md5", "argon2", "bcrypt", "pbkdf2", "base64", "aes", "utf"];
    let named = [
        "env.",
        "env:",
        "process.",
        "os.",
        "self.",
        "args.",
        "config.",
        "settings.",
        "secrets.",
        "vault:",
        "vars.",
        "file:",
        "enc[",
        "{cipher}",
        "$ansible_vault",
    ];
    let dated = lower
        .bytes()
        .take(5)
        .enumerate()
        .all(|(at, byte)| if at < 4 { byte.is_ascii_digit() } else { byte == b'-' });
    code || path
        || dated
        || hash.iter().chain(&named).any(|start| lower.starts_with(start))
        || is_mail_address(value)
        || is_number(value)
        || is_identifier(value)
}

fn is_mail_address(value: &str) -> bool {
    let domain = value.split_once('@').map(|(_, domain)| domain);
    domain.is_some_and(|domain| {
        domain.contains('.')
            && domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
    })
}

pub(super) fn is_uuid(value: &str) -> bool {
    let mut lengths = value.split('-').map(str::len);
    value.len() == 36
        && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && [8, 4, 4, 4, 12].into_iter().all(|want| lengths.next() == Some(want))
}

/// A number as code writes it: `4096u32`, `0xC0420008_u32`.
fn is_number(value: &str) -> bool {
    let value = value.trim_start_matches('-');
    let digits = value.split_once(['u', 'i']).map_or(value, |(digits, _)| digits);
    let (digits, hex) = digits.strip_prefix("0x").map_or((digits, false), |digits| (digits, true));
    let digit = |byte: u8| byte == b'_' || if hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let kind = value.split_once(['u', 'i']).map_or("", |(_, kind)| kind);
    (hex || !kind.is_empty())
        && digits.len() <= 20
        && digits.bytes().all(digit)
        && matches!(kind, "" | "8" | "16" | "32" | "64" | "128" | "size")
}

/// The name of a constant or a variable: `DB_PASSWORD_2`, `next_token`.
fn is_identifier(value: &str) -> bool {
    let constant =
        value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let names =
        ["password", "secret", "token", "_key", "passwd", "credential", "privatekey", "publickey", "apikey"];
    let lower = value.to_ascii_lowercase();
    // `owner/home#assets/credentials`: where it lies.
    let place = value.matches(['/', '.']).count() >= 2
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/#._-@".contains(&byte))
        && lower.rsplit(['/', '.']).next().is_some_and(|last| names.iter().any(|name| last.contains(name)));
    place
        || (constant && value.contains('_'))
        || (value.len() < 32 && names.iter().any(|name| lower.contains(name)))
}
