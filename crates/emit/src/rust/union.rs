//! Unions: objects of which exactly one member is set. They are enums in Rust.

use kindsmith_schema::{JsonSchema, ValidationRule};

/// The members of a union, in the order that its rules have.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Union<'s> {
    pub(super) members: Vec<&'s str>,
    /// Whether a marker of controller-gen said it; members of other unions say it themselves.
    pub(super) is_marker: bool,
}

/// The union that a schema is, if it says nothing else: every member belongs to it, and can be absent.
pub(super) fn union(schema: &JsonSchema) -> Option<Union<'_>> {
    let plain = JsonSchema {
        description: schema.description.clone(),
        ty: schema.ty.clone(),
        properties: schema.properties.clone(),
        default: schema.default.clone(),
        nullable: schema.nullable,
        one_of: schema.one_of.clone(),
        validations: schema.validations.clone(),
        ..JsonSchema::default()
    };
    if plain != *schema || schema.properties.len() < 2 {
        return None;
    }
    let found = match (schema.validations.as_slice(), schema.one_of.as_slice()) {
        ([one, exactly], []) => of_tags(one, exactly),
        ([rule], []) => of_marker(rule),
        ([], choices) => of_choices(choices),
        _ => None,
    }?;
    let is_member = |name: &str| found.members.contains(&name);
    let is_whole = found.members.len() == schema.properties.len()
        && schema.properties.iter().all(|(name, _)| is_member(name));
    let can_be_absent = |(_, member): &(_, JsonSchema)| member.default.is_none() && !member.nullable;
    (is_whole && schema.properties.iter().all(can_be_absent)).then_some(found)
}

/// The two rules of `+k8s:unionMember`.
fn of_tags<'s>(one: &'s ValidationRule, exactly: &ValidationRule) -> Option<Union<'s>> {
    let named = one.message.strip_prefix("must specify one of: ")?;
    let members: Vec<&str> = named.split(", ").map(|name| name.trim_matches('`')).collect();
    let joined = |code: &dyn Fn(&str) -> String, by: &str| {
        members.iter().map(|name| code(name)).collect::<Vec<_>>().join(by)
    };
    let count = joined(&|name| format!("(has(self.{name}) ? 1 : 0)"), " + ");
    let unchanged = joined(
        &|name| format!("has(self.{name}) == has(oldSelf.value().{name})"),
        " && ",
    );
    // Items of lists without keys have no old value to compare with.
    let is_rule = |rule: &ValidationRule, limit: &str| {
        let plain = format!("({count} {limit} 1)");
        *rule.rule == *plain || *rule.rule == *format!("{plain} || (oldSelf.hasValue() && {unchanged})")
    };
    (is_rule(one, ">=") && is_rule(exactly, "<=")).then_some(Union {
        members,
        is_marker: false,
    })
}

/// The rule of `+kubebuilder:validation:ExactlyOneOf`, in the words of all releases of controller-gen.
fn of_marker(rule: &ValidationRule) -> Option<Union<'_>> {
    let named = rule.message.strip_prefix("exactly one of the fields in [")?;
    let members: Vec<&str> = named.strip_suffix("] must be set")?.split(' ').collect();
    let joined = |before: &str, after: &str, by: &str| {
        let terms: Vec<String> = members
            .iter()
            .map(|name| format!("{before}has(self.{name}){after}"))
            .collect();
        terms.join(by)
    };
    let (sum, list) = (joined("(", "?1:0)", "+"), joined("", "", ","));
    let known = [
        format!("{sum} == 1"),
        format!("[{list}].filter(x,x==true).size() == 1"),
    ];
    known.iter().any(|known| **known == *rule.rule).then_some(Union {
        members,
        is_marker: true,
    })
}

/// `oneOf`, where each choice requires one member.
fn of_choices(choices: &[JsonSchema]) -> Option<Union<'_>> {
    let member = |choice: &'_ JsonSchema| {
        let only = JsonSchema {
            required: choice.required.clone(),
            ..JsonSchema::default()
        };
        only == *choice && choice.required.len() == 1
    };
    choices.iter().all(member).then(|| Union {
        members: choices
            .iter()
            .flat_map(|choice| choice.required.iter().map(|name| &**name))
            .collect(),
        is_marker: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(change: impl FnOnce(&mut JsonSchema)) -> Option<Vec<String>> {
        let member = || JsonSchema {
            ty: "string".into(),
            ..JsonSchema::default()
        };
        let mut schema = JsonSchema {
            ty: "object".into(),
            properties: vec![("code".into(), member()), ("key".into(), member())].into(),
            ..JsonSchema::default()
        };
        change(&mut schema);
        let found = union(&schema)?;
        Some(found.members.into_iter().map(str::to_owned).collect())
    }

    fn requires(names: &[&'static str]) -> JsonSchema {
        JsonSchema {
            required: names.iter().map(|name| (*name).into()).collect::<Vec<_>>().into(),
            ..JsonSchema::default()
        }
    }

    #[test]
    fn choices_of_one_member_each_are_a_union() {
        let expected = Some(vec!["key".to_owned(), "code".to_owned()]);
        assert_eq!(
            of(|schema| schema.one_of = vec![requires(&["key"]), requires(&["code"])].into()),
            expected
        );
        assert_eq!(
            of(|schema| schema.one_of = vec![requires(&["key"]), requires(&["key", "code"])].into()),
            None
        );
        assert_eq!(of(|schema| schema.one_of = vec![requires(&["key"])].into()), None);
    }

    #[test]
    fn rules_of_other_forms_are_no_union() {
        let rule = |rule: &'static str| ValidationRule {
            rule: rule.into(),
            message: "exactly one of the fields in [code key] must be set".into(),
            ..ValidationRule::default()
        };
        let exactly = "(has(self.code)?1:0)+(has(self.key)?1:0) == 1";
        assert!(of(|schema| schema.validations = vec![rule(exactly)].into()).is_some());
        let at_most = "(has(self.code)?1:0)+(has(self.key)?1:0) <= 1";
        assert_eq!(of(|schema| schema.validations = vec![rule(at_most)].into()), None);
        assert_eq!(of(|_| ()), None);
        assert_eq!(
            of(|schema| {
                schema.validations = vec![rule(exactly)].into();
                schema.max_properties = Some(1);
            }),
            None
        );
    }
}
