//! Keywords that no marker says, in words that markers have: rules instead of `oneOf`, `anyOf`, `allOf` and `not` about which
//! members are set and what texts they hold, one `enum` instead of several, nothing instead of keywords that have no effect.
//!
//! Objects get the same answer. What cannot be said otherwise stays, and the comparison finds it.

mod values;

use std::sync::Arc;

use kindsmith_cel::escape::escape;
use kindsmith_openapi::crd::Definition;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, Shared, Str, ValidationRule};

use super::markers::Group;

/// A keyword that the types say in other words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restated {
    /// The CRD.
    pub crd: Str,
    /// Version and place in objects.
    pub at: String,
    /// The keyword.
    pub keyword: &'static str,
    /// What says the same.
    pub by: String,
}

/// The definition with every schema in words that markers have, and what was changed.
pub(super) fn restated(definition: &Definition) -> (Definition, Vec<Restated>) {
    let mut made = definition.clone();
    let mut walk = Walk {
        crd: format!("{}.{}", definition.spec.names.plural, definition.spec.group).into(),
        found: Vec::new(),
    };
    for version in made.spec.versions.make() {
        let name = version.name.clone();
        if let Some(schema) = version
            .schema
            .as_mut()
            .and_then(|of| of.open_api_v3_schema.as_mut())
        {
            walk.schema(Arc::make_mut(schema), &name, ' ');
        }
    }
    (made, walk.found)
}

struct Walk {
    crd: Str,
    found: Vec<Restated>,
}

impl Walk {
    fn schema(&mut self, schema: &mut JsonSchema, at: &str, between: char) {
        self.enums(schema, at);
        self.members(schema, at);
        self.without_effect(schema, at);
        if let Some(Items::Each(item)) = schema.items.as_deref_mut() {
            self.schema(item, &format!("{at}[]"), '.');
        }
        if let Some(SchemaOrBool::Schema(value)) = schema.additional_properties.as_deref_mut() {
            self.schema(value, &format!("{at}[*]"), '.');
        }
        for (name, member) in &mut schema.properties {
            self.schema(member, &format!("{at}{between}{name}"), '.');
        }
    }

    fn note(&mut self, at: &str, keyword: &'static str, by: &str) {
        self.found.push(Restated {
            crd: self.crd.clone(),
            at: at.to_owned(),
            keyword,
            by: by.to_owned(),
        });
    }

    /// `allOf` of enums allows what all of them list.
    fn enums(&mut self, schema: &mut JsonSchema, at: &str) {
        let is_enum = |one: &JsonSchema| {
            let alone = JsonSchema {
                enum_values: one.enum_values.clone(),
                ..JsonSchema::default()
            };
            !one.enum_values.is_empty() && *one == alone
        };
        if schema.all_of.is_empty() || !schema.all_of.iter().all(is_enum) {
            return;
        }
        let mut lists = schema.all_of.iter().map(|one| &one.enum_values);
        let Some(first) = lists.next() else { return };
        let mut common = first.to_vec();
        for list in lists.chain(Some(&schema.enum_values).filter(|own| !own.is_empty())) {
            common.retain(|value| list.contains(value));
        }
        if common.is_empty() {
            return;
        }
        schema.enum_values = common.into();
        schema.all_of = Vec::new().into();
        self.note(at, "allOf", "`enum`");
    }

    /// Which members are set, as rules.
    fn members(&mut self, schema: &mut JsonSchema, at: &str) {
        if &*schema.ty != "object" {
            return;
        }
        let mut rules: Vec<ValidationRule> = schema.validations.to_vec();
        if let Some(rule) = rule_of(schema, &any_of(schema.one_of.to_vec()), How::One) {
            schema.one_of = Vec::new().into();
            self.note(at, "oneOf", &rule.rule);
            rules.push(rule);
        }
        if let Some(rule) = rule_of(schema, &any_of(schema.any_of.to_vec()), How::Some) {
            schema.any_of = Vec::new().into();
            self.note(at, "anyOf", &rule.rule);
            rules.push(rule);
        }
        if let Some(rule) = rule_of(schema, &any_of(schema.all_of.to_vec()), How::All) {
            schema.all_of = Vec::new().into();
            self.note(at, "allOf", &rule.rule);
            rules.push(rule);
        }
        if let Some(not) = &schema.not
            && let Some(rule) = rule_of(schema, not, How::None)
        {
            schema.not = None;
            self.note(at, "not", &rule.rule);
            rules.push(rule);
        }
        schema.validations = rules.into();
    }

