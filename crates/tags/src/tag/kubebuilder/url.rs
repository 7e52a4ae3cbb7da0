//! URLs that Go's `url.ParseRequestURI` accepts.

use kindsmith_gostd::quote::quote;

/// Rejects texts that are neither an absolute URL nor an absolute path, with Go's message.
pub(super) fn check(text: &str) -> Result<(), String> {
    let refuse = |why: &str| Err(format!("parse {}: {why}", quote(text)));
    if text.chars().any(|c| c.is_ascii_control()) {
        return refuse("net/url: invalid control character in URL");
    }
    if text.is_empty() {
        return refuse("empty url");
    }
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    if text.starts_with('/') || text == "*" {
        return Ok(());
    }
    match text.split_once(':') {
        Some(("", _)) => refuse("missing protocol scheme"),
        Some((scheme, _)) if is_scheme(scheme) => Ok(()),
        _ => refuse("invalid URI for request"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_as_go_does() {
        for good in ["https://example.org/a?b", "/a/b", "mailto:a@example.org"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for (bad, why) in [
            ("not a url", "parse \"not a url\": invalid URI for request"),
            ("", "parse \"\": empty url"),
            (":a", "parse \":a\": missing protocol scheme"),
        ] {
            assert_eq!(check(bad), Err(why.to_owned()), "{bad}");
        }
    }
}
