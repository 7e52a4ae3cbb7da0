//! Names of subjects (`pkix.Name` in crypto/x509/pkix).

use std::fmt;

use crate::der::{content, structure_error, values};
use crate::pem;

/// `2.5.4.10` in DER.
const ORGANIZATION: &[u8] = &[0x06, 0x03, 0x55, 0x04, 0x0a];

/// `2.5.4.3` in DER.
const COMMON_NAME: &[u8] = &[0x06, 0x03, 0x55, 0x04, 0x03];

/// The name of a subject: a sequence of sets of attributes, in DER.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'b>(pub &'b [u8]);

impl<'b> Subject<'b> {
    /// The subject of a certificate request in DER.
    fn of_request(request: &'b [u8]) -> Option<Self> {
        let info = values(content(request)?).next()?;
        // The version comes before the subject.
        values(content(info)?).nth(1).map(Subject)
    }

    /// The common name; the last one if there are several.
    #[must_use]
    pub fn common_name(self) -> Option<String> {
        self.texts(COMMON_NAME).pop()
    }

    /// The organizations.
    #[must_use]
    pub fn organizations(self) -> Vec<String> {
        self.texts(ORGANIZATION)
    }

    fn texts(self, wanted: &[u8]) -> Vec<String> {
        let sets = values(content(self.0).unwrap_or_default());
        let attributes = sets.flat_map(|set| values(content(set).unwrap_or_default()));
        let texts = attributes.filter_map(|attribute| {
            let mut parts = values(content(attribute)?);
            let (kind, text) = (parts.next()?, parts.next()?);
            (kind == wanted).then(|| String::from_utf8_lossy(content(text).unwrap_or_default()).into_owned())
        });
        texts.collect()
    }
}

/// The organizations in the subject of a certificate request in PEM; empty if it cannot be read.
#[must_use]
pub fn request_organizations(request: &[u8]) -> Vec<String> {
    let blocks = pem::blocks(request);
    let subject = blocks.first().and_then(|block| Subject::of_request(&block.bytes));
    subject.map(Subject::organizations).unwrap_or_default()
}

/// Why bytes are not a certificate request in PEM. `Display` is Kubernetes' or Go's text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestError {
    /// The first block is not one of a request.
    Label,
    /// The block is not DER, or not that of a request.
    Structure(String),
}

impl fmt::Display for RequestError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Label => out.write_str("PEM block type must be CERTIFICATE REQUEST"),
            Self::Structure(why) => out.write_str(why),
        }
    }
}

impl std::error::Error for RequestError {}

/// The common name in the subject of a certificate request in PEM.
///
/// # Errors
///
/// Kubernetes' or Go's words if it is not such a request.
pub fn request_common_name(request: &[u8]) -> Result<String, RequestError> {
    let blocks = pem::blocks(request);
    let block = blocks
        .first()
        .filter(|block| block.label == "CERTIFICATE REQUEST");
    let Some(block) = block else {
        return Err(RequestError::Label);
    };
    if let Some(error) = structure_error(&block.bytes, "certificateRequest") {
        return Err(RequestError::Structure(error));
    }
    let subject = Subject::of_request(&block.bytes);
    Ok(subject.and_then(Subject::common_name).unwrap_or_default())
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
        let request = wrapped(0x30, &info);
        let subject = Subject::of_request(&request).expect("it has a subject");
        assert_eq!(subject.organizations(), ["ab"]);
        assert_eq!(subject.common_name().as_deref(), Some("c"));
        assert!(Subject::of_request(&[0x30, 9]).is_none());
    }

    fn wrapped(tag: u8, inner: &[u8]) -> Vec<u8> {
        let mut out = vec![tag, u8::try_from(inner.len()).expect("short")];
        out.extend(inner);
        out
    }
}
