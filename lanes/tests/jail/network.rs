//! The one way out: listed hosts, by a proxy of the gate.

use std::net::TcpListener;
use std::sync::Arc;

use call::HostPattern;
use lanes::{Job, Network};

use crate::kit::{Finished, python, run};
use crate::outside::{KIT, World, name, reach, world};

fn job(world: &Arc<World>, hosts: Vec<HostPattern>, program: &str) -> Job {
    let mut job = python(&format!("{KIT}{program}"));
    job.network = reach(world, hosts);
    job
}

fn lines(finished: &Finished) -> Vec<String> {
    finished.stdout().lines().map(str::to_owned).collect()
}

#[test]
fn listed_hosts_are_reached_and_others_are_not() {
    let world = world();
    let hosts = vec![
        name("good.example.com", None),
        name("inside.example.com", None),
        name("half.example.com", None),
    ];
    let ran = run(&job(
        &world,
        hosts,
        "for url in ['http://good.example.com/a', 'http://GOOD.example.com./a', 'http://other.example.com/', 'http://good.example.com:22/',\n\
         \x20           'http://inside.example.com/', 'http://half.example.com/', 'http://93.184.216.34/', 'http://good.example.com.evil.com/',\n\
         \x20           'http://127.0.0.1/', 'http://0x7f.1/', 'http://nowhere.example.com/']:\n\
         \x20 print(get(url))\n\
         tunnel = http.client.HTTPConnection('127.0.0.1', 3128); tunnel.set_tunnel('good.example.com', 443)\n\
         tunnel.request('GET', '/'); print(tunnel.getresponse().read().decode())\n\
         print(tunnel.close())\n",
    ));
    let hello = "hello to Host: good.example.com";
    let said = lines(&ran);
    let refused = |host: &str, why: &str| format!("403 toolgate: {host} {why}");
    let unlisted = "is not on the list of hosts";
    let expected = [
        hello.to_owned(),
        said[1].clone(),
        refused("other.example.com:80", unlisted),
        refused("good.example.com:22", unlisted),
        refused("inside.example.com:80", "has no public address"),
        "hello to Host: half.example.com".to_owned(),
        refused("93.184.216.34:80", unlisted),
        refused("good.example.com.evil.com:80", unlisted),
        refused("127.0.0.1:80", unlisted),
        refused("0x7f.1:80", unlisted),
        refused("nowhere.example.com:80", unlisted),
        format!("{hello}:443"),
        "None".to_owned(),
    ];
    assert_eq!(said, expected, "{}", ran.stderr());
    assert!(said[1].starts_with("hello to"));
    // Only addresses that were looked at, and never the private one of two.
    let connected = world.connected.lock().unwrap().clone();
    assert!(connected.iter().all(|address| call::is_global(address.ip())), "{connected:?}");
    let reached: Vec<_> = ran.ran.destinations.iter().filter(|one| one.refused.is_none()).collect();
    assert_eq!(reached.len(), 4, "{reached:?}");
    assert!(reached.iter().all(|one| one.received > 0 && one.address.is_some()));
    assert_eq!(ran.ran.destinations.len(), 12);
    assert!(ran.ran.layers.contains(&"proxy".to_owned()));
}

#[test]
fn nothing_goes_past_the_proxy() {
    let world = world();
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    outside.set_nonblocking(true).unwrap();
    let port = outside.local_addr().unwrap().port();
    let ran = run(&job(
        &world,
        vec![name("good.example.com", None)],
        &format!(
            "for address in [('127.0.0.1', {port}), ('1.1.1.1', 443), ('127.0.0.1', 22)]:\n\
             \x20 try: socket.create_connection(address, 2); print('reached', address)\n\
             \x20 except OSError as e: print('no')\n\
             try: socket.getaddrinfo('good.example.com', 80); print('resolved')\n\
             except OSError: print('no')\n\
             try: s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b'x', ('1.1.1.1', 53)); print('sent')\n\
             except OSError: print('no')\n"
        ),
    ));
    assert_eq!(lines(&ran), ["no"; 5], "{}", ran.stderr());
    assert!(outside.accept().is_err());
}

#[test]
fn what_goes_through_is_limited() {
    let world = world();
    let mut job = job(
        &world,
        vec![name("good.example.com", None)],
        "body = urllib.request.urlopen('http://good.example.com/large', timeout=20).read()\nprint(len(body))",
    );
    if let Network::Only(reach) = &mut job.network {
        reach.bytes = 200_000;
    }
    let ran = run(&job);
    let received = ran.ran.destinations[0].received;
    assert!(received <= 200_000, "{received}");
    assert!(received > 0);
}

#[test]
fn more_connections_than_there_is_room_for_wait_their_turn() {
    let world = world();
    let ran = run(&job(
        &world,
        vec![name("good.example.com", None)],
        "import threading, time\n\
         def connect():\n\
         \x20 raw = socket.create_connection(('127.0.0.1', 3128), 20)\n\
         \x20 raw.sendall(b'CONNECT good.example.com:443 HTTP/1.1\\r\\n\\r\\n'); raw.recv(100)\n\
         \x20 time.sleep(0.3); raw.sendall(b'ECHOx'); answers.append(raw.recv(10)); raw.close()\n\
         answers = []; threads = [threading.Thread(target=connect) for _ in range(50)]\n\
         [thread.start() for thread in threads]; [thread.join() for thread in threads]\n\
         print(answers.count(b'x'))",
    ));
    assert_eq!(lines(&ran), ["50"], "{}", ran.stderr());
    assert_eq!(ran.ran.destinations.len(), 50);
}

#[test]
fn a_connection_ends_with_the_run() {
    let world = world();
    let mut job = job(
        &world,
        vec![name("good.example.com", None)],
        "s = socket.create_connection(('127.0.0.1', 3128)); s.send(b'CONNECT good.example.com:443 HTTP/1.1\\r\\n\\r\\n')\n\
         s.recv(100); import time; time.sleep(30)",
    );
    job.limits.time = std::time::Duration::from_secs(1);
    let start = std::time::Instant::now();
    let ran = run(&job);
    assert_eq!(ran.ran.ending.reason.as_str(), "time_limit");
    assert!(start.elapsed() < std::time::Duration::from_secs(15));
    assert_eq!(ran.ran.destinations.len(), 1);
}
