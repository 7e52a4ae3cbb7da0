//! Options of a deletion, from the body or the query (`metav1.DeleteOptions`).

use kindsmith_builtin::types::{meta_type, own_codec};
use kindsmith_builtin::{literal, protobuf};
use kindsmith_json::write::Format;
use kindsmith_json::{Arena, Value};
use kindsmith_object::{BadValue, Behavior, Detail, ErrorKind, FieldError, Gate, GroupVersion, Release};
use kindsmith_request::{Body, Status, body};

use crate::Request;
use crate::request::body::{Input, check_size};
use crate::request::query::Query;
use crate::request::write_options::{dry_run_values_error, error};
use crate::response::partial::all;
use kindsmith_json::object_of_present;

/// The propagation policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Propagation {
    /// Dependents are deleted later.
    Background,
    /// Dependents are deleted first.
    Foreground,
    /// Dependents are kept.
    Orphan,
}

/// The options of a deletion.
#[derive(Debug, Clone, Default)]
pub(crate) struct DeleteOptions {
    /// Whether to change nothing.
    pub(crate) is_dry_run: bool,
    /// The uid the object must have.
    pub(crate) uid: Option<String>,
    /// The resource version the object must have.
    pub(crate) resource_version: Option<String>,
    /// The deprecated form of the policy.
    pub(crate) orphan_dependents: Option<bool>,
    /// The propagation policy.
    pub(crate) propagation: Option<Propagation>,
    /// The grace period.
    pub(crate) grace_period_seconds: Option<i64>,
    /// Whether an object that cannot be read is deleted, and only such a one.
    pub(crate) ignores_read_errors: bool,
}

/// The group of the options.
const META: &str = "meta.k8s.io";

/// The option for that.
const IGNORE: &str = "ignoreStoreReadErrorWithClusterBreakingPotential";

impl DeleteOptions {
    /// Reads and checks the options of a request, as a release does.
    pub(crate) fn read(request: &Request<'_>, query: &Query, release: Release) -> Result<Self, Status> {
        check_size(request)?;
        let arena = Arena::new();
        let mut given = if request.body.is_empty() {
            Given::from_query(query).map_err(Status::bad_request)?
        } else {
            let body = Input::read(request)?.json(|bytes| opened(&arena, bytes))?;
            Given::from_body(&arena, body).map_err(|why| {
                if release.has(Behavior::BadDeleteOptions) {
                    Status::bad_request(why)
                } else {
                    Status::unforeseen(why)
                }
            })?
        };
        given.ignores_read_errors &= release.enables(Gate::AllowUnsafeMalformedObjectDeletion);
        given.check()
    }

    /// Rejects what is not possible for a collection.
    pub(crate) fn check_many(&self) -> Result<(), Status> {
        if !self.ignores_read_errors {
            return Ok(());
        }
        let why = "is not allowed with DELETECOLLECTION, try again after removing the option";
        Err(Status::invalid(
            "meta.k8s.io",
            "DeleteOptions",
            "",
            &[ignored(why)],
        ))
    }

    /// Checks options that are part of another object.
    pub(crate) fn of(options: Value<'_>) -> Result<Self, Status> {
        Given::from_value(options, None)
            .map_err(Status::bad_request)?
            .check()
    }

    /// The options as webhooks see them.
    pub(crate) fn to_value<'a>(&self, arena: &'a Arena) -> Value<'a> {
        let text = |text: &Option<String>| text.as_deref().map(|text| Value::Str(arena.alloc_str(text)));
        let conditions = [
            ("uid", text(&self.uid)),
            ("resourceVersion", text(&self.resource_version)),
        ];
        let has_conditions = conditions.iter().any(|(_, value)| value.is_some());
        let propagation = self.propagation.map(|policy| match policy {
            Propagation::Background => "Background",
            Propagation::Foreground => "Foreground",
            Propagation::Orphan => "Orphan",
        });
        object_of_present(
            arena,
            &[
                ("kind", Some("DeleteOptions".into())),
                ("apiVersion", Some("meta.k8s.io/v1".into())),
                ("gracePeriodSeconds", self.grace_period_seconds.map(Value::Int)),
                (
                    "preconditions",
                    has_conditions.then(|| object_of_present(arena, &conditions)),
                ),
                ("orphanDependents", self.orphan_dependents.map(Value::Bool)),
                ("propagationPolicy", propagation.map(Value::Str)),
                ("dryRun", self.is_dry_run.then(|| all(arena))),
            ],
        )
    }
}

