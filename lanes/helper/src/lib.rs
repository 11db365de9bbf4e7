//! The program between the gate and code that nobody trusts.
//!
//! It is started by the gate, is told what to do by a [`plan`], and does nothing else: it decides nothing,
//! looks for nothing, and has no default. Three processes come of it. The [`monitor`] stands outside; it
//! makes the namespaces and waits. The [`init`] is the first process inside; it builds the root, starts the
//! program behind all [`walls`], and ends everything when the program ends or the gate is gone. The third
//! becomes the program.
//!
//! In a machine of its own, it is the first process of all: the [`guest`] brings the machine up, lets the
//! others do in there what they do everywhere, and tells the gate what came of it as an [`answer`]. Where a
//! job lists hosts, it hands connections to the gate's proxy over a [`wire`].
//!
//! There is no library below it, not even C's: it is linked by itself, starts in a fraction of a
//! millisecond, runs on every distribution, and holds no memory of the gate that somebody could read.
#![no_std]

pub mod answer;
pub mod guest;
pub mod init;
pub mod monitor;
pub mod plan;
pub mod root;
pub mod sys;
pub mod talk;
pub mod walls;
pub mod wire;
