//! The one way out of a machine: listed hosts, by the same proxy as everywhere.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use call::HostPattern;
use lanes::{Job, Network};

use crate::kit::{as_ordinary_user, leftovers, machines, python, run, works};
use crate::outside::{KIT, World, name, reach, world};

fn job(world: &Arc<World>, hosts: Vec<HostPattern>, program: &str) -> Job {
    let mut job = python(&format!("{KIT}{program}"));
    job.network = reach(world, hosts);
    if let Network::Only(reach) = &mut job.network {
        reach.bytes = 64 << 20;
    }
    job
}

const LOOK: &str = r"
for url in ['http://good.example.com/a', 'http://other.example.com/', 'http://good.example.com:22/',
            'http://inside.example.com/', 'http://half.example.com/', 'http://127.0.0.1/']:
  print(get(url))
tunnel = http.client.HTTPConnection('127.0.0.1', 3128); tunnel.set_tunnel('good.example.com', 443)
tunnel.request('GET', '/'); print(tunnel.getresponse().read().decode()); tunnel.close()
raw = socket.create_connection(('127.0.0.1', 3128), 20)
raw.sendall(b'CONNECT other.example.com:443 HTTP/1.1\r\n\r\n'); print(raw.recv(1000).split(b'\r\n')[0].decode())
for address in [('127.0.0.1', HOST_PORT), ('1.1.1.1', 443), ('127.0.0.1', 22)]:
  try: socket.create_connection(address, 2); print('reached', address)
  except OSError: print('no')
try: socket.getaddrinfo('good.example.com', 80); print('resolved')
except OSError: print('no')
print(sorted(os.listdir('/dev')))
try: print([name for _, name in socket.if_nameindex()])
except OSError: print(['lo'])
";

#[test]
fn listed_hosts_are_reached_over_the_wire_and_others_are_not() {
    let world = world();
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    outside.set_nonblocking(true).unwrap();
    let hosts = ["good.example.com", "inside.example.com", "half.example.com"].map(|host| name(host, None));
    let port = outside.local_addr().unwrap().port().to_string();
    let ran = works(&job(&world, hosts.into(), &LOOK.replace("HOST_PORT", &port)));
    let hello = "hello to Host: good.example.com";
    let expected = [
        hello,
        "403 toolgate: other.example.com:80 is not on the list of hosts",
        "403 toolgate: good.example.com:22 is not on the list of hosts",
        "403 toolgate: inside.example.com:80 has no public address",
        "hello to Host: half.example.com",
        "403 toolgate: 127.0.0.1:80 is not on the list of hosts",
        &format!("{hello}:443"),
        "HTTP/1.1 403 Forbidden",
        "no",
        "no",
        "no",
        "no",
        "['fd', 'full', 'null', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'urandom', 'zero']",
        "['lo']",
    ];
    assert_eq!(ran.stdout().lines().collect::<Vec<_>>(), expected, "{}", ran.stderr());
    assert!(outside.accept().is_err());
    let told = &ran.ran.destinations;
    let refused = told.iter().filter(|one| one.refused.is_some()).count();
    assert_eq!((told.len(), refused), (8, 5), "{told:?}");
    assert!(told.iter().all(|one| one.refused.is_some() || (one.received > 0 && one.address.is_some())));
    let connected = world.connected.lock().unwrap().clone();
    assert!(connected.iter().all(|address| call::is_global(address.ip())), "{connected:?}");
    let layers = &ran.ran.layers;
    assert!(["proxy", "no_network_device"].iter().all(|wall| layers.iter().any(|layer| layer == wall)));
}

/// Everything that comes back is what was sent, on many connections at once, while two stand still: one on
/// which nobody outside takes anything, and one on which nobody inside does.
const MANY: &str = r"
import hashlib, threading, time
def connect(first):
  raw = socket.create_connection(('127.0.0.1', 3128), 150)
  raw.sendall(b'CONNECT good.example.com:443 HTTP/1.1\r\n\r\n')
  head = b''
  while not head.endswith(b'\r\n\r\n'): head += raw.recv(1)
  raw.sendall(first)
  return raw
stalled = connect(b'STALL'); stalled.setblocking(False); held = 0
while held < 40_000_000:
  try: held += stalled.send(b's' * 65536)
  except BlockingIOError:
    time.sleep(0.5)
    try: held += stalled.send(b's' * 65536)
    except BlockingIOError: break
unread = connect(b'GET /large HTTP/1.1\r\n\r\n')
wrong = []
def echo(number, size):
  data = hashlib.shake_128(str(number).encode()).digest(size); back = bytearray(); raw = connect(b'ECHO')
  sender = threading.Thread(target=lambda: (raw.sendall(data), raw.shutdown(socket.SHUT_WR))); sender.start()
  while part := raw.recv(65536): back += part
  sender.join(); raw.close()
  if bytes(back) != data: wrong.append((number, len(back)))
threads = [threading.Thread(target=echo, args=(number, 3_000_000 if number == 0 else 40_000)) for number in range(24)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
print(wrong, get('http://good.example.com/after'))
print('held back' if held < 20_000_000 else held)
";

#[test]
fn many_connections_at_once_keep_their_bytes_and_one_that_stands_still_holds_back_nobody() {
    let world = world();
    let mut job = job(&world, vec![name("good.example.com", None)], MANY);
    job.limits.processes = 64;
    let ran = works(&job);
    assert_eq!(ran.stdout(), "[] hello to Host: good.example.com\nheld back\n", "{}", ran.stderr());
    let told = &ran.ran.destinations;
    assert_eq!(told.len(), 27, "{told:?}");
    assert!(told.iter().any(|one| one.sent == 3_000_004 && one.received == 3_000_000), "{told:?}");
}

#[test]
fn what_goes_over_the_wire_is_limited_and_ends_with_the_run() {
    let world = world();
    machines();
    run(&job(&world, Vec::new(), ""));
    let before = leftovers();
    let hosts = || vec![name("good.example.com", None)];
    let mut large =
        job(&world, hosts(), "print(len(urllib.request.urlopen('http://good.example.com/large').read()))");
    if let Network::Only(reach) = &mut large.network {
        reach.bytes = 200_000;
    }
    let ran = run(&large);
    let received = ran.ran.destinations[0].received;
    assert!(received > 0 && received <= 200_000, "{received}");
    let mut held = job(
        &world,
        hosts(),
        "s = socket.create_connection(('127.0.0.1', 3128)); s.send(b'CONNECT good.example.com:443 HTTP/1.1\\r\\n\\r\\n')\n\
         s.recv(100); import time; time.sleep(1000)",
    );
    // Long enough for an emulated machine to get as far as the connection while others work beside it.
    held.limits.time = Duration::from_secs(15);
    let ran = run(&held);
    assert_eq!((ran.ending().0, ran.ran.destinations.len()), ("time_limit", 1));
    assert_eq!(leftovers(), before);
}

#[test]
fn an_ordinary_user_reaches_listed_hosts_from_machines_too() {
    as_ordinary_user("network::listed_hosts_are_reached_over_the_wire_and_others_are_not");
}

#[test]
fn without_listed_hosts_there_is_no_wire_and_nobody_listens() {
    let mut job = python(&format!(
        "{KIT}print([name for name in os.environ if 'proxy' in name.lower()])\n\
         try: socket.create_connection(('127.0.0.1', 3128), 2); print('reached')\n\
         except OSError: print('no')\n"
    ));
    job.environment = vec![("OWN".to_owned(), String::new())];
    assert_eq!(works(&job).stdout(), "[]\nno\n");
}
