//! One expression at one node: compiler errors, or a program to run.

use kindsmith_cel::check::CheckFailure;
use kindsmith_cel::eval::{PlanError, Program};
use kindsmith_cel::misspelled::misspelled;
use kindsmith_cel::types::Type;
use kindsmith_cel::validation_rule::{
    CheckedExpression, CompileFailure, OLD_SELF, Purpose, check_expression, check_text,
};
use kindsmith_source::{Diagnostic, SourceMap, Span};

use crate::finding;
use crate::misspelled::{RULE_VARIABLES, meant};
use kindsmith::cel::Subject;

/// An expression, compiled as far as possible.
#[derive(Debug)]
pub(super) struct Expression {
    /// The checked tree with its estimated cost.
    pub(super) checked: Result<CheckedExpression, CompileFailure>,
    /// The program, if the expression type-checked.
    pub(super) program: Option<Result<Program, PlanError>>,
}

impl Expression {
    pub(super) fn compile(text: &str, subject: &Subject, optional_old: bool) -> Expression {
        let checked = check_expression(text, &subject.declarations, optional_old);
        let program = checked
            .as_ref()
            .ok()
            .map(|checked| Program::new(&checked.checked, Some(&subject.declarations)));
        Expression { checked, program }
    }

    /// The program, if there is one.
    pub(super) fn program(&self) -> Option<&Program> {
        self.program.as_ref()?.as_ref().ok()
    }

    /// Whether the expression refers to `oldSelf`.
    pub(super) fn uses_old_self(&self) -> bool {
        self.checked
            .as_ref()
            .is_ok_and(|checked| checked.checked.uses(OLD_SELF))
    }

    /// Why the expression cannot be a rule or a message, in the API server's words.
    pub(super) fn failure(&self, purpose: Purpose) -> Option<CompileFailure> {
        let wanted = match purpose {
            Purpose::Rule => Type::Bool,
            Purpose::Message => Type::String,
        };
        match (&self.checked, &self.program) {
            (Err(failure), _) => Some(failure.clone()),
            (Ok(checked), _) if *checked.checked.result() != wanted => Some(CompileFailure::WrongType),
            (_, Some(Err(text))) => Some(CompileFailure::Program(text.clone())),
            _ => None,
        }
    }
}

/// The errors of an expression, each at its place in the text.
pub(super) fn diagnostics(
    text: &str,
    subject: &Subject,
    optional_old: bool,
    sources: &mut SourceMap,
) -> Vec<Diagnostic> {
    let file = sources.add("expression", text);
    let whole = Span::new(file, 0, text.len() as u32);
    match check_text(text, &subject.declarations, optional_old) {
        Err(CheckFailure::Errors(errors)) => {
            let names = misspelled(text, RULE_VARIABLES);
            let mistakes = errors.iter().map(|error| {
                let (line, column) = (error.location.line, error.location.column);
                let start = offset(text, line, column);
                let span = Span::new(file, start as u32, (start + word(&text[start..])) as u32);
                let upstream = format!("ERROR: <input>:{line}:{}: {}", column + 1, error.message);
                let found =
                    Diagnostic::error(&finding::CEL, span, readable(&error.message)).upstream(upstream);
                let unknown = error.unknown_field.as_deref();
                let name = || names.iter().find(|name| name.location == error.location);
                let field = unknown.and_then(|name| meant(name, &subject.declarations));
                match field.or_else(|| Some(name()?.meant.clone())) {
                    Some(name) => found.help(format!("did you mean `{name}`?")),
                    None => found,
                }
            });
            mistakes.collect()
        }
        Err(CheckFailure::Panic(panic)) => {
            let crash = Diagnostic::error(&finding::CEL, whole, "the API server crashes on this expression");
            vec![crash.upstream(panic)]
        }
        Ok(_) => match Expression::compile(text, subject, optional_old).program {
            Some(Err(failure)) => {
                let upstream = format!("program instantiation failed: {failure}");
                vec![Diagnostic::error(&finding::CEL, whole, failure).upstream(upstream)]
            }
            _ => Vec::new(),
        },
    }
}

/// The byte offset of a line and column; columns count characters.
fn offset(text: &str, line: i32, column: i32) -> usize {
    let before = text
        .split_inclusive('\n')
        .take(usize::try_from(line - 1).unwrap_or(0));
    let start: usize = before.map(str::len).sum();
    let column = usize::try_from(column).unwrap_or(0);
    let within = text[start..].char_indices().nth(column);
    within.map_or(text.len(), |(at, _)| start + at)
}

/// The length of the word at the start of a text, including a dot before it; at least one character.
fn word(text: &str) -> usize {
    let dot = usize::from(text.starts_with('.'));
    let rest = &text[dot..];
    let name = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    match text.chars().next() {
        Some(first) if dot + name == 0 => first.len_utf8(),
        _ => dot + name,
    }
}

/// A message with types named by their path from `self`, without the number that the API server makes up.
pub(super) fn readable(text: &str) -> String {
    text.replace("selfTypeN", "self")
}
