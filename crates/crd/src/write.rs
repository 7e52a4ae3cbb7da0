//! Requests that write a definition: from bytes to the stored definition, or the `Status` that refuses it.
//!
//! Whether a definition is right is judged in [`crate::definition`]; here is the order around it.

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::{self, ObjectMeta, Order, UnknownFields};
use kindsmith_openapi::crd::{self, Definition, Source};
use kindsmith_openapi::{Report, ReportKind};
use kindsmith_request::body::{self, Body, FieldValidation, Media, Unreadable};
use kindsmith_request::{Admission, Stamp, Status, deduplicate, identity};
use kindsmith_schema::Json;

use crate::definition::{self, DefinitionValidation, Gates};

const GROUP: &str = "apiextensions.k8s.io";
const KIND: &str = "CustomResourceDefinition";
const RESOURCE: &str = "customresourcedefinitions";

/// A write of a definition.
#[derive(Debug, Clone, Copy)]
pub struct DefinitionWrite<'a, 'o> {
    /// What is to happen.
    pub operation: DefinitionOperation<'o>,
    /// The name of the URL; empty on create.
    pub name: &'a str,
    /// What becomes of fields that are unknown or there twice.
    pub field_validation: FieldValidation,
    /// Which features the server has.
    pub gates: Gates,
    /// What only the caller can know.
    pub stamp: Stamp<'a>,
}

/// What is to happen to a definition. `old` is the stored one, with its `resourceVersion`; none if there is none.
#[derive(Debug, Clone, Copy)]
pub enum DefinitionOperation<'o> {
    /// A new definition.
    Create,
    /// Another state of a definition.
    Update {
        /// The stored definition.
        old: Option<&'o Definition>,
    },
    /// Another status of a definition, through its subresource.
    UpdateStatus {
        /// The stored definition.
        old: Option<&'o Definition>,
    },
}

/// What comes of a write of a definition. Warnings are sent whether it succeeds or not.
#[derive(Debug, Clone)]
pub struct DefinitionOutcome {
    /// The definition to be stored and answered, or why there is none.
    pub result: Result<Definition, Status>,
    /// The texts of the `Warning` headers, in order.
    pub warnings: Vec<String>,
}

/// Writes a definition from a request's body. Of what admission changes, only managed fields are taken over.
pub fn write_definition<'a>(
    arena: &'a Arena,
    write: &DefinitionWrite<'a, '_>,
    body: Body<'a>,
    admission: &mut dyn Admission<'a>,
) -> DefinitionOutcome {
    let mut warnings = Vec::new();
    let result = decode(arena, write, body, &mut warnings)
        .and_then(|draft| carry_out(arena, write, draft, Entry::Body, admission, &mut warnings));
    DefinitionOutcome { result, warnings }
}

/// Writes a definition that a patch resulted in; `text` is that definition as JSON.
pub fn write_patched_definition<'a>(
    arena: &'a Arena,
    write: &DefinitionWrite<'a, '_>,
    text: &'a str,
    admission: &mut dyn Admission<'a>,
) -> DefinitionOutcome {
    let mut warnings = Vec::new();
    let body = Body {
        bytes: text.as_bytes(),
        media: Media::Json,
    };
    let result = read_body(arena, write, body)
        .map_err(|unreadable| body::invalid_patch(text, unreadable.message()))
        .and_then(|(draft, strict)| match write.field_validation {
            FieldValidation::Strict if !strict.is_empty() => {
                Err(body::invalid_patch(text, &strict_error(&strict)))
            }
            _ => {
                warnings.extend(body::warnings(strict));
                carry_out(arena, write, draft, Entry::Patch, admission, &mut warnings)
            }
        });
    DefinitionOutcome { result, warnings }
}

/// Where a write starts: a uid in a body is a condition, one in a patched object a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Body,
    Patch,
}

/// A decoded definition; its metadata is apart until it is judged.
struct Draft<'a> {
    definition: Definition,
    meta: ObjectMeta<'a>,
    api_version: String,
}

