//! Syntax errors in the words of the reference parser.

use super::error::Errors;
use super::lexer::LexError;
use super::source::Source;
use super::token::Token;

/// The errors of input that does not parse.
pub(super) fn errors(source: &Source, _tokens: &[Token], lex_errors: &[LexError]) -> Errors {
    let mut errors = Errors::default();
    for error in lex_errors {
        errors.report(
            source.location(error.start),
            format!("Syntax error: {}", error.message),
        );
    }
    if errors.is_empty() {
        errors.report(source.location(0), "Syntax error");
    }
    errors
}
