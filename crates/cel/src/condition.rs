//! Match conditions of admission webhooks: whether a webhook is called for a request (apiserver's
//! pkg/admission/plugin/webhook/matchconditions and pkg/admission/plugin/cel).

use std::sync::{Arc, LazyLock};

use kindsmith_json::Value as Json;

use crate::check::{CheckFailure, Env, check};
use crate::eval::value::Value;
use crate::eval::{CANCELLED, Program, Scratch};
use crate::syntax::parse;
use crate::syntax::source::Source;
use crate::types::Type;
use crate::types::decl::{ArrayShape, Declarations, Format, Node, ObjectShape, Schema, Shape};

/// The cost limit of one condition (`PerCallLimit` in apiserver's pkg/apis/cel).
const CALL_LIMIT: u64 = 1_000_000;
/// The cost limit of all conditions of a webhook (`RuntimeCELCostBudgetMatchConditions`).
pub const BUDGET: u64 = 2_500_000;

/// The variables of conditions, in the order of [`Condition::eval`].
const VARIABLES: [&str; 6] = [
    "object",
    "oldObject",
    "request",
    "namespaceObject",
    "authorizer",
    "authorizer.requestResource",
];

/// A compiled condition.
#[derive(Debug)]
pub struct Condition {
    program: Program,
}

/// The result of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It failed with this error.
    Error(String),
}

impl Condition {
    /// Compiles a condition.
    ///
    /// # Errors
    ///
    /// The compile errors, in Kubernetes' words.
    pub fn compile(text: &str) -> Result<Self, String> {
        let source = Source::new(text);
        let told = |failure| match failure {
            CheckFailure::Errors(errors) => format!("compilation failed: {}", errors.display(&source)),
            CheckFailure::Panic(text) => text,
        };
        let ast = parse(&source).map_err(|errors| told(CheckFailure::Errors(errors)))?;
        let request = &*REQUEST;
        let env = Env::new(Some(request))
            .with("object", Type::Dyn)
            .with("oldObject", Type::Dyn)
            .with("request", request.ty())
            .with("namespaceObject", Type::Dyn)
            .with("authorizer", Type::object("kubernetes.authorization.Authorizer"))
            .with(
                "authorizer.requestResource",
                Type::object("kubernetes.authorization.ResourceCheck"),
            );
        let checked = check(ast, &source, &env).map_err(told)?;
        if *checked.result() != Type::Bool {
            return Err(format!(
                "must evaluate to bool but got {}",
                checked.result().in_errors()
            ));
        }
        let program = Program::with_variables(&checked, Some(request), &VARIABLES)
            .map_err(|text| format!("instantiation failed: {text}"))?;
        Ok(Condition { program })
    }

    /// Evaluates the condition and subtracts its cost from the budget. Absent objects are passed as null.
    pub fn eval(&self, object: Json<'_>, old: Json<'_>, request: Json<'_>, budget: &mut u64) -> Answer {
        let scratch = Scratch::default();
        let limit = CALL_LIMIT.min(*budget);
        let variables = [object, old, request, Json::Null];
        let outcome = self.program.eval_dynamic(&variables, limit, &scratch);
        *budget = budget.saturating_sub(outcome.cost);
        match outcome.value {
            _ if outcome.cancelled => Answer::Error(CANCELLED.to_owned()),
            Value::Bool(true) => Answer::True,
            Value::Bool(false) => Answer::False,
            Value::Error(text) => Answer::Error(text.to_owned()),
            other => Answer::Error(format!("unexpected type {}", other.type_name())),
        }
    }
}

/// The type of `request` (`BuildRequestType` in apiserver's pkg/admission/plugin/cel/compile.go).
static REQUEST: LazyLock<Declarations> = LazyLock::new(|| {
    let text = || Schema {
        shape: Shape::String(Format::Plain),
        ..Schema::default()
    };
    let list = |items| Schema {
        shape: Shape::Array(ArrayShape {
            items: Some(Box::new(items)),
            ..ArrayShape::default()
        }),
        ..Schema::default()
    };
    let map = |values| Schema {
        shape: Shape::Object(ObjectShape {
            additional: Some(Box::new(values)),
            ..ObjectShape::default()
        }),
        ..Schema::default()
    };
    let texts = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), text())).collect();
    let kind = || object(texts(&["group", "version", "kind"]));
    let resource = || object(texts(&["group", "version", "resource"]));
    let mut user: Vec<(String, Schema)> = texts(&["username", "uid"]);
    user.push(("groups".to_owned(), list(text())));
    user.push(("extra".to_owned(), map(list(text()))));
    let mut fields: Vec<(String, Schema)> = texts(&[
        "subResource",
        "requestSubResource",
        "name",
        "namespace",
        "operation",
    ]);
    fields.extend([
        ("kind".to_owned(), kind()),
        ("resource".to_owned(), resource()),
        ("requestKind".to_owned(), kind()),
        ("requestResource".to_owned(), resource()),
        ("userInfo".to_owned(), object(user)),
        (
            "dryRun".to_owned(),
            Schema {
                shape: Shape::Boolean,
                ..Schema::default()
            },
        ),
        // A value of any type: data without a schema.
        (
            "options".to_owned(),
            Schema {
                int_or_string: true,
                ..Schema::default()
            },
        ),
    ]);
    let root = Arc::new(Node::new(&object(fields), false));
    Declarations::of(root, "kubernetes.AdmissionRequest").expect("an object with properties is visible")
});

fn object(properties: Vec<(String, Schema)>) -> Schema {
    Schema {
        shape: Shape::Object(ObjectShape {
            properties: Some(properties),
            ..ObjectShape::default()
        }),
        ..Schema::default()
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    fn check(expression: &str, expected: &Answer) {
        let arena = Arena::new();
        let json = |text| parse_str(&arena, text).expect("JSON");
        let object = json(r#"{"metadata":{"name":"a"},"data":{"k":"v"}}"#);
        let request = json(r#"{"operation":"CREATE","dryRun":true,"options":{"kind":"CreateOptions"}}"#);
        let condition = Condition::compile(expression).expect("it compiles");
        let answer = condition.eval(object, Json::Null, request, &mut BUDGET.clone());
        assert_eq!(answer, *expected, "{expression}");
    }

    #[test]
    fn conditions_see_the_objects_and_the_request() {
        check("object.metadata.name == 'a' && oldObject == null", &Answer::True);
        check("request.operation == 'UPDATE'", &Answer::False);
        check(
            "has(request.options) && request.options.kind == 'CreateOptions'",
            &Answer::True,
        );
        check(
            "object.data.none == 'x'",
            &Answer::Error("no such key: none".to_owned()),
        );
        check(
            "oldObject.metadata.name == 'a'",
            &Answer::Error("no such key: metadata".to_owned()),
        );
    }

    #[test]
    fn conditions_must_be_bool() {
        for (expression, expected) in [
            ("1", "must evaluate to bool but got int"),
            ("object", "must evaluate to bool but got dyn"),
        ] {
            assert_eq!(
                Condition::compile(expression).err().as_deref(),
                Some(expected),
                "{expression}"
            );
        }
    }
}
