//! `toolgate ledger export`: what it writes is read back, by our own checks and by those of others.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use signed_note::{Note, StandardVerifier, VerifierList};
use tlog_tiles::{Tile, TileHashReader, TileReader, check_record, check_tree, prove_record, prove_tree};
use verify::audit::Standing;
use verify::export::Files;

use crate::books::{Backup, fill, key, moment, with_calls};
use crate::door::{Door, Ran};

const ELEVEN: [&str; 11] = [
    "ts",
    "ts_iso",
    "session_id",
    "agent",
    "tool",
    "args_hash",
    "result_status",
    "elapsed_ms",
    "error_class",
    "risk_flags",
    "artifacts",
];

fn export(door: &Door, format: &str, more: &[&str]) -> Ran {
    door.run(&[&["ledger", "export", "--format", format, "--out", "out"], more].concat())
}

#[track_caller]
fn exported(door: &Door, format: &str, more: &[&str]) {
    let ran = export(door, format, more);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
}

/// All lines of all files, by the names of the files.
fn lines(door: &Door) -> Vec<String> {
    let files = door.names("out");
    files
        .iter()
        .flat_map(|name| door.read(&format!("out/{name}")).lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// The keys of an object in the order in which they are written.
fn keys(line: &str) -> Vec<String> {
    let object: Value = serde_json::from_str(line).unwrap();
    let mut keys: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
    keys.sort_by_key(|key| line.find(&format!("\"{key}\":")).unwrap());
    keys
}

#[test]
fn every_call_that_ended_is_one_line_with_the_eleven_keys_first() {
    let door = with_calls();
    exported(&door, "jsonl", &[]);
    let lines = lines(&door);
    let entries = door.run(&["ledger", "query", "--limit", "1000", "--format", "json"]).stdout;
    assert_eq!(lines.len(), entries.lines().count());
    let mut calls = Vec::new();
    for line in &lines {
        assert!(line.is_ascii(), "{line}");
        let event: Value = serde_json::from_str(line).unwrap();
        let keys = keys(line);
        assert_eq!(keys[..2], ["ts", "ts_iso"]);
        if event.get("event_type").is_some() {
            assert!(event.get("result_status").is_none(), "{line}");
            continue;
        }
        assert_eq!(keys[..12], [ELEVEN.as_slice(), &["call_id"]].concat(), "{line}");
        let (seconds, iso) = (event["ts"].as_f64().unwrap(), event["ts_iso"].as_str().unwrap());
        let at = moment(&iso.replace("+00:00", "Z"));
        assert!((at.microseconds() as f64 / 1e6 - seconds).abs() < 1e-6, "{line}");
        assert_eq!(event["session_id"], "s1");
        assert_eq!(event["purpose"], "look\u{2028}at it");
        calls.push(format!(
            "{} {} {}",
            event["tool"].as_str().unwrap(),
            event["result_status"].as_str().unwrap(),
            event["error_class"]
        ));
    }
    let want = [
        "read_file denied \"path_denied\"",
        "read_file denied \"bad_request\"",
        "read_file error \"not_found\"",
    ];
    assert_eq!(calls, want, "the call that waits has no line yet");
    let types: BTreeSet<String> = lines
        .iter()
        .filter_map(|line| Some(serde_json::from_str::<Value>(line).unwrap().get("event_type")?.to_string()))
        .collect();
    assert_eq!(types.into_iter().collect::<Vec<_>>(), ["\"asked\"", "\"policy_applied\"", "\"ruled\""]);
}

#[test]
fn events_lie_in_the_file_of_their_day_also_when_the_clock_goes_back() {
    let door = Door::new();
    assert_eq!(door.run(&["init"]).code, Some(0));
    let moments = [
        "2020-01-01T00:00:00Z",
        "2020-01-02T23:59:59.999999Z",
        "2020-01-03T00:00:00Z",
        "2020-01-02T12:00:00Z",
        "2020-01-03T12:00:00Z",
    ];
    fill(&door, moments.map(moment));
    exported(&door, "jsonl", &["--until", "2021-01-01T00:00:00Z"]);
    let names = ["events_2020-01-01.jsonl", "events_2020-01-02.jsonl", "events_2020-01-03.jsonl"];
    assert_eq!(door.names("out"), names);
    let counts = || names.map(|name| door.read(&format!("out/{name}")).lines().count());
    assert_eq!(counts(), [1, 2, 2]);
    // The same again changes nothing, and whole days may be written one by one.
    exported(&door, "jsonl", &["--since", "2020-01-02T00:00:00Z", "--until", "2020-01-03T00:00:00Z"]);
    assert_eq!(counts(), [1, 2, 2]);
    // A part of a day never takes lines away from a file that is there.
    let cut = export(&door, "jsonl", &["--since", "2020-01-03T06:00:00Z"]);
    assert_eq!(cut.code, Some(3), "{}", cut.all());
    assert!(cut.stderr.contains("events_2020-01-03.jsonl"), "{}", cut.all());
    assert_eq!(counts(), [1, 2, 2]);
    assert_eq!(door.names("out"), names, "nothing is left behind");
    // What was a part and has grown is written anew.
    let part = ["--since", "2020-01-03T06:00:00Z", "--until", "2021-01-01T00:00:00Z", "--out"];
    let to_part =
        || door.run(&[&["ledger", "export", "--format", "jsonl"], part.as_slice(), &["part"]].concat());
    assert_eq!(to_part().code, Some(0));
    fill(&door, [moment("2020-01-03T13:00:00Z")]);
    assert_eq!(to_part().code, Some(0));
    assert_eq!(door.read("part/events_2020-01-03.jsonl").lines().count(), 2);
}

#[test]
fn a_folder_with_anything_else_in_it_is_left_alone() {
    let door = with_calls();
    for (format, name) in
        [("jsonl", "notes.md"), ("tiles", "events_2020-01-01.jsonl"), ("otlp", "checkpoint")]
    {
        door.write(&format!("out/{name}"), "mine");
        let ran = export(&door, format, &[]);
        assert_eq!(ran.code, Some(3), "{}", ran.all());
        assert!(ran.stderr.contains(name), "{}", ran.all());
        assert_eq!(door.names("out"), [name]);
        fs::remove_dir_all(door.path("out")).unwrap();
    }
    // What a killed export left is nobody's.
    door.write("out/.toolgate-export-1-0", "half");
    exported(&door, "otlp", &[]);
    assert_eq!(door.names("out"), ["events.otlp.jsonl"]);
    let usage = [
        (vec!["--since", "yesterday"], "jsonl", "is not a moment"),
        (vec!["--since", "2026-01-01T00:00:00Z"], "tiles", "the whole log"),
    ];
    for (more, format, want) in usage {
        let ran = export(&door, format, &more);
        assert_eq!(ran.code, Some(3));
        assert!(ran.stderr.contains(want), "{}", ran.all());
    }
}

#[test]
fn telemetry_has_every_event_in_requests_that_a_collector_takes() {
    let door = with_calls();
    fill(&door, vec![moment("2026-02-09T00:00:00Z"); 520]);
    exported(&door, "otlp", &[]);
    let text = door.read("out/events.otlp.jsonl");
    let requests: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let records: Vec<&Vec<Value>> = requests
        .iter()
        .map(|request| request["resourceLogs"][0]["scopeLogs"][0]["logRecords"].as_array().unwrap())
        .collect();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].len(), 512);
    let size = door.run(&["ledger", "verify", "--format", "json"]).json()["entries"].as_u64().unwrap();
    assert_eq!(records.iter().map(|records| records.len() as u64).sum::<u64>(), size);
    let denied = records[0].iter().find(|record| record["body"]["stringValue"] == "refused").unwrap();
    assert_eq!(denied["severityNumber"], 13);
    assert_eq!(denied["traceId"].as_str().unwrap().len(), 32);
    assert!(denied["timeUnixNano"].as_str().unwrap().parse::<u64>().is_ok());
    let attributes = denied["attributes"].as_array().unwrap();
    let keys: BTreeSet<&str> = attributes.iter().map(|pair| pair["key"].as_str().unwrap()).collect();
    assert_eq!(keys.len(), attributes.len(), "no key is there twice");
    assert!(keys.contains("toolgate.reasons.0.code"), "{keys:?}");
}

