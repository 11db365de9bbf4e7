//! The binary as the lanes start it.

use monty_lane::{Limits, Pool, Request, Settings};

#[test]
fn the_binary_is_its_own_monty_worker() {
    let settings = Settings { workers: 1, ..Settings::new(env!("CARGO_BIN_EXE_toolgate")) };
    let pool = Pool::start(settings).unwrap();
    let source = "import uuid\n[sum(numbers), len(str(uuid.uuid4()))]".to_owned();
    let inputs = serde_json::Map::from_iter([("numbers".to_owned(), serde_json::json!([1, 2, 3]))]);
    let request = Request { source, modules: Vec::new(), inputs, limits: Limits::default() };
    let outcome = pool.run(&request, None).unwrap();
    assert_eq!(outcome.result.unwrap().json, "[6,36]");
    assert!(outcome.layers.iter().any(|layer| layer == "seccomp"), "{:?}", outcome.layers);
}
