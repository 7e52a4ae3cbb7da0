//! `diff-storage-version`: objects are stored in another version.

use kindsmith_openapi::crd::Definition;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-storage-version", Tool::Kindsmith, include_str!("storage_version.md"));

pub(crate) fn check(old: &Definition, new: &Definition, report: &mut Report<'_>) {
    let name = |definition: &Definition| definition.spec.storage_version().map(|version| version.name.clone());
    let (Some(before), Some(after)) = (name(old), name(new)) else {
        return;
    };
    if before == after {
        return;
    }
    let is_converted = new.spec.conversion.as_ref().is_some_and(|conversion| &*conversion.strategy == "Webhook");
    let stored = if is_converted { format!("objects stay in {before} until they are written again; the webhook converts them when read") } else { format!(
            "objects stay in {before} until they are written again; without conversion, fields that {after} does not have are lost then"
        ) };
    report
        .add(Class::Meaning, "", format!("the storage version changes from {before} to {after}"))
        .stored(stored);
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn another_storage_version() {
        let of = |first: bool| {
            format!(
                "versions: [{{name: v1, served: true, storage: {first}}}, {{name: v2, served: true, storage: {}}}]",
                !first
            )
        };
        let expected = "meaning : the storage version changes from v1 to v2";
        check(&FINDING, &of(true), &of(false), &[expected]);
        check(&FINDING, &of(true), &of(true), &[]);
    }
}
