//! A request as it reaches the API.

pub(crate) mod body;
pub(crate) mod delete_options;
pub(crate) mod query;
pub(crate) mod request_info;
pub(crate) mod url;
pub(crate) mod write_options;

/// The authenticated user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct User {
    /// The name: `system:admin`.
    pub name: String,
    /// Identifies the user over time, where names can be reused.
    pub uid: String,
    /// The groups: `system:authenticated`.
    pub groups: Vec<String>,
    /// More facts from the authenticator, by key.
    pub extra: Vec<(String, Vec<String>)>,
}

/// A request as it reaches the API.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The method, as sent: `GET`.
    pub method: &'r str,
    /// The path, as sent: still percent-encoded.
    pub path: &'r str,
    /// The query, as sent.
    pub query: &'r str,
    /// The headers in order; names in lower case.
    pub headers: &'r [(&'r str, &'r str)],
    /// The body.
    pub body: &'r [u8],
    /// The user who sent it.
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
