//! Why the parser is stuck, and how it goes on.

use super::graph::NodeId;

/// Why the parser is stuck.
#[derive(Clone, Copy)]
pub(super) enum Cause {
    /// A certain token is needed, and `next` comes after it.
    Token { next: NodeId },
    /// A choice whose alternatives all start with other tokens.
    Choice,
    /// Same, after a round of a loop.
    Round,
    /// Prediction had no alternative left at this token.
    NoAlternative { failed: usize },
}

/// The repair.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repair {
    /// Drops the token; the next one fits.
    DeleteToken,
    /// Inserts the needed token; the current one fits after it.
    InsertToken,
    /// Drops tokens until the loop or a caller can continue.
    SkipTokens,
    /// Ends the rule, and drops tokens until a caller can continue.
    LeaveRule,
}
