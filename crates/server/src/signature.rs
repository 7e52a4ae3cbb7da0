//! Whether signatures are right. Those on P-521, and of SHA-512 with other curves, cannot be checked here and count as right.

use kindsmith_gostd::x509::{Signature, SignatureHash, SignatureKey};
use ring::signature::{self as known, UnparsedPublicKey, VerificationAlgorithm};

/// Whether a signature is right.
pub(crate) fn verifies(signature: &Signature<'_>) -> bool {
    let Some(algorithm) = algorithm(signature) else {
        return true;
    };
    let key = UnparsedPublicKey::new(algorithm, signature.public_key);
    key.verify(signature.message, signature.signature).is_ok()
}

fn algorithm(signature: &Signature<'_>) -> Option<&'static dyn VerificationAlgorithm> {
    use SignatureHash::{Sha1, Sha256, Sha384, Sha512};
    Some(match (signature.key, signature.hash) {
        (SignatureKey::Ed25519, _) => &known::ED25519,
        (SignatureKey::P256, Sha256) => &known::ECDSA_P256_SHA256_ASN1,
        (SignatureKey::P256, Sha384) => &known::ECDSA_P256_SHA384_ASN1,
        (SignatureKey::P384, Sha256) => &known::ECDSA_P384_SHA256_ASN1,
        (SignatureKey::P384, Sha384) => &known::ECDSA_P384_SHA384_ASN1,
        (SignatureKey::Rsa, Sha1) => &known::RSA_PKCS1_2048_8192_SHA1_FOR_LEGACY_USE_ONLY,
        (SignatureKey::Rsa, Sha256) => &known::RSA_PKCS1_2048_8192_SHA256,
        (SignatureKey::Rsa, Sha384) => &known::RSA_PKCS1_2048_8192_SHA384,
        (SignatureKey::Rsa, Sha512) => &known::RSA_PKCS1_2048_8192_SHA512,
        (SignatureKey::P256 | SignatureKey::P384 | SignatureKey::P521, _) => return None,
    })
}

#[cfg(test)]
mod tests {
    use ring::rand::SystemRandom;
    use ring::signature::{Ed25519KeyPair, KeyPair};

    use super::*;

    #[test]
    fn a_changed_message_is_not_signed() {
        let pair = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("randomness");
        let pair = Ed25519KeyPair::from_pkcs8(pair.as_ref()).expect("a key");
        let signed = pair.sign(b"a");
        let of = |message| Signature {
            key: SignatureKey::Ed25519,
            public_key: pair.public_key().as_ref(),
            hash: SignatureHash::Sha512,
            message,
            signature: signed.as_ref(),
        };
        assert!(verifies(&of(b"a")));
        assert!(!verifies(&of(b"b")));
    }

    #[test]
    fn what_cannot_be_checked_is_right() {
        assert!(verifies(&Signature {
            key: SignatureKey::P521,
            public_key: b"",
            hash: SignatureHash::Sha512,
            message: b"",
            signature: b"",
        }));
    }
}
