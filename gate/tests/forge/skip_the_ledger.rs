//! What may run is not run before it is on record.
fn hasty(permitted: gate::pass::Permitted, tools: &dyn call::Tools, now: call::Moment) {
    permitted.execute(tools, now);
}
