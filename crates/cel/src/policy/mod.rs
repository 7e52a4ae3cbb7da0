//! Expressions of admission: those of policies, and conditions of webhooks (apiserver's pkg/admission/plugin/cel).
//!
//! [`compile`] checks an expression for its [`Purpose`] in a [`Scope`]; [`Expression::eval`] runs it with an
//! [`Activation`] within a budget. Knows no request: objects are data.

mod configuration;
mod json;
mod scope;
mod type_check;
mod unusable;
mod walk;

use crate::check::{CheckFailure, check};
use crate::cost::limit::{self, PER_CALL};
use crate::eval::Program;
use crate::eval::value::Value;
use crate::syntax::parse_in;
use crate::syntax::source::Source;
use crate::types::{Type, patch_types};

pub use crate::eval::{Activation, Given, Reads, Scratch, Variable};
pub use configuration::{Configuration, Foreign, configuration};
pub use json::{Operation, operations};
pub use scope::{Declared, Scope};
pub use type_check::{TypeCheckError, Types, type_check};
pub use unusable::{Misnamed, NoJson, Unusable};

/// The most that all conditions of a webhook or policy may cost (`RuntimeCELCostBudgetMatchConditions`).
pub const CONDITIONS_BUDGET: u64 = 2_500_000;
/// The most that expressions of a policy may cost (`RuntimeCELCostBudget`).
pub const BUDGET: u64 = limit::PER_OBJECT as u64;

/// What an expression is for, which decides its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A condition or validation: a truth.
    Condition,
    /// The message of a validation: a text.
    Message,
    /// The value of an audit annotation: a text or null.
    Annotation,
    /// A variable: anything.
    Variable,
    /// An apply configuration: an `Object`.
    Configuration,
    /// A JSON patch: a list of `JSONPatch`.
    Patch,
}

impl Purpose {
    fn types(self) -> Vec<Type> {
        match self {
            Purpose::Condition => vec![Type::Bool],
            Purpose::Message => vec![Type::String],
            Purpose::Annotation => vec![Type::String, Type::Null],
            Purpose::Variable => Vec::new(),
            Purpose::Configuration => vec![Type::object(patch_types::OBJECT)],
            Purpose::Patch => vec![Type::list(Type::object(patch_types::JSON_PATCH))],
        }
    }
}

/// Why an expression did not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompileError {
    /// It is wrong.
    Invalid(String),
    /// It is right, but cannot be made into a program.
    Internal(String),
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (CompileError::Invalid(text) | CompileError::Internal(text)) = self;
        out.write_str(text)
    }
}

/// A compiled expression.
#[derive(Debug)]
pub struct Expression {
    text: String,
    program: Program,
    ty: Type,
}

/// Compiles an expression.
///
/// # Errors
///
/// What is wrong with it, in the words of the reference.
pub fn compile(text: &str, purpose: Purpose, scope: &Scope<'_>) -> Result<Expression, CompileError> {
    let source = Source::new(text);
    let told = |failure| match failure {
        CheckFailure::Errors(errors) => {
            CompileError::Invalid(format!("compilation failed: {}", errors.display(&source)))
        }
        CheckFailure::Panic(text) => CompileError::Internal(text),
    };
    let ast = parse_in(&source, scope.dialect).map_err(|errors| told(CheckFailure::Errors(errors)))?;
    let checked = check(ast, &source, &scope.env(purpose)).map_err(told)?;
    let (ty, wanted) = (checked.result(), purpose.types());
    if !wanted.is_empty() && !wanted.iter().any(|wanted| ty.is_exact(wanted)) {
        let texts: Vec<String> = wanted.iter().map(Type::to_string).collect();
        let wanted = match &texts[..] {
            [only] => only.clone(),
            texts => format!("one of [{}]", texts.join(" ")),
        };
        return Err(CompileError::Invalid(format!(
            "must evaluate to {wanted} but got {ty}"
        )));
    }
    let program = Program::of_policy(&checked)
        .map_err(|text| CompileError::Internal(format!("program instantiation failed: {text}")))?;
    Ok(Expression {
        text: text.to_owned(),
        ty: ty.clone(),
        program,
    })
}

/// The expressions of a set together cost too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfBudget;

impl std::fmt::Display for OutOfBudget {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(
            "validation failed due to running out of cost budget, no further validation rules will be run",
        )
    }
}

impl Expression {
    /// The type of its value.
    #[must_use]
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it reads, apart from its variables.
    #[must_use]
    pub fn reads(&self) -> Reads {
        self.program.reads()
    }

    /// The program, for a variable.
    #[must_use]
    pub fn into_program(self) -> Program {
        self.program
    }

