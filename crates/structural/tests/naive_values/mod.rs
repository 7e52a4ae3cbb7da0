//! Value validation, implemented directly on the schema: slow, with full names and texts, one validator after
//! the other. The compiled plan is compared with this.

use kindsmith_formats::strfmt::{self, Applies};
use kindsmith_gostd::quote::quote;
use kindsmith_gostd::{float, regexp, strconv};
use kindsmith_json::{Arena, Value, parse_str, write};
use kindsmith_schema::{JsonSchema, SchemaOrBool};

/// Errors with the text that identifies them and the text that is shown, and how much matched.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outcome {
    pub(crate) errors: Vec<(String, String)>,
    matched: u64,
}

impl Outcome {
    fn add(&mut self, text: String, shown: String) {
        if self.errors.iter().all(|(known, _)| *known != text) {
            self.errors.push((text, shown));
        }
    }

    fn merge(&mut self, other: Outcome) {
        for (text, shown) in other.errors {
            self.add(text, shown);
        }
        self.matched += other.matched;
    }

    fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }
}

/// Validates a value against its schema and, if given, its old value.
pub(crate) fn validate(schema: &JsonSchema, value: Value<'_>, old: Option<Value<'_>>, name: &str) -> Outcome {
    let mut outcome = validators(schema, value, old, name);
    if !outcome.is_valid() && old.is_some_and(|old| same(schema, value, old)) {
        outcome.errors.clear();
    }
    outcome
}

fn validators(schema: &JsonSchema, value: Value<'_>, old: Option<Value<'_>>, name: &str) -> Outcome {
    let mut all = Outcome::default();
    if value.is_null() {
        all.merge(check_type(schema, value, name));
        all.merge(check_enum(schema, value, name));
        return all;
    }
    let mut apply = |outcome| {
        all.merge(outcome);
        all.matched += 1;
    };
    if !types(schema).is_empty() || !format(schema).is_empty() {
        apply(check_type(schema, value, name));
    }
    apply(check_junctors(schema, value, name));
    if let Value::Str(text) = value {
        apply(check_text(schema, text, name));
        if strfmt::find(Applies::String, &format(schema)).is_some() {
            apply(check_format(schema, text, name));
        }
    }
    if value.as_f64().is_some() {
        apply(check_number(schema, value, name));
    }
    if let Value::Array(items) = value {
        apply(check_array(schema, items, value, old, name));
    }
    apply(check_enum(schema, value, name));
    if value.as_object().is_some() {
        apply(check_object(schema, value, old, name));
    }
    all.matched += 1;
    all
}

fn types(schema: &JsonSchema) -> Vec<&str> {
    match (schema.int_or_string, &*schema.ty) {
        (true, _) => vec!["integer", "string"],
        (false, "") => vec![],
        (false, ty) => vec![ty],
    }
}

fn format(schema: &JsonSchema) -> String {
    let applies = match types(schema)[..] {
        [] | ["string"] | [_, _] => Applies::String,
        ["integer"] => Applies::Integer,
        ["number"] => Applies::Number,
        _ => return String::new(),
    };
    match strfmt::find(applies, &schema.format) {
        Some(_) => schema.format.to_string(),
        None => String::new(),
    }
}

fn shown_value(value: Value<'_>) -> String {
    match value {
        Value::Str(text) => quote(text),
        Value::Float(number) => float::format_f64(number),
        value => write::Format::GO.to_string(value),
    }
}

fn field(name: &str) -> String {
    match name {
        "" | "." => "<nil>".to_owned(),
        name => name.strip_prefix('.').unwrap_or(name).to_owned(),
    }
}

fn invalid(outcome: &mut Outcome, name: &str, value: &str, text: String) {
    let shown = format!("{}: Invalid value: {value}: {text}", field(name));
    outcome.add(text, shown);
}

fn nameless(outcome: &mut Outcome, text: String) {
    let shown = format!("<nil>: Invalid value: \"\": {text}");
    outcome.add(text, shown);
}

