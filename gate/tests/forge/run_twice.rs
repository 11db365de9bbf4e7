//! One journal entry, one run.
fn again(
    journaled: gate::pass::Journaled,
    tools: &dyn call::Tools,
    all: &dyn call::Allowance,
    now: call::Moment,
    cancelled: &std::sync::atomic::AtomicBool,
) {
    journaled.execute(tools, all, now, cancelled);
    journaled.execute(tools, all, now, cancelled);
}
