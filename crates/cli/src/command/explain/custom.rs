//! Pages from published schemas: CRDs and OpenAPI documents.

use kindsmith_emit::describe::{Ratchet, keywords};
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool};

use super::page::Entry;

/// Fields that every object has, even if its schema does not list them.
const RESOURCE_MEMBERS: [(&str, &str, &str); 3] = [
    (
        "apiVersion",
        "string",
        "The API group and version of the object, as `group/version`.",
    ),
    ("kind", "string", "The kind of the object."),
    (
        "metadata",
        "ObjectMeta",
        "What every Kubernetes object has: its name, namespace, labels, annotations, owners and finalizers.",
    ),
];

/// The entry at a path, with its fields; with all nested fields if `recursive`.
///
/// # Errors
///
/// The name that does not exist.
pub(super) fn entry(root: &JsonSchema, path: &[String], recursive: bool) -> Result<Entry, String> {
    let mut at = Place {
        name: "",
        schema: root,
        ratchet: Ratchet::Always,
        resource: true,
    };
    let mut entry = describe(&at, false);
    for name in path {
        let holder = at.holder();
        let Some(next) = holder.member(name) else {
            if holder.resource
                && let Some(known) = resource_member(name)
            {
                return Ok(known);
            }
            return Err(name.clone());
        };
        let required = holder.schema.required.iter().any(|member| **member == **name);
        entry = describe(&next, required);
        at = next;
    }
    entry.fields = at.fields(recursive);
    Ok(entry)
}

/// A schema, and how its field ratchets.
#[derive(Clone)]
struct Place<'s> {
    /// The field it belongs to.
    name: &'s str,
    schema: &'s JsonSchema,
    ratchet: Ratchet,
    /// Whether this is a whole Kubernetes object.
    resource: bool,
}

impl<'s> Place<'s> {
    /// Follows lists and maps to the schema that has fields.
    fn holder(&self) -> Place<'s> {
        let mut at = self.clone();
        // Schemas are finite trees, so the loop ends.
        while at.schema.properties.is_empty() {
            let Some(below) = at.item() else { break };
            at = below;
        }
        at
    }

    /// The schema of a list's items or a map's values.
    fn item(&self) -> Option<Place<'s>> {
        let (schema, keyed) = match (self.schema.items.as_deref(), self.schema.additional()) {
            (Some(Items::Each(item)), _) => (item, self.schema.list_type.as_deref() == Some("map")),
            (_, Some(value)) => (value, true),
            _ => return None,
        };
        let ratchet = match &self.ratchet {
            Ratchet::WithList(list) => Ratchet::WithList(list.clone()),
            _ if keyed => Ratchet::WhenChanged,
            _ => Ratchet::WithList(self.name.to_owned()),
        };
        Some(Place {
            name: self.name,
            schema,
            ratchet,
            resource: schema.embedded_resource,
        })
    }

    fn member(&self, name: &str) -> Option<Place<'s>> {
        let mut members = self.schema.properties.iter();
        let (name, schema) = members.find(|(member, _)| &**member == name)?;
        let ratchet = match &self.ratchet {
            Ratchet::WithList(list) => Ratchet::WithList(list.clone()),
            _ => Ratchet::WhenChanged,
        };
        Some(Place {
            name,
            schema,
            ratchet,
            resource: schema.embedded_resource,
        })
    }

    fn fields(&self, recursive: bool) -> Vec<Entry> {
        let holder = self.holder();
        let mut names: Vec<&str> = holder.schema.properties.iter().map(|(name, _)| &**name).collect();
        if holder.resource {
            let missing = RESOURCE_MEMBERS.iter().map(|(name, ..)| *name);
            names.extend(missing.filter(|name| holder.schema.property(name).is_none()));
        }
        names.sort_unstable();
        names
            .into_iter()
            .map(|name| holder.field(name, recursive))
            .collect()
    }

    fn field(&self, name: &str, recursive: bool) -> Entry {
        if self.resource
            && let Some(known) = resource_member(name)
        {
            let written = self.schema.property(name).map(|schema| &schema.description);
            return match written {
                Some(text) if !text.is_empty() => Entry {
                    description: text.to_string(),
                    ..known
                },
                _ => known,
            };
        }
        let Some(place) = self.member(name) else {
            return Entry::default();
        };
        let required = self.schema.required.iter().any(|member| &**member == name);
        let mut entry = describe(&place, required);
        if recursive {
            entry.fields = place.fields(true);
        }
        entry
    }
}

