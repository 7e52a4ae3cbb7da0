//! What one tag yields while its type is being read: calls, and work deferred until all tags are seen.

use super::{Call, Lowerer};

/// Where deferred work puts its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// On the field or type that has the tag.
    This,
    /// On the struct around the field.
    Parent,
}

type Work<'s> = Box<dyn FnOnce(&mut Lowerer<'s>) -> Validations<'s> + 's>;

/// Work deferred until all tags of a place are seen.
pub(crate) struct Deferred<'s> {
    pub(crate) scope: Scope,
    pub(crate) work: Work<'s>,
}

/// The result of lowering tags.
#[derive(Default)]
pub(crate) struct Validations<'s> {
    pub(crate) calls: Vec<Call>,
    pub(crate) deferred: Vec<Deferred<'s>>,
    /// A tag that runs nothing but still counts as a validation.
    pub(crate) comment: bool,
    pub(crate) opaque: bool,
    pub(crate) opaque_keys: bool,
    pub(crate) opaque_values: bool,
}

impl<'s> Validations<'s> {
    pub(crate) fn one(call: Call) -> Self {
        Self {
            calls: vec![call],
            ..Self::default()
        }
    }

    pub(crate) fn later(scope: Scope, work: impl FnOnce(&mut Lowerer<'s>) -> Validations<'s> + 's) -> Self {
        Self {
            deferred: vec![Deferred {
                scope,
                work: Box::new(work),
            }],
            ..Self::default()
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.calls.extend(other.calls);
        self.deferred.extend(other.deferred);
        self.comment |= other.comment;
        self.opaque |= other.opaque;
        self.opaque_keys |= other.opaque_keys;
        self.opaque_values |= other.opaque_values;
    }

    /// Changes every call, including those of deferred work.
    pub(crate) fn map(self, change: impl Fn(Call, Scope) -> Call + Clone + 's) -> Self {
        self.map_in(Scope::This, change)
    }

    pub(crate) fn map_in(mut self, scope: Scope, change: impl Fn(Call, Scope) -> Call + Clone + 's) -> Self {
        self.calls = self.calls.into_iter().map(|call| change(call, scope)).collect();
        self.deferred = self
            .deferred
            .into_iter()
            .map(|deferred| {
                let change = change.clone();
                let (scope, work) = (deferred.scope, deferred.work);
                Deferred {
                    scope,
                    work: Box::new(move |lowerer| work(lowerer).map_in(scope, change)),
                }
            })
            .collect();
        self
    }

    /// Runs all deferred work now, whatever its scope.
    pub(crate) fn resolved(deferred: Vec<Deferred<'s>>, lowerer: &mut Lowerer<'s>) -> Self {
        let mut resolved = Self::default();
        for one in deferred {
            resolved.add((one.work)(lowerer));
        }
        resolved
    }
}
