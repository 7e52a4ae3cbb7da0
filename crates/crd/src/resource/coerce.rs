//! Coercion of every object that is decoded, from a request or from storage, or converted
//! (`unstructuredSchemaCoercer.apply` in apiextensions-apiserver's pkg/apiserver/customresource_handler.go).

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Object, Path, Value};
use kindsmith_object::meta::{self, KeyOrder, Malformed, ObjectMeta, UnknownFields};
use kindsmith_object::{GroupVersion, NoTrace};
use kindsmith_request::DecodedObject;
use kindsmith_structural::{Coercion, KnownValid, PrunedPaths, StructuralSchema};

use super::Resource;

/// Why an object is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// From a request: malformed metadata is rejected.
    Request {
        /// Whether unknown fields are reported.
        lists_unknown: bool,
    },
    /// From storage: malformed metadata is dropped, a missing generation set.
    Storage,
    /// After a conversion: malformed metadata is rejected.
    Conversion,
    /// After mutating admission: malformed metadata is left to validation.
    Mutation,
}

/// A decoded custom resource.
pub(super) type Custom<'a> = DecodedObject<'a, Extra<'a>>;

/// What decoding found out about a custom resource.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extra<'a> {
    /// The parts that are valid. They may have been replaced since.
    pub(super) valid: Option<KnownValid<'a>>,
    /// Whether mutating admission may have added fields outside the schema.
    pub(super) is_unpruned: bool,
    /// The metadata as admission left it, if it is malformed. The decoded one lacks what is.
    pub(super) malformed: Option<Object<'a>>,
}

impl Resource {
    /// Takes an object whose metadata is already decoded.
    pub(super) fn take<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Result<Custom<'a>, String> {
        let object = object.as_object().unwrap_or_default();
        decode_metadata(arena, object, Reason::Conversion).map(|(custom, _)| custom)
    }

    /// Decodes metadata, prunes unknown fields, removes nulls and coerces embedded resources.
    ///
    /// Returns the object and the paths of unknown fields.
    pub(super) fn apply<'a>(
        &'a self,
        arena: &'a Arena,
        object: Object<'a>,
        reason: Reason,
    ) -> Result<(Custom<'a>, Vec<PathBuf>), String> {
        let kind = type_field(object, "kind")?;
        let api_version = type_field(object, "apiVersion")?;
        let (mut custom, mut unknown) = decode_metadata(arena, object, reason)?;
        let GroupVersion { group, version } =
            GroupVersion::parse(api_version).map_err(|error| error.to_string())?;
        // Objects of other kinds come through here too, such as `DeleteOptions`.
        if !self.is_kind(group, kind) {
            return Ok((custom, unknown));
        }
        let structure = self.version(version).and_then(super::Version::normalizer);
        if !self.preserve_unknown_fields {
            unknown.extend(clean(arena, &mut custom, structure, reason));
        }
        if let Some(structure) = structure {
            unknown.extend(coerce(arena, &mut custom, structure, reason)?);
        }
        if reason == Reason::Storage && custom.meta.generation == 0 {
            custom.meta.generation = 1;
            custom.write_back(arena, KeyOrder::Sorted);
        }
        Ok((custom, unknown))
    }

    /// Sets the defaults of the object's own version.
    pub(super) fn default_object<'a>(&'a self, arena: &'a Arena, custom: &mut Custom<'a>) {
        let GroupVersion { group, version } = custom.group_version();
        if !self.is_kind(group, custom.kind()) {
            return;
        }
        if let Some(structure) = self.version(version).and_then(super::Version::normalizer) {
            let defaulted = structure.default(arena, Value::Object(custom.object));
            custom.object = defaulted.as_object().unwrap_or(custom.object);
        }
    }
}

/// `kind` and `apiVersion` may be absent but must be strings (`unstructured.NestedString`). When the kind of a body is
/// read, all other types except null have been rejected.
fn type_field<'a>(object: Object<'a>, key: &str) -> Result<&'a str, String> {
    match object.get(key) {
        None => Ok(""),
        Some(Value::Str(text)) => Ok(text),
        Some(_) => Err(format!(
            ".{key} accessor error: <nil> is of the type <nil>, expected string"
        )),
    }
}

