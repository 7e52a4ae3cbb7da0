//! `+k8s:validation:`: the meaning of the keys, and those that openapi-gen rejects (kube-openapi
//! `pkg/generators/markers.go`, `commentTags`).

use std::collections::BTreeMap;

use kindsmith_gostd::quote::quote;
use kindsmith_gostd::regexp;
use kindsmith_json::{Arena, Kind as JsonKind, Value, to_string};
use kindsmith_schema::{
    Bound, CelRule, CelRuleReason, Facet, Family, Field, Json, Limit, Owner, TypeRef, View, WellKnown, Wrap,
};
use kindsmith_source::Span;

use super::lines::{Lines, Marker};
use super::{Gathered, Reader, report};
use crate::finding;
use crate::grammar::openapi::{Segment, VALIDATION_PREFIX, Validation, validations};

/// The keys of one value, and of the values inside it.
#[derive(Default)]
struct Keys<'v> {
    plain: BTreeMap<&'static str, (&'v Json, Span)>,
    cel: BTreeMap<usize, BTreeMap<&'static str, (&'v Json, Span)>>,
    items: Option<Box<Keys<'v>>>,
    additional: Option<Box<Keys<'v>>>,
    properties: BTreeMap<&'v str, Keys<'v>>,
    /// A place for messages.
    span: Option<Span>,
}

/// Go types of plain keys.
const PLAIN: [(&str, &str); 16] = [
    ("nullable", "bool"),
    ("format", "string"),
    ("maximum", "float64"),
    ("exclusiveMaximum", "bool"),
    ("minimum", "float64"),
    ("exclusiveMinimum", "bool"),
    ("maxLength", "int64"),
    ("minLength", "int64"),
    ("pattern", "string"),
    ("maxItems", "int64"),
    ("minItems", "int64"),
    ("uniqueItems", "bool"),
    ("multipleOf", "float64"),
    ("enum", "[]interface {}"),
    ("maxProperties", "int64"),
    ("minProperties", "int64"),
];

/// Go types of the keys of a CEL rule.
const CEL: [(&str, &str); 6] = [
    ("rule", "string"),
    ("message", "string"),
    ("messageExpression", "string"),
    ("optionalOldSelf", "bool"),
    ("reason", "string"),
    ("fieldPath", "string"),
];

/// An error: openapi-gen's message, its prefix, and the place.
type Mistake = (String, &'static str, Span);

const PARSE: &str = "failed to parse marker comments: ";
const UNMARSHAL: &str = "failed to unmarshal marker comments: ";
const INVALID: &str = "invalid marker comments: ";

impl Reader<'_> {
    /// Reads the validations of a declaration.
    pub(super) fn validations(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        // Most comments have none, which their markers tell without another look at each line.
        let may_be = |marker: &Marker<'_>| marker.text.starts_with(&VALIDATION_PREFIX[1..]);
        let is_validation = |text: &str| text.trim_matches(' ').starts_with(VALIDATION_PREFIX);
        if !lines.markers.iter().any(may_be) || !lines.closest.iter().any(|line| is_validation(line.text)) {
            return;
        }
        let self_ref;
        let of = match lines.owner {
            Owner::Field(_) => match lines.field(self.builder) {
                Some(field) => &field.ty,
                None => return,
            },
            Owner::Type(id) => {
                self_ref = TypeRef::Named(id);
                &self_ref
            }
            Owner::Package(_) | Owner::Constant(..) => return,
        };
        let (found, errors) = validations(lines.closest.iter().map(|line| line.text));
        let span = |line: usize| lines.closest[line].span;
        let mut mistakes: Vec<Mistake> = errors
            .into_iter()
            .map(|error| (error.message, PARSE, span(error.line)))
            .collect();
        let mut keys = Keys::default();
        for validation in &found {
            if let Err((text, front)) = keys.put(&validation.path, validation, span(validation.line)) {
                mistakes.push((text, front, span(validation.line)));
            }
        }
        keys.check(&mut mistakes);
        keys.check_type(self.builder.view(), of, &mut mistakes);
        let is_error = self.is_published(lines);
        for (text, front, span) in mistakes {
            gathered.diagnostics.push(report::openapi(
                &finding::VALIDATION_MISUSE,
                span,
                text,
                front,
                is_error,
            ));
        }
        keys.rules(lines.owner, &mut Vec::new(), gathered);
        self.unknown_keys(lines, gathered);
    }

    /// Keys that openapi-gen ignores.
    fn unknown_keys(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        for line in lines.closest {
            let Some(text) = line.text.trim_matches(' ').strip_prefix(VALIDATION_PREFIX) else {
                continue;
            };
            let first = text.split([':', '[', '=', '>']).next().unwrap_or_default();
            if first.is_empty() || crate::grammar::openapi::VALIDATION_KEYS.contains(&first) {
                continue;
            }
            let message = format!("openapi-gen ignores the key `{first}`");
            gathered
                .diagnostics
                .push(report::graded(&finding::UNKNOWN_TAG, line.span, message, false));
        }
    }
}