fn resource_member(name: &str) -> Option<Entry> {
    let (name, ty, description) = RESOURCE_MEMBERS.iter().find(|(member, ..)| *member == name)?;
    Some(Entry {
        name: (*name).to_owned(),
        ty: (*ty).to_owned(),
        description: (*description).to_owned(),
        ..Entry::default()
    })
}

fn describe(place: &Place<'_>, required: bool) -> Entry {
    let schema = place.schema;
    let mut facts = keywords(schema, &place.ratchet);
    if let Some(item) = place.item()
        && item.schema.properties.is_empty()
    {
        // Scalars in lists and maps have no page, so their rules are shown here.
        let below = keywords(item.schema, &item.ratchet).into_iter();
        facts.extend(below.map(|mut fact| {
            fact.text = format!("each: {}", fact.text);
            fact
        }));
    }
    Entry {
        name: place.name.to_owned(),
        ty: type_name(schema),
        required,
        description: descriptions(schema),
        allowed: schema.enum_values.iter().map(plain).collect(),
        facts,
        docs: schema.external_docs.as_ref().map(|docs| {
            let text = docs.description.as_deref().unwrap_or_default();
            (text.to_owned(), docs.url.to_string())
        }),
        fields: Vec::new(),
    }
}

/// A value for people: strings without quotes.
fn plain(value: &kindsmith_schema::Json) -> String {
    match serde_json::from_str(value.as_str()) {
        Ok(serde_json::Value::String(text)) => text,
        _ => value.as_str().to_owned(),
    }
}

/// The description, followed by those of items and values.
fn descriptions(schema: &JsonSchema) -> String {
    let mut texts = vec![schema.description.to_string()];
    texts.extend(
        schema
            .item()
            .into_iter()
            .chain(schema.additional())
            .map(descriptions),
    );
    texts.retain(|text| !text.is_empty());
    texts.join("\n")
}

/// kubectl's short form of a type.
fn type_name(schema: &JsonSchema) -> String {
    match (schema.items.as_deref(), schema.additional_properties.as_deref()) {
        (Some(Items::Each(item)), _) => format!("[]{}", type_name(item)),
        (_, Some(SchemaOrBool::Schema(value))) => format!("map[string]{}", type_name(value)),
        _ => match &*schema.ty {
            "" | "object" => "Object".to_owned(),
            ty => ty.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_schema::Shared;

    use super::*;

    fn schema() -> JsonSchema {
        let text = |description: &str| JsonSchema {
            ty: "string".into(),
            description: description.into(),
            max_length: Some(9),
            ..JsonSchema::default()
        };
        let object = |members: Vec<(&str, JsonSchema)>| JsonSchema {
            ty: "object".into(),
            properties: members
                .into_iter()
                .map(|(name, schema)| (name.into(), schema))
                .collect(),
            ..JsonSchema::default()
        };
        let list = |item: JsonSchema| JsonSchema {
            ty: "array".into(),
            items: Some(Shared::new(Items::Each(item))),
            ..JsonSchema::default()
        };
        let ports = list(object(vec![("name", text("Its name."))]));
        object(vec![(
            "spec",
            object(vec![("ports", ports), ("tags", list(text("A tag.")))]),
        )])
    }

    #[test]
    fn paths_go_through_lists() {
        let path: Vec<String> = ["spec", "ports", "name"].map(str::to_owned).into();
        let entry = entry(&schema(), &path, false).expect("it is there");
        assert_eq!((&*entry.ty, &*entry.description), ("string", "Its name."));
        let told: Vec<&str> = entry.facts.iter().map(|fact| &*fact.text).collect();
        assert_eq!(told[0], "at most 9 characters");
        assert!(told[1].starts_with("checked again whenever"), "{told:?}");
    }

    #[test]
    fn every_object_has_its_three_members() {
        let entry = entry(&schema(), &[], false).expect("the root is there");
        let names: Vec<&str> = entry.fields.iter().map(|field| &*field.name).collect();
        assert_eq!(names, ["apiVersion", "kind", "metadata", "spec"]);
    }

    #[test]
    fn a_wrong_name_is_named() {
        let path: Vec<String> = ["spec", "port"].map(str::to_owned).into();
        assert_eq!(entry(&schema(), &path, false).unwrap_err(), "port");
    }
}
