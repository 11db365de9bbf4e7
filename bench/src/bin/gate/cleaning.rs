//! What is done with every output before it is handed over: labels, known secrets, redaction, the cap.
//!
//! The same steps in the same order as the gate takes them between a tool and its answer.

use std::hint::black_box;
use std::time::Instant;

use bench::Clean;

use crate::Plan;
use crate::figures::Figures;
use crate::home::secrets;

/// Characters that come back of it, as in a new home.
const MOST: usize = 8_000;

/// One kind of text, in milliseconds.
pub(crate) struct Cleaned {
    pub(crate) kind: &'static str,
    pub(crate) all: Figures,
    /// Labels alone, where no secret is known.
    pub(crate) labels: Figures,
}

pub(crate) fn measure(plan: &Plan) -> Vec<Cleaned> {
    let mut texts: Vec<(&'static str, String)> =
        Clean::ALL.iter().map(|kind| (kind.name(), kind.text(plan.output))).collect();
    texts.push(("a log with secrets", log(plan.output)));
    let known = secrets();
    texts
        .into_iter()
        .map(|(kind, text)| {
            let mut cleaned = Cleaned { kind, all: Figures::default(), labels: Figures::default() };
            for _ in 0..plan.cleanings {
                let start = Instant::now();
                let found = screen::returned(black_box(&text), &known);
                black_box(redact::redact(&text, &found).cap(MOST, None).into_text());
                cleaned.all.push(start.elapsed().as_secs_f64() * 1e3);
                // The same with no secret to look for. What is left is what it costs to know some.
                let start = Instant::now();
                black_box(screen::labels(black_box(&text)));
                cleaned.labels.push(start.elapsed().as_secs_f64() * 1e3);
            }
            cleaned
        })
        .collect()
}

/// Lines of a server, every hundredth with a credential.
fn log(size: usize) -> String {
    let mut text = String::with_capacity(size + 256);
    let mut number: u64 = 0;
    while text.len() < size {
        number += 1;
        let at = format!("2026-11-{:02}T{:02}:{:02}:07Z", number % 28 + 1, number % 24, number % 60);
        text.push_str(&match number % 100 {
            0 => format!("{at} WARN config: aws_access_key_id=AKIA{:016X}\n", number * 0x9E37_79B9),
            _ => format!(
                "{at} INFO  request {number} GET /v1/notes/{} 200 in {} ms\n",
                number % 977,
                number % 83
            ),
        });
    }
    text.truncate(size);
    text
}
