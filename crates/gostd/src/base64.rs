//! Standard base64 with padding, as Go's `base64.StdEncoding` reads and writes it: line breaks are skipped, unused
//! trailing bits are not checked.

use std::fmt;

/// The input is not base64; prints as Go's `base64.CorruptInputError`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorruptInput {
    /// The byte the error is reported at.
    pub at: usize,
}

impl fmt::Display for CorruptInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal base64 data at input byte {}", self.at)
    }
}

impl std::error::Error for CorruptInput {}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NONE: u8 = 0xff;

const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut index = 0;
    while index < 64 {
        values[ALPHABET[index] as usize] = index as u8;
        index += 1;
    }
    values
};

/// Encodes bytes with padding.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for digit in 0..4 {
            if digit > chunk.len() {
                text.push('=');
            } else {
                let value = (bits >> (18 - 6 * digit)) & 0x3f;
                text.push(char::from(ALPHABET[value as usize]));
            }
        }
    }
    text
}

/// Decodes base64 text.
pub fn decode(text: &[u8]) -> Result<Vec<u8>, CorruptInput> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    decode_into(text, &mut |decoded| bytes.extend_from_slice(decoded))?;
    Ok(bytes)
}

/// Checks base64 text without keeping its bytes.
pub fn check(text: &[u8]) -> Result<(), CorruptInput> {
    decode_into(text, &mut |_| ())
}

fn decode_into(text: &[u8], sink: &mut dyn FnMut(&[u8])) -> Result<(), CorruptInput> {
    let (mut bits, mut have, mut at) = (0_u32, 0_usize, 0_usize);
    while at < text.len() {
        let byte = text[at];
        match VALUES[byte as usize] {
            NONE if is_break(byte) => {}
            NONE if byte == b'=' => return finish(text, at, bits, have, sink),
            NONE => return Err(CorruptInput { at }),
            value => {
                bits = bits << 6 | u32::from(value);
                have += 1;
                if have == 4 {
                    sink(&bits.to_be_bytes()[1..]);
                    (bits, have) = (0, 0);
                }
            }
        }
        at += 1;
    }
    // Go counts back from the end by the number of digits in the unfinished group, ignoring line breaks.
    if have == 0 {
        Ok(())
    } else {
        Err(CorruptInput { at: at - have })
    }
}

/// Reads the padding that starts at `at`, and line breaks after it.
fn finish(
    text: &[u8],
    at: usize,
    bits: u32,
    have: usize,
    sink: &mut dyn FnMut(&[u8]),
) -> Result<(), CorruptInput> {
    let skip = |from: usize| {
        text[from..]
            .iter()
            .position(|&byte| !is_break(byte))
            .map(|n| from + n)
    };
    let mut next = at + 1;
    match have {
        2 => {
            let second = skip(next).ok_or(CorruptInput { at: text.len() })?;
            if text[second] != b'=' {
                return Err(CorruptInput { at: second - 1 });
            }
            next = second + 1;
            sink(&[(bits >> 4) as u8]);
        }
        3 => sink(&[(bits >> 10) as u8, (bits >> 2) as u8]),
        _ => return Err(CorruptInput { at }),
    }
    skip(next).map_or(Ok(()), |at| Err(CorruptInput { at }))
}

fn is_break(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}
