//! Nobody but policy makes a permit.
fn forged(case: gate::pass::Refused) -> gate::pass::Permitted {
    gate::pass::Permitted { case, yes: None }
}
