//! How a PostgreSQL server is reached, and what is told when it is not.

use std::io::Read as _;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use execute::db::Location;
use kit::database::{Entry, Server};
use serde_json::{Value, json};

use crate::caller::{PASSWORD, Shop};

#[test]
fn tls_and_the_password_are_what_the_url_says() {
    let server = Server::start();
    let (port, root) = server.open(Entry::Password);
    server.owner(&format!("CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'"));
    server.owner("CREATE ROLE other LOGIN PASSWORD 'something else'");
    let ask = |user: &str, host: &str, rest: &str| {
        let url = format!("postgres://{user}@{host}:{port}/postgres?{rest}");
        let sql = "SELECT ssl, usename FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE pid = pg_backend_pid()";
        let told = Shop::new(Location::Url(url), &[]).query(sql, Value::Null, &[]);
        told.map(|answer| answer["rows"][0].clone()).map_err(|fault| {
            assert!(!format!("{fault:?}").contains(PASSWORD));
            (fault.class().to_owned(), fault.to_string())
        })
    };
    let trusted = format!("secret=vault/shop&sslrootcert={root}");
    assert_eq!(
        ask("reader", "localhost", &format!("{trusted}&sslmode=verify-full")),
        Ok(json!([true, "reader"]))
    );
    assert_eq!(
        ask("reader", "localhost", &format!("{trusted}&sslmode=require")),
        Ok(json!([true, "reader"]))
    );
    // This very machine needs none.
    assert_eq!(ask("reader", "127.0.0.1", "secret=vault/shop"), Ok(json!([false, "reader"])));
    assert_eq!(ask("reader", "127.0.0.1", "secret=vault/shop&sslmode=disable"), Ok(json!([false, "reader"])));
    assert_eq!(
        ask("reader:correct%20horse%20battery%20staple", "127.0.0.1", ""),
        Ok(json!([false, "reader"]))
    );
    for (user, host, rest, what) in [
        // The certificate is for another name, or signed by nobody who is trusted.
        ("reader", "127.0.0.1", format!("{trusted}&sslmode=require"), "certificate"),
        ("reader", "localhost", "secret=vault/shop&sslmode=require".to_owned(), "certificate"),
        ("other", "127.0.0.1", "secret=vault/shop".to_owned(), "password authentication failed"),
        ("reader", "127.0.0.1", String::new(), "password"),
    ] {
        let (class, message) = ask(user, host, &rest).unwrap_err();
        assert_eq!(class, "connection", "{message}");
        assert!(message.contains(what), "{message}");
    }
    let whole = format!("postgres://reader:{}@127.0.0.1:{port}/postgres", PASSWORD.replace(' ', "%20"));
    let shop = Shop::with_secret(Location::Url("secret:vault/shop".to_owned()), &[], &whole);
    assert_eq!(shop.query("SELECT 1", Value::Null, &[]).unwrap()["rows"], json!([[1]]));
    assert!(!server.log().contains(PASSWORD));
}

#[test]
fn whoever_calls_may_be_on_a_thread_that_must_not_wait() {
    let server = Server::start();
    server.owner("CREATE ROLE reader LOGIN");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let shop = Shop::new(Location::Url(server.url("reader")), &[]);
    let answer = runtime.block_on(async { shop.query("SELECT 1", Value::Null, &[]) });
    assert_eq!(answer.unwrap()["rows"], json!([[1]]));
}

#[test]
fn a_server_without_tls_is_not_spoken_to_in_the_clear() {
    let plain = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = plain.local_addr().unwrap().port();
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = plain.accept().unwrap();
        let mut heard = [0; 8];
        stream.read_exact(&mut heard).unwrap();
        std::io::Write::write_all(&mut stream, b"N").unwrap();
        let mut more = Vec::new();
        let _ = stream.read_to_end(&mut more);
        more
    });
    let url = format!("postgres://reader@127.0.0.1:{port}/shop?secret=vault/shop&sslmode=require");
    let fault = Shop::new(Location::Url(url), &[]).query("SELECT 1", Value::Null, &[]).unwrap_err();
    assert_eq!(fault.to_string(), "the server cannot be reached: the server has no TLS");
    assert_eq!(heard.join().unwrap(), Vec::<u8>::new());
}

#[test]
fn a_server_that_is_not_there_or_says_nothing_is_told_without_the_password() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let talker = std::thread::spawn(move || {
        let (mut stream, _) = silent.accept().unwrap();
        let mut heard = Vec::new();
        let _ = stream.read_to_end(&mut heard);
        heard
    });
    let url = |rest: &str| Location::Url(format!("postgres://reader@127.0.0.1:{rest}"));
    let mut shop = Shop::new(url(&format!("{port}/shop?secret=vault/shop&connect_timeout=1")), &[]);
    shop.seconds = Some(10);
    let began = Instant::now();
    let fault = shop.query("SELECT 1", Value::Null, &[]).unwrap_err();
    assert_eq!((fault.class(), fault.to_string().as_str()), ("connection", "the server does not answer"));
    assert!(began.elapsed() < Duration::from_secs(5));
    let heard = talker.join().unwrap();
    assert!(!String::from_utf8_lossy(&heard).contains(PASSWORD));

    for (location, expected) in [
        (url("1/shop"), "connection"),
        (url("1/shop?secret=vault/other"), "no_secret"),
        (url("1/shop?secret=vault"), "no_secret"),
        (url("1/shop?sslmode=maybe"), "bad_database_url"),
        (url("1/shop?hostaddr=10.0.0.1"), "bad_database_url"),
        (url("1/shop?nonsense=1"), "bad_database_url"),
        (url("1/shop?sslrootcert=/nowhere&sslmode=verify-full"), "bad_database_url"),
        (Location::Url("mysql://reader:hunter2@127.0.0.1/x".to_owned()), "bad_database_url"),
        (Location::Url("postgres:///x".to_owned()), "bad_database_url"),
        (Location::Url("hunter2".to_owned()), "bad_database_url"),
        (Location::Url("secret:vault/shop".to_owned()), "bad_database_url"),
    ] {
        let shown = format!("{location:?}");
        let fault = Shop::new(location, &[]).query("SELECT 1", Value::Null, &[]).unwrap_err();
        assert_eq!(fault.class(), expected, "{fault}");
        assert!(!format!("{fault:?}{shown}").contains("hunter2") && !format!("{fault:?}").contains(PASSWORD));
    }
}
