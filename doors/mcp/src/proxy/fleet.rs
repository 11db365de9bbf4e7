//! All servers behind the gate.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use call::{BUILT_IN_TOOLS, Content, Done, Errand, Fault, Reason, ReasonCode, ToolName};
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, JsonObject};
use serde_json::{Value, json};

use super::collision::collisions;
use super::definition::Definition;
use super::downstream::{Downstream, Shared, Trouble};
use super::{Launcher, Pins, Screen, Servers};

/// How long servers may take together to say what they have. Clients do not wait long for a list.
const LISTING: Duration = Duration::from_secs(20);

/// Whoever puts credentials into the arguments of a call.
type Reveal<'r> = &'r dyn Fn() -> Result<JsonObject, Fault>;

/// All servers behind the gate.
pub struct Fleet {
    runtime: Option<tokio::runtime::Runtime>,
    servers: BTreeMap<String, Shared>,
    pins: Mutex<Pins>,
    screen: Screen,
    /// What was said last, so that one server is asked again without the others.
    said: Mutex<BTreeMap<String, Vec<Definition>>>,
}

/// The servers could not be looked after at all.
#[derive(Debug, thiserror::Error)]
#[error("there is no runtime for the servers behind the gate")]
pub struct FleetError(#[from] std::io::Error);

/// A tool that may be offered to agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// `server.tool`
    pub name: String,
    /// What its server says that it does. It was screened, and is still the word of somebody else.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub schema: Value,
}

/// A tool, or a server, that is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withheld {
    /// `server.tool`, or the server.
    pub name: String,
    /// Why, in one word.
    pub code: &'static str,
    /// Why, in a sentence.
    pub reason: String,
    /// What would change that.
    pub remedy: String,
}

