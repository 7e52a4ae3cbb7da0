//! Keywords of schemas as controller-gen's markers. CEL rules that a shorter marker stands for become that marker.

use kindsmith_gostd::float::format_f64_plain;
use kindsmith_json::Arena;
use kindsmith_schema::{JsonSchema, SharedVec, Str, ValidationRule};

use super::text::{any, quoted};

/// Where markers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    /// On the field.
    Field,
    /// On the declaration of a type.
    Type,
    /// On a field that is a list, for its items.
    Items,
}

/// Markers for the value itself: those that count wherever the type is used.
pub(super) fn of_value(schema: &JsonSchema, on: On) -> Vec<String> {
    let prefix = match on {
        On::Items => "kubebuilder:validation:items:",
        _ => "kubebuilder:validation:",
    };
    let mut made = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        made.extend(value.map(|value| format!("+{prefix}{name}={value}")));
    };
    add("Format", text(&schema.format));
    add("Maximum", schema.maximum.map(format_f64_plain));
    add("ExclusiveMaximum", flag(schema.exclusive_maximum));
    add("Minimum", schema.minimum.map(format_f64_plain));
    add("ExclusiveMinimum", flag(schema.exclusive_minimum));
    add("MultipleOf", schema.multiple_of.map(format_f64_plain));
    add("MaxLength", schema.max_length.map(|limit| limit.to_string()));
    add("MinLength", schema.min_length.map(|limit| limit.to_string()));
    add(
        "Pattern",
        (!schema.pattern.is_empty()).then(|| pattern(&schema.pattern)),
    );
    add("MaxItems", schema.max_items.map(|limit| limit.to_string()));
    add("MinItems", schema.min_items.map(|limit| limit.to_string()));
    add("UniqueItems", flag(schema.unique_items));
    add(
        "MaxProperties",
        schema.max_properties.map(|limit| limit.to_string()),
    );
    add(
        "MinProperties",
        schema.min_properties.map(|limit| limit.to_string()),
    );
    add("Enum", (!schema.enum_values.is_empty()).then(|| values(schema)));
    if schema.preserves_unknown_fields() {
        made.push(match on {
            On::Items => "+kubebuilder:validation:items:XPreserveUnknownFields".to_owned(),
            _ => "+kubebuilder:pruning:PreserveUnknownFields".to_owned(),
        });
    }
    if schema.embedded_resource {
        made.push(format!("+{prefix}XEmbeddedResource"));
    }
    if schema.int_or_string {
        made.push(format!("+{prefix}XIntOrString"));
    }
    made.extend(
        schema
            .list_type
            .iter()
            .map(|list_type| format!("+listType={list_type}")),
    );
    made.extend(
        schema
            .list_map_keys
            .iter()
            .map(|key| format!("+listMapKey={key}")),
    );
    made.extend(
        schema
            .map_type
            .iter()
            .map(|map_type| match schema.additional_properties {
                Some(_) => format!("+mapType={map_type}"),
                None => format!("+structType={map_type}"),
            }),
    );
    match &schema.validations[..] {
        [only] if on == On::Type && group(only).is_some() => made.extend(group(only)),
        all => made.extend(
            all.iter()
                .map(|rule| format!("+{prefix}XValidation:{}", arguments(rule))),
        ),
    }
    made
}

/// Markers that only a field can have.
pub(super) fn of_field(schema: &JsonSchema) -> Vec<String> {
    let arena = Arena::new();
    let mut made = Vec::new();
    if schema.nullable {
        made.push("+nullable".to_owned());
    }
    if !schema.title.is_empty() {
        made.push(format!("+kubebuilder:title={}", quoted(&schema.title)));
    }
    if let Some(docs) = &schema.external_docs {
        let description = docs
            .description
            .iter()
            .map(|text| format!(",description={}", quoted(text)));
        let description: String = description.collect();
        made.push(format!(
            "+kubebuilder:externalDocs:url={}{description}",
            quoted(&docs.url)
        ));
    }
    if let Some(example) = &schema.example {
        made.push(format!("+kubebuilder:example={}", any(example.value(&arena))));
    }
    if let Some(default) = &schema.default {
        made.push(format!("+default={}", default.as_str()));
    }
    made
}

fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn flag(is_set: bool) -> Option<String> {
    is_set.then(|| "true".to_owned())
}

fn pattern(pattern: &str) -> String {
    if pattern.contains('`') || pattern.chars().any(char::is_control) {
        quoted(pattern)
    } else {
        format!("`{pattern}`")
    }
}

