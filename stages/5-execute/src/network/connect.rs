//! From an address on the web to a connection: resolved once, looked at, connected to what was looked at.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};

use call::{Fault, Reason, ReasonCode, WebAddress, WebHost, WebScheme};
use lanes::network::Outside;
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};

use super::address::{self, Listed};
use super::distrust::in_words;
use super::line::{Line, TICK};
use super::{Budget, Egress};

/// Addresses of one name that are tried.
const MOST_TRIED: usize = 4;

/// A connection, in the clear or over TLS.
pub(super) enum Channel<'a> {
    Plain(Line<'a>),
    Tls(Box<StreamOwned<ClientConnection, Line<'a>>>),
}

impl Read for Channel<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(line) => line.read(bytes),
            Self::Tls(stream) => stream.read(bytes),
        }
    }
}

impl Write for Channel<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(line) => line.write(bytes),
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(line) => line.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}

/// A connection, and the address that it goes to.
pub(super) fn connect<'a>(
    egress: &Egress,
    url: &WebAddress,
    budget: &'a Budget<'a>,
) -> Result<(IpAddr, Channel<'a>), Fault> {
    let listed = egress.listed(url, budget);
    let (address, stream) = reach(&egress.outside, url, listed, budget)?;
    let origin = url.origin();
    let failed = |class, error: &io::Error| budget.fault(class, &format!("`{origin}`"), error);
    let mut line = Line::new(stream, budget).map_err(|error| failed("connect", &error))?;
    match url.scheme {
        WebScheme::Http => Ok((address, Channel::Plain(line))),
        WebScheme::Https => {
            let name = server_name(&url.host)?;
            let mut connection = ClientConnection::new(egress.trust.settings(), name)
                .map_err(|error| Fault::failed("tls", format!("`{origin}`: {error}")))?;
            while connection.is_handshaking() {
                connection.complete_io(&mut line).map_err(|error| failed("tls", &in_words(error)))?;
            }
            Ok((address, Channel::Tls(Box::new(StreamOwned::new(connection, line)))))
        }
    }
}

fn server_name(host: &WebHost) -> Result<ServerName<'static>, Fault> {
    match host {
        WebHost::Ip(address) => Ok(ServerName::IpAddress((*address).into())),
        WebHost::Name(name) => ServerName::try_from(name.to_string())
            .map_err(|_| Fault::failed("tls", format!("`{name}` is no name that a certificate could have"))),
    }
}

/// A connection to one of the addresses of a host. The system resolves and connects as long as it likes, so
/// that is done by a thread of its own, which is left behind when time is over.
fn reach(
    outside: &Arc<dyn Outside>,
    url: &WebAddress,
    listed: Listed,
    budget: &Budget<'_>,
) -> Result<(IpAddr, TcpStream), Fault> {
    budget.check()?;
    let (tell, told) = channel();
    let (outside, host, port) = (Arc::clone(outside), url.host.clone(), url.port);
    std::thread::Builder::new()
        .name("egress".to_owned())
        .spawn(move || {
            // Nobody listens any more when it took too long.
            let _ = tell.send(resolve_and_connect(&*outside, &host, port, listed));
        })
        .map_err(|error| Fault::failed("connect", format!("no thread is left: {error}")))?;
    loop {
        match told.recv_timeout(TICK) {
            Ok(reached) => return reached,
            Err(RecvTimeoutError::Timeout) => budget.check()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Fault::failed("connect", "the connection was given up"));
            }
        }
    }
}

fn resolve_and_connect(
    outside: &dyn Outside,
    host: &WebHost,
    port: u16,
    listed: Listed,
) -> Result<(IpAddr, TcpStream), Fault> {
    let addresses: Vec<IpAddr> = match host {
        WebHost::Ip(address) => vec![*address],
        WebHost::Name(name) => outside.resolve(name).map_err(|error| not_resolved(name, &error))?,
    };
    if addresses.is_empty() {
        return Err(Fault::failed("dns", format!("`{host}` has no address")));
    }
    let allowed: Vec<IpAddr> =
        addresses.into_iter().filter(|&address| address::may_be(address, listed)).collect();
    if allowed.is_empty() {
        return Err(Fault::Denied(Reason {
            code: ReasonCode::PRIVATE_ADDRESS,
            message: format!("`{host}` leads to a private or local address"),
            rule: None,
            remedy: Some("whoever runs the gate can list the host by its name under `[network]`".to_owned()),
        }));
    }
    let mut why = String::new();
    for address in allowed.into_iter().take(MOST_TRIED) {
        match outside.connect(SocketAddr::new(address, port)) {
            Ok(stream) => return Ok((address, stream)),
            Err(error) => why = error.to_string(),
        }
    }
    Err(Fault::failed("connect", format!("`{host}:{port}` does not answer: {why}")))
}

fn not_resolved(name: &str, error: &io::Error) -> Fault {
    Fault::Failed {
        class: "dns",
        message: format!("`{name}` cannot be resolved: {error}"),
        remedy: Some("look whether the name is right".to_owned()),
    }
}
