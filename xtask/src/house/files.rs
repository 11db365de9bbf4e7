//! What every file of the repository keeps to.

use super::tree::{File, files};
use crate::repository::root;

#[test]
fn every_source_file_says_first_what_it_is_for() {
    let silent: Vec<String> =
        files().iter().filter(|file| file.is("rs") && !file.text().starts_with("//! ")).map(path).collect();
    assert!(
        silent.is_empty(),
        "begin these with a `//!` header (what it is for, what it never does): {silent:#?}"
    );
}

#[test]
fn no_file_names_a_path_of_somebodys_machine() {
    let mut private = vec!["/Users/".to_owned(), "C:\\Users\\".to_owned()];
    if let Some(home) = std::env::var("HOME").ok().filter(|home| home.len() > 1) {
        private.extend([".cargo", ".rustup", ".config", ".cache"].map(|name| format!("{home}/{name}")));
    }
    // A clone directly below `/` has a name too short to tell from an ordinary path.
    let here = root().display().to_string();
    if here.matches('/').count() > 1 {
        private.push(here);
    }
    let mut found = Vec::new();
    for file in files().iter().filter(|file| file.path != "xtask/src/house/files.rs") {
        let text = file.text();
        for path in private.iter().filter(|path| text.contains(path.as_str())) {
            found.push(format!("{}: {path}", file.path));
        }
    }
    assert!(found.is_empty(), "write these relative to the repository: {found:#?}");
}

#[test]
fn documents_use_plain_dashes_and_no_emoji() {
    let mut found = Vec::new();
    for file in files().iter().filter(|file| is_prose(file)) {
        for (number, line) in file.text().lines().enumerate() {
            if let Some(character) = line.chars().find(|&character| is_ornament(character)) {
                found.push(format!("{}:{}: U+{:04X}", file.path, number + 1, u32::from(character)));
            }
        }
    }
    assert!(found.is_empty(), "write a colon, a comma, brackets or `-` instead: {found:#?}");
}

fn is_prose(file: &File) -> bool {
    let written = file.is("md") || file.is("toml") || file.path.starts_with("scripts/");
    written && !file.path.starts_with("tests/corpus/")
}

fn is_ornament(character: char) -> bool {
    matches!(character,
        '\u{2010}'..='\u{2015}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

fn path(file: &File) -> String {
    file.path.clone()
}
