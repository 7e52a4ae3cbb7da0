//! `status.storedVersions`: versions that may still be in storage.

use kindsmith_json::Path;
use kindsmith_openapi::List;
use kindsmith_openapi::crd::{InternalDefinition, Version};
use kindsmith_schema::Str;

use super::faults::{Faults, json_list};

pub(super) fn check(stored: &List<Str>, versions: &[Version], path: &Path<'_>, faults: &mut Faults) {
    if stored.is_empty() {
        faults.invalid(path, json_list(stored), "must have at least one stored version");
        return;
    }
    for (index, version) in versions.iter().enumerate() {
        // A version counts once.
        let is_repeated = versions[..index].iter().any(|other| other.name == version.name);
        if version.storage && (is_repeated || !stored.contains(&version.name)) {
            let detail = format!("must have the storage version {}", version.name);
            faults.invalid(path, json_list(stored), &detail);
        }
    }
    for (index, name) in stored.iter().enumerate() {
        let repeated = stored[index + 1..].contains(name);
        if repeated || versions.iter().any(|version| version.name == *name) {
            continue;
        }
        let detail = format!(
            "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions \
             until a storage migration ensures no data remains persisted in {name} and removes {name} from \
             status.storedVersions"
        );
        faults.invalid(&path.index(index), &**name, &detail);
    }
}

/// Adds the current storage version.
pub(super) fn remember(definition: &mut InternalDefinition) {
    let Some(storage) = definition.spec.versions.iter().find(|version| version.storage) else {
        return;
    };
    let stored = &mut definition.status.stored_versions;
    if !stored.contains(&storage.name) {
        stored.make().push(storage.name.clone());
    }
}
