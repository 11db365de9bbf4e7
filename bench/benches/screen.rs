//! `screen::screen` by size of the text, and the same for text that is not English.

use call::Family;
use divan::Bencher;
use divan::counter::BytesCount;

const ALL: &[Family] = &[Family::Secret, Family::Override, Family::Payload];

fn main() {
    divan::main();
}

#[divan::bench(args = [1, 4, 16, 64, 256])]
fn plain(bencher: Bencher<'_, '_>, kilobytes: usize) {
    let text = bench::prose(kilobytes * 1024);
    bencher.counter(BytesCount::new(text.len())).bench(|| screen::screen(&text, ALL));
}

#[divan::bench(args = [1, 4, 16, 64, 256])]
fn unicode(bencher: Bencher<'_, '_>, kilobytes: usize) {
    let sentence = "Die Übersicht geht nach Köln; 結果は報告書に使います. Отчёт готов.\n";
    let text = sentence.repeat(kilobytes * 1024 / sentence.len());
    bencher.counter(BytesCount::new(text.len())).bench(|| screen::screen(&text, ALL));
}
