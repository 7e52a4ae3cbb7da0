//! PEM blocks, and as much of their DER as validation needs.

use crate::der::header;

/// A PEM block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// The type after `BEGIN`.
    pub(crate) label: String,
    /// Whether there are headers.
    pub(crate) has_headers: bool,
    /// The decoded bytes.
    pub(crate) bytes: Vec<u8>,
}

/// All blocks of a text, in order; other text is ignored (`pem.Decode` of encoding/pem).
pub(crate) fn blocks(text: &[u8]) -> Vec<Block> {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let label = line
            .strip_prefix("-----BEGIN ")
            .and_then(|rest| rest.trim_end().strip_suffix("-----"));
        let Some(label) = label else { continue };
        let (end, mut has_headers, mut body) = (format!("-----END {label}-----"), false, String::new());
        let mut is_closed = false;
        for line in lines.by_ref() {
            if line.trim_end() == end {
                is_closed = true;
                break;
            }
            if line.contains(':') {
                has_headers = true;
            } else {
                body.push_str(line.trim());
            }
        }
        let bytes = kindsmith_gostd::base64::decode(body.as_bytes());
        if let (true, Ok(bytes)) = (is_closed, bytes) {
            found.push(Block {
                label: label.to_owned(),
                has_headers,
                bytes,
            });
        }
    }
    found
}

/// The error of Go's asn1 for bytes that are not one structure; `None` if they look like one.
pub(crate) fn structure_error(bytes: &[u8], what: &str) -> Option<String> {
    const PARAMETERS: &str = "{optional:false explicit:false application:false private:false defaultValue:<nil> \
         tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}";
    let Some((header, length)) = header(bytes) else {
        return Some("asn1: syntax error: truncated tag or length".to_owned());
    };
    let (class, tag, is_compound) = (bytes[0] >> 6, bytes[0] & 0x1f, bytes[0] & 0x20 != 0);
    if class != 0 || tag != 16 || !is_compound {
        return Some(format!(
            "asn1: structure error: tags don't match (16 vs {{class:{class} tag:{tag} length:{length} \
             isCompound:{is_compound}}}) {PARAMETERS} {what} @{header}"
        ));
    }
    (bytes.len() - header < length).then(|| "asn1: syntax error: data truncated".to_owned())
}

/// Whether a certificate is that of an authority; `None` if the bytes are no certificate.
pub(crate) fn is_authority(bytes: &[u8]) -> Option<bool> {
    // The basic constraints (2.5.29.19), and a sequence that begins with true.
    const CONSTRAINTS: [u8; 5] = [6, 3, 0x55, 0x1d, 0x13];
    const TRUE: [u8; 3] = [1, 1, 0xff];
    if structure_error(bytes, "certificate").is_some() {
        return None;
    }
    let (outer, length) = header(bytes)?;
    let (inner, _) = header(&bytes[outer..])?;
    if bytes[outer] != 0x30 || bytes.len() != outer + length || inner == 0 {
        return None;
    }
    let found = bytes
        .windows(CONSTRAINTS.len())
        .position(|part| part == CONSTRAINTS);
    let Some(found) = found else { return Some(false) };
    let rest = &bytes[found + CONSTRAINTS.len()..];
    let rest = rest.strip_prefix(&TRUE).unwrap_or(rest);
    // An octet string with a sequence in it.
    Some(rest.len() > 4 && rest[0] == 4 && rest[2] == 0x30 && rest[4..].starts_with(&TRUE))
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

    #[test]
    fn errors_for_other_bytes_are_gos() {
        assert_eq!(
            structure_error(&[0, 0, 0], "certificateRequest").as_deref(),
            Some(
                "asn1: structure error: tags don't match (16 vs {class:0 tag:0 length:0 isCompound:false}) \
                 {optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> \
                 stringType:0 timeType:0 set:false omitEmpty:false} certificateRequest @2"
            )
        );
        assert_eq!(structure_error(&[0x30, 0], "x"), None);
        assert_eq!(
            structure_error(&[0x30, 5, 0], "x").as_deref(),
            Some("asn1: syntax error: data truncated")
        );
        assert!(structure_error(&[], "x").is_some());
    }
}
