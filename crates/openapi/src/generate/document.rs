//! Schemas as JSON values, as Go encodes a `JSONSchemaProps`: what is empty is left out.

use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_schema::{Items, Json, JsonSchema, SchemaOrBool, Str, ValidationRule};

/// Members of an object in the making.
pub(super) struct Members<'a> {
    pub(super) arena: &'a Arena,
    entries: Vec<Entry<'a>>,
}

impl<'a> Members<'a> {
    pub(super) fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            entries: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, key: &'a str, value: impl Into<Value<'a>>) {
        let value = value.into();
        self.entries.push(Entry { key, value });
    }

    pub(super) fn text(&mut self, key: &'a str, text: &'a str) {
        if !text.is_empty() {
            self.add(key, text);
        }
    }

    pub(super) fn truth(&mut self, key: &'a str, truth: bool) {
        if truth {
            self.add(key, true);
        }
    }

    pub(super) fn texts(&mut self, key: &'a str, texts: &'a [Str]) {
        if !texts.is_empty() {
            let values = texts.iter().map(|text| Value::from(&**text));
            let values: &[Value<'a>] = self.arena.alloc_slice_fill_iter(values);
            self.add(key, values);
        }
    }

    pub(super) fn list(&mut self, key: &'a str, values: Vec<Value<'a>>) {
        if !values.is_empty() {
            let values: &[Value<'a>] = self.arena.alloc_slice_copy(&values);
            self.add(key, values);
        }
    }

    fn optional(&mut self, key: &'a str, value: Option<impl Into<Value<'a>>>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }

    fn json(&mut self, key: &'a str, value: Option<&Json>) {
        if let Some(value) = value {
            self.add(key, value.value(self.arena));
        }
    }

    fn schemas(&mut self, key: &'a str, schemas: &'a [JsonSchema]) {
        let values = schemas.iter().map(|part| schema(self.arena, part)).collect();
        self.list(key, values);
    }

    pub(super) fn finish(self) -> Value<'a> {
        let entries = self.arena.alloc_slice_copy(&self.entries);
        Object::from_entries(self.arena, entries).into()
    }
}

/// A schema as a value.
pub(super) fn schema<'a>(arena: &'a Arena, of: &'a JsonSchema) -> Value<'a> {
    let mut made = Members::new(arena);
    made.text("description", &of.description);
    made.text("type", &of.ty);
    made.text("format", &of.format);
    made.text("title", &of.title);
    made.json("default", of.default.as_ref());
    made.optional("maximum", of.maximum);
    made.truth("exclusiveMaximum", of.exclusive_maximum);
    made.optional("minimum", of.minimum);
    made.truth("exclusiveMinimum", of.exclusive_minimum);
    made.optional("maxLength", of.max_length);
    made.optional("minLength", of.min_length);
    made.text("pattern", &of.pattern);
    made.optional("maxItems", of.max_items);
    made.optional("minItems", of.min_items);
    made.truth("uniqueItems", of.unique_items);
    made.optional("multipleOf", of.multiple_of);
    made.list(
        "enum",
        of.enum_values.iter().map(|value| value.value(arena)).collect(),
    );
    made.optional("maxProperties", of.max_properties);
    made.optional("minProperties", of.min_properties);
    made.texts("required", &of.required);
    if let Some(Items::Each(item)) = of.items.as_deref() {
        made.add("items", schema(arena, item));
    }
    made.schemas("allOf", &of.all_of);
    made.schemas("oneOf", &of.one_of);
    made.schemas("anyOf", &of.any_of);
    if let Some(not) = of.not.as_deref() {
        made.add("not", schema(arena, not));
    }
    if !of.properties.is_empty() {
        let mut properties = Members::new(arena);
        for (name, property) in &of.properties {
            properties.add(name, schema(arena, property));
        }
        made.add("properties", properties.finish());
    }
    match of.additional_properties.as_deref() {
        Some(SchemaOrBool::Schema(value)) => made.add("additionalProperties", schema(arena, value)),
        Some(SchemaOrBool::Allowed(allowed)) => made.add("additionalProperties", *allowed),
        None => {}
    }
    if let Some(docs) = &of.external_docs {
        let mut link = Members::new(arena);
        link.text("description", docs.description.as_deref().unwrap_or_default());
        link.text("url", &docs.url);
        made.add("externalDocs", link.finish());
    }
    made.json("example", of.example.as_ref());
    made.truth("nullable", of.nullable);
    made.optional("x-kubernetes-preserve-unknown-fields", of.preserve_unknown_fields);
    made.truth("x-kubernetes-embedded-resource", of.embedded_resource);
    made.truth("x-kubernetes-int-or-string", of.int_or_string);
    made.texts("x-kubernetes-list-map-keys", &of.list_map_keys);
    made.optional("x-kubernetes-list-type", of.list_type.as_deref());
    made.optional("x-kubernetes-map-type", of.map_type.as_deref());
    let rules = of
        .validations
        .iter()
        .map(|rule| validation(arena, rule))
        .collect();
    made.list("x-kubernetes-validations", rules);
    made.finish()
}

fn validation<'a>(arena: &'a Arena, rule: &'a ValidationRule) -> Value<'a> {
    let mut made = Members::new(arena);
    made.add("rule", &*rule.rule);
    made.text("message", &rule.message);
    made.text("messageExpression", &rule.message_expression);
    made.optional("reason", rule.reason.as_deref());
    made.text("fieldPath", &rule.field_path);
    made.optional("optionalOldSelf", rule.optional_old_self);
    made.finish()
}
