//! A ledger on a server that is reached over TLS, with a certificate that counts or does not.

use kit::database::{Entry, Server};
use record::store::{PostgresStore, Store as _, StoreError};
use record::{Ledger, Settings};

use crate::events::whole;
use crate::keepers::{key, now, run};

#[test]
fn a_ledger_is_kept_over_tls_and_only_where_the_certificate_counts() {
    let server = Server::start_durable();
    let (port, root) = server.open(Entry::Encrypted);
    let at = |host: &str, more: &str| format!("postgres://gate@{host}:{port}/postgres?{more}");
    let trusted = at("localhost", &format!("sslmode=verify-full&sslrootcert={root}"));
    PostgresStore::create(&trusted).unwrap();
    let store = PostgresStore::open(&trusted, Some(run(1))).unwrap();
    let ledger =
        Ledger::start(Box::new(store), key(), Box::new(|_| false), run(1), Settings::default(), now())
            .unwrap();
    for event in whole(1) {
        ledger.append(&event, now()).unwrap();
    }
    drop(ledger);
    let words = format!("host=localhost port={port} user=gate dbname=postgres sslrootcert='{root}'");
    for address in [&trusted, &at("localhost", &format!("sslmode=require&sslrootcert={root}")), &words] {
        assert_eq!(PostgresStore::open(address, None).unwrap().size().unwrap(), 4, "{address}");
    }

    // A root that nobody named, another name than the certificate has, and no TLS at all.
    let refused = [
        (at("localhost", "sslmode=require"), "certificate"),
        (at("127.0.0.1", &format!("sslmode=verify-ca&sslrootcert={root}")), "certificate"),
        (at("localhost", "sslmode=disable"), "no encryption"),
        (at("localhost", "sslmode=require&sslrootcert=/nowhere.pem"), "sslrootcert"),
    ];
    for (address, why) in refused {
        match PostgresStore::open(&address, None).map(drop) {
            Err(StoreError::Failed(message)) => assert!(message.contains(why), "{address}: {message}"),
            other => panic!("{address}: {other:?}"),
        }
    }
}
