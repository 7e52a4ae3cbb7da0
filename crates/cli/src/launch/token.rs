//! Random tokens.

/// A random token.
pub(crate) fn random_token() -> String {
    use kindsmith_api::Environment as _;
    let mut bytes = [0; 24];
    kindsmith_server::System.random(&mut bytes);
    kindsmith_gostd::hex::encode(&bytes)
}
