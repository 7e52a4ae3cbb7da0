//! Stored policies, compiled. An expression that does not compile is reported to the requests that match the
//! policy.

use kindsmith_cel::dialect::Dialect;
use kindsmith_cel::eval::Program;
use kindsmith_cel::policy::{Declared, Expression, Purpose, Reads, Scope, Variable, compile};
use kindsmith_json::Value;

use crate::constraints::Constraints;
use crate::match_condition::MatchCondition;
use crate::setting::{FailurePolicy, text};

/// The kind of a policy's parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamKind {
    /// Group and version: `apps/v1`.
    pub api_version: String,
    /// The kind.
    pub kind: String,
}

impl std::fmt::Display for ParamKind {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let slash = if self.api_version.contains('/') { "" } else { "/" };
        write!(out, "{slash}{}, Kind={}", self.api_version, self.kind)
    }
}

/// Shared by both kinds of policies.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) constraints: Constraints,
    pub(crate) param_kind: Option<ParamKind>,
    pub(crate) failure_policy: FailurePolicy,
    pub(crate) conditions: Vec<MatchCondition>,
    pub(crate) variables: Vec<Variable>,
    /// What the expressions read of the data of a request.
    pub(crate) reads: Reads,
}

/// An expression, or why it did not compile.
pub(crate) type Compiled = Result<Expression, String>;

/// A validating policy.
#[derive(Debug)]
pub struct ValidatingPolicy {
    pub(crate) definition: Definition,
    pub(crate) validations: Vec<Validation>,
    pub(crate) annotations: Vec<Annotation>,
}

/// One validation.
#[derive(Debug)]
pub struct Validation {
    /// The expression's source.
    pub text: String,
    pub(crate) expression: Compiled,
    pub(crate) message: String,
    pub(crate) message_expression: Option<Compiled>,
    pub(crate) reason: Option<String>,
}

/// An audit annotation.
#[derive(Debug)]
pub(crate) struct Annotation {
    pub(crate) key: String,
    pub(crate) expression: Compiled,
}

/// A mutating policy.
#[derive(Debug)]
pub struct MutatingPolicy {
    pub(crate) definition: Definition,
    pub(crate) mutations: Vec<Mutation>,
    pub(crate) is_reinvoked: bool,
}

/// One mutation.
#[derive(Debug)]
pub enum Mutation {
    /// An apply configuration.
    Configuration(Compiled),
    /// A JSON patch.
    Patch(Compiled),
}

fn reads(compiled: &Compiled) -> Reads {
    compiled.as_ref().map(Expression::reads).unwrap_or_default()
}

pub(super) fn items<'v>(value: Value<'v>, key: &str) -> &'v [Value<'v>] {
    let found = value.get(key).and_then(Value::as_array);
    found.unwrap_or_default()
}

impl Definition {
    fn read(policy: Value<'_>, dialect: Dialect) -> (Self, Declared) {
        let spec = policy.get("spec").unwrap_or_default();
        let param_kind = param_kind(spec);
        let has_params = param_kind.is_some();
        let (variables, declared) = read_variables(items(spec, "variables"), has_params, dialect);
        let scope = Scope {
            has_params,
            variables: None,
            dialect,
        };
        let conditions: Vec<MatchCondition> = items(spec, "matchConditions")
            .iter()
            .map(|&condition| MatchCondition::read(condition, &scope))
            .collect();
        let programs = variables
            .iter()
            .filter_map(|variable| variable.compiled.as_ref().ok());
        let reads = programs
            .map(Program::reads)
            .chain(conditions.iter().map(MatchCondition::reads));
        let definition = Definition {
            reads: reads.collect(),
            name: text(policy.get("metadata").unwrap_or_default(), "name"),
            constraints: Constraints::of_policy(spec.get("matchConstraints").unwrap_or_default()),
            param_kind,
            failure_policy: FailurePolicy::read(spec),
            conditions,
            variables,
        };
        (definition, declared)
    }

    /// Adds what further expressions read.
    fn add_reads<'e>(&mut self, expressions: impl Iterator<Item = &'e Compiled>) {
        self.reads = std::iter::once(self.reads)
            .chain(expressions.map(reads))
            .collect();
    }
}

