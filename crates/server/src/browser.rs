//! What keeps web pages away from a server without authentication: any page can make a browser send requests to
//! loopback addresses, also under a name of its own that it lets point there.

/// Why a request to such a server is refused.
pub(crate) fn refusal<'r>(
    has_body: bool,
    header: impl Fn(&str) -> Option<&'r str>,
) -> Option<(u16, &'static str, String)> {
    let host = header("host").unwrap_or_default();
    if !is_loopback(host) {
        let message =
            format!("the host {host:?} is not a loopback address; --insecure-http serves only those");
        return Some((403, "Forbidden", message));
    }
    if let Some(origin) = header("origin")
        && origin.split_once("://").is_none_or(|(_, name)| name != host)
    {
        let message = format!("requests from the web page {origin:?} are not answered with --insecure-http");
        return Some((403, "Forbidden", message));
    }
    let media = header("content-type").unwrap_or_default();
    if has_body && !is_object(media) {
        let message = format!(
            "the content type {media:?} is not answered with --insecure-http; send application/json or application/yaml"
        );
        return Some((415, "UnsupportedMediaType", message));
    }
    None
}

/// A loopback address or `localhost`, with or without a port.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let address: Result<std::net::IpAddr, _> = name.parse();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// A media type that a form of a web page cannot send.
fn is_object(media: &str) -> bool {
    let media = media.split(';').next().unwrap_or_default().trim();
    media.starts_with("application/") && media != "application/x-www-form-urlencoded"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[(&str, &str)], has_body: bool, expected: Option<u16>) {
        let header = |name: &str| {
            headers
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| *value)
        };
        let refused = refusal(has_body, header);
        assert_eq!(
            refused.as_ref().map(|(code, ..)| *code),
            expected,
            "{headers:?}: {refused:?}"
        );
    }

    #[test]
    fn requests_that_a_web_page_could_make_are_refused() {
        let own = ("host", "127.0.0.1:6443");
        let json = ("content-type", "application/json; charset=utf-8");
        check(&[own], false, None);
        check(&[("host", "localhost")], false, None);
        check(&[("host", "[::1]:80")], false, None);
        check(&[own, json], true, None);
        check(
            &[own, ("content-type", "application/apply-patch+yaml")],
            true,
            None,
        );
        check(&[own, ("origin", "http://127.0.0.1:6443")], false, None);
        check(&[], false, Some(403));
        check(&[("host", "attacker.example:6443")], false, Some(403));
        check(&[("host", "127.0.0.1.attacker.example")], false, Some(403));
        check(&[own, ("origin", "http://attacker.example")], false, Some(403));
        check(&[own, ("origin", "null")], false, Some(403));
        check(&[own], true, Some(415));
        check(&[own, ("content-type", "text/plain")], true, Some(415));
        check(
            &[own, ("content-type", "application/x-www-form-urlencoded")],
            true,
            Some(415),
        );
    }
}
