//! The API: one request in, one response out, over a store.
//!
//! [`Api::handle`] is a plain function; time and randomness come from the [`Environment`]. Authentication has happened
//! ([`Request::user`]); authorization happens here. A response is bytes, or a [`WatchStream`] that the caller polls.
//! Knows no socket, thread, file or clock.

mod access;
mod bootstrap;
mod catalog;
mod context;
mod conversion_webhook;
mod discovery;
mod documents;
mod environment;
mod follow;
mod followed;
mod handle;
mod jsonpath;
mod loopback;
mod openapi;
pub mod options;
mod paths;
mod read;
mod registered;
mod request;
mod resource;
mod response;
mod route;
mod stored;
mod unreadable;
mod verb;
mod verbatim;
mod watch;
mod webhook;
mod write;

pub use access::{Access, Attributes, Authenticator, AuthorizationMode, Authorizer, Decision, TokenSigner};
pub use catalog::{Catalog, Served, Subresource, Verb, Verbs};
pub use context::{Answer, Authorized};
pub use environment::{Environment, Still, Time};
pub use handle::Api;
pub use kindsmith_admission::plugin::{EventLimits, ImagePolicy, ImagePolicySettings};
pub use kindsmith_admission::{Plugin, Plugins};
pub use loopback::Loopback;
pub use options::{Options, PublishedDefaults};
pub use request::request_info::RequestInfo;
pub use request::{Request, User};
pub use resource::{Generation, Resource, ScaleChange};
pub use response::{Content, Pieces, Response};
pub use unreadable::Unreadable;
pub use watch::WatchStream;
