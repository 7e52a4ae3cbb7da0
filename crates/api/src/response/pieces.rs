//! A long body in pieces, which are made while it is sent: what is copied from the store is only referred to before. So an answer
//! takes a piece of memory at a time, which is used again and still in the processor's cache when it is sent. Knows no format.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::response::spliced::Spliced;

/// The most bytes of a piece: with the head of an answer, TLS takes it at once (64 KB).
const PIECE: usize = 63 << 10;
/// What is longer is sent as it is, not copied into a piece.
const WHOLE: usize = PIECE / 2;
/// A longer body gets a whole piece at once: to grow is to copy.
const SHORT: usize = 4 << 10;

/// The bytes of a long body.
#[derive(Debug, Default)]
pub struct Pieces {
    parts: VecDeque<Part>,
    last: Vec<u8>,
    /// The bytes of all parts that were not taken.
    before: usize,
    /// How many bytes of the first part were taken.
    taken: usize,
}

#[derive(Debug)]
enum Part {
    Made(Vec<u8>),
    Stored(Spliced),
    /// What is kept for several answers.
    Shared(Arc<[u8]>),
}

impl Part {
    fn len(&self) -> usize {
        match self {
            Part::Made(bytes) => bytes.len(),
            Part::Stored(spliced) => spliced.len(),
            Part::Shared(bytes) => bytes.len(),
        }
    }

    fn is_whole(&self) -> bool {
        matches!(self, Part::Made(bytes) if bytes.len() >= WHOLE)
    }

    /// Appends bytes from an offset on until there are `most`; returns how many.
    fn append(&self, out: &mut Vec<u8>, from: usize, most: usize) -> usize {
        let bytes: &[u8] = match self {
            Part::Made(bytes) => bytes,
            Part::Stored(spliced) => return spliced.append(out, from, most),
            Part::Shared(bytes) => bytes,
        };
        let rest = &bytes[from..];
        let now = &rest[..rest.len().min(most - out.len())];
        out.extend_from_slice(now);
        now.len()
    }
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

    /// Takes the first piece; `None` at the end. `room` is memory to make it in.
    pub fn pop(&mut self, mut room: Vec<u8>) -> Option<Vec<u8>> {
        if self.is_empty() {
            return None;
        }
        if let Some(whole) = self.pop_whole() {
            return Some(whole);
        }
        room.clear();
        room.reserve_exact(self.len().min(PIECE));
        self.fill(&mut room, PIECE);
        Some(room)
    }

    /// All bytes in one block.
    #[must_use]
    pub fn join(mut self) -> Vec<u8> {
        if self.parts.is_empty() {
            return self.last;
        }
        let mut all = Vec::with_capacity(self.len());
        self.fill(&mut all, usize::MAX);
        all
    }

    /// Takes the first part if it is worth a piece of its own, as it is.
    fn pop_whole(&mut self) -> Option<Vec<u8>> {
        match self.parts.pop_front() {
            None => Some(std::mem::take(&mut self.last)),
            Some(Part::Made(bytes)) if bytes.len() >= WHOLE && self.taken == 0 => {
                self.before -= bytes.len();
                Some(bytes)
            }
            Some(part) => {
                self.parts.push_front(part);
                None
            }
        }
    }

    /// Takes the first bytes until there are `most`: all, or those of a piece, which ends before what is sent as it is.
    fn fill(&mut self, out: &mut Vec<u8>, most: usize) {
        let ends = |is_whole: bool, out: &Vec<u8>| most == PIECE && is_whole && !out.is_empty();
        while let Some(part) = self.parts.front() {
            if ends(part.is_whole(), out) {
                return;
            }
            let (taken, length) = (part.append(out, self.taken, most), part.len());
            self.taken += taken;
            self.before -= taken;
            if self.taken < length {
                return;
            }
            self.parts.pop_front();
            self.taken = 0;
        }
        if self.last.len() <= most - out.len() && !ends(self.last.len() >= WHOLE, out) {
            out.append(&mut self.last);
        }
    }

