//! The set of published sequences as a file: a table of how many numbers begin with which 16 bits, then 24 more bits of
//! each, in order. With 40 bits, 0.2 sequences of the whole repository are expected to match by chance.
#![allow(dead_code, reason = "the test reads, the generator writes")]

use std::collections::BTreeSet;

use super::sequences::BITS;

const REST_BITS: u32 = 24;
const GROUPS: usize = 1 << (BITS - REST_BITS);
const REST: usize = REST_BITS as usize / 8;

/// Sequences that somebody published.
pub(crate) struct Published {
    /// Where each group begins, followed by the end of the last.
    starts: Vec<usize>,
    rests: &'static [u8],
}

impl Published {
    /// Reads a set that [`write`] made.
    pub(crate) fn read(file: &'static [u8]) -> Self {
        let (counts, rests) = file.split_at(GROUPS);
        let mut starts = Vec::with_capacity(GROUPS + 1);
        let mut start = 0;
        for count in counts {
            starts.push(start);
            start += usize::from(*count) * REST;
        }
        starts.push(start);
        assert_eq!(start, rests.len(), "the file is whole");
        Self { starts, rests }
    }

    /// Whether a sequence was published.
    pub(crate) fn has(&self, number: u64) -> bool {
        let (group, rest) = parts(number);
        let group = &self.rests[self.starts[group]..self.starts[group + 1]];
        group.chunks_exact(REST).any(|found| found == rest)
    }
}

/// A set as a file. Groups that are too large to count lose some members.
pub(crate) fn write(numbers: &BTreeSet<u64>) -> Vec<u8> {
    let mut counts = vec![0_u8; GROUPS];
    let mut rests = Vec::with_capacity(numbers.len() * REST);
    for number in numbers {
        let (group, rest) = parts(*number);
        if let Some(count) = counts[group].checked_add(1) {
            counts[group] = count;
            rests.extend(rest);
        }
    }
    counts.extend(rests);
    counts
}

fn parts(number: u64) -> (usize, [u8; REST]) {
    let group = usize::try_from(number >> REST_BITS).expect("16 bits");
    let [.., a, b, c] = number.to_be_bytes();
    (group, [a, b, c])
}
