//! The interface of whatever answers requests.

/// A request of a recording.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The method.
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    /// All headers except those of the connection and the administrator's token.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Sent {
    /// The first value of a header; the name is not case-sensitive.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(header, _)| header.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// A response.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body; for a watch, all events until its end.
    pub body: Vec<u8>,
    /// The texts of `Warning: 299` headers, in order.
    pub warnings: Vec<String>,
}

/// Answers the requests of a scenario, one after another, starting with an empty server.
///
/// Requests come from an administrator in the group `system:masters`, unless their headers have an `Authorization` or
/// impersonate.
pub trait Transport {
    /// Answers a request.
    fn send(&mut self, request: &Sent) -> Answer;

    /// Lets a second pass, so that the next write has another time.
    fn pause(&mut self);
}

/// The text of a `Warning` header, if it is one of the API's.
#[must_use]
pub fn warning_text(header: &str) -> Option<String> {
    let quoted = header.strip_prefix("299 - \"")?.strip_suffix('"')?;
    let mut text = String::with_capacity(quoted.len());
    let mut letters = quoted.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.extend(letters.next()),
            other => text.push(other),
        }
    }
    Some(text)
}
