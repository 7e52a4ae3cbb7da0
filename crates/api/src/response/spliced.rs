//! Stored bytes with a resource version between them, as they are sent. Knows no object: who makes it says where the version belongs.

use std::ops::Range;

use kindsmith_store::Bytes;

/// The member before the digits.
const NAME: &[u8] = b"\"resourceVersion\":\"";

/// Room for a member.
pub(crate) const ROOM: usize = NAME.len() + 22;

/// A part of a stored value with a resource version.
#[derive(Debug)]
pub(crate) struct Spliced {
    before: &'static [u8],
    value: Bytes,
    span: Range<usize>,
    at: usize,
    revision: u64,
    length: usize,
}

impl Spliced {
    /// A part of a value behind a separator, with a resource version inserted at an offset of the value.
    pub(crate) fn new(
        before: &'static [u8],
        value: &Bytes,
        span: Range<usize>,
        at: usize,
        revision: u64,
    ) -> Self {
        let digits = revision.checked_ilog10().unwrap_or_default() as usize + 1;
        Spliced {
            before,
            value: value.clone(),
            length: before.len() + span.len() + NAME.len() + digits + 2,
            span,
            at,
            revision,
        }
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Appends bytes from an offset on until there are `most`; returns how many.
    pub(crate) fn append(&self, out: &mut Vec<u8>, from: usize, most: usize) -> usize {
        let (mut room, before, mut skipped) = ([0; ROOM], out.len(), from);
        let parts = [
            self.before,
            &self.value[self.span.start..self.at],
            inserted(self.revision, &mut room),
            &self.value[self.at..self.span.end],
        ];
        // All but the first and the last of a piece are whole.
        if from == 0 && self.length <= most - before {
            parts.iter().for_each(|part| out.extend_from_slice(part));
            return self.length;
        }
        for part in parts {
            let rest = part.get(skipped..).unwrap_or_default();
            skipped = skipped.saturating_sub(part.len());
            out.extend_from_slice(&rest[..rest.len().min(most - out.len())]);
        }
        out.len() - before
    }
}

/// The member that is inserted. Every copy needs one, so it is written without an allocation.
pub(crate) fn inserted(revision: u64, room: &mut [u8; ROOM]) -> &[u8] {
    let (mut at, mut rest) = (room.len() - 2, revision);
    room[at..].copy_from_slice(b"\",");
    loop {
        at -= 1;
        room[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    let start = at - NAME.len();
    room[start..at].copy_from_slice(NAME);
    &room[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_part_of_it_can_be_appended() {
        for revision in [0, 7, 10, 99, 12_345, u64::MAX] {
            let value = b"{\"metadata\":{\"uid\":\"u\"}}\n"[..].into();
            let spliced = Spliced::new(b",{", &value, 1..24, 13, revision);
            let expected = format!(",{{\"metadata\":{{\"resourceVersion\":\"{revision}\",\"uid\":\"u\"}}}}");
            assert_eq!(spliced.len(), expected.len());
            for from in 0..=expected.len() {
                for most in 0..=expected.len() - from {
                    let mut out = b"xy".to_vec();
                    assert_eq!(spliced.append(&mut out, from, most + 2), most);
                    assert_eq!(&out[2..], &expected.as_bytes()[from..from + most]);
                }
            }
        }
    }
}