impl<'v> Keys<'v> {
    /// Stores a validation under its path.
    fn put(
        &mut self,
        path: &'v [Segment],
        validation: &'v Validation,
        span: Span,
    ) -> Result<(), (String, &'static str)> {
        let mut keys = self;
        let mut rest = path;
        let mut go_path = String::from("commentTags");
        loop {
            keys.span.get_or_insert(span);
            let Some((first, after)) = rest.split_first() else {
                return Ok(());
            };
            go_path.push('.');
            go_path.push_str(&first.name);
            match (first.name.as_str(), first.index, after) {
                ("items", None, [_, ..]) => keys = keys.items.get_or_insert_default(),
                ("additionalProperties", None, [_, ..]) => keys = keys.additional.get_or_insert_default(),
                ("properties", None, [member, _, ..]) => {
                    keys = keys.properties.entry(member.name.as_str()).or_default();
                    rest = &after[1..];
                    continue;
                }
                ("cel", Some(index), [key]) => {
                    let Some((name, ty)) = CEL.into_iter().find(|(name, _)| *name == key.name) else {
                        // Unknown members of JSON objects are ignored.
                        keys.cel.entry(index).or_default();
                        return Ok(());
                    };
                    keys.cel
                        .entry(index)
                        .or_default()
                        .insert(name, (&validation.value, span));
                    go_path.push('.');
                    go_path.push_str(name);
                    return fits(&validation.value, ty, &go_path);
                }
                (name, None, []) => {
                    let Some((name, ty)) = PLAIN.into_iter().find(|(known, _)| *known == name) else {
                        return fits(&validation.value, "generators.commentTags", &go_path);
                    };
                    keys.plain.insert(name, (&validation.value, span));
                    return fits(&validation.value, ty, &go_path);
                }
                (name, None, _) => {
                    let text = format!("expected map[string]any at key {name}, got {}", "bool");
                    return Err((text, INVALID));
                }
                _ => return Ok(()),
            }
            rest = after;
        }
    }

    fn int(&self, key: &str) -> Option<i64> {
        let arena = Arena::new();
        self.plain.get(key)?.0.value(&arena).as_i64()
    }

    fn float(&self, key: &str) -> Option<f64> {
        let arena = Arena::new();
        self.plain.get(key)?.0.value(&arena).as_f64()
    }

    fn at(&self, key: &str) -> Option<Span> {
        self.plain.get(key).map(|(_, span)| *span).or(self.span)
    }

