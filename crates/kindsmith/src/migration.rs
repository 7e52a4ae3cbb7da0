//! From hand-written rules to tags: both validate, differences are counted, and tags take over when there are none.
//!
//! 1. Write tags at level alpha (`+k8s:alpha(since: "1.0")=+k8s:minimum=1`) and give the server the hand-written rules with
//!    [`local_api::set_hand_written`](crate::local_api::set_hand_written). Errors that tags find too are
//!    [`covered`](HandWrittenError::covered).
//! 2. Watch `apiserver_validation_declarative_validation_mismatch_total`, or [`Tally::counts`].
//! 3. Raise the tags to beta: their errors replace the covered ones while `DeclarativeValidationBeta` is on.
//! 4. Remove the level and the hand-written rules.

pub use kindsmith_api::Options;
pub use kindsmith_builtin::{
    Change, Counts, Declarative, HandWritten, HandWrittenError, Lifecycle, Mark, Tally,
};
pub use kindsmith_engine::CustomChecks;
pub use kindsmith_object::{BadValue, Detail, ErrorKind};
pub use kindsmith_server::Gates;
