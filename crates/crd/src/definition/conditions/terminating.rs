//! `Terminating`: the progress of deleting the objects of a CRD (`crd_finalizer.go`).

use kindsmith_openapi::crd::{Definition, Status};

use super::{Board, ESTABLISHED, Finding, TERMINATING, is_true};

/// The finalizer that a CRD gets when it is deleted.
pub const FINALIZER: &str = "customresourcecleanup.apiextensions.k8s.io";

/// The progress of deleting a CRD's objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deletion {
    /// The CRD was just marked for deletion.
    Pending,
    /// Objects are being deleted.
    InProgress,
    /// Objects could not be listed, for this reason.
    NotListed(String),
    /// Some objects could not be deleted, for these reasons.
    NotDeleted(String),
    /// It is unknown whether objects remain, for this reason.
    NotConfirmed(String),
    /// No objects remain.
    Completed,
}

/// The status of a CRD that is being deleted.
///
/// A CRD for a built-in kind, or one that was never served, has nothing to delete: its [`Deletion::Completed`] says so.
#[must_use]
pub fn terminate(definition: &Definition, deletion: &Deletion, now: &str) -> Status {
    let mut status = definition.status.clone();
    let (truth, reason, message) = match deletion {
        Deletion::Pending => (
            "True",
            "InstanceDeletionPending",
            "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"
                .to_owned(),
        ),
        Deletion::InProgress => (
            "True",
            "InstanceDeletionInProgress",
            "CustomResource deletion is in progress".to_owned(),
        ),
        Deletion::NotListed(error) => (
            "True",
            "InstanceDeletionFailed",
            format!("could not list instances: {error}"),
        ),
        Deletion::NotDeleted(error) => (
            "True",
            "InstanceDeletionFailed",
            format!("could not issue all deletes: {error}"),
        ),
        Deletion::NotConfirmed(error) => (
            "True",
            "InstanceDeletionCheck",
            format!("could not confirm zero CustomResources remaining: {error}"),
        ),
        Deletion::Completed => {
            let (reason, message) = completed(definition);
            ("False", reason, message.to_owned())
        }
    };
    let finding = Finding {
        status: truth,
        reason,
        message: &message,
    };
    let mut board = Board {
        status: &mut status,
        now,
    };
    board.set(TERMINATING, &finding);
    status
}

fn completed(definition: &Definition) -> (&'static str, &'static str) {
    let spec = &definition.spec;
    let built_in = matches!(
        (&*spec.group, &*spec.names.plural),
        ("apiregistration.k8s.io", "apiservices") | ("apiextensions.k8s.io", "customresourcedefinitions")
    );
    if built_in {
        (
            "OverlappingBuiltInResource",
            "instances overlap with built-in resources in storage",
        )
    } else if is_true(&definition.status, ESTABLISHED) {
        ("InstanceDeletionCompleted", "removed all instances")
    } else {
        ("NeverEstablished", "resource was never established")
    }
}
