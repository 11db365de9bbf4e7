//! Names and addresses of an internet, and servers behind them that are real.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use call::{
    Content, Done, Effect, Fault, Host, HostPattern, Judge, Reason, ReasonCode, Sha256, WebAddress,
    WebRequest,
};
use execute::network::{Caps, Egress, Trust};
use execute::secrets::{Source, Surroundings, Vault};
use lanes::network::Outside;
use secrecy::SecretBox;
use serde_json::{Value, json};

use crate::kit::Asked;

/// Whoever answers at an address.
pub(crate) type Handler = dyn Fn(&str, &mut dyn ReadWrite) + Send + Sync;

/// What is done with a connection.
pub(crate) type Act<'a> = &'a dyn Fn(&mut dyn ReadWrite);

/// A connection.
pub(crate) trait ReadWrite: io::Read + io::Write {}
impl<T: io::Read + io::Write> ReadWrite for T {}

/// An internet.
#[derive(Debug, Default)]
pub(crate) struct World {
    /// What a name is resolved to, the first time, the second time and so on; the last answer stays.
    names: Mutex<BTreeMap<String, Vec<Vec<IpAddr>>>>,
    servers: Mutex<BTreeMap<IpAddr, SocketAddr>>,
    pub(crate) resolved: Mutex<Vec<String>>,
    pub(crate) connected: Mutex<Vec<SocketAddr>>,
}

impl Outside for World {
    fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.resolved.lock().unwrap().push(host.to_owned());
        let mut names = self.names.lock().unwrap();
        let answers = names.get_mut(host).ok_or_else(|| io::Error::other("no such name"))?;
        Ok(if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() })
    }

    fn connect(&self, address: SocketAddr) -> io::Result<TcpStream> {
        self.connected.lock().unwrap().push(address);
        let servers = self.servers.lock().unwrap();
        let server =
            servers.get(&address.ip()).ok_or_else(|| io::Error::from(io::ErrorKind::ConnectionRefused))?;
        TcpStream::connect(server)
    }
}

pub(crate) fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

impl World {
    pub(crate) fn name(&self, name: &str, answers: &[&[&str]]) {
        let answers = answers.iter().map(|answer| answer.iter().map(|text| ip(text)).collect()).collect();
        self.names.lock().unwrap().insert(name.to_owned(), answers);
    }

    /// A server at an address, and everything that it was asked.
    pub(crate) fn serve(
        &self,
        address: &str,
        handler: impl Fn(&str, &mut dyn ReadWrite) + Send + Sync + 'static,
    ) -> Arc<Mutex<Vec<String>>> {
        self.serve_over(address, handler, |stream, act| act(&mut Box::new(stream)))
    }

    /// The same, over something that is laid on top of a connection.
    pub(crate) fn serve_over(
        &self,
        address: &str,
        handler: impl Fn(&str, &mut dyn ReadWrite) + Send + Sync + 'static,
        over: impl Fn(TcpStream, Act<'_>) + Send + Sync + 'static,
    ) -> Arc<Mutex<Vec<String>>> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        self.servers.lock().unwrap().insert(ip(address), listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let (handler, over): (Arc<Handler>, Arc<_>) = (Arc::new(handler), Arc::new(over));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                let (handler, log, over) = (Arc::clone(&handler), Arc::clone(&log), Arc::clone(&over));
                std::thread::spawn(move || {
                    over(stream, &|stream: &mut dyn ReadWrite| {
                        let request = request(stream);
                        if request.is_empty() {
                            return;
                        }
                        log.lock().unwrap().push(request.clone());
                        handler(&request, stream);
                    });
                });
            }
        });
        asked
    }
}

/// Reads a request with its body.
fn request(stream: &mut dyn ReadWrite) -> String {
    let mut bytes = Vec::new();
    let mut part = [0; 4_096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return text,
            Ok(count) => bytes.extend(&part[..count]),
        }
    }
}

/// An answer with a body.
pub(crate) fn answer(stream: &mut dyn ReadWrite, status: &str, headers: &str, body: &[u8]) {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
    // Whoever has heard enough hangs up.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

pub(crate) fn ok(_: &str, stream: &mut dyn ReadWrite) {
    answer(stream, "200 OK", "Content-Type: text/plain\r\n", b"hello");
}

/// Redirects to a place.
pub(crate) fn redirect(
    status: &'static str,
    to: &str,
) -> impl Fn(&str, &mut dyn ReadWrite) + Send + Sync + 'static {
    let to = to.to_owned();
    move |_, stream| answer(stream, status, &format!("Location: {to}\r\n"), b"moved")
}

