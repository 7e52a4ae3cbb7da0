//! `--type-check-policies`: what kube-controller-manager writes into the status of validating policies.

use serde_json::{Value, json};

use super::client::Client;
use super::converting::ask;
use super::running::Running;

const POLICIES: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

/// The status of a policy about some resources, soon after it is written.
fn status(client: &mut Client, name: &str, resources: (&str, &[&str]), validation: &Value) -> Value {
    let (group, resources) = resources;
    let rule =
        json!({"apiGroups": [group], "apiVersions": ["v1"], "resources": resources, "operations": ["*"]});
    let policy = json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": name}, "spec": {"matchConstraints": {"resourceRules": [rule]},
        "variables": [{"name": "meta", "expression": "object.metadata.labels"}], "validations": [validation]}});
    let (code, written) = ask(client, "POST", POLICIES, &policy);
    assert_eq!(code, 201, "{written}");
    assert_eq!(written["status"], json!({}));
    ask(client, "GET", &format!("{POLICIES}/{name}"), &Value::Null).1
}

#[test]
fn expressions_are_checked_for_every_kind() {
    let server = Running::start(&["--type-check-policies"]);
    let mut client = server.client();
    let both: (&str, &[&str]) = ("apps", &["deployments", "daemonsets", "deployments/scale"]);
    let wrong =
        json!({"expression": "object.spec.replicas > 1", "messageExpression": "'n' + object.spec.replicas"});
    let policy = status(&mut client, "wrong", both, &wrong);
    assert_eq!(policy["status"]["observedGeneration"], 1);
    let warnings = &policy["status"]["typeChecking"]["expressionWarnings"];
    let undefined = "apps/v1, Kind=DaemonSet: ERROR: <input>:1:12: undefined field 'replicas'\n \
                     | object.spec.replicas > 1\n | ...........^\n";
    assert_eq!(warnings[0]["fieldRef"], "spec.validations[0].expression");
    assert_eq!(warnings[0]["warning"], undefined);
    assert_eq!(warnings[1]["fieldRef"], "spec.validations[0].messageExpression");
    let text = warnings[1]["warning"].as_str().unwrap_or_default();
    assert!(
        text.contains("apps/v1, Kind=Deployment: ERROR: <input>:1:5: found no matching overload"),
        "{text}"
    );
    let managers = policy["metadata"]["managedFields"]
        .as_array()
        .expect("somebody wrote it");
    assert!(
        managers
            .iter()
            .any(|entry| entry["manager"] == "validatingadmissionpolicy-status"
                && entry["subresource"] == "status"),
        "{managers:?}"
    );

    let right = json!({"expression": "variables.meta.exists(key, key == 'a') || object.spec.template.spec.containers.size() > 0"});
    let policy = status(&mut client, "right", both, &right);
    assert_eq!(
        policy["status"],
        json!({"observedGeneration": 1, "typeChecking": {}})
    );

    let core: (&str, &[&str]) = ("", &["configmaps"]);
    let policy = status(
        &mut client,
        "core",
        core,
        &json!({"expression": "object.data.size() > object.spec"}),
    );
    let text = policy["status"]["typeChecking"]["expressionWarnings"][0]["warning"].to_string();
    assert!(
        text.contains("/v1, Kind=ConfigMap: ERROR: <input>:1:28: undefined field 'spec'"),
        "{text}"
    );
}

#[test]
fn custom_resources_have_the_types_of_their_schema() {
    let server = Running::start(&["--type-check-policies"]);
    let mut client = server.client();
    let schema = json!({"type": "object", "properties": {"spec": {"type": "object",
        "properties": {"width": {"type": "integer"}, "port": {"x-kubernetes-int-or-string": true}}}}});
    let definition = json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gates.park.example.org"}, "spec": {"group": "park.example.org", "scope": "Namespaced",
        "names": {"plural": "gates", "singular": "gate", "kind": "Gate", "listKind": "GateList"},
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}]}});
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    assert_eq!(ask(&mut client, "POST", path, &definition).0, 201);
    let gates: (&str, &[&str]) = ("park.example.org", &["gates"]);
    let right = json!({"expression": "object.spec.width > 1 && object.spec.port == 'http' && object.metadata.name != ''"});
    let policy = status(&mut client, "right", gates, &right);
    assert_eq!(
        policy["status"],
        json!({"observedGeneration": 1, "typeChecking": {}})
    );
    let wrong = json!({"expression": "object.spec.width > 'wide'"});
    let policy = status(&mut client, "wrong", gates, &wrong);
    assert_eq!(
        policy["status"]["typeChecking"]["expressionWarnings"][0]["warning"],
        "park.example.org/v1, Kind=Gate: ERROR: <input>:1:19: found no matching overload for '_>_' applied to '(int, string)'\n \
         | object.spec.width > 'wide'\n | ..................^\n"
    );
}
