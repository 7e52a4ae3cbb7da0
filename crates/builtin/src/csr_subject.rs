//! The subject of a certificate request, as far as admission asks for it.

use kindsmith_json::Value;

use crate::der::{content, values};
use crate::pem;
use crate::rule::decoded;

/// `2.5.4.10` in DER.
const ORGANIZATION: &[u8] = &[0x06, 0x03, 0x55, 0x04, 0x0a];

/// `2.5.4.3` in DER.
const COMMON_NAME: &[u8] = &[0x06, 0x03, 0x55, 0x04, 0x03];

/// The organizations in the subject of a certificate request, which is PEM in base64; none of one that cannot be read.
#[must_use]
pub fn certificate_organizations(request: Value<'_>) -> Vec<String> {
    let blocks = pem::blocks(&decoded(request));
    let found = blocks.first().and_then(|block| texts(&block.bytes, ORGANIZATION));
    found.unwrap_or_default()
}

/// The common name in the subject of a certificate request, which is PEM in base64; the last one, as Go reads it.
///
/// # Errors
///
/// Go's words if it is not such a request.
pub fn certificate_common_name(request: Value<'_>) -> Result<String, String> {
    let blocks = pem::blocks(&decoded(request));
    let block = blocks
        .first()
        .filter(|block| block.label == "CERTIFICATE REQUEST");
    let Some(block) = block else {
        return Err("PEM block type must be CERTIFICATE REQUEST".to_owned());
    };
    if let Some(error) = pem::structure_error(&block.bytes, "certificateRequest") {
        return Err(error);
    }
    let names = texts(&block.bytes, COMMON_NAME).unwrap_or_default();
    Ok(names.into_iter().next_back().unwrap_or_default())
}

/// The texts of one kind in the subject of a request.
fn texts(request: &[u8], wanted: &[u8]) -> Option<Vec<String>> {
    let info = values(content(request)?).next()?;
    // The version comes before the subject.
    let subject = values(content(info)?).nth(1)?;
    let attributes = values(content(subject)?).flat_map(|set| values(content(set).unwrap_or_default()));
    let texts = attributes.filter_map(|attribute| {
        let mut parts = values(content(attribute)?);
        let (kind, text) = (parts.next()?, parts.next()?);
        (kind == wanted).then(|| String::from_utf8_lossy(content(text).unwrap_or_default()).into_owned())
    });
    Some(texts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn organizations_are_found_beside_other_names() {
        // SEQUENCE { SEQUENCE { version, SEQUENCE { SET { SEQUENCE { O, "ab" } }, SET { SEQUENCE { CN, "c" } } } } }
        let attribute = |kind: u8, text: &str| {
            let mut inner = vec![
                0x06,
                3,
                0x55,
                4,
                kind,
                0x0c,
                u8::try_from(text.len()).expect("short"),
            ];
            inner.extend(text.bytes());
            wrapped(0x31, &wrapped(0x30, &inner))
        };
        let subject = wrapped(0x30, &[attribute(10, "ab"), attribute(3, "c")].concat());
        let info = wrapped(0x30, &[vec![0x02, 1, 0], subject].concat());
        assert_eq!(
            texts(&wrapped(0x30, &info), ORGANIZATION),
            Some(vec!["ab".to_owned()])
        );
        assert_eq!(
            texts(&wrapped(0x30, &info), COMMON_NAME),
            Some(vec!["c".to_owned()])
        );
        assert_eq!(texts(&[0x30, 9], ORGANIZATION), None);
    }

    fn wrapped(tag: u8, inner: &[u8]) -> Vec<u8> {
        let mut out = vec![tag, u8::try_from(inner.len()).expect("short")];
        out.extend(inner);
        out
    }
}
