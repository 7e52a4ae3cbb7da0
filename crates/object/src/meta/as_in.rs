//! Errors of metadata as older releases word them (`validateOwnerReference` in apimachinery's
//! pkg/apis/meta/v1/validation/validation.go before tags found them).

use kindsmith_json::path::{PathBuf, Step};

use crate::{BadValue, Behavior, Detail, ErrorKind, FieldError, Release};

/// Rewrites errors of owner references and of labels as a release words them.
pub fn as_in(release: Release, errors: &mut [FieldError]) {
    for error in &mut *errors {
        let Detail::Text(text) = &error.detail else {
            continue;
        };
        if let Some(older) = older_label_words(release, text) {
            error.detail = Detail::Text(older.into());
        }
    }
    if release.has(Behavior::OwnerReferencesIndexed) {
        return;
    }
    for error in errors {
        let is_named =
            |step: Option<&Step>, name: &str| matches!(step, Some(Step::Field(field)) if **field == *name);
        let steps = error.path.steps();
        let is_owner = is_named(steps.first(), "metadata") && is_named(steps.get(1), "ownerReferences");
        let Some(Step::Index(_)) = steps.get(2).filter(|_| is_owner) else {
            continue;
        };
        let field = match steps.get(3) {
            Some(Step::Field(field)) => Some(field.to_string()),
            _ => None,
        };
        let path: PathBuf = steps
            .iter()
            .filter(|step| !matches!(step, Step::Index(_)))
            .cloned()
            .collect();
        let detail = match field.as_deref() {
            Some("apiVersion") => Some("version must not be empty"),
            Some(_) => Some("must not be empty"),
            None => None,
        };
        error.path = path;
        if let Some(detail) = detail {
            if error.kind == ErrorKind::Required {
                error.bad = BadValue::Text("".into());
            }
            error.kind = ErrorKind::Invalid;
            error.detail = Detail::Text(detail.into());
        }
    }
}

/// What is wrong with a label, if a release words it otherwise: lengths were counted in bytes and called characters, and a key of a
/// label was a qualified name (`MaxLenError` and `IsQualifiedName` in apimachinery's pkg/util/validation/validation.go).
#[must_use]
pub fn older_label_words(release: Release, text: &str) -> Option<String> {
    if release.has(Behavior::LabelsInBytes) {
        return None;
    }
    let is_length = text.contains("must be no more than ");
    match text.strip_suffix(" bytes").filter(|_| is_length) {
        Some(start) => Some(format!("{start} characters")),
        None => {
            let rest = text.strip_prefix("a valid label key ")?;
            Some(format!("a qualified name {rest}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_have_no_index_in_older_releases() {
        let path = || -> PathBuf {
            let field = |name: &str| Step::Field(name.into());
            [
                field("metadata"),
                field("ownerReferences"),
                Step::Index(0),
                field("uid"),
            ]
            .into_iter()
            .collect()
        };
        for (minor, expected) in [
            (
                37,
                "metadata.ownerReferences[0].uid: Required value: must not be empty",
            ),
            (
                36,
                "metadata.ownerReferences.uid: Invalid value: \"\": must not be empty",
            ),
        ] {
            let mut errors = [FieldError::required(path(), "must not be empty")];
            as_in(Release::minor(minor), &mut errors);
            assert_eq!(errors[0].to_string(), expected);
        }
    }
}
