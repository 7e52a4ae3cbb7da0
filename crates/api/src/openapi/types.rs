//! The OpenAPI definitions of Go types.

use kindsmith_generate::openapi_gen::{self, Defaults, Elements, Names, Options, Version};
use kindsmith_json::{Arena, Value};
use kindsmith_object::{Behavior, PerRelease, Release};
use kindsmith_schema::{Profile, Schema};

/// The OpenAPI definitions of all built-in types, built on first use.
fn definitions(release: Release) -> &'static str {
    static DEFINITIONS: PerRelease<String> = PerRelease::new();
    DEFINITIONS.get(release, || {
        let own = kindsmith_builtin::types::schema_of(release);
        openapi_gen::document_with(own, OPTIONS, elements(release)).text
    })
}

/// What a release publishes of elements of lists and maps.
pub(super) fn elements(release: Release) -> Elements {
    if release.has(Behavior::ElementsWithoutDefaults) {
        Elements::Plain
    } else {
        Elements::Defaults
    }
}

/// The schemas of all built-in types by name.
pub(super) fn schemas(arena: &Arena, release: Release) -> Value<'_> {
    let document = kindsmith_json::parse_str(arena, definitions(release)).unwrap_or_default();
    document.lookup(&["components", "schemas"]).unwrap_or_default()
}

const OPTIONS: Options = Options {
    version: Version::V3,
    defaults: Defaults::All,
    validation: false,
    names: Names::Friendly,
};

/// The OpenAPI document of a user's Go types, whether openapi-gen is enabled for them or not.
pub(super) fn document(schema: &Schema, profile: Profile) -> String {
    openapi_gen::document_of_served(schema, OPTIONS, profile).text
}