    /// Keywords about texts say nothing about values of other types.
    fn without_effect(&mut self, schema: &mut JsonSchema, at: &str) {
        let is_other = matches!(&*schema.ty, "array" | "object" | "boolean" | "integer" | "number");
        if !is_other || schema.int_or_string {
            return;
        }
        if !schema.pattern.is_empty() {
            schema.pattern = "".into();
            self.note(at, "pattern", "nothing: it has no effect there");
        }
        if schema.max_length.take().is_some() {
            self.note(at, "maxLength", "nothing: it has no effect there");
        }
        if schema.min_length.take().is_some() {
            self.note(at, "minLength", "nothing: it has no effect there");
        }
    }
}

/// How many of the alternatives hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    One,
    Some,
    All,
    None,
}

fn any_of(alternatives: Vec<JsonSchema>) -> JsonSchema {
    JsonSchema {
        any_of: alternatives.into(),
        ..JsonSchema::default()
    }
}

/// The rule of an object that says the same. controller-gen has short markers for the most frequent ones.
fn rule_of(object: &JsonSchema, said: &JsonSchema, how: How) -> Option<ValidationRule> {
    if how != How::None && said.any_of.is_empty() {
        return None;
    }
    if let Some(rule) = counted(object, said, how) {
        return Some(rule);
    }
    let (text, message) = match how {
        How::None => (
            format!("!({})", expression(object, said)?),
            "these members may not be set like this",
        ),
        How::One => (
            format!("[{}].exists_one(x, x)", all(object, &said.any_of, ", ")?),
            "exactly one of the alternatives must hold",
        ),
        How::Some => (
            all(object, &said.any_of, " || ")?,
            "one of the alternatives must hold",
        ),
        How::All => (all(object, &said.any_of, " && ")?, "all of this must hold"),
    };
    Some(ValidationRule {
        rule: text.into(),
        message: message.into(),
        ..ValidationRule::default()
    })
}

/// A rule about how many of some members are set, as controller-gen writes it.
fn counted(object: &JsonSchema, said: &JsonSchema, how: How) -> Option<ValidationRule> {
    let (group, names) = match how {
        How::One | How::Some => {
            let single = said.any_of.iter().map(|one| match &required(object, one)?[..] {
                [only] => Some(only.clone()),
                _ => None,
            });
            let group = if how == How::One {
                Group::Exactly
            } else {
                Group::AtLeast
            };
            (group, single.collect::<Option<Vec<Str>>>()?)
        }
        How::None => {
            let names = required(object, said).filter(|names| names.len() == 2)?;
            (Group::AtMost, names)
        }
        How::All => return None,
    };
    Some(group.rule(&names))
}

/// The members that a schema requires, if it says nothing else.
fn required(object: &JsonSchema, said: &JsonSchema) -> Option<Vec<Str>> {
    let alone = JsonSchema {
        required: said.required.clone(),
        properties: said.properties.clone(),
        ..JsonSchema::default()
    };
    let says_nothing = |(_, member): &(Str, JsonSchema)| *member == JsonSchema::default();
    let is_known = |name: &Str| {
        let mut members = object.properties.iter();
        let found = members.find(|(member, _)| member == name);
        // Whether a member is null or absent is not the same for both.
        found.is_some_and(|(_, member)| !member.nullable) && is_plain(name)
    };
    let is_said = *said == alone && said.properties.iter().all(says_nothing);
    (is_said && !said.required.is_empty() && said.required.iter().all(is_known))
        .then(|| said.required.to_vec())
}

