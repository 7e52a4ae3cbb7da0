//! What tests of several crates share. A dev-dependency only.

pub mod table;