    /// Evaluates the expression within a budget, which it and the variables it reads lessen.
    ///
    /// # Errors
    ///
    /// If the budget does not suffice. That the expression fails is part of the result.
    pub fn eval<'a>(
        &'a self,
        activation: &'a Activation<'a>,
        budget: &mut u64,
    ) -> Result<Result<Value<'a>, String>, OutOfBudget> {
        let outcome = self.program.eval_in(activation, PER_CALL);
        for cost in [activation.take_spent(), outcome.cost] {
            *budget = budget.checked_sub(cost).ok_or(OutOfBudget)?;
        }
        Ok(match outcome.value {
            Value::Error(why) => Err(format!("expression '{}' resulted in error: {why}", self.text)),
            value => Ok(value),
        })
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;
    use crate::access::{Authorizer, Decision, Question, Resource};

    /// Allows to get what is asked about.
    struct Reader;

    impl Authorizer for Reader {
        fn authorize(&self, _: &Question, verb: &str) -> Decision {
            Decision {
                is_allowed: verb == "get",
                ..Decision::default()
            }
        }
    }

    fn declared(variables: &[(&str, &str)]) -> (Vec<Variable>, Declared) {
        let (mut compiled, mut declared) = (Vec::new(), Declared::default());
        for (name, text) in variables {
            let scope = Scope {
                has_params: true,
                variables: Some(&declared),
                ..Scope::default()
            };
            let expression = compile(text, Purpose::Variable, &scope).expect("it compiles");
            declared.declare(name, Some(expression.ty()));
            compiled.push(Variable {
                name: (*name).to_owned(),
                compiled: Ok(expression.into_program()),
            });
        }
        (compiled, declared)
    }

    const VARIABLES: [(&str, &str); 3] = [
        ("name", "object.metadata.name"),
        ("loud", "string(variables.name) + '!'"),
        ("gone", "object.data.none"),
    ];

    fn check(text: &str, expected: Result<bool, &str>) {
        let (variables, declared) = declared(&VARIABLES);
        let scope = Scope {
            has_params: true,
            variables: Some(&declared),
            ..Scope::default()
        };
        let expression = compile(text, Purpose::Condition, &scope).expect("it compiles");
        let arena = Arena::new();
        let json = |text| parse_str(&arena, text).expect("JSON");
        let given = Given {
            object: json(r#"{"metadata":{"name":"a"},"spec":{"x-y":1}}"#),
            request: json(r#"{"operation":"CREATE","dryRun":true}"#),
            params: json(r#"{"most":3}"#),
            ..Given::default()
        };
        let scratch = Scratch::new();
        let activation =
            Activation::new(&scratch, &given, &variables).with_authorizer(&Reader, &Resource::default);
        let result = expression.eval(&activation, &mut BUDGET.clone());
        let result = result.expect("it is cheap");
        match expected {
            Ok(truth) => assert!(
                matches!(result, Ok(Value::Bool(value)) if value == truth),
                "{text} {result:?}"
            ),
            Err(why) => {
                let expected = format!("expression '{text}' resulted in error: {why}");
                assert_eq!(result.err(), Some(expected));
            }
        }
    }

    #[test]
    fn expressions_see_data_variables_and_the_authorizer() {
        check("object.spec['x-y'] == 1 && oldObject == null", Ok(true));
        check("request.operation == 'UPDATE'", Ok(false));
        check("params.most == 3 && variables.loud == 'a!'", Ok(true));
        check("has(oldObject.spec)", Ok(false));
        check("oldObject.spec == 1", Err("no such key: spec"));
        check(
            "variables.gone == 1",
            Err("composited variable \"gone\" fails to evaluate: no such key: data"),
        );
        check("authorizer.requestResource.check('get').allowed()", Ok(true));
        check(
            "authorizer.group('').resource('pods').check('list').allowed()",
            Ok(false),
        );
        check(
            "authorizer.path('').check('get').allowed()",
            Err("path must not be empty"),
        );
    }

    fn refuse(text: &str, purpose: Purpose, expected: &str) {
        let error = compile(text, purpose, &Scope::default()).err();
        let error = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(expected), "{text}: {error}");
    }

    #[test]
    fn the_purpose_decides_type_and_names() {
        use Purpose::{Annotation, Condition, Configuration, Message, Patch};
        refuse("1", Condition, "must evaluate to bool but got int");
        refuse("object", Condition, "must evaluate to bool but got dyn");
        refuse(
            "object",
            Annotation,
            "must evaluate to one of [string null_type] but got dyn",
        );
        refuse(
            "string(authorizer)",
            Message,
            "undeclared reference to 'authorizer'",
        );
        refuse("params.x == 1", Condition, "undeclared reference to 'params'");
        refuse(
            "Object{} == Object{}",
            Condition,
            "undeclared reference to 'Object'",
        );
        refuse(
            "{'a': 'b'}",
            Configuration,
            "must evaluate to Object but got map(string, string)",
        );
        refuse("[]", Patch, "must evaluate to list(JSONPatch) but got list(dyn)");
        refuse("request.nope == 1", Condition, "undefined field 'nope'");
        refuse("namespaceObject.kind == 'a'", Condition, "undefined field 'kind'");
    }

    #[test]
    fn a_budget_can_run_out() {
        let expression = compile("[1, 2, 3].all(x, x > 0)", Purpose::Condition, &Scope::default());
        let expression = expression.expect("it compiles");
        let scratch = Scratch::new();
        let activation = Activation::new(&scratch, &Given::default(), &[]);
        assert_eq!(expression.eval(&activation, &mut 3).err(), Some(OutOfBudget));
    }
}
