//! What a run is given is a target as well.

use call::{Effect, Effects, Program, Reach, Run, RunLimits, Sha256, TargetState};

use crate::desk::Desk;

#[test]
fn files_for_a_run_are_targets() {
    let desk = Desk::new();
    desk.write("ws/input", "data");
    let read = Effect::Read { path: "input".to_owned(), reach: Reach::Itself };
    let run = Effect::Run(Run {
        program: Program::Code { language: "python".to_owned(), sha256: Sha256::of(b"") },
        lane: None,
        network: false,
        stdin: None,
        inputs: 1,
        limits: RunLimits::default(),
        environment: Vec::new(),
    });
    let effects = Effects::new(vec![read, run]).located(&*desk.locator);
    let expected = desk.files.survey(&effects).unwrap();
    let states: Vec<_> = expected.targets().iter().map(|target| target.state).collect();
    assert_eq!(states, [TargetState::File { sha256: Sha256::of(b"data"), bytes: 4 }]);
}
