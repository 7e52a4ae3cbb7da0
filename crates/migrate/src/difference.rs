//! Where two CRDs for the same kind differ.

use std::fmt;

use kindsmith_json::{Arena, Value, to_string};
use kindsmith_openapi::crd::Definition;
use kindsmith_schema::Str;

/// Something that a CRD says and the types do not, or the other way round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The CRD.
    pub crd: Str,
    /// Version and place in objects: `v1 spec.template`.
    pub at: String,
    /// The keyword of the schema, or the setting of the CRD.
    pub keyword: String,
    /// Its value in the CRD, as JSON.
    pub before: Option<String>,
    /// Its value in the generated CRD, as JSON.
    pub after: Option<String>,
}

/// What a difference is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyword {
    /// Words for people: objects get the same answers.
    Words,
    /// Something that markers cannot say.
    NoMarker,
    /// Anything else.
    Other,
}

impl Difference {
    /// What it is about.
    #[must_use]
    pub fn about(&self) -> Keyword {
        match self.keyword.as_str() {
            "description" | "title" | "example" | "externalDocs" => Keyword::Words,
            "allOf"
            | "anyOf"
            | "oneOf"
            | "not"
            | "additionalProperties"
            | "conversion"
            | "patternProperties"
            | "metadata" => Keyword::NoMarker,
            _ => Keyword::Other,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |value: &Option<String>| match value {
            None => "nothing".to_owned(),
            Some(text) if text.chars().count() > 60 => {
                format!("{}…", text.chars().take(60).collect::<String>())
            }
            Some(text) => text.clone(),
        };
        let (before, after) = (short(&self.before), short(&self.after));
        write!(
            out,
            "{}: {}: `{}` was {before}, is {after}",
            self.crd, self.at, self.keyword
        )?;
        if self.about() == Keyword::NoMarker {
            out.write_str(" (no marker says it)")?;
        }
        Ok(())
    }
}

/// Where the generated CRD differs.
#[must_use]
pub fn compare(definition: &Definition, generated: &[Definition]) -> Vec<Difference> {
    let name: Str = format!("{}.{}", definition.spec.names.plural, definition.spec.group).into();
    let is_it = |other: &&Definition| {
        other.spec.group == definition.spec.group && other.spec.names.kind == definition.spec.names.kind
    };
    let Some(other) = generated.iter().find(is_it) else {
        return vec![Difference {
            crd: name.clone(),
            at: "spec".to_owned(),
            keyword: "names".to_owned(),
            before: Some(name.to_string()),
            after: None,
        }];
    };
    let arena = Arena::new();
    let (before, after) = (definition.to_value(&arena), other.to_value(&arena));
    let mut found = Walk {
        crd: name,
        found: Vec::new(),
    };
    for key in ["group", "names", "scope"] {
        found.keyword(
            "spec",
            key,
            before.lookup(&["spec", key]),
            after.lookup(&["spec", key]),
        );
    }
    let conversion = before.lookup(&["spec", "conversion", "strategy"]);
    if conversion
        .and_then(Value::as_str)
        .is_some_and(|strategy| strategy != "None")
    {
        found.keyword("spec", "conversion", before.lookup(&["spec", "conversion"]), None);
    }
    for version in versions(before) {
        let name = version.get("name").and_then(Value::as_str).unwrap_or_default();
        let same = |other: &&Value<'_>| other.get("name").and_then(Value::as_str) == Some(name);
        let all = versions(after);
        let other = all.iter().find(same).copied().unwrap_or(Value::Null);
        found.version(name, *version, other);
    }
    found.found
}

fn versions(crd: Value<'_>) -> &[Value<'_>] {
    let versions = crd.lookup(&["spec", "versions"]).and_then(Value::as_array);
    versions.unwrap_or_default()
}

struct Walk {
    crd: Str,
    found: Vec<Difference>,
}

impl Walk {
    fn version(&mut self, name: &str, before: Value<'_>, after: Value<'_>) {
        let keys = [
            "served",
            "storage",
            "deprecated",
            "deprecationWarning",
            "additionalPrinterColumns",
            "selectableFields",
        ];
        for key in keys {
            self.keyword(name, key, before.get(key), after.get(key));
        }
        for key in ["status", "scale"] {
            let path = ["subresources", key];
            self.keyword(name, key, before.lookup(&path), after.lookup(&path));
        }
        let path = ["schema", "openAPIV3Schema"];
        self.schema(name, true, before.lookup(&path), after.lookup(&path));
    }

