//! The types of events.

/// The type of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum EventType {
    /// The object is new to the watcher.
    Added,
    /// The object changed.
    Modified,
    /// The object was deleted, or is no longer selected.
    Deleted,
    /// Only the resource version advanced.
    Bookmark,
    /// The watch failed.
    Error,
}

impl EventType {
    /// The name in events.
    pub(super) fn name(self) -> &'static str {
        match self {
            EventType::Added => "ADDED",
            EventType::Modified => "MODIFIED",
            EventType::Deleted => "DELETED",
            EventType::Bookmark => "BOOKMARK",
            EventType::Error => "ERROR",
        }
    }
}
