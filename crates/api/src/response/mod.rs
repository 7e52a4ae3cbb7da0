//! Responses.

pub(crate) mod negotiate;
pub(crate) mod partial;
mod pieces;
pub(crate) mod render;
pub(crate) mod spliced;
pub(crate) mod status_response;
pub(crate) mod table;

use std::borrow::Cow;

use crate::WatchStream;

pub use pieces::Pieces;

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
    /// A body that may be long, to be sent piece by piece.
    Pieces(Pieces),
    /// A stream of events.
    Watch(Box<WatchStream>),
}

impl Content {
    /// The whole body; a watch has none.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Content::Bytes(bytes) => bytes,
            Content::Pieces(pieces) => pieces.join(),
            Content::Watch(_) => Vec::new(),
        }
    }
}