    /// Compares two schemas, member by member.
    fn schema(&mut self, at: &str, is_root: bool, before: Option<Value<'_>>, after: Option<Value<'_>>) {
        let (Some(one), Some(other)) = (
            before.and_then(Value::as_object),
            after.and_then(Value::as_object),
        ) else {
            self.keyword(at, "schema", before, after);
            return;
        };
        let mut keys: Vec<&str> = one
            .entries()
            .iter()
            .chain(other.entries())
            .map(|entry| entry.key)
            .collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let (before, after) = (one.get(key), other.get(key));
            match key {
                "properties" => self.properties(at, is_root, before, after),
                "items" if before.is_some() && after.is_some() => {
                    self.schema(&format!("{at}[]"), false, before, after);
                }
                "additionalProperties" if both_objects(before, after) => {
                    self.schema(&format!("{at}[*]"), false, before, after);
                }
                _ => self.keyword(at, key, before, after),
            }
        }
    }

    fn properties(&mut self, at: &str, is_root: bool, before: Option<Value<'_>>, after: Option<Value<'_>>) {
        let members = |of: Option<Value<'_>>| -> Vec<String> {
            let of = of.and_then(Value::as_object).unwrap_or_default();
            of.entries().iter().map(|entry| entry.key.to_owned()).collect()
        };
        let mut names = members(before);
        names.extend(members(after));
        names.sort_unstable();
        names.dedup();
        for name in &names {
            let [before, after] = [before, after].map(|all| all.and_then(|all| all.get(name)));
            if is_root && ["apiVersion", "kind"].contains(&name.as_str()) {
                // Their words come from the library.
                continue;
            }
            let between = if is_root { ' ' } else { '.' };
            let at = format!("{at}{between}{name}");
            if is_root && name == "metadata" {
                self.metadata(&at, before);
                continue;
            }
            self.schema(&at, false, before, after);
        }
    }

    /// Rules for metadata, which generated CRDs cannot have.
    fn metadata(&mut self, at: &str, before: Option<Value<'_>>) {
        let said = before.and_then(Value::as_object).unwrap_or_default();
        let says_more = said
            .entries()
            .iter()
            .any(|entry| !["type", "description"].contains(&entry.key));
        if says_more {
            self.keyword(at, "metadata", before, None);
        }
    }

    fn keyword(&mut self, at: &str, keyword: &str, before: Option<Value<'_>>, after: Option<Value<'_>>) {
        let [before, after] = [before, after].map(|value| {
            let value = value.filter(|value| !value.is_null() && !is_empty(*value))?;
            Some(canonical(keyword, value))
        });
        if before == after {
            return;
        }
        self.found.push(Difference {
            crd: self.crd.clone(),
            at: at.to_owned(),
            keyword: keyword.to_owned(),
            before,
            after,
        });
    }
}

fn both_objects(one: Option<Value<'_>>, other: Option<Value<'_>>) -> bool {
    let is = |value: Option<Value<'_>>| value.and_then(Value::as_object).is_some();
    is(one) && is(other)
}

fn is_empty(value: Value<'_>) -> bool {
    value.as_array().is_some_and(<[_]>::is_empty) || value.as_bool() == Some(false)
}

/// The value as text, in which order counts only where it does for the API server.
fn canonical(keyword: &str, value: Value<'_>) -> String {
    match (keyword, value.as_array()) {
        ("required" | "x-kubernetes-list-map-keys", Some(items)) => {
            let mut items: Vec<String> = items.iter().map(|item| to_string(*item)).collect();
            items.sort_unstable();
            format!("[{}]", items.join(","))
        }
        _ => sorted(value),
    }
}

/// Compact JSON with sorted keys.
fn sorted(value: Value<'_>) -> String {
    kindsmith_json::write::Format::default()
        .order(kindsmith_json::write::Order::Sorted)
        .to_string(value)
}
