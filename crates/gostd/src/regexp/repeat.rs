//! Counted repetitions: `{2}`, `{2,}`, `{2,5}`.

use super::node::Count;

/// The largest count.
const MAX: u32 = 1000;

/// The bounds as written; an inner `None` is a number that is far too large.
pub(super) struct Bounds {
    min: Option<u32>,
    max: Max,
}

enum Max {
    Same,
    Open,
    Number(Option<u32>),
}

/// Reads the bounds and returns what follows the closing brace, or `None` if the braces contain none.
pub(super) fn bounds(text: &str) -> Option<(Bounds, &str)> {
    let (min, rest) = number(text.strip_prefix('{')?)?;
    let (max, rest) = match rest.strip_prefix(',') {
        None => (Max::Same, rest),
        Some(rest) if rest.starts_with('}') => (Max::Open, rest),
        Some(rest) => {
            let (max, rest) = number(rest)?;
            (Max::Number(max), rest)
        }
    };
    Some((Bounds { min, max }, rest.strip_prefix('}')?))
}

impl Bounds {
    /// The count, unless it is too large or its bounds are reversed.
    pub(super) fn count(&self) -> Option<Count> {
        let min = self.min.filter(|min| *min <= MAX)?;
        let max = match self.max {
            Max::Same => Some(min),
            Max::Open => None,
            Max::Number(max) => Some(max.filter(|max| *max <= MAX && min <= *max)?),
        };
        Some(Count {
            min,
            max,
            counted: true,
        })
    }
}

/// Reads a number without leading zeros; the inner `None` is a number that does not fit.
fn number(text: &str) -> Option<(Option<u32>, &str)> {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some((digits.parse().ok(), rest))
}
