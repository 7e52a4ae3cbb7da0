//! `/`: the list of paths.

use std::collections::BTreeSet;

use kindsmith_json::{Arena, Value};
use kindsmith_object::{Gate, Release};

use super::health::CHECKS;
use super::pretty;
use crate::{Catalog, Response};
use kindsmith_json::object_of;

/// Lists all paths that are not resources.
pub(super) fn answer(catalog: &Catalog, release: Release, has_keys: bool) -> Response {
    let paths = paths(catalog, release, has_keys);
    let arena = Arena::new();
    let paths = paths.iter().map(|path| Value::Str(path)).collect::<Vec<_>>();
    pretty(object_of(
        &arena,
        &[("paths", Value::Array(arena.alloc_slice_copy(&paths)))],
    ))
}

/// All paths that are not resources.
pub(super) fn paths(catalog: &Catalog, release: Release, has_keys: bool) -> BTreeSet<String> {
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
    for served in &catalog.served {
        match &*served.group {
            "" => paths.extend(["/api".to_owned(), format!("/api/{}", served.version)]),
            group => paths.extend([
                format!("/apis/{group}"),
                format!("/apis/{group}/{}", served.version),
            ]),
        }
    }
    paths
}
