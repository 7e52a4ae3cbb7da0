//! Endpoint slices (pkg/registry/discovery/endpointslice/strategy.go). Addresses, ports and hints are not checked yet.

use kindsmith_json::Arena;

use crate::edit::each;
use crate::rule::text;
use crate::{Change, DecodedObject, Preparation, Strategy};

#[derive(Debug)]
pub(crate) struct EndpointSlice;

impl Strategy for EndpointSlice {
    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        match preparation.old {
            None => draft.meta.generation = 1,
            Some(old) if has_changed(preparation, draft, old) => {
                draft.meta.generation = old.meta.generation.saturating_add(1);
            }
            Some(_) => {}
        }
        drop_topology(preparation.arena, draft);
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let is_name = text(change.get(&["addressType"])) == "FQDN";
        match change.old.is_none() && is_name {
            true => vec!["spec.addressType: FQDN endpoints are deprecated".to_owned()],
            false => Vec::new(),
        }
    }
}

fn has_changed(
    preparation: &Preparation<'_, '_>,
    draft: &DecodedObject<'_>,
    old: &DecodedObject<'_>,
) -> bool {
    let content = ["addressType", "endpoints", "ports"];
    let is_same = content.iter().all(|key| preparation.is_same(draft, old, key));
    !is_same || draft.meta.labels != old.meta.labels
}

/// Topology could only be written in an older version, which is not served.
fn drop_topology<'a>(arena: &'a Arena, draft: &mut DecodedObject<'a>) {
    let mut object = draft.value();
    each(arena, &mut object, "endpoints", |endpoint| {
        let mut endpoint = endpoint;
        endpoint.unset(arena, &["deprecatedTopology"]).map(|_| endpoint)
    });
    draft.object = object.as_object().unwrap_or(draft.object);
}
