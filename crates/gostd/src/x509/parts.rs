//! The parts of a certificate that its signature and its chain are about. Knows no algorithm: they stay as they are written.

use crate::der::{INTEGER, Reader, SEQUENCE};

/// The tag of the version.
const VERSION: u8 = 0xa0;

/// The parts of a certificate, as bytes of DER.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'b> {
    /// Whether it is one of version 1, which has no extensions.
    pub is_version_1: bool,
    /// What is signed.
    pub message: &'b [u8],
    /// The algorithm of the signature, without its frame.
    pub algorithm: &'b [u8],
    /// The signature.
    pub signature: &'b [u8],
    /// The name of whoever signed it.
    pub issuer: &'b [u8],
    /// The name of whose it is.
    pub subject: &'b [u8],
    /// The algorithm of the subject's key, without its frame.
    pub key_algorithm: &'b [u8],
    /// The subject's key.
    pub key: &'b [u8],
}

/// Reads the parts of a certificate; `None` if it is malformed.
#[must_use]
pub fn parts(bytes: &[u8]) -> Option<Parts<'_>> {
    let mut outer = Reader::whole(bytes, SEQUENCE)?;
    let mut rest = outer;
    let message = rest.value(SEQUENCE)?;
    let mut info = outer.sequence()?;
    let (algorithm, signature) = (outer.content(SEQUENCE)?, outer.bits()?);
    // An integer of one byte; without it the version is 1.
    let version = info.content(VERSION);
    info.content(INTEGER)?;
    info.value(SEQUENCE)?;
    let issuer = info.value(SEQUENCE)?;
    info.value(SEQUENCE)?;
    let subject = info.value(SEQUENCE)?;
    let mut key = info.sequence()?;
    Some(Parts {
        is_version_1: version.is_none_or(|version| version == [INTEGER, 1, 0]),
        message,
        algorithm,
        signature,
        issuer,
        subject,
        key_algorithm: key.content(SEQUENCE)?,
        key: key.bits()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_of_version_3_is_taken_apart() {
        let text = "MIHxMIGkoAMCAQICAQUwBQYDK2VwMA8xDTALBgNVBAMMBGxlYWYwHhcNMjYwMTAxMDAwMDAwWhcNMjYwMTAxMDEwMDAwWjAPMQ0wCwYDVQQDDARsZWFmMCowBQYDK2VwAyEAQDrrTpobzogME3yqOocY6Vt402v0ETLKlx+GtA+vormjJTAjMCEGA1UdEQQaMBiCCWEuZXhhbXBsZYELYUBiLmV4YW1wbGUwBQYDK2VwA0EAj3HY1EaRbSVmFjCHsR5fQ00nTYAc4D7fZ7Z87EuJp/6IMDDXYQuONq1S54lh2UM586lue/6TfcV2Ofrs+CbVCQ==";
        let bytes = crate::base64::decode(text.as_bytes()).expect("it is base64");
        let parts = parts(&bytes).expect("it is a certificate");
        assert!(!parts.is_version_1);
        assert_eq!(parts.issuer, parts.subject);
        assert_eq!(parts.algorithm, [6, 3, 0x2b, 0x65, 0x70]);
        assert_eq!(parts.algorithm, parts.key_algorithm);
        assert_eq!((parts.key.len(), parts.signature.len()), (32, 64));
        assert_eq!(parts.message.len(), 0xa4 + 3);
    }
}