/// Converts protobuf options to JSON. Every group has them under its own `apiVersion`.
fn opened<'a>(arena: &'a Arena, bytes: &'a [u8]) -> Result<Body<'a>, Status> {
    let envelope = protobuf::open(bytes).unwrap_or_default();
    let api_version = String::from_utf8_lossy(envelope.api_version);
    let GroupVersion { group, version } = GroupVersion::parse(&api_version).unwrap_or_default();
    let version = if version.is_empty() { "v1" } else { version };
    let ty = meta_type("DeleteOptions").ok_or_else(|| Status::internal("no type DeleteOptions"))?;
    let expected = ("DeleteOptions", group, version);
    protobuf::json_body(own_codec(), arena, ty, expected, bytes)
}

/// Options before validation.
#[derive(Debug, Default)]
struct Given {
    grace_period_seconds: Option<i64>,
    uid: Option<String>,
    resource_version: Option<String>,
    orphan_dependents: Option<bool>,
    propagation: Option<String>,
    dry_run: Vec<String>,
    has_preconditions: bool,
    ignores_read_errors: bool,
}

impl Given {
    /// `uid` and `resourceVersion` are preconditions (`Convert_url_Values_To_v1_DeleteOptions` in apimachinery's
    /// pkg/apis/meta/v1/conversion.go), also where the version is that of a collection.
    fn from_query(query: &Query) -> Result<Self, String> {
        let precondition = |name| query.get(name).filter(|text| !text.is_empty()).map(str::to_owned);
        let (uid, resource_version) = (precondition("uid"), precondition("resourceVersion"));
        Ok(Given {
            has_preconditions: uid.is_some() || resource_version.is_some(),
            uid,
            resource_version,
            grace_period_seconds: query.integer("gracePeriodSeconds")?,
            orphan_dependents: query.optional_flag("orphanDependents"),
            propagation: query.get("propagationPolicy").map(str::to_owned),
            dry_run: query.all("dryRun").map(str::to_owned).collect(),
            ignores_read_errors: query.optional_flag(IGNORE).unwrap_or_default(),
        })
    }

    fn from_body<'a>(arena: &'a Arena, sent: Body<'a>) -> Result<Self, String> {
        let parsed = body::parse_built_in(arena, sent, ("DeleteOptions", "meta.k8s.io", "v1"))
            .map_err(|error| error.message().to_owned())?;
        if parsed.kind != "DeleteOptions" {
            if let Some(ty) = convertible_type(&parsed) {
                return Err(format!(
                    "converting ({ty}.{}) to (v1.DeleteOptions): unknown conversion",
                    parsed.kind
                ));
            }
            let version = match &*parsed.group {
                "" => parsed.version.clone(),
                group => format!("{group}/{}", parsed.version),
            };
            return Err(format!(
                "no kind \"{}\" is registered for version \"{version}\" in scheme \
                 \"pkg/apis/meta/internalversion/scheme/register.go:27\"",
                parsed.kind
            ));
        }
        Given::from_value(parsed.value, Some(sent))
    }

    fn from_value(options: Value<'_>, sent: Option<Body<'_>>) -> Result<Self, String> {
        let field = |key: &str| options.get(key).filter(|value| !value.is_null());
        let mut given = Given::default();
        if let Some(value) = field("gracePeriodSeconds") {
            let seconds = value.as_i64();
            given.grace_period_seconds = Some(seconds.ok_or_else(|| no_seconds(value, sent))?);
        }
        given.ignores_read_errors = match field(IGNORE) {
            None => false,
            Some(Value::Bool(ignores)) => ignores,
            Some(other) => return Err(wrong(other, &format!("DeleteOptions.{IGNORE}"), "bool")),
        };
        given.has_preconditions = field("preconditions").is_some();
        if let Some(conditions) = field("preconditions") {
            if conditions.as_object().is_none() {
                return Err(wrong(
                    conditions,
                    "DeleteOptions.preconditions",
                    "v1.Preconditions",
                ));
            }
            let text = |key: &str, ty: &str| {
                let name = format!("Preconditions.preconditions.{key}");
                text(conditions.get(key), &name, ty)
            };
            given.uid = text("uid", "types.UID")?;
            given.resource_version = text("resourceVersion", "string")?;
        }
        given.orphan_dependents = match field("orphanDependents") {
            None => None,
            Some(Value::Bool(orphan)) => Some(orphan),
            Some(other) => return Err(wrong(other, "DeleteOptions.orphanDependents", "bool")),
        };
        given.propagation = text(
            field("propagationPolicy"),
            "DeleteOptions.propagationPolicy",
            "v1.DeletionPropagation",
        )?;
        let dry_run = match field("dryRun") {
            None => &[],
            Some(Value::Array(items)) => items,
            Some(other) => return Err(wrong(other, "DeleteOptions.dryRun", "[]string")),
        };
        for &item in dry_run {
            let item = text(Some(item), "DeleteOptions.dryRun", "string")?;
            given.dry_run.push(item.unwrap_or_default());
        }
        Ok(given)
    }

    /// Validates the options (`ValidateDeleteOptions` in apimachinery's pkg/apis/meta/v1/validation).
    fn check(self) -> Result<DeleteOptions, Status> {
        let mut errors = Vec::new();
        let mut propagation = None;
        if let Some(policy) = &self.propagation {
            let shown = BadValue::Json(Format::GO.to_string(policy.as_str().into()).into());
            if self.orphan_dependents.is_some() {
                let text = "orphanDependents and deletionPropagation cannot be both set";
                errors.push(error(
                    ErrorKind::Invalid,
                    "propagationPolicy",
                    shown.clone(),
                    Detail::Text(text.into()),
                ));
            }
            propagation = match policy.as_str() {
                "Foreground" => Some(Propagation::Foreground),
                "Background" => Some(Propagation::Background),
                "Orphan" => Some(Propagation::Orphan),
                _ => {
                    let words = ["Foreground", "Background", "Orphan", "nil"];
                    errors.push(error(
                        ErrorKind::NotSupported,
                        "propagationPolicy",
                        shown,
                        Detail::Supported(words.map(Into::into).to_vec()),
                    ));
                    None
                }
            };
        }
        let dry_run: Vec<&str> = self.dry_run.iter().map(String::as_str).collect();
        errors.extend(dry_run_values_error(&dry_run));
        errors.extend(self.ignoring_errors());
        if !errors.is_empty() {
            return Err(Status::invalid("meta.k8s.io", "DeleteOptions", "", &errors));
        }
        Ok(DeleteOptions {
            is_dry_run: !dry_run.is_empty(),
            uid: self.uid,
            resource_version: self.resource_version,
            orphan_dependents: self.orphan_dependents,
            propagation,
            grace_period_seconds: self.grace_period_seconds,
            ignores_read_errors: self.ignores_read_errors,
        })
    }

    /// What cannot be combined with ignoring errors (`ValidateIgnoreStoreReadError`).
    fn ignoring_errors(&self) -> Vec<FieldError> {
        let others = [
            (self.propagation.is_some(), "propagationPolicy"),
            (self.orphan_dependents.is_some(), "orphanDependents"),
            (self.grace_period_seconds.is_some(), "gracePeriodSeconds"),
            (self.has_preconditions, "preconditions"),
        ];
        let set = others
            .iter()
            .filter(|(is_set, _)| *is_set && self.ignores_read_errors);
        set.map(|(_, other)| ignored(&format!("cannot be set together with .{other}")))
            .collect()
    }
}