    /// Checks that need no type. Only the outermost keys are checked, as upstream.
    fn check(&self, mistakes: &mut Vec<Mistake>) {
        let mut say = |text: String, span: Option<Span>| {
            mistakes.extend(span.map(|span| (text, INVALID, span)));
        };
        for key in [
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
        ] {
            if self.int(key).is_some_and(|limit| limit < 0) {
                say(format!("{key} cannot be negative"), self.at(key));
            }
        }
        if let (Some(min), Some(max)) = (self.float("minimum"), self.float("maximum")) {
            if min > max {
                let text = format!("minimum {min:.6} is greater than maximum {max:.6}");
                say(text, self.at("minimum"));
            }
            let exclusive = ["exclusiveMinimum", "exclusiveMaximum"]
                .into_iter()
                .find(|key| self.plain.contains_key(key));
            if let Some(key) = exclusive.filter(|_| min == max) {
                let text = "exclusiveMinimum/Maximum cannot be set when minimum == maximum";
                say(text.to_owned(), self.at(key));
            }
        }
        for (low, high) in [
            ("minLength", "maxLength"),
            ("minItems", "maxItems"),
            ("minProperties", "maxProperties"),
        ] {
            if let (Some(min), Some(max)) = (self.int(low), self.int(high))
                && min > max
            {
                say(format!("{low} {min} is greater than {high} {max}"), self.at(low));
            }
        }
        if let Some((pattern, span)) = self.plain.get("pattern") {
            let arena = Arena::new();
            let pattern = pattern.value(&arena).as_str().unwrap_or_default();
            if let Err(error) = regexp::check(pattern) {
                say(
                    format!("invalid pattern {}: {error}", quote(pattern)),
                    Some(*span),
                );
            }
        }
        if self.float("multipleOf") == Some(0.0) {
            say("multipleOf cannot be 0".to_owned(), self.at("multipleOf"));
        }
        for (index, rule) in &self.cel {
            for text in cel_mistakes(rule) {
                let span = rule.values().map(|(_, span)| *span).next().or(self.span);
                say(format!("invalid CEL tag at index {index}: {text}"), span);
            }
        }
    }

    /// Checks against the type (kube-openapi `ValidateType`).
    fn check_type(&self, view: View<'_>, of: &TypeRef, mistakes: &mut Vec<Mistake>) {
        let shape = Shape::of(view, of);
        if shape.any {
            return;
        }
        for key in self.plain.keys() {
            let (fits, what) = match *key {
                "maxItems" | "minItems" | "uniqueItems" => (shape.array, "array"),
                "maxProperties" | "minProperties" => (shape.map || shape.structure, "map"),
                "minLength" | "maxLength" | "pattern" => (shape.string, "string"),
                "minimum" | "maximum" | "multipleOf" | "exclusiveMinimum" | "exclusiveMaximum" => {
                    (shape.number, "numeric")
                }
                _ => continue,
            };
            if !fits {
                let text = format!("{key} can only be used on {what} types");
                mistakes.extend(self.at(key).map(|span| (text, INVALID, span)));
            }
        }
        let nested = [
            (
                self.additional.as_ref(),
                shape.map,
                "additionalProperties can only be used on map types",
            ),
            (
                self.items.as_ref(),
                shape.array,
                "items can only be used on array types",
            ),
        ];
        for (keys, fits, text) in nested {
            if let Some(span) = keys.filter(|_| !fits).and_then(|keys| keys.span) {
                mistakes.push((text.to_owned(), INVALID, span));
            }
        }
        self.check_properties(view, of, &shape, mistakes);
    }

    fn check_properties(&self, view: View<'_>, of: &TypeRef, shape: &Shape, mistakes: &mut Vec<Mistake>) {
        for (name, keys) in &self.properties {
            let Some(span) = keys.span else {
                continue;
            };
            if !shape.structure && !shape.map {
                let text = "properties can only be used on struct types".to_owned();
                mistakes.push((text, INVALID, span));
                return;
            }
            if !shape.structure {
                continue;
            }
            let Some((id, fields)) = view.members(without_pointers(view, of)) else {
                continue;
            };
            match member(view, fields, name, MAX_DEPTH) {
                Member::Found(field) => {
                    let mut nested = Vec::new();
                    keys.check_type(view, &field.ty, &mut nested);
                    mistakes.extend(nested.into_iter().map(|(text, front, span)| {
                        (
                            format!("failed to validate property {}: {text}", quote(name)),
                            front,
                            span,
                        )
                    }));
                }
                Member::Unknown => {}
                Member::None => {
                    let text = format!(
                        "property used in comment tag {} not found in struct {}",
                        quote(name),
                        view.ty(id).name
                    );
                    mistakes.push((text, INVALID, span));
                }
            }
        }
    }

