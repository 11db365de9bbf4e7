//! Which names are names of secrets.

/// Is a variable of this name a secret? `GITHUB_TOKEN` is, `PORT`, `TOKEN_COUNT` and `PUBLIC_KEY` are not.
pub(super) fn is_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let parts: Vec<&str> = lower.split(['_', '-', '.']).filter(|part| !part.is_empty()).collect();
    let Some(last) = parts.last() else { return false };
    if OTHERS.iter().any(|other| lower == *other) || parts.iter().any(|part| HARMLESS.contains(part)) {
        return false;
    }
    let ends = |endings: &[&str]| {
        endings.iter().any(|ending| last == ending || (last.len() > ending.len() && last.ends_with(ending)))
    };
    if ends(&[
        "token",
        "secret",
        "password",
        "passwd",
        "passphrase",
        "credential",
        "credentials",
        "apikey",
        "secretkey",
        "privatekey",
        "accesskey",
        "pwd",
        "secrets",
        "tokens",
        "passcode",
    ]) {
        // The shell's own.
        return !matches!(&*lower, "pwd" | "oldpwd");
    }
    match *last {
        "key" | "keys" => {
            parts.len() >= 2
                && !parts.iter().any(|part| {
                    matches!(
                        *part,
                        "public"
                            | "primary"
                            | "foreign"
                            | "sort"
                            | "partition"
                            | "cache"
                            | "idempotency"
                            | "pub"
                            | "object"
                            | "s3"
                            | "row"
                            | "lookup"
                            | "map"
                            | "press"
                            | "index"
                    )
                })
        }
        "pass" | "pw" | "auth" | "pat" => parts.len() >= 2,
        "id" => matches!(parts.as_slice(), ["aws", "access", "key", "id"]),
        // `SECRET_KEY_BASE`, `PRIVATE_KEY_PEM`, `DATABASE_URL`
        "base" | "pem" | "b64" | "base64" | "value" | "json" => {
            parts.iter().any(|part| matches!(*part, "secret" | "key" | "token" | "password" | "credentials"))
        }
        "url" | "uri" | "dsn" => parts.iter().any(|part| {
            matches!(
                *part,
                "database" | "redis" | "mongo" | "mongodb" | "postgres" | "amqp" | "sentry" | "webhook"
            )
        }),
        _ => false,
    }
}

/// Parts that say it is not the secret itself but something about it.
const HARMLESS: &[&str] = &[
    "count",
    "limit",
    "length",
    "len",
    "max",
    "min",
    "file",
    "path",
    "name",
    "type",
    "ttl",
    "expiry",
    "public",
    "num",
    "id2",
    "placeholder",
    "header",
];

const OTHERS: &[&str] = &["key", "keys", "primary_key", "tokenizers_parallelism"];

/// Is this the name of a file that holds secrets?
pub(super) fn is_secret_file(path: &str) -> bool {
    let lower = path.trim_matches(['"', '\'', '@', '<']).to_ascii_lowercase();
    let name = lower.rsplit(['/', '\\']).next().unwrap_or(&lower);
    if [".example", ".sample", ".template", ".dist", ".pub", ".md", ".schema", ".defaults", ".test"]
        .iter()
        .any(|ending| name.ends_with(ending))
    {
        return false;
    }
    let mounted =
        ["/run/secrets/", "/var/secrets/", "/mnt/secrets/"].iter().any(|folder| lower.starts_with(folder));
    // Names that only mean this in their folder.
    let kept = [".kube/config", ".docker/config.json"].iter().any(|path| lower.ends_with(path));
    name == ".env"
        || kept
        || (mounted && !name.is_empty())
        || name.starts_with(".env.")
        || matches!(
            name,
            "id_rsa"
                | "id_dsa"
                | "id_ecdsa"
                | "id_ed25519"
                | ".netrc"
                | ".pgpass"
                | ".npmrc"
                | ".pypirc"
                | ".git-credentials"
                | "credentials"
                | "credentials.json"
                | "secrets.json"
                | "secrets.yml"
                | "secrets.yaml"
                | "secrets.toml"
                | "secret.yaml"
                | "kubeconfig"
                | ".htpasswd"
                | "service-account.json"
                | "serviceaccount.json"
                | "environ"
                | "shadow"
                | "terraform.tfstate"
                | "wallet.dat"
                | "master.key"
                | "credentials.yml.enc"
        )
        || (name.ends_with(".pem")
            && !["cert", "chain", "ca", "pub", "crt", "dhparam"].iter().any(|part| name.contains(part)))
        || [".key", ".p12", ".pfx", ".kdbx", ".jks", ".keystore", ".ppk"]
            .iter()
            .any(|ending| name.ends_with(ending) && name.len() > ending.len())
}

#[cfg(test)]
mod tests {
    use super::{is_secret, is_secret_file};

    #[test]
    fn secrets_are_told_by_their_names() {
        for name in [
            "API_KEY",
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "DB_PASSWORD",
            "OPENAI_API_KEY",
            "apiKey",
            "secret",
            "client_secret",
            "DATABASE_URL",
            "AWS_ACCESS_KEY_ID",
            "NPM_TOKEN",
            "SECRET_KEY_BASE",
            "MYSQL_PWD",
            "dbPassword",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "HOME",
            "PORT",
            "NODE_ENV",
            "PATH",
            "PWD",
            "OLDPWD",
            "TOKEN_COUNT",
            "MAX_TOKENS",
            "PUBLIC_KEY",
            "key",
            "PRIMARY_KEY",
            "CACHE_KEY",
            "monkey",
            "BASE_URL",
            "USER",
            "PASSWORD_FILE",
            "SECRET_NAME",
            "KEYBOARD",
            "TOKENIZER",
            "",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }

    #[test]
    fn files_of_secrets_are_told_by_their_names() {
        for name in [
            ".env",
            "./.env",
            ".env.production",
            "certs/server.key",
            "/home/a/.ssh/id_rsa",
            "@.env",
            "/proc/self/environ",
            "~/.kube/config",
            "/home/a/.docker/config.json",
        ] {
            assert!(is_secret_file(name), "{name}");
        }
        for name in [
            ".env.example",
            "id_rsa.pub",
            "README.md",
            "key.rs",
            ".envrc.md",
            "environment.yml",
            "kube/config",
        ] {
            assert!(!is_secret_file(name), "{name}");
        }
    }
}
