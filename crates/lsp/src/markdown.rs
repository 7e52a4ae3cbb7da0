//! Pages for hovers: tags, and nodes of schemas.

use kindsmith_json::Arena;
use kindsmith_json::write::{Order, to_yaml};
use kindsmith_schema::{Items, JsonSchema};
use kindsmith_tags::Tag;

/// The page of a tag, with its form, arguments and the types it is for.
pub(crate) fn tag_page(tag: &Tag) -> String {
    let mut page = format!("```go\n// +{}{}\n```\n", tag.name, tag.form());
    for argument in tag.args {
        let name = if argument.name.is_empty() {
            "value"
        } else {
            argument.name
        };
        let need = if argument.required { "" } else { ", optional" };
        page.push_str(&format!(
            "- `{name}` ({}{need}): {}\n",
            argument.kind.word(),
            argument.docs
        ));
    }
    page.push_str(&format!("\nFor {}.\n\n{}\n", tag.types, tag.docs.trim_end()));
    page
}

/// A schema as a CRD shows it, without the descriptions and fields below it.
pub(crate) fn fragment(name: &str, schema: &JsonSchema) -> String {
    let mut shown = schema.clone();
    shallow(&mut shown, 2);
    let arena = Arena::new();
    let yaml = to_yaml(kindsmith_openapi::schema::write(&shown, &arena), Order::Kept);
    let indented: String = yaml.lines().map(|line| format!("  {line}\n")).collect();
    format!("```yaml\n{name}:\n{indented}```\n")
}

/// Leaves out descriptions, and what lies deeper than some levels.
fn shallow(schema: &mut JsonSchema, depth: usize) {
    schema.description = "".into();
    if depth == 0 {
        schema.properties = std::iter::empty().collect();
        schema.items = None;
        schema.additional_properties = None;
        return;
    }
    for (_, below) in &mut schema.properties {
        shallow(below, depth - 1);
    }
    if let Some(items) = &mut schema.items
        && let Items::Each(item) = &mut **items
    {
        shallow(item, depth);
    }
}

/// What a field of a manifest is: its type, description, default and allowed values.
pub(crate) fn field_page(name: &str, schema: &JsonSchema, is_required: bool) -> String {
    let need = if is_required { ", required" } else { "" };
    let mut page = format!(
        "**{name}** `{}`{need}\n\n{}\n",
        type_name(schema),
        schema.description
    );
    if let Some(default) = &schema.default {
        page.push_str(&format!("\nDefault: `{default}`\n"));
    }
    if !schema.enum_values.is_empty() {
        let values: Vec<String> = schema
            .enum_values
            .iter()
            .map(|value| format!("`{value}`"))
            .collect();
        page.push_str(&format!("\nAllowed: {}\n", values.join(", ")));
    }
    for rule in &schema.validations {
        page.push_str(&format!("\nRule: `{}` {}\n", rule.rule, rule.message));
    }
    page
}

/// kubectl's short form of a type.
pub(crate) fn type_name(schema: &JsonSchema) -> String {
    match (schema.item(), schema.additional(), &*schema.ty) {
        (Some(item), ..) => format!("[]{}", type_name(item)),
        (_, Some(value), _) => format!("map[string]{}", type_name(value)),
        _ if schema.int_or_string => "int-or-string".to_owned(),
        (.., "" | "object") => "Object".to_owned(),
        (.., ty) => ty.to_owned(),
    }
}