    /// Adds the rules.
    fn rules(&self, owner: Owner, wraps: &mut Vec<Wrap>, gathered: &mut Gathered) {
        for (key, (value, span)) in &self.plain {
            if let Some(facet) = facet(key, value) {
                gathered.rule(owner, Family::OpenApi, wraps.clone(), facet, *span);
            }
        }
        for rule in self.cel.values() {
            let Some(span) = rule.values().map(|(_, span)| *span).next() else {
                continue;
            };
            gathered.rule(
                owner,
                Family::OpenApi,
                wraps.clone(),
                Facet::Cel(cel_rule(rule)),
                span,
            );
        }
        for keys in [&self.items, &self.additional].into_iter().flatten() {
            wraps.push(Wrap::EachVal);
            keys.rules(owner, wraps, gathered);
            wraps.pop();
        }
        for (name, keys) in &self.properties {
            wraps.push(Wrap::Subfield((*name).into()));
            keys.rules(owner, wraps, gathered);
            wraps.pop();
        }
    }
}

/// A type as openapi-gen's checks see it.
#[derive(Default)]
struct Shape {
    /// It describes itself, or is unknown: nothing is checked.
    any: bool,
    array: bool,
    map: bool,
    string: bool,
    number: bool,
    structure: bool,
}

impl Shape {
    fn of(view: View<'_>, of: &TypeRef) -> Self {
        let of = without_pointers(view, of);
        let mut shape = Self::default();
        match view.underlying(of) {
            TypeRef::Scalar(scalar) => match scalar {
                kindsmith_schema::Scalar::String => shape.string = true,
                kindsmith_schema::Scalar::Bool => {}
                kindsmith_schema::Scalar::Rune | kindsmith_schema::Scalar::Uintptr => {}
                _ => shape.number = true,
            },
            TypeRef::List(inner) => {
                shape.array = true;
                shape.string = **inner == TypeRef::Scalar(kindsmith_schema::Scalar::Byte);
            }
            TypeRef::Array(..) => shape.array = true,
            TypeRef::Map(..) => shape.map = true,
            TypeRef::Named(id) => {
                let ty = view.ty(*id);
                let describes_itself = ty.describes_itself() || ty.has_method("OpenAPIV3OneOfTypes");
                shape.structure = true;
                shape.string = ty.well_known == Some(WellKnown::GoTime);
                shape.any = describes_itself
                    || ty.shape == kindsmith_schema::Shape::Hole
                    || ty.well_known.is_some_and(WellKnown::is_opaque);
            }
            _ => shape.any = true,
        }
        shape
    }
}

fn without_pointers<'a>(view: View<'a>, mut of: &'a TypeRef) -> &'a TypeRef {
    // The text of a type limits its pointers, and the number of types limits chains of names.
    for _ in 0..64 {
        match view.underlying(of) {
            TypeRef::Pointer(inner) => of = inner,
            _ => break,
        }
    }
    of
}

/// Rejects a value that Go could not decode into the type.
fn fits(value: &Json, ty: &str, path: &str) -> Result<(), (String, &'static str)> {
    let arena = Arena::new();
    let value = value.value(&arena);
    let is_whole = || {
        value
            .as_f64()
            .is_some_and(|number| number.fract() == 0.0 && number.abs() < 9.3e18)
    };
    let ok = match (ty, value.kind()) {
        (_, JsonKind::Null)
        | ("bool", JsonKind::Bool)
        | ("string", JsonKind::String)
        | ("float64", JsonKind::Number)
        | ("[]interface {}", JsonKind::Array)
        | ("generators.commentTags", JsonKind::Object) => true,
        ("int64", JsonKind::Number) => is_whole(),
        _ => false,
    };
    if ok {
        return Ok(());
    }
    let kind = match value.kind() {
        JsonKind::Number if ty == "int64" => format!("number {}", to_string(value)),
        JsonKind::Bool => "bool".to_owned(),
        other => other.name().to_owned(),
    };
    let text = format!("json: cannot unmarshal {kind} into Go struct field {path} of type {ty}");
    Err((text, UNMARSHAL))
}

fn text_of(rule: &BTreeMap<&'static str, (&Json, Span)>, key: &str) -> Option<String> {
    let arena = Arena::new();
    let text = rule.get(key)?.0.value(&arena).as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}

