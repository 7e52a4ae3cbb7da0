//! `/`: the list of paths.

use std::collections::BTreeSet;

use kindsmith_json::{Arena, Value};
use kindsmith_object::{Gate, Release};

use super::health::CHECKS;
use super::pretty;
use crate::registered::Registered;
use crate::{Catalog, Response};
use kindsmith_json::object_of;

/// Lists all paths that are not resources.
pub(super) fn answer(paths: &BTreeSet<String>) -> Response {
    let arena = Arena::new();
    let paths = paths.iter().map(|path| Value::Str(path)).collect::<Vec<_>>();
    pretty(object_of(
        &arena,
        &[("paths", Value::Array(arena.alloc_slice_copy(&paths)))],
    ))
}

/// All paths that are not resources.
pub(super) fn paths(
    (catalog, registered): (&Catalog, &Registered),
    release: Release,
    has_keys: bool,
) -> BTreeSet<String> {
    let fixed = [
        "/apis",
        "/apis/",
        "/metrics",
        "/metrics/slis",
        "/openapi/v2",
        "/openapi/v3",
        "/openapi/v3/",
        "/version",
    ];
    let mut paths: BTreeSet<String> = fixed.map(str::to_owned).into();
    for (gate, path) in [
        (Gate::ComponentFlagz, "/flagz"),
        (Gate::ComponentStatusz, "/statusz"),
    ] {
        if release.enables(gate) {
            paths.insert(path.to_owned());
        }
    }
    if has_keys {
        paths.extend(["/.well-known/openid-configuration", "/openid/v1/jwks"].map(str::to_owned));
    }
    for (name, endpoints) in CHECKS {
        paths.extend(endpoints.iter().map(|endpoint| format!("/{endpoint}/{name}")));
        paths.extend(endpoints.iter().map(|endpoint| format!("/{endpoint}")));
    }
    let served = catalog
        .served
        .iter()
        .map(|served| (&*served.group, &*served.version));
    let unserved = registered.unserved(catalog);
    for (group, version) in served.chain(unserved.map(|known| (&*known.group, &*known.version))) {
        paths.extend(match group {
            "" => ["/api".to_owned(), format!("/api/{version}")],
            group => [format!("/apis/{group}"), format!("/apis/{group}/{version}")],
        });
    }
    paths
}
