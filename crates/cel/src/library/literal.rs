//! Whether literal arguments of conversions and patterns are well-formed, for the validators.

use kindsmith_gostd::duration::Duration;
use kindsmith_gostd::regexp::Regexp;
use kindsmith_gostd::time::{Layout, Time};

use crate::eval::time::{MAX_SECONDS, MIN_SECONDS};
use crate::syntax::ast::Literal;

/// Whether `duration(literal)` evaluates.
pub(crate) fn is_duration(literal: &Literal) -> bool {
    match literal {
        Literal::String(text) => Duration::parse(text).is_ok(),
        _ => false,
    }
}

/// Whether `timestamp(literal)` evaluates.
pub fn is_timestamp(literal: &Literal) -> bool {
    let seconds = match literal {
        Literal::String(text) => match Time::parse(Layout::Rfc3339, text) {
            Ok(time) => time.unix_seconds(),
            Err(_) => return false,
        },
        Literal::Int(seconds) => *seconds,
        _ => return false,
    };
    (MIN_SECONDS..=MAX_SECONDS).contains(&seconds)
}

/// Whether a literal compiles as a pattern.
pub(crate) fn is_regex(literal: &Literal) -> bool {
    match literal {
        Literal::String(text) => Regexp::new(text).is_ok(),
        _ => true,
    }
}
