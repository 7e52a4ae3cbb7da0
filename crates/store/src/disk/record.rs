//! One write as bytes on disk: checksum, kind, length of the key, key, optional expiry, value. Must not know
//! where it is stored.

use crate::Error;
use crate::history::Staged;

const DELETE: u8 = 0;
const PUT: u8 = 1;
const PUT_EXPIRING: u8 = 2;
/// Checksum, kind and length of the key.
const HEAD: usize = 8 + 1 + 4;

/// Writes a record into a buffer, replacing its content.
pub(super) fn encode(write: &Staged, buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.extend_from_slice(&[0; 8]);
    buffer.push(match write.value {
        None => DELETE,
        Some(_) if write.expires > 0 => PUT_EXPIRING,
        Some(_) => PUT,
    });
    let length = u32::try_from(write.key.len()).expect("keys are shorter than the limit of an entry");
    buffer.extend_from_slice(&length.to_le_bytes());
    buffer.extend_from_slice(&write.key);
    if write.value.is_some() && write.expires > 0 {
        buffer.extend_from_slice(&write.expires.to_le_bytes());
    }
    buffer.extend_from_slice(write.value.as_deref().unwrap_or_default());
    let sum = checksum(write.revision, &buffer[8..]);
    buffer[..8].copy_from_slice(&sum.to_le_bytes());
}

/// Reads the record of a revision.
pub(super) fn decode(revision: u64, bytes: &[u8]) -> Result<Staged, Error> {
    parse(revision, bytes).ok_or_else(|| Error::Corrupt(format!("the record of revision {revision}").into()))
}

fn parse(revision: u64, bytes: &[u8]) -> Option<Staged> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let sum = u64::from_le_bytes(head[..8].try_into().ok()?);
    if sum != checksum(revision, &bytes[8..]) {
        return None;
    }
    let length = u32::from_le_bytes(head[9..].try_into().ok()?);
    let (key, value) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    let (value, expires) = match (head[8], value) {
        (PUT, value) => (Some(value.into()), 0),
        (PUT_EXPIRING, value) => {
            let (expires, value) = value.split_first_chunk()?;
            (Some(value.into()), u64::from_le_bytes(*expires))
        }
        (DELETE, []) => (None, 0),
        _ => return None,
    };
    Some(Staged {
        revision,
        key: key.into(),
        value,
        expires,
    })
}

/// Checksums eight bytes at a time. Each step is reversible, so one changed word always changes the sum;
/// everything is read when a store is opened, so it has to be fast. The revision is included, so a record in
/// the wrong place is detected too.
fn checksum(revision: u64, bytes: &[u8]) -> u64 {
    let mut sum = mix(bytes.len() as u64, revision);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        sum = mix(sum, u64::from_le_bytes(*word));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(sum, u64::from_le_bytes(last))
}

fn mix(sum: u64, word: u64) -> u64 {
    let product = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(value: Option<&[u8]>, expires: u64) -> Vec<u8> {
        let mut buffer = Vec::new();
        let write = Staged {
            revision: 7,
            key: b"key"[..].into(),
            value: value.map(Into::into),
            expires,
        };
        encode(&write, &mut buffer);
        buffer
    }

    #[test]
    fn records_round_trip() {
        let cases = [
            (None, 0),
            (Some(&b""[..]), 0),
            (Some(b"some value"), 0),
            (Some(b""), 1),
            (Some(b"some value"), u64::MAX),
        ];
        for (value, expires) in cases {
            let read = decode(7, &bytes(value, expires)).expect("it is complete");
            let read = (&*read.key, read.value.as_deref(), read.expires);
            assert_eq!(read, (&b"key"[..], value, expires));
        }
    }

    #[test]
    fn detects_every_changed_bit_and_every_truncation() {
        let whole = bytes(Some(b"some value"), 9);
        for bit in 0..whole.len() * 8 {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(7, &changed).is_err(), "bit {bit}");
        }
        for length in 0..whole.len() {
            assert!(decode(7, &whole[..length]).is_err(), "cut to {length}");
        }
        assert!(decode(8, &whole).is_err(), "another revision's place");
    }
}
