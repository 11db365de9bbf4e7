//! What the commands around MCP take.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{ContextName, Format, HomeArguments};

/// Who is asking: said by whoever starts the gate, never by the client.
#[derive(Args, Debug)]
pub(crate) struct CallerArguments {
    /// Who asks
    #[arg(long, value_name = "NAME", default_value = "mcp")]
    pub(crate) agent: String,
    /// The skill to act with, or `outer/inner` for a skill that acts for another
    #[arg(long, value_name = "SKILL")]
    pub(crate) skill: Option<String>,
    /// Where the wishes come from
    #[arg(long, value_enum, default_value_t)]
    pub(crate) context: ContextName,
    /// The session that asks. A call that waits is taken up again by the session that made it
    #[arg(long, value_name = "NAME", default_value = "mcp")]
    pub(crate) session: String,
    /// Seconds to wait for a person, where one is needed, before answering that the call waits
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub(crate) wait: u64,
    /// The address of a page where people approve; the name of the call is put behind it. A client that opens pages
    /// is given it at once
    #[arg(long, value_name = "URL")]
    pub(crate) approvals: Option<mcp_door::ApprovalPage>,
    /// The gate's home [default: the nearest `.toolgate` upward from here]
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
}

/// What `toolgate mcp` takes.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  toolgate mcp --skill file_editor
  toolgate mcp --print-config claude --skill file_editor > .mcp.json
  toolgate mcp token add laptop --agent writer
  toolgate mcp --http 127.0.0.1:7879

Over pipes until standard input ends, or over HTTP until interrupted. A policy that is applied meanwhile is
followed at once; files that are changed and not applied close the gate until they are.")]
pub(crate) struct McpArguments {
    #[command(subcommand)]
    pub(crate) command: Option<McpCommand>,
    #[command(flatten)]
    pub(crate) caller: CallerArguments,
    /// Listen here for clients with a token, which says who they are
    #[arg(long, value_name = "ADDR", conflicts_with_all = ["agent", "skill", "context", "session"])]
    pub(crate) http: Option<SocketAddr>,
    /// Listen also where others on the network can reach it; put TLS in front
    #[arg(long, requires = "http")]
    pub(crate) beyond_loopback: bool,
    /// A name that clients may call this machine by, such as `gate.example.org:443`; may be repeated
    #[arg(long = "host", value_name = "NAME", requires = "http")]
    pub(crate) hosts: Vec<String>,
    /// Print what to put into the configuration of a client: claude, codex, cursor, vscode or gemini
    #[arg(long, value_name = "CLIENT", conflicts_with = "http")]
    pub(crate) print_config: Option<mcp_door::Client>,
}

/// What else `toolgate mcp` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Who may come in over HTTP
    Token {
        #[command(subcommand)]
        command: TokenCommand,
    },
}

/// What can be done about tokens.
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token, and print it once
    #[command(after_help = "Examples:
  toolgate mcp token add laptop --agent writer --skill file_editor")]
    Add(TokenAddArguments),
    /// List the tokens by their names
    List(HomeArguments),
    /// Take a token away: whoever shows it is nobody from now on
    Remove {
        /// Its name
        name: String,
        #[command(flatten)]
        home: HomeArguments,
    },
}

/// What `toolgate mcp token add` takes.
#[derive(Args, Debug)]
pub(crate) struct TokenAddArguments {
    /// What to call it: small letters, digits, `_` and `-`
    pub(crate) name: String,
    /// The agent that whoever shows it is
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: String,
    /// The skill that it acts with
    #[arg(long, value_name = "SKILL")]
    pub(crate) skill: Option<String>,
    /// Where its wishes come from
    #[arg(long, value_enum, default_value_t)]
    pub(crate) context: ContextName,
    #[command(flatten)]
    pub(crate) home: HomeArguments,
}

/// What `toolgate proxy` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate policy learn files -- mcp-server-filesystem .   then review it, and apply
  toolgate proxy --name files -- mcp-server-filesystem .
  toolgate proxy --servers servers.toml --skill web_research

servers.toml:
  [servers.files]
  command = [\"mcp-server-filesystem\", \".\"]    # also folder, start_seconds, call_seconds, result_kb, and what
                                              # it may touch: workspace, read, write, hosts, env, pass,
                                              # secrets, memory_mb
  [servers.tickets]
  url = \"https://tickets.example.org/mcp\"       # also bearer_env

A tool of a server is offered as `server.tool`, when `tools/<server>.toml` in the home says what it does and
its definition is the one that was reviewed. What is withheld is told on standard error.

A server that is started here runs in the jail. It finds what it is made of and the workspace as policy gives
it to calls; what it needs beside that has to stand in servers.toml, and is told on standard error.")]
pub(crate) struct ProxyArguments {
    #[command(flatten)]
    pub(crate) caller: CallerArguments,
    /// What the server is called, in front of the names of its tools
    #[arg(long, value_name = "SERVER", default_value = "server", conflicts_with = "servers")]
    pub(crate) name: String,
    /// A file with several servers
    #[arg(long, value_name = "FILE", required_unless_present = "argv", conflicts_with = "argv")]
    pub(crate) servers: Option<PathBuf>,
    /// The program to start, and its arguments
    #[arg(value_name = "COMMAND", last = true)]
    pub(crate) argv: Vec<String>,
}

/// What `toolgate policy learn` takes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  toolgate policy learn files -- mcp-server-filesystem . > .toolgate/tools/files.toml
  toolgate policy learn tickets --servers servers.toml > .toolgate/tools/tickets.toml

The server is started, or reached where servers.toml says that it is, and asked what tools it has. Nothing is
taken on trust, and nothing is in force before a person has looked at it: `toolgate policy apply`.")]
pub(crate) struct LearnArguments {
    /// What the server is called
    pub(crate) server: String,
    /// How to answer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// The file that says how this server is reached, and what it needs
    #[arg(long, value_name = "FILE", required_unless_present = "argv", conflicts_with = "argv")]
    pub(crate) servers: Option<PathBuf>,
    /// The program to start, and its arguments
    #[arg(value_name = "COMMAND", last = true)]
    pub(crate) argv: Vec<String>,
}