fn is_whole(number: f64) -> bool {
    let rounded = number.round();
    number.abs() <= 9_007_199_254_740_991.0
        && (number == rounded || (number - rounded).abs() < 1e-9 * rounded.abs())
}

fn check_type(schema: &JsonSchema, value: Value<'_>, name: &str) -> Outcome {
    let mut outcome = Outcome::default();
    let (types, format) = (types(schema), format(schema));
    let (actual, go_format) = match value {
        Value::Null => ("null", ""),
        Value::Bool(_) => ("boolean", ""),
        Value::Int(_) => ("integer", "int64"),
        Value::Uint(_) | Value::Float(_) => ("number", "float64"),
        Value::Str(_) => ("string", ""),
        Value::Array(_) => ("array", ""),
        Value::Object(_) => ("object", ""),
    };
    let mut fail = |want: &str, actual: &str| {
        let text = format!("{name} in body must be of type {want}: {}", quote(actual));
        invalid(&mut outcome, name, &quote(actual), text);
    };
    let has = |ty: &str| types.contains(&ty);
    let whole = matches!(value, Value::Float(number) if is_whole(number)) && has("integer");
    let fits = has(actual) || whole || (actual == "integer" && has("number"));
    let textual = matches!(value, Value::Str(_) | Value::Array(_));
    if value.is_null() {
        if !types.is_empty() && !has("null") && !schema.nullable {
            fail(&types.join(","), "null");
        }
    } else if !textual && !format.is_empty() && !fits && format != go_format {
        fail(&format, go_format);
    } else if textual && !(has("number") || has("integer") || format.is_empty()) {
        // A string passes if the format implies one.
    } else if !fits {
        fail(&types.join(","), actual);
    }
    outcome.matched = u64::from(outcome.is_valid());
    outcome
}

fn check_junctors(schema: &JsonSchema, value: Value<'_>, name: &str) -> Outcome {
    let mut main = Outcome::default();
    let run = |branches: &[JsonSchema]| -> Vec<Outcome> {
        let outcomes = branches.iter().map(|branch| validate(branch, value, None, name));
        outcomes.collect()
    };
    let best = |outcomes: &[Outcome]| {
        let most = outcomes.iter().map(|outcome| outcome.matched).max();
        outcomes
            .iter()
            .find(|outcome| Some(outcome.matched) == most)
            .cloned()
    };
    let quoted = quote(name);
    let any = run(&schema.any_of);
    match any.iter().find(|outcome| outcome.is_valid()) {
        Some(valid) => main.merge(valid.clone()),
        None => {
            if let Some(best) = best(&any) {
                nameless(
                    &mut main,
                    format!("{quoted} must validate at least one schema (anyOf)"),
                );
                main.merge(best);
            }
        }
    }
    let one = run(&schema.one_of);
    let valid: Vec<&Outcome> = one.iter().filter(|outcome| outcome.is_valid()).collect();
    let text = "must validate one and only one schema (oneOf).";
    match (&valid[..], best(&one)) {
        (_, None) => {}
        ([valid], _) => main.merge((*valid).clone()),
        ([], Some(best)) => {
            nameless(&mut main, format!("{quoted} {text} Found none valid"));
            main.merge(best);
        }
        (several, _) => {
            nameless(
                &mut main,
                format!("{quoted} {text} Found {} valid alternatives", several.len()),
            );
        }
    }
    let all = run(&schema.all_of);
    let valid = all.iter().filter(|outcome| outcome.is_valid()).count();
    let count = all.len();
    for outcome in all {
        main.merge(outcome);
    }
    if valid != count {
        let none = if valid == 0 { ". None validated" } else { "" };
        nameless(
            &mut main,
            format!("{quoted} must validate all the schemas (allOf){none}"),
        );
    }
    if let Some(not) = &schema.not
        && validate(not, value, None, name).is_valid()
    {
        nameless(&mut main, format!("{quoted} must not validate the schema (not)"));
    }
    main.matched += 1;
    main
}

