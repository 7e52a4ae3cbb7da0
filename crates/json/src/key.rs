//! Comparing keys.

/// Are two keys equal? Keys are short, so a call of `memcmp` would cost more than the comparison.
#[inline]
#[must_use]
pub fn is_same_key(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    if left.len() > 16 {
        return left == right;
    }
    if let (Some(first), Some(last)) = (left.first_chunk::<8>(), left.last_chunk::<8>()) {
        return right.first_chunk() == Some(first) && right.last_chunk() == Some(last);
    }
    if let (Some(first), Some(last)) = (left.first_chunk::<4>(), left.last_chunk::<4>()) {
        return right.first_chunk() == Some(first) && right.last_chunk() == Some(last);
    }
    left.iter().eq(right)
}

/// One bit for a key, by its ends and length: keys with different bits differ.
#[inline]
pub(crate) fn key_mark(key: &str) -> u64 {
    let bytes = key.as_bytes();
    let (first, last) = match bytes {
        [] => (0, 0),
        [first, .., last] => (*first, *last),
        [only] => (*only, 0),
    };
    1 << ((usize::from(first) + usize::from(last) * 7 + bytes.len() * 3) % 64)
}
