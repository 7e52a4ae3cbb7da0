//! Conditions of a definition, as the API server's controllers set them. Pure: the time is given.

mod approval;
mod established;
mod names;
mod structural;
mod terminating;

use kindsmith_openapi::crd::{Condition, Definition, Names, Status};
use kindsmith_schema::Str;

pub use established::has_unusable_ca_bundle;
pub use terminating::{Deletion, FINALIZER, terminate};

/// Names are in use.
pub(super) const NAMES_ACCEPTED: &str = "NamesAccepted";
/// Objects are served.
pub(super) const ESTABLISHED: &str = "Established";
const NON_STRUCTURAL: &str = "NonStructuralSchema";
const APPROVAL: &str = "KubernetesAPIApprovalPolicyConformant";
const TERMINATING: &str = "Terminating";

/// The status a definition settles in after a write.
///
/// `others` are the accepted names of the group's other definitions; `now` is RFC 3339 in UTC, to the second. The
/// order of new conditions is that of one server: names, then the rest.
#[must_use]
pub fn conditions(definition: &Definition, others: &[Names], now: &str) -> Status {
    let mut status = definition.status.clone();
    let mut board = Board {
        status: &mut status,
        now,
    };
    names::update(definition, others, &mut board);
    established::update(definition, &mut board);
    structural::update(definition, &mut board);
    approval::update(definition, &mut board);
    status
}

/// Whether a condition is there and true.
pub(super) fn is_true(status: &Status, ty: &str) -> bool {
    status
        .condition(ty)
        .is_some_and(|condition| &*condition.status == "True")
}

/// Conditions being set.
struct Board<'s> {
    status: &'s mut Status,
    now: &'s str,
}

/// What a condition says.
struct Finding<'f> {
    status: &'f str,
    reason: &'f str,
    message: &'f str,
}

impl Board<'_> {
    /// Sets a condition in its place; the time changes with the status only (`SetCRDCondition`).
    fn set(&mut self, ty: &str, finding: &Finding<'_>) {
        let now = Some(Str::from(self.now));
        let conditions = self.status.conditions.make();
        let Some(old) = conditions.iter_mut().find(|condition| &*condition.ty == ty) else {
            conditions.push(Condition {
                ty: ty.into(),
                status: finding.status.into(),
                last_transition_time: now,
                reason: finding.reason.into(),
                message: finding.message.into(),
                observed_generation: 0,
            });
            return;
        };
        if &*old.status != finding.status || old.last_transition_time.is_none() {
            old.last_transition_time = now;
        }
        old.status = finding.status.into();
        old.reason = finding.reason.into();
        old.message = finding.message.into();
    }

    fn remove(&mut self, ty: &str) {
        if self.status.condition(ty).is_some() {
            self.status
                .conditions
                .make()
                .retain(|condition| &*condition.ty != ty);
        }
    }
}
