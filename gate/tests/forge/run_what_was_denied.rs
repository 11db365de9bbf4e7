//! A refusal has no way to the tools.
fn anyway(refused: gate::pass::Refused, ledger: &record::Ledger, all: &dyn call::Allowance, now: call::Moment) {
    let _ = refused.journal(ledger, all, now);
}
