//! Turns panics into errors: a bug of ours ends the command with a report, not a stack trace. Must not know which
//! command ran.

use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex};

use crate::Outcome;
use crate::error::Error;

/// Runs `command`; a panic in it, or on a thread that it waits for, is a bug of ours.
pub(crate) fn caught(command: impl FnOnce() -> Result<Outcome, Error>) -> Result<Outcome, Error> {
    contained(command).unwrap_or_else(|text| Err(Error::bug(text)))
}

/// Runs some work that others do not depend on.
///
/// # Errors
///
/// If it panics: what was wrong, and where.
pub(crate) fn contained<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let place = Arc::new(Mutex::new(None));
    let noted = Arc::clone(&place);
    let previous = take_hook();
    set_hook(Box::new(move |info| {
        // The first panic is the cause; later ones are its consequences.
        if let Ok(mut place) = noted.lock() {
            place.get_or_insert_with(|| describe(info));
        }
    }));
    // State that the work touched is not used after a panic.
    let result = catch_unwind(AssertUnwindSafe(work));
    set_hook(previous);
    result.map_err(|_| {
        let place = place.lock().ok().and_then(|mut place| place.take());
        place.unwrap_or_else(|| "internal error".to_owned())
    })
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let message = info.payload_as_str().unwrap_or("no message");
    match info.location() {
        Some(location) => format!(
            "internal error: {message} ({}:{})",
            location.file(),
            location.line()
        ),
        None => format!("internal error: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn a_panic_is_a_bug_with_its_place() {
        let error = caught(|| panic!("index {} is gone", 3)).expect_err("it panicked");
        assert_eq!(error.kind(), Kind::Bug);
        let text = error.to_string();
        let (message, help) = text.split_once('\n').expect("a message and a hint");
        let place = message.strip_prefix("internal error: index 3 is gone (crates/cli/src/crash.rs:");
        assert!(place.is_some(), "{message}");
        assert!(help.contains("/issues"), "{help}");
        // Results pass through as they are.
        assert_eq!(caught(|| Ok(Outcome::Findings)), Ok(Outcome::Findings));
    }
}
