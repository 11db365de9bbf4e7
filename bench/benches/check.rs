//! `document::check` by size of the document, in both profiles.

use divan::Bencher;
use divan::counter::BytesCount;
use document::{Profile, Source, check};

fn main() {
    divan::main();
}

#[divan::bench(args = [1, 4, 16, 64, 256])]
fn strict(bencher: Bencher<'_, '_>, kilobytes: usize) {
    by_size(bencher, kilobytes, Profile::Strict);
}

#[divan::bench(args = [1, 4, 16, 64, 256])]
fn threegate_v1(bencher: Bencher<'_, '_>, kilobytes: usize) {
    by_size(bencher, kilobytes, Profile::ThreegateV1);
}

/// The requests of the comparison, one after the other: what a folder of ordinary work costs.
#[divan::bench]
fn honest_requests(bencher: Bencher<'_, '_>) {
    let requests = bench::requests(100);
    let Ok(now) = bench::now() else { return };
    let bytes: usize = requests.iter().map(|request| request.text.len()).sum();
    bencher.counter(BytesCount::new(bytes)).bench(|| {
        for request in &requests {
            let source = Source { stem: Some(&request.stem), bytes: request.text.as_bytes() };
            let _ = divan::black_box(check(&source, Profile::Strict, now));
        }
    });
}

fn by_size(bencher: Bencher<'_, '_>, kilobytes: usize, profile: Profile) {
    let text = bench::request_of(kilobytes * 1024);
    let source = Source { stem: None, bytes: text.as_bytes() };
    let Ok(now) = bench::now() else { return };
    bencher.counter(BytesCount::new(text.len())).bench(|| check(&source, profile, now));
}
