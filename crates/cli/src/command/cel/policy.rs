//! Expressions of admission policies: `object`, `oldObject`, `request`, `params`, `namespaceObject` and `variables`.

use std::path::PathBuf;

use kindsmith::cel::dialect;
use kindsmith_cel::policy::{
    Activation, BUDGET, Declared, Expression, Given, Purpose, Scope, Scratch, Variable, compile,
};
use kindsmith_json::{Arena, Value, to_string_pretty};
use kindsmith_object::{GroupVersion, Release};

use super::form::{self, Members};
use super::read;
use crate::Outcome;
use crate::error::Error;
use crate::output::TextOrJson;

/// What a policy knows beside the objects.
#[derive(Debug, Default, clap::Args)]
pub(super) struct PolicyArgs {
    /// Evaluate as in an admission policy: with `object`, `oldObject`, `request`, `params`, `namespaceObject` and `variables`
    #[arg(long, conflicts_with_all = ["schema", "paths", "kind", "path", "optional_old_self", "batch"], requires = "expression")]
    pub(super) policy: bool,
    /// With --policy: a file with the object that is `params`
    #[arg(long, value_name = "FILE", requires = "policy")]
    params: Option<PathBuf>,
    /// With --policy: a file with members of `request`; kind, name, namespace and operation follow from the objects
    #[arg(long, value_name = "FILE", requires = "policy")]
    request: Option<PathBuf>,
    /// With --policy: a file with the object that is `namespaceObject`
    #[arg(long, value_name = "FILE", requires = "policy")]
    namespace: Option<PathBuf>,
    /// With --policy: a variable of the policy; may be given more than once, and later ones may use earlier ones
    #[arg(long = "variable", value_name = "NAME=EXPR", requires = "policy", value_parser = variable)]
    variables: Vec<(String, String)>,
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, expression)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), expression.to_owned()))
        }
        _ => Err("expected NAME=EXPR".to_owned()),
    }
}

/// A policy's expression, compiled with its variables.
pub(super) struct Trial<'a> {
    expression: Expression,
    variables: Vec<Variable>,
    request: Value<'a>,
    params: Value<'a>,
    namespace: Value<'a>,
}

impl PolicyArgs {
    /// Compiles an expression; the errors of it and of its variables are text.
    pub(super) fn trial<'a>(
        &self,
        text: &str,
        release: Release,
        arena: &'a Arena,
    ) -> Result<Result<Trial<'a>, String>, Error> {
        let file = |path: &Option<PathBuf>| match path {
            Some(path) => read(path, arena),
            None => Ok(Value::Null),
        };
        let (request, params, namespace) =
            (file(&self.request)?, file(&self.params)?, file(&self.namespace)?);
        Ok(self.compiled(text, release).map(|(expression, variables)| Trial {
            expression,
            variables,
            request,
            params,
            namespace,
        }))
    }

    fn compiled(&self, text: &str, release: Release) -> Result<(Expression, Vec<Variable>), String> {
        let (mut compiled, mut declared) = (Vec::new(), Declared::default());
        let compile_in = |text: &str, declared: &Declared| {
            let scope = Scope {
                has_params: true,
                variables: Some(declared),
                dialect: dialect(release),
            };
            compile(text, Purpose::Variable, &scope)
        };
        for (name, text) in &self.variables {
            let expression =
                compile_in(text, &declared).map_err(|error| format!("variable {name}: {error}"))?;
            declared.declare(name, Some(expression.ty()));
            compiled.push(Variable {
                name: name.clone(),
                compiled: Ok(expression.into_program()),
            });
        }
        let expression = compile_in(text, &declared).map_err(|error| error.to_string())?;
        Ok((expression, compiled))
    }
}

impl Trial<'_> {
    /// The value, type and cost for an object and its old state; null is a missing one.
    pub(super) fn answer(&self, new: Value<'_>, old: Value<'_>, format: TextOrJson) -> (String, Outcome) {
        let arena = Arena::new();
        let given = Given {
            object: new,
            old,
            request: request(&arena, self.request, new, old),
            namespace: self.namespace,
            params: self.params,
        };
        let scratch = Scratch::new();
        let activation = Activation::new(&scratch, &given, &self.variables);
        let mut budget = BUDGET;
        let value = match self.expression.eval(&activation, &mut budget) {
            Ok(value) => value,
            Err(error) => Err(error.to_string()),
        };
        let cost = BUDGET - budget;
        let outcome = if value.is_ok() {
            Outcome::Clean
        } else {
            Outcome::Findings
        };
        let text = match format {
            TextOrJson::Text => {
                let value = value.map_or_else(
                    |error| format!("error: {error}"),
                    |value| form::text(value, &scratch),
                );
                format!(
                    "{value}\ntype            {}\nrun-time cost   {cost}\n",
                    self.expression.ty()
                )
            }
            TextOrJson::Json => {
                let mut out = Members::new(&arena);
                out.text("expression", self.expression.text());
                out.text("type", &self.expression.ty().to_string());
                match value {
                    Ok(value) => out.put("value", form::json(&arena, value, &scratch)),
                    Err(error) => out.text("error", &error),
                }
                out.number("runtimeCost", cost);
                to_string_pretty(out.finish()) + "\n"
            }
        };
        (text, outcome)
    }
}

/// The request that such objects would come with, with the members that were given.
fn request<'a>(arena: &'a Arena, given: Value<'a>, new: Value<'a>, old: Value<'a>) -> Value<'a> {
    let object = if new.is_null() { old } else { new };
    let text = |path: &[&str]| object.lookup(path).and_then(Value::as_str).unwrap_or_default();
    let operation = match (new.is_null(), old.is_null()) {
        (_, true) => "CREATE",
        (false, false) => "UPDATE",
        (true, false) => "DELETE",
    };
    let GroupVersion { group, version } = GroupVersion::parse(text(&["apiVersion"])).unwrap_or_default();
    let mut kind = Members::new(arena);
    kind.text("group", group);
    kind.text("version", version);
    kind.text("kind", text(&["kind"]));
    let kind = kind.finish();
    let mut out = Members::new(arena);
    out.put("kind", kind);
    out.put("requestKind", kind);
    out.text("operation", operation);
    out.text("name", text(&["metadata", "name"]));
    out.text("namespace", text(&["metadata", "namespace"]));
    out.put("dryRun", Value::Bool(false));
    let mut request = out.finish();
    for (key, value) in given.as_object().into_iter().flatten() {
        request.set(arena, &[key], value);
    }
    request
}
