//! Requirements of the API server on a whole schema that no single tag can see: transition rules need
//! elements that can be correlated, keys of lists must be required, elements of sets are replaced as a whole.

use kindsmith_schema::{Items, Json, JsonSchema, SchemaOrBool, SharedVec, Str, ValidationRule, WithoutOld};

use super::empty;
use super::marks::IMPLIED;

/// Adjusts a schema with our rules for a CRD.
pub(crate) fn settle(schema: &mut JsonSchema) {
    node(schema, true);
}

/// Removes what [`settle`] would have read from a schema that is not settled.
pub(crate) fn forget_marks(schema: &mut JsonSchema) {
    if &*schema.schema == IMPLIED {
        schema.schema = Str::default();
    }
    forget_marks_of(&mut schema.validations);
    if let Some(Items::Each(item)) = schema.items.as_deref_mut() {
        forget_marks(item);
    }
    schema
        .properties
        .iter_mut()
        .for_each(|(_, property)| forget_marks(property));
    if let Some(SchemaOrBool::Schema(value)) = schema.additional_properties.as_deref_mut() {
        forget_marks(value);
    }
}

/// `told_apart`: whether the server can find the old value of this one.
fn node(schema: &mut JsonSchema, told_apart: bool) {
    if !told_apart && !schema.validations.is_empty() {
        forget_old(&mut schema.validations);
    }
    forget_marks_of(&mut schema.validations);
    let list_type = schema.list_type.clone();
    // Two families of tags may name the same key.
    let mut keys = Vec::new();
    if !schema.list_map_keys.is_empty() {
        schema.list_map_keys.retain(|key| {
            let is_new = !keys.contains(key);
            keys.push(key.clone());
            is_new
        });
    }
    if let Some(Items::Each(item)) = schema.items.as_deref_mut() {
        match list_type.as_deref() {
            Some("set") if &*item.ty == "object" => item.map_type = Some("atomic".into()),
            Some("map") => keys.iter().for_each(|key| need(item, key)),
            _ => {}
        }
        node(item, told_apart && list_type.as_deref() == Some("map"));
    }
    for (name, property) in &mut schema.properties {
        node(property, told_apart);
        let is_implied = &*property.schema == IMPLIED;
        if is_implied {
            property.schema = Str::default();
        }
        // An absent member is zero; if zero is rejected, the member is required.
        if property
            .default
            .as_ref()
            .is_some_and(|zero| is_refused(zero, property, is_implied))
        {
            property.default = None;
            if !schema.required.contains(name) {
                schema.required.push(name.clone());
            }
        }
    }
    // A default is set before validation, but not before an enclosing default is validated: there a required
    // member would be missing.
    let has_default = |name: &str| {
        let of = |(other, property): &(Str, JsonSchema)| **other == *name && property.default.is_some();
        schema.properties.iter().any(of)
    };
    if schema.required.iter().any(|name| has_default(name)) {
        let names = schema.required.iter().filter(|name| !has_default(name));
        schema.required = names.cloned().collect::<Vec<_>>().into();
    }
    if !schema.required.is_sorted() {
        schema.required.sort();
    }
    if let Some(SchemaOrBool::Schema(value)) = schema.additional_properties.as_deref_mut() {
        node(value, told_apart);
    }
}

/// Whether a schema rejects a zero value. Rules in CEL count only against a value that nobody wrote.
fn is_refused(zero: &Json, schema: &JsonSchema, is_implied: bool) -> bool {
    let asks = |rule: &ValidationRule| rule.optional_old_self == Some(true) || !rule.rule.contains("oldSelf");
    let parts = &schema.all_of;
    let has_rules = if is_implied {
        schema.validations.iter().any(asks) || !parts.is_empty()
    } else {
        parts.iter().any(|part| is_refused(zero, part, false))
    };
    match zero.as_str() {
        "\"\"" => {
            let in_pattern = schema.pattern.is_empty() || schema.pattern.starts_with("^$|");
            let in_enum = schema.enum_values.is_empty() || schema.enum_values.contains(zero);
            has_rules || schema.min_length.is_some_and(|least| least > 0) || !in_pattern || !in_enum
        }
        "0" => {
            let is_low = |least: f64| least > 0.0 || least == 0.0 && schema.exclusive_minimum;
            let is_high = |most: f64| most < 0.0 || most == 0.0 && schema.exclusive_maximum;
            has_rules || schema.minimum.is_some_and(is_low) || schema.maximum.is_some_and(is_high)
        }
        "false" => has_rules,
        "{}" => {
            let has_default = |name: &str| {
                schema
                    .property(name)
                    .is_some_and(|member| member.default.is_some())
            };
            // What somebody wrote counts, unless a rule is known to reject it.
            let is_wrong = if is_implied {
                !empty::is_taken(schema)
            } else {
                empty::is_refused(schema)
            };
            !schema.all_of.is_empty()
                || is_wrong
                || schema.min_properties.is_some_and(|least| least > 0)
                || !schema.required.iter().all(|name| has_default(name))
        }
        _ => false,
    }
}

/// Requires a key, or gives it the zero value that Go uses for an absent one.
fn need(item: &mut JsonSchema, key: &str) {
    if item.required.iter().any(|name| &**name == key) {
        return;
    }
    let Some((_, property)) = item.properties.iter_mut().find(|(name, _)| &**name == key) else {
        return;
    };
    if property.default.is_none() {
        property.schema = IMPLIED.into();
        property.default = match &*property.ty {
            "string" => Some(Json::from("")),
            "integer" | "number" => Some(Json::int(0)),
            "boolean" => Some(Json::from(false)),
            _ => None,
        };
    }
}

/// Rules that compare with the old value where there is none: the condition that skips unchanged values is
/// removed, transition rules are removed entirely. An element without correlation counts as new with every change; the
/// enclosing value checks the rules on new values.
fn forget_old(rules: &mut Vec<ValidationRule>) {
    rules.retain_mut(|rule| match std::mem::take(&mut rule.without_old) {
        WithoutOld::Plain(plain) => {
            rule.rule = plain;
            rule.optional_old_self = None;
            true
        }
        WithoutOld::Dropped => !rule.rule.contains("oldSelf"),
        WithoutOld::Immutable => false,
        WithoutOld::Same => true,
    });
}

/// Removes what only [`forget_old`] reads.
fn forget_marks_of(rules: &mut SharedVec<ValidationRule>) {
    if rules.iter().any(|rule| rule.without_old != WithoutOld::Same) {
        rules
            .iter_mut()
            .for_each(|rule| rule.without_old = WithoutOld::Same);
    }
}
