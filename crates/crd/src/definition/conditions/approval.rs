//! `KubernetesAPIApprovalPolicyConformant`: only for groups of the Kubernetes community (`apiapproval_controller.go`).

use kindsmith_openapi::crd::Definition;

use super::super::approval::{self, Approval};
use super::super::metadata;
use super::{APPROVAL, Board, Finding};

pub(super) fn update(definition: &Definition, board: &mut Board<'_>) {
    if !approval::is_protected(&definition.spec.group) {
        return;
    }
    let (state, message) = approval::state(&metadata::annotation(&definition.metadata, approval::ANNOTATION));
    let (status, reason) = match state {
        Approval::Approved => ("True", "ApprovedAnnotation"),
        Approval::Bypassed => ("False", "UnapprovedAnnotation"),
        Approval::Missing => ("False", "MissingAnnotation"),
        Approval::Invalid => ("False", "InvalidAnnotation"),
    };
    board.set(
        APPROVAL,
        &Finding {
            status,
            reason,
            message: &message,
        },
    );
}
