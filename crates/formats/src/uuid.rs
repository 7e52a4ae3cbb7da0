//! The text forms of UUIDs. Nothing here generates one.

/// Reports whether the text is a lowercase UUID in 8-4-4-4-12 form.
pub fn is_canonical(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

/// Reads the 32 hexadecimal digits of a UUID in any case; each of the four dashes is optional.
///
/// This is what the UUID expressions of kube-openapi's `strfmt` accept.
pub fn digits(text: &str) -> Option<[u8; 32]> {
    let mut digits = [0; 32];
    let mut rest = text.as_bytes();
    let mut filled = 0;
    for (index, group) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(b"-").unwrap_or(rest);
        }
        let (head, tail) = rest.split_at_checked(group)?;
        if !head.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        for (slot, byte) in digits[filled..filled + group].iter_mut().zip(head) {
            *slot = byte.to_ascii_lowercase();
        }
        filled += group;
        rest = tail;
    }
    rest.is_empty().then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_form_is_lowercase_with_dashes() {
        for (text, canonical, readable) in [
            ("123e4567-e89b-12d3-a456-426614174000", true, true),
            ("123E4567-e89b-12d3-a456-426614174000", false, true),
            ("123e4567e89b12d3a456426614174000", false, true),
            ("123e4567-e89b12d3-a456426614174000", false, true),
            ("123e4567--e89b-12d3-a456-426614174000", false, false),
            ("123e4567-e89b-12d3-a456-42661417400", false, false),
            ("123e4567-e89b-12d3-a456-4266141740000", false, false),
            ("123e4567-e89b-12d3-a456_426614174000", false, false),
            ("g23e4567-e89b-12d3-a456-426614174000", false, false),
            ("", false, false),
            ("é23e4567-e89b-12d3-a456-42661417400", false, false),
        ] {
            assert_eq!(is_canonical(text), canonical, "{text}");
            assert_eq!(digits(text).is_some(), readable, "{text}");
        }
    }
}
