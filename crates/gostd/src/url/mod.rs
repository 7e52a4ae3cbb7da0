//! URLs as Go's `net/url` reads and prints them, which is neither RFC 3986 nor the WHATWG standard.

mod authority;
mod error;
mod escape;

use std::borrow::Cow;
use std::fmt;

use crate::utf8;
use authority::User;
pub use error::ParseUrlError;
use error::Problem;
use escape::Mode;

/// A parsed URL. Escapes can encode any bytes, so its parts are stored as bytes.
#[derive(Clone, Debug, Default)]
pub struct Url {
    scheme: String,
    opaque: String,
    user: Option<User>,
    host: Vec<u8>,
    path: Vec<u8>,
    /// The path as written, if Go would write it differently.
    raw_path: Option<String>,
    query: String,
    force_query: bool,
    omit_host: bool,
    fragment: Vec<u8>,
    raw_fragment: Option<String>,
}

/// The maximum number of query parameters; if there are more, Go reads none.
const MAX_PARAMETERS: usize = 10_000;

/// A path with escapes for what cannot stand in one; slashes stay.
pub fn escape_path(path: &str) -> String {
    escape::escape(path.as_bytes(), Mode::Path)
}

/// The name or value of a query's parameter, with escapes.
pub fn escape_parameter(text: &str) -> String {
    escape::escape(text.as_bytes(), Mode::QueryComponent)
}

/// A path with its escapes resolved; `None` if one is malformed.
pub fn unescape_path(path: &str) -> Option<String> {
    String::from_utf8(escape::unescape(path, Mode::Path).ok()?).ok()
}

impl Url {
    /// Reads any URL or reference (`url.Parse`).
    pub fn parse(text: &str) -> Result<Url, ParseUrlError> {
        let (main, fragment) = text.split_once('#').unwrap_or((text, ""));
        let mut url = parse(main, Kind::Reference).map_err(|problem| ParseUrlError::new(main, problem))?;
        if !fragment.is_empty() {
            let unescaped = escape::unescape(fragment, Mode::Fragment);
            url.fragment = unescaped.map_err(|problem| ParseUrlError::new(text, problem))?;
            url.raw_fragment =
                (escape::escape(&url.fragment, Mode::Fragment) != fragment).then(|| fragment.to_owned());
        }
        Ok(url)
    }

    /// Reads an absolute URL or path; `#` is an ordinary character (`url.ParseRequestURI`).
    pub fn parse_request_uri(text: &str) -> Result<Url, ParseUrlError> {
        parse(text, Kind::Request).map_err(|problem| ParseUrlError::new(text, problem))
    }

    /// The scheme in lower case; empty without one.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Host and port as written, escapes resolved.
    pub fn host(&self) -> Cow<'_, str> {
        utf8::lossy(&self.host)
    }

    /// The host without port and brackets.
    pub fn hostname(&self) -> Cow<'_, str> {
        utf8::lossy(authority::split_port(&self.host).0)
    }

    /// The port; empty without one.
    pub fn port(&self) -> Cow<'_, str> {
        utf8::lossy(authority::split_port(&self.host).1)
    }

    /// User name and password with their escapes (`URL.User.String`).
    pub fn user(&self) -> Option<String> {
        self.user.as_ref().map(ToString::to_string)
    }

    /// The query as written, without the question mark.
    pub fn raw_query(&self) -> &str {
        &self.query
    }

    /// The text after `#`, escapes resolved.
    pub fn fragment(&self) -> Cow<'_, str> {
        utf8::lossy(&self.fragment)
    }

    /// The path with its escapes (`URL.EscapedPath`).
    pub fn escaped_path(&self) -> String {
        escape::escaped(self.raw_path.as_deref(), &self.path, Mode::Path)
    }

    /// The parameters of the query in order of first appearance, each with its values; malformed ones are left out
    /// (`URL.Query`).
    pub fn query(&self) -> Vec<(String, Vec<String>)> {
        let mut parameters: Vec<(String, Vec<String>)> = Vec::new();
        if self.query.bytes().filter(|&byte| byte == b'&').count() >= MAX_PARAMETERS {
            return parameters;
        }
        for pair in self
            .query
            .split('&')
            .filter(|pair| !pair.is_empty() && !pair.contains(';'))
        {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let unescape = |text| escape::unescape(text, Mode::QueryComponent);
            let (Ok(key), Ok(value)) = (unescape(key), unescape(value)) else {
                continue;
            };
            let (key, value) = (utf8::lossy(&key).into_owned(), utf8::lossy(&value).into_owned());
            match parameters.iter_mut().find(|(name, _)| *name == key) {
                Some((_, values)) => values.push(value),
                None => parameters.push((key, vec![value])),
            }
        }
        parameters
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Reference,
    Request,
}

