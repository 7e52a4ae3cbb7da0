//! Resource claims of pods, and their use by containers.

use std::collections::{BTreeSet, HashSet};

use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};

use super::spec::{MIRROR, Spec};
use crate::field::{Errors, Field};
use crate::field_check::{duplicate, invalid};
use crate::go_value::internal::{self, CORE};

/// The names of a pod's claims.
pub(super) fn names<'v>(claims: Field<'_, 'v>) -> BTreeSet<&'v str> {
    let names: BTreeSet<&str> = claims.items().map(|claim| claim.child("name").text()).collect();
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

/// Checks the claims of a pod.
pub(super) fn check_claims(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let is_static = spec.pod.is_some_and(|pod| pod.annotations.contains_key(MIRROR));
    let mut seen = HashSet::new();
    for claim in spec.child("resourceClaims").items() {
        if is_static {
            let detail = "static pods do not support resource claims";
            errors.push(crate::field_check::forbidden(
                &kindsmith_json::Path::root(""),
                detail,
            ));
            continue;
        }
        check_claim(&claim, &mut seen, errors);
    }
}

fn check_claim<'v>(claim: &Field<'_, 'v>, seen: &mut HashSet<&'v str>, errors: &mut Errors) {
    let name = claim.child("name");
    match name.text() {
        "" => name.required("", errors),
        text if seen.insert(text) => name.name(NameRule::Label, errors),
        _ => name.duplicate(errors),
    }
    let sources = ["resourceClaimName", "resourceClaimTemplateName"].map(|key| claim.child(key));
    let detail = match sources.iter().filter(|source| source.is_set()).count() {
        0 => "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`",
        1 => "",
        _ => "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
    };
    if !detail.is_empty() {
        let bad = internal::shown(claim.release, CORE, "PodResourceClaim", claim.value);
        errors.push(invalid(&claim.path, bad, detail));
    }
    for source in sources.iter().filter(|source| source.is_set()) {
        source.name(NameRule::Subdomain, errors);
    }
}

/// Checks the claims of a container: each is used once, either as a whole or by request.
pub(super) fn check_uses(uses: &Field<'_, '_>, known: &BTreeSet<&str>, errors: &mut Errors) {
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for used in uses.items() {
        let (name, request) = (used.child("name").text(), used.child("request"));
        if name.is_empty() {
            used.required("", errors);
            continue;
        }
        let part = request.text();
        if seen.contains(&(name, "")) {
            errors.push(duplicate(&used.path, name));
        } else {
            if !part.is_empty() {
                request.name(NameRule::Label, errors);
            }
            let again = seen
                .iter()
                .filter(|(other, other_part)| *other == name && (part.is_empty() || *other_part == part));
            for _ in again {
                let key = if part.is_empty() {
                    name.to_owned()
                } else {
                    format!("{name}/{part}")
                };
                errors.push(duplicate(&used.path, &key));
            }
            seen.push((name, part));
        }
        if !known.contains(name) {
            errors.push(unknown(&used, name, known));
        }
    }
}

fn unknown(used: &Field<'_, '_>, name: &str, known: &BTreeSet<&str>) -> FieldError {
    let names: Vec<&str> = known.iter().copied().collect();
    let tail = if names.is_empty() {
        " which is empty".to_owned()
    } else {
        format!(": {}", names.join(", "))
    };
    let detail = format!("must be one of the names in pod.spec.resourceClaims{tail}");
    FieldError::new(
        ErrorKind::NotFound,
        used.path.to_owned(),
        BadValue::Text(name.into()),
        Detail::Text(detail.into()),
    )
}
