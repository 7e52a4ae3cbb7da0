//! Names of resources and kinds.

use kindsmith_formats::named;
use kindsmith_json::Path;
use kindsmith_openapi::crd::Names;
use kindsmith_schema::Str;

use super::faults::Faults;

/// Checks that required names are present; does not apply to the accepted names in the status, which come later.
pub(super) fn required(names: &Names, path: &Path<'_>, faults: &mut Faults) {
    let wanted = [
        ("plural", &names.plural),
        ("singular", &names.singular),
        ("kind", &names.kind),
        ("listKind", &names.list_kind),
    ];
    for (field, name) in wanted {
        if name.is_empty() {
            faults.required(&path.child(field), "");
        }
    }
}

/// Checks the format of names (`ValidateCustomResourceDefinitionNames`).
pub(super) fn check(names: &Names, path: &Path<'_>, faults: &mut Faults) {
    for (field, name) in [("plural", &names.plural), ("singular", &names.singular)] {
        if !name.is_empty() {
            label(name, name, "", &path.child(field), faults);
        }
    }
    for (field, name) in [("kind", &names.kind), ("listKind", &names.list_kind)] {
        if !name.is_empty() {
            let lower = name.to_lowercase();
            let prefix = "may have mixed case, but should otherwise match: ";
            label(&lower, name, prefix, &path.child(field), faults);
        }
    }
    labels(&names.short_names, &path.child("shortNames"), faults);
    if !names.kind.is_empty() && names.kind == names.list_kind {
        faults.invalid(
            &path.child("listKind"),
            &*names.list_kind,
            "kind and listKind may not be the same",
        );
    }
    labels(&names.categories, &path.child("categories"), faults);
}

fn labels(names: &[Str], path: &Path<'_>, faults: &mut Faults) {
    for (index, name) in names.iter().enumerate() {
        label(name, name, "", &path.index(index), faults);
    }
}

fn label(checked: &str, shown: &str, prefix: &str, path: &Path<'_>, faults: &mut Faults) {
    let problems = label_1035(checked);
    if !problems.is_empty() {
        faults.invalid(path, shown, &format!("{prefix}{}", problems.join(",")));
    }
}

/// The errors of a DNS-1035 label (`IsDNS1035Label`).
pub(super) fn label_1035(text: &str) -> Vec<String> {
    problems("dns1035Label", text)
}

/// The errors of an RFC 1123 subdomain (`IsDNS1123Subdomain`).
pub(super) fn subdomain(text: &str) -> Vec<String> {
    problems("dns1123Subdomain", text)
}

fn problems(format: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(format) = named::find(format) {
        (format.check)(text, &mut |problem| problems.push(problem));
    }
    problems
}

/// Checks the name of a version, a DNS-1035 label; all problems go into one error.
pub(super) fn version(name: &str, at: &Path<'_>, faults: &mut Faults) {
    let problems = label_1035(name);
    if !problems.is_empty() {
        faults.invalid(at, name, &problems.join(","));
    }
}
