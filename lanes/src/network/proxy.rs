//! The proxy of one run.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::head::{self, Head};
use super::line::{Line, TICK};
use super::{Destination, Reach, wire};

/// How long a program may take for the head of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connections at once; the rest waits in the listening socket.
const MOST_AT_ONCE: usize = 32;

/// The same behind a wire, which has as many streams: one that is free again may have a connection that still ends.
const MOST_BEHIND_A_WIRE: usize = 128;

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
    /// What came over a wire that cannot be.
    broken: OnceLock<&'static str>,
}

impl Proxy {
    /// Takes connections from a socket that listens inside a lane.
    pub(crate) fn start(listener: OwnedFd, reach: Reach) -> std::io::Result<Self> {
        let listener = TcpListener::from(listener);
        listener.set_nonblocking(true)?;
        Self::at_work(reach, move |shared| accept(&listener, shared))
    }

    /// Takes connections from the wire to a machine of its own.
    pub(crate) fn over_wire(wire: OwnedFd, reach: Reach) -> std::io::Result<Self> {
        Self::at_work(reach, move |shared| carry(&wire, shared))
    }

    fn at_work(reach: Reach, work: impl FnOnce(&Arc<Shared>) + Send + 'static) -> std::io::Result<Self> {
        let left = AtomicU64::new(reach.bytes);
        let shared = Arc::new(Shared {
            reach,
            over: AtomicBool::new(false),
            left,
            told: Mutex::default(),
            broken: OnceLock::new(),
        });
        let own = Arc::clone(&shared);
        let accepting = thread::Builder::new().name("lane-proxy".to_owned()).spawn(move || work(&own))?;
        Ok(Self { shared, accepting: Some(accepting) })
    }

    /// What came over the wire that cannot be, if something did.
    pub(crate) fn broken(&self) -> Option<&'static str> {
        self.shared.broken.get().copied()
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
    let mut connections = Connections::default();
    while !shared.is_over() {
        // Those for whom there is no room wait in the listening socket.
        let accepted = connections.have_room(MOST_AT_ONCE).then(|| listener.accept());
        match accepted {
            Some(Ok((stream, _))) => {
                if let Ok(line) = Line::try_from(stream) {
                    connections.add(shared, line);
                }
            }
            Some(Err(_)) | None => thread::sleep(TICK),
        }
    }
    connections.end();
}

fn carry(wire: &OwnedFd, shared: &Arc<Shared>) {
    let mut connections = Connections::default();
    let over = || shared.is_over();
    let serve = |line| connections.have_room(MOST_BEHIND_A_WIRE) && connections.add(shared, line);
    if let Err(why) = wire::carry(wire, over, serve) {
        let _ = shared.broken.set(why);
    }
    // Nobody is there any more for whom the others could wait.
    shared.over.store(true, Ordering::Relaxed);
    connections.end();
}

/// The connections of a run, each with its thread.
#[derive(Default)]
struct Connections(Vec<JoinHandle<()>>);

impl Connections {
    fn have_room(&mut self, most: usize) -> bool {
        self.0.retain(|connection| !connection.is_finished());
        self.0.len() < most
    }

    fn add(&mut self, shared: &Arc<Shared>, line: Line) -> bool {
        let shared = Arc::clone(shared);
        let started = thread::Builder::new().name("lane-proxy".to_owned()).spawn(move || shared.serve(&line));
        let is_served = started.is_ok();
        self.0.extend(started);
        is_served
    }

    fn end(self) {
        for connection in self.0 {
            // A thread that panicked has no connection any more either.
            let _ = connection.join();
        }
    }
}

impl Shared {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn serve(&self, inside: &Line) {
        let (head, rest) = match self.head(inside) {
            Ok(head) => head,
            Err(why) => return self.answer(inside, "400 Bad Request", why),
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
                    None => self.say(inside, b"HTTP/1.1 200 Connection established\r\n\r\n"),
                    Some(forward) => self.pass(&forward, &outside),
                };
                if first && (rest.is_empty() || self.pass(&rest, &outside)) {
                    (destination.sent, destination.received) = self.tunnel(inside, &outside);
                    destination.sent += rest.len() as u64;
                }
            }
            Err(why) => {
                destination.refused = Some(why);
                self.answer(inside, "403 Forbidden", &format!("{}:{} {why}", head.host, head.port));
            }
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() < MOST_TOLD {
            told.push(destination);
        }
    }

    /// The head of the request, and what came behind it.
    fn head(&self, inside: &Line) -> Result<(Head, Vec<u8>), &'static str> {
        let deadline = Instant::now() + PATIENCE;
        let mut bytes = Vec::new();
        let mut part = [0; 4_096];
        loop {
            if let Some(head) = head::read(&bytes)? {
                let rest = bytes.split_off(head.length.min(bytes.len()));
                return Ok((head, rest));
            }
            if self.is_over() || Instant::now() > deadline {
                return Err("the request did not come in time");
            }
            match inside.read(&mut part) {
                Ok(Some(0)) => return Err("the request ended early"),
                Ok(Some(count)) => bytes.extend(part.iter().take(count)),
                Ok(None) => {}
                Err(_) => return Err("the request could not be read"),
            }
        }
    }

    /// A connection to an address of the host that was looked at.
    fn connect(&self, head: &Head) -> Result<(IpAddr, Line), &'static str> {
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
                Some((address, Line::try_from(stream).ok()?))
            })
            .ok_or("does not answer")
    }

    /// Sends bytes on, if so many may still go through.
    fn pass(&self, bytes: &[u8], to: &Line) -> bool {
        let count = bytes.len() as u64;
        let paid =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count));
        paid.is_ok() && self.say(to, bytes)
    }

    fn say(&self, to: &Line, bytes: &[u8]) -> bool {
        to.write(bytes, || self.is_over()).is_ok()
    }

    /// Both ways at once until both are over: bytes out, bytes in.
    fn tunnel(&self, inside: &Line, outside: &Line) -> (u64, u64) {
        thread::scope(|scope| {
            let out = scope.spawn(|| self.copy(inside, outside));
            let received = self.copy(outside, inside);
            (out.join().unwrap_or_default(), received)
        })
    }

    fn copy(&self, from: &Line, to: &Line) -> u64 {
        let mut bytes = vec![0; 64 * 1024];
        let mut copied = 0;
        while !self.is_over() {
            match from.read(&mut bytes) {
                Ok(Some(0)) | Err(_) => break,
                Ok(Some(count)) => {
                    let read = bytes.get(..count).unwrap_or_default();
                    if !self.pass(read, to) {
                        // Over the limit, or the other side is gone: both ways end.
                        from.cut();
                        to.cut();
                        return copied;
                    }
                    copied += count as u64;
                }
                Ok(None) => {}
            }
        }
        to.end();
        copied
    }

    /// Says why not; whether anybody reads it does not matter.
    fn answer(&self, inside: &Line, status: &str, why: &str) {
        let body = format!("toolgate: {why}\n");
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        self.say(inside, format!("{head}{body}").as_bytes());
    }
}
