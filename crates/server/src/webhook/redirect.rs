//! Redirects of webhooks, followed as Go's HTTP client does: kube-apiserver's webhook clients are client-go's, which leave
//! redirects to it.

use hyper::Uri;

/// How a redirect is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirect {
    /// The review is posted again.
    Post,
    /// What is there is read; the review is not sent again, also by later redirects.
    Get,
}

impl Redirect {
    /// The redirect of a status.
    pub(super) fn of(status: u16) -> Option<Self> {
        match status {
            301..=303 => Some(Self::Get),
            307 | 308 => Some(Self::Post),
            _ => None,
        }
    }
}

/// The URL that a `Location` header means at a place.
pub(super) fn resolve(from: &Uri, location: &str) -> String {
    let location = location.split('#').next().unwrap_or_default();
    if has_scheme(location) {
        return location.to_owned();
    }
    if location.starts_with("//") {
        return format!("https:{location}");
    }
    let authority = from.authority().map_or("", |authority| authority.as_str());
    let (path, query) = match location.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (location, None),
    };
    let (path, query) = match path {
        "" => (from.path().to_owned(), query.or(from.query())),
        path if path.starts_with('/') => (clean(path), query),
        path => {
            let folder = from.path().rfind('/').map_or("/", |slash| &from.path()[..=slash]);
            (clean(&format!("{folder}{path}")), query)
        }
    };
    let query = query.map_or(String::new(), |query| format!("?{query}"));
    format!("https://{authority}{path}{query}")
}

fn has_scheme(location: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let scheme = location.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_part)
    })
}

/// A path without `.` and `..`.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').skip(1) {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if path.ends_with("/.") || path.ends_with("/..") {
        parts.push("");
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_relative_to_the_url_before() {
        for (location, expected) in [
            ("/d", "https://h:1/d"),
            ("/d?e=1#f", "https://h:1/d?e=1"),
            ("d", "https://h:1/a/d"),
            ("../d", "https://h:1/d"),
            ("./", "https://h:1/a/"),
            ("?e=1", "https://h:1/a/b?e=1"),
            ("", "https://h:1/a/b?timeout=10s"),
            ("//other/d", "https://other/d"),
            ("https://other:2/d", "https://other:2/d"),
            ("http://other/d", "http://other/d"),
        ] {
            let from = Uri::from_static("https://h:1/a/b?timeout=10s");
            assert_eq!(resolve(&from, location), expected, "{location}");
        }
    }
}
