//! The metadata of objects of any kind, as the server validates it.

use kindsmith_crd::identity;
use kindsmith_json::{Arena, Object, Path, Value};
use kindsmith_object::FieldError;
use kindsmith_object::meta::{self, Malformed, NameRule, ObjectMeta, Scope, UnknownFields};

use crate::system_fields::{STAMP, with_system_fields};

/// What is wrong with the metadata of a new object, or of one that replaces `old`. Without a namespace it is for `default`; what only
/// servers set may be left out.
pub(crate) fn errors<'a>(
    arena: &'a Arena,
    scope: Scope,
    new: Value<'a>,
    old: Option<Value<'a>>,
) -> Vec<FieldError> {
    let new = old.map_or(new, |old| with_system_fields(arena, new, old));
    // What does not fit its type was told when the object was decoded.
    let Some(mut new) = decoded(arena, scope, new) else {
        return Vec::new();
    };
    let (path, mut errors) = (Path::root("metadata"), Vec::new());
    match old.and_then(|old| decoded(arena, scope, old)) {
        None => {
            identity::fill(arena, &mut new, &STAMP);
            meta::validate_create(&new, scope, NameRule::Subdomain, &path, &mut errors);
        }
        Some(old) => {
            if new.resource_version.is_empty() {
                new.resource_version = "1";
            }
            meta::validate_update(&new, &old, &path, &mut errors);
        }
    }
    errors
}

fn decoded<'a>(arena: &'a Arena, scope: Scope, object: Value<'a>) -> Option<ObjectMeta<'a>> {
    let metadata = object.get("metadata").unwrap_or(Value::Object(Object::EMPTY));
    let decoded = meta::decode(arena, metadata, Malformed::Refuse, UnknownFields::Ignore);
    let mut meta = decoded.ok()?.meta;
    match scope {
        Scope::Namespaced if meta.namespace.is_empty() => meta.namespace = "default",
        Scope::Namespaced => {}
        // Servers remove it.
        Scope::Cluster => meta.namespace = "",
    }
    Some(meta)
}
