//! The key that signs tokens of service accounts: ECDSA over P-256 or RSA, as JSON Web Tokens.

use std::fmt;

use kindsmith_api::TokenSigner;
use kindsmith_gostd::base64;
use kindsmith_json::{Arena, Value, to_string};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey,
};
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;

use crate::digest::sha256;

/// Signs tokens of service accounts with one key.
pub struct ServiceAccountKeys {
    key: Key,
    /// The key's name in tokens.
    id: String,
    issuer: String,
    audiences: Vec<String>,
}

enum Key {
    Ecdsa(EcdsaKeyPair),
    Rsa(RsaKeyPair),
}

/// Why a key cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusableKey(String);

impl fmt::Display for UnusableKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for UnusableKey {}

impl fmt::Debug for ServiceAccountKeys {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ServiceAccountKeys")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl ServiceAccountKeys {
    /// The issuer of tokens in a cluster that names none.
    pub const ISSUER: &str = "https://kubernetes.default.svc.cluster.local";

    /// A new private key, in PEM.
    ///
    /// # Errors
    ///
    /// If the operating system has no randomness.
    pub fn generate() -> Result<String, UnusableKey> {
        let key = rcgen::KeyPair::generate().map_err(|error| UnusableKey(error.to_string()))?;
        Ok(key.serialize_pem())
    }

    /// Signs with a private key in PEM: ECDSA over P-256 in PKCS #8, or RSA.
    ///
    /// # Errors
    ///
    /// If the key cannot be read, or is of another type.
    pub fn new(pem: &str, issuer: &str, audiences: Vec<String>) -> Result<Self, UnusableKey> {
        let der = PrivateKeyDer::from_pem_slice(pem.as_bytes())
            .map_err(|error| UnusableKey(format!("no private key in PEM: {error}")))?;
        let key = match &der {
            PrivateKeyDer::Pkcs8(der) => of_pkcs8(der.secret_pkcs8_der()),
            PrivateKeyDer::Pkcs1(der) => RsaKeyPair::from_der(der.secret_pkcs1_der()).ok().map(Key::Rsa),
            _ => None,
        };
        let wrong = || UnusableKey("expected a key of RSA, or of ECDSA over P-256 in PKCS #8".to_owned());
        let key = key.ok_or_else(wrong)?;
        let id = url_encoded(&sha256(&key.public_info()));
        Ok(ServiceAccountKeys {
            key,
            id,
            issuer: issuer.to_owned(),
            audiences: if audiences.is_empty() {
                vec![issuer.to_owned()]
            } else {
                audiences
            },
        })
    }
}

fn of_pkcs8(der: &[u8]) -> Option<Key> {
    let random = SystemRandom::new();
    let ecdsa = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der, &random);
    ecdsa
        .ok()
        .map(Key::Ecdsa)
        .or_else(|| RsaKeyPair::from_pkcs8(der).ok().map(Key::Rsa))
}

impl Key {
    /// The public key as it is in certificates (SubjectPublicKeyInfo).
    fn public_info(&self) -> Vec<u8> {
        // Sequences of object identifiers: ecPublicKey with prime256v1, and rsaEncryption with null.
        const P256: [u8; 21] = [
            0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
            0xce, 0x3d, 0x03, 0x01, 0x07,
        ];
        const RSA: [u8; 15] = [
            0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
        ];
        let (algorithm, public) = match self {
            Key::Ecdsa(key) => (&P256[..], key.public_key().as_ref()),
            Key::Rsa(key) => (&RSA[..], key.public_key().as_ref()),
        };
        // The bit string has no unused bits.
        let bits: Vec<u8> = [0].iter().chain(public).copied().collect();
        let content = [algorithm, &tagged(0x03, &bits)].concat();
        tagged(0x30, &content)
    }

    /// The members of a JSON Web Key that are the key itself.
    fn members(&self) -> String {
        match self {
            Key::Ecdsa(key) => {
                // A byte that says "uncompressed", then both coordinates.
                let public = key.public_key().as_ref();
                let (x, y) = public[1..].split_at(32);
                format!(
                    r#""kty":"EC","crv":"P-256","x":"{}","y":"{}""#,
                    url_encoded(x),
                    url_encoded(y)
                )
            }
            Key::Rsa(key) => {
                let public = ring::rsa::PublicKeyComponents::<Vec<u8>>::from(key.public());
                format!(
                    r#""kty":"RSA","n":"{}","e":"{}""#,
                    url_encoded(&public.n),
                    url_encoded(&public.e)
                )
            }
        }
    }

    fn sign(&self, message: &[u8]) -> Option<Vec<u8>> {
        let random = SystemRandom::new();
        match self {
            Key::Ecdsa(key) => Some(key.sign(&random, message).ok()?.as_ref().to_vec()),
            Key::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature)
                    .ok()?;
                Some(signature)
            }
        }
    }

    fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let verified = match self {
            Key::Ecdsa(key) => UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key.public_key().as_ref())
                .verify(message, signature),
            Key::Rsa(key) => UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key.public_key().as_ref())
                .verify(message, signature),
        };
        verified.is_ok()
    }
}

