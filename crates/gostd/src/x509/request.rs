//! Requests for certificates in the form of PKCS#10 (`ParseCertificateRequest` and `CheckSignature` in crypto/x509).

use super::public_key::{self, PublicKey};
use super::signature::{Signature, SignatureHash, SignatureKey};
use crate::der::{INTEGER, OID, Reader, SEQUENCE};

/// Algorithms of signatures by their OID.
const ALGORITHMS: [(&[u8], Family, SignatureHash); 8] = [
    (&RSA_WITH[0], Family::Rsa, SignatureHash::Sha1),
    (&RSA_WITH[1], Family::Rsa, SignatureHash::Sha256),
    (&RSA_WITH[2], Family::Rsa, SignatureHash::Sha384),
    (&RSA_WITH[3], Family::Rsa, SignatureHash::Sha512),
    (&ECDSA_WITH[0], Family::Ecdsa, SignatureHash::Sha256),
    (&ECDSA_WITH[1], Family::Ecdsa, SignatureHash::Sha384),
    (&ECDSA_WITH[2], Family::Ecdsa, SignatureHash::Sha512),
    (&[0x2b, 0x65, 0x70], Family::Ed25519, SignatureHash::Sha512),
];
const RSA_WITH: [[u8; 9]; 4] = [rsa_with(5), rsa_with(11), rsa_with(12), rsa_with(13)];
const ECDSA_WITH: [[u8; 8]; 3] = [ecdsa_with(2), ecdsa_with(3), ecdsa_with(4)];

/// What algorithms and keys have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Rsa,
    Ecdsa,
    Ed25519,
}

const fn rsa_with(last: u8) -> [u8; 9] {
    [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, last]
}

const fn ecdsa_with(last: u8) -> [u8; 8] {
    [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, last]
}

/// A request for a certificate.
#[derive(Debug)]
pub struct Request<'b> {
    /// The key that it is about.
    pub key: PublicKey<'b>,
    /// Its signature; `None` if the algorithm is not known or not one of the key.
    pub signature: Option<Signature<'b>>,
}

/// Reads a request; `None` if Go cannot.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Request<'_>> {
    let mut request = Reader::whole(bytes, SEQUENCE)?;
    let mut rest = request;
    let message = rest.value(SEQUENCE)?;
    let mut info = request.sequence()?;
    let (mut algorithm, signature) = (request.sequence()?, request.bits()?);
    info.content(INTEGER)?;
    info.sequence()?;
    let key = public_key::read(info.value(SEQUENCE)?)?;
    let algorithm = algorithm.content(OID)?;
    if !request.is_empty() {
        return None;
    }
    let known = ALGORITHMS.iter().find(|(oid, ..)| *oid == algorithm);
    let signature = known.and_then(|&(_, family, hash)| match key {
        PublicKey::Usable(kind, key) => (family == family_of(kind)).then_some(Signature {
            key: kind,
            public_key: key,
            hash,
            message,
            signature,
        }),
        _ => None,
    });
    Some(Request { key, signature })
}

fn family_of(key: SignatureKey) -> Family {
    match key {
        SignatureKey::Ed25519 => Family::Ed25519,
        SignatureKey::Rsa => Family::Rsa,
        SignatureKey::P256 | SignatureKey::P384 | SignatureKey::P521 => Family::Ecdsa,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base64: &str, expected: impl Fn(Option<Request<'_>>) -> bool) {
        let bytes = crate::base64::decode(base64.as_bytes()).expect("it is base64");
        assert!(expected(read(&bytes)), "{base64}");
    }

    #[test]
    fn keys_and_signatures_are_found() {
        let request = "MH8wMwIBADAAMCowBQYDK2VwAyEAQDrrTpobzogME3yqOocY6Vt402v0ETLKlx+GtA+vormgADAFBgMrZXADQQBRCyGWbrydmCVxtd06+PeUU59olWJZ0kvKETuz6fybvPTpARnQGh7+GcWZhpaP/41Ur8hgqv5P/g87TP/1+AsN";
        check(request, |request| {
            let signature = request.and_then(|request| request.signature);
            signature.is_some_and(|signature| {
                signature.key == SignatureKey::Ed25519
                    && signature.message.len() == 53
                    && signature.signature.len() == 64
            })
        });
        check(&request[..40], |request| request.is_none());
    }

    #[test]
    fn small_curves_are_told_apart() {
        let request = "MIGnMFcCAQAwADBOMBAGByqGSM49AgEGBSuBBAAhAzoABBmmOOuZw8H8BcZmtrxeVdoSoIESo4d8n0tpzzVlIOFOXBPTp1/Z31gdwFSKxdtti30uPwGD7tgUoAAwCgYIKoZIzj0EAwIDQAAwPQIdAOcztxv59pvvJ3LtXWVZwx+wNFcs+VzjP1cezVkCHEpl3J1zdm+ulOcfMJIpmW08GvXo9e5eW7VotCA=";
        check(request, |request| {
            request.is_some_and(|request| request.key == PublicKey::SmallCurve("P-224"))
        });
    }
}
