//! Continue tokens: where the next page of a list begins (apiserver's pkg/storage/continue.go). Knows keys, not
//! objects.

use kindsmith_json::{Arena, Value, parse};
use kindsmith_request::{Details, ListMeta, Status};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VERSION: &str = "meta.k8s.io/v1";
const INVALID: &str = "continue key is not valid";

/// Where a list continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// The revision of the first page; `None` to continue with the current state.
    pub(crate) revision: Option<u64>,
    /// The first key to list, relative to the list's prefix.
    pub(crate) start: String,
}

impl Token {
    /// The text for clients.
    pub(crate) fn encode(&self) -> String {
        let revision = match self.revision {
            Some(revision) => revision.to_string(),
            None => "-1".to_owned(),
        };
        let mut start = String::new();
        kindsmith_json::write::append_string(&mut start, &self.start, kindsmith_json::write::Escape::Html);
        encode(format!(r#"{{"v":"{VERSION}","rv":{revision},"start":{start}}}"#).as_bytes())
    }

    /// Decodes the text a client sends back.
    ///
    /// # Errors
    ///
    /// 400 with Kubernetes' message.
    pub(crate) fn decode(text: &str) -> Result<Self, Status> {
        read(text).map_err(|error| Status::bad_request(format!("invalid continue token: {error}")))
    }

    /// 410 for a token whose revision was compacted, with a new token that continues with the current state.
    pub(crate) fn expired(&self) -> Status {
        let resume = Token {
            revision: None,
            start: self.start.clone(),
        };
        let message = "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
        Status {
            code: 410,
            reason: "Expired".into(),
            message: message.to_owned(),
            details: Some(Box::new(Details {
                list: ListMeta {
                    resume: resume.encode(),
                    ..ListMeta::default()
                },
                ..Details::default()
            })),
        }
    }
}

fn read(text: &str) -> Result<Token, String> {
    let bytes =
        decode(text.as_bytes()).map_err(|at| format!("{INVALID}: illegal base64 data at input byte {at}"))?;
    let arena = Arena::new();
    let token = parse(&arena, &bytes).map_err(|error| format!("{INVALID}: {error}"))?;
    let mismatch =
        |found: &str, expected: &str| format!("{INVALID}: json: cannot unmarshal {found} into Go {expected}");
    let token = match token {
        Value::Object(_) | Value::Null => token,
        other => {
            return Err(mismatch(
                other.kind().name(),
                "value of type storage.continueToken",
            ));
        }
    };
    // Go takes names in any case; the last one counts.
    let member = |key: &str| {
        let mut named = token
            .as_object()?
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(key));
        let value = named.next_back().map(|(_, value)| value);
        value.filter(|value| !value.is_null())
    };
    let text = |key: &str| match member(key) {
        None => Ok(""),
        Some(Value::Str(text)) => Ok(text),
        Some(other) => {
            let field = format!("struct field continueToken.{key} of type string");
            Err(mismatch(other.kind().name(), &field))
        }
    };
    let version = text("v")?;
    let revision = match member("rv") {
        None => 0,
        Some(Value::Int(revision)) => revision,
        Some(other) => {
            let found = match other {
                Value::Uint(_) | Value::Float(_) => format!("number {}", number(&bytes)),
                other => other.kind().name().to_owned(),
            };
            return Err(mismatch(&found, "struct field continueToken.rv of type int64"));
        }
    };
    let start = text("start")?;
    if version != VERSION {
        return Err(format!(
            "{INVALID}: server does not recognize this encoded version {version}"
        ));
    }
    if revision == 0 {
        return Err(format!(
            "{INVALID}: incorrect encoded start resourceVersion (version {VERSION})"
        ));
    }
    if start.is_empty() {
        return Err(format!("{INVALID}: encoded start key empty (version {VERSION})"));
    }
    let relative = start.strip_prefix('/').unwrap_or(start);
    if !is_clean(relative) {
        return Err(format!("{INVALID}: {start}"));
    }
    Ok(Token {
        revision: u64::try_from(revision).ok(),
        start: relative.to_owned(),
    })
}

/// The number of `rv` as it is written.
fn number(token: &[u8]) -> String {
    let text = String::from_utf8_lossy(token);
    let after = text.split_once("\"rv\"").map_or("", |(_, rest)| rest);
    let digits = after.trim_start_matches([':', ' ', '\t', '\r', '\n']);
    let is_number = |character: char| character.is_ascii_digit() || "+-.eE".contains(character);
    digits
        .chars()
        .take_while(|&character| is_number(character))
        .collect()
}

/// Whether `path.Clean` would leave the path unchanged, so that it cannot escape the prefix.
fn is_clean(path: &str) -> bool {
    path.is_empty() || path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Base64 for URLs, without padding.
fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().enumerate().fold(0_u32, |bits, (index, &byte)| {
            bits | u32::from(byte) << (16 - 8 * index)
        });
        for digit in 0..=chunk.len() {
            let value = (bits >> (18 - 6 * digit)) & 0x3f;
            text.push(char::from(ALPHABET[value as usize]));
        }
    }
    text
}

