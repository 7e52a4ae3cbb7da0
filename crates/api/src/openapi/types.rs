//! The OpenAPI definitions of Go types.

use std::sync::OnceLock;

use kindsmith_generate::openapi_gen::{self, Defaults, Names, Options, Version};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Profile, Schema};

/// The OpenAPI definitions of all built-in types, built on first use.
fn definitions() -> &'static str {
    static DEFINITIONS: OnceLock<String> = OnceLock::new();
    DEFINITIONS.get_or_init(|| document(kindsmith_builtin::types::own_schema(), Profile::Upstream))
}

/// The schemas of all built-in types by name.
pub(super) fn schemas(arena: &Arena) -> Value<'_> {
    let document = kindsmith_json::parse_str(arena, definitions()).unwrap_or_default();
    document.lookup(&["components", "schemas"]).unwrap_or_default()
}

/// The OpenAPI document of Go types.
pub(super) fn document(schema: &Schema, profile: Profile) -> String {
    let options = Options {
        version: Version::V3,
        defaults: Defaults::All,
        validation: false,
        names: Names::Friendly,
    };
    openapi_gen::document_as(schema, options, profile).text
}
