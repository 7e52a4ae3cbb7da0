//! Writes of CRDs: the steps of [`write_decoded`](kindsmith_request::write_decoded) for them.
//!
//! Validation is in [`crate::definition`].

mod decode;

pub use decode::strict_warning;

use std::rc::Rc;

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::{self, Malformed, ObjectMeta, Scope, UnknownFields};
use kindsmith_openapi::crd::{self, Definition, InternalDefinition, SchemaValues};
use kindsmith_request::{
    Admission, DecodedObject, Encoded, Mutated, Operation, Origin, Outcome, Status, Target, Undecoded,
    Validation, Warning, Write, WriteContext, WriteSteps, write_object,
};
use kindsmith_schema::Json;

use crate::definition::{self, DefinitionValidation, GROUP, Gates, Known};

const KIND: &str = "CustomResourceDefinition";
const RESOURCE: &str = "customresourcedefinitions";

/// The resource `customresourcedefinitions`.
#[derive(Debug, Clone, Copy, Default)]
pub struct CrdResource {
    /// The feature gates of the server.
    pub gates: Gates,
}

impl CrdResource {
    /// Writes a CRD: a body, or the result of a patch or an apply.
    pub fn write<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: impl Into<Origin<'a>>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        write_object(self, arena, write, origin.into(), admission)
    }

    /// Results for the schemas of a CRD that was just read.
    fn nothing_known(&self) -> Rc<Known> {
        Rc::new(Known::new(self.gates))
    }
}

/// A decoded CRD with its Go-typed form.
type DecodedCrd<'a> = DecodedObject<'a, Typed<'a>>;

/// The Go-typed form of a CRD.
#[derive(Clone)]
pub struct Typed<'a> {
    internal: InternalDefinition,
    /// What validation found out about the schemas, for later steps.
    known: Rc<Known>,
    /// The schemas of the object, for the object that is stored.
    schemas: SchemaValues<'a>,
}

impl Typed<'_> {
    fn new(definition: &Definition) -> Self {
        Typed {
            internal: definition.to_internal(),
            known: Rc::default(),
            schemas: SchemaValues::default(),
        }
    }
}

/// A CRD with its decoded metadata.
fn decoded<'a>(arena: &'a Arena, definition: &Definition, meta: ObjectMeta<'a>) -> DecodedCrd<'a> {
    let mut extra = Typed::new(definition);
    let object = definition.copy_with(&mut extra.schemas, arena);
    DecodedObject {
        object: object.as_object().unwrap_or_default(),
        meta,
        extra,
    }
}

/// Reads a stored CRD in v1.
fn read<'a>(arena: &'a Arena, object: Value<'a>) -> Result<(Definition, ObjectMeta<'a>), Undecoded> {
    let read = crd::read(object, crd::Source::Unknown);
    let definition = read
        .map_err(|error| Undecoded::because(error.to_string()))?
        .definition;
    let metadata = object.get("metadata").unwrap_or_default();
    let decoded = meta::decode(arena, metadata, Malformed::Drop, UnknownFields::Ignore)
        .map_err(|error| Undecoded::because(error.to_string()))?;
    Ok((definition, decoded.meta))
}

impl<'a> WriteSteps<'a> for CrdResource {
    type Extra = Typed<'a>;

