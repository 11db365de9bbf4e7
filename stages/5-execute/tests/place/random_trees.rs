//! On any tree of folders, files and links, the answer is the kernel's, or a refusal.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::disk::Disk;
use call::{FileKind, PathPlace, Paths as _, UnclearPath};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Node {
    File,
    Folder,
    Link(String),
}

/// Few names, so that paths and targets often meet.
fn path(longest: usize) -> impl Strategy<Value = String> {
    let name = prop_oneof![4 => Just("a"), 4 => Just("b"), 3 => Just("c"), 2 => Just(".."), 1 => Just(".")];
    proptest::collection::vec(name, 1..=longest).prop_map(|names| names.join("/"))
}

fn nodes() -> impl Strategy<Value = Vec<(String, Node)>> {
    let target = (prop_oneof![3 => Just(""), 1 => Just("@ws/"), 1 => Just("@out/")], path(4))
        .prop_map(|(start, path)| format!("{start}{path}"));
    let node = prop_oneof![1 => Just(Node::File), 2 => Just(Node::Folder), 3 => target.prop_map(Node::Link)];
    let place = proptest::collection::vec(prop_oneof![Just("a"), Just("b"), Just("c")], 1..=3);
    proptest::collection::vec((place.prop_map(|names| names.join("/")), node), 0..12)
}

/// Makes what can be made; a node whose place is taken is left out.
fn plant(disk: &Disk, below: &str, nodes: &[(String, Node)]) {
    for (place, node) in nodes {
        let place = format!("{below}/{place}");
        let at = disk.at(&place);
        // Never through a link: that would plant in another place.
        let parent = at.parent().unwrap();
        if fs::create_dir_all(parent).is_err() || fs::canonicalize(parent).unwrap() != parent {
            continue;
        }
        if fs::symlink_metadata(&at).is_ok() {
            continue;
        }
        match node {
            Node::File => fs::write(&at, "x").unwrap(),
            Node::Folder => fs::create_dir(&at).unwrap(),
            Node::Link(target) => disk.link(&place, target),
        }
    }
}

/// Whether the kernel and the answer agree about `given`.
fn agree(disk: &Disk, given: &str, place: &PathPlace) -> Result<(), TestCaseError> {
    let full = disk.at("ws").join(given);
    let kernel = fs::canonicalize(&full);
    match place {
        PathPlace::Below { path, kind: FileKind::Absent } => {
            prop_assert_eq!(kernel.map_err(|error| error.kind()), Err(ErrorKind::NotFound));
            prop_assert!(path.is_within(&disk.path("ws")));
            // Made there, it is what was asked for.
            let at = Path::new(path.as_str());
            fs::create_dir_all(at).unwrap();
            let made = fs::canonicalize(&full);
            prop_assert_eq!(made.ok(), Some(at.to_owned()));
        }
        PathPlace::Below { path, kind } => {
            prop_assert!(path.is_within(&disk.path("ws")));
            prop_assert_eq!(kernel.ok(), Some(path.as_str().into()));
            let found = fs::symlink_metadata(path.as_str()).unwrap();
            let want = if found.is_dir() { FileKind::Folder } else { FileKind::File };
            prop_assert_eq!(*kind, want);
        }
        PathPlace::Unclear(UnclearPath::Loop) => {
            prop_assert!(kernel.is_err());
        }
        PathPlace::Unclear(UnclearPath::BrokenLink) => {
            prop_assert_eq!(kernel.map_err(|error| error.kind()), Err(ErrorKind::NotFound));
        }
        PathPlace::Unclear(UnclearPath::NotFolder | UnclearPath::ThroughFile) => {
            let said = kernel.map_err(|error| error.kind());
            prop_assert!(matches!(said, Err(ErrorKind::NotFound | ErrorKind::NotADirectory)), "{:?}", said);
        }
        PathPlace::Outside => {}
        other @ (PathPlace::GateHome | PathPlace::Unclear(_)) => {
            prop_assert!(false, "{:?} for {}", other, given);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn an_answer_below_is_the_kernels_answer(
        inside in nodes(),
        outside in nodes(),
        paths in proptest::collection::vec(path(5), 1..12),
        home in any::<bool>(),
    ) {
        let disk = Disk::with_home(home);
        plant(&disk, "ws", &inside);
        plant(&disk, "out", &outside);
        let locator = disk.locator();
        for given in paths {
            let place = locator.locate(&given).place;
            agree(&disk, &given, &place)?;
        }
    }

    #[test]
    fn without_links_every_path_below_is_found(
        nodes in nodes(),
        given in path(5),
        home in any::<bool>(),
    ) {
        let disk = Disk::with_home(home);
        let plain: Vec<_> = nodes.into_iter().filter(|(_, node)| !matches!(node, Node::Link(_))).collect();
        plant(&disk, "ws", &plain);
        let place = disk.locator().locate(&given).place;
        let kernel = fs::canonicalize(disk.at("ws").join(&given));
        if let Ok(kernel) = kernel && kernel.starts_with(disk.at("ws")) {
            let PathPlace::Below { path, .. } = place else { panic!("{given} leads to {place:?}") };
            prop_assert_eq!(Path::new(path.as_str()), kernel);
        }
    }
}
