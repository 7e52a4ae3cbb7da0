//! Direct checks of Rust values: what the code that the macros write is made of.
//!
//! A derived type says of a value only whether the engine would find nothing wrong ([`Schema::holds`](super::Schema::holds)); a value that
//! does not hold is given to the engine, which knows the words, their order, and what an old value excuses. So code here may
//! always answer "not known" (`false`), and never "valid" where the engine disagrees. Must not know CRDs.

mod before;
pub mod cel;
mod fill;
pub mod keyword;
mod list;
mod literal;
mod reach;
mod view;

pub use before::Before;
pub use fill::{fill, fill_json};
pub use list::{differ, differ_by};
pub use literal::Literal;
pub use reach::{Reach, WithSchema, WithoutSchema};
pub use view::{Entries, Items, Members, View};
