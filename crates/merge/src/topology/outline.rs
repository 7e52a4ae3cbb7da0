//! A readable list of how every member merges.

use super::{AtomId, KeyDefault, Map, Scalar, Topology};

/// Members nested deeper are left out; only recursive types get there.
const MAX_DEPTH: usize = 12;

impl Topology {
    /// One line for each member, its path first: `.spec.ports: map by port, protocol="TCP"`, by path.
    ///
    /// List items are `[]`, members of maps `{}`. A recursive type is listed once.
    #[must_use]
    pub fn outline(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.outline_of(self.root, &mut String::new(), &mut Vec::new(), &mut lines);
        lines.sort();
        lines
    }

    fn outline_of(&self, id: AtomId, path: &mut String, inside: &mut Vec<AtomId>, lines: &mut Vec<String>) {
        let atom = self.atom(id);
        if atom.scalar.is_some() {
            let kind = match atom.scalar {
                _ if atom.map.is_some() || atom.list.is_some() => "any",
                Some(Scalar::Numeric) => "number",
                Some(Scalar::String) => "string",
                Some(Scalar::Boolean) => "boolean",
                _ => "scalar",
            };
            lines.push(format!("{path}: {kind}"));
            return;
        }
        if inside.len() == MAX_DEPTH || inside.contains(&id) {
            return;
        }
        inside.push(id);
        if let Some(list) = &atom.list {
            let keys: Vec<String> = list
                .keys
                .iter()
                .map(|key| shown_key(&key.name, key.default.as_ref()))
                .collect();
            let kind = match (list.associative, keys.is_empty()) {
                (false, _) => "atomic list".to_owned(),
                (true, true) => "set".to_owned(),
                (true, false) => format!("map by {}", keys.join(", ")),
            };
            lines.push(format!("{path}: {kind}"));
            self.outline_below("[]", list.element, path, inside, lines);
        }
        if let Some(map) = &atom.map {
            lines.push(format!(
                "{path}: {}",
                if map.atomic { "atomic" } else { "granular" }
            ));
            self.outline_members(map, path, inside, lines);
        }
        inside.pop();
    }

    fn outline_members(
        &self,
        map: &Map,
        path: &mut String,
        inside: &mut Vec<AtomId>,
        lines: &mut Vec<String>,
    ) {
        for field in &map.fields {
            self.outline_below(&format!(".{}", field.name), field.ty, path, inside, lines);
        }
        if let Some(element) = map.element {
            self.outline_below("{}", element, path, inside, lines);
        }
    }

    fn outline_below(
        &self,
        step: &str,
        id: AtomId,
        path: &mut String,
        inside: &mut Vec<AtomId>,
        lines: &mut Vec<String>,
    ) {
        let length = path.len();
        path.push_str(step);
        self.outline_of(id, path, inside, lines);
        path.truncate(length);
    }
}

fn shown_key(name: &str, default: Option<&KeyDefault>) -> String {
    match default {
        None => name.to_owned(),
        Some(KeyDefault::Bool(truth)) => format!("{name}={truth}"),
        Some(KeyDefault::Int(number)) => format!("{name}={number}"),
        Some(KeyDefault::Str(text)) => format!("{name}={text:?}"),
        Some(KeyDefault::Other(json)) => format!("{name}={json}"),
    }
}
