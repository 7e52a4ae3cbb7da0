//! Conditions of a CRD, as the API server's controllers set them. Pure: the caller passes the time.

mod approval;
mod established;
mod names;
mod structural;
mod terminating;

use kindsmith_openapi::crd::{Condition, Definition, Names, Status};
use kindsmith_schema::Str;

pub use established::has_unusable_ca_bundle;
pub use terminating::{Deletion, FINALIZER, terminate};

/// No other CRD uses the names.
pub(super) const NAMES_ACCEPTED: &str = "NamesAccepted";
/// The resource is served.
pub(super) const ESTABLISHED: &str = "Established";
const NON_STRUCTURAL: &str = "NonStructuralSchema";
const APPROVAL: &str = "KubernetesAPIApprovalPolicyConformant";
const TERMINATING: &str = "Terminating";

/// The final status of a CRD after a write.
///
/// `others` are the accepted names of the group's other CRDs; `now` is RFC 3339 in UTC, to the second. New conditions
/// are added in the order of a single server: names first, then the rest.
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

/// Whether a condition exists and is true.
pub(super) fn is_true(status: &Status, ty: &str) -> bool {
    status
        .condition(ty)
        .is_some_and(|condition| &*condition.status == "True")
}

/// The conditions to update.
struct Board<'s> {
    status: &'s mut Status,
    now: &'s str,
}

/// The content of a condition.
struct Finding<'f> {
    status: &'f str,
    reason: &'f str,
    message: &'f str,
}

impl Board<'_> {
    /// Sets a condition, keeping its position; the time changes only with the status (`SetCRDCondition`).
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
