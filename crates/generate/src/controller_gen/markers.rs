//! Applies markers on fields and types to their schemas, in controller-gen's order.
//!
//! Markers were checked when they were read; invalid ones left no rule.

use kindsmith_json::Arena;
use kindsmith_schema::{
    Bound, CelRule, Default, Facet, Family, Field, Items, Json, JsonSchema, Limit, Rule, Str, Type,
    ValidationRule, Wrap,
};

use super::release::Change;
use super::{Options, Release, Tags};
use crate::go_floats::through_floats;
use crate::k8s_tags;

/// Whether controller-gen publishes the field as immutable.
pub(crate) fn is_immutable(field: &Field, release: Release) -> bool {
    let is = |rule: &Rule| rule.facet == Facet::Immutable && release.reads(rule);
    field.published.iter().any(is)
}

/// Whether the `+k8s:` tags that controller-gen reads count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Declarative {
    Read,
    Skip,
}

/// Applies the markers of a type.
pub(crate) fn on_type(ty: &Type, declarative: Declarative, options: &Options, schema: &mut JsonSchema) {
    let release = options.release;
    let published = ty.published.iter();
    let counts = |rule: &&Rule| declarative == Declarative::Read || rule.family != Family::Declarative;
    let rules = published.filter(counts).chain(own(&ty.rules));
    let rules = rules.filter(|rule| release.reads_on_type(rule)).collect();
    apply(rules, options, schema, &mut |schema| {
        let mut values: Vec<Json> = ty
            .constants
            .iter()
            .filter(|constant| constant.literal && constant.package == ty.name.package)
            .filter_map(|constant| constant.value.clone())
            .collect();
        if !values.is_empty() {
            values.sort();
            schema.ty = "string".into();
            schema.enum_values = values.into();
        }
    });
}

/// Applies the markers of a field.
pub(crate) fn on_field(field: &Field, carried: bool, options: &Options, schema: &mut JsonSchema) {
    let release = options.release;
    let default = match &field.default {
        Some(Default::Value(value)) if carried => Some(value),
        _ => field.published_default.as_ref(),
    };
    if let Some(value) = default {
        schema.default = Some(through_floats(value));
    }
    // Where tags are carried over, these are among them.
    let bounds = release.bounds(&field.rules).filter(|_| !carried);
    let rules = field.published.iter().chain(own(&field.rules)).chain(bounds);
    let rules = rules.filter(|rule| release.reads(rule)).collect();
    apply(rules, options, schema, &mut |_| {});
    if !carried && release.requires_content(&field.published) {
        require_content(schema);
    }
    if let Some(value) = &field.crd_default {
        // Empty braces may be a list or a map.
        let is_list = &*schema.ty == "array" && value.as_str() == "{}";
        schema.default = if is_list {
            Json::parse("[]").ok()
        } else {
            Some(value.clone())
        };
    }
}

/// What is required is not empty, unless a marker says how long it is. A reference is taken for an object.
fn require_content(schema: &mut JsonSchema) {
    let is_reference = schema.reference.is_some();
    let least = match &*schema.ty {
        "string" => &mut schema.min_length,
        "array" => &mut schema.min_items,
        "object" => &mut schema.min_properties,
        _ if is_reference => &mut schema.min_properties,
        _ => return,
    };
    least.get_or_insert(1);
}

/// The rules of controller-gen's own markers.
fn own(rules: &[Rule]) -> impl Iterator<Item = &Rule> {
    let is_items = |rule: &Rule| rule.wraps == [Wrap::EachVal];
    rules
        .iter()
        .filter(move |rule| rule.family == Family::Kubebuilder && (rule.is_plain() || is_items(rule)))
}

fn apply(
    mut rules: Vec<&Rule>,
    options: &Options,
    schema: &mut JsonSchema,
    set_enum: &mut dyn FnMut(&mut JsonSchema),
) {
    rules.sort_by_key(|rule| (!rule.wraps.is_empty(), priority(&rule.facet)));
    for rule in rules {
        match (&rule.wraps[..], &rule.facet) {
            ([], Facet::Enum) => set_enum(schema),
            ([], facet) => set(schema, facet, options),
            (_, facet) => {
                if let Some(Items::Each(item)) = schema.items.as_deref_mut() {
                    set(item, facet, options);
                }
            }
        }
    }
}

/// Smaller is earlier (controller-tools `pkg/crd/markers/priority.go` and the markers' `ApplyPriority`).
fn priority(facet: &Facet) -> u8 {
    match facet {
        Facet::Type(_) | Facet::IntOrString | Facet::ListType(_) => 9,
        Facet::AtMostOneOf(_) => 11,
        Facet::ExactlyOneOf(_) => 12,
        Facet::AtLeastOneOf(_) => 13,
        _ => 10,
    }
}