fn decode<'a>(
    arena: &'a Arena,
    write: &DefinitionWrite<'a, '_>,
    body: Body<'a>,
    warnings: &mut Vec<String>,
) -> Result<Draft<'a>, Status> {
    let refuse = |unreadable: &Unreadable| unreadable.status(KIND, body.bytes);
    let (draft, strict) = read_body(arena, write, body).map_err(|unreadable| refuse(&unreadable))?;
    if write.field_validation == FieldValidation::Strict && !strict.is_empty() {
        let (_, version) = meta::group_version(&draft.api_version).unwrap_or_default();
        return Err(refuse(&Unreadable::recognized(
            strict_error(&strict),
            KIND,
            version,
        )));
    }
    warnings.extend(body::warnings(strict));
    if draft.api_version != crd::ApiVersion::V1.as_str() {
        return Err(Status::bad_request(format!(
            "the API version in the data ({}) does not match the expected API version ({})",
            draft.api_version,
            crd::ApiVersion::V1.as_str()
        )));
    }
    Ok(draft)
}

fn strict_error(strict: &[String]) -> String {
    format!("strict decoding error: {}", strict.join(", "))
}

/// Reads a body as a definition, and lists what a strict decoder minds.
fn read_body<'a>(
    arena: &'a Arena,
    write: &DefinitionWrite<'a, '_>,
    body: Body<'a>,
) -> Result<(Draft<'a>, Vec<String>), Unreadable> {
    let expected = (KIND, GROUP, "v1");
    let parsed = body::parse_native(arena, body, expected)?;
    if parsed.kind != KIND || parsed.group != GROUP || !matches!(&*parsed.version, "v1" | "v1beta1") {
        return Err(not_registered(&parsed));
    }
    let refuse = |message: String| Unreadable::recognized(message, &parsed.kind, &parsed.version);
    let source = source(&parsed, body);
    let order = match body.media {
        Media::Json => Order::AsWritten,
        Media::Yaml => Order::Sorted,
    };
    let metadata = parsed.value.get("metadata").unwrap_or_default();
    let meta = meta::decode_field(arena, metadata, KIND, order, UnknownFields::List)
        .map_err(|error| refuse(error.to_string()))?;
    let (definition, mut reports) = read_version(&parsed, source).map_err(refuse)?;
    reports.extend(meta.unknown.iter().map(|path| metadata_report(path)));
    crd::sort_reports(&mut reports, source);
    let mut strict = parsed.strict;
    match write.field_validation {
        FieldValidation::Ignore => strict.clear(),
        _ => strict.extend(reports.iter().map(ToString::to_string)),
    }
    let draft = Draft {
        definition,
        meta: meta.meta,
        api_version: format!("{}/{}", parsed.group, parsed.version),
    };
    Ok((draft, strict))
}

/// Decodes the definition in the version it says it has.
fn read_version(parsed: &body::Native<'_>, source: Source<'_>) -> Result<(Definition, Vec<Report>), String> {
    if *parsed.version == *"v1beta1" {
        let read = crd::read_v1beta1(parsed.value, source).map_err(|error| error.to_string())?;
        return Ok((read.definition.to_v1(), read.reports));
    }
    let read = crd::read(parsed.value, source).map_err(|error| error.to_string())?;
    let mut definition = read.definition;
    definition.default_fields();
    Ok((definition, read.reports))
}

fn source<'a>(parsed: &'a body::Native<'a>, body: Body<'a>) -> Source<'a> {
    match (body.media, std::str::from_utf8(body.bytes)) {
        (Media::Json, Ok(text)) => Source::Json {
            text,
            duplicates: &parsed.duplicates,
        },
        (Media::Json, Err(_)) => Source::Unknown,
        (Media::Yaml, _) => Source::Yaml,
    }
}

/// The scheme of the server's extensions knows no such kind; it is named by the line of Go that makes it.
fn not_registered(parsed: &body::Native<'_>) -> Unreadable {
    let version = match &*parsed.group {
        "" => parsed.version.to_string(),
        group => format!("{group}/{}", parsed.version),
    };
    let message = format!(
        "no kind \"{}\" is registered for version \"{version}\" in scheme \
         \"k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:56\"",
        parsed.kind
    );
    Unreadable::recognized(message, &parsed.kind, &parsed.version)
}

