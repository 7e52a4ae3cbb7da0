//! Mutually exclusive members of an object, from `oneOf` or `maxProperties: 1` in its schema. Knows no values.

use kindsmith_schema::JsonSchema;

/// The alternatives of an object.
#[derive(Debug, Default)]
pub(super) struct Union<'s> {
    alternatives: Vec<Alternative<'s>>,
    /// Whether at most one member may be set.
    single: bool,
}

#[derive(Debug, Default)]
struct Alternative<'s> {
    required: Vec<&'s str>,
    forbidden: Vec<&'s str>,
}

impl<'s> Union<'s> {
    pub(super) fn of(schema: Option<&'s JsonSchema>) -> Self {
        let Some(schema) = schema else {
            return Union::default();
        };
        let alternatives = schema.one_of.iter().map(|branch| Alternative {
            required: branch.required.iter().map(|name| &**name).collect(),
            forbidden: branch.not.as_deref().map(required_anywhere).unwrap_or_default(),
        });
        Union {
            alternatives: alternatives.collect(),
            single: schema.max_properties == Some(1),
        }
    }

    /// Whether the object cannot have both members.
    pub(super) fn excludes(&self, one: &str, other: &str) -> bool {
        if self.single {
            return true;
        }
        let named = |name: &str| {
            self.alternatives
                .iter()
                .any(|alternative| alternative.names(name))
        };
        if !named(one) || !named(other) {
            return false;
        }
        !self
            .alternatives
            .iter()
            .any(|alternative| self.allows(alternative, one) && self.allows(alternative, other))
    }

    /// Members of other alternatives are not allowed; members that no alternative requires are, unless forbidden.
    fn allows(&self, alternative: &Alternative<'_>, name: &str) -> bool {
        let asked_for = self
            .alternatives
            .iter()
            .any(|other| other.required.contains(&name));
        !alternative.forbidden.contains(&name) && (!asked_for || alternative.required.contains(&name))
    }
}

impl Alternative<'_> {
    fn names(&self, name: &str) -> bool {
        self.required.contains(&name) || self.forbidden.contains(&name)
    }
}

/// `required` of the schema and of its `anyOf`.
fn required_anywhere(schema: &JsonSchema) -> Vec<&str> {
    let below = schema.any_of.iter().flat_map(|branch| &branch.required[..]);
    schema.required.iter().chain(below).map(|name| &**name).collect()
}
