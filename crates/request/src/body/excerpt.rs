//! Bodies in error messages.

use kindsmith_gostd::hex;

/// The beginning of a body, to recognize it (`summarizeData` in apiserver's pkg/endpoints/handlers/rest.go).
pub(crate) fn summary(body: &[u8]) -> String {
    const LENGTH: usize = 30;
    let start = &body[..body.len().min(LENGTH)];
    let text = match start.first() {
        None => return "<empty>".to_owned(),
        Some(b'{') => lossy(start),
        Some(_) => hex::encode(start),
    };
    if body.len() > LENGTH { text + " ..." } else { text }
}

/// Text with U+FFFD for every byte that is not UTF-8, as Go writes it in JSON.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}
