//! Mutations: apply configurations and JSON patches that expressions make (apiserver's
//! pkg/admission/plugin/policy/mutating/patch).

use kindsmith_cel::policy::{Activation, BUDGET, Operation, Scratch, Unusable, configuration, operations};
use kindsmith_json::{Entry, Object, Value};
use kindsmith_merge::Foreign;
use kindsmith_merge::patch::{JsonPatch, JsonPatchFailure};
use kindsmith_request::Status;

use super::Cluster;
use super::definition::{Compiled, Mutation};
use crate::Gvk;

/// Why a mutation failed.
pub(super) enum Failure {
    /// The policy's failure policy applies.
    Policy(String),
    /// The request is rejected whatever the failure policy.
    Request(Status),
}

impl From<Unusable> for Failure {
    fn from(why: Unusable) -> Self {
        Failure::Policy(why.to_string())
    }
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Failure::Policy(why)
    }
}

/// The object after a mutation.
pub(super) fn mutated<'a: 's, 's>(
    mutation: &'s Mutation,
    activation: &'s Activation<'s>,
    scratch: &'s Scratch,
    (object, kind): (Value<'a>, &Gvk),
    cluster: &dyn Cluster<'a>,
) -> Result<Value<'a>, Failure> {
    match mutation {
        Mutation::Configuration(compiled) => {
            let value = evaluated(compiled, activation)?;
            let merged = apply(scratch, value, (object, kind), cluster)?;
            let decoded = cluster.decode_merged(merged, kind)?;
            Ok(decoded.object)
        }
        Mutation::Patch(compiled) => {
            let value = evaluated(compiled, activation)?;
            let operations = operations(scratch, value)?;
            let Some(patched) = patch(&operations, object, cluster)? else {
                return Ok(object);
            };
            if let Some(why) = cluster.immutable(kind) {
                return Err(Failure::Policy(why));
            }
            let decoded = cluster.decode_strictly(patched, kind);
            Ok(decoded.map_err(Failure::Request)?.object)
        }
    }
}

fn evaluated<'s>(
    compiled: &'s Compiled,
    activation: &'s Activation<'s>,
) -> Result<kindsmith_cel::eval::value::Value<'s>, String> {
    let expression = compiled.as_ref().map_err(Clone::clone)?;
    expression
        .eval(activation, &mut BUDGET.clone())
        .map_err(|out| out.to_string())?
}

/// Applies an apply configuration to an object.
fn apply<'a: 's, 's>(
    scratch: &'s Scratch,
    value: kindsmith_cel::eval::value::Value<'s>,
    (object, kind): (Value<'a>, &Gvk),
    cluster: &dyn Cluster<'a>,
) -> Result<Value<'a>, String> {
    let arena = cluster.arena();
    let configuration = configuration(scratch, value).map_err(|why| why.to_string())?;
    let mut patch: Value<'s> = configuration.object;
    for key in ["apiVersion", "kind"] {
        patch.set(arena, &[key], object.get(key).unwrap_or_default());
    }
    let foreign: Vec<Foreign<'_>> = configuration
        .foreign
        .iter()
        .map(|foreign| Foreign {
            stand_in: foreign.stand_in,
            go_type: foreign.go_type,
            plain: &foreign.plain,
            syntax: &foreign.syntax,
        })
        .collect();
    let untyped = |why: &dyn std::fmt::Display| {
        format!("error applying patch: failed to convert patch object to typed object: {why}")
    };
    let mut merged = Err(String::new());
    cluster.with_topology(kind, &mut |topology| {
        merged = match topology {
            None => Err(untyped(&format!("no corresponding type for {}", kind.text()))),
            Some(topology) => match topology.validate_made(patch, &foreign) {
                Err(errors) => Err(untyped(&errors)),
                Ok(()) => match topology.atomics(patch) {
                    atomics if atomics.is_empty() => {
                        Ok(topology.merge(arena, object, patch.copy_in(arena)))
                    }
                    mut atomics => {
                        atomics.sort_unstable();
                        Err(format!(
                            "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {}",
                            atomics.join(", ")
                        ))
                    }
                },
            },
        };
    });
    merged
}

/// Applies a JSON patch to an object; `None` if a `test` operation failed and the object stays as it is.
fn patch<'a>(
    operations: &[Operation<'_>],
    object: Value<'a>,
    cluster: &dyn Cluster<'a>,
) -> Result<Option<Value<'a>>, String> {
    let arena = cluster.arena();
    let text = kindsmith_json::to_string(document(operations, &kindsmith_json::Arena::new()));
    let patch = JsonPatch::decode(arena, arena.alloc_str(&text).as_bytes())?;
    match patch.apply_or_tell(arena, object) {
        Ok(patched) => Ok(Some(patched)),
        Err(JsonPatchFailure::Test(_)) => Ok(None),
        Err(why) => Err(format!("JSON Patch: {why}")),
    }
}

fn document<'p>(operations: &[Operation<'p>], arena: &'p kindsmith_json::Arena) -> Value<'p> {
    let documents: Vec<Value<'p>> = operations
        .iter()
        .map(|operation| {
            let members = [
                Some(("op", Value::Str(operation.op))),
                Some(("path", Value::Str(operation.path))),
                (!operation.from.is_empty()).then_some(("from", Value::Str(operation.from))),
                operation.value.map(|value| ("value", value)),
            ];
            let members: Vec<Entry<'p>> = members
                .into_iter()
                .flatten()
                .map(|(key, value)| Entry { key, value })
                .collect();
            Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&members)))
        })
        .collect();
    Value::Array(arena.alloc_slice_copy(&documents))
}
