//! Checks expressions of policies against the schemas of the kinds they are about (`TypeChecker` in apiserver's
//! pkg/admission/plugin/policy/validating/typechecking.go). Objects and parameters have types here, where expressions in
//! force see data without any.

use std::fmt;

use crate::check::{CheckFailure, Env, check};
use crate::dialect::Dialect;
use crate::syntax::parse_in;
use crate::syntax::source::Source;
use crate::types::Type;
use crate::types::decl::Declarations;

use super::scope::{Declared, RECORDS};

/// The types of what a policy is given.
#[derive(Debug, Clone, Default)]
pub struct Types {
    /// Those of `object` and `oldObject`; data without a type if expressions cannot see any of it.
    pub object: Option<Declarations>,
    /// Whether there are `params`.
    pub has_params: bool,
    /// Those of `params`.
    pub params: Option<Declarations>,
    /// The dialect of the expressions.
    pub dialect: Dialect,
}

impl Types {
    /// Neither the purpose of an expression nor `authorizer.requestResource` matters to the reference.
    fn env<'s>(&'s self, Declared(variables): &'s Declared) -> Env<'s> {
        let ty = |declarations: Option<&Declarations>| declarations.map_or(Type::Dyn, Declarations::ty);
        let [request, namespace, ..] = &*RECORDS;
        let mut env = Env::new(self.object.as_ref())
            .in_dialect(self.dialect)
            .with("object", ty(self.object.as_ref()))
            .with("oldObject", ty(self.object.as_ref()))
            .with("request", request.ty())
            .with("namespaceObject", namespace.ty())
            .with("authorizer", Type::object("kubernetes.authorization.Authorizer"))
            .with("variables", variables.ty())
            .with_record(variables);
        for record in &*RECORDS {
            env = env.with_record(record);
        }
        if self.has_params {
            env = env.with("params", ty(self.params.as_ref()));
        }
        match &self.params {
            Some(params) => env.with_declarations(params),
            None => env,
        }
    }
}

/// Why an expression has no type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeCheckError {
    /// It is wrong; all errors, each with its place in the expression.
    Wrong(String),
    /// The reference crashes on it, with this text.
    Crash(String),
}

impl fmt::Display for TypeCheckError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeCheckError::Wrong(text) | TypeCheckError::Crash(text) => out.write_str(text),
        }
    }
}

impl std::error::Error for TypeCheckError {}

/// The type of an expression.
///
/// # Errors
///
/// What is wrong with it, in the words of the reference.
pub fn type_check(text: &str, types: &Types, variables: &Declared) -> Result<Type, TypeCheckError> {
    let source = Source::new(text);
    let told = |failure| match failure {
        CheckFailure::Errors(errors) => TypeCheckError::Wrong(errors.display(&source)),
        CheckFailure::Panic(text) => TypeCheckError::Crash(text),
    };
    let ast = parse_in(&source, types.dialect).map_err(|errors| told(CheckFailure::Errors(errors)))?;
    let checked = check(ast, &source, &types.env(variables)).map_err(told)?;
    Ok(checked.result().clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::decl::{ObjectShape, Schema, Shape};

    fn types() -> Types {
        let of = |shape| Schema {
            shape,
            ..Schema::default()
        };
        let object = |fields: Vec<(&str, Schema)>| {
            of(Shape::Object(ObjectShape {
                properties: Some(
                    fields
                        .into_iter()
                        .map(|(name, schema)| (name.to_owned(), schema))
                        .collect(),
                ),
                ..ObjectShape::default()
            }))
        };
        let spec = object(vec![("size", of(Shape::Integer))]);
        let gate = object(vec![("spec", spec)]);
        let limit = object(vec![("most", of(Shape::Integer))]);
        Types {
            object: Declarations::new(&gate, false, "Gate"),
            has_params: true,
            params: Declarations::new(&limit, false, "Limit"),
            ..Types::default()
        }
    }

    fn check(text: &str, expected: &str) {
        let mut variables = Declared::default();
        variables.declare("size", Some(&Type::Int));
        let found = type_check(text, &types(), &variables);
        match expected {
            "" => assert!(found.is_ok(), "{text}: {found:?}"),
            expected => {
                let found = found.err().map(|error| error.to_string()).unwrap_or_default();
                assert!(found.contains(expected), "{text}: {found}");
            }
        }
    }

    #[test]
    fn objects_and_parameters_have_types() {
        check("object.spec.size <= params.most", "");
        check("object.spec.siz > 1", "undefined field 'siz'");
        check(
            "oldObject.spec.size > '1'",
            "found no matching overload for '_>_' applied to '(int, string)'",
        );
        check("params.least > 1", "undefined field 'least'");
        check(
            "variables.size > 1 && authorizer.path('/a').check('get').allowed()",
            "",
        );
        check("variables.size > 'a'", "found no matching overload");
        check("object.spec.size ==", "Syntax error");
    }
}
