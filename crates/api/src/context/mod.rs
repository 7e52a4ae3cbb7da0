//! What every answer needs: the request on a resource, and the parts of the server that it may use. Knows no verb.

mod above;
mod authorized;
mod call;
mod core;

pub use above::Answer;
pub(crate) use above::{Above, Created};
pub use authorized::Authorized;
pub(crate) use call::{Call, Notes};
pub(crate) use core::{Core, Current, Judges};
