//! Options of writes, from the query (`CreateOptions`, `UpdateOptions`, `PatchOptions` of `meta.k8s.io`).

use kindsmith_json::Path;
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};
use kindsmith_request::{FieldValidation, Status};

use crate::Request;
use crate::request::query::Query;

/// The longest name of a field manager, in bytes.
const MANAGER_LIMIT: usize = 128;

/// The type of the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `CreateOptions`.
    Create,
    /// `UpdateOptions`.
    Update,
    /// `PatchOptions` of all patches except apply.
    Patch,
    /// `PatchOptions` of an apply.
    Apply,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Create => "CreateOptions",
            Kind::Update => "UpdateOptions",
            Kind::Patch | Kind::Apply => "PatchOptions",
        }
    }
}

/// The options of a write.
#[derive(Debug, Clone)]
pub(crate) struct WriteOptions {
    /// Whether to store nothing.
    pub(crate) is_dry_run: bool,
    /// The field manager.
    pub(crate) manager: String,
    /// How unknown and duplicate fields are handled.
    pub(crate) field_validation: FieldValidation,
    /// Whether an apply takes over fields of other managers.
    pub(crate) force: bool,
}

impl WriteOptions {
    /// Reads and checks the options of a write.
    pub(crate) fn read(request: &Request<'_>, query: &Query, kind: Kind) -> Result<Self, Status> {
        let mut errors = Vec::new();
        let given = query.text("fieldManager");
        let force = query.optional_flag("force");
        if kind == Kind::Patch && force.is_some() {
            errors.push(error(
                ErrorKind::Forbidden,
                "force",
                BadValue::Omitted,
                Detail::Text("may not be specified for non-apply patch".into()),
            ));
        }
        if kind == Kind::Apply && given.is_empty() {
            errors.push(error(
                ErrorKind::Required,
                "fieldManager",
                BadValue::Omitted,
                Detail::Text("is required for apply patch".into()),
            ));
        }
        errors.extend(manager_errors(given));
        errors.extend(dry_run_error(query));
        let field_validation = match FieldValidation::parse(query.text("fieldValidation"), kind.name()) {
            Ok(validation) => validation,
            Err(status) => {
                errors.extend(status.details.into_iter().flat_map(|details| details.errors));
                FieldValidation::default()
            }
        };
        if !errors.is_empty() {
            return Err(Status::invalid("meta.k8s.io", kind.name(), "", &errors));
        }
        Ok(WriteOptions {
            is_dry_run: query.get("dryRun").is_some(),
            manager: match given {
                "" => manager_of_agent(request.header("user-agent").unwrap_or_default()),
                given => given.to_owned(),
            },
            field_validation,
            force: force.unwrap_or_default(),
        })
    }
}

/// The error of an invalid `dryRun` (`ValidateDryRun` in apimachinery's pkg/apis/meta/v1/validation).
pub(crate) fn dry_run_error(query: &Query) -> Option<FieldError> {
    let values: Vec<&str> = query.all("dryRun").collect();
    dry_run_values_error(&values)
}

/// Same, for the values in a body.
pub(crate) fn dry_run_values_error(values: &[&str]) -> Option<FieldError> {
    let is_known = values.iter().all(|&value| value == "All");
    (!is_known).then(|| {
        let items: Vec<String> = values
            .iter()
            .map(|&text| kindsmith_json::write::Format::GO.to_string(text.into()))
            .collect();
        error(
            ErrorKind::NotSupported,
            "dryRun",
            BadValue::Json(format!("[{}]", items.join(",")).into()),
            Detail::Supported(vec!["All".into()]),
        )
    })
}

/// The errors of a field manager's name (`ValidateFieldManager`).
fn manager_errors(manager: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if manager.len() > MANAGER_LIMIT {
        errors.push(error(
            ErrorKind::TooLong,
            "fieldManager",
            BadValue::Omitted,
            Detail::Text(format!("may not be more than {MANAGER_LIMIT} bytes").into()),
        ));
    }
    for (position, letter) in manager.char_indices() {
        if !kindsmith_gostd::quote::is_print(letter) {
            let text = format!(
                "invalid character U+{:04X} (at position {position})",
                u32::from(letter)
            );
            errors.push(error(
                ErrorKind::Invalid,
                "fieldManager",
                BadValue::Text(manager.into()),
                Detail::Text(text.into()),
            ));
        }
    }
    errors
}

/// The manager name derived from a user agent (`prefixFromUserAgent` in apiserver's pkg/endpoints/handlers/create.go).
fn manager_of_agent(agent: &str) -> String {
    let name = agent.split('/').next().unwrap_or_default();
    let mut manager = String::new();
    for letter in name
        .chars()
        .filter(|&letter| kindsmith_gostd::quote::is_print(letter))
    {
        if manager.len() + letter.len_utf8() > MANAGER_LIMIT {
            break;
        }
        manager.push(letter);
    }
    manager
}

pub(crate) fn error(kind: ErrorKind, field: &'static str, bad: BadValue, detail: Detail) -> FieldError {
    FieldError::new(kind, Path::root(field).to_owned(), bad, detail)
}