fn values(schema: &JsonSchema) -> String {
    let arena = Arena::new();
    let values = schema.enum_values.iter().map(|json| {
        let value = json.value(&arena);
        let is_word = |text: &&str| {
            text.starts_with(|c: char| c.is_ascii_alphabetic())
                && text.chars().all(|c| c.is_ascii_alphanumeric())
                && !["true", "false"].contains(text)
        };
        match value.as_str().filter(is_word) {
            Some(word) => word.to_owned(),
            None => any(value),
        }
    });
    let values: Vec<String> = values.collect();
    values.join(";")
}

fn arguments(rule: &ValidationRule) -> String {
    let mut made = format!("rule={}", quoted(&rule.rule));
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            made.push_str(&format!(",{name}={}", quoted(value)));
        }
    };
    add("message", &rule.message);
    add("messageExpression", &rule.message_expression);
    add("fieldPath", &rule.field_path);
    if let Some(reason) = &rule.reason {
        made.push_str(&format!(",reason={reason}"));
    }
    if let Some(optional) = rule.optional_old_self {
        made.push_str(&format!(",optionalOldSelf={optional}"));
    }
    made
}

/// Members that `+k8s:immutable` describes, and the rules of the object that are not part of it.
///
/// controller-gen writes one rule on the member and, if it is optional, another one on the object: before all others, in
/// the order of the fields.
pub(super) fn immutable(schema: &JsonSchema) -> (Vec<Str>, SharedVec<ValidationRule>) {
    let said = schema
        .properties
        .iter()
        .filter(|(_, member)| matches!(&member.validations[..], [only] if is_immutable(only)));
    let said: Vec<&Str> = said.map(|(name, _)| name).collect();
    let mut rules = &schema.validations[..];
    let mut found = Vec::new();
    for name in said {
        if schema.required.contains(name) {
            found.push(name.clone());
        } else if let [first, rest @ ..] = rules
            && *first == once_set(name)
        {
            found.push(name.clone());
            rules = rest;
        }
    }
    (found, rules.to_vec().into())
}

fn once_set(name: &str) -> ValidationRule {
    ValidationRule {
        rule: format!("!has(oldSelf.{name}) || has(self.{name})").into(),
        message: format!("field {name} is immutable once set").into(),
        ..ValidationRule::default()
    }
}

/// Whether the rule is the one that controller-gen writes for `+k8s:immutable`.
fn is_immutable(rule: &ValidationRule) -> bool {
    let plain = ValidationRule {
        rule: "self == oldSelf".into(),
        message: "field is immutable".into(),
        ..ValidationRule::default()
    };
    *rule == plain
}

/// How many fields of a group are set: one, or one at most or at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Exactly,
    AtMost,
    AtLeast,
}

impl Group {
    /// The rule that controller-gen writes for the marker.
    pub(super) fn rule(self, names: &[Str]) -> ValidationRule {
        let each = |form: &dyn Fn(&Str) -> String, between: &str| {
            let parts: Vec<String> = names.iter().map(form).collect();
            parts.join(between)
        };
        let count = || each(&|name| format!("(has(self.{name})?1:0)"), "+");
        let text = match self {
            Self::Exactly => format!("{} == 1", count()),
            Self::AtMost => format!("{} <= 1", count()),
            Self::AtLeast => each(&|name| format!("has(self.{name})"), "||"),
        };
        let (front, end) = self.words();
        let listed = each(&|name| name.to_string(), " ");
        ValidationRule {
            rule: text.into(),
            message: format!("{front}{listed}{end}").into(),
            ..ValidationRule::default()
        }
    }

    fn marker(self) -> &'static str {
        match self {
            Self::Exactly => "+kubebuilder:validation:ExactlyOneOf",
            Self::AtMost => "+kubebuilder:validation:AtMostOneOf",
            Self::AtLeast => "+kubebuilder:validation:AtLeastOneOf",
        }
    }

    /// The message, before and after the names.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Exactly => ("exactly one of the fields in [", "] must be set"),
            Self::AtMost => ("at most one of the fields in [", "] may be set"),
            Self::AtLeast => ("at least one of the fields in [", "] must be set"),
        }
    }
}

/// The marker for a group of fields whose rule this is.
fn group(rule: &ValidationRule) -> Option<String> {
    let is_named = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
    for group in [Group::Exactly, Group::AtMost, Group::AtLeast] {
        let (front, end) = group.words();
        let listed = rule
            .message
            .strip_prefix(front)
            .and_then(|rest| rest.strip_suffix(end));
        let Some(listed) = listed else { continue };
        let names = listed
            .split(' ')
            .map(|name| Some(name).filter(is_named).map(Str::from));
        let names = names.collect::<Option<Vec<Str>>>()?;
        if *rule == group.rule(&names) {
            return Some(format!("{}={}", group.marker(), listed.replace(' ', ";")));
        }
    }
    None
}
