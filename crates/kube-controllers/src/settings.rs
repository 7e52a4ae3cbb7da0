//! What controllers are given.

/// What controllers cannot find in the cluster.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The certificate of the CA that signed the server's, in PEM; empty if there is none.
    pub authority: String,
}
