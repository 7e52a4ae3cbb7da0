//! Who may do what: roles and bindings as they are stored, what they allow, and the words of refusals (RBAC as in
//! plugin/pkg/auth/authorizer/rbac).
//!
//! Knows no sockets and does not find out who asks; whether what is asked for exists does not matter here.

mod attributes;
mod bootstrap;
mod escalation;
mod impersonation;
mod policy;
mod review;
mod rule;
pub(crate) mod token;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use kindsmith_request::Status;
use kindsmith_store::{Error, List, Store, Watch};

pub use attributes::Attributes;
pub(crate) use bootstrap::create as create_roles;
pub(crate) use impersonation::wanted;
use policy::Policy;
pub use review::Authenticator;
pub(crate) use review::{Asker, review, user_info};

use crate::User;

/// Who may do anything, before anybody is asked.
pub(crate) const MASTERS: &str = "system:masters";
/// The group of roles and bindings.
pub(crate) const GROUP: &str = "rbac.authorization.k8s.io";

/// What may be done, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// Whether it may be done.
    pub is_allowed: bool,
    /// Why, or what went wrong on the way; mostly empty for a refusal.
    pub reason: String,
}

/// Decides by the roles and bindings of a store, which are kept in memory and followed as they change.
pub struct Access {
    store: Arc<dyn Store>,
    state: Mutex<Option<State>>,
}

struct State {
    policy: Arc<Policy>,
    watches: Vec<Watch>,
}

impl fmt::Debug for Access {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Access").finish_non_exhaustive()
    }
}

impl Access {
    /// Decides by what is in a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Access {
            store,
            state: Mutex::default(),
        }
    }

    /// May this be done?
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn authorize(&self, attributes: &Attributes<'_>) -> Result<Decision, Error> {
        if is_master(attributes.user) {
            return Ok(Decision {
                is_allowed: true,
                reason: String::new(),
            });
        }
        Ok(self.policy()?.decide(attributes))
    }

    /// Refuses what may not be done.
    ///
    /// # Errors
    ///
    /// 403 with the server's words, or 500 if the store cannot be read.
    pub fn check(&self, attributes: &Attributes<'_>) -> Result<(), Status> {
        let decision = self.authorize(attributes).map_err(crate::stored::failure)?;
        if decision.is_allowed {
            Ok(())
        } else {
            Err(attributes.forbidden(&decision.reason))
        }
    }

    /// The roles and bindings as they are now.
    fn policy(&self) -> Result<Arc<Policy>, Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &mut *state
            && follow(known)
        {
            return Ok(Arc::clone(&known.policy));
        }
        let loaded = state.insert(load(&*self.store)?);
        Ok(Arc::clone(&loaded.policy))
    }
}

/// Whether somebody may do anything.
pub(crate) fn is_master(user: &User) -> bool {
    user.groups.iter().any(|group| group == MASTERS)
}

/// Takes over what happened since; says whether nothing was missed.
fn follow(state: &mut State) -> bool {
    for watch in &mut state.watches {
        loop {
            match watch.try_next() {
                Ok(Some(event)) => {
                    let policy = Arc::make_mut(&mut state.policy);
                    policy.set(&event.key, event.value.as_deref());
                }
                Ok(None) => break,
                Err(_) => return false,
            }
        }
    }
    true
}

fn load(store: &dyn Store) -> Result<State, Error> {
    let mut policy = Policy::default();
    let mut watches = Vec::new();
    for prefix in policy::PREFIXES {
        let page = store.list(&List::of(prefix.as_bytes()))?;
        for entry in &page.entries {
            policy.set(&entry.key, Some(&entry.value));
        }
        watches.push(store.watch(prefix.as_bytes(), page.revision)?);
    }
    Ok(State {
        policy: Arc::new(policy),
        watches,
    })
}

#[cfg(test)]
mod tests;
