//! The value of a string or bytes literal (cel-go `parser/unescape.go`).

const BAD: &str = "unable to unescape string";
const BAD_OCTAL: &str = "unable to unescape octal sequence in string";
const BAD_CODE_POINT: &str = "invalid unicode code point";

/// The bytes of a quoted literal. Line ends become `\n`; in bytes literals `\x` and octal escapes are bytes.
pub(super) fn unescape(quoted: &str, bytes: bool) -> Result<Vec<u8>, &'static str> {
    let text = quoted.replace("\r\n", "\n").replace('\r', "\n");
    let (raw, text) = match text.strip_prefix(['r', 'R']) {
        Some(rest) => (true, rest),
        None => (false, text.as_str()),
    };
    let inner = ["'''", "\"\"\"", "'", "\""]
        .iter()
        .find_map(|quote| {
            let long = quote.len() == 3;
            (!long || text.len() >= 6)
                .then(|| text.strip_prefix(quote)?.strip_suffix(quote))
                .flatten()
        })
        .ok_or(BAD)?;
    if raw || !inner.contains('\\') {
        return Ok(inner.as_bytes().to_vec());
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c == '\\' {
            rest = escape(rest, bytes, &mut out)?;
        } else {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    Ok(out)
}

/// Decodes the escape after a backslash and returns what follows it.
fn escape<'a>(rest: &'a str, bytes: bool, out: &mut Vec<u8>) -> Result<&'a str, &'static str> {
    let kind = rest
        .chars()
        .next()
        .ok_or("unable to unescape string, found '\\' as last character")?;
    let tail = &rest[kind.len_utf8()..];
    let simple = match kind {
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' | '\'' | '"' | '`' | '?' => kind as u8,
        'x' | 'X' => return number(tail, 0, 2, 16, bytes, out),
        'u' if !bytes => return number(tail, 0, 4, 16, bytes, out),
        'U' if !bytes => return number(tail, 0, 8, 16, bytes, out),
        '0'..='3' => return number(tail, kind as u32 - '0' as u32, 2, 8, bytes, out),
        _ => return Err(BAD),
    };
    out.push(simple);
    Ok(tail)
}

fn number<'a>(
    tail: &'a str,
    start: u32,
    digits: usize,
    radix: u32,
    bytes: bool,
    out: &mut Vec<u8>,
) -> Result<&'a str, &'static str> {
    let bad = if radix == 8 { BAD_OCTAL } else { BAD };
    let mut value = start;
    for n in 0..digits {
        let digit = tail
            .as_bytes()
            .get(n)
            .and_then(|b| (*b as char).to_digit(radix))
            .ok_or(bad)?;
        value = value.wrapping_mul(radix).wrapping_add(digit);
    }
    if bytes {
        out.push(value as u8);
    } else {
        let c = char::from_u32(value).ok_or(BAD_CODE_POINT)?;
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(&tail[digits..])
}