/// The Go package of a kind that the scheme of options knows besides options of deletions (`AddToGroupVersion` in
/// apimachinery's pkg/apis/meta/v1/register.go, `AddMetaToScheme`): it is decoded, and then cannot be converted.
fn convertible_type(parsed: &body::BuiltIn<'_>) -> Option<&'static str> {
    match (&*parsed.kind, &*parsed.group, &*parsed.version) {
        (
            "Status" | "APIVersions" | "APIGroup" | "APIGroupList" | "APIResourceList" | "CreateOptions"
            | "UpdateOptions",
            ..,
        )
        | (
            "ListOptions" | "GetOptions" | "PatchOptions" | "WatchEvent" | "PartialObjectMetadataList",
            META,
            "v1",
        )
        | ("Table" | "TableOptions" | "PartialObjectMetadata", META, "v1" | "v1beta1") => Some("v1"),
        ("PartialObjectMetadataList", META, "v1beta1") => Some("v1beta1"),
        _ => None,
    }
}

fn ignored(why: &str) -> FieldError {
    error(
        ErrorKind::Invalid,
        IGNORE,
        BadValue::Json("true".into()),
        Detail::Text(why.into()),
    )
}

fn text(value: Option<Value<'_>>, field: &str, ty: &str) -> Result<Option<String>, String> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Str(text)) => Ok(Some(text.to_owned())),
        Some(other) => Err(wrong(other, field, ty)),
    }
}

/// The error for a grace period that is no `int64`: Go's decoder quotes a number as it is written.
fn no_seconds(value: Value<'_>, sent: Option<Body<'_>>) -> String {
    const FIELD: &str = "DeleteOptions.gracePeriodSeconds";
    if !matches!(value, Value::Float(_) | Value::Uint(_)) {
        return wrong(value, FIELD, "int64");
    }
    let shown = kindsmith_json::to_string(value);
    let written = sent.and_then(|sent| literal(sent, &shown)).unwrap_or(&shown);
    format!("json: cannot unmarshal number {written} into Go struct field {FIELD} of type int64")
}

/// The error of Go's decoder for a value of the wrong type.
fn wrong(value: Value<'_>, field: &str, ty: &str) -> String {
    let kind = value.go_json_name();
    format!("json: cannot unmarshal {kind} into Go struct field {field} of type {ty}")
}