pub(super) fn decode_metadata<'a>(
    arena: &'a Arena,
    object: Object<'a>,
    reason: Reason,
) -> Result<(Custom<'a>, Vec<PathBuf>), String> {
    let Some(value) = object.get("metadata") else {
        let custom = DecodedObject {
            object,
            meta: ObjectMeta::default(),
            extra: Extra::default(),
        };
        return Ok((custom, Vec::new()));
    };
    let is_malformed = |object: &Object<'a>| meta::restore_error(*object).is_some();
    let extra = Extra {
        valid: None,
        is_unpruned: false,
        malformed: match reason {
            Reason::Mutation => value.as_object().filter(is_malformed),
            _ => None,
        },
    };
    let malformed = match reason {
        Reason::Mutation if extra.malformed.is_some() => Malformed::Drop,
        Reason::Storage => Malformed::Drop,
        _ => Malformed::Refuse,
    };
    let listing = match reason {
        Reason::Request { lists_unknown: true } => UnknownFields::List,
        _ => UnknownFields::Ignore,
    };
    let decoded = meta::decode(arena, value, malformed, listing).map_err(|error| error.to_string())?;
    let mut object = object;
    let is_same = value
        .as_object()
        .is_some_and(|before| std::ptr::eq(before.entries(), decoded.object.entries()));
    if !is_same {
        object.insert(arena, "metadata", Value::Object(decoded.object));
    }
    let below = |path: PathBuf| [Step::Field("metadata".into())].into_iter().chain(path).collect();
    Ok((
        DecodedObject {
            object,
            meta: decoded.meta,
            extra,
        },
        decoded.unknown.into_iter().map(below).collect(),
    ))
}

fn clean<'a>(
    arena: &'a Arena,
    custom: &mut Custom<'a>,
    structure: Option<&'a StructuralSchema>,
    reason: Reason,
) -> Vec<PathBuf> {
    let before = Value::Object(custom.object);
    let lists_unknown = matches!(reason, Reason::Request { lists_unknown: true });
    let mut unknown = PrunedPaths::default();
    let after = match structure {
        None => {
            let (kept, dropped) = keep_only_meta(arena, custom.object);
            custom.object = kept;
            return if lists_unknown { dropped } else { Vec::new() };
        }
        Some(structure) if lists_unknown => structure.clean(arena, before, true, &mut unknown),
        Some(structure) => structure.clean(arena, before, true, &mut NoTrace),
    };
    custom.object = after.as_object().unwrap_or(custom.object);
    unknown.finish()
}

/// Without a schema, only the type and the metadata are kept.
fn keep_only_meta<'a>(arena: &'a Arena, object: Object<'a>) -> (Object<'a>, Vec<PathBuf>) {
    let mut edit = object.edit(arena);
    let mut dropped = Vec::new();
    edit.retain(|key, _| {
        let keep = matches!(key, "apiVersion" | "kind" | "metadata");
        if !keep {
            dropped.push(Path::root(key).to_owned());
        }
        keep
    });
    dropped.sort_unstable();
    (edit.finish(), dropped)
}

fn coerce<'a>(
    arena: &'a Arena,
    custom: &mut Custom<'a>,
    structure: &'a StructuralSchema,
    reason: Reason,
) -> Result<Vec<PathBuf>, String> {
    let malformed = match reason {
        Reason::Storage => Malformed::Drop,
        _ => Malformed::Refuse,
    };
    let mut unknown = Vec::new();
    let how = Coercion {
        resource: false,
        malformed,
        unknown: matches!(reason, Reason::Request { lists_unknown: true }).then_some(&mut unknown),
    };
    let coerced = structure
        .coerce(arena, Value::Object(custom.object), &Path::NIL, how)
        .map_err(|error| error.to_string())?;
    custom.object = coerced.as_object().unwrap_or(custom.object);
    Ok(unknown)
}
