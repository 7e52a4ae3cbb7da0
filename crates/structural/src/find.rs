//! Finds a key among the names of a schema: tries the position after the last match first, then searches by
//! fingerprint.
//!
//! Most objects list members in the order of their schema with some left out, so the next key is only a few
//! names away. Knows neither schemas nor values.

/// A number made from a key: equal keys have equal numbers, and different keys hardly ever do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Print(u32);

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
        // An odd factor mixes the last bytes without losing any.
        let mixed = (first ^ last.rotate_left(29) ^ bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self((mixed >> 32) as u32)
    }
}

impl Print {
    /// As a number.
    #[inline]
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// Tables with more names than this use binary search.
pub(crate) const MANY: usize = 64;

/// An entry of a table that has a name.
pub(crate) trait Named {
    /// The fingerprint of the name.
    fn print(&self) -> Print;
}

/// The position of a key in a table of names. `near` is where to start and becomes the position after the
/// match. `is_named` compares the name of an entry with the key; it is called only for equal fingerprints.
#[inline]
pub(crate) fn find_near<E: Named>(
    table: &[E],
    print: Print,
    near: &mut usize,
    is_named: impl Fn(&E) -> bool,
) -> Option<usize> {
    let start = (*near).min(table.len());
    for (position, entry) in table.iter().enumerate().skip(start) {
        if entry.print() == print && is_named(entry) {
            *near = position + 1;
            return Some(position);
        }
    }
    for (position, entry) in table[..start].iter().enumerate() {
        if entry.print() == print && is_named(entry) {
            *near = position + 1;
            return Some(position);
        }
    }
    None
}

/// The member order of recent objects: elements of a list mostly have the same order.
#[derive(Debug, Default)]
pub(crate) struct Orders([Order; ORDERS]);

/// The positions of the first members of an object, and their table.
#[derive(Debug, Clone, Copy, Default)]
struct Order {
    table: usize,
    positions: [u8; MEMBERS],
}

const ORDERS: usize = 16;
const MEMBERS: usize = 16;

impl Orders {
    /// The slot for the order of a table.
    #[inline]
    pub(crate) fn of(&mut self, table: usize) -> usize {
        let place = table % ORDERS;
        let order = &mut self.0[place];
        if order.table != table {
            *order = Order {
                table,
                positions: [0; MEMBERS],
            };
        }
        place
    }

    /// The probable position of a member.
    #[inline]
    pub(crate) fn guess(&self, place: usize, member: usize) -> usize {
        self.0[place % ORDERS].positions[member % MEMBERS].into()
    }

    /// Remembers the position of a member.
    #[inline]
    pub(crate) fn learn(&mut self, place: usize, member: usize, position: usize) {
        self.0[place % ORDERS].positions[member % MEMBERS] = u8::try_from(position).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Named for (Print, &str) {
        fn print(&self) -> Print {
            self.0
        }
    }

    /// Searches for each key in turn and checks the positions.
    fn check(names: &[&str], keys: &[&str], found: &[Option<usize>]) {
        let table: Vec<(Print, &str)> = names.iter().map(|name| (Print::of(name), *name)).collect();
        let mut near = 0;
        let find = |key: &&str| find_near(&table, Print::of(key), &mut near, |(_, name)| name == key);
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
    fn names_with_the_same_fingerprint_are_distinguished() {
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
