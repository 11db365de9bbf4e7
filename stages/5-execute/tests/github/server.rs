//! A forge on a local socket.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::caller::TOKEN;
use crate::remote::Remote;
use crate::shapes::{Asked, State, answer};

pub(crate) struct Server {
    pub(crate) remote: Arc<Remote>,
    state: Arc<Mutex<State>>,
    port: u16,
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = Self { remote: Arc::new(Remote::new()), state: Arc::default(), port };
        let (remote, state) = (Arc::clone(&server.remote), Arc::clone(&server.state));
        // Ends with the program that runs the tests.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.unwrap(), &remote, &state);
            }
        });
        server
    }

    pub(crate) fn github(&self) -> String {
        format!("http://127.0.0.1:{}/api/v3", self.port)
    }

    pub(crate) fn forgejo(&self) -> String {
        format!("http://127.0.0.1:{}/api/v1", self.port)
    }

    /// Answers so whenever something that begins like this is asked.
    pub(crate) fn answer_instead(&self, asked: &str, status: u16, headers: &str, body: &str) {
        let instead = (asked.to_owned(), status, headers.to_owned(), body.to_owned());
        self.state.lock().unwrap().instead.push(instead);
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.state.lock().unwrap().asked.clone()
    }

    pub(crate) fn pulls(&self) -> Vec<Value> {
        self.state.lock().unwrap().pulls.clone()
    }

    pub(crate) fn comments(&self) -> Vec<(u64, String)> {
        self.state.lock().unwrap().comments.clone()
    }
}

fn serve(mut stream: TcpStream, remote: &Remote, state: &Mutex<State>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let mut words = line.split_ascii_whitespace();
    let (method, target) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
    let (mut length, mut authorised) = (0, false);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        let Some((name, value)) = header.trim().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => authorised = value == TOKEN,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let asked = Asked { method, path: decoded(path), query: query.to_owned(), body };
    let mut state = state.lock().unwrap();
    let line = format!("{} {}", asked.method, asked.path);
    state.asked.push(line.clone());
    let instead = state.instead.iter().find(|(begins, ..)| line.starts_with(begins)).cloned();
    let (status, headers, body) = match instead {
        // A line that is cut.
        Some((_, 0, ..)) => return,
        // One that is cut after what was asked for was done.
        Some((_, 1, ..)) => {
            answer(&asked, remote, &mut state);
            return;
        }
        Some((_, status, headers, body)) => (status, headers, body),
        None if !authorised => (401, String::new(), json!({"message": "Bad credentials"}).to_string()),
        None => {
            let (status, body) = answer(&asked, remote, &mut state);
            (status, String::new(), body)
        }
    };
    let _ = write!(
        stream,
        "HTTP/1.1 {status} x\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
        body.len()
    );
}

fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits =
            after.get(..2).filter(|_| byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(value) => {
                bytes.push(value);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap()
}
