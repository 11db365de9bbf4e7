//! From the texts of a policy to its types, strictly and with places.

mod fields;
mod home;
mod lists;
mod manifest;
mod tree;

pub(crate) use home::home;
pub(crate) use manifest::{is_manifest_of, manifest};
pub(crate) use tree::{json_tree, text_of, toml_tree};
