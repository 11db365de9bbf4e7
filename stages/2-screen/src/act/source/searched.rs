//! Words without which no program reads a secret.

/// Words without which no program reads a secret.
pub(in crate::act) const WORDS: &[&str] = &[
    "environ",
    "getenv",
    "process.env",
    "env[",
    "env.fetch",
    "env.to_h",
    "env.each",
    "env.inspect",
    "$_env",
    "$_server",
    "env::var",
    "env.get(",
    "getenvironmentvariable",
    "import.meta.env",
    "$env:",
    "phpinfo(",
    "lookupenv",
    "env.toobject",
    "\".env",
    "'.env",
    "secret}",
    "secret)",
    "api_key}",
    "password}",
    "id_rsa",
    "env(",
];

/// The same, too common to be looked for in everything.
pub(in crate::act) const FILES: &[&str] = &[
    "env!",
    "env [",
    "env.map",
    "env.to_a",
    "env.sort",
    "bun.env",
    "${env:",
    "ls env:",
    ".netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".git-cred",
    "secrets.",
    "secret.yaml",
    "kubeconfig",
    ".htpasswd",
    "service-account",
    "serviceaccount",
    "tfstate",
    "wallet.dat",
    "shadow",
    "id_dsa",
    "id_ecdsa",
    ".key",
    ".p12",
    ".pfx",
    ".kdbx",
    ".jks",
    ".keystore",
    ".ppk",
];

/// How names of secret values end.
pub(in crate::act) const VALUES: &[&str] = &[
    "secret",
    "password",
    "api_key",
    "apikey",
    "private_key",
    "secret_key",
    "credentials",
    "passwd",
    "access_key",
    "secrets",
];

/// Could the name that ends here be the value of a pair? `"key": secret,`
pub(in crate::act) fn is_posted(text: &str, start: usize, end: usize) -> bool {
    let behind = text.as_bytes().get(end..).unwrap_or_default().trim_ascii_start();
    let before = text.as_bytes().get(start.saturating_sub(80)..start).unwrap_or_default();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    let name = before.iter().rev().take_while(|&&byte| is_name(byte)).count();
    let before = before.get(..before.len() - name).unwrap_or_default().trim_ascii_end();
    matches!(behind.first(), Some(b',' | b'}' | b')' | b']'))
        && before.ends_with(b":") | before.ends_with(b"=")
}
