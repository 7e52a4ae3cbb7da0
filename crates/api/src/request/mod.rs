//! A request as it reaches the API.

pub(crate) mod body;
pub(crate) mod query;
pub(crate) mod request_info;
pub(crate) mod url;
pub(crate) mod write_options;

/// Who asks; authenticated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct User {
    /// The name: `system:admin`.
    pub name: String,
    /// What tells users of one name apart.
    pub uid: String,
    /// The groups: `system:authenticated`.
    pub groups: Vec<String>,
    /// More that the authenticator knows, by key.
    pub extra: Vec<(String, Vec<String>)>,
}

/// A request as it reaches the API.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The method, as it was sent: `GET`.
    pub method: &'r str,
    /// The path, as it was sent: still percent-encoded.
    pub path: &'r str,
    /// What follows the question mark, as it was sent.
    pub query: &'r str,
    /// The headers in order; names in lower case.
    pub headers: &'r [(&'r str, &'r str)],
    /// The body.
    pub body: &'r [u8],
    /// Who asks.
    pub user: &'r User,
}

impl<'r> Request<'r> {
    /// The first value of a header; the name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&'r str> {
        self.headers
            .iter()
            .find(|(header, _)| *header == name)
            .map(|&(_, value)| value)
    }
}