/// A folder, read by our own check and by that of others.
struct Log(PathBuf);

impl Files for Log {
    type Error = io::Error;

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, io::Error> {
        match fs::read(self.0.join(path)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl TileReader for Log {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, tlog_tiles::Error> {
        // Theirs have the height in the path, which in C2SP is always the same.
        let path = |tile: &Tile| tile.path().replacen("tile/8/", "tile/", 1);
        Ok(tiles.iter().map(|tile| fs::read(self.0.join(path(tile))).unwrap()).collect())
    }

    fn save_tiles(&self, _: &[Tile], _: &[Vec<u8>]) {}
}

#[track_caller]
fn holds(door: &Door) {
    let standings = verify::export::check(&Log(door.path("out")), &key(door), Vec::new()).unwrap();
    assert!(matches!(standings.as_slice(), [(_, Standing::Holds)]), "{standings:?}");
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            found.extend(files(&path).into_iter().map(|below| format!("{name}/{below}")));
        } else {
            found.insert(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    found
}

#[test]
fn tiles_are_the_log_and_grow_with_it() {
    let door = with_calls();
    exported(&door, "tiles", &[]);
    holds(&door);
    let small = files(&door.path("out"));
    assert_eq!(small.len(), 3, "{small:?}");
    fill(&door, vec![moment("2026-02-09T00:00:00Z"); 300]);
    exported(&door, "tiles", &[]);
    holds(&door);
    let size = door.run(&["ledger", "verify", "--format", "json"]).json()["entries"].as_u64().unwrap();
    let rest = size - 256;
    let want = [
        "checkpoint".to_owned(),
        "tile/0/000".to_owned(),
        format!("tile/0/001.p/{rest}"),
        "tile/1/000.p/1".to_owned(),
        "tile/entries/000".to_owned(),
        format!("tile/entries/001.p/{rest}"),
    ];
    assert_eq!(files(&door.path("out")), BTreeSet::from(want), "parts that are not needed are gone");
    // The same once more.
    exported(&door, "tiles", &[]);
    holds(&door);
}

#[test]
fn exported_tiles_are_understood_by_others() {
    let door = with_calls();
    fill(&door, vec![moment("2026-02-09T00:00:00Z"); 300]);
    exported(&door, "tiles", &[]);
    let note = Note::from_bytes(&fs::read(door.path("out/checkpoint")).unwrap()).unwrap();
    let verifier = StandardVerifier::new(&key(&door).to_string()).unwrap();
    assert!(note.verify(&VerifierList::new(vec![Box::new(verifier)])).is_ok());
    let checkpoint = tlog_tiles::Checkpoint::from_bytes(note.text()).unwrap();
    let (size, root) = (checkpoint.size(), *checkpoint.hash());
    let log = Log(door.path("out"));
    // This reader holds every tile that it uses against the root.
    let reader = TileHashReader::new(size, root, &log);
    let leaf = |place: u64| {
        let entries = door.run(&["ledger", "prove", &place.to_string(), "--out", "proof"]);
        assert_eq!(entries.code, Some(0));
        tlog_tiles::record_hash(door.read(&format!("proof/{place}.json")).as_bytes())
    };
    for place in [0, 1, 255, 256, size - 1] {
        let proof = prove_record(size, place, &reader).unwrap();
        assert!(check_record(&proof, size, root, place, leaf(place)).is_ok(), "{place}");
    }
    for old in [1, 255, 256, 257] {
        let proof = prove_tree(size, old, &reader).unwrap();
        let old_root = tlog_tiles::tree_hash(old, &reader).unwrap();
        assert!(check_tree(&proof, size, root, old, old_root).is_ok(), "{old}");
    }
}

#[test]
fn an_export_exposes_a_ledger_that_was_put_back_or_changed() {
    let door = with_calls();
    let backup = Backup::of(&door);
    fill(&door, vec![moment("2026-02-09T00:00:00Z"); 280]);
    exported(&door, "tiles", &[]);
    let before = files(&door.path("out"));
    backup.put_back();
    let ran = export(&door, "tiles", &[]);
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    assert!(ran.stderr.contains("cut or put back"), "{}", ran.all());
    // Another history of the same length, and longer.
    fill(&door, vec![moment("2026-02-10T00:00:00Z"); 400]);
    let ran = export(&door, "tiles", &[]);
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    assert_eq!(files(&door.path("out")), before);
    // Without the checkpoint that says so, the full tiles still do.
    fs::remove_file(door.path("out/checkpoint")).unwrap();
    let ran = export(&door, "tiles", &[]);
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    // The export of another ledger.
    let other = with_calls();
    exported(&other, "tiles", &[]);
    let ran =
        door.run(&["ledger", "export", "--format", "tiles", "--out", other.path("out").to_str().unwrap()]);
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    assert!(ran.stderr.contains("another log"), "{}", ran.all());
}