    fn target(&self) -> Target<'_> {
        Target {
            group: GROUP,
            resource: RESOURCE,
            kind: KIND,
            scope: Scope::Cluster,
        }
    }

    fn check_served(&self, write: &Write<'_>) -> Result<(), Status> {
        match write.operation.subresource() {
            "" | "status" => Ok(()),
            _ => Err(WriteSteps::target(self).not_found(write)),
        }
    }

    fn decode(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: Origin<'a>,
        warnings: &mut Vec<Warning>,
    ) -> Result<DecodedCrd<'a>, Status> {
        let mut decoded = match origin {
            Origin::Body(body) => decode::body(arena, write, body, warnings),
            Origin::Patch { object, text, .. } => decode::patched(arena, write, object, Some(text), warnings),
            Origin::Apply { object } => decode::patched(arena, write, object, None, warnings),
        }?;
        decoded.extra.known = self.nothing_known();
        Ok(decoded)
    }

    fn take_stored(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<DecodedCrd<'a>, Status> {
        let (definition, meta) = read(arena, object).map_err(Undecoded::into_status)?;
        Ok(DecodedObject {
            object: object.as_object().unwrap_or_default(),
            meta,
            extra: Typed::new(&definition),
        })
    }

    fn take_mutated(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<DecodedCrd<'a>, Status> {
        let (mut definition, meta) = read(arena, object).map_err(Undecoded::into_status)?;
        definition.default_fields();
        let mut decoded = decoded(arena, &definition, meta);
        decoded.extra.known = self.nothing_known();
        Ok(decoded)
    }

    fn decode_mutated(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<Mutated<'a>, Undecoded> {
        let (mut definition, meta) = read(arena, object)?;
        definition.default_fields();
        let object = decoded(arena, &definition, meta).value();
        Ok(Mutated {
            decoded: object,
            object,
        })
    }

    fn prepare(
        &self,
        context: &WriteContext<'_, 'a>,
        object: &mut DecodedCrd<'a>,
        old: Option<&DecodedCrd<'a>>,
    ) {
        let internal = &mut object.extra.internal;
        let encoded = |meta: ObjectMeta<'a>| Json::exact(Value::Object(meta.encode_built_in(context.arena)));
        let Some(old) = old.map(|old| &old.extra.internal) else {
            object.meta.generation = definition::FIRST_GENERATION;
            // CRDs have no namespace, and one that is sent is ignored.
            internal.metadata = encoded(ObjectMeta {
                namespace: "",
                ..object.meta
            });
            return definition::begin_status(internal);
        };
        internal.metadata = encoded(object.meta);
        match context.write.operation {
            Operation::UpdateStatus { .. } => definition::prepare_status(internal, old),
            _ => definition::prepare_update(internal, old),
        }
        object.meta.generation = definition::generation(&internal.metadata);
    }

    fn validate(
        &self,
        context: &WriteContext<'_, 'a>,
        object: &DecodedCrd<'a>,
        old: Option<&DecodedCrd<'a>>,
    ) -> Result<Validation, Status> {
        let (internal, known) = (&object.extra.internal, &*object.extra.known);
        let DefinitionValidation {
            mut errors,
            warnings,
            crash,
        } = match (old.map(|old| &old.extra.internal), context.write.operation) {
            (None, _) => definition::validate_create(internal, self.gates, known),
            (Some(old), Operation::UpdateStatus { .. }) => definition::validate_status(internal, old),
            (Some(old), _) => definition::validate_update(internal, old, self.gates, known),
        };
        meta::as_in(self.gates.release, &mut errors);
        match crash {
            Some(crash) => Err(Status::unforeseen(crash)),
            None => Ok(Validation { errors, warnings }),
        }
    }

    /// Reading a stored CRD sets defaults, so the response contains them.
    fn canonicalize(&self, context: &WriteContext<'_, 'a>, object: &mut DecodedCrd<'a>) {
        let Typed {
            internal,
            known,
            schemas,
        } = &mut object.extra;
        if !matches!(context.write.operation, Operation::UpdateStatus { .. }) {
            definition::keep_defaults(internal, self.gates, known);
        }
        let mut definition = internal.to_v1();
        definition.default_fields();
        let stored = definition.copy_with(schemas, context.arena);
        object.object = stored.as_object().unwrap_or(object.object);
    }

    fn encode(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        object: &DecodedCrd<'a>,
    ) -> Result<Encoded<'a>, Status> {
        let _ = write;
        let mut stored = object.value();
        stored.unset(arena, &["metadata", "resourceVersion"]);
        Ok(Encoded {
            stored,
            object: object.value(),
            unreadable: None,
        })
    }
}