impl Fleet {
    /// Takes the servers. None is started before it is asked for something.
    ///
    /// # Errors
    /// When the machine gives no runtime.
    pub fn new(
        servers: &Servers,
        pins: Pins,
        screen: Screen,
        launcher: Arc<dyn Launcher>,
    ) -> Result<Self, FleetError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("mcp-proxy")
            .enable_all()
            .build()?;
        let servers = servers.iter().map(|entry| {
            let server = Downstream::new(entry.clone(), Arc::clone(&launcher));
            (entry.name.clone(), Arc::new(server))
        });
        Ok(Self {
            runtime: Some(runtime),
            servers: servers.collect(),
            pins: Mutex::new(pins),
            screen,
            said: Mutex::default(),
        })
    }

    /// Whether a tool is one of these servers'.
    #[must_use]
    pub fn owns(&self, tool: &str) -> bool {
        tool.split_once('.').is_some_and(|(server, _)| self.servers.contains_key(server))
    }

    /// What may be offered, and what not and why. Asks all servers, at the same time. Blocks.
    pub fn tools(&self) -> (Vec<Offer>, Vec<Withheld>) {
        let mut withheld = Vec::new();
        for (server, heard) in self.ask() {
            match heard {
                Ok(definitions) => {
                    self.said.lock().unwrap_or_else(PoisonError::into_inner).insert(server, definitions);
                }
                Err(trouble) => {
                    self.said.lock().unwrap_or_else(PoisonError::into_inner).remove(&server);
                    withheld.push(Withheld {
                        reason: format!("the server `{server}` is not available: {}", self.clean(&trouble)),
                        name: server,
                        code: "server_unavailable",
                        remedy: "look at `servers.toml`, and whether the server runs by itself".to_owned(),
                    });
                }
            }
        }
        let said: Vec<Definition> =
            self.said.lock().unwrap_or_else(PoisonError::into_inner).values().flatten().cloned().collect();
        let mut offers = Vec::new();
        for (definition, standing) in self.judge(&said) {
            match standing {
                Ok(()) => offers.push(Offer {
                    name: definition.name(),
                    description: definition.text("description").to_owned(),
                    schema: definition
                        .value
                        .get("inputSchema")
                        .cloned()
                        .unwrap_or_else(|| json!({"type": "object"})),
                }),
                Err(no) => withheld.push(no),
            }
        }
        (offers, withheld)
    }

    /// What each server says about its tools, for whoever drafts mappings. Blocks.
    pub fn definitions(&self) -> Vec<Definition> {
        self.ask().into_iter().flat_map(|(_, heard)| heard.unwrap_or_default()).collect()
    }

    fn ask(&self) -> Vec<(String, Result<Vec<Definition>, Trouble>)> {
        let Some(runtime) = &self.runtime else { return Vec::new() };
        let asked: Vec<_> = self
            .servers
            .iter()
            .map(|(name, server)| {
                let server = Arc::clone(server);
                (name.clone(), runtime.spawn(async move { server.definitions().await }))
            })
            .collect();
        let mut heard = Vec::new();
        let end = tokio::time::Instant::now() + LISTING;
        for (name, task) in asked {
            // One that is not there in time goes on getting ready, and is there the next time.
            let answer = runtime.handle().block_on(async { tokio::time::timeout_at(end, task).await });
            let late = || Err(Trouble::Slow(LISTING.as_secs()));
            heard.push((
                name,
                answer.map_or_else(|_| late(), |answer| answer.unwrap_or(Err(Trouble::Gone(String::new())))),
            ));
        }
        heard
    }

    /// How each definition stands to what a person has reviewed.
    fn judge<'d>(&self, said: &'d [Definition]) -> Vec<(&'d Definition, Result<(), Withheld>)> {
        let names: Vec<String> = said.iter().map(Definition::name).collect();
        let found = collisions(names.iter().map(String::as_str).chain(BUILT_IN_TOOLS));
        let mut pins = self.pins.lock().unwrap_or_else(PoisonError::into_inner);
        let mut judged = Vec::new();
        for (definition, name) in said.iter().zip(&names) {
            let others = found.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
            judged.push((definition, standing(definition, name, others, &mut pins, &self.screen)));
        }
        judged
    }

    /// Does what was decided about a tool of one of these servers: the last step on the path of a call.
    ///
    /// The definition is looked at once more, so that a tool that was changed since it was listed is not
    /// called. What comes back is as long as it may be, and untrusted.
    ///
    /// # Errors
    /// When the tool may not be called, or the server did not do it.
    pub fn run(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        self.run_with(errand, &|| Ok(errand.arguments.values().clone()))
    }

    /// The same, with arguments in which somebody puts credentials at the last moment.
    ///
    /// # Errors
    /// As [`Fleet::run`], and when that could not be done.
    pub fn run_with(&self, errand: &Errand<'_>, reveal: Reveal<'_>) -> Result<Done, Fault> {
        let gone = || Fault::failed("server_unavailable", "no server behind the gate has this tool");
        let (server, tool) = errand.tool.as_str().split_once('.').ok_or_else(gone)?;
        let runtime = self.runtime.as_ref().ok_or_else(gone)?;
        let downstream = self.servers.get(server).ok_or_else(gone)?;
        let most = errand.walls.max_runtime_seconds.map(|seconds| Duration::from_secs(u64::from(seconds)));
        let limit = most.map_or(downstream.entry.call, |most| most.min(downstream.entry.call));
        runtime.handle().block_on(async {
            let work = async {
                self.look_again(downstream, server, errand.tool).await?;
                // What a handle stands for is put in last, and goes to the server and nowhere else.
                let arguments = reveal()?;
                downstream.call(tool, arguments).await.map_err(|trouble| self.fault(server, &trouble))
            };
            let unwanted = async {
                while !errand.cancelled.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            };
            let (answer, lane) = tokio::select! {
                answer = work => answer?,
                () = unwanted => return Err(Fault::Cancelled),
                () = tokio::time::sleep(limit) => {
                    let message = format!("the server `{server}` did not answer within {} seconds", limit.as_secs());
                    return Err(Fault::TimedOut { message });
                }
            };
            let done = self.done(server, errand, answer, downstream.entry.longest)?;
            Ok(Done { lane, ..done })
        })
    }

    async fn look_again(&self, downstream: &Downstream, server: &str, tool: &ToolName) -> Result<(), Fault> {
        let now = downstream.definitions().await.map_err(|trouble| self.fault(server, &trouble))?;
        let said: Vec<Definition> = {
            let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
            said.insert(server.to_owned(), now);
            said.values().flatten().cloned().collect()
        };
        let mut standings = self.judge(&said).into_iter().filter(|(said, _)| said.name() == tool.as_str());
        let refused = |no: Withheld| {
            let code = ReasonCode::parse(no.code).unwrap_or(ReasonCode::UNKNOWN_TOOL);
            Fault::Denied(Reason { code, message: no.reason, rule: None, remedy: Some(no.remedy) })
        };
        match standings.next() {
            Some((_, standing)) => standing.map_err(refused),
            None => {
                Err(Fault::failed("unknown_tool", format!("the server `{server}` has no such tool any more")))
            }
        }
    }

    fn done(
        &self,
        server: &str,
        errand: &Errand<'_>,
        answer: CallToolResponse,
        longest: usize,
    ) -> Result<Done, Fault> {
        let CallToolResponse::Complete(result) = answer else {
            let message = format!("the server `{server}` asks for more than the call: that is refused");
            return Err(Fault::failed("server_asks", message));
        };
        let whole = serde_json::to_string(&result).unwrap_or_default();
        if whole.len() > longest {
            let message =
                format!("the server `{server}` answered with {} bytes, more than it may", whole.len());
            return Err(Fault::failed("too_large", message));
        }
        let mut labels = (self.screen)(&whole);
        let CallToolResult { content, structured_content, is_error, .. } = result;
        let text: Vec<&str> =
            content.iter().filter_map(ContentBlock::as_text).map(|text| text.text.as_str()).collect();
        let text = text.join("\n");
        labels.extend((self.screen)(&text));
        labels.sort();
        labels.dedup();
        if is_error == Some(true) {
            let said = if labels.is_empty() { text } else { format!("(withheld: {})", labels.join(", ")) };
            let said: String = said.chars().take(2_000).collect();
            return Err(Fault::failed("tool_failed", format!("`{}` failed: {said}", errand.tool)));
        }
        let only_text = content.iter().all(|block| block.as_text().is_some());
        let content = match (structured_content, only_text) {
            (None, true) => Content::Text(text),
            (Some(data), true) => Content::Data(json!({"text": text, "data": data})),
            (data, false) => Content::Data(json!({"parts": content, "data": data})),
        };
        labels.insert(0, format!("server:{server}"));
        let summary = format!("`{}` answered", errand.tool);
        Ok(Done { summary, content, untrusted: true, labels, ..Done::default() })
    }

    fn fault(&self, server: &str, trouble: &Trouble) -> Fault {
        let message = format!("the server `{server}`: {}", self.clean(trouble));
        match trouble {
            Trouble::Slow(_) => Fault::TimedOut { message },
            Trouble::Says(_) => Fault::failed("tool_failed", message),
            Trouble::TooMuch => Fault::failed("too_large", message),
            Trouble::Saw(_) => Fault::failed("denied_path_appeared", message),
            Trouble::NotThere(_) | Trouble::Gone(_) | Trouble::Foreign => {
                Fault::failed("server_unavailable", message)
            }
        }
    }

    /// What a server says went wrong, unless that carries something else.
    fn clean(&self, trouble: &Trouble) -> String {
        let said = trouble.to_string();
        let labels = (self.screen)(&said);
        if labels.is_empty() {
            said.chars().take(500).collect()
        } else {
            format!("what it says is withheld: {}", labels.join(", "))
        }
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        // Not waited for: a server that hangs must not hold up the end.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn standing(
    definition: &Definition,
    name: &str,
    others: &[&str],
    pins: &mut Pins,
    screen: &Screen,
) -> Result<(), Withheld> {
    let (server, tool) = (&definition.server, &definition.tool);
    let no =
        |code, reason: String, remedy: String| Err(Withheld { name: name.to_owned(), code, reason, remedy });
    let shown: String = name.chars().take(96).flat_map(char::escape_debug).collect();
    if name.parse::<ToolName>().is_err() {
        let reason = format!("`{shown}` is no name that a tool can have here");
        return no("bad_name", reason, "ask for a plain name where the server is made".to_owned());
    }
    let shadow = others
        .iter()
        .find(|other| **other == name || BUILT_IN_TOOLS.contains(other) || pins.is_mapped(other));
    if let Some(other) = shadow {
        let reason = format!("`{shown}` can be taken for `{other}`");
        return no(
            "name_collision",
            reason,
            "take one of the two out, or give the server another name".to_owned(),
        );
    }
    if !pins.is_mapped(name) {
        let reason = format!(
            "nothing says what `{shown}` does: `[tools.{tool}]` is missing in `.toolgate/tools/{server}.toml`"
        );
        let remedy = format!(
            "`toolgate policy learn {server}`, with its command or its list of servers, drafts the mapping, for a \
             person to review"
        );
        return no("unmapped_tool", reason, remedy);
    }
    if definition.is_too_long() {
        let reason = format!("the definition of `{shown}` is longer than anybody would read");
        return no(
            "definition_too_long",
            reason,
            "ask for a shorter one where the server is made".to_owned(),
        );
    }
    let mut labels: Vec<String> = definition.words().iter().flat_map(|words| screen(words)).collect();
    labels.extend(screen(&definition.value.to_string()));
    labels.sort();
    labels.dedup();
    if !labels.is_empty() {
        let reason = format!("the definition of `{shown}` carries {}", labels.join(", "));
        return no("definition_poisoned", reason, format!("do not use this tool of `{server}`"));
    }
    let digest = definition.digest();
    if pins.holds(server, tool, digest).is_err() {
        let reason = format!("the definition of `{shown}` is not the one that was reviewed");
        let remedy = format!(
            "review it again; then write definition = \"sha256:{digest}\" below `[tools.{tool}]` in `.toolgate/tools/{server}.toml`"
        );
        return no("definition_changed", reason, remedy);
    }
    Ok(())
}
