//! Text that is not UTF-8: every invalid byte counts as U+FFFD, as in Go's `utf8.DecodeRune`.

const REPLACEMENT: &str = "\u{fffd}";

/// Returns the text with each invalid byte replaced.
pub(crate) fn repair(text: &[u8]) -> String {
    let mut repaired = String::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        repaired.push_str(chunk.valid());
        // Rust joins the bytes of a truncated character; Go counts each of them.
        chunk
            .invalid()
            .iter()
            .for_each(|_| repaired.push_str(REPLACEMENT));
    }
    repaired
}

/// Maps an offset in the repaired text to the original.
pub(super) fn original_offset(text: &[u8], repaired_offset: usize) -> usize {
    let (mut repaired, mut original) = (0, 0);
    for chunk in text.utf8_chunks() {
        let valid = chunk.valid().len();
        if repaired_offset < repaired + valid {
            return original + (repaired_offset - repaired);
        }
        repaired += valid;
        original += valid;
        for _ in chunk.invalid() {
            if repaired_offset < repaired + REPLACEMENT.len() {
                return original;
            }
            repaired += REPLACEMENT.len();
            original += 1;
        }
    }
    original
}
