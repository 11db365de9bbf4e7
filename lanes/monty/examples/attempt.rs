//! Confines itself as a worker does, then tries one thing that a worker must not be able to do.
//!
//! `attempt LAYERS WHAT`: the layers are `files` or `all`; it says what came of it, if it lives.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "to try what is forbidden is all that it is for"
)]

use std::io::{Read, Write};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: monty_lane::worker::Allocator = monty_lane::worker::Allocator;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [layers, what] = arguments.as_slice() else {
        return ExitCode::FAILURE;
    };
    // Before the walls, so that what is tried afterwards is only the thing itself.
    let parent = rustix::process::getppid();
    let _ = std::io::stdout().flush();
    if let Err(why) = monty_lane::worker::confine_for_tests(layers == "all") {
        println!("not confined: {why}");
        return ExitCode::FAILURE;
    }
    match attempt(what, parent) {
        Some(Ok(done)) => println!("escaped: {done}"),
        Some(Err(error)) => println!("refused: {error}"),
        None => println!("no such attempt"),
    }
    ExitCode::SUCCESS
}

fn attempt(what: &str, parent: Option<rustix::process::Pid>) -> Option<std::io::Result<String>> {
    Some(match what {
        "overflow" => Ok(deeper(1).to_string()),
        "nothing" => Ok("nothing".to_owned()),
        "read" => std::fs::read_to_string("/etc/hostname"),
        "read-self" => std::fs::read_to_string("/proc/self/status"),
        "write" => std::fs::write("/tmp/monty-lane-attempt", "x").map(|()| "wrote".to_owned()),
        "list" => std::fs::read_dir("/").map(|_| "listed".to_owned()),
        "make" => std::fs::create_dir("/tmp/monty-lane-attempt-folder").map(|()| "made".to_owned()),
        "remove" => std::fs::remove_file("/tmp/monty-lane-attempt").map(|()| "removed".to_owned()),
        "tcp" => std::net::TcpStream::connect("127.0.0.1:9").map(|_| "connected".to_owned()),
        "listen" => std::net::TcpListener::bind("127.0.0.1:0").map(|_| "listens".to_owned()),
        "udp" => std::net::UdpSocket::bind("127.0.0.1:0").map(|_| "bound".to_owned()),
        "unix" => std::os::unix::net::UnixStream::pair().map(|_| "paired".to_owned()),
        "run" => std::process::Command::new("/bin/true").status().map(|status| status.to_string()),
        "thread" => std::thread::Builder::new().spawn(|| ()).map(|_| "started".to_owned()),
        "signal" => {
            let parent = parent.unwrap_or_else(rustix::process::getpid);
            rustix::process::test_kill_process(parent).map(|()| "signalled".to_owned()).map_err(Into::into)
        }
        "limits" => {
            let none = rustix::process::Rlimit { current: None, maximum: None };
            let set = rustix::process::setrlimit(rustix::process::Resource::As, none);
            set.map(|()| "lifted".to_owned()).map_err(Into::into)
        }
        "descriptor" => {
            let mut text = String::new();
            std::io::stderr()
                .write_all(b"fine\n")
                .and_then(|()| std::io::stdin().read_to_string(&mut text))
                .map(|_| text)
        }
        _ => return None,
    })
}

/// Goes on until the stack is used up.
#[expect(unconditional_recursion, reason = "that is what it is for")]
fn deeper(level: u64) -> u64 {
    let page = std::hint::black_box([level; 128]);
    deeper(level + 1) + page.iter().sum::<u64>()
}
