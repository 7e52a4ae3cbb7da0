//! Signatures that validation needs checked. Only the caller can: the core knows no cryptography.

/// A signature and what was signed.
#[derive(Debug, Clone, Copy)]
pub struct Signature<'b> {
    /// What kind of key signed.
    pub key: SignatureKey,
    /// The key: a point of the curve, 32 bytes of Ed25519, or modulus and exponent of RSA in DER.
    pub public_key: &'b [u8],
    /// The hash that was signed; Ed25519 has its own.
    pub hash: SignatureHash,
    /// What was signed.
    pub message: &'b [u8],
    /// The signature.
    pub signature: &'b [u8],
}

/// A kind of key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureKey {
    /// Ed25519.
    Ed25519,
    /// ECDSA on P-256.
    P256,
    /// ECDSA on P-384.
    P384,
    /// ECDSA on P-521.
    P521,
    /// RSA with the padding of PKCS#1 1.5.
    Rsa,
}

/// A hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureHash {
    /// SHA-1.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}
