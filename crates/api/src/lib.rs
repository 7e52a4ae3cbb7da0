//! The API: one request in, one response out, over a store.
//!
//! [`Api::handle`] is a plain function. Everything it is not told it asks the [`Ambient`] for: time and randomness.
//! Authentication has happened ([`Request::user`]); authorization happens here. A response is bytes, or a
//! [`WatchStream`] that the caller polls. Knows no socket, thread, file or clock.

mod access;
mod admit;
mod ambient;
mod bootstrap;
mod catalog;
mod define;
mod discovery;
mod documents;
mod handle;
mod info;
mod input;
mod jsonpath;
mod list_options;
mod managed;
mod negotiate;
mod openapi;
mod options;
mod paging;
mod partial;
mod paths;
mod present;
mod query;
mod reply;
mod request;
mod resource;
mod response;
mod route;
mod selector;
mod stored;
mod table;
mod url;
mod verb;
mod watch;
mod write;

pub use access::{Access, Attributes, Authenticator, Decision};
pub use ambient::{Ambient, Time};
pub use catalog::{Catalog, Served, Subresource, Verb, Verbs};
pub use handle::{Api, Options};
pub use info::RequestInfo;
pub use request::{Request, User};
pub use resource::{GarbageCollection, Resource, ScaleChange};
pub use response::{Content, Response};
pub use watch::WatchStream;