/// The bytes, or the offset of the error as Go counts it (`decodeQuantum`).
fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut digits) = (0_u32, 0);
    for (at, &byte) in text.iter().enumerate() {
        if matches!(byte, b'\r' | b'\n') {
            continue;
        }
        let value = ALPHABET.iter().position(|&digit| digit == byte).ok_or(at)?;
        bits = bits << 6 | value as u32;
        digits += 1;
        if digits == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, digits) = (0, 0);
        }
    }
    match digits {
        1 => return Err(text.len() - 1),
        2 => bytes.push((bits >> 4) as u8),
        3 => bytes.extend_from_slice(&((bits >> 2) as u16).to_be_bytes()),
        _ => {}
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_are_encoded_as_upstream() {
        let token = Token {
            revision: None,
            start: "paging-b\0".to_owned(),
        };
        let text = "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoicGFnaW5nLWJcdTAwMDAifQ";
        assert_eq!(token.encode(), text);
        assert_eq!(Token::decode(text), Ok(token));
    }

    #[test]
    fn bad_tokens_have_upstreams_errors() {
        let check = |text: &str, expected: &str| {
            let error = Token::decode(text).expect_err("the token is wrong");
            assert_eq!(
                error.message,
                format!("invalid continue token: continue key is not valid{expected}")
            );
        };
        let json = |text: &str| encode(text.as_bytes());
        check("!!!", ": illegal base64 data at input byte 0");
        check("aGVsb=", ": illegal base64 data at input byte 5");
        check(
            "aGVsbG8",
            ": invalid character 'h' looking for beginning of value",
        );
        check(
            &json(r#"{"v":"meta.k8s.io/v9"}"#),
            ": server does not recognize this encoded version meta.k8s.io/v9",
        );
        check(
            &json(r#"{"v":"meta.k8s.io/v1","start":"x"}"#),
            ": incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
        );
        check(
            &json(r#"{"v":"meta.k8s.io/v1","rv":-1}"#),
            ": encoded start key empty (version meta.k8s.io/v1)",
        );
        check(
            &json(r#"{"v":"meta.k8s.io/v1","rv":-1,"start":"../x"}"#),
            ": ../x",
        );
        check(
            &json(r#"{"rv":1.5}"#),
            ": json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64",
        );
        check(
            &json(r#"{"rv": 99999999999999999999}"#),
            ": json: cannot unmarshal number 99999999999999999999 into Go struct field continueToken.rv of type int64",
        );
        check(
            &encode(b"\xff\xfe"),
            ": invalid character 'ÿ' looking for beginning of value",
        );
        check(
            &encode(b"{\"v\":\"m\xff\"}"),
            ": server does not recognize this encoded version m\u{fffd}",
        );
        check(
            &json(r#"{"rv":"a"}"#),
            ": json: cannot unmarshal string into Go struct field continueToken.rv of type int64",
        );
    }

    proptest! {
        #[test]
        fn tokens_round_trip(revision in proptest::option::of(1..i64::MAX.cast_unsigned()), start in "[a-z./]{1,8}[a-zé\0]") {
            let token = Token { revision, start };
            prop_assume!(is_clean(&token.start));
            prop_assert_eq!(Token::decode(&token.encode()), Ok(token));
        }

        #[test]
        fn no_text_panics(text in ".{0,40}") {
            let _ = Token::decode(&text);
        }
    }
}
