//! Reviews writes of custom resources, as the API server handles them.

use kindsmith_crd::{
    Body, FieldValidation, Media, NoAdmission, Operation, Origin, Resource, Version, Write as Request,
};
use kindsmith_json::{Arena, Value, to_string};
use kindsmith_object::Event;
use kindsmith_object::meta::Scope;
use kindsmith_structural::{ScalePaths, StructuralChange, StructuralSchema};

use crate::misfit;
use crate::review::{ArenaReview, Rejection, Warning};
use crate::system_fields::{STAMP, with_system_fields, without_system_fields};
use crate::write::{Steps, Write};

/// The resource version of the old object: updates must name one, but manifests do not.
pub(crate) const STATE: &str = "1";

/// Reviews a write of an object of a CRD's version.
pub(crate) fn review<'a>(
    resource: &'a Resource,
    version: &'a str,
    arena: &'a Arena,
    write: &Write<'a>,
) -> ArenaReview<'a> {
    if !write.is_schema_only && write.steps == Steps::ALL {
        return review_request(resource, version, arena, write);
    }
    let mut review = ArenaReview::default();
    match resource
        .version(version)
        .and_then(|version| Some((version, version.structure()?)))
    {
        Some((version, schema)) => review_schema(schema, version.scale.as_ref(), arena, write, &mut review),
        None => review.reject("the schema of the version is missing or not structural".to_owned()),
    }
    review
}

/// Reviews the whole write, including metadata.
fn review_request<'a>(
    resource: &'a Resource,
    version: &'a str,
    arena: &'a Arena,
    write: &Write<'a>,
) -> ArenaReview<'a> {
    let mut review = ArenaReview::default();
    if let Some(schema) = resource.version(version).and_then(Version::structure) {
        schema.settle(arena, write.object, true, &mut |event: Event<'_>| {
            review.note(&event, write.is_traced);
        });
    }
    let old = match write
        .updated()
        .map(|old| as_stored(resource, version, arena, old))
    {
        Some(Err(text)) => {
            review.reject(format!("the old object cannot be read: {text}"));
            return review;
        }
        Some(Ok(old)) => Some(old),
        None => None,
    };
    let request = request(resource, version, write, old);
    let outcome = match old {
        None => {
            let body = Body {
                bytes: arena.alloc_str(&to_string(write.object)).as_bytes(),
                media: Media::Json,
            };
            resource.write(arena, &request, Origin::Body(body), &mut NoAdmission)
        }
        Some(old) => {
            let patched = with_system_fields(arena, write.object, old);
            let text = arena.alloc_str(&to_string(patched));
            let origin = Origin::Patch {
                object: patched,
                text,
                strict: &[],
            };
            resource.write(arena, &request, origin, &mut NoAdmission)
        }
    };
    review.warnings = outcome.warnings;
    let deprecation = resource
        .version(version)
        .and_then(|version| version.deprecation_warning.as_deref());
    review.warnings.extend(deprecation.map(Warning::deprecation));
    match outcome.result {
        Ok(written) => review.object = Some(without_system_fields(arena, written.object, write.object)),
        Err(status) => match status.details {
            Some(details) if !details.errors.is_empty() => review.reject_fields(details.errors),
            _ => {
                review.reject_misfits(&misfit::in_metadata(arena, write.object), status.message);
                review
                    .later
                    .extend(refused_by_schema(resource, version, arena, write));
            }
        },
    }
    review
}

/// What the schema says about an object whose metadata cannot be read.
fn refused_by_schema<'a>(
    resource: &'a Resource,
    version: &'a str,
    arena: &'a Arena,
    write: &Write<'a>,
) -> Vec<Rejection> {
    let mut review = ArenaReview::default();
    let version = resource.version(version);
    if let Some((version, schema)) = version.and_then(|version| Some((version, version.structure()?))) {
        review_schema(schema, version.scale.as_ref(), arena, write, &mut review);
    }
    review.errors
}

fn request<'a>(
    resource: &Resource,
    version: &'a str,
    write: &Write<'a>,
    old: Option<Value<'a>>,
) -> Request<'a> {
    let metadata = |member: &str| write.object.lookup(&["metadata", member]).and_then(Value::as_str);
    Request {
        version,
        operation: match (old, write.subresource) {
            (None, _) => Operation::Create,
            (old, "status") => Operation::UpdateStatus { old },
            (old, _) => Operation::Update { old },
        },
        namespace: namespace(resource, metadata("namespace")),
        name: match old {
            Some(_) => metadata("name").unwrap_or_default(),
            None => "",
        },
        field_validation: FieldValidation::Warn,
        is_dry_run: false,
        stamp: STAMP,
    }
}

/// Reviews against the schema alone, step by step.
pub(crate) fn review_schema<'a>(
    schema: &'a StructuralSchema,
    scale: Option<&ScalePaths>,
    arena: &'a Arena,
    write: &Write<'a>,
    review: &mut ArenaReview<'a>,
) {
    let object = passes(schema, arena, write.object, write.steps, &mut |event| {
        review.note(event, write.is_traced);
    });
    review.object = Some(object);
    if !write.steps.contains(Steps::VALIDATE) {
        return;
    }
    let old = write
        .updated()
        .map(|old| passes(schema, arena, old, write.steps, &mut |_| ()));
    let change = match (old, write.subresource) {
        (Some(old), "status") => StructuralChange::status(object, old),
        (Some(old), _) => StructuralChange::update(object, old),
        (None, _) => StructuralChange::create(object),
    };
    let validation = schema.validate(&StructuralChange { scale, ..change });
    review.reject_fields(validation.errors);
}

fn passes<'a>(
    schema: &'a StructuralSchema,
    arena: &'a Arena,
    object: Value<'a>,
    steps: Steps,
    note: &mut dyn FnMut(&Event<'_>),
) -> Value<'a> {
    let mut object = object;
    if steps.contains(Steps::PRUNE) {
        object = schema.clean(arena, object, true, &mut |event: Event<'_>| note(&event));
    }
    if steps.contains(Steps::DEFAULT) {
        object = schema.default_traced(arena, object, &mut |event: Event<'_>| note(&event));
    }
    object
}

fn namespace<'a>(resource: &Resource, given: Option<&'a str>) -> &'a str {
    match resource.scope {
        Scope::Namespaced => given.filter(|name| !name.is_empty()).unwrap_or("default"),
        Scope::Cluster => "",
    }
}

/// An old manifest as it would be stored.
fn as_stored<'a>(
    resource: &'a Resource,
    version: &str,
    arena: &'a Arena,
    old: Value<'a>,
) -> Result<Value<'a>, String> {
    let mut old = old;
    old.set(arena, &["metadata", "resourceVersion"], STATE.into());
    let given = old.lookup(&["metadata", "namespace"]).and_then(Value::as_str);
    let namespace = namespace(resource, given);
    if !namespace.is_empty() {
        old.set(arena, &["metadata", "namespace"], namespace.into());
    }
    resource
        .read(arena, old, version)
        .map_err(|error| error.to_string())
}
