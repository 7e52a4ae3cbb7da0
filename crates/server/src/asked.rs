//! A request that was received.

use std::time::Duration;

use bytes::Bytes;
use hyper::Version;
use hyper::header::{HOST, HeaderName};
use hyper::http::request::Parts;
use kindsmith_api::{Request, User};
use kindsmith_gostd::duration::Duration as GoDuration;

/// A request with its body, owned so that it can move to another thread.
pub(crate) struct OwnedRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Bytes,
    pub(crate) user: User,
    /// Whom the user impersonates, for the audit log.
    pub(crate) impersonated: Option<User>,
}

impl OwnedRequest {
    /// A request whose body is not read yet.
    ///
    /// The authority of its target, which is `:authority` in HTTP/2, is its host (`readRequest` in net/http's request.go).
    pub(crate) fn new(head: &Parts) -> Self {
        let authority = head.uri.authority();
        let kept = |name: &HeaderName| authority.is_none() || *name != HOST;
        let headers = head.headers.iter().filter(|(name, _)| kept(name));
        let headers = headers.map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.as_str().to_owned(), value.into_owned())
        });
        let host = authority.map(|authority| (HOST.as_str().to_owned(), authority.as_str().to_owned()));
        OwnedRequest {
            method: head.method.as_str().to_owned(),
            path: head.uri.path().to_owned(),
            query: head.uri.query().unwrap_or_default().to_owned(),
            headers: host.into_iter().chain(headers).collect(),
            body: Bytes::new(),
            user: User::default(),
            impersonated: None,
        }
    }

    pub(crate) fn with<T>(&self, then: impl FnOnce(&Request<'_>) -> T) -> T {
        let headers: Vec<(&str, &str)> = self
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        then(&Request {
            method: &self.method,
            path: &self.path,
            query: &self.query,
            headers: &headers,
            body: &self.body,
            user: &self.user,
        })
    }

    /// The size of what came before the body.
    pub(crate) fn head_bytes(&self) -> usize {
        let headers = self.headers.iter();
        let headers: usize = headers.map(|(name, value)| name.len() + value.len()).sum();
        self.path.len() + self.query.len() + headers
    }

    /// How long the client is willing to wait, if it says so.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        let text = self
            .query
            .split('&')
            .find_map(|part| part.strip_prefix("timeout="))?;
        let GoDuration(nanoseconds) = GoDuration::parse(text).ok()?;
        let nanoseconds = u64::try_from(nanoseconds)
            .ok()
            .filter(|&nanoseconds| nanoseconds > 0);
        nanoseconds.map(Duration::from_nanos)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The size of what a client sent before the body.
pub(crate) fn head_bytes(head: &Parts) -> usize {
    let line = head.uri.path().len() + head.uri.query().map_or(0, str::len);
    let headers = head.headers.iter();
    line + headers
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum::<usize>()
}

/// What Go's server says to a request without a host, or with several (`conn.readRequest` in net/http's server.go).
pub(crate) fn host_fault(head: &Parts) -> Option<&'static str> {
    let hosts = head.headers.get_all(HOST).iter().count();
    match hosts {
        0 if head.version == Version::HTTP_11 => Some("400 Bad Request: missing required Host header"),
        0 | 1 => None,
        _ => Some("400 Bad Request: too many Host headers"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_of_the_target_is_the_host() {
        let check = |target: &str, host: Option<&str>, expected: Option<&str>| {
            let mut request = hyper::Request::builder().uri(target);
            if let Some(host) = host {
                request = request.header(HOST, host);
            }
            let (head, ()) = request.body(()).expect("a request").into_parts();
            assert_eq!(
                OwnedRequest::new(&head).header("host"),
                expected,
                "{target} {host:?}"
            );
        };
        check("/api", Some("a:1"), Some("a:1"));
        check("http://b:1/api", None, Some("b:1"));
        check("http://b:1/api", Some("a:1"), Some("b:1"));
        check("/api", None, None);
    }

    #[test]
    fn a_request_has_one_host() {
        let check = |version, hosts: &[&str], is_fine: bool| {
            let mut request = hyper::Request::builder().version(version);
            for host in hosts {
                request = request.header(HOST, *host);
            }
            let (head, ()) = request.body(()).expect("a request").into_parts();
            assert_eq!(host_fault(&head).is_none(), is_fine, "{version:?} {hosts:?}");
        };
        check(Version::HTTP_11, &["a"], true);
        check(Version::HTTP_11, &[], false);
        check(Version::HTTP_11, &["a", "b"], false);
        check(Version::HTTP_10, &[], true);
        check(Version::HTTP_2, &[], true);
    }
}
