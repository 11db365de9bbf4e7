//! What a client is told so that it starts this door.

use std::str::FromStr;

use serde_json::{Value, json};

/// A client whose configuration is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// Claude Code and Claude Desktop.
    Claude,
    /// Codex.
    Codex,
    /// Cursor.
    Cursor,
    /// Visual Studio Code.
    Vscode,
    /// Gemini CLI.
    Gemini,
}

/// No client has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of claude, codex, cursor, vscode, gemini")]
pub struct UnknownClient;

impl Client {
    /// All of them, with their spellings.
    pub const ALL: [(&'static str, Self); 5] = [
        ("claude", Self::Claude),
        ("codex", Self::Codex),
        ("cursor", Self::Cursor),
        ("vscode", Self::Vscode),
        ("gemini", Self::Gemini),
    ];
}

impl FromStr for Client {
    type Err = UnknownClient;

    fn from_str(text: &str) -> Result<Self, UnknownClient> {
        Self::ALL.iter().find(|(name, _)| *name == text).map(|(_, client)| *client).ok_or(UnknownClient)
    }
}

/// How a client starts this door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Door {
    /// The program.
    pub program: String,
    /// Its arguments, such as `mcp --skill web_research`.
    pub arguments: Vec<String>,
}

/// What to put into the configuration of a client, with the place of it as a comment where the format has
/// comments, and nothing else, so that it can be piped into a file.
#[must_use]
pub fn print_config(client: Client, door: &Door) -> String {
    let server = json!({"command": door.program, "args": door.arguments});
    let typed = json!({"type": "stdio", "command": door.program, "args": door.arguments});
    match client {
        Client::Claude => pretty(&json!({"mcpServers": {"toolgate": typed}})),
        Client::Cursor | Client::Gemini => pretty(&json!({"mcpServers": {"toolgate": server}})),
        Client::Vscode => pretty(&json!({"servers": {"toolgate": typed}})),
        Client::Codex => {
            let mut table = toml_edit::Table::new();
            table.insert("command", toml_edit::value(&door.program));
            let arguments: toml_edit::Array = door.arguments.iter().collect();
            table.insert("args", toml_edit::value(arguments));
            let mut servers = toml_edit::Table::new();
            servers.set_implicit(true);
            servers.insert("toolgate", toml_edit::Item::Table(table));
            let mut document = toml_edit::DocumentMut::new();
            document.insert("mcp_servers", toml_edit::Item::Table(servers));
            document.to_string()
        }
    }
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::{Client, Door, print_config};

    #[test]
    fn each_client_is_told_in_its_own_words() {
        let door = Door {
            program: "toolgate".to_owned(),
            arguments: ["mcp", "--skill", "web \"research\""].map(str::to_owned).to_vec(),
        };
        let told: String = Client::ALL
            .iter()
            .map(|(name, client)| format!("# {name}\n{}", print_config(*client, &door)))
            .collect();
        insta::assert_snapshot!(told, @r##"
        # claude
        {
          "mcpServers": {
            "toolgate": {
              "type": "stdio",
              "command": "toolgate",
              "args": [
                "mcp",
                "--skill",
                "web \"research\""
              ]
            }
          }
        }
        # codex
        [mcp_servers.toolgate]
        command = "toolgate"
        args = ["mcp", "--skill", 'web "research"']
        # cursor
        {
          "mcpServers": {
            "toolgate": {
              "command": "toolgate",
              "args": [
                "mcp",
                "--skill",
                "web \"research\""
              ]
            }
          }
        }
        # vscode
        {
          "servers": {
            "toolgate": {
              "type": "stdio",
              "command": "toolgate",
              "args": [
                "mcp",
                "--skill",
                "web \"research\""
              ]
            }
          }
        }
        # gemini
        {
          "mcpServers": {
            "toolgate": {
              "command": "toolgate",
              "args": [
                "mcp",
                "--skill",
                "web \"research\""
              ]
            }
          }
        }
        "##);
        assert_eq!("codex".parse(), Ok(Client::Codex));
        assert!("emacs".parse::<Client>().is_err());
    }
}
