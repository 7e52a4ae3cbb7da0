//! Direct checks of Rust values: what the code that the macros write is made of.
//!
//! A derived type says of a value whether the engine would find nothing wrong ([`Schema::holds`](super::Schema::holds)), and of a new value that
//! does not hold what is wrong ([`tell`]). The engine knows the rest: rules with functions that are not written here, and what an old
//! value excuses. So code here may always answer "not known", and never what the engine would not say. Must not know CRDs.

mod before;
pub mod cel;
mod fill;
pub mod keyword;
mod list;
mod literal;
mod reach;
pub mod tell;
mod view;

pub use before::Before;
pub use fill::{fill, fill_json};
pub use list::{differ, differ_by};
pub use literal::Literal;
pub use reach::{Reach, WithSchema, WithoutSchema};
pub use view::{Entries, Items, Members, View};
