//! `Established`: the resource is served (`establishing_controller.go`).

use kindsmith_openapi::crd::Definition;

use super::super::ca_bundle;
use super::{Board, ESTABLISHED, Finding, NAMES_ACCEPTED, is_true};

pub(super) fn update(definition: &Definition, board: &mut Board<'_>) {
    if !is_true(board.status, NAMES_ACCEPTED) || is_true(board.status, ESTABLISHED) {
        return;
    }
    let finding = if has_bad_ca_bundle(definition) {
        Finding {
            status: "False",
            reason: "InvalidCABundle",
            message: "The conversion webhook CABundle is invalid",
        }
    } else {
        Finding {
            status: "True",
            reason: "InitialNamesAccepted",
            message: "the initial names have been accepted",
        }
    };
    board.set(ESTABLISHED, &finding);
}

fn has_bad_ca_bundle(definition: &Definition) -> bool {
    let bundle = bundle(definition);
    bundle.is_some_and(|bundle| !bundle.is_empty() && ca_bundle::read(bundle).is_err())
}

fn bundle(definition: &Definition) -> Option<&[u8]> {
    let conversion = definition.spec.conversion.as_ref()?;
    let webhook = conversion.webhook.as_ref()?;
    Some(&webhook.client_config.as_ref()?.ca_bundle)
}

/// Whether a conversion webhook cannot be called because of its certificates. White space counts as none.
#[must_use]
pub fn has_unusable_ca_bundle(definition: &Definition) -> bool {
    let bundle = bundle(definition);
    bundle.is_some_and(|bundle| !bundle.trim_ascii().is_empty() && ca_bundle::read(bundle).is_err())
}
