//! Objects of CRDs, step by step.

use kindsmith_crd::{Resource, Version};
use kindsmith_engine::Operation;
use kindsmith_json::{Arena, Value};
use kindsmith_object::Event;
use kindsmith_structural::{StructuralChange, StructuralSchema};

use super::Evaluated;
use super::request::{Kind, Request, Steps};
use crate::customs::{self, Asked, Customs};

/// Takes an object through the steps asked for.
///
/// An object without `metadata` is held against the schema alone, so that callers can ask about a schema without
/// making up names.
pub(super) fn evaluate<'a>(
    customs: &'a mut Customs,
    arena: &'a Arena,
    kind: &Kind<'_>,
    request: &Request<'a>,
) -> Result<Evaluated<'a>, String> {
    let known = customs.resource(&kind.api_version, kind.kind);
    let (resource, version) =
        known.ok_or_else(|| format!("no CRD defines {} of {}", kind.kind, kind.api_version))?;
    let name = arena.alloc_str(&version);
    let version = resource.version(name).ok_or("the version is gone")?;
    let structure = version
        .structure()
        .ok_or("the schema of the version is missing or not structural")?;
    let mut evaluated = pass(structure, arena, request);
    if !request.steps.contains(Steps::VALIDATE) {
        return Ok(evaluated);
    }
    let is_whole = request.steps.contains(Steps::PRUNE) && request.steps.contains(Steps::DEFAULT);
    if is_whole && request.object.get("metadata").is_some() {
        validate_write(resource, name, arena, kind, request, &mut evaluated)?;
    } else {
        validate_schema(structure, version, arena, request, &mut evaluated);
    }
    Ok(evaluated)
}

fn pass<'a>(structure: &'a StructuralSchema, arena: &'a Arena, request: &Request<'a>) -> Evaluated<'a> {
    let mut evaluated = Evaluated {
        object: request.object,
        warnings: Vec::new(),
        pruned: Vec::new(),
        defaulted: Vec::new(),
        errors: Vec::new(),
    };
    if request.steps.contains(Steps::PRUNE) {
        evaluated.object = structure.clean(arena, evaluated.object, true, &mut |event: Event<'_>| {
            if let Event::Pruned { path } = event {
                evaluated.pruned.push(path.to_string());
            }
        });
    }
    if request.steps.contains(Steps::DEFAULT) {
        evaluated.object = structure.default_traced(arena, evaluated.object, &mut |event: Event<'_>| {
            if let Event::Defaulted { path, .. } = event {
                evaluated.defaulted.push(path.to_string());
            }
        });
    }
    evaluated
}

/// The whole write, metadata included.
fn validate_write<'a>(
    resource: &'a Resource,
    version: &'a str,
    arena: &'a Arena,
    kind: &Kind<'_>,
    request: &Request<'a>,
    evaluated: &mut Evaluated<'a>,
) -> Result<(), String> {
    let named = |object: Value<'a>| {
        let mut object = object;
        for (key, text) in [("apiVersion", &*kind.api_version), ("kind", kind.kind)] {
            if object.get(key).is_none() {
                object.set(arena, &[key], Value::Str(arena.alloc_str(text)));
            }
        }
        object
    };
    let asked = Asked {
        object: named(request.object),
        old: request
            .old
            .filter(|_| request.operation == Operation::Update)
            .map(named),
        subresource: request.subresources.first().copied().unwrap_or_default(),
    };
    let judged = customs::judge(resource, version, arena, &asked);
    if let Some(refused) = judged.faults.iter().find(|fault| fault.error.is_none()) {
        return Err(refused.text.clone());
    }
    let warnings = judged.warnings.into_iter().map(|warning| warning.text);
    evaluated.warnings.extend(warnings);
    evaluated
        .errors
        .extend(judged.faults.into_iter().filter_map(|fault| fault.error));
    if let Some(object) = judged.object {
        evaluated.object = object;
    }
    Ok(())
}

fn validate_schema<'a>(
    structure: &'a StructuralSchema,
    version: &'a Version,
    arena: &'a Arena,
    request: &Request<'a>,
    evaluated: &mut Evaluated<'a>,
) {
    let old = request.old.filter(|_| request.operation == Operation::Update);
    let old = old.map(|old| {
        let before = Request {
            object: old,
            ..request.clone()
        };
        pass(structure, arena, &before).object
    });
    let change = match (old, request.subresources.first()) {
        (Some(old), Some(&"status")) => StructuralChange::status(evaluated.object, old),
        (Some(old), _) => StructuralChange::update(evaluated.object, old),
        (None, _) => StructuralChange::create(evaluated.object),
    };
    let verdict = structure.validate(&StructuralChange {
        scale: version.scale.as_ref(),
        ..change
    });
    evaluated.errors = verdict.errors;
    evaluated.warnings = verdict.warnings;
}
