//! Public keys in certificates and requests for them (`parsePublicKey` in crypto/x509).

use super::signature::SignatureKey;
use crate::der::{INTEGER, NULL, OID, Reader, SEQUENCE};

const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];
const ECDSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
const ED25519: &[u8] = &[0x2b, 0x65, 0x70];

/// A curve: its OID, its name, the bytes of a coordinate, and the key if signatures of it are supported.
type Curve = (&'static [u8], &'static str, usize, Option<SignatureKey>);

const CURVES: [Curve; 4] = [
    (&[0x2b, 0x81, 4, 0, 0x21], "P-224", 28, None),
    (
        &[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7],
        "P-256",
        32,
        Some(SignatureKey::P256),
    ),
    (&[0x2b, 0x81, 4, 0, 0x22], "P-384", 48, Some(SignatureKey::P384)),
    (&[0x2b, 0x81, 4, 0, 0x23], "P-521", 66, Some(SignatureKey::P521)),
];

/// What a public key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublicKey<'b> {
    /// One that Go does not read, or reads and pods may not use.
    Other,
    /// One that can be used.
    Usable(SignatureKey, &'b [u8]),
    /// A point on a curve that is too small.
    SmallCurve(&'static str),
    /// An RSA key whose modulus has this many bits, which is not supported.
    OtherModulus(usize),
}

/// Reads a public key, a sequence of an algorithm and its bits; `None` if Go cannot.
#[must_use]
pub(super) fn read(bytes: &[u8]) -> Option<PublicKey<'_>> {
    let mut info = Reader::whole(bytes, SEQUENCE)?;
    let (mut algorithm, key) = (info.sequence()?, info.bits()?);
    let kind = algorithm.content(OID)?;
    match kind {
        RSA => {
            algorithm.content(NULL)?;
            read_rsa(key)
        }
        ECDSA => read_point(algorithm.content(OID)?, key),
        ED25519 => {
            (algorithm.is_empty() && key.len() == 32).then_some(PublicKey::Usable(SignatureKey::Ed25519, key))
        }
        _ => Some(PublicKey::Other),
    }
}

fn read_rsa(key: &[u8]) -> Option<PublicKey<'_>> {
    let mut parts = Reader::whole(key, SEQUENCE)?;
    let (modulus, exponent) = (parts.content(INTEGER)?, parts.content(INTEGER)?);
    let is_positive = |number: &[u8]| {
        number.first().is_some_and(|first| first & 0x80 == 0) && number.iter().any(|digit| *digit != 0)
    };
    if !is_positive(modulus) || !is_positive(exponent) {
        return None;
    }
    let bytes = modulus.iter().skip_while(|digit| **digit == 0).count();
    Some(match bytes * 8 {
        3072 | 4096 => PublicKey::Usable(SignatureKey::Rsa, key),
        bits => PublicKey::OtherModulus(bits),
    })
}

fn read_point<'b>(curve: &[u8], key: &'b [u8]) -> Option<PublicKey<'b>> {
    let &(_, name, size, usable) = CURVES.iter().find(|(oid, ..)| *oid == curve)?;
    if key.first() != Some(&4) || key.len() != 1 + 2 * size {
        return None;
    }
    Some(match usable {
        Some(kind) => PublicKey::Usable(kind, key),
        None => PublicKey::SmallCurve(name),
    })
}
