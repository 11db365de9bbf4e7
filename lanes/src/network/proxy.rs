//! The proxy of one run.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::head::{self, Head};
use super::{Destination, Reach};

/// How often somebody who waits looks whether the run is over.
const TICK: Duration = Duration::from_millis(50);

/// How long a program may take for the head of a request, and the other side for taking what is sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connections at once; the rest waits in the listening socket.
const MOST_AT_ONCE: usize = 32;

/// Destinations that are told, at most.
const MOST_TOLD: usize = 1_000;

/// A proxy at work.
pub(crate) struct Proxy {
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

struct Shared {
    reach: Reach,
    over: AtomicBool,
    /// Bytes that may still go through.
    left: AtomicU64,
    told: Mutex<Vec<Destination>>,
}

impl Proxy {
    /// Takes connections from a socket that listens inside a lane.
    pub(crate) fn start(listener: OwnedFd, reach: Reach) -> std::io::Result<Self> {
        let listener = TcpListener::from(listener);
        listener.set_nonblocking(true)?;
        let left = AtomicU64::new(reach.bytes);
        let shared = Shared { reach, over: AtomicBool::new(false), left, told: Mutex::default() };
        let shared = Arc::new(shared);
        let own = Arc::clone(&shared);
        let accepting =
            thread::Builder::new().name("lane-proxy".to_owned()).spawn(move || accept(&listener, &own))?;
        Ok(Self { shared, accepting: Some(accepting) })
    }

    /// Ends every connection, and tells whom the program wanted to reach.
    pub(crate) fn end(mut self) -> Vec<Destination> {
        self.stop();
        std::mem::take(&mut *self.shared.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn stop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        if let Some(accepting) = self.accepting.take() {
            // A thread that panicked has no connection any more either.
            let _ = accepting.join();
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stop();
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut connections: Vec<JoinHandle<()>> = Vec::new();
    while !shared.over.load(Ordering::Relaxed) {
        connections.retain(|connection| !connection.is_finished());
        match listener.accept() {
            Ok((stream, _)) if connections.len() < MOST_AT_ONCE => {
                let shared = Arc::clone(shared);
                let serve = move || shared.serve(stream);
                connections.extend(thread::Builder::new().name("lane-proxy".to_owned()).spawn(serve));
            }
            // Too many at once: this one is closed, and whoever wants it tries again.
            Ok(_) => {}
            Err(_) => thread::sleep(TICK),
        }
    }
    for connection in connections {
        let _ = connection.join();
    }
}

impl Shared {
    fn serve(&self, mut inside: TcpStream) {
        let set_up = inside
            .set_nonblocking(false)
            .and_then(|()| inside.set_read_timeout(Some(TICK)))
            .and_then(|()| inside.set_write_timeout(Some(PATIENCE)));
        let Ok((head, rest)) = set_up.map_err(|_| "").and_then(|()| self.head(&mut inside)).map_err(|why| {
            answer(&mut inside, "400 Bad Request", why);
        }) else {
            return;
        };
        let mut destination = Destination {
            host: head.host.clone(),
            port: head.port,
            address: None,
            refused: None,
            sent: 0,
            received: 0,
        };
        match self.connect(&head) {
            Ok((address, outside)) => {
                destination.address = Some(address);
                let first = match head.forward {
                    None => answer_ok(&mut inside),
                    Some(forward) => self.pass(&forward, &outside),
                };
                if first && (rest.is_empty() || self.pass(&rest, &outside)) {
                    (destination.sent, destination.received) = self.tunnel(&inside, &outside);
                    destination.sent += rest.len() as u64;
                }
            }
            Err(why) => {
                destination.refused = Some(why);
                answer(&mut inside, "403 Forbidden", &format!("{}:{} {why}", head.host, head.port));
            }
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() < MOST_TOLD {
            told.push(destination);
        }
    }

    /// The head of the request, and what came behind it.
    fn head(&self, inside: &mut TcpStream) -> Result<(Head, Vec<u8>), &'static str> {
        let deadline = Instant::now() + PATIENCE;
        let mut bytes = Vec::new();
        let mut part = [0; 4_096];
        loop {
            if let Some(head) = head::read(&bytes)? {
                let rest = bytes.split_off(head.length.min(bytes.len()));
                return Ok((head, rest));
            }
            if self.over.load(Ordering::Relaxed) || Instant::now() > deadline {
                return Err("the request did not come in time");
            }
            match inside.read(&mut part) {
                Ok(0) => return Err("the request ended early"),
                Ok(count) => bytes.extend(part.iter().take(count)),
                Err(error) if is_pause(&error) => {}
                Err(_) => return Err("the request could not be read"),
            }
        }
    }

    /// A connection to an address of the host that was looked at.
    fn connect(&self, head: &Head) -> Result<(IpAddr, TcpStream), &'static str> {
        if !self.reach.hosts.iter().any(|pattern| pattern.covers(&head.host, head.port)) {
            return Err("is not on the list of hosts");
        }
        let addresses = match head.host.parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => self.reach.outside.resolve(&head.host).map_err(|_| "has no address")?,
        };
        let public: Vec<IpAddr> = addresses.into_iter().filter(|&address| call::is_global(address)).collect();
        if public.is_empty() {
            return Err("has no public address");
        }
        public
            .into_iter()
            .take(4)
            .find_map(|address| {
                let stream = self.reach.outside.connect(SocketAddr::new(address, head.port)).ok()?;
                stream.set_read_timeout(Some(TICK)).ok()?;
                stream.set_write_timeout(Some(PATIENCE)).ok()?;
                Some((address, stream))
            })
            .ok_or("does not answer")
    }

    /// Sends bytes on, if so many may still go through.
    fn pass(&self, bytes: &[u8], mut to: &TcpStream) -> bool {
        let count = bytes.len() as u64;
        let paid =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count));
        paid.is_ok() && to.write_all(bytes).is_ok()
    }

    /// Both ways at once until both are over: bytes out, bytes in.
    fn tunnel(&self, inside: &TcpStream, outside: &TcpStream) -> (u64, u64) {
        thread::scope(|scope| {
            let out = scope.spawn(|| self.copy(inside, outside));
            let received = self.copy(outside, inside);
            (out.join().unwrap_or_default(), received)
        })
    }

    fn copy(&self, mut from: &TcpStream, to: &TcpStream) -> u64 {
        let mut bytes = vec![0; 64 * 1024];
        let mut copied = 0;
        while !self.over.load(Ordering::Relaxed) {
            match from.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => {
                    let read = bytes.get(..count).unwrap_or_default();
                    if !self.pass(read, to) {
                        // Over the limit, or the other side is gone: both ways end.
                        let _ = from.shutdown(Shutdown::Both);
                        let _ = to.shutdown(Shutdown::Both);
                        return copied;
                    }
                    copied += count as u64;
                }
                Err(error) if is_pause(&error) => {}
                Err(_) => break,
            }
        }
        let _ = to.shutdown(Shutdown::Write);
        copied
    }
}

fn is_pause(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

fn answer_ok(inside: &mut TcpStream) -> bool {
    inside.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").is_ok()
}

/// Says why not; whether anybody reads it does not matter.
fn answer(inside: &mut TcpStream, status: &str, why: &str) {
    let body = format!("toolgate: {why}\n");
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = inside.write_all(format!("{head}{body}").as_bytes());
}
