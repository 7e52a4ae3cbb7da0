//! Reviews writes of built-in kinds, as the API server handles them.

use std::sync::Arc;

use kindsmith_admission::Alone;
use kindsmith_builtin::{Kind, own_kinds};
use kindsmith_crd::{Body, FieldValidation, Media, Operation, Origin, Write as Request};
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value, to_string};
use kindsmith_object::meta::Scope;
use kindsmith_object::{GroupVersion, Release};

use crate::custom_resource::STATE;
use crate::go_types::unknown_fields;
use crate::misfit;
use crate::review::{Action, ArenaReview, Defaulted, TraceStep};
use crate::system_fields::{STAMP, with_system_fields, without_system_fields};
use crate::write::Write;

/// The built-in kind of an object.
pub(crate) fn find(release: Release, api_version: &str, kind: &str) -> Option<&'static Arc<Kind>> {
    let GroupVersion { group, version } = GroupVersion::parse(api_version).ok()?;
    own_kinds(release).iter().find(|known| {
        let names = &known.names;
        *names.kind == *kind && *names.group == *group && *names.version == *version
    })
}

/// All built-in kinds, as `apiVersion` and `kind`.
pub(crate) fn all(release: Release) -> impl Iterator<Item = (String, &'static str)> {
    own_kinds(release).iter().map(|known| {
        let names = &known.names;
        let version = GroupVersion {
            group: &*names.group,
            version: &*names.version,
        };
        (version.to_string(), &*names.kind)
    })
}

/// Reviews a write of an object of a built-in kind.
pub(crate) fn review<'a>(kind: &'a Kind, arena: &'a Arena, write: &Write<'a>) -> ArenaReview<'a> {
    let mut review = ArenaReview::default();
    let old = write.updated().map(|old| as_stored(kind, arena, old));
    let sent = match old {
        Some(old) => with_system_fields(arena, write.object, old),
        None => write.object,
    };
    let text = arena.alloc_str(&to_string(sent));
    let origin = match old {
        Some(_) => Origin::Patch {
            object: sent,
            text,
            strict: &[],
        },
        None => Origin::Body(Body {
            bytes: text.as_bytes(),
            media: Media::Json,
        }),
    };
    let outcome = kind.write(arena, &request(kind, write, old), origin, &mut Alone::new(arena));
    review.warnings = outcome.warnings;
    match outcome.result {
        Ok(written) => {
            let object = without_system_fields(arena, written.object, write.object);
            note_defaults(&mut review, write, object);
            review.object = Some(object);
        }
        Err(status) => match status.details {
            Some(details) if !details.errors.is_empty() => review.reject_fields(details.errors),
            _ => {
                if review.warnings.is_empty() {
                    review.warnings = unknown_fields(&kind.plan().unknown_fields(write.object));
                }
                let (misfits, rest) = misfit::apart(kind.plan(), arena, write.object);
                review.reject_misfits(&misfits, status.message);
                if let Some(object) = rest.filter(|_| !misfits.is_empty()) {
                    let rest = self::review(kind, arena, &Write { object, ..*write });
                    review.later.extend(misfit::besides(&misfits, rest.errors));
                }
            }
        },
    }
    review
}

fn request<'a>(kind: &Kind, write: &Write<'a>, old: Option<Value<'a>>) -> Request<'a> {
    let metadata = |member: &str| write.object.lookup(&["metadata", member]).and_then(Value::as_str);
    let version: &'a str = {
        let given = write.object.get("apiVersion").and_then(Value::as_str);
        given.and_then(|given| given.rsplit('/').next()).unwrap_or("v1")
    };
    Request {
        version,
        operation: match (old, write.subresource) {
            (None, _) => Operation::Create,
            (old, "") => Operation::Update { old },
            (old, "status") => Operation::UpdateStatus { old },
            (old, subresource) => Operation::UpdateSubresource { subresource, old },
        },
        namespace: match kind.scope {
            Scope::Namespaced => metadata("namespace")
                .filter(|name| !name.is_empty())
                .unwrap_or("default"),
            Scope::Cluster => "",
        },
        name: match old {
            Some(_) => metadata("name").unwrap_or_default(),
            None => "",
        },
        field_validation: FieldValidation::Warn,
        is_dry_run: false,
        stamp: STAMP,
    }
}

/// An old manifest as it would be stored: with its defaults, because an update fills them in too.
fn as_stored<'a>(kind: &'a Kind, arena: &'a Arena, old: Value<'a>) -> Value<'a> {
    let text = arena.alloc_str(&to_string(old));
    let body = Body {
        bytes: text.as_bytes(),
        media: Media::Json,
    };
    let create = request(kind, &Write::create(old), None);
    let outcome = kind.write(arena, &create, Origin::Body(body), &mut Alone::new(arena));
    // An old object that the server would reject today is compared as it stands.
    let mut stored = outcome.result.map_or(old, |written| written.object);
    stored.set(arena, &["metadata", "resourceVersion"], STATE.into());
    if let Some(status) = old.get("status") {
        stored.set(arena, &["status"], status);
    }
    stored
}

/// Records what the server added to an object; what it keeps in the status and the metadata is its own.
fn note_defaults<'a>(review: &mut ArenaReview<'a>, write: &Write<'a>, object: Value<'a>) {
    let mut added = Vec::new();
    for entry in object.as_object().into_iter().flat_map(|object| object.entries()) {
        if !matches!(entry.key, "status" | "metadata") {
            let path = vec![Step::Field(entry.key.into())];
            collect_added(write.object.get(entry.key), entry.value, path, &mut added);
        }
    }
    for (path, value) in added {
        if write.is_traced {
            review.trace.push(TraceStep {
                path: path.clone(),
                action: Action::Defaulted(value.clone()),
                source: None,
            });
        }
        review.defaulted.push(Defaulted { path, value });
    }
}

fn collect_added(
    sent: Option<Value<'_>>,
    stored: Value<'_>,
    path: Vec<Step>,
    added: &mut Vec<(PathBuf, String)>,
) {
    let below = |step: Step| path.iter().cloned().chain([step]).collect::<Vec<_>>();
    match (sent, stored) {
        (None | Some(Value::Null), stored) => added.push((path.into_iter().collect(), to_string(stored))),
        (Some(sent), Value::Object(object)) => {
            for entry in object.entries() {
                let path = below(Step::Field(entry.key.into()));
                collect_added(sent.get(entry.key), entry.value, path, added);
            }
        }
        (Some(Value::Array(sent)), Value::Array(items)) => {
            for (index, (sent, item)) in sent.iter().zip(items).enumerate() {
                collect_added(Some(*sent), *item, below(Step::Index(index)), added);
            }
        }
        _ => {}
    }
}
