//! Responses.

pub(crate) mod negotiate;
pub(crate) mod partial;
pub(crate) mod render;
pub(crate) mod status_response;
pub(crate) mod table;

use std::borrow::Cow;

use crate::WatchStream;

/// A response.
#[derive(Debug)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The headers, in order. `Warning` may occur several times.
    pub headers: Vec<(&'static str, Cow<'static, str>)>,
    /// The body.
    pub content: Content,
}

/// The body of a response.
#[derive(Debug)]
pub enum Content {
    /// The whole body.
    Bytes(Vec<u8>),
    /// A stream of events.
    Watch(Box<WatchStream>),
}
