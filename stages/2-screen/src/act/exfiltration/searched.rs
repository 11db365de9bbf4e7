//! Words without which no line in prose gives a secret away.

/// Is there anything in `text` that this could be about?
pub(in crate::act) fn words() -> impl Iterator<Item = &'static str> {
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