fn check_text(schema: &JsonSchema, text: &str, name: &str) -> Outcome {
    let mut outcome = Outcome::default();
    let count = text.chars().count() as i64;
    if let Some(max) = schema.max_length.filter(|max| count > *max) {
        let unit = if max == 1 { "byte" } else { "bytes" };
        let shown = format!("{}: Too long: may not be more than {max} {unit}", field(name));
        outcome.add(
            format!("{name} in body should be at most {max} chars long"),
            shown,
        );
    } else if let Some(min) = schema.min_length.filter(|min| count < *min) {
        let message = format!("{name} in body should be at least {min} chars long");
        invalid(&mut outcome, name, &quote(text), message);
    } else if !schema.pattern.is_empty() {
        let pattern = regexp::Regexp::new(&schema.pattern).expect("a pattern");
        if !pattern.is_match(text) {
            let message = format!("{name} in body should match '{}'", schema.pattern);
            invalid(&mut outcome, name, &quote(text), message);
        }
    }
    outcome
}

fn check_format(schema: &JsonSchema, text: &str, name: &str) -> Outcome {
    let mut outcome = Outcome::default();
    let known = strfmt::find(Applies::String, &schema.format).expect("it applies");
    if !(known.check)(text) {
        let message = format!(
            "{name} in body must be of type {}: {}",
            schema.format,
            quote(text)
        );
        invalid(&mut outcome, name, &quote(text), message);
    }
    outcome
}

fn decimal(value: Value<'_>) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        value => float::format_f64_plain(value.as_f64().expect("a number")),
    }
}

/// The error for a number that does not fit type and format.
fn out_of_range(schema: &JsonSchema, value: Value<'_>, what: &str, name: &str) -> Option<String> {
    let format = format(schema);
    let text = decimal(value);
    let fits = match (&types(schema)[..], &*format) {
        (["integer"], "int32") => strconv::parse_int(&text, 10, 32).is_ok(),
        (["integer"], _) => strconv::parse_int(&text, 10, 64).is_ok(),
        (["number"], "float") => strconv::parse_f32(&text).is_ok(),
        _ => true,
    };
    let ty = &schema.ty;
    let kind = match &*format {
        "" => format!("{ty} (default format)"),
        format => format!("{ty} with format {format}"),
    };
    (!fits).then(|| format!("{what} value must be of type {kind} in {name}"))
}

/// Compares a value with a limit; returns the value shown and the message.
type Compare<'c> = dyn Fn(Value<'_>, Value<'_>) -> Option<(String, String)> + 'c;

fn check_number(schema: &JsonSchema, value: Value<'_>, name: &str) -> Outcome {
    let mut outcome = Outcome::default();
    if let Some(text) = out_of_range(schema, value, "Checked", name) {
        nameless(&mut outcome, text);
    }
    let mut limit = |limit: Option<f64>, what: &str, check: &Compare<'_>| {
        let Some(limit) = limit else { return };
        let bad_limit = out_of_range(schema, Value::Float(limit), what, name);
        let as_floats = bad_limit.is_some();
        if let Some(text) = bad_limit {
            nameless(&mut outcome, text);
        }
        let (value, limit) = match value {
            Value::Int(_) if !as_floats => (value, Value::Int(limit as i64)),
            value => (
                Value::Float(value.as_f64().expect("a number")),
                Value::Float(limit),
            ),
        };
        if let Some((bad, text)) = check(value, limit) {
            invalid(&mut outcome, name, &bad, text);
        }
    };
    limit(schema.multiple_of, "MultipleOf", &|value, of| {
        let of_text = shown_value(of);
        let multiple = match (value, of) {
            (_, of) if of.as_f64().expect("a number") <= 0.0 => {
                let text = format!("factor MultipleOf declared for {name} must be positive: {of_text}");
                return Some((of_text, text));
            }
            (Value::Int(value), Value::Int(of)) => value % of == 0,
            (value, of) => {
                let (value, of) = (value.as_f64().expect("a number"), of.as_f64().expect("a number"));
                is_whole(if of < 1.0 { 1.0 / of * value } else { value / of })
            }
        };
        (!multiple).then(|| {
            (
                shown_value(value),
                format!("{name} in body should be a multiple of {of_text}"),
            )
        })
    });
    let bound = |word: &str, exclusive: bool, limit: Value<'_>| {
        let or_equal = if exclusive { "" } else { "or equal to " };
        format!(
            "{name} in body should be {word} than {or_equal}{}",
            shown_value(limit)
        )
    };
    limit(schema.minimum, "Minimum boundary", &|value, limit| {
        let exclusive = schema.exclusive_minimum;
        let (left, right) = (value.as_f64(), limit.as_f64());
        (left < right || (exclusive && left == right))
            .then(|| (shown_value(value), bound("greater", exclusive, limit)))
    });
    limit(schema.maximum, "Maximum boundary", &|value, limit| {
        let exclusive = schema.exclusive_maximum;
        let (left, right) = (value.as_f64(), limit.as_f64());
        (left > right || (exclusive && left == right))
            .then(|| (shown_value(value), bound("less", exclusive, limit)))
    });
    outcome.matched += 1;
    outcome
}

