//! Where an expression is written, as `spec.containers[].name` or as a JSON pointer into the schema.

use kindsmith_schema::JsonSchema;

/// Turns a dotted path into a JSON pointer; a JSON pointer stays as it is. `[]` means the items of a list, any name or
/// `{}` the values of a map.
pub(super) fn pointer(schema: &JsonSchema, path: &str) -> Result<String, String> {
    if path.is_empty() || path.starts_with('/') {
        schema
            .at(path)
            .ok_or_else(|| format!("the schema has no node `{path}`"))?;
        return Ok(path.to_owned());
    }
    let mut pointer = String::new();
    for part in path.trim_start_matches('.').split('.') {
        let (name, brackets) = part.split_at(part.find(['[', '{']).unwrap_or(part.len()));
        if !name.is_empty() {
            step(schema, &mut pointer, name)?;
        }
        for bracket in brackets.split_inclusive([']', '}']) {
            pointer.push_str(if bracket.starts_with('{') {
                "/additionalProperties"
            } else {
                "/items"
            });
        }
        if schema.at(&pointer).is_none() {
            return Err(format!("the schema has no node `{path}`: nothing is at `{part}`"));
        }
    }
    Ok(pointer)
}

fn step(schema: &JsonSchema, pointer: &mut String, name: &str) -> Result<(), String> {
    let node = schema.at(pointer).ok_or("a node on the way is there")?;
    if node.property(name).is_none() && node.additional().is_some() {
        pointer.push_str("/additionalProperties");
        return Ok(());
    }
    if node.property(name).is_none() {
        let names: Vec<&str> = node.properties.iter().map(|(name, _)| &**name).collect();
        return Err(match &names[..] {
            [] => format!("no field `{name}`"),
            names => format!("no field `{name}`; available: {}", names.join(", ")),
        });
    }
    pointer.push_str("/properties/");
    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use kindsmith_json::Arena;

    use super::*;

    fn check(path: &str, expected: &str) {
        let arena = Arena::new();
        let text = r#"{"type": "object", "properties": {"spec": {"type": "object", "properties": {
            "l": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
            "m": {"type": "object", "additionalProperties": {"type": "string"}}}}}}"#;
        let value = kindsmith_json::parse_str(&arena, text).expect("JSON");
        let (schema, _) = kindsmith_openapi::schema::read(value).expect("a schema");
        let found = pointer(&schema, path).unwrap_or_else(|error| format!("error: {error}"));
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn paths_follow_the_schema() {
        check("", "");
        check("spec", "/properties/spec");
        check(".spec.l", "/properties/spec/properties/l");
        check("spec.l[]", "/properties/spec/properties/l/items");
        check("spec.l[*][0]", "/properties/spec/properties/l/items/items");
        check("spec.m.key", "/properties/spec/properties/m/additionalProperties");
        check("spec.m{}", "/properties/spec/properties/m/additionalProperties");
        check("/properties/spec", "/properties/spec");
        check("/spec", "error: the schema has no node `/spec`");
        check("spec.x", "error: no field `x`; available: l, m");
        check(
            "spec.m[]",
            "error: the schema has no node `spec.m[]`: nothing is at `m[]`",
        );
    }
}
