//! API services (kube-aggregator): groups and versions that are served, here or elsewhere.

use kindsmith_formats::named;
use kindsmith_gostd::quote::quote;
use kindsmith_json::{Object, Path, Value};
use kindsmith_object::BadValue;
use kindsmith_object::meta::NameRule;

use super::described::{Described, StatusPart};
use crate::field::{Errors, Field};
use crate::field_check::{invalid, invalid_text, name_problems};
use crate::table::{Heading, Row, Table, column, text_of};
use crate::types::declared;
use crate::{Change, DecodedObject, Preparation};

pub(crate) const API_SERVICE: Described = Described {
    categories: &["api-extensions"],
    status: StatusPart::Alone,
    starts_at_one: false,
    watched: &[],
    allows_unconditional_update: false,
    name_rule: NameRule::Tagged,
    checks_finalizers: false,
    repeats_errors: true,
    rules: validate,
    starts: mark_local,
    table: Table {
        headings: API_SERVICE_COLUMNS,
        cells: api_service_cells,
    },
    has_status_table: false,
    ..Described::STATUS
};

/// What this server answers is available at once (`NewLocalAvailableAPIServiceCondition`).
fn mark_local<'a>(preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
    if draft.get(&["spec", "service"]).is_some() {
        return;
    }
    let arena = preparation.arena;
    let mut condition = Object::EMPTY;
    for (key, text) in [
        ("type", "Available"),
        ("status", "True"),
        ("lastTransitionTime", arena.alloc_str(preparation.now)),
        ("reason", "Local"),
        ("message", "Local APIServices are always available"),
    ] {
        condition.insert(arena, key, Value::Str(text));
    }
    let conditions = Value::Array(arena.alloc_slice_copy(&[Value::Object(condition)]));
    draft.set(arena, &["status", "conditions"], conditions);
}

/// Validates a service, or its status alone (`ValidateAPIService` in kube-aggregator's
/// pkg/apis/apiregistration/validation/validation.go).
fn validate(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        let status = Field::root(change, "status");
        for condition in status.child("conditions").items() {
            let status = condition.child("status").or_empty();
            status.one_of(declared("apiregistration/v1.ConditionStatus"), errors);
        }
        return;
    }
    // An update must also be a valid new service, and what is wrong is told for both.
    if change.old.is_some() {
        change.validate_new_metadata(errors);
    }
    let spec = Field::root(change, "spec");
    let (group, version) = (spec.child("group"), spec.child("version").or_empty());
    check_name(change.new.meta.name, version.text(), group.text(), errors);
    match group.text() {
        "" if version.text() != "v1" => {
            let detail = "only v1 may have an empty group and it better be legacy kube";
            group.required(detail, errors);
        }
        "" => {}
        _ => group.name(NameRule::Subdomain, errors),
    }
    if let Some(format) = named::find("dns1035Label") {
        (format.check)(version.text(), &mut |problem| version.invalid(problem, errors));
    }
    for (key, most) in [("groupPriorityMinimum", 20_000), ("versionPriority", 1000)] {
        let priority = spec.child(key);
        if !(1..=most).contains(&priority.number()) {
            let priority = Field {
                value: Some(Value::Int(priority.number())),
                ..priority
            };
            priority.invalid(format!("must be positive and less than {most}"), errors);
        }
    }
    validate_service(&spec, errors);
}

/// The name is made of version and group.
fn check_name(name: &str, version: &str, group: &str, errors: &mut Errors) {
    if name.is_empty() {
        return;
    }
    let wanted = format!("{version}.{group}");
    let mut problems = name_problems(NameRule::PathSegment, name);
    if problems.is_empty() && name != wanted {
        problems.push(format!(
            "must be `spec.version+\".\"+spec.group`: {}",
            quote(&wanted)
        ));
    }
    let metadata = Path::root("metadata");
    for problem in problems {
        errors.push(invalid_text(&metadata.child("name"), name, problem));
    }
}

/// How another server is reached; without a service this server answers.
fn validate_service(spec: &Field<'_, '_>, errors: &mut Errors) {
    let (service, insecure) = (spec.child("service"), spec.child("insecureSkipTLSVerify"));
    let bundle = spec.child("caBundle");
    let length = kindsmith_gostd::base64::decode(bundle.text().as_bytes()).map_or(0, |bytes| bytes.len());
    let refuse_insecure = |detail: &str, errors: &mut Errors| {
        if insecure.truth() {
            errors.push(invalid(&insecure.path, BadValue::Bool(true), detail));
        }
    };
    if !service.is_set() {
        if length > 0 {
            let detail = "local APIServices may not have a caBundle";
            errors.push(invalid_text(&bundle.path, &format!("{length} bytes"), detail));
        }
        return refuse_insecure("local APIServices may not have insecureSkipTLSVerify", errors);
    }
    service.required_members(&["namespace", "name"], errors);
    let port = service.child("port");
    if !(1..=65535).contains(&port.number()) {
        let port = Field {
            value: Some(Value::Int(port.number())),
            ..port
        };
        let detail = "port is not valid: must be between 1 and 65535, inclusive";
        port.invalid(detail, errors);
    }
    if length > 0 {
        refuse_insecure("may not be true if caBundle is present", errors);
    }
}

const API_SERVICE_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Service", "apiregistration/v1.APIServiceSpec.service"),
    column::in_words("Available", "Whether the server behind it answers, and why not."),
    column::AGE,
];

fn api_service_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let service = match row.at("spec.service") {
        Value::Null => "Local".to_owned(),
        service => format!("{}/{}", text_of(service, "namespace"), text_of(service, "name")),
    };
    let conditions = row.items("status.conditions").iter();
    let available = conditions
        .copied()
        .find(|condition| text_of(*condition, "type") == "Available");
    let available = available.map_or_else(String::new, |condition| {
        match (text_of(condition, "status"), text_of(condition, "reason")) {
            ("True", _) => "True".to_owned(),
            (status, reason) => format!("{status} ({reason})"),
        }
    });
    vec![row.name(), row.cell(&service), row.cell(&available), row.age()]
}
