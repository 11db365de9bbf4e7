//! Rules of the house that the compiler cannot see, as tests.
//!
//! Each failure says what to do about it, and each test names everything that is wrong at once.

mod claims;
mod corpus;
mod dependencies;
mod files;
mod tree;