fn parse(text: &str, kind: Kind) -> Result<Url, Problem> {
    if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return Err(Problem::Text("net/url: invalid control character in URL"));
    }
    if text.is_empty() && kind == Kind::Request {
        return Err(Problem::Text("empty url"));
    }
    let mut url = Url::default();
    if text == "*" {
        url.path = b"*".to_vec();
        return Ok(url);
    }
    let (scheme, rest) = split_scheme(text)?;
    url.scheme = scheme.to_ascii_lowercase();
    let rest = url.take_query(rest);
    if !rest.starts_with('/') {
        if !url.scheme.is_empty() {
            url.opaque = rest.to_owned();
            return Ok(url);
        }
        if kind == Kind::Request {
            return Err(Problem::Text("invalid URI for request"));
        }
        if rest
            .split('/')
            .next()
            .is_some_and(|segment| segment.contains(':'))
        {
            return Err(Problem::Text("first path segment in URL cannot contain colon"));
        }
    }
    let rest = url.take_authority(rest, kind)?;
    url.path = escape::unescape(rest, Mode::Path)?;
    url.raw_path = (escape::escape(&url.path, Mode::Path) != rest).then(|| rest.to_owned());
    Ok(url)
}

/// Splits off the text before the first colon, if it can be a scheme.
fn split_scheme(text: &str) -> Result<(&str, &str), Problem> {
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if index > 0 => {}
            b':' if index == 0 => return Err(Problem::Text("missing protocol scheme")),
            b':' => return Ok((&text[..index], &text[index + 1..])),
            _ => break,
        }
    }
    Ok(("", text))
}

impl Url {
    fn take_query<'t>(&mut self, text: &'t str) -> &'t str {
        let Some((rest, query)) = text.split_once('?') else {
            return text;
        };
        self.force_query = query.is_empty();
        self.query = query.to_owned();
        rest
    }

    fn take_authority<'t>(&mut self, text: &'t str, kind: Kind) -> Result<&'t str, Problem> {
        let after = text.strip_prefix("//");
        let allowed = !self.scheme.is_empty() || (kind == Kind::Reference && !text.starts_with("///"));
        let Some(after) = after.filter(|_| allowed) else {
            self.omit_host = !self.scheme.is_empty() && text.starts_with('/');
            return Ok(text);
        };
        let (authority, rest) = after.split_at(after.find('/').unwrap_or(after.len()));
        (self.user, self.host) = authority::parse(&self.scheme, authority)?;
        Ok(rest)
    }

    fn push_authority(&self, text: &mut String) {
        let bare = self.host.is_empty() && self.user.is_none();
        if (self.scheme.is_empty() || self.omit_host) && bare {
            return;
        }
        if !bare || !self.path.is_empty() {
            text.push_str("//");
        }
        if let Some(user) = &self.user {
            text.push_str(&user.to_string());
            text.push('@');
        }
        text.push_str(&escape::escape(&self.host, Mode::Host));
    }
}

/// Prints as Go's `URL.String`; two URLs are equal in CEL if they print the same.
impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if !self.scheme.is_empty() {
            text.push_str(&self.scheme);
            text.push(':');
        }
        if self.opaque.is_empty() {
            self.push_authority(&mut text);
            let path = self.escaped_path();
            if !path.is_empty() && !path.starts_with('/') && !self.host.is_empty() {
                text.push('/');
            }
            // Without the dot, a colon in the first segment would end a scheme.
            if text.is_empty()
                && path
                    .split('/')
                    .next()
                    .is_some_and(|segment| segment.contains(':'))
            {
                text.push_str("./");
            }
            text.push_str(&path);
        } else {
            text.push_str(&self.opaque);
        }
        if self.force_query || !self.query.is_empty() {
            text.push('?');
            text.push_str(&self.query);
        }
        if !self.fragment.is_empty() {
            text.push('#');
            text.push_str(&escape::escaped(
                self.raw_fragment.as_deref(),
                &self.fragment,
                Mode::Fragment,
            ));
        }
        f.write_str(&text)
    }
}

impl PartialEq for Url {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Url {}