/// A report about a field below metadata.
fn metadata_report(path: &str) -> Report {
    let mut steps = vec![Step::Field("metadata".into())];
    let element = ["ownerReferences", "managedFields"].iter().find_map(|list| {
        let (index, field) = path.strip_prefix(list)?.strip_prefix('[')?.split_once("].")?;
        Some((*list, index.parse().ok()?, field))
    });
    match element {
        Some((list, index, field)) => {
            steps.extend([
                Step::Field(list.into()),
                Step::Index(index),
                Step::Field(field.into()),
            ]);
        }
        None => steps.push(Step::Field(path.into())),
    }
    Report {
        kind: ReportKind::Unknown,
        path: PathBuf::from_iter(steps),
    }
}

/// The order of a write, from the decoded definition to the judged one.
fn carry_out<'a>(
    arena: &'a Arena,
    write: &DefinitionWrite<'a, '_>,
    draft: Draft<'a>,
    entry: Entry,
    admission: &mut dyn Admission<'a>,
    warnings: &mut Vec<String>,
) -> Result<Definition, Status> {
    let Draft {
        mut definition,
        mut meta,
        ..
    } = draft;
    let old = identify(arena, write, &mut meta, entry)?;
    warnings.extend(deduplicate(arena, &mut meta, false));
    let (old, old_value) = old.unzip();
    admit(arena, &mut definition, &mut meta, old_value, admission)?;
    if old.is_none() {
        identity::fill(arena, &mut meta, &write.stamp);
    }
    definition.metadata = Json::from(Value::Object(meta.encode_native(arena)));
    let mut internal = definition.to_internal();
    let verdict = match (old, write.operation) {
        (None, _) => definition::create(&mut internal, write.gates),
        (Some(old), DefinitionOperation::UpdateStatus { .. }) => {
            definition::update_status(&mut internal, &old.to_internal())
        }
        (Some(old), _) => definition::update(&mut internal, &old.to_internal(), write.gates),
    };
    let DefinitionValidation {
        errors,
        warnings: said,
        crash,
    } = verdict;
    if let Some(crash) = crash {
        return Err(Status::unforeseen(crash));
    }
    if !errors.is_empty() {
        return Err(Status::invalid(GROUP, KIND, meta.name, &errors));
    }
    warnings.extend(said);
    if old.is_none() {
        identity::check_new_resource_version(&meta)?;
    }
    let mut stored = internal.to_v1();
    // What is answered was read back from storage, and reading fills in defaults.
    stored.default_fields();
    admission.judge(stored.copy_in(arena), old_value)?;
    Ok(stored)
}

/// Lets others see the definition and change who manages its fields.
fn admit<'a>(
    arena: &'a Arena,
    definition: &mut Definition,
    meta: &mut ObjectMeta<'a>,
    old: Option<Value<'a>>,
    admission: &mut dyn Admission<'a>,
) -> Result<(), Status> {
    definition.metadata = Json::from(Value::Object(meta.encode_native(arena)));
    let after = admission.mutate(definition.copy_in(arena), old)?;
    let managed = after.lookup(&["metadata", "managedFields"]);
    meta.managed_fields = managed.and_then(Value::as_array).unwrap_or_default();
    Ok(())
}

/// Checks name, uid and resource version, and finds the old definition of an update, also as a value.
fn identify<'a, 'o>(
    arena: &'a Arena,
    write: &DefinitionWrite<'a, 'o>,
    meta: &mut ObjectMeta<'a>,
    entry: Entry,
) -> Result<Option<(&'o Definition, Value<'a>)>, Status> {
    // Definitions live in no namespace, whatever they say.
    meta.namespace = "";
    let old = match write.operation {
        DefinitionOperation::Create => {
            identity::wipe(meta);
            return Ok(None);
        }
        DefinitionOperation::Update { old } | DefinitionOperation::UpdateStatus { old } => old,
    };
    identity::check_name(meta, write.name)?;
    let old = old.ok_or_else(|| Status::not_found(GROUP, RESOURCE, write.name))?;
    let value = old.copy_in(arena);
    let metadata = value.get("metadata").unwrap_or_default();
    let stored = meta::decode(arena, metadata, meta::Malformed::Drop, UnknownFields::Ignore)
        .map_err(|error| Status::internal(&error.to_string()))?
        .meta;
    if entry == Entry::Body {
        identity::check_uid((GROUP, RESOURCE), meta, &stored)?;
    }
    identity::check_resource_version((GROUP, RESOURCE), meta, &stored)?;
    Ok(Some((old, value)))
}
