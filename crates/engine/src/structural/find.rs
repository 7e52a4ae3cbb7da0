//! Finding a key among the names of a schema: the place after the last find is tried first, then all by fingerprint.
//!
//! Objects mostly come in the order of their schema with some members left out, so the next key is a few names away.
//! Knows neither schemas nor values.

/// A number made from a key: the same for equal keys, and hardly ever for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Print(u64);

impl Print {
    /// The fingerprint of a key: its length, first and last bytes. Keys of one schema differ in those.
    #[inline]
    pub(crate) fn of(key: &str) -> Self {
        let bytes = key.as_bytes();
        let (first, last) = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
        } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            (first.into(), last.into())
        } else if let (Some(first), Some(last)) = (bytes.first(), bytes.last()) {
            (
                (*first).into(),
                u64::from(*last) << 8 | u64::from(bytes[bytes.len() / 2]),
            )
        } else {
            (0, 0)
        };
        // An odd factor spreads the last bytes without losing any.
        Self(first ^ last.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ bytes.len() as u64)
    }
}

/// The position of a key among names with these fingerprints, given where to look first; that becomes the place after
/// it. `is_named` says whether the name at a position is the key.
#[inline]
pub(crate) fn find_near(
    prints: &[Print],
    print: Print,
    near: &mut usize,
    is_named: impl Fn(usize) -> bool,
) -> Option<usize> {
    let start = (*near).min(prints.len());
    let (behind, ahead) = prints.split_at(start);
    let at = |(offset, prints): (usize, &[Print])| {
        let mut positions = (offset..).zip(prints);
        positions.find_map(|(position, &other)| (other == print && is_named(position)).then_some(position))
    };
    let found = [(start, ahead), (0, behind)].into_iter().find_map(at)?;
    *near = found + 1;
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks for each key in turn; the positions found.
    fn check(names: &[&str], keys: &[&str], found: &[Option<usize>]) {
        let prints: Vec<Print> = names.iter().map(|name| Print::of(name)).collect();
        let mut near = 0;
        let find = |key: &&str| find_near(&prints, Print::of(key), &mut near, |at| names[at] == *key);
        assert_eq!(keys.iter().map(find).collect::<Vec<_>>(), found);
    }

    #[test]
    fn keys_are_found_in_any_order() {
        let names = [
            "",
            "a",
            "ab",
            "abc",
            "abcd",
            "abcdefg",
            "abcdefgh",
            "abcdefghi",
            "a much longer name",
        ];
        let all: Vec<Option<usize>> = (0..names.len()).map(Some).collect();
        check(&names, &names, &all);
        let reversed: Vec<&str> = names.iter().rev().copied().collect();
        let positions: Vec<Option<usize>> = all.iter().rev().copied().collect();
        check(&names, &reversed, &positions);
        check(
            &names,
            &["b", "abc", "zz", "a", "ac", "abcdefgj"],
            &[None, Some(3), None, Some(1), None, None],
        );
        check(&[], &["a", ""], &[None, None]);
    }

    #[test]
    fn names_with_the_same_print_are_told_apart() {
        let (left, right) = ("prefix--middle--postfix", "prefix--MIDDLE--postfix");
        assert_eq!(Print::of(left), Print::of(right));
        check(
            &[left, right],
            &[right, left, right],
            &[Some(1), Some(0), Some(1)],
        );
        check(&[left], &[right], &[None]);
    }
}
