//! Options of writes, from the query (`CreateOptions`, `UpdateOptions`, `PatchOptions` of `meta.k8s.io`).

use kindsmith_json::Path;
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};
use kindsmith_request::{FieldValidation, Status};

use crate::Request;
use crate::request::query::Query;

/// How many bytes the name of a field manager may have.
const MANAGER_LIMIT: usize = 128;

/// Which options a verb has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Of a create.
    Create,
    /// Of an update.
    Update,
    /// Of a patch that is no apply.
    Patch,
    /// Of an apply.
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
    /// Whether nothing is to be stored.
    pub(crate) is_dry_run: bool,
    /// Who is said to set the fields.
    pub(crate) manager: String,
    /// What becomes of fields that are unknown or there twice.
    pub(crate) field_validation: FieldValidation,
    /// Whether an apply takes fields from others.
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

/// What is wrong with `dryRun` (`ValidateDryRun` in apimachinery's pkg/apis/meta/v1/validation).
pub(crate) fn dry_run_error(query: &Query) -> Option<FieldError> {
    let values: Vec<&str> = query.all("dryRun").collect();
    dry_run_values_error(&values)
}

/// The same for values that come from a body.
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

/// What is wrong with the name of a field manager (`ValidateFieldManager`).
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

/// The manager that a client's name stands for (`prefixFromUserAgent` in apiserver's pkg/endpoints/handlers/create.go).
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
