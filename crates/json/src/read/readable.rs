//! Whether a value that was not read could be.

use super::Options;
use crate::Value;

impl Value<'_> {
    /// Whether this can be written as JSON and read again: no deeper than [`Options`] allow, only finite numbers.
    #[must_use]
    pub fn is_readable(self) -> bool {
        let deepest = Options::default().max_depth;
        let mut open = vec![(self, 0)];
        while let Some((value, depth)) = open.pop() {
            match value {
                Value::Array(_) | Value::Object(_) if depth >= deepest => return false,
                Value::Array(items) => open.extend(items.iter().map(|item| (*item, depth + 1))),
                Value::Object(object) => {
                    open.extend(object.entries().iter().map(|entry| (entry.value, depth + 1)));
                }
                Value::Float(number) if !number.is_finite() => return false,
                _ => {}
            }
        }
        true
    }
}
