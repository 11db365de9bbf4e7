//! The one way through, which does compile: so the others fail for what they do and for nothing else.
fn through(
    permitted: gate::pass::Permitted,
    ledger: &record::Ledger,
    tools: &dyn call::Tools,
    all: &dyn call::Allowance,
    known: &screen::KnownSecrets,
    now: call::Moment,
    cancelled: &std::sync::atomic::AtomicBool,
) -> Result<gate::Reply, gate::Halt> {
    match permitted.journal(ledger, all, now) {
        Ok(journaled) => journaled.execute(tools, all, now, cancelled).clean(known).record(ledger, now),
        Err(not) => not.answer(),
    }
}
