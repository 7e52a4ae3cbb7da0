//! Objects with a discriminator: a member that names the one that is set. They are enums with a tag in Rust.

use kindsmith_schema::{JsonSchema, ValidationRule};

use super::allowed::{is_enum, texts};

/// An object with a discriminator.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tagged<'s> {
    /// The name of the discriminator.
    pub(super) tag: &'s str,
    /// Its values, in the order of the schema, with the members that they have.
    pub(super) variants: Vec<(String, Vec<Member<'s>>)>,
}

/// A member that only one value of the discriminator has.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Member<'s> {
    pub(super) name: &'s str,
    /// Whether it must be there.
    pub(super) is_required: bool,
}

/// The object with a discriminator that a schema is: the discriminator is required and lists its values, and by rules every other member
/// belongs to one of them.
pub(super) fn tagged(schema: &JsonSchema) -> Option<Tagged<'_>> {
    let plain = JsonSchema {
        description: schema.description.clone(),
        ty: schema.ty.clone(),
        properties: schema.properties.clone(),
        required: schema.required.clone(),
        default: schema.default.clone(),
        nullable: schema.nullable,
        validations: schema.validations.clone(),
        ..JsonSchema::default()
    };
    let [tag] = schema.required.as_slice() else {
        return None;
    };
    if plain != *schema || schema.properties.len() < 2 || !is_discriminator(schema.property(tag)?) {
        return None;
    }
    let values = texts(schema.property(tag)?);
    let mut variants: Vec<(String, Vec<Member<'_>>)> =
        values.into_iter().map(|value| (value, Vec::new())).collect();
    for (name, member) in schema.properties.iter().filter(|(name, _)| name != tag) {
        let demands = |value: &str| Demands::of(schema, tag, name, value);
        let can_be_absent = member.default.is_none() && !member.nullable;
        let mut chosen = variants.iter_mut().filter(|(value, _)| demands(value).only);
        let (value, members) = chosen.next().filter(|_| can_be_absent)?;
        members.push(Member {
            name,
            is_required: demands(value).always,
        });
    }
    Some(Tagged { tag, variants })
}

/// Whether it says nothing but which texts are allowed.
fn is_discriminator(schema: &JsonSchema) -> bool {
    let plain = JsonSchema {
        description: schema.description.clone(),
        ty: "string".into(),
        enum_values: schema.enum_values.clone(),
        ..JsonSchema::default()
    };
    plain == *schema && is_enum(schema)
}

/// What rules say about a member and a value of the discriminator.
struct Demands {
    /// The member is there with this value only.
    only: bool,
    /// With this value, the member is there.
    always: bool,
}

impl Demands {
    fn of(schema: &JsonSchema, tag: &str, member: &str, value: &str) -> Self {
        let has = format!("has(self.{member})");
        let (mut only, mut always) = (Vec::new(), Vec::new());
        let plain = format!("self.{tag}");
        // As `+k8s:unionDiscriminator` reads it.
        let guarded = format!("(has(self.{tag}) ? self.{tag} : '')");
        for chosen in [plain, guarded] {
            let is = format!("{chosen} == '{value}'");
            let is_not = format!("{chosen} != '{value}'");
            only.extend([
                format!("!{has} || {is}"),
                format!("{is} || !{has}"),
                format!("!({has} && {is_not})"),
                format!("{is_not} ? !{has} : true"),
                format!("{has} ? {is} : true"),
            ]);
            always.extend([
                format!("{has} || !({is})"),
                format!("{is_not} || {has}"),
                format!("!(!{has} && {is})"),
                format!("{is} ? {has} : true"),
            ]);
            let both = [
                format!("{is} ? {has} : !{has}"),
                format!("{has} == ({is})"),
                format!("({is}) == {has}"),
            ];
            only.extend(both.iter().cloned());
            always.extend(both);
        }
        let says = |forms: &[String]| {
            let is_said = |rule: &ValidationRule| forms.iter().any(|form| *form == condition(rule));
            schema.validations.iter().any(is_said)
        };
        Self {
            only: says(&only),
            always: says(&always),
        }
    }
}

/// A rule without what excuses an unchanged value.
fn condition(rule: &ValidationRule) -> String {
    let text = rule.rule.split_whitespace().collect::<Vec<_>>().join(" ");
    let ratcheted = text
        .split_once(") || (oldSelf.hasValue() && ")
        .and_then(|(condition, _)| condition.strip_prefix('('));
    ratcheted.map_or_else(|| text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use kindsmith_schema::Json;

    use super::*;

    fn of(rules: &[&str]) -> Option<String> {
        let text = |values: &[&str]| JsonSchema {
            ty: "string".into(),
            enum_values: values
                .iter()
                .map(|value| Json::parse(&format!("{value:?}")).expect("a text"))
                .collect::<Vec<_>>()
                .into(),
            ..JsonSchema::default()
        };
        let schema = JsonSchema {
            ty: "object".into(),
            properties: vec![
                ("code".into(), text(&[])),
                ("key".into(), text(&[])),
                ("type".into(), text(&["Key", "Code", "Bolt"])),
            ]
            .into(),
            required: vec!["type".into()].into(),
            validations: rules
                .iter()
                .map(|rule| ValidationRule {
                    rule: (*rule).into(),
                    ..ValidationRule::default()
                })
                .collect::<Vec<_>>()
                .into(),
            ..JsonSchema::default()
        };
        let found = tagged(&schema)?;
        let mut text = found.tag.to_owned();
        for (value, members) in found.variants {
            text += &format!(" {value}");
            for member in members {
                let mark = if member.is_required { "" } else { "?" };
                text += &format!(" {}{mark}", member.name);
            }
        }
        Some(text)
    }

    #[test]
    fn each_member_belongs_to_a_value() {
        assert_eq!(
            of(&[
                "!(has(self.key) && self.type != 'Key')",
                "!(!has(self.key) && self.type == 'Key')",
                "!has(self.code) || self.type == 'Code'",
            ])
            .as_deref(),
            Some("type Key key Code code? Bolt")
        );
        assert_eq!(
            of(&[
                "self.type == 'Key' ? has(self.key) : !has(self.key)",
                "(!has(self.code) || (has(self.type) ? self.type : '') == 'Code') || (oldSelf.hasValue() && has(self.key) == has(oldSelf.value().key))",
            ])
            .as_deref(),
            Some("type Key key Code code? Bolt")
        );
    }

    #[test]
    fn a_member_of_all_values_is_none() {
        assert_eq!(of(&["self.type == 'Key' ? has(self.key) : !has(self.key)"]), None);
        assert_eq!(of(&[]), None);
    }
}
