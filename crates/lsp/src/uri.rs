//! `file:` addresses and paths.

use std::str::FromStr as _;

use lsp_types::Uri;

/// The path of a `file:` address; `None` for others, such as unsaved documents.
pub(crate) fn path(uri: &Uri) -> Option<String> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let decoded = decoded(path)?;
    // `/C:/x` on Windows.
    let is_drive = decoded.as_bytes().get(2) == Some(&b':');
    Some(if is_drive {
        decoded[1..].to_owned()
    } else {
        decoded
    })
}

/// The address of a path.
pub(crate) fn uri(path: &str) -> Option<Uri> {
    let mut text = String::from("file://");
    if !path.starts_with('/') {
        text.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                text.push(char::from(byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&text).ok()
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for path_ in ["/a/b.go", "/with space/é@v1.yaml", "C:/x/types.go"] {
            let uri = uri(path_).expect("an address");
            assert_eq!(path(&uri).as_deref(), Some(path_), "{}", uri.as_str());
        }
        let other = Uri::from_str("untitled:Untitled-1").expect("an address");
        assert_eq!(path(&other), None);
    }
}