    /// Appends a byte.
    pub(crate) fn push(&mut self, byte: u8) {
        self.extend(&[byte]);
    }

    /// Appends what is copied when it is sent.
    pub(crate) fn splice(&mut self, spliced: Spliced) {
        self.append(Part::Stored(spliced));
    }

    /// Appends what several answers share.
    pub(crate) fn share(&mut self, bytes: Arc<[u8]>) {
        self.append(Part::Shared(bytes));
    }

    fn append(&mut self, part: Part) {
        if !self.last.is_empty() {
            self.end_part();
        }
        self.before += part.len();
        self.parts.push_back(part);
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
        self.parts.push_front(Part::Made(head));
    }

    /// Appends bytes of which some belong to later pieces.
    fn extend_further(&mut self, mut bytes: &[u8]) {
        if self.last.len() + bytes.len() > SHORT {
            self.last.reserve_exact(PIECE.saturating_sub(self.last.len()));
        }
        while !bytes.is_empty() {
            if self.last.len() == PIECE {
                self.end_part();
                self.last.reserve_exact(PIECE);
            }
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - self.last.len()));
            self.last.extend_from_slice(now);
            bytes = later;
        }
    }

    fn end_part(&mut self) {
        self.before += self.last.len();
        self.parts.push_back(Part::Made(std::mem::take(&mut self.last)));
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

    fn all(pieces: &mut Pieces) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| pieces.pop(Vec::new())).collect()
    }

    #[test]
    fn bytes_stay_in_order() {
        let make = || {
            let (mut pieces, mut expected) = (Pieces::default(), b"head".to_vec());
            for number in 0..400_usize {
                let part = vec![number as u8; number * 37 % 1_000];
                if number % 3 > 0 || number < 100 {
                    pieces.extend(&part);
                    expected.extend(part);
                } else {
                    let span = 0..part.len();
                    let spliced = Spliced::new(b"{", &part.into(), span, 0, number as u64);
                    assert_eq!(spliced.append(&mut expected, 0, usize::MAX), spliced.len());
                    pieces.splice(spliced);
                }
                pieces.push(b',');
                expected.push(b',');
            }
            pieces.extend(&vec![7; 3 * PIECE + 5]);
            expected.extend(vec![7; 3 * PIECE + 5]);
            pieces.prepend(b"head".to_vec());
            (pieces, expected)
        };
        let (mut pieces, expected) = make();
        assert_eq!(pieces.len(), expected.len());
        let all = all(&mut pieces);
        assert!(all.iter().all(|piece| !piece.is_empty() && piece.len() <= PIECE));
        assert!(all.len() < 10, "{}", all.len());
        assert_eq!(all.concat(), expected);
        assert_eq!(make().0.join(), expected);
    }

    #[test]
    fn taken_pieces_are_not_counted() {
        let mut pieces = Pieces::from(vec![1; 2 * PIECE]);
        pieces.push(2);
        assert_eq!(pieces.len(), 2 * PIECE + 1);
        let mut pop = || pieces.pop(Vec::new());
        assert_eq!(pop().map(|piece| piece.len()), Some(2 * PIECE));
        assert_eq!((pop(), pop()), (Some(vec![2]), None));
        assert!(pieces.is_empty());
    }

    #[test]
    fn memory_is_used_again() {
        let mut pieces = Pieces::default();
        for _ in 0..1_000 {
            pieces.splice(Spliced::new(b"", &vec![3; 1_000].into(), 0..1_000, 5, 1));
        }
        let first = pieces.pop(Vec::new()).expect("there are bytes");
        let at = first.as_ptr();
        assert_eq!(first.len(), PIECE);
        assert_eq!(pieces.pop(first).map(|second| second.as_ptr()), Some(at));
    }
}
