//! What the API answers.

pub(crate) mod negotiate;
pub(crate) mod partial;
pub(crate) mod render;
pub(crate) mod status_response;
pub(crate) mod table;

use std::borrow::Cow;

use crate::WatchStream;

/// What the API answers.
#[derive(Debug)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The headers, in order. `Warning` may be there several times.
    pub headers: Vec<(&'static str, Cow<'static, str>)>,
    /// The body.
    pub content: Content,
}

/// The body of a response.
#[derive(Debug)]
pub enum Content {
    /// All of it.
    Bytes(Vec<u8>),
    /// Events as they happen.
    Watch(Box<WatchStream>),
}