/// The kind of the parameters of a policy's `spec`.
pub(super) fn param_kind(spec: Value<'_>) -> Option<ParamKind> {
    let kind = spec.get("paramKind").filter(|kind| !kind.is_null())?;
    Some(ParamKind {
        api_version: text(kind, "apiVersion"),
        kind: text(kind, "kind"),
    })
}

fn read_variables(variables: &[Value<'_>], has_params: bool, dialect: Dialect) -> (Vec<Variable>, Declared) {
    let mut declared = Declared::default();
    let mut read = Vec::new();
    for &variable in variables {
        let name = text(variable, "name");
        let scope = Scope {
            has_params,
            variables: Some(&declared),
            dialect,
        };
        let compiled = compile(&text(variable, "expression"), Purpose::Variable, &scope);
        declared.declare(&name, compiled.as_ref().ok().map(Expression::ty));
        let compiled = compiled.map(Expression::into_program);
        read.push(Variable {
            name,
            compiled: compiled.map_err(|error| error.to_string()),
        });
    }
    (read, declared)
}

impl ValidatingPolicy {
    /// Reads and compiles a policy.
    pub(crate) fn read(policy: Value<'_>, dialect: Dialect) -> Self {
        let (mut definition, declared) = Definition::read(policy, dialect);
        let spec = policy.get("spec").unwrap_or_default();
        let scope = Scope {
            has_params: definition.param_kind.is_some(),
            variables: Some(&declared),
            dialect,
        };
        let compiled =
            |text: &str, purpose| compile(text, purpose, &scope).map_err(|error| error.to_string());
        let validations = items(spec, "validations").iter().map(|&validation| {
            let (expression, message) = (
                text(validation, "expression"),
                text(validation, "messageExpression"),
            );
            Validation {
                expression: compiled(&expression, Purpose::Condition),
                message: text(validation, "message"),
                message_expression: (!message.is_empty()).then(|| compiled(&message, Purpose::Message)),
                reason: validation
                    .get("reason")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
                text: expression,
            }
        });
        let annotations = items(spec, "auditAnnotations")
            .iter()
            .map(|&annotation| Annotation {
                key: text(annotation, "key"),
                expression: compiled(&text(annotation, "valueExpression"), Purpose::Annotation),
            });
        let (validations, annotations): (Vec<Validation>, Vec<Annotation>) =
            (validations.collect(), annotations.collect());
        definition.add_reads(validations.iter().map(|validation| &validation.expression));
        definition.add_reads(
            validations
                .iter()
                .filter_map(|validation| validation.message_expression.as_ref()),
        );
        definition.add_reads(annotations.iter().map(|annotation| &annotation.expression));
        ValidatingPolicy {
            definition,
            validations,
            annotations,
        }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.definition.name
    }
}

impl MutatingPolicy {
    /// Reads and compiles a policy.
    pub(crate) fn read(policy: Value<'_>, dialect: Dialect) -> Self {
        let (mut definition, declared) = Definition::read(policy, dialect);
        let spec = policy.get("spec").unwrap_or_default();
        let scope = Scope {
            has_params: definition.param_kind.is_some(),
            variables: Some(&declared),
            dialect,
        };
        let compiled = |value: Value<'_>, key: &str, purpose| {
            let expression = text(value.get(key).unwrap_or_default(), "expression");
            compile(&expression, purpose, &scope).map_err(|error| error.to_string())
        };
        let mutations = items(spec, "mutations").iter().map(|&mutation| {
            match mutation.get("patchType").and_then(Value::as_str) {
                Some("JSONPatch") => Mutation::Patch(compiled(mutation, "jsonPatch", Purpose::Patch)),
                _ => {
                    let key = "applyConfiguration";
                    Mutation::Configuration(compiled(mutation, key, Purpose::Configuration))
                }
            }
        });
        let mutations: Vec<Mutation> = mutations.collect();
        definition.add_reads(mutations.iter().map(|mutation| match mutation {
            Mutation::Configuration(compiled) | Mutation::Patch(compiled) => compiled,
        }));
        MutatingPolicy {
            mutations,
            is_reinvoked: text(spec, "reinvocationPolicy") == "IfNeeded",
            definition,
        }
    }
}
