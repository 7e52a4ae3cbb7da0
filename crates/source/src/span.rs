//! Places in source files.

/// A file in a [`SourceMap`](crate::SourceMap).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(crate) u32);

/// A byte range in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file the range lies in.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` to `end`.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        debug_assert!(start <= end, "a span does not run backwards");
        Self { file, start, end }
    }

    /// The part of this span from `start` to `end`, both relative to its first byte.
    #[must_use]
    pub fn part(self, start: usize, end: usize) -> Self {
        let clamp = |offset: usize| self.start + u32::try_from(offset).unwrap_or(u32::MAX).min(self.len());
        Self {
            file: self.file,
            start: clamp(start.min(end)),
            end: clamp(end),
        }
    }

    /// The number of bytes covered.
    #[must_use]
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the span covers no byte.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
