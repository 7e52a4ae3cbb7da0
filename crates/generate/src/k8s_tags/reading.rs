//! What tags are read with: the types, the checks that tags become, and the options that are known. Collects what a
//! CRD cannot express.

use std::cell::OnceCell;

use kindsmith_checks::{Call, Lowered, LoweredType, Profile};
use kindsmith_schema::{Owner, Place, Schema, TypeId, View};

use super::enforcement::Switches;
use super::refusing::refusing;

/// A rule that a CRD cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unenforced {
    pub(crate) place: Place,
    /// What the server will not enforce.
    pub(crate) what: String,
    /// Whether it depends on an option whose state is unknown.
    pub(crate) under_option: bool,
}

/// The types whose tags are read.
pub(crate) struct Reading<'a> {
    pub(super) schema: &'a Schema,
    pub(super) view: View<'a>,
    pub(super) profile: Profile,
    pub(super) switches: Switches<'a>,
    /// In the order found.
    pub(crate) unenforced: Vec<Unenforced>,
    /// Which types an update may not add, by index; computed on first use.
    refusing: OnceCell<Vec<bool>>,
    /// What tags become, by type; computed on first use.
    checks: OnceCell<Lowered>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(schema: &'a Schema, profile: Profile, switches: Switches<'a>) -> Self {
        Self {
            schema,
            view: schema.view(),
            profile,
            switches,
            unenforced: Vec::new(),
            refusing: OnceCell::new(),
            checks: OnceCell::new(),
        }
    }

    /// Whether parts of a type may be rejected because they are new.
    pub(super) fn may_refuse_newcomers(&self, id: TypeId) -> bool {
        let known = self.refusing.get_or_init(|| refusing(self.schema));
        known.get(id.index()).copied().unwrap_or(false)
    }

    fn checks(&self, id: TypeId) -> Option<&LoweredType> {
        let read = || {
            let ids: Vec<TypeId> = self.schema.types().map(|(id, _)| id).collect();
            kindsmith_checks::lower_roots(self.schema, &ids, self.profile)
        };
        self.checks.get_or_init(read).get(&id)
    }

    /// The checks of a struct that its fields' tags declare.
    pub(super) fn struct_calls(&self, id: TypeId) -> Vec<Call> {
        let calls = self.checks(id).map_or(&[][..], |checks| &checks.calls);
        let is_hoisted = |call: &&Call| matches!(call.rule, Some(place) if place.owner != Owner::Type(id));
        calls.iter().filter(is_hoisted).cloned().collect()
    }

    /// The checks of a value that its own tags declare.
    pub(super) fn own_calls(&self, owner: Owner) -> Vec<Call> {
        let calls = match owner {
            Owner::Type(id) => self.checks(id).map(|checks| &checks.calls),
            Owner::Field(id) => {
                let fields = self.checks(id.owner).map(|checks| &checks.fields);
                let field = fields.and_then(|fields| fields.get(id.index as usize));
                field.map(|field| &field.calls)
            }
            _ => None,
        };
        let is_own = |call: &&Call| call.rule.is_some_and(|place| place.owner == owner);
        calls
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .filter(is_own)
            .cloned()
            .collect()
    }

    /// Notes something the server will not enforce.
    pub(super) fn unenforced(&mut self, place: Place, what: &str) {
        self.unenforced_under(place, what, false);
    }

    /// Like `unenforced`; `under_option` is whether it depends on an option whose state is unknown.
    pub(super) fn unenforced_under(&mut self, place: Place, what: &str, under_option: bool) {
        let one = Unenforced {
            place,
            what: what.to_owned(),
            under_option,
        };
        if !self.unenforced.contains(&one) {
            self.unenforced.push(one);
        }
    }
}
