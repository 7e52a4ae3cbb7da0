//! What Kubernetes gives a meaning: names of namespaces, users and groups, and ranges of services. Knows no object.

/// Namespaces that every cluster has.
pub mod namespace {
    /// Where objects without a namespace go.
    pub const DEFAULT: &str = "default";
    /// Objects of the cluster itself.
    pub const SYSTEM: &str = "kube-system";
    /// Objects that everybody may read.
    pub const PUBLIC: &str = "kube-public";
    /// Heartbeats of nodes.
    pub const NODE_LEASE: &str = "kube-node-lease";
}

/// Users that the server knows (apiserver's pkg/authentication/user and pkg/authentication/serviceaccount).
pub mod user {
    /// A client that did not authenticate.
    pub const ANONYMOUS: &str = "system:anonymous";
    /// The server itself.
    pub const APISERVER: &str = "system:apiserver";
    /// A client of a port that asks nobody who they are.
    pub const UNSECURED: &str = "system:unsecured";
    /// Begins the names of nodes.
    pub const NODE_PREFIX: &str = "system:node:";
    const SERVICE_ACCOUNT_PREFIX: &str = "system:serviceaccount:";

    /// The user that a service account is (`MakeUsername`).
    #[must_use]
    pub fn service_account(namespace: &str, name: &str) -> String {
        format!("{SERVICE_ACCOUNT_PREFIX}{namespace}:{name}")
    }

    /// Whether a user is this service account (`MatchesUsername`).
    #[must_use]
    pub fn is_service_account(user: &str, namespace: &str, name: &str) -> bool {
        let account = user.strip_prefix(SERVICE_ACCOUNT_PREFIX);
        let account = account.and_then(|account| account.strip_prefix(namespace)?.strip_prefix(':'));
        account == Some(name)
    }

    /// The namespace and name of the service account that a user is (`SplitUsername`, without its rules for names).
    #[must_use]
    pub fn service_account_of(user: &str) -> Option<(&str, &str)> {
        let (namespace, name) = user.strip_prefix(SERVICE_ACCOUNT_PREFIX)?.split_once(':')?;
        (!namespace.is_empty() && !name.is_empty() && !name.contains(':')).then_some((namespace, name))
    }
}

/// Groups that the server knows.
pub mod group {
    /// Users who may do everything.
    pub const MASTERS: &str = "system:masters";
    /// Users who authenticated.
    pub const AUTHENTICATED: &str = "system:authenticated";
    /// Clients who did not authenticate.
    pub const UNAUTHENTICATED: &str = "system:unauthenticated";
    /// Nodes.
    pub const NODES: &str = "system:nodes";
    /// All service accounts.
    pub const SERVICE_ACCOUNTS: &str = "system:serviceaccounts";

    /// The groups of a namespace's service accounts (`MakeGroupNames`).
    #[must_use]
    pub fn of_service_accounts(namespace: &str) -> [String; 2] {
        [
            SERVICE_ACCOUNTS.to_owned(),
            format!("{SERVICE_ACCOUNTS}:{namespace}"),
        ]
    }
}

/// What services get if nobody says otherwise.
pub mod service {
    /// The range of cluster IPs.
    pub const ADDRESSES: &str = "10.96.0.0/12";
    /// The first and the last node port (`--service-node-port-range`).
    pub const NODE_PORTS: (u16, u16) = (30000, 32767);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_account_is_a_user() {
        let name = user::service_account("n", "robot");
        assert_eq!(name, "system:serviceaccount:n:robot");
        assert_eq!(user::service_account_of(&name), Some(("n", "robot")));
        assert!(user::is_service_account(&name, "n", "robot"));
        assert!(
            !user::is_service_account(&name, "n", "robo") && !user::is_service_account(&name, "", "n:robot")
        );
        for other in [
            "robot",
            "system:serviceaccount:n",
            "system:serviceaccount:n:a:b",
            "system:serviceaccount::a",
        ] {
            assert_eq!(user::service_account_of(other), None, "{other}");
        }
    }
}
