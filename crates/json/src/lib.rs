//! JSON values with exact numbers and key order, readers for JSON and Kubernetes' YAML, writers, and field paths.
//!
//! A [`Value`] is 24 bytes, `Copy`, and lives in an [`Arena`]: containers are slices, strings borrow from the
//! text that was read. Values are immutable; a changed container is a new slice that shares everything else,
//! so reusing a part of another object is a copy of 24 bytes. [`ObjectEdit`] and [`ArrayEdit`] do that
//! lazily; a [`Draft`] is for many changes all over a value.
//!
//! Knows no schema and no Kubernetes type; touches no file, clock or network.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod locate;
pub mod path;
pub mod pause;
pub mod read;
pub mod write;
pub mod yaml;

mod access;
mod copy;
mod draft;
mod edit;
mod equal;
mod key;
mod location;
mod make;
mod skim;
mod value;

pub use access::Keys;
/// The memory that values live in; everything is freed together when it is dropped or reset.
pub use bumpalo::Bump as Arena;
pub use draft::Draft;
pub use edit::{ArrayEdit, ObjectEdit};
pub use key::is_same_key;
pub use make::{object_of, object_of_present};
pub use path::Path;
pub use read::{Options, ReadError, parse, parse_str};
pub use skim::{pick, place, span, strings};
pub use value::{Entry, Iter, Kind, Object, Value};
pub use write::{to_string, to_string_pretty};
