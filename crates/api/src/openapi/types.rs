//! The OpenAPI definitions of Go types.

use kindsmith_generate::openapi_gen::{self, Defaults, Elements, Names, Options, Version};
use kindsmith_json::{Arena, Value};
use kindsmith_object::{Behavior, PerRelease, Release};
use kindsmith_schema::{Profile, Schema};

use super::older;

/// The OpenAPI definitions of all built-in types, built on first use.
fn definitions(release: Release) -> &'static str {
    static DEFINITIONS: PerRelease<String> = PerRelease::new();
    DEFINITIONS.get(release, || {
        let own = kindsmith_builtin::types::schema_of(release);
        let text = openapi_gen::document_with(own, OPTIONS, elements(release)).text;
        older::document(release, text, &["components", "schemas"])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_about_a_published_schema() {
        let arena = Arena::new();
        let schemas = schemas(&arena, Release::NEWEST);
        let mut count = 0;
        for row in older::rows() {
            let schema = schemas.get(&row.schema).unwrap_or_default();
            let named = match row.property {
                Some(property) => schema.lookup(&["properties", property]),
                None => Some(schema),
            };
            assert!(named.is_some_and(|schema| !schema.is_null()), "{}", row.schema);
            assert!(["required", "enum", "list-type", "reference"].contains(&row.what));
            count += 1;
        }
        let lines = include_str!("older.txt").lines();
        assert_eq!(count, lines.filter(|line| !line.starts_with('#')).count());
        let releases: Vec<Release> = older::rows().map(|row| row.until).collect();
        assert!(releases.is_sorted_by(|left, right| left >= right));
    }

    #[test]
    fn older_releases_publish_what_they_did() {
        let arena = Arena::new();
        let required = |minor: u8, name: &str| {
            let schemas = schemas(&arena, Release::minor(minor));
            let schema = schemas.get(&format!("io.k8s.api.{name}")).unwrap_or_default();
            schema.get("required").map(kindsmith_json::to_string)
        };
        assert_eq!(required(36, "apps.v1.Deployment"), None);
        assert_eq!(required(37, "apps.v1.Deployment").as_deref(), Some(r#"["spec"]"#));
        assert_eq!(
            required(35, "authentication.v1.TokenRequest").as_deref(),
            Some(r#"["spec"]"#)
        );
        assert_eq!(required(36, "authentication.v1.TokenRequest"), None);
    }
}
