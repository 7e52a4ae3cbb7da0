//! Authorization: stored roles and bindings, what they allow, and the messages of refusals (RBAC as in
//! plugin/pkg/auth/authorizer/rbac).
//!
//! Knows no sockets and does not authenticate; whether the requested resource exists does not matter here.

mod account;
mod attributes;
mod bootstrap;
mod escalation;
mod impersonation;
mod legacy_token;
mod policy;
mod review;
mod role_rule;
mod service_account;

use std::fmt;
use std::sync::Arc;

use kindsmith_object::StorePrefix;
use kindsmith_object::well_known::group::MASTERS;
use kindsmith_request::Status;
use kindsmith_store::{Error, Store};

pub(crate) use account::{groups as account_groups, texts};
pub use attributes::Attributes;
pub(crate) use bootstrap::create as create_roles;
pub(crate) use impersonation::wanted;
use policy::Policy;
pub use review::Authenticator;
pub(crate) use review::{Asker, review, user_info};
pub use service_account::TokenSigner;
pub(crate) use service_account::{Grant, Reference, Tokens};

use crate::User;
use crate::followed::{Follow, Followed};

/// The API group of roles and bindings.
pub(crate) const GROUP: &str = "rbac.authorization.k8s.io";

/// The outcome of an authorization.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// Whether the request is allowed.
    pub is_allowed: bool,
    /// Why, or which errors occurred; mostly empty for a refusal.
    pub reason: String,
}

/// Who decides what may be done, as kube-apiserver's `--authorization-mode` names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorizationMode {
    /// Everything is allowed.
    AlwaysAllow,
    /// Nothing is allowed, except for administrators.
    AlwaysDeny,
    /// Roles and bindings decide.
    Rbac,
}

/// Somebody else who decides, such as the server of the cluster behind which this one is.
pub trait Authorizer: fmt::Debug + Send + Sync {
    /// May this be done?
    fn decide(&self, attributes: &Attributes<'_>) -> Decision;
}

/// Decides by the roles and bindings of a store, which are kept in memory and followed as they change.
pub struct Access {
    policies: Followed<Policy>,
    /// In the order they are asked; the first that allows a request decides.
    modes: Vec<AuthorizationMode>,
    /// The authorizer to use instead.
    authorizer: Option<Arc<dyn Authorizer>>,
}

impl fmt::Debug for Access {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Access").finish_non_exhaustive()
    }
}

impl Access {
    /// Authorizes by the objects of this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Access {
            policies: Followed::new(store),
            modes: vec![AuthorizationMode::Rbac],
            authorizer: None,
        }
    }

    /// Lets somebody else decide.
    #[must_use]
    pub(crate) fn with_authorizer(mut self, authorizer: Option<Arc<dyn Authorizer>>) -> Self {
        self.authorizer = authorizer;
        self
    }

    /// Uses these authorizers; without any, roles and bindings decide.
    #[must_use]
    pub(crate) fn with_modes(mut self, modes: &[AuthorizationMode]) -> Self {
        if !modes.is_empty() {
            self.modes = modes.to_vec();
        }
        self
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
        if let Some(authorizer) = &self.authorizer {
            return Ok(authorizer.decide(attributes));
        }
        let mut reasons = Vec::new();
        for mode in &self.modes {
            let decision = match mode {
                AuthorizationMode::AlwaysAllow => Decision {
                    is_allowed: true,
                    reason: String::new(),
                },
                AuthorizationMode::AlwaysDeny => Decision {
                    is_allowed: false,
                    reason: "Everything is forbidden.".to_owned(),
                },
                AuthorizationMode::Rbac => self.policy()?.decide(attributes),
            };
            if decision.is_allowed {
                return Ok(decision);
            }
            reasons.push(decision.reason);
        }
        reasons.retain(|reason| !reason.is_empty());
        Ok(Decision {
            is_allowed: false,
            reason: reasons.join("\n"),
        })
    }

    /// Whether nobody has to be asked about this user: neither the store for its roles, nor somebody else.
    pub(crate) fn decides_at_once(&self, user: &User) -> bool {
        is_master(user) || (self.authorizer.is_none() && self.policies.is_loaded())
    }

    /// Rejects what is not allowed.
    ///
    /// # Errors
    ///
    /// 403 with Kubernetes' message, or 500 if the store cannot be read.
    pub fn check(&self, attributes: &Attributes<'_>) -> Result<(), Status> {
        let decision = self.authorize(attributes).map_err(crate::stored::failure)?;
        if decision.is_allowed {
            Ok(())
        } else {
            Err(attributes.forbidden(&decision.reason))
        }
    }

    /// The current roles and bindings.
    fn policy(&self) -> Result<Arc<Policy>, Error> {
        self.policies.now()
    }
}

/// Whether the user may do anything, without a look at roles.
pub(crate) fn is_master(user: &User) -> bool {
    user.groups.iter().any(|group| group == MASTERS)
}

impl Follow for Policy {
    const PREFIXES: &'static [StorePrefix<&'static str>] = &policy::PREFIXES;

    fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        Policy::set(self, key, value);
    }
}

#[cfg(test)]
mod tests;