/// Allows what lies below these origins, and remembers what it was asked.
pub(crate) struct Only {
    pub(crate) origins: Vec<&'static str>,
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
}

impl Judge for Only {
    fn allows(&self, effect: &Effect) -> Result<(), Reason> {
        let Effect::Network(request) = effect else { panic!("{effect:?}") };
        self.asked.lock().unwrap().push(format!("{} {}", request.method, request.url));
        if self.origins.contains(&request.url.origin().as_str()) {
            return Ok(());
        }
        let message = format!("{} is on no list", request.url.host);
        Err(Reason { code: ReasonCode::DOMAIN_NOT_ALLOWED, message, rule: None, remedy: None })
    }
}

/// A gate in a world.
pub(crate) struct Gate {
    pub(crate) world: Arc<World>,
    pub(crate) egress: Egress,
    pub(crate) vault: Vault,
    pub(crate) origins: Vec<&'static str>,
    pub(crate) hops: Arc<Mutex<Vec<String>>>,
}

pub(crate) const TOKEN: &str = "correct-horse-battery";

pub(crate) fn gate() -> Gate {
    gate_with(Vec::new(), Vec::new(), Caps { time: Duration::from_secs(5), ..Caps::default() })
}

pub(crate) fn gate_with(private: Vec<HostPattern>, authorities: Vec<Vec<u8>>, caps: Caps) -> Gate {
    let world = Arc::new(World::default());
    let outside: Arc<dyn Outside> = Arc::clone(&world) as Arc<dyn Outside>;
    let egress = Egress::new(outside, private, Trust::new(authorities).unwrap()).with_caps(caps);
    let variable = |name: &str| (name == "TOKEN").then(|| TOKEN.into());
    let sources = [("deploy".to_owned(), Source::Env(["TOKEN".to_owned()].into()))].into();
    let around = Surroundings { variable: Box::new(variable) };
    let vault = Vault::new(sources, around, SecretBox::new(Box::new([7; 32])));
    Gate { world, egress, vault, origins: Vec::new(), hops: Arc::default() }
}

pub(crate) fn named(host: &str, port: u16) -> HostPattern {
    HostPattern { host: Host::Name(host.to_owned()), port: Some(port) }
}

impl Gate {
    pub(crate) fn asked(&self, arguments: &Value) -> Asked {
        let method = arguments["method"].as_str().unwrap_or("GET").to_owned();
        let url = WebAddress::parse(arguments["url"].as_str().unwrap()).unwrap();
        let mut headers: Vec<(String, Sha256)> = Vec::new();
        for (name, value) in arguments["headers"].as_object().into_iter().flatten() {
            headers.push((name.to_ascii_lowercase(), Sha256::of(value.to_string().as_bytes())));
        }
        headers.sort();
        let body = arguments["body"].as_str().map(|body| Sha256::of(body.as_bytes()));
        let effect = Effect::Network(WebRequest { method, url, headers, body });
        let mut asked = Asked::new("network_fetch", arguments, vec![effect]);
        asked.judge = Box::new(Only { origins: self.origins.clone(), asked: Arc::clone(&self.hops) });
        asked
    }

    pub(crate) fn fetch(&self, arguments: &Value) -> Result<Done, Fault> {
        self.egress.fetch(&self.asked(arguments).errand(), &self.vault)
    }

    pub(crate) fn get(&self, url: &str) -> Result<Value, String> {
        self.data(&json!({ "url": url }))
    }

    /// What came back, or the class of what went wrong.
    pub(crate) fn data(&self, arguments: &Value) -> Result<Value, String> {
        match self.fetch(arguments) {
            Ok(Done { content: Content::Data(data), untrusted: true, .. }) => Ok(data),
            Ok(other) => panic!("{other:?}"),
            Err(fault) => Err(fault.class().to_owned()),
        }
    }

    pub(crate) fn handle(&self) -> Value {
        let reveal = call::SecretUse::Header;
        let effect = Effect::Secret { scope: "deploy".to_owned(), name: "TOKEN".to_owned(), reveal };
        let asked = Asked::new("secrets_get", &json!({}), vec![effect]);
        let Content::Data(data) = self.vault.get(&asked.errand()).unwrap().content else { panic!() };
        json!({ "$secret": data["handle"] })
    }

    pub(crate) fn connected(&self) -> Vec<String> {
        self.world.connected.lock().unwrap().iter().map(SocketAddr::to_string).collect()
    }
}
