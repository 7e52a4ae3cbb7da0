//! Creations of objects that are only acted on.

/// A request that creates an object which is not stored: for a token, a binding, an eviction.
pub(crate) struct UnstoredCreation<'c> {
    /// Group, version and kind of what was sent.
    pub(crate) kind: (&'c str, &'c str, &'c str),
    /// The subject of the review.
    pub(crate) name: &'c str,
    /// The user who sends it.
    pub(crate) manager: &'c str,
    pub(crate) is_dry_run: bool,
}
