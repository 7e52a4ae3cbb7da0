//! Names in the API that two fields claim, and groups with a single member.

use std::collections::BTreeMap;

use kindsmith_schema::JsonSchema;

use super::super::reader::{Mistake, Node, Weight, path_of};
use super::find;

pub(super) fn check(root: &Node<'_>, spec: &JsonSchema, mistakes: &mut Vec<Mistake>) {
    let fields = root.member("fields").entries();
    let mut taken: BTreeMap<String, &str> = BTreeMap::new();
    let mut groups: BTreeMap<&str, Vec<&Node<'_>>> = BTreeMap::new();
    for (path, node) in &fields {
        if let Some(group) = node.member("together").json.as_str() {
            let known = fields
                .iter()
                .filter_map(|(_, node)| node.json["together"].as_str());
            let group = known
                .into_iter()
                .find(|known| *known == group)
                .unwrap_or_default();
            groups.entry(group).or_default().push(node);
        }
        // A flag shares its name with the field that has the members.
        if ["none", "flag"]
            .iter()
            .any(|word| node.member("as").json == *word)
        {
            continue;
        }
        let api = node.member("api");
        let Some(name) = api.json.as_str() else {
            taken.insert(path.clone(), path);
            continue;
        };
        if path.matches("[*]").count() != name.matches("[*]").count() {
            let mistake = node.mistake(&format!(
                "`{path}` and `{name}` are in different numbers of lists"
            ));
            mistakes.push(mistake.cure("write `[*]` on both sides, or on none"));
        }
        if let Some(other) = taken.insert(name.to_owned(), path) {
            let mistake = node.mistake(&format!("`{other}` has the same name in the API: `{name}`"));
            mistakes.push(mistake.cure("give one of them another name, or `as: none`"));
        }
        let own = fields.iter().any(|(other, _)| other == name);
        let is_above = path.starts_with(&format!("{name}.")) || name.starts_with(&format!("{path}."));
        if name != path
            && !own
            && !is_above
            && find(spec, "spec", path_of(name)).is_ok()
            && !is_open(spec, name)
        {
            let mistake = node.mistake(&format!(
                "the CRD has a field `{name}` too, which would go to the same place"
            ));
            mistakes.push(mistake.cure(format!(
                "add `{name}` to `fields` with its own name, or with `as: none`"
            )));
        }
    }
    for (group, nodes) in groups {
        if let [node] = &nodes[..] {
            let mistake = node.mistake(&format!("`together: {group}` has no other field"));
            let cure = "give the same group to the fields that are sent with it, or remove it";
            mistakes.push(mistake.cure(cure).weight(Weight::Warning));
        }
    }
}

/// Whether a path is only there because something above it takes any member.
fn is_open(spec: &JsonSchema, path: &str) -> bool {
    let mut here = spec;
    for part in path_of(path) {
        let below = if *part == "[*]" {
            here.item()
        } else {
            here.property(part)
        };
        match below {
            Some(schema) => here = schema,
            None => return true,
        }
    }
    false
}
