//! Percent escapes: which characters need one depends on the part of the URL.

use super::error::Problem;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    Path,
    Host,
    Zone,
    User,
    QueryComponent,
    Fragment,
}

/// Reports whether Go escapes the byte in that part of a URL.
fn should_escape(byte: u8, mode: Mode) -> bool {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => false,
        b'!' | b'(' | b')' | b'*' => !matches!(mode, Mode::Host | Mode::Zone | Mode::Fragment),
        b'\'' | b'[' | b']' | b'<' | b'>' | b'"' => !matches!(mode, Mode::Host | Mode::Zone),
        b'$' | b'&' | b'+' | b',' | b':' | b';' | b'=' | b'/' | b'?' | b'@' => match mode {
            Mode::Host | Mode::Zone => matches!(byte, b'/' | b'?' | b'@'),
            Mode::Path => byte == b'?',
            Mode::User => matches!(byte, b'@' | b'/' | b'?' | b':'),
            Mode::QueryComponent => true,
            Mode::Fragment => false,
        },
        _ => true,
    }
}

/// Resolves the escapes of a part.
pub(super) fn unescape(text: &str, mode: Mode) -> Result<Vec<u8>, Problem> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'%' => {
                out.push(escaped_byte(&bytes[at..], mode)?);
                at += 3;
                continue;
            }
            b'+' if mode == Mode::QueryComponent => out.push(b' '),
            byte if byte.is_ascii()
                && matches!(mode, Mode::Host | Mode::Zone)
                && should_escape(byte, mode) =>
            {
                return Err(Problem::Host(char::from(byte)));
            }
            byte => out.push(byte),
        }
        at += 1;
    }
    Ok(out)
}

/// Reads the escape that `bytes` starts with.
fn escaped_byte(bytes: &[u8], mode: Mode) -> Result<u8, Problem> {
    let shown = &bytes[..bytes.len().min(3)];
    let refused = || Problem::Escape(shown.to_vec());
    let digit = |index: usize| bytes.get(index).and_then(|&byte| char::from(byte).to_digit(16));
    let (Some(high), Some(low)) = (digit(1), digit(2)) else {
        return Err(refused());
    };
    let byte = (high * 16 + low) as u8;
    let refuse = match mode {
        // Hosts may contain escaped UTF-8 but no escaped ASCII, except for the percent sign that starts a zone.
        Mode::Host => high < 8 && shown != b"%25",
        Mode::Zone => shown != b"%25" && byte != b' ' && should_escape(byte, Mode::Host),
        _ => false,
    };
    if refuse { Err(refused()) } else { Ok(byte) }
}

pub(super) fn escape(bytes: &[u8], mode: Mode) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if should_escape(byte, mode) {
            text.push_str(&format!("%{byte:02X}"));
        } else {
            text.push(char::from(byte));
        }
    }
    text
}

/// The part as written if its escapes are valid, otherwise as Go would write it.
pub(super) fn escaped(raw: Option<&str>, bytes: &[u8], mode: Mode) -> String {
    match raw {
        Some(raw) if is_valid_encoding(raw, mode) => raw.to_owned(),
        _ if bytes == b"*" && mode == Mode::Path => "*".to_owned(),
        _ => escape(bytes, mode),
    }
}

fn is_valid_encoding(text: &str, mode: Mode) -> bool {
    text.bytes()
        .all(|byte| b"!$&'()*+,;=:@[]%".contains(&byte) || !should_escape(byte, mode))
}

#[cfg(test)]
mod tests {
    use super::super::{escape_parameter, escape_path, unescape_path};

    #[test]
    fn parts_of_urls_are_escaped_and_back() {
        let check = |text: &str, path: &str, parameter: &str| {
            assert_eq!(escape_path(text), path);
            assert_eq!(escape_parameter(text), parameter);
            assert_eq!(unescape_path(path).as_deref(), Some(text));
        };
        check("a/b:c", "a/b:c", "a%2Fb%3Ac");
        check("a b?c#d", "a%20b%3Fc%23d", "a%20b%3Fc%23d");
        check("é%+&=", "%C3%A9%25+&=", "%C3%A9%25%2B%26%3D");
        assert_eq!((unescape_path("%"), unescape_path("%ff")), (None, None));
    }
}
