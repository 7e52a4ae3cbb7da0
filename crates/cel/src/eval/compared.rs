//! Results of comparisons, kept while an evaluation runs.

use std::collections::HashMap;

use super::value::Value;

/// Results of comparisons that took long, by the places of both values: values that share parts would take exponential
/// time otherwise.
#[derive(Default)]
pub(super) struct Compared<'a>(pub(super) HashMap<(Place, Place), Value<'a>>);

/// Where a container is: nothing else is there during an evaluation.
pub(super) type Place = (usize, usize);
