//! Default roles and bindings (plugin/pkg/auth/authorizer/rbac/bootstrappolicy), limited to the resources served here.

use kindsmith_json::{Arena, to_string};
use kindsmith_store::{Error, Store};

use super::GROUP;
use crate::environment::Random;
use crate::{Environment, write};

/// A role: its name, labels and rules, or the label that selects the roles it aggregates.
struct Role {
    name: &'static str,
    label: &'static str,
    rules: &'static str,
    joins: &'static str,
}

const ROLES: &[Role] = &[
    Role {
        name: "cluster-admin",
        label: "",
        rules: r#"{"verbs":["*"],"apiGroups":["*"],"resources":["*"]},{"verbs":["*"],"nonResourceURLs":["*"]}"#,
        joins: "",
    },
    Role {
        name: "system:discovery",
        label: "",
        rules: r#"{"verbs":["get"],"nonResourceURLs":["/api","/api/*","/apis","/apis/*","/healthz","/livez","/openapi","/openapi/*","/readyz","/version","/version/"]}"#,
        joins: "",
    },
    Role {
        name: "system:monitoring",
        label: "",
        rules: r#"{"verbs":["get"],"nonResourceURLs":["/healthz","/healthz/*","/livez","/livez/*","/metrics","/metrics/slis","/readyz","/readyz/*"]}"#,
        joins: "",
    },
    Role {
        name: "system:basic-user",
        label: "",
        rules: r#"{"verbs":["create"],"apiGroups":["authorization.k8s.io"],"resources":["selfsubjectaccessreviews","selfsubjectrulesreviews"]},{"verbs":["create"],"apiGroups":["authentication.k8s.io"],"resources":["selfsubjectreviews"]}"#,
        joins: "",
    },
    Role {
        name: "system:public-info-viewer",
        label: "",
        rules: r#"{"verbs":["get"],"nonResourceURLs":["/healthz","/livez","/readyz","/version","/version/"]}"#,
        joins: "",
    },
    Role {
        name: "admin",
        label: "",
        rules: concat!(
            r#"{"verbs":["create"],"apiGroups":["authorization.k8s.io"],"resources":["localsubjectaccessreviews"]},"#,
            r#"{"verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"apiGroups":["rbac.authorization.k8s.io"],"resources":["rolebindings","roles"]},"#,
            r#"{"verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"apiGroups":[""],"resources":["configmaps","events","podtemplates","replicationcontrollers","replicationcontrollers/scale","secrets","serviceaccounts","services"]},"#,
            r#"{"verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"apiGroups":["apps"],"resources":["deployments","deployments/scale"]},"#,
            r#"{"verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"apiGroups":["coordination.k8s.io"],"resources":["leases"]}"#
        ),
        joins: "rbac.authorization.k8s.io/aggregate-to-admin",
    },
    Role {
        name: "edit",
        label: "rbac.authorization.k8s.io/aggregate-to-admin",
        rules: concat!(
            r#"{"verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"apiGroups":[""],"resources":["configmaps","events","podtemplates","replicationcontrollers","replicationcontrollers/scale","secrets","serviceaccounts","services"]},"#,
            r#"{"verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"apiGroups":["apps"],"resources":["deployments","deployments/scale"]},"#,
            r#"{"verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"apiGroups":["coordination.k8s.io"],"resources":["leases"]}"#
        ),
        joins: "rbac.authorization.k8s.io/aggregate-to-edit",
    },
    Role {
        name: "view",
        label: "rbac.authorization.k8s.io/aggregate-to-edit",
        rules: concat!(
            r#"{"verbs":["get","list","watch"],"apiGroups":[""],"resources":["configmaps","events","namespaces","replicationcontrollers","replicationcontrollers/scale","replicationcontrollers/status","serviceaccounts","services","services/status"]},"#,
            r#"{"verbs":["get","list","watch"],"apiGroups":["apps"],"resources":["deployments","deployments/scale","deployments/status"]}"#
        ),
        joins: "rbac.authorization.k8s.io/aggregate-to-view",
    },
];

/// Bindings: a role and the groups that have it.
const BINDINGS: &[(&str, &[&str])] = &[
    ("cluster-admin", &["system:masters"]),
    ("system:monitoring", &["system:monitoring"]),
    ("system:discovery", &["system:authenticated"]),
    ("system:basic-user", &["system:authenticated"]),
    (
        "system:public-info-viewer",
        &["system:authenticated", "system:unauthenticated"],
    ),
];

/// Creates the missing roles and bindings.
pub(crate) fn create(store: &dyn Store, environment: &dyn Environment) -> Result<(), Error> {
    for role in ROLES {
        let key = format!("/registry/clusterroles/{}", role.name);
        put(store, &key, || role_text(environment, role))?;
    }
    for (role, groups) in BINDINGS {
        let key = format!("/registry/clusterrolebindings/{role}");
        put(store, &key, || binding_text(environment, role, groups))?;
    }
    Ok(())
}

fn put(store: &dyn Store, key: &str, text: impl FnOnce() -> String) -> Result<(), Error> {
    if store.get(key.as_bytes(), None)?.is_some() {
        return Ok(());
    }
    match store.create(key.as_bytes(), text().into_bytes().into()) {
        Ok(_) | Err(Error::Conflict(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

fn role_text(environment: &dyn Environment, role: &Role) -> String {
    let label = match role.label {
        "" => String::new(),
        label => format!(r#","{label}":"true""#),
    };
    let joins = match role.joins {
        "" => String::new(),
        label => {
            format!(
                r#","aggregationRule":{{"clusterRoleSelectors":[{{"matchLabels":{{"{label}":"true"}}}}]}}"#
            )
        }
    };
    let metadata = metadata(environment, role.name, &label);
    compact(&format!(
        r#"{{"kind":"ClusterRole","apiVersion":"{GROUP}/v1",{metadata},"rules":[{}]{joins}}}"#,
        role.rules
    ))
}

fn binding_text(environment: &dyn Environment, role: &str, groups: &[&str]) -> String {
    let subjects: Vec<String> = groups
        .iter()
        .map(|group| format!(r#"{{"kind":"Group","apiGroup":"{GROUP}","name":"{group}"}}"#))
        .collect();
    let metadata = metadata(environment, role, "");
    compact(&format!(
        r#"{{"kind":"ClusterRoleBinding","apiVersion":"{GROUP}/v1",{metadata},"subjects":[{}],"roleRef":{{"apiGroup":"{GROUP}","kind":"ClusterRole","name":"{role}"}}}}"#,
        subjects.join(",")
    ))
}

fn metadata(environment: &dyn Environment, name: &str, label: &str) -> String {
    let (uid, now) = (Random(environment).uid(), write::now(environment));
    format!(
        r#""metadata":{{"name":"{name}","uid":"{uid}","creationTimestamp":"{now}","labels":{{"kubernetes.io/bootstrapping":"rbac-defaults"{label}}},"annotations":{{"rbac.authorization.kubernetes.io/autoupdate":"true"}}}}"#
    )
}

fn compact(text: &str) -> String {
    let arena = Arena::new();
    kindsmith_json::parse_str(&arena, text).map_or_else(|_| text.to_owned(), to_string)
}
