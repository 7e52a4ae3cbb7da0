//! Bytes as text in base 16 (`encoding/hex`), and random ones as identifiers.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Writes bytes with two lower-case digits each.
///
/// ```
/// assert_eq!(kindsmith_gostd::hex::encode(&[0, 171]), "00ab");
/// ```
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| digits(*byte)).collect()
}

/// Writes random bytes as a UUID of version 4.
///
/// ```
/// let uuid = kindsmith_gostd::hex::uuid([0xff; 16]);
/// assert_eq!(uuid, "ffffffff-ffff-4fff-bfff-ffffffffffff");
/// ```
#[must_use]
pub fn uuid(mut random: [u8; 16]) -> String {
    random[6] = random[6] & 0x0f | 0x40;
    random[8] = random[8] & 0x3f | 0x80;
    let mut text = String::with_capacity(36);
    for (position, byte) in random.into_iter().enumerate() {
        if matches!(position, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        digits(byte).into_iter().for_each(|digit| text.push(digit));
    }
    text
}

fn digits(byte: u8) -> [char; 2] {
    [byte >> 4, byte & 15].map(|half| char::from(DIGITS[usize::from(half)]))
}
