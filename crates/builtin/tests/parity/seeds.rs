//! Requests to start from: the recorded ones, and some for kinds and subresources without recordings.

use std::collections::BTreeMap;

use kindsmith_builtin::own_kinds;
use serde_json::{Map, Value};

use super::recorded::Case;

/// Kinds that were not recorded: collection, object.
const MORE: &[(&str, &str)] = &[
    (
        "/apis/resource.k8s.io/v1/devicetaintrules",
        r#"{"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","metadata":{"name":"a"},"spec":{"deviceSelector":{"driver":"d.example.com"},"taint":{"key":"example.com/broken","effect":"NoExecute"}}}"#,
    ),
    (
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
        r#"{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":"a"},"spec":{"policyName":"p","validationActions":["Deny"]}}"#,
    ),
    (
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
        r#"{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"a"},"spec":{"failurePolicy":"Fail","matchConstraints":{"resourceRules":[{"apiGroups":["apps"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["deployments"]}]},"validations":[{"expression":"true"}]}}"#,
    ),
    (
        "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims",
        r#"{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","namespace":"default"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","tolerations":[{"key":"a.example.com/b","operator":"Exists","effect":"NoExecute"}]}},{"name":"s","firstAvailable":[{"name":"t","deviceClassName":"c","selectors":[{"cel":{"expression":"true"}}]}]}],"constraints":[{"requests":["r"],"matchAttribute":"d.example.com/a"}],"config":[{"requests":["r"],"opaque":{"driver":"d.example.com","parameters":{"a":1}}}]}}}"#,
    ),
];

/// A status for a kind: path of the object's collection, status.
const STATUS: &[(&str, &str)] = &[
    (
        "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims",
        r#"{"allocation":{"devices":{"results":[{"request":"r","driver":"d.example.com","pool":"p","device":"e","shareID":"f81d4fae-7dec-41d0-a765-00a0c91e6bf6","tolerations":[{"key":"a.example.com/b","operator":"Exists","effect":"NoExecute"}]}],"config":[{"source":"FromClaim","requests":["r"],"opaque":{"driver":"d.example.com","parameters":{"a":1}}}]}},"reservedFor":[{"resource":"pods","name":"p","uid":"u1"}],"devices":[{"driver":"d.example.com","pool":"p","device":"e","shareID":"f81d4fae-7dec-41d0-a765-00a0c91e6bf6","networkData":{"interfaceName":"eth0","ips":["10.0.0.1/24"],"hardwareAddress":"00:00:5e:00:53:01"},"conditions":[{"type":"Ready","status":"True","reason":"Up","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}]}"#,
    ),
    (
        "/apis/resource.k8s.io/v1/devicetaintrules",
        r#"{"conditions":[{"type":"EvictionInProgress","status":"True","reason":"Up","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}"#,
    ),
    (
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
        r#"{"observedGeneration":1,"conditions":[{"type":"Ready","status":"True","reason":"Up","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}"#,
    ),
];

/// Requests by the collection they write to.
pub(crate) fn by_kind(recorded: Vec<Case>) -> BTreeMap<String, Vec<Case>> {
    let mut kinds: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for case in recorded.into_iter().chain(more()) {
        kinds.entry(collection(&case)).or_default().push(case);
    }
    for cases in kinds.values_mut() {
        let status = cases.iter().find_map(status_write);
        cases.extend(status);
    }
    kinds
}

/// A write of the status of what a request creates, if its kind has one.
fn status_write(create: &Case) -> Option<Case> {
    let object: Value = serde_json::from_str(&create.body).ok()?;
    let name = object["metadata"]["name"].as_str().filter(|_| create.is_create)?;
    let plural = create.path.rsplit('/').next()?;
    let kind = own_kinds(kindsmith_object::Release::NEWEST).iter().find(|kind| {
        *kind.names.plural == *plural && object["apiVersion"] == kind.names.api_version().as_str()
    })?;
    let mut parts = kind.strategy.subresources().iter();
    parts.find(|part| part.name == "status")?;
    let mut body = object.clone();
    body["status"] = Value::Object(Map::new());
    Some(Case {
        is_create: false,
        path: format!("{}/{name}/status", create.path),
        create_path: create.path.clone(),
        body: body.to_string(),
        old: create.body.clone(),
        old_status: None,
    })
}

/// The collection of what a request writes.
fn collection(case: &Case) -> String {
    if case.is_create {
        case.path.clone()
    } else {
        case.create_path.clone()
    }
}

fn more() -> Vec<Case> {
    let mut cases = Vec::new();
    for (collection, object) in MORE {
        let create = Case {
            is_create: true,
            path: (*collection).to_owned(),
            create_path: String::new(),
            body: (*object).to_owned(),
            old: String::new(),
            old_status: None,
        };
        let update = Case {
            is_create: false,
            path: format!("{collection}/a"),
            create_path: create.path.clone(),
            old: create.body.clone(),
            ..create.clone()
        };
        cases.extend([create, update.clone()]);
        let status = STATUS.iter().find(|(path, _)| path == collection);
        if let Some((_, status)) = status {
            let body = format!(r#"{},"status":{status}}}"#, &object[..object.len() - 1]);
            let first = Case {
                path: format!("{}/status", update.path),
                body: body.clone(),
                ..update
            };
            let second = Case {
                old_status: Some(body),
                ..first.clone()
            };
            cases.extend([first, second]);
        }
    }
    cases
}