/// Whether a name can be written in a rule as it is.
fn is_plain(name: &str) -> bool {
    escape(name).as_deref() == Some(name)
}

fn all(object: &JsonSchema, alternatives: &[JsonSchema], between: &str) -> Option<String> {
    let parts = alternatives
        .iter()
        .map(|one| Some(format!("({})", expression(object, one)?)));
    Some(parts.collect::<Option<Vec<String>>>()?.join(between))
}

/// The expression for a schema that only says which members are set, or which texts they hold.
fn expression(object: &JsonSchema, said: &JsonSchema) -> Option<String> {
    if let Some(names) = required(object, said) {
        let parts: Vec<String> = names.iter().map(|name| format!("has(self.{name})")).collect();
        return Some(parts.join(" && "));
    }
    let only = |rest: JsonSchema| *said == rest;
    if let Some(not) = &said.not {
        let alone = JsonSchema {
            not: Some(Shared::new((**not).clone())),
            ..JsonSchema::default()
        };
        return only(alone).then(|| Some(format!("!({})", expression(object, not)?)))?;
    }
    if !said.any_of.is_empty() {
        return only(any_of(said.any_of.to_vec())).then(|| all(object, &said.any_of, " || "))?;
    }
    if !said.all_of.is_empty() {
        let alone = JsonSchema {
            all_of: said.all_of.clone(),
            ..JsonSchema::default()
        };
        return only(alone).then(|| all(object, &said.all_of, " && "))?;
    }
    values::expression(object, said)
}

#[cfg(test)]
mod tests {
    use kindsmith_schema::{JsonSchema, Str};

    use super::{How, any_of, rule_of};

    fn needs(names: &[&str]) -> JsonSchema {
        let names: Vec<Str> = names.iter().map(|name| (*name).into()).collect();
        JsonSchema {
            required: names.into(),
            ..JsonSchema::default()
        }
    }

    fn object() -> JsonSchema {
        let names = ["gas", "oil", "wick", "namespace"];
        let members: Vec<(Str, JsonSchema)> = names
            .iter()
            .map(|name| ((*name).into(), JsonSchema::default()))
            .collect();
        JsonSchema {
            ty: "object".into(),
            properties: members.into(),
            ..JsonSchema::default()
        }
    }

    #[test]
    fn members_that_are_set_become_rules() {
        let not = |inner: JsonSchema| JsonSchema {
            not: Some(inner.into()),
            ..JsonSchema::default()
        };
        for (said, how, expected) in [
            (
                any_of(vec![needs(&["gas"]), needs(&["oil"])]),
                How::One,
                "(has(self.gas)?1:0)+(has(self.oil)?1:0) == 1",
            ),
            (
                any_of(vec![needs(&["gas"]), needs(&["oil"])]),
                How::Some,
                "has(self.gas)||has(self.oil)",
            ),
            (
                needs(&["gas", "oil"]),
                How::None,
                "(has(self.gas)?1:0)+(has(self.oil)?1:0) <= 1",
            ),
            (
                any_of(vec![needs(&["oil", "wick"]), not(needs(&["oil"]))]),
                How::One,
                "[(has(self.oil) && has(self.wick)), (!(has(self.oil)))].exists_one(x, x)",
            ),
        ] {
            let rule = rule_of(&object(), &said, how).expect("a rule");
            assert_eq!(&*rule.rule, expected);
        }
    }

    #[test]
    fn what_is_about_values_stays() {
        let mut valued = needs(&["gas"]);
        valued.min_properties = Some(2);
        let unknown = needs(&["lid"]);
        // Rules write this name in another way.
        let reserved = needs(&["namespace"]);
        for said in [valued, unknown, reserved] {
            let both = any_of(vec![said, needs(&["oil"])]);
            assert_eq!(rule_of(&object(), &both, How::One), None);
        }
    }
}
