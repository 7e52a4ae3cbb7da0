//! The kind of a policy's parameters (`validateParamKind`).

use kindsmith_formats::named;
use kindsmith_object::GroupVersion;
use kindsmith_object::meta::NameRule;

use crate::field::{Errors, Field};
use crate::field_check::{invalid_text, name_problems};

pub(super) fn validate_param_kind(kind: &Field<'_, '_>, errors: &mut Errors) {
    validate_api_version(&kind.child("apiVersion"), errors);
    let name = kind.child("kind");
    if name.text().is_empty() {
        return name.required("", errors);
    }
    let problems = label_problems(&name.text().to_lowercase());
    if !problems.is_empty() {
        let detail = format!("may have mixed case, but should otherwise match: {problems}");
        name.invalid(detail, errors);
    }
}

fn validate_api_version(field: &Field<'_, '_>, errors: &mut Errors) {
    let text = field.text();
    if text.is_empty() {
        return field.required("", errors);
    }
    let GroupVersion { group, version } = match GroupVersion::parse(text) {
        Ok(parsed) => parsed,
        Err(error) => return field.invalid(error.to_string(), errors),
    };
    let problems = name_problems(NameRule::Subdomain, group);
    if !group.is_empty() && !problems.is_empty() {
        errors.push(invalid_text(&field.path, group, problems.join(",")));
    }
    if version.is_empty() {
        return field.invalid("version must be specified", errors);
    }
    let problems = label_problems(version);
    if !problems.is_empty() {
        errors.push(invalid_text(&field.path, version, problems));
    }
}

/// What is wrong with a DNS-1035 label.
pub(in crate::kind) fn label_problems(text: &str) -> String {
    let mut problems = Vec::new();
    if let Some(format) = named::find("dns1035Label") {
        (format.check)(text, &mut |problem| problems.push(problem));
    }
    problems.join(",")
}
