//! The server's own types merge as Kubernetes publishes: client-go contains the merge schema of all kinds. Needs that
//! module from the Go toolchain; without it the test prints that it was skipped.

use std::collections::HashMap;

use kindsmith_json::{Arena, Value, yaml};
use kindsmith_merge::Topology;
use kindsmith_testkit::text;
use kindsmith_testkit::tool::{Tool, download, left_out};

const MODULE: &str = "k8s.io/client-go@v0.37.2";
/// Deeper members are omitted on both sides.
const MAX_DEPTH: usize = 12;

fn schema_text() -> Option<String> {
    let source = download(MODULE)?.join("applyconfigurations/internal/internal.go");
    text(&source).split('`').nth(1).map(str::to_owned)
}

struct Published<'a>(HashMap<&'a str, Value<'a>>);

impl<'a> Published<'a> {
    /// Resolves a reference or an inlined type.
    fn resolve(&self, reference: Value<'a>) -> (Option<&'a str>, Value<'a>) {
        match reference.get("namedType").and_then(Value::as_str) {
            Some(name) => (Some(name), self.0.get(name).copied().unwrap_or_default()),
            None => (None, reference),
        }
    }

    fn outline(&self, reference: Value<'a>, path: &str, inside: &mut Vec<&'a str>, lines: &mut Vec<String>) {
        let (name, atom) = self.resolve(reference);
        if let Some(scalar) = atom.get("scalar").and_then(Value::as_str) {
            let kind = match scalar {
                _ if atom.get("map").is_some() => "any",
                "numeric" => "number",
                "untyped" => "scalar",
                known => known,
            };
            lines.push(format!("{path}: {kind}"));
            return;
        }
        if inside.len() == MAX_DEPTH || name.is_some_and(|name| inside.contains(&name)) {
            return;
        }
        inside.push(name.unwrap_or(""));
        if let Some(list) = atom.get("list") {
            lines.push(format!("{path}: {}", self.list(list)));
            self.outline(
                list.get("elementType").unwrap_or_default(),
                &format!("{path}[]"),
                inside,
                lines,
            );
        }
        if let Some(map) = atom.get("map") {
            let relationship = reference
                .get("elementRelationship")
                .or_else(|| map.get("elementRelationship"));
            let is_atomic = relationship.and_then(Value::as_str) == Some("atomic");
            lines.push(format!(
                "{path}: {}",
                if is_atomic { "atomic" } else { "granular" }
            ));
            for field in map.get("fields").and_then(Value::as_array).unwrap_or_default() {
                let name = field.get("name").and_then(Value::as_str).unwrap_or_default();
                self.outline(
                    field.get("type").unwrap_or_default(),
                    &format!("{path}.{name}"),
                    inside,
                    lines,
                );
            }
            if let Some(element) = map.get("elementType") {
                self.outline(element, &format!("{path}{{}}"), inside, lines);
            }
        }
        inside.pop();
    }

    fn list(&self, list: Value<'a>) -> String {
        if list.get("elementRelationship").and_then(Value::as_str) != Some("associative") {
            return "atomic list".to_owned();
        }
        let Some(keys) = list.get("keys").and_then(Value::as_array) else {
            return "set".to_owned();
        };
        let (_, element) = self.resolve(list.get("elementType").unwrap_or_default());
        let fields = element
            .lookup(&["map", "fields"])
            .and_then(Value::as_array)
            .unwrap_or_default();
        let mut keys: Vec<String> = keys
            .iter()
            .filter_map(|key| key.as_str())
            .map(|key| {
                let field = fields
                    .iter()
                    .find(|field| field.get("name").and_then(Value::as_str) == Some(key));
                match field.and_then(|field| field.get("default")) {
                    Some(default) => format!("{key}={}", kindsmith_json::to_string(default)),
                    None => key.to_owned(),
                }
            })
            .collect();
        keys.sort();
        format!("map by {}", keys.join(", "))
    }
}

/// client-go's schema comes from OpenAPI version 2, which has a type for int-or-string values and none for raw fields.
fn comparable(mut lines: Vec<String>) -> Vec<String> {
    for line in &mut lines {
        *line = line.replace(": any", ": scalar");
    }
    lines.retain(|line| !line.contains(".managedFields[]"));
    lines.sort();
    lines.dedup();
    lines
}

#[test]
fn the_servers_own_types_merge_as_published() {
    let Some(text) = schema_text() else {
        left_out(Tool::Go, "the merge schema that client-go carries");
        return;
    };
    let arena = Arena::new();
    let document = yaml::parse(&arena, text.as_bytes()).expect("the schema is YAML");
    let types = document
        .get("types")
        .and_then(Value::as_array)
        .expect("there are types");
    let named = types
        .iter()
        .filter_map(|ty| Some((ty.get("name")?.as_str()?, *ty)));
    let published = Published(named.collect());
    let schema = kindsmith_builtin::types::own_schema();
    let (mut compared, mut wrong) = (0, Vec::new());
    for kind in schema.kinds() {
        let ty = schema.ty(kind.ty);
        let Some(package) = ty.name.package.strip_prefix("k8s.io/api/") else {
            continue;
        };
        let name = format!("io.k8s.api.{}.{}", package.replace('/', "."), ty.name.name);
        let Some(root) = published.0.get(&*name) else {
            continue;
        };
        compared += 1;
        let mut expected = Vec::new();
        published.outline(*root, "", &mut Vec::new(), &mut expected);
        let expected = comparable(expected);
        let found = comparable(Topology::of_type(schema, kind.ty).outline());
        let missing = expected
            .iter()
            .filter(|line| !found.contains(line))
            .map(|line| format!("{name} - {line}"));
        let extra = found
            .iter()
            .filter(|line| !expected.contains(line))
            .map(|line| format!("{name} + {line}"));
        wrong.extend(missing.chain(extra));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 10, "only {compared} kinds were compared");
}
