//! A second implementation of validation, slow and simple: objects are decoded into owned Go values, and
//! rules are read from the schema at every step. Shares no code with the engine.

use std::collections::BTreeMap;

use kindsmith_json::Value;
use kindsmith_schema::{
    Bound, Condition, Facet, Field, FieldId, Level, Limit, ListType, Rule, Scalar, Schema, Shape, TypeRef,
    UpdateConstraint, Wrap,
};

/// A decoded Go value.
#[derive(Debug, Clone)]
pub(crate) enum Go {
    Nil,
    Str(String),
    Int(i64),
    Bool(bool),
    List(Vec<Go>),
    Map(BTreeMap<String, Go>),
    Struct(Vec<Go>),
    Pointer(Box<Go>),
}

impl PartialEq for Go {
    /// Deep equality; nil and empty lists and maps are equal.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Go::Nil, Go::List(items)) | (Go::List(items), Go::Nil) => items.is_empty(),
            (Go::Nil, Go::Map(entries)) | (Go::Map(entries), Go::Nil) => entries.is_empty(),
            (Go::Nil, Go::Nil) => true,
            (Go::Str(left), Go::Str(right)) => left == right,
            (Go::Int(left), Go::Int(right)) => left == right,
            (Go::Bool(left), Go::Bool(right)) => left == right,
            (Go::List(left), Go::List(right)) => left == right,
            (Go::Map(left), Go::Map(right)) => left == right,
            (Go::Struct(left), Go::Struct(right)) => left == right,
            (Go::Pointer(left), Go::Pointer(right)) => left == right,
            _ => false,
        }
    }
}

/// An error without its bad value: path, kind, detail, level, and whether it stopped other checks.
pub(crate) type Shown = (String, String, String, Option<Level>, bool);

pub(crate) struct Naive<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) update: bool,
    pub(crate) option: Option<bool>,
}

struct Failure {
    errors: Vec<Shown>,
    short_circuit: bool,
    silent: bool,
    cohort: String,
}

