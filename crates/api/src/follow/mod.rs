//! What the server does after a write: a CRD changes what is served, a service gets its addresses, a policy is checked, and so is
//! whether the server behind an `APIService` answers.

mod addresses;
mod availability;
mod definitions;
mod type_check;

use std::collections::BTreeSet;
use std::sync::Mutex;

use kindsmith_object::store_key;

use self::addresses::Addresses;
use crate::Served;
use crate::context::{Above, Core, Created};

/// Held by whoever follows, so that the last one sees what the first one did.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// While the addresses of a service follow it.
    addressing: Mutex<()>,
    /// While what is served follows a CRD.
    defining: Mutex<()>,
    /// While `APIService` objects follow what is behind them.
    registering: Mutex<()>,
    /// The names of those that are to be checked.
    due: Mutex<BTreeSet<String>>,
}

/// Follows writes.
#[derive(Clone, Copy)]
pub(crate) struct Follower<'f> {
    pub(crate) core: &'f Core,
    pub(crate) above: &'f dyn Above,
    pub(crate) turns: &'f Turns,
    /// Whether expressions of validating policies are checked.
    pub(crate) checks_policies: bool,
}

impl Follower<'_> {
    /// Follows what services hold.
    pub(crate) fn addresses(&self) -> Addresses<'_> {
        Addresses {
            store: &*self.core.store,
            environment: &*self.core.environment,
            held: &self.core.services.held,
            turn: &self.turns.addressing,
        }
    }

    /// Follows what was written to a resource: a CRD changes what is served, and one that is being deleted may only wait
    /// for this object.
    pub(crate) fn wrote(&self, served: &Served, namespace: &str, name: &str, created: Option<Created<'_>>) {
        let (group, plural) = (&served.group, &served.plural);
        if served.key_prefix == store_key::CUSTOM_RESOURCE_DEFINITIONS {
            self.follow_definition(name, created);
        } else if served.resource.is_custom() && self.core.catalog().is_terminating(group, plural) {
            self.follow_definition(&format!("{plural}.{group}"), None);
        } else if served.key_prefix == store_key::VALIDATING_POLICIES && self.checks_policies {
            self.check_types(name);
        } else if served.key_prefix == store_key::SERVICES {
            // What fails is done by the next write of the service, or when the server starts again.
            self.addresses()
                .follow_service(&format!("{namespace}/{name}"))
                .ok();
            self.check_registrations_of((namespace, name));
        } else if served.key_prefix == store_key::ENDPOINT_SLICES {
            self.check_registrations_in(namespace);
        } else if served.key_prefix == store_key::API_SERVICES {
            self.check_registration(name);
        }
    }
}
