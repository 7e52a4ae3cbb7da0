//! Expressions of policies must compile; each may use the variables declared before it.

use kindsmith_cel::dialect::Dialect;
use kindsmith_cel::policy::{CompileError, Declared, Expression, Purpose, Scope, compile};
use kindsmith_json::Path;
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError, Release};

use crate::field::{Errors, Field};
use crate::field_check::invalid_text;

/// What the expressions of a policy may name.
pub(super) struct Expressions {
    has_params: bool,
    variables: Option<Declared>,
    dialect: Dialect,
}

impl Expressions {
    pub(super) fn new(release: Release, has_params: bool, has_variables: bool) -> Self {
        Expressions {
            dialect: Dialect::of_release(release.number()),
            has_params,
            variables: has_variables.then(Declared::default),
        }
    }

    /// Checks the expression of a variable, and declares it.
    pub(super) fn declare(&mut self, name: &str, expression: &Field<'_, '_>, errors: &mut Errors) {
        let compiled = compile(expression.text(), Purpose::Variable, &self.scope());
        if let Some(variables) = &mut self.variables {
            variables.declare(name, compiled.as_ref().ok().map(Expression::ty));
        }
        if let Err(error) = compiled {
            errors.push(refused(&expression.path, expression.text(), error));
        }
    }

    pub(super) fn check_condition(&self, expression: &Field<'_, '_>, errors: &mut Errors) {
        self.check(Purpose::Condition, expression, expression.text(), errors);
    }

    pub(super) fn check_message(&self, expression: &Field<'_, '_>, errors: &mut Errors) {
        self.check(Purpose::Message, expression, expression.text(), errors);
    }

    /// Compiled without the blanks around it, but shown with them.
    pub(super) fn check_annotation(&self, expression: &Field<'_, '_>, errors: &mut Errors) {
        if let Err(error) = compile(expression.text().trim(), Purpose::Annotation, &self.scope()) {
            errors.push(refused(&expression.path, expression.text(), error));
        }
    }

    pub(super) fn check_mutation(&self, form: &str, expression: &Field<'_, '_>, errors: &mut Errors) {
        let purpose = match form {
            "JSONPatch" => Purpose::Patch,
            _ => Purpose::Configuration,
        };
        self.check(purpose, expression, expression.text().trim(), errors);
    }

    fn check(&self, purpose: Purpose, expression: &Field<'_, '_>, text: &str, errors: &mut Errors) {
        if let Err(error) = compile(text, purpose, &self.scope()) {
            errors.push(refused(&expression.path, text, error));
        }
    }

    fn scope(&self) -> Scope<'_> {
        Scope {
            has_params: self.has_params,
            variables: self.variables.as_ref(),
            dialect: self.dialect,
        }
    }
}

/// An expression that does not compile.
pub(in crate::kind) fn refused(path: &Path<'_>, text: &str, error: CompileError) -> FieldError {
    match error {
        CompileError::Invalid(why) => invalid_text(path, text, why),
        CompileError::Internal(why) => FieldError::new(
            ErrorKind::Internal,
            path.to_owned(),
            BadValue::Omitted,
            Detail::Text(why.into()),
        ),
    }
}
