//! The error body of the API: `Status`, with the server's texts.
//!
//! Must not know what causes errors.

use std::borrow::Cow;

use kindsmith_json::{Arena, Path, Value, object_of_present};
use kindsmith_object::FieldError;

use crate::aggregate::aggregate;

/// Why a request failed (`metav1.Status`).
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    /// The HTTP status.
    pub code: u16,
    /// The machine-readable reason; empty for unexpected errors.
    pub reason: Cow<'static, str>,
    /// The text for people.
    pub message: String,
    /// Details, if the server gives them.
    pub details: Option<Box<Details>>,
}

/// Details of a failure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Details {
    /// The name of the object.
    pub name: String,
    /// The group of the kind or resource.
    pub group: String,
    /// The kind, or the resource if the server names that.
    pub kind: String,
    /// The uid of the object.
    pub uid: String,
    /// The individual errors.
    pub causes: Vec<Cause>,
    /// After how many seconds to try again; 0 means do not.
    pub retry_after_seconds: u32,
    /// The metadata of a list. It appears beside the details.
    pub list: ListMeta,
    /// The validation errors behind the causes, with their paths; not part of the body.
    pub errors: Vec<FieldError>,
}

/// What a `Status` says about a list: the rest of one that has expired, or what a webhook gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListMeta {
    /// The path of the list, which Kubernetes no longer sets.
    pub self_link: String,
    /// The version of the list.
    pub resource_version: String,
    /// The token to continue with.
    pub resume: String,
    /// How many items are left.
    pub remaining_item_count: Option<i64>,
}

impl ListMeta {
    fn to_value<'a>(&'a self, arena: &'a Arena) -> Value<'a> {
        object_of_present(
            arena,
            &[
                ("selfLink", text(&self.self_link)),
                ("resourceVersion", text(&self.resource_version)),
                ("continue", text(&self.resume)),
                ("remainingItemCount", self.remaining_item_count.map(Value::Int)),
            ],
        )
    }
}

/// One error of a failure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cause {
    /// The machine-readable reason: `FieldValueInvalid`.
    pub reason: Cow<'static, str>,
    /// The text without the field.
    pub message: String,
    /// The field.
    pub field: String,
}

/// How many errors of an object are reported: a body of empty items would have an answer that is many times as long.
const MOST_ERRORS: usize = 10_000;

impl Status {
    /// 400: the request is malformed (`errors.NewBadRequest`).
    #[must_use]
    pub fn bad_request(message: impl Into<String>) -> Self {
        Status {
            code: 400,
            reason: "BadRequest".into(),
            message: message.into(),
            details: None,
        }
    }

    /// 400: an object of another namespace than that of the path.
    #[must_use]
    pub fn other_namespace() -> Self {
        Self::bad_request(
            "the namespace of the provided object does not match the namespace sent on the request",
        )
    }

    /// 422: the object is invalid (`errors.NewInvalid`).
    #[must_use]
    pub fn invalid(group: &str, kind: &str, name: &str, errors: &[FieldError]) -> Self {
        let errors = &errors[..errors.len().min(MOST_ERRORS)];
        let causes = errors.iter().map(|error| Cause {
            reason: error.kind.name().into(),
            message: error.body().to_string(),
            field: error.path.to_string(),
        });
        Status {
            code: 422,
            reason: "Invalid".into(),
            message: format!(
                "{} {} is invalid: {}",
                qualified(kind, group),
                kindsmith_gostd::quote::quote(name),
                aggregate(errors.iter().map(ToString::to_string))
            ),
            details: Some(Box::new(Details {
                causes: causes.collect(),
                errors: errors.to_vec(),
                ..Details::of(group, kind, name)
            })),
        }
    }

    /// 422: an update without a resource version. The store names the resource where validation names the kind.
    #[must_use]
    pub fn missing_resource_version(group: &str, resource: &str, name: &str) -> Self {
        let metadata = Path::root("metadata");
        let detail = "must be specified for an update";
        let error = FieldError::invalid(&metadata.child("resourceVersion"), 0_i64, detail);
        Status::invalid(group, resource, name, &[error])
    }

    /// 404: there is no such object (`errors.NewNotFound`).
    #[must_use]
    pub fn not_found(group: &str, resource: &str, name: &str) -> Self {
        Status {
            code: 404,
            reason: "NotFound".into(),
            message: format!(
                "{} {} not found",
                qualified(resource, group),
                kindsmith_gostd::quote::quote(name)
            ),
            details: Some(Box::new(Details::of(group, resource, name))),
        }
    }

    /// 409: the object already exists (`errors.NewAlreadyExists`).
    #[must_use]
    pub fn already_exists(group: &str, resource: &str, name: &str) -> Self {
        Status {
            code: 409,
            reason: "AlreadyExists".into(),
            message: format!(
                "{} {} already exists",
                qualified(resource, group),
                kindsmith_gostd::quote::quote(name)
            ),
            details: Some(Box::new(Details::of(group, resource, name))),
        }
    }