fn check_enum(schema: &JsonSchema, value: Value<'_>, name: &str) -> Outcome {
    let mut outcome = Outcome::default();
    let arena = Arena::new();
    let members: Vec<Value<'_>> = schema
        .enum_values
        .iter()
        .map(|json| parse_str(&arena, json.as_str()).expect("JSON"))
        .collect();
    let equal = |member: &Value<'_>| match (value, *member) {
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::Int(value), Value::Float(member)) => value as f64 == member,
        (Value::Float(value), Value::Int(member)) => value as i64 == member,
        (Value::Int(value), Value::Str(member)) => {
            let found = u32::try_from(value)
                .ok()
                .and_then(char::from_u32)
                .unwrap_or('\u{fffd}');
            member == found.to_string()
        }
        (value, member) => value == member,
    };
    if !members.is_empty() && !members.iter().any(equal) {
        let listed = members.iter().map(|member| match member {
            Value::Str(text) => quote(text),
            member => quote(&write::Format::GO.to_string(*member)),
        });
        let listed: Vec<String> = listed.collect();
        let listed = listed.join(", ");
        let shown = shown_value(value);
        let shown = format!(
            "{}: Unsupported value: {shown}: supported values: {listed}",
            field(name)
        );
        outcome.add(format!("{name} in body should be one of [{listed}]"), shown);
    }
    outcome
}

fn too_many(outcome: &mut Outcome, what: &str, count: usize, max: i64, name: &str) {
    let unit = if max == 1 { "item" } else { "items" };
    let shown = format!(
        "{}: Too many: {count}: must have at most {max} {unit}",
        field(name)
    );
    outcome.add(format!("{name} in body should have at most {max} {what}"), shown);
}

fn too_few(outcome: &mut Outcome, what: &str, count: usize, min: i64, name: &str) {
    let text = format!("{name} in body should have at least {min} {what}");
    invalid(outcome, name, &count.to_string(), text);
}

