//! The place of a rule, for messages about it and the rules beside it.

use kindsmith_schema::{Owner, Part, Place, Rule, Str, Wrap};

use super::identity;
use super::reading::Reading;

/// The place of a rule, for messages about it.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) owner: Owner,
    pub(super) index: usize,
}

impl Site {
    pub(super) fn place(self) -> Place {
        self.owner.part(Part::Rule(self.index as u32))
    }

    /// All rules of the declaration.
    pub(super) fn rules<'a>(self, reading: &Reading<'a>) -> &'a [Rule] {
        match self.owner {
            Owner::Type(id) => &reading.schema.ty(id).rules,
            Owner::Field(id) => &reading.schema.field(id).rules,
            _ => &[],
        }
    }

    /// The key members of the list that the rule is on.
    pub(super) fn keys<'a>(self, reading: &Reading<'a>) -> Vec<&'a Str> {
        let rules = self.rules(reading);
        let scope: Vec<Wrap> = rules[self.index].scope().cloned().collect();
        identity::keys(rules, &scope)
    }
}
