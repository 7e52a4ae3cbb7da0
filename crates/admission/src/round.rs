//! How often mutating plugins, policies and webhooks are asked about a request.

/// A pass over all that may change an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    First,
    /// A policy or webhook changed the object in the first.
    Second,
}
