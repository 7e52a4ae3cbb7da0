//! PEM blocks (encoding/pem).

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// A PEM block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The type after `BEGIN`.
    pub label: String,
    /// Whether there are headers.
    pub has_headers: bool,
    /// The decoded bytes.
    pub bytes: Vec<u8>,
}

/// All blocks of a text, in order; other text is ignored.
#[must_use]
pub fn blocks(text: &[u8]) -> Vec<Block> {
    let mut rest = text;
    std::iter::from_fn(|| {
        let (block, after) = next(rest)?;
        rest = after;
        Some(block)
    })
    .collect()
}

/// The first well-formed block and the rest; malformed blocks are skipped (`pem.Decode`).
#[must_use]
pub fn next(text: &[u8]) -> Option<(Block, &[u8])> {
    let mut rest = text;
    loop {
        let start = line_starting_with(rest, BEGIN)?;
        let (line, after) = split_line(&rest[start + BEGIN.len()..]);
        rest = after;
        let Some(label) = line.strip_suffix(DASHES) else {
            continue;
        };
        let Some(end) = line_starting_with(after, END) else {
            continue;
        };
        let (closing, behind) = split_line(&after[end + END.len()..]);
        if closing.strip_suffix(DASHES) != Some(label) {
            continue;
        }
        if let Some(block) = decode(label, &after[..end]) {
            return Some((block, behind));
        }
    }
}

fn decode(label: &[u8], body: &[u8]) -> Option<Block> {
    let mut body = body;
    let mut has_headers = false;
    loop {
        let (line, after) = split_line(body);
        if !line.contains(&b':') {
            break;
        }
        has_headers = true;
        body = after;
    }
    let text: Vec<u8> = body
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let bytes = crate::base64::decode(&text).ok()?;
    Some(Block {
        label: String::from_utf8_lossy(label).into_owned(),
        has_headers,
        bytes,
    })
}

/// The start of the first line that begins with `prefix`.
fn line_starting_with(text: &[u8], prefix: &[u8]) -> Option<usize> {
    let mut start = 0;
    while start < text.len() {
        if text[start..].starts_with(prefix) {
            return Some(start);
        }
        start += text[start..].iter().position(|&byte| byte == b'\n')? + 1;
    }
    None
}

/// The first line without trailing white space, and the rest.
fn split_line(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|&byte| byte == b'\n');
    let (line, rest) = match end {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (text, &[][..]),
    };
    (line.trim_ascii_end(), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_among_other_text() {
        let text = b"x\n-----BEGIN A B-----\nk: v\n\nAAAA\n-----END A B-----\ny\n-----BEGIN C-----\n!\n-----END C-----\n";
        let expected = Block {
            label: "A B".into(),
            has_headers: true,
            bytes: vec![0, 0, 0],
        };
        assert_eq!(blocks(text), [expected]);
        assert_eq!(blocks(b"-----BEGIN A-----\nAAAA"), []);
    }
}
