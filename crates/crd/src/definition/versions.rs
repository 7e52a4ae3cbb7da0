//! The list of versions as a whole.

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_openapi::crd::{InternalSpec, Version, print_versions};

use super::faults::Faults;
use super::names;

pub(super) fn check(spec: &InternalSpec, path: &Path<'_>, faults: &mut Faults) {
    exclusive(spec, path, faults);
    let at = path.child("versions");
    let mut complain = |detail: &str| faults.invalid(&at, printed(spec), detail);
    for (field, top) in identical(&spec.versions) {
        complain(&format!(
            "per-version {field} may not all be set to identical values (top-level {top} should be used instead)"
        ));
    }
    let repeated = spec.versions.iter().enumerate().any(|(index, version)| {
        spec.versions[..index]
            .iter()
            .any(|earlier| earlier.name == version.name)
    });
    if repeated {
        complain("must contain unique version names");
    }
    if spec.versions.iter().filter(|version| version.storage).count() != 1 {
        complain("must have exactly one version marked as storage version");
    }
    if spec.version.is_empty() {
        return;
    }
    let at = path.child("version");
    names::version(&spec.version, &at, faults);
    if spec
        .versions
        .first()
        .is_some_and(|first| first.name != spec.version)
    {
        faults.invalid(
            &at,
            &*spec.version,
            "must match the first version in spec.versions",
        );
    }
}

/// Rejects fields that are both at the top and in versions; only possible in `v1beta1`.
fn exclusive(spec: &InternalSpec, path: &Path<'_>, faults: &mut Faults) {
    let versions = &spec.versions;
    let both = [
        (
            "validation",
            "schemas",
            spec.validation.is_some() && versions.iter().any(|version| version.schema.is_some()),
        ),
        (
            "subresources",
            "subresources",
            spec.subresources.is_some() && versions.iter().any(|version| version.subresources.is_some()),
        ),
        (
            "additionalPrinterColumns",
            "additionalPrinterColumns",
            !spec.additional_printer_columns.is_empty()
                && versions
                    .iter()
                    .any(|version| !version.additional_printer_columns.is_empty()),
        ),
    ];
    for (field, what, _) in both.iter().filter(|(.., both)| *both) {
        let detail = format!("top-level and per-version {what} are mutually exclusive");
        faults.forbidden(&path.child(field), &detail);
    }
}

/// Fields that are the same in all versions and should be at the top; only for `v1beta1`.
fn identical(versions: &[Version]) -> Vec<(&'static str, &'static str)> {
    let Some(first) = versions.first() else {
        return Vec::new();
    };
    let all = |same: &dyn Fn(&Version) -> bool| versions.iter().all(same);
    [
        (
            "schemas",
            "validation",
            all(&|version| version.schema.is_some() && version.schema == first.schema),
        ),
        (
            "subresources",
            "subresources",
            all(&|version| version.subresources.is_some() && version.subresources == first.subresources),
        ),
        (
            "additionalPrinterColumns",
            "additionalPrinterColumns",
            all(&|version| {
                !version.additional_printer_columns.is_empty()
                    && *version.additional_printer_columns == *first.additional_printer_columns
            }),
        ),
    ]
    .into_iter()
    .filter_map(|(field, top, all)| all.then_some((field, top)))
    .collect()
}

fn printed(spec: &InternalSpec) -> BadValue {
    BadValue::Json(print_versions(&spec.versions).into())
}
