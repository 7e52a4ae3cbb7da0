//! The CA bundle of a conversion webhook: whether the server could load it (`transport.TLSConfigFor`).
//!
//! Only the outer DER envelope of a certificate is checked; its contents
//! matter when a connection is made.

use kindsmith_gostd::der::{Reader, SEQUENCE};
use kindsmith_gostd::pem::{self, Block};

/// Reads a bundle; the error is the text of the field error.
pub(super) fn read(bundle: &[u8]) -> Result<(), String> {
    if pem::blocks(bundle)
        .iter()
        .any(|block| is_certificate(block) && is_sequence(&block.bytes))
    {
        return Ok(());
    }
    Err(format!("unable to load root certificates: {}", reason(bundle)))
}

/// Why no certificate was found (`createErrorParsingCAData`).
fn reason(bundle: &[u8]) -> &'static str {
    let mut rest = bundle;
    while !rest.is_empty() {
        let Some((block, after)) = pem::next(rest) else {
            return "unable to parse bytes as PEM block";
        };
        if is_certificate(&block) && !is_sequence(&block.bytes) {
            return "failed to parse certificate: x509: malformed certificate";
        }
        rest = after;
    }
    "no valid certificate authority data seen"
}

/// Whether the block has the bytes of a certificate.
fn is_certificate(block: &Block) -> bool {
    block.label == "CERTIFICATE" && !block.has_headers
}

/// Whether the bytes are exactly one ASN.1 sequence, with something inside.
fn is_sequence(bytes: &[u8]) -> bool {
    Reader::whole(bytes, SEQUENCE).is_some_and(|inside| !inside.is_empty())
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
