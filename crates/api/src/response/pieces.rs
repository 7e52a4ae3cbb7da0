//! A long body in pieces: its bytes are copied once, and what is sent is free. In one block they would be moved whenever it
//! grows, and again to be sent. Knows no format.

use std::collections::VecDeque;

/// The most bytes of a piece.
const PIECE: usize = 64 << 10;
/// A longer body gets a whole piece at once: to grow is to copy.
const SHORT: usize = 4 << 10;

/// The bytes of a long body.
#[derive(Debug, Default)]
pub struct Pieces {
    full: VecDeque<Vec<u8>>,
    last: Vec<u8>,
    /// The bytes of all full pieces.
    before: usize,
}

impl Pieces {
    /// How many bytes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.before + self.last.len()
    }

    /// Whether there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pieces in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let last = std::iter::once(&self.last).filter(|last| !last.is_empty());
        self.full.iter().chain(last).map(Vec::as_slice)
    }

    /// Takes the first piece; `None` at the end.
    pub fn pop(&mut self) -> Option<Vec<u8>> {
        let Some(first) = self.full.pop_front() else {
            return Some(std::mem::take(&mut self.last)).filter(|last| !last.is_empty());
        };
        self.before -= first.len();
        Some(first)
    }

    /// All bytes in one block.
    #[must_use]
    pub fn join(mut self) -> Vec<u8> {
        if self.full.is_empty() {
            return self.last;
        }
        let mut all = Vec::with_capacity(self.len());
        while let Some(piece) = self.pop() {
            all.extend_from_slice(&piece);
        }
        all
    }

    /// Appends a byte.
    pub(crate) fn push(&mut self, byte: u8) {
        self.extend(&[byte]);
    }

    /// Appends bytes.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        let length = self.last.len() + bytes.len();
        if length <= self.last.capacity() && length <= PIECE {
            self.last.extend_from_slice(bytes);
        } else {
            self.extend_further(bytes);
        }
    }

    /// Puts bytes before all others.
    pub(crate) fn prepend(&mut self, head: Vec<u8>) {
        self.before += head.len();
        self.full.push_front(head);
    }

    /// Appends bytes of which some belong to later pieces.
    fn extend_further(&mut self, mut bytes: &[u8]) {
        if self.last.len() + bytes.len() > SHORT {
            self.last.reserve_exact(PIECE.saturating_sub(self.last.len()));
        }
        while !bytes.is_empty() {
            if self.last.len() == PIECE {
                self.before += PIECE;
                self.full
                    .push_back(std::mem::replace(&mut self.last, Vec::with_capacity(PIECE)));
            }
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - self.last.len()));
            self.last.extend_from_slice(now);
            bytes = later;
        }
    }
}

impl From<Vec<u8>> for Pieces {
    fn from(bytes: Vec<u8>) -> Self {
        let mut pieces = Pieces::default();
        if bytes.len() <= PIECE {
            pieces.last = bytes;
        } else {
            pieces.prepend(bytes);
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stay_in_order() {
        let (mut pieces, mut expected) = (Pieces::default(), b"head".to_vec());
        for number in 0..200_usize {
            let part = vec![number as u8; number * 37 % 1_000];
            pieces.extend(&part);
            pieces.push(b',');
            expected.extend(part);
            expected.push(b',');
        }
        pieces.extend(&vec![7; 3 * PIECE + 5]);
        expected.extend(vec![7; 3 * PIECE + 5]);
        pieces.prepend(b"head".to_vec());
        assert_eq!(pieces.len(), expected.len());
        assert!(
            pieces
                .iter()
                .all(|piece| !piece.is_empty() && piece.len() <= PIECE)
        );
        assert_eq!(pieces.iter().collect::<Vec<_>>().concat(), expected);
        assert_eq!(pieces.join(), expected);
    }

    #[test]
    fn taken_pieces_are_not_counted() {
        let mut pieces = Pieces::from(vec![1; 2 * PIECE]);
        pieces.push(2);
        assert_eq!(pieces.len(), 2 * PIECE + 1);
        assert_eq!(pieces.pop().map(|piece| piece.len()), Some(2 * PIECE));
        assert_eq!((pieces.len(), pieces.pop()), (1, Some(vec![2])));
        assert!(pieces.pop().is_none() && pieces.is_empty());
    }
}
