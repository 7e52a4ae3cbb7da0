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
    let conversion = definition.spec.conversion.as_ref();
    let webhook = conversion.and_then(|conversion| conversion.webhook.as_ref());
    let config = webhook.and_then(|webhook| webhook.client_config.as_ref());
    config.is_some_and(|config| !config.ca_bundle.is_empty() && ca_bundle::read(&config.ca_bundle).is_err())
}