    /// 403: the request is not allowed (`errors.NewForbidden`).
    #[must_use]
    pub fn forbidden(group: &str, resource: &str, name: &str, why: &str) -> Self {
        let what = match (resource, name) {
            ("", _) => String::new(),
            (resource, "") => format!("{} is ", qualified(resource, group)),
            (resource, name) => {
                let name = kindsmith_gostd::quote::quote(name);
                format!("{} {name} is ", qualified(resource, group))
            }
        };
        Status {
            code: 403,
            reason: "Forbidden".into(),
            message: format!("{what}forbidden: {why}"),
            details: Some(Box::new(Details::of(group, resource, name))),
        }
    }

    /// 405: the resource does not support the verb (`errors.NewMethodNotSupported`).
    #[must_use]
    pub fn method_not_supported(group: &str, resource: &str, verb: &str) -> Self {
        Status {
            code: 405,
            reason: "MethodNotAllowed".into(),
            message: format!(
                "{verb} is not supported on resources of kind {}",
                kindsmith_gostd::quote::quote(&qualified(resource, group))
            ),
            details: Some(Box::new(Details::of(group, resource, ""))),
        }
    }

    /// 409: another write came first (`errors.NewConflict`).
    #[must_use]
    pub fn conflict(group: &str, resource: &str, name: &str, why: &str) -> Self {
        Status {
            code: 409,
            reason: "Conflict".into(),
            message: format!(
                "Operation cannot be fulfilled on {} {}: {why}",
                qualified(resource, group),
                kindsmith_gostd::quote::quote(name)
            ),
            details: Some(Box::new(Details::of(group, resource, name))),
        }
    }

    /// 413: the request is too large (`errors.NewRequestEntityTooLargeError`).
    #[must_use]
    pub fn too_large(why: &str) -> Self {
        Status {
            code: 413,
            reason: "RequestEntityTooLarge".into(),
            message: format!("Request entity too large: {why}"),
            details: None,
        }
    }

    /// 500 with a cause (`errors.NewInternalError`).
    #[must_use]
    pub fn internal(message: &str) -> Self {
        Status {
            code: 500,
            reason: "InternalError".into(),
            message: format!("Internal error occurred: {message}"),
            details: Some(Box::new(Details {
                causes: vec![Cause {
                    message: message.to_owned(),
                    ..Cause::default()
                }],
                ..Details::default()
            })),
        }
    }

    /// 500 for an unexpected error, which has no reason.
    #[must_use]
    pub fn unforeseen(message: impl Into<String>) -> Self {
        Status {
            code: 500,
            reason: "".into(),
            message: message.into(),
            details: None,
        }
    }

    /// The body of the answer.
    #[must_use]
    pub fn to_value<'a>(&'a self, arena: &'a Arena) -> Value<'a> {
        let metadata = match &self.details {
            Some(details) => details.list.to_value(arena),
            None => object_of_present(arena, &[]),
        };
        let details = self.details.as_ref().filter(|details| !details.is_only_a_list());
        let details = details.map(|details| details.to_value(arena));
        object_of_present(
            arena,
            &[
                ("kind", Some("Status".into())),
                ("apiVersion", Some("v1".into())),
                ("metadata", Some(metadata)),
                ("status", Some("Failure".into())),
                ("message", text(&self.message)),
                ("reason", text(&self.reason)),
                ("details", details),
                ("code", Some(Value::Int(self.code.into()))),
            ],
        )
    }
}

impl Details {
    fn of(group: &str, kind: &str, name: &str) -> Self {
        Details {
            name: name.to_owned(),
            group: group.to_owned(),
            kind: kind.to_owned(),
            ..Details::default()
        }
    }

    /// Whether there is nothing but metadata of a list.
    fn is_only_a_list(&self) -> bool {
        let list = self.list.clone();
        list != ListMeta::default()
            && *self
                == Details {
                    list,
                    ..Details::default()
                }
    }

    fn to_value<'a>(&'a self, arena: &'a Arena) -> Value<'a> {
        let causes = self.causes.iter().map(|cause| {
            object_of_present(
                arena,
                &[
                    ("reason", text(&cause.reason)),
                    ("message", text(&cause.message)),
                    ("field", text(&cause.field)),
                ],
            )
        });
        let causes: &[Value<'a>] = arena.alloc_slice_fill_iter(causes);
        object_of_present(
            arena,
            &[
                ("name", text(&self.name)),
                ("group", text(&self.group)),
                ("kind", text(&self.kind)),
                ("uid", text(&self.uid)),
                ("causes", (!causes.is_empty()).then_some(causes.into())),
                (
                    "retryAfterSeconds",
                    (self.retry_after_seconds > 0).then_some(Value::Int(self.retry_after_seconds.into())),
                ),
            ],
        )
    }
}

fn text(text: &str) -> Option<Value<'_>> {
    (!text.is_empty()).then_some(Value::Str(text))
}

/// `kind.group`, or the kind alone (`schema.GroupKind.String`).
fn qualified(kind: &str, group: &str) -> String {
    match group {
        "" => kind.to_owned(),
        group => format!("{kind}.{group}"),
    }
}