fn check_array(
    schema: &JsonSchema,
    items: &[Value<'_>],
    value: Value<'_>,
    old: Option<Value<'_>>,
    name: &str,
) -> Outcome {
    let mut outcome = Outcome::default();
    if let Some(item) = schema.item() {
        for (index, &element) in items.iter().enumerate() {
            let old = old.and_then(|old| old_element(schema, old, value.at(index)?));
            outcome.merge(validate(item, element, old, &format!("{name}[{index}]")));
        }
    }
    let count = items.len();
    if let Some(min) = schema.min_items.filter(|min| (count as i64) < *min) {
        too_few(&mut outcome, "items", count, min, name);
    }
    if let Some(max) = schema.max_items.filter(|max| count as i64 > *max) {
        too_many(&mut outcome, "items", count, max, name);
    }
    let repeated = (0..count).any(|right| (0..right).any(|left| items[left] == items[right]));
    if schema.unique_items && repeated {
        invalid(
            &mut outcome,
            name,
            "\"\"",
            format!("{name} in body shouldn't contain duplicates"),
        );
    }
    outcome.matched += 1;
    outcome
}

fn check_object(schema: &JsonSchema, value: Value<'_>, old: Option<Value<'_>>, name: &str) -> Outcome {
    let mut outcome = Outcome::default();
    let object = value.as_object().expect("an object");
    let count = object.len();
    if let Some(min) = schema.min_properties.filter(|min| (count as i64) < *min) {
        too_few(&mut outcome, "properties", count, min, name);
    }
    if let Some(max) = schema.max_properties.filter(|max| count as i64 > *max) {
        too_many(&mut outcome, "properties", count, max, name);
    }
    let old_member = |key: &str| {
        let type_meta = name.is_empty() && (key == "kind" || key == "apiVersion");
        old.and_then(|old| old.get(key)).filter(|_| !type_meta)
    };
    for (key, member) in object {
        if schema.property(key).is_some() {
            continue;
        }
        match schema.additional_properties.as_deref() {
            Some(SchemaOrBool::Allowed(false)) => {
                let text = format!("{name}.{key} in body is a forbidden property");
                invalid(&mut outcome, name, &quote(key), text);
            }
            Some(SchemaOrBool::Schema(schema)) => {
                outcome.merge(validate(
                    schema,
                    member,
                    old_member(key),
                    &format!("{name}.{key}"),
                ));
            }
            _ => {}
        }
    }
    for (key, property) in &schema.properties {
        if let Some(member) = object.get(key) {
            let name = if name.is_empty() {
                key.to_string()
            } else {
                format!("{name}.{key}")
            };
            outcome.merge(validate(property, member, old_member(key), &name));
        }
    }
    for key in &schema.required {
        if !object.contains_key(key) {
            let name = format!("{name}.{key}");
            outcome.add(
                format!("{name} in body is required"),
                format!("{}: Required value", field(&name)),
            );
        }
    }
    outcome
}

/// The old element with the keys of a new one.
fn old_element<'v>(schema: &JsonSchema, old: Value<'v>, element: Value<'_>) -> Option<Value<'v>> {
    if schema.list_type.as_deref() != Some("map") || &*schema.ty != "array" || schema.list_map_keys.is_empty()
    {
        return None;
    }
    let several = schema.list_map_keys.len() > 1;
    let keys = |element: Value<'_>| -> Option<Vec<String>> {
        let key = |name| {
            let value = element.get(name)?;
            let scalar = !matches!(value, Value::Null | Value::Array(_) | Value::Object(_));
            scalar.then(|| match value {
                // Several keys are joined as text.
                Value::Float(number) if several => format!("{number:.6}"),
                value => format!("{value:?} {}", value.as_i64().is_some()),
            })
        };
        schema.list_map_keys.iter().map(|name| key(name)).collect()
    };
    let wanted = keys(element)?;
    old.as_array()?
        .iter()
        .copied()
        .find(|old| keys(*old).as_ref() == Some(&wanted))
}

/// Whether a value is unchanged.
fn same(schema: &JsonSchema, new: Value<'_>, old: Value<'_>) -> bool {
    match (new, old) {
        (Value::Object(members), Value::Object(others)) => {
            members.len() == others.len()
                && members.iter().all(|(key, value)| {
                    let schema = schema.property(key).or_else(|| schema.additional());
                    let other = others.get(key);
                    matches!((schema, other), (Some(schema), Some(other)) if same(schema, value, other))
                })
        }
        (Value::Array(items), Value::Array(others)) if schema.list_type.as_deref() == Some("map") => {
            items.len() == others.len()
                && items.iter().all(|&item| {
                    let other = old_element(schema, old, item);
                    matches!((schema.item(), other), (Some(schema), Some(other)) if same(schema, item, other))
                })
        }
        (new, old) => new == old,
    }
}