impl Naive<'_> {
    pub(crate) fn decode(&self, ty: &TypeRef, value: Value<'_>) -> Go {
        match (ty, value) {
            (TypeRef::Pointer(_), Value::Null) => Go::Nil,
            (TypeRef::Pointer(inner), value) => Go::Pointer(Box::new(self.decode(inner, value))),
            (TypeRef::Scalar(Scalar::String), value) => Go::Str(value.as_str().unwrap_or("").to_owned()),
            (TypeRef::Scalar(Scalar::Bool), value) => Go::Bool(value.as_bool().unwrap_or(false)),
            (TypeRef::Scalar(_), value) => Go::Int(value.as_i64().unwrap_or(0)),
            (TypeRef::List(_) | TypeRef::Map(..), Value::Null) => Go::Nil,
            (TypeRef::List(element), value) => {
                let items = value.as_array().unwrap_or(&[]);
                Go::List(items.iter().map(|item| self.decode(element, *item)).collect())
            }
            (TypeRef::Map(_, element), value) => {
                let entries = value.as_object().unwrap_or_default();
                Go::Map(
                    entries
                        .iter()
                        .map(|(key, entry)| (key.to_owned(), self.decode(element, entry)))
                        .collect(),
                )
            }
            (TypeRef::Named(id), value) => match &self.schema.ty(*id).shape {
                Shape::Struct(members) => {
                    let member = |field: &Field| {
                        let value = value.get(field.json_name().expect("a name")).unwrap_or_default();
                        self.decode(&field.ty, value)
                    };
                    Go::Struct(members.fields.iter().map(member).collect())
                }
                Shape::Def(target) => self.decode(target, value),
                _ => Go::Nil,
            },
            _ => Go::Nil,
        }
    }

    /// The function of a named type.
    pub(crate) fn of_type(&self, ty: &TypeRef, path: &str, new: &Go, old: Option<&Go>) -> Vec<Shown> {
        let TypeRef::Named(id) = ty else { return Vec::new() };
        let declared = self.schema.ty(*id);
        let own = self.failures(&declared.rules, ty, None, path, new, old);
        let (mut errors, goes_on) = gather(&own);
        if !goes_on {
            return errors;
        }
        if let (Shape::Struct(_), Go::Struct(members)) = (&declared.shape, new) {
            for (id, field) in self.schema.fields(*id) {
                let old_member = old.map(|old| member(old, id.index));
                errors.extend(self.field(field, path, &members[id.index as usize], old_member));
            }
        }
        errors
    }

    fn field(&self, field: &Field, path: &str, new: &Go, old: Option<&Go>) -> Vec<Shown> {
        if self.update && old == Some(new) {
            return Vec::new();
        }
        let path = child(path, field.json_name().expect("a name"));
        let (mut errors, goes_on) =
            gather(&self.failures(&field.rules, &field.ty, Some(field), &path, new, old));
        if !goes_on {
            return errors;
        }
        let (value, old_value) = (pointee(new), old.and_then(pointee));
        match &field.ty {
            TypeRef::List(element) => {
                errors.extend(
                    self.each_element(&field.rules, element, &path, new, old, |path, new, old| {
                        self.of_type(element, path, new, old)
                    }),
                );
            }
            TypeRef::Map(_, element) => errors.extend(self.each_entry(&path, new, old, |path, new, old| {
                self.of_type(element, path, new, old)
            })),
            ty => {
                let ty = match ty {
                    TypeRef::Pointer(inner) => inner,
                    ty => ty,
                };
                if let Some(value) = value {
                    errors.extend(self.of_type(ty, &path, value, old_value));
                }
            }
        }
        errors
    }

    /// Failures of the rules on one declaration, then the short circuits inherited from subfields.
    fn failures(
        &self,
        rules: &[Rule],
        ty: &TypeRef,
        field: Option<&Field>,
        path: &str,
        new: &Go,
        old: Option<&Go>,
    ) -> Vec<Failure> {
        let mut failures = Vec::new();
        let mut inherited: Vec<&str> = Vec::new();
        for rule in rules {
            let level = rule.level();
            let (mut errors, short_circuit, silent) = self.rule(rules, rule, 0, ty, field, path, new, old);
            if level != Level::Stable && matches!(rule.wraps.first(), Some(Wrap::Level { .. })) {
                errors.iter_mut().for_each(|error| error.3 = Some(level));
            }
            let inner = rule.wraps.iter().find(|wrap| !matches!(wrap, Wrap::Level { .. }));
            let cohort = match inner {
                Some(Wrap::Subfield(name)) => name.to_string(),
                _ => String::new(),
            };
            failures.push(Failure {
                errors,
                short_circuit,
                silent,
                cohort,
            });
        }
        for rule in rules {
            if let Some(Wrap::Subfield(name)) =
                rule.wraps.iter().find(|wrap| matches!(wrap, Wrap::Subfield(_)))
                && !inherited.contains(&&**name)
            {
                inherited.push(name);
                failures.extend(self.inherited(ty, name, path, new, old));
            }
        }
        failures
    }

    /// A short circuit on a member also stops the checks of `subfield` on it.
    fn inherited(&self, ty: &TypeRef, name: &str, path: &str, new: &Go, old: Option<&Go>) -> Vec<Failure> {
        let (Some(new), ty) = (pointee(new), value_type(ty)) else {
            return Vec::new();
        };
        let Some((id, field)) = self.find(ty, name) else {
            return Vec::new();
        };
        let value = member(new, id.index);
        let old_value = old.and_then(pointee).map(|old| member(old, id.index));
        if self.update && old_value == Some(value) {
            return Vec::new();
        }
        let path = child(path, name);
        let all = self.failures(&field.rules, &field.ty, Some(field), &path, value, old_value);
        let stopping = all.into_iter().filter(|failure| failure.short_circuit);
        stopping
            .map(|failure| Failure {
                silent: true,
                cohort: name.to_owned(),
                ..failure
            })
            .collect()
    }

    fn find(&self, ty: &TypeRef, name: &str) -> Option<(FieldId, &Field)> {
        let TypeRef::Named(id) = ty else { return None };
        self.schema
            .fields(*id)
            .find(|(_, field)| field.json_name() == Some(name))
    }

    /// The failures of one rule, whether it stops other checks, and whether it is silent.
    #[expect(clippy::too_many_arguments, reason = "plain recursion over everything")]
    fn rule(
        &self,
        all: &[Rule],
        rule: &Rule,
        depth: usize,
        ty: &TypeRef,
        field: Option<&Field>,
        path: &str,
        new: &Go,
        old: Option<&Go>,
    ) -> (Vec<Shown>, bool, bool) {
        let inner = |ty: &TypeRef, field, path: &str, new: &Go, old: Option<&Go>| {
            self.rule(all, rule, depth + 1, ty, field, path, new, old)
        };
        // A field with a default counts as required, unless the default is the zero value.
        let default = field
            .and_then(|field| field.default.as_ref())
            .and_then(|default| default.value());
        let facet = match (&rule.facet, default.map(|json| json.as_str())) {
            (Facet::Optional, Some("0" | "\"\"")) if matches!(ty, TypeRef::Scalar(_)) => {
                return (Vec::new(), false, false);
            }
            (Facet::Optional, Some(_)) => &Facet::Required,
            (facet, _) => facet,
        };
        // Flags are the same for all values.
        let flags = (stops(facet), is_silent(facet));
        let answer = |errors| (errors, flags.0, flags.1);
        match rule.wraps.get(depth) {
            Some(Wrap::Level { .. }) => inner(ty, field, path, new, old),
            Some(Wrap::If(Condition::Option { name, enabled })) => match self.option {
                None => answer(vec![shown(
                    path,
                    "InternalError",
                    format!("undefined validation option \"{name}\""),
                )]),
                Some(on) if on == *enabled => inner(ty, field, path, new, old),
                Some(_) => answer(Vec::new()),
            },
            Some(Wrap::EachVal) => answer(match ty {
                TypeRef::List(element) => {
                    self.each_element(all, element, path, new, old, |path, new, old| {
                        inner(element, None, path, new, old).0
                    })
                }
                TypeRef::Map(_, element) => self.each_entry(path, new, old, |path, new, old| {
                    inner(element, None, path, new, old).0
                }),
                _ => Vec::new(),
            }),
            Some(Wrap::EachKey) => {
                let old = old.map(entries).unwrap_or_default();
                let fresh = entries(new)
                    .into_iter()
                    .filter(|(key, _)| !(self.update && old.contains_key(key)));
                let string = TypeRef::Scalar(Scalar::String);
                answer(
                    fresh
                        .flat_map(|(key, _)| inner(&string, None, path, &Go::Str(key), None).0)
                        .collect(),
                )
            }
            Some(Wrap::Subfield(name)) => {
                let (Some(new), Some((id, field))) = (pointee(new), self.find(value_type(ty), name)) else {
                    return answer(Vec::new());
                };
                let value = member(new, id.index);
                let old_value = old.and_then(pointee).map(|old| member(old, id.index));
                if self.update && old_value == Some(value) {
                    return answer(Vec::new());
                }
                inner(&field.ty, Some(field), &child(path, name), value, old_value)
            }
            Some(_) => answer(Vec::new()),
            // A forbidden field that is unset stops all other checks silently.
            None if *facet == Facet::Forbidden && !is_set(new) => {
                (vec![shown(path, "FieldValueRequired", String::new())], true, true)
            }
            None => answer(self.facet(all, facet, ty, path, new, old)),
        }
    }

    fn each_element(
        &self,
        rules: &[Rule],
        element: &TypeRef,
        path: &str,
        new: &Go,
        old: Option<&Go>,
        mut check: impl FnMut(&str, &Go, Option<&Go>) -> Vec<Shown>,
    ) -> Vec<Shown> {
        let mut errors = Vec::new();
        for (index, item) in items(new).iter().enumerate() {
            let same = |other: &&Go| self.is_same_item(rules, element, item, other);
            let before = old.map_or(&[][..], items).iter().find(same);
            if self.update && before.is_some_and(|before| before == item) {
                continue;
            }
            errors.extend(check(&format!("{path}[{index}]"), item, before));
        }
        errors
    }

    fn each_entry(
        &self,
        path: &str,
        new: &Go,
        old: Option<&Go>,
        mut check: impl FnMut(&str, &Go, Option<&Go>) -> Vec<Shown>,
    ) -> Vec<Shown> {
        let old = old.map(entries).unwrap_or_default();
        let mut errors = Vec::new();
        for (key, entry) in entries(new) {
            let before = old.get(&key);
            if self.update && before == Some(&entry) {
                continue;
            }
            errors.extend(check(&format!("{path}[{key}]"), &entry, before));
        }
        errors
    }

    /// Are both the same list item, by the list's keys?
    fn is_same_item(&self, rules: &[Rule], element: &TypeRef, left: &Go, right: &Go) -> bool {
        let plain = rules.iter().filter(|rule| rule.is_plain());
        let mut set = false;
        let mut keys = Vec::new();
        let mut map = false;
        for rule in plain {
            match &rule.facet {
                Facet::ListType(ListType::Set) => set = true,
                Facet::ListType(ListType::Map) => map = true,
                Facet::ListMapKey(name) => keys.push(name),
                _ => {}
            }
        }
        if set {
            return left == right;
        }
        map && keys.iter().all(|name| {
            self.find(element, name)
                .is_some_and(|(id, _)| member(left, id.index) == member(right, id.index))
        })
    }

    fn facet(
        &self,
        rules: &[Rule],
        facet: &Facet,
        ty: &TypeRef,
        path: &str,
        new: &Go,
        old: Option<&Go>,
    ) -> Vec<Shown> {
        let one = |kind: &str, detail: String| vec![shown(path, kind, detail)];
        let value = pointee(new);
        let number = |bound: &Bound| match &bound.limit {
            Limit::Number(json) => json.as_str().parse::<i64>().expect("an integer"),
            Limit::Field(_) => unreachable!("not generated"),
        };
        let len = items(new).len() as i64 + entries(new).len() as i64;
        match (facet, value) {
            (Facet::Required | Facet::Optional, _) if !is_set(new) => {
                one("FieldValueRequired", String::new())
            }
            (Facet::Forbidden, _) if is_set(new) => one("FieldValueForbidden", String::new()),
            (Facet::MinLength(limit), Some(Go::Str(text))) if (text.chars().count() as i64) < *limit => one(
                "FieldValueTooShort",
                plural("must be at least", *limit, "character"),
            ),
            (Facet::MaxLength(limit), Some(Go::Str(text))) if text.chars().count() as i64 > *limit => one(
                "FieldValueTooLong",
                plural("may not be more than", *limit, "character"),
            ),
            (Facet::Minimum(bound), Some(Go::Int(given))) if *given < number(bound) => one(
                "FieldValueInvalid",
                format!("must be greater than or equal to {}", number(bound)),
            ),
            (Facet::Maximum(bound), Some(Go::Int(given))) if *given > number(bound) => one(
                "FieldValueInvalid",
                format!("must be less than or equal to {}", number(bound)),
            ),
            (Facet::MinItems(limit), _) if len < *limit => {
                one("FieldValueTooFew", plural("must have at least", *limit, "item"))
            }
            (Facet::MaxItems(limit), _) if len > *limit => {
                one("FieldValueTooMany", plural("must have at most", *limit, "item"))
            }
            (Facet::Immutable, _) if self.update => one("FieldValueInvalid", "field is immutable".into()),
            (Facet::Update(constraints), _) if self.update => {
                let Some(old) = old.or(matches!(ty, TypeRef::Pointer(_)).then_some(&Go::Nil)) else {
                    return Vec::new();
                };
                let (was, is) = (is_set(old), is_set(new));
                let hit = |constraint: &UpdateConstraint| match constraint {
                    UpdateConstraint::NoSet => !was && is,
                    UpdateConstraint::NoUnset => was && !is,
                    _ => was && is,
                };
                let text = |constraint: &UpdateConstraint| match constraint {
                    UpdateConstraint::NoSet => "field cannot be set once created",
                    UpdateConstraint::NoUnset => "field cannot be cleared once set",
                    _ => "field cannot be modified once set",
                };
                let hits = constraints.iter().filter(|constraint| hit(constraint));
                hits.flat_map(|constraint| one("FieldValueInvalid", text(constraint).into()))
                    .collect()
            }
            (Facet::ListType(ListType::Set | ListType::Map), _) => {
                let TypeRef::List(element) = ty else {
                    return Vec::new();
                };
                let all = items(new);
                let repeats = |index: &usize| {
                    all[..*index]
                        .iter()
                        .any(|earlier| self.is_same_item(rules, element, earlier, &all[*index]))
                };
                let repeated = (0..all.len()).filter(repeats);
                repeated
                    .map(|index| shown(&format!("{path}[{index}]"), "FieldValueDuplicate", String::new()))
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Collects errors by cohort; returns them, and whether later checks still run.
fn gather(failures: &[Failure]) -> (Vec<Shown>, bool) {
    let mut errors = Vec::new();
    let mut cohorts: Vec<String> = vec![String::new()];
    for failure in failures {
        if !cohorts.contains(&failure.cohort) {
            cohorts.push(failure.cohort.clone());
        }
    }
    for cohort in cohorts {
        let members = || failures.iter().filter(|failure| failure.cohort == cohort);
        let mut stopped = false;
        for failure in members().filter(|failure| failure.short_circuit) {
            stopped |= !failure.errors.is_empty();
            if !failure.silent {
                errors.extend(failure.errors.iter().cloned().map(|mut error| {
                    error.4 = true;
                    error
                }));
            }
        }
        if stopped && cohort.is_empty() {
            return (errors, false);
        }
        if !stopped {
            let others = members().filter(|failure| !failure.short_circuit);
            errors.extend(others.flat_map(|failure| failure.errors.iter().cloned()));
        }
    }
    (errors, true)
}

fn stops(facet: &Facet) -> bool {
    matches!(
        facet,
        Facet::Required
            | Facet::Optional
            | Facet::Forbidden
            | Facet::Immutable
            | Facet::Update(_)
            | Facet::MaxItems(_)
            | Facet::MaxProperties(_)
    )
}

fn is_silent(facet: &Facet) -> bool {
    matches!(facet, Facet::Optional)
}

fn is_set(value: &Go) -> bool {
    match value {
        Go::Nil => false,
        Go::Str(text) => !text.is_empty(),
        Go::Int(number) => *number != 0,
        Go::Bool(truth) => *truth,
        Go::List(items) => !items.is_empty(),
        Go::Map(entries) => !entries.is_empty(),
        Go::Struct(_) | Go::Pointer(_) => true,
    }
}

fn pointee(value: &Go) -> Option<&Go> {
    match value {
        Go::Nil => None,
        Go::Pointer(inner) => Some(inner),
        value => Some(value),
    }
}

fn value_type(ty: &TypeRef) -> &TypeRef {
    match ty {
        TypeRef::Pointer(inner) => inner,
        ty => ty,
    }
}

fn member(value: &Go, index: u32) -> &Go {
    match value {
        Go::Struct(members) => &members[index as usize],
        Go::Pointer(inner) => member(inner, index),
        other => panic!("{other:?} is not a struct"),
    }
}

fn items(value: &Go) -> &[Go] {
    match value {
        Go::List(items) => items,
        _ => &[],
    }
}

fn entries(value: &Go) -> BTreeMap<String, Go> {
    match value {
        Go::Map(entries) => entries.clone(),
        _ => BTreeMap::new(),
    }
}

fn child(path: &str, name: &str) -> String {
    if path == "<nil>" {
        return name.to_owned();
    }
    format!("{path}.{name}")
}

fn shown(path: &str, kind: &str, detail: String) -> Shown {
    (path.to_owned(), kind.to_owned(), detail, None, false)
}

fn plural(words: &str, count: i64, unit: &str) -> String {
    format!("{words} {count} {unit}{}", if count == 1 { "" } else { "s" })
}