/// A value of DER: its tag, length and content.
fn tagged(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match u8::try_from(content.len()) {
        Ok(length) if length < 0x80 => out.push(length),
        _ => {
            let length = content.len().to_be_bytes();
            let length: Vec<u8> = length.into_iter().skip_while(|byte| *byte == 0).collect();
            out.push(0x80 | length.len() as u8);
            out.extend(length);
        }
    }
    out.extend(content);
    out
}

impl TokenSigner for ServiceAccountKeys {
    fn issuer(&self) -> &str {
        &self.issuer
    }

    fn audiences(&self) -> &[String] {
        &self.audiences
    }

    fn sign(&self, claims: &str) -> Option<String> {
        let head = format!(r#"{{"alg":"{}","kid":"{}"}}"#, self.algorithm(), self.id);
        let message = format!(
            "{}.{}",
            url_encoded(head.as_bytes()),
            url_encoded(claims.as_bytes())
        );
        let signature = self.key.sign(message.as_bytes())?;
        Some(format!("{message}.{}", url_encoded(&signature)))
    }

    fn verify(&self, token: &str) -> Option<String> {
        let (message, signature) = token.rsplit_once('.')?;
        let (head, claims) = message.split_once('.')?;
        let head = String::from_utf8(url_decoded(head)?).ok()?;
        let arena = Arena::new();
        let algorithm = kindsmith_json::parse_str(&arena, &head).ok()?.get("alg");
        if algorithm.and_then(Value::as_str) != Some(self.algorithm()) {
            return None;
        }
        let signature = url_decoded(signature)?;
        if !self.key.verifies(message.as_bytes(), &signature) {
            return None;
        }
        String::from_utf8(url_decoded(claims)?).ok()
    }

    fn algorithm(&self) -> &'static str {
        match self.key {
            Key::Ecdsa(_) => "ES256",
            Key::Rsa(_) => "RS256",
        }
    }

    fn key_set(&self) -> String {
        let (id, algorithm) = (to_string(Value::Str(&self.id)), self.algorithm());
        format!(
            r#"{{"keys":[{{"use":"sig","kid":{id},"alg":"{algorithm}",{}}}]}}"#,
            self.key.members()
        )
    }
}

/// Base64 for URLs, without padding.
fn url_encoded(bytes: &[u8]) -> String {
    let text = base64::encode(bytes).replace('+', "-").replace('/', "_");
    text.trim_end_matches('=').to_owned()
}

fn url_decoded(text: &str) -> Option<Vec<u8>> {
    if text.contains(['+', '/', '=']) {
        return None;
    }
    let mut text = text.replace('-', "+").replace('_', "/");
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    base64::decode(text.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> ServiceAccountKeys {
        let pem = ServiceAccountKeys::generate().expect("there is randomness");
        ServiceAccountKeys::new(&pem, "https://issuer", Vec::new()).expect("it is our own")
    }

    #[test]
    fn tokens_are_checked_by_the_key_that_signed_them() {
        let (own, other) = (keys(), keys());
        let token = own.sign(r#"{"sub":"a"}"#).expect("it can sign");
        assert_eq!(own.verify(&token).as_deref(), Some(r#"{"sub":"a"}"#));
        assert_eq!(other.verify(&token), None);
        let (message, signature) = token.rsplit_once('.').expect("it has three parts");
        let forged = format!(
            "{}.{}.{signature}",
            &message[..message.find('.').unwrap_or(0)],
            url_encoded(b"{}")
        );
        assert_eq!(own.verify(&forged), None);
        for broken in ["", "a", "a.b", "a.b.c", &token[1..]] {
            assert_eq!(own.verify(broken), None, "{broken}");
        }
    }

    #[test]
    fn a_token_that_names_another_algorithm_is_rejected() {
        let own = keys();
        let message = format!("{}.{}", url_encoded(br#"{"alg":"none"}"#), url_encoded(b"{}"));
        let signature = own.key.sign(message.as_bytes()).expect("it can sign");
        assert_eq!(
            own.verify(&format!("{message}.{}", url_encoded(&signature))),
            None
        );
    }

    #[test]
    fn only_private_keys_are_used() {
        let error = ServiceAccountKeys::new("x", "i", Vec::new()).expect_err("it is no key");
        assert!(error.to_string().starts_with("no private key in PEM"), "{error}");
    }

    #[test]
    fn the_key_set_names_the_key_of_tokens() {
        let own = keys();
        let set = own.key_set();
        assert!(set.contains(&own.id) && set.contains(r#""kty":"EC""#), "{set}");
        assert_eq!(own.audiences(), ["https://issuer"]);
    }
}
