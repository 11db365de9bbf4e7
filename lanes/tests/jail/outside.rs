//! What is outside of a lane, for tests: names, addresses, and one server behind all of them.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use call::{Host, HostPattern};
use lanes::network::Outside;
use lanes::{Network, Reach};

/// What programs of tests begin with.
pub(crate) const KIT: &str = r"
import urllib.request, urllib.error, socket, os, http.client
def get(url):
  try: return urllib.request.urlopen(url, timeout=5).read().decode()
  except urllib.error.HTTPError as e: return f'{e.code} {e.read().decode().strip()}'
  except Exception as e: return f'{type(e).__name__}'
";

/// Names and addresses of the internet, and one server behind all of them.
#[derive(Debug)]
pub(crate) struct World {
    names: BTreeMap<&'static str, Vec<IpAddr>>,
    server: SocketAddr,
    pub(crate) connected: Mutex<Vec<SocketAddr>>,
}

impl Outside for World {
    fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.names.get(host).cloned().ok_or_else(|| io::Error::other("no such name"))
    }

    fn connect(&self, address: SocketAddr) -> io::Result<TcpStream> {
        self.connected.lock().unwrap().push(address);
        TcpStream::connect(self.server)
    }
}

pub(crate) fn world() -> Arc<World> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            std::thread::spawn(move || serve(stream));
        }
    });
    let public = |last: u8| IpAddr::from([93, 184, 216, last]);
    let names = [
        ("good.example.com", vec![public(34)]),
        ("other.example.com", vec![public(35)]),
        ("inside.example.com", vec![IpAddr::from([127, 0, 0, 1]), IpAddr::from([10, 0, 0, 1])]),
        ("half.example.com", vec![IpAddr::from([169, 254, 169, 254]), public(36)]),
    ];
    Arc::new(World { names: names.into(), server, connected: Mutex::default() })
}

/// Answers a request, sends for ever, sends everything back, or takes nothing, as it is asked.
fn serve(mut stream: TcpStream) {
    let mut head = [0; 2_000];
    let count = stream.read(&mut head).unwrap_or(0);
    let text = String::from_utf8_lossy(&head[..count]).into_owned();
    if text.starts_with("GET /large") {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        while stream.write_all(&[b'x'; 10_000]).is_ok() {}
        return;
    }
    if text.starts_with("ECHO") {
        let _ = stream.write_all(&head[4..count]);
        let _ = io::copy(&mut stream.try_clone().unwrap(), &mut stream);
        return;
    }
    if text.starts_with("STALL") {
        std::thread::sleep(std::time::Duration::from_secs(300));
        return;
    }
    let body =
        format!("hello to {}", text.lines().find(|line| line.starts_with("Host:")).unwrap_or("nobody"));
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
}

/// Hosts that may be reached, and a megabyte through all connections together.
pub(crate) fn reach(world: &Arc<World>, hosts: Vec<HostPattern>) -> Network {
    let outside: Arc<dyn Outside> = Arc::clone(world) as Arc<dyn Outside>;
    Network::Only(Reach { hosts, bytes: 1 << 20, outside })
}

pub(crate) fn name(host: &str, port: Option<u16>) -> HostPattern {
    HostPattern { host: Host::Name(host.to_owned()), port }
}
