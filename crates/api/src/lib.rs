//! The API: one request in, one response out, over a store.
//!
//! [`Api::handle`] is a plain function. Everything it is not told it asks the [`Ambient`] for: time and randomness.
//! Authentication has happened ([`Request::user`]); authorization happens here. A response is bytes, or a
//! [`WatchStream`] that the caller polls. Knows no socket, thread, file or clock.

#![allow(dead_code, unused_imports, reason = "the handler is being wired to the verbs")]

mod ambient;
mod catalog;
mod handle;
mod info;
mod jsonpath;
mod negotiate;
mod query;
mod request;
mod resource;
mod response;
mod selector;
mod verb;
mod watch;

pub use ambient::{Ambient, Time};
pub use catalog::{Catalog, Served, Subresource, Verb, Verbs};
pub use handle::{Api, Options};
pub use info::RequestInfo;
pub use request::{Request, User};
pub use resource::Resource;
pub use response::{Content, Response};
pub use watch::WatchStream;