fn set(schema: &mut JsonSchema, facet: &Facet, options: &Options) {
    let release = options.release;
    match facet {
        Facet::Nullable => schema.nullable = true,
        Facet::MinLength(length) => schema.min_length = Some(*length),
        Facet::MaxLength(length) => schema.max_length = Some(*length),
        Facet::Pattern(pattern) => schema.pattern = pattern.clone(),
        Facet::Format(format) => schema.format = format.clone(),
        Facet::Minimum(bound) => schema.minimum = number(bound),
        Facet::Maximum(bound) => schema.maximum = number(bound),
        Facet::ExclusiveMinimum(exclusive) => schema.exclusive_minimum = *exclusive,
        Facet::ExclusiveMaximum(exclusive) => schema.exclusive_maximum = *exclusive,
        Facet::MultipleOf(number) => schema.multiple_of = float(number),
        Facet::MinItems(count) => schema.min_items = Some(*count),
        Facet::MaxItems(count) => schema.max_items = Some(*count),
        Facet::UniqueItems(unique) => schema.unique_items = *unique,
        Facet::MinProperties(count) => schema.min_properties = Some(*count),
        Facet::MaxProperties(count) => schema.max_properties = Some(*count),
        Facet::ListType(list) if &*schema.ty == "array" => schema.list_type = Some(list.name().into()),
        Facet::ListMapKey(key)
            if schema.list_type.as_deref() == Some("map")
                && !(release.has(Change::UniqueKeys) && schema.list_map_keys.contains(key)) =>
        {
            schema.list_map_keys.push(key.clone());
        }
        Facet::MapType(map) if &*schema.ty == "object" => schema.map_type = Some(map.name().into()),
        Facet::StructType(map) if matches!(&*schema.ty, "object" | "") => {
            schema.map_type = Some(map.name().into());
        }
        Facet::EnumValues(values) => schema.enum_values = values.clone().into(),
        Facet::Immutable if options.tags == Tags::Ignore => schema.validations.push(k8s_tags::immutable()),
        Facet::Immutable => schema.validations.push(k8s_tags::marked_immutable()),
        Facet::Cel(rule) => schema.validations.push(validation(rule)),
        Facet::Type(ty) => schema.ty = ty.clone(),
        Facet::PreserveUnknownFields => schema.preserve_unknown_fields = Some(true),
        Facet::EmbeddedResource => schema.embedded_resource = true,
        Facet::IntOrString => schema.int_or_string = true,
        Facet::AtMostOneOf(fields) if !fields.is_empty() => {
            let rule = format!("{} <= 1", release.count(fields));
            schema.validations.push(group(rule, "at most one", fields, "may"));
        }
        Facet::ExactlyOneOf(fields) if !fields.is_empty() => {
            let rule = format!("{} == 1", release.count(fields));
            schema
                .validations
                .push(group(rule, "exactly one", fields, "must"));
        }
        Facet::AtLeastOneOf(fields) if !fields.is_empty() => {
            schema
                .validations
                .push(group(release.any(fields), "at least one", fields, "must"));
        }
        Facet::Title(title) => schema.title = text(title),
        Facet::Example(example) => schema.example = Some(example.clone()),
        Facet::ExternalDocs(docs) => schema.external_docs = Some(docs.clone()),
        _ => {}
    }
}

fn group(rule: String, how_many: &str, fields: &[Str], verb: &str) -> ValidationRule {
    let message = format!("{how_many} of the fields in [{}] {verb} be set", fields.join(" "));
    ValidationRule {
        rule: rule.into(),
        message: message.into(),
        ..ValidationRule::default()
    }
}

fn validation(rule: &CelRule) -> ValidationRule {
    let or_empty = |text: &Option<Str>| text.clone().unwrap_or_default();
    ValidationRule {
        rule: rule.rule.clone(),
        message: or_empty(&rule.message),
        message_expression: or_empty(&rule.message_expression),
        reason: rule.reason.map(|reason| reason.name().into()),
        field_path: or_empty(&rule.field_path),
        optional_old_self: rule.optional_old_self,
        ..ValidationRule::default()
    }
}

fn number(bound: &Bound) -> Option<f64> {
    match &bound.limit {
        Limit::Number(number) => float(number),
        Limit::Field(_) => None,
    }
}

fn float(number: &Json) -> Option<f64> {
    let arena = Arena::new();
    number.value(&arena).as_f64()
}

fn text(json: &Json) -> Str {
    let arena = Arena::new();
    json.value(&arena).as_str().unwrap_or_default().into()
}
