//! Texts that a schema probably accepts: of a format, of a pattern, of a length.

use kindsmith_schema::JsonSchema;

use super::pattern;

/// A text of each format.
const FORMATS: &[(&str, &str)] = &[
    ("bsonobjectid", "507f1f77bcf86cd799439011"),
    ("byte", "YQ=="),
    ("cidr", "10.0.0.0/8"),
    ("date", "2024-01-02"),
    ("date-time", "2024-01-02T03:04:05Z"),
    ("datetime", "2024-01-02T03:04:05Z"),
    ("duration", "1s"),
    ("email", "a@example.org"),
    ("hexcolor", "#ffffff"),
    ("hostname", "example.org"),
    ("ipv4", "10.0.0.1"),
    ("ip", "10.0.0.1"),
    ("ipv6", "2001:db8::1"),
    ("isbn", "0321751043"),
    ("isbn10", "0321751043"),
    ("isbn13", "9780321751041"),
    ("mac", "01:02:03:04:05:06"),
    ("password", "a"),
    ("rgbcolor", "rgb(0,0,0)"),
    ("uri", "https://example.org"),
    ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
    ("uuid3", "bcd02e22-68f0-3046-a512-327cca9def8f"),
    ("uuid4", "57b73598-8764-4ad0-a76a-679bb6640eb1"),
    ("uuid5", "987fbc97-4bed-5078-9f07-9141ba07c9f3"),
];

/// Texts to try where a pattern cannot be read.
const GUESSES: &[&str] = &[
    "a",
    "A",
    "0",
    "a-b",
    "example.org",
    "https://example.org",
    "10.0.0.1",
    "v1",
    "1s",
    "1Gi",
    "example.org/a",
    "123e4567-e89b-12d3-a456-426614174000",
];

/// The shortest text that is probably accepted.
pub(super) fn smallest(schema: &JsonSchema) -> String {
    let least = schema.min_length.unwrap_or(0).clamp(0, super::MAX_COUNT) as usize;
    if !schema.pattern.is_empty() {
        let found = pattern::matching(&schema.pattern, least);
        let guess = || {
            GUESSES
                .iter()
                .find(|guess| pattern::is_match(&schema.pattern, guess))
        };
        if let Some(found) = found.or_else(|| guess().map(|guess| (*guess).to_owned())) {
            return found;
        }
    }
    match FORMATS.iter().find(|(format, _)| *format == &*schema.format) {
        Some((_, text)) => (*text).to_owned(),
        None => "a".repeat(least.max(1)),
    }
}

/// A text of exactly this length, if the schema's pattern and format leave that open.
pub(super) fn of_length(schema: &JsonSchema, length: usize) -> Option<String> {
    if !schema.pattern.is_empty() {
        let found = pattern::matching(&schema.pattern, length)?;
        return (found.chars().count() == length).then_some(found);
    }
    if FORMATS.iter().any(|(format, _)| *format == &*schema.format) {
        None
    } else {
        Some("a".repeat(length))
    }
}

/// The n-th variation of a text.
pub(super) fn varied(schema: &JsonSchema, text: &str, index: i64) -> String {
    let longer = format!("{text}{index}");
    let fits = schema
        .max_length
        .is_none_or(|most| longer.chars().count() as i64 <= most);
    if fits && (schema.pattern.is_empty() || pattern::is_match(&schema.pattern, &longer)) {
        return longer;
    }
    let kept: String = text
        .chars()
        .take(text.chars().count().saturating_sub(index.to_string().len()))
        .collect();
    format!("{kept}{index}")
}
