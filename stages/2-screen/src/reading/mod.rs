//! The ways in which a text can be read.
//!
//! A person, a browser and a language model see through different disguises, so a text is read in
//! several ways and screened in each. No reading judges: it only says what would be read, and
//! [`View`](crate::view::View) remembers where.

pub(crate) mod alphabet;
pub(crate) mod bare;
pub(crate) mod clean;
pub(crate) mod disguised;
pub(crate) mod encoded;
mod entity;
pub(crate) mod joined;
pub(crate) mod leet;
pub(crate) mod letters;
pub(crate) mod ordinary;
pub(crate) mod packed;
pub(crate) mod parts;
pub(crate) mod script;
pub(crate) mod smuggled;
pub(crate) mod soft_break;
pub(crate) mod spelled;
pub(crate) mod squeeze;
mod stretches;
pub(crate) mod stutter;
pub(crate) mod unescape;
