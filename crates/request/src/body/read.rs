//! Parses bodies.

use kindsmith_json::read::{Options, ReadErrorKind};
use kindsmith_json::{Arena, Value, read, yaml};

use super::Unreadable;
use super::type_meta::interpret;
use crate::{Warning, WarningReason};

/// Reads YAML, and reports what strict decoding rejects.
pub(crate) fn read_yaml<'a>(
    arena: &'a Arena,
    bytes: &'a [u8],
) -> Result<(Value<'a>, Vec<Warning>), Unreadable> {
    let read = yaml::read(arena, bytes, Options::default())
        .map_err(|error| Unreadable::unrecognized(error.to_string()))?;
    let strict = read.strict_error().into_iter().map(|message| Warning {
        reason: WarningReason::YamlErrors,
        ..Warning::from(message)
    });
    let strict = strict.collect();
    Ok((read.value, strict))
}

/// Reads JSON, with its duplicate keys; `expected` is the kind and version of a body that omits them.
pub(crate) fn read_json<'a>(
    arena: &'a Arena,
    bytes: &'a [u8],
    expected: (&str, &str),
) -> Result<(Value<'a>, Vec<read::Duplicate>), Unreadable> {
    let error = match read::read(arena, bytes, Options::default()) {
        Ok(read) => return Ok((read.value, read.duplicates)),
        Err(error) => error,
    };
    if error.kind != ReadErrorKind::NumberOutOfRange {
        let message = format!("couldn't get version/kind; json parse error: {error}");
        return Err(Unreadable::unrecognized(message));
    }
    // The server reads kind and version first, skipping numbers without parsing them.
    let (kind, version) = type_despite_number(bytes, error.offset, 0)?;
    let kind = if kind.is_empty() { expected.0 } else { &kind };
    let version = if version.is_empty() { expected.1 } else { &version };
    Err(Unreadable::recognized(error.to_string(), kind, version))
}

/// How many numbers out of range are skipped.
const STEPS: usize = 16;

/// Kind and version of a text with a number out of range at `offset`.
fn type_despite_number(bytes: &[u8], offset: usize, step: usize) -> Result<(String, String), Unreadable> {
    let mut harmless = bytes.to_vec();
    let number = harmless[offset..]
        .iter_mut()
        .take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
    for (position, byte) in number.enumerate() {
        *byte = if position == 1 { b'.' } else { b'1' };
    }
    let arena = Arena::new();
    match read::read(&arena, &harmless, Options::default()) {
        Ok(read) => {
            let found = interpret(read.value)?;
            Ok((found.kind.to_owned(), found.version.to_owned()))
        }
        Err(error) if error.kind == ReadErrorKind::NumberOutOfRange && step < STEPS => {
            type_despite_number(&harmless, error.offset, step + 1)
        }
        Err(error) => Err(Unreadable::unrecognized(format!(
            "couldn't get version/kind; json parse error: {error}"
        ))),
    }
}