fn cel_mistakes(rule: &BTreeMap<&'static str, (&Json, Span)>) -> Vec<&'static str> {
    if rule.is_empty() {
        return vec!["empty CEL tag is not allowed"];
    }
    let mut mistakes = Vec::new();
    if text_of(rule, "rule").is_none() {
        mistakes.push("rule cannot be empty");
    }
    match (text_of(rule, "message"), text_of(rule, "messageExpression")) {
        (None, None) => mistakes.push("message or messageExpression must be set"),
        (Some(_), Some(_)) => mistakes.push("message and messageExpression cannot be set at the same time"),
        _ => {}
    }
    mistakes
}

/// Structs embedded deeper are ignored.
const MAX_DEPTH: usize = 32;

/// The result of looking for a member by its JSON name.
enum Member<'a> {
    Found(&'a Field),
    None,
    /// An embedded struct was not read.
    Unknown,
}

/// Looks for a member, in embedded structs too (kube-openapi `memberWithJSONName`), but not through embedded
/// pointers.
fn member<'a>(view: View<'a>, fields: &'a [Field], name: &str, depth: usize) -> Member<'a> {
    let mut missing = Member::None;
    for field in fields {
        if field.json.present && *field.json.name == *name {
            return Member::Found(field);
        }
        if !field.embedded || depth == 0 {
            continue;
        }
        let inside = match view.members(&field.ty) {
            Some((_, fields)) => member(view, fields, name, depth - 1),
            None if matches!(view.underlying(&field.ty), TypeRef::Named(_)) => Member::Unknown,
            None => Member::None,
        };
        match inside {
            Member::Found(field) => return Member::Found(field),
            Member::Unknown => missing = Member::Unknown,
            Member::None => {}
        }
    }
    missing
}

fn cel_rule(rule: &BTreeMap<&'static str, (&Json, Span)>) -> CelRule {
    let text = |key| text_of(rule, key).map(Into::into);
    let arena = Arena::new();
    CelRule {
        rule: text_of(rule, "rule").unwrap_or_default().into(),
        message: text("message"),
        message_expression: text("messageExpression"),
        reason: match text_of(rule, "reason").as_deref() {
            Some("FieldValueRequired") => Some(CelRuleReason::Required),
            Some("FieldValueInvalid") => Some(CelRuleReason::Invalid),
            Some("FieldValueForbidden") => Some(CelRuleReason::Forbidden),
            Some("FieldValueDuplicate") => Some(CelRuleReason::Duplicate),
            _ => None,
        },
        field_path: text("fieldPath"),
        optional_old_self: rule
            .get("optionalOldSelf")
            .and_then(|(value, _)| value.value(&arena).as_bool()),
    }
}

fn facet(key: &str, value: &Json) -> Option<Facet> {
    let arena = Arena::new();
    let json = value;
    let value = json.value(&arena);
    let bound = || Bound {
        limit: Limit::Number(json.clone()),
        exclusive: false,
    };
    let is_number = value.kind() == JsonKind::Number;
    Some(match key {
        "maximum" if is_number => Facet::Maximum(bound()),
        "minimum" if is_number => Facet::Minimum(bound()),
        "multipleOf" if is_number => Facet::MultipleOf(json.clone()),
        "exclusiveMaximum" => Facet::ExclusiveMaximum(value.as_bool()?),
        "exclusiveMinimum" => Facet::ExclusiveMinimum(value.as_bool()?),
        "maxLength" => Facet::MaxLength(value.as_i64()?),
        "minLength" => Facet::MinLength(value.as_i64()?),
        "maxItems" => Facet::MaxItems(value.as_i64()?),
        "minItems" => Facet::MinItems(value.as_i64()?),
        "maxProperties" => Facet::MaxProperties(value.as_i64()?),
        "minProperties" => Facet::MinProperties(value.as_i64()?),
        "uniqueItems" => Facet::UniqueItems(value.as_bool()?),
        "pattern" => Facet::Pattern(value.as_str()?.into()),
        "format" => Facet::Format(value.as_str()?.into()),
        "enum" => Facet::EnumValues(match value {
            Value::Array(items) => items.iter().map(|item| Json::from(*item)).collect(),
            _ => return None,
        }),
        "nullable" => value.as_bool()?.then_some(Facet::Nullable)?,
        _ => return None,
    })
}
