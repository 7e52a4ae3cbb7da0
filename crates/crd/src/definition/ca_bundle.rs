//! The CA bundle of a conversion webhook: whether the server could load it (`transport.TLSConfigFor`).
//!
//! PEM is parsed as by Go's `encoding/pem`. Only the outer DER envelope of a certificate is checked; its contents
//! matter when a connection is made.

use kindsmith_gostd::base64;

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// Reads a bundle; the error is the text of the field error.
pub(super) fn read(bundle: &[u8]) -> Result<(), String> {
    if blocks(bundle).any(|block| block.is_certificate() && is_der_sequence(&block.bytes)) {
        return Ok(());
    }
    Err(format!("unable to load root certificates: {}", reason(bundle)))
}

/// Why no certificate was found (`createErrorParsingCAData`).
fn reason(bundle: &[u8]) -> &'static str {
    let mut rest = bundle;
    while !rest.is_empty() {
        let Some((block, after)) = next(rest) else {
            return "unable to parse bytes as PEM block";
        };
        if block.is_certificate() && !is_der_sequence(&block.bytes) {
            return "failed to parse certificate: x509: malformed certificate";
        }
        rest = after;
    }
    "no valid certificate authority data seen"
}

struct Block {
    label: Vec<u8>,
    has_headers: bool,
    bytes: Vec<u8>,
}

impl Block {
    fn is_certificate(&self) -> bool {
        self.label == b"CERTIFICATE" && !self.has_headers
    }
}

fn blocks(bundle: &[u8]) -> impl Iterator<Item = Block> {
    let mut rest = bundle;
    std::iter::from_fn(move || {
        let (block, after) = next(rest)?;
        rest = after;
        Some(block)
    })
}

/// The first well-formed block and the rest; malformed blocks are skipped.
fn next(text: &[u8]) -> Option<(Block, &[u8])> {
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
    let bytes = base64::decode(&text).ok()?;
    Some(Block {
        label: label.to_vec(),
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

/// Whether the bytes are exactly one ASN.1 sequence.
fn is_der_sequence(bytes: &[u8]) -> bool {
    let [0x30, first, rest @ ..] = bytes else {
        return false;
    };
    let (length, content) = match first {
        0..=0x7f => (usize::from(*first), rest),
        0x81..=0x84 => {
            let octets = usize::from(first - 0x80);
            if rest.len() < octets {
                return false;
            }
            let (length, content) = rest.split_at(octets);
            let length = length
                .iter()
                .fold(0usize, |length, &octet| length << 8 | usize::from(octet));
            (length, content)
        }
        _ => return false,
    };
    length > 0 && content.len() == length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bundle: &str, expected: Result<(), &str>) {
        let expected = expected.map_err(|reason| format!("unable to load root certificates: {reason}"));
        assert_eq!(read(bundle.as_bytes()), expected, "{bundle}");
    }

    #[test]
    fn a_certificate_among_others_is_enough() {
        check(
            "words\n-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----\n",
            Ok(()),
        );
    }

    #[test]
    fn errors_name_the_problem() {
        check("Cg==", Err("unable to parse bytes as PEM block"));
        check(
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            Err("failed to parse certificate: x509: malformed certificate"),
        );
        check(
            "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n",
            Err("no valid certificate authority data seen"),
        );
    }
}
