//! Subresources of pods on a server without nodes.

use super::server::Server;

const PODS: &str = "/api/v1/namespaces/default/pods";

fn pod(name: &str, containers: &[&str]) -> String {
    let containers: Vec<String> = containers
        .iter()
        .map(|name| format!(r#"{{"name":"{name}","image":"i"}}"#))
        .collect();
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}","labels":{{"app":"a"}}}},"spec":{{"containers":[{}]}}}}"#,
        containers.join(",")
    )
}

fn bind(name: &str, target: &str) -> String {
    format!(r#"{{"apiVersion":"v1","kind":"Binding","metadata":{{"name":"{name}"}},"target":{target}}}"#)
}

fn evict(name: &str) -> String {
    format!(r#"{{"apiVersion":"policy/v1","kind":"Eviction","metadata":{{"name":"{name}"}}}}"#)
}

#[track_caller]
fn says(answer: &str, expected: &str) {
    assert!(answer.contains(expected), "{expected}\n{answer}");
}

#[test]
fn a_binding_sets_the_node_once() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    let path = format!("{PODS}/a/binding");
    let node = r#"{"kind":"Node","name":"n"}"#;
    for (body, code, expected) in [
        (
            bind("b", node),
            400,
            "name in URL does not match name in Binding object",
        ),
        (bind("a", "{}"), 500, "target.name: Required value"),
        (
            bind("a", node).replace(r#""name":"a""#, r#""name":"a","uid":"x""#),
            409,
            "on pods \\\"a\\\": StorageError: invalid object, Code: 4, Key: /registry/pods/default/a, ResourceVersion: 0, \
             AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta:",
        ),
        (bind("a", node), 201, r#""status":"Success""#),
        (bind("a", node), 409, r#"pod a is already assigned to node \"n\""#),
    ] {
        says(&server.post(&path, &body, code), expected);
    }
    let bound = server.get(&format!("{PODS}/a"), 200);
    says(&bound, r#""nodeName":"n""#);
    says(&bound, r#""type":"PodScheduled","status":"True""#);
}

/// `DropInitContainerAnnotations`: managed fields are recorded before a pod is prepared, so they still name what is dropped.
#[test]
fn annotations_that_listed_init_containers_are_dropped() {
    const OLD: &str = r#"{"a":"b","pod.beta.kubernetes.io/init-containers":"[]","pod.alpha.kubernetes.io/init-container-statuses":"[]"}"#;
    let server = Server::default();
    let with_old = |body: String, name: &str| {
        body.replacen(
            &format!(r#""name":"{name}""#),
            &format!(r#""name":"{name}","annotations":{OLD}"#),
            1,
        )
    };
    let made = server.post(PODS, &with_old(pod("a", &["c"]), "a"), 201);
    says(&made, r#""annotations":{"a":"b"}"#);
    says(&made, r#""f:pod.beta.kubernetes.io/init-containers":{}"#);
    let path = format!("{PODS}/a");
    let annotations =
        r#"{"metadata":{"annotations":{"pod.beta.kubernetes.io/init-container-statuses":"[]"}}}"#;
    for part in ["", "/status"] {
        let patched = server.patch(&format!("{path}{part}"), annotations, 200);
        says(&patched, r#""annotations":{"a":"b"}"#);
    }
    let node = r#"{"kind":"Node","name":"n"}"#;
    server.post(&format!("{path}/binding"), &with_old(bind("a", node), "a"), 201);
    says(&server.get(&path, 200), r#""annotations":{"a":"b"}"#);
    let template = format!(
        r#"{{"apiVersion":"apps/v1","kind":"Deployment","metadata":{{"name":"d","annotations":{OLD}}},"spec":{{"selector":{{"matchLabels":{{"app":"a"}}}},
        "template":{{"metadata":{{"labels":{{"app":"a"}},"annotations":{}}},"spec":{{"containers":[{{"name":"c","image":"i"}}]}}}}}}}}"#,
        OLD.replace(r#""a":"b","#, "")
    );
    let made = server.post("/apis/apps/v1/namespaces/default/deployments", &template, 201);
    says(&made, r#""annotations":{"a":"b","pod."#);
    says(&made, r#""template":{"metadata":{"labels":{"app":"a"}},"spec""#);
}

#[test]
fn an_eviction_deletes_a_pod_that_no_budget_protects() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    let path = format!("{PODS}/a/eviction");
    says(&server.post(&path, &evict("a"), 201), r#""status":"Success""#);
    server.get(&format!("{PODS}/a"), 404);
    server.post(&path, &evict("a"), 404);
}

#[test]
fn a_budget_without_disruptions_keeps_its_pods() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    let status = pod("a", &["c"]).replace(r#","spec""#, r#","status":{"phase":"Running"},"spec""#);
    server.put(&format!("{PODS}/a/status"), &status, 200);
    let budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    let budget = r#"{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b"},
        "spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"a"}}}}"#;
    let made = server.post(budgets, budget, 201);
    let version = super::server::text(&made, &["metadata", "resourceVersion"]);
    let path = format!("{PODS}/a/eviction");
    let answer = server.post(&path, &evict("a"), 429);
    says(
        &answer,
        "The disruption budget b is still being processed by the server.",
    );
    let status = r#"{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b","resourceVersion":"V"},
        "status":{"observedGeneration":1,"disruptionsAllowed":0,"currentHealthy":1,"desiredHealthy":1,"expectedPods":1}}"#;
    server.put(
        &format!("{budgets}/b/status"),
        &status.replace("\"V\"", &format!("\"{version}\"")),
        200,
    );
    // A pod that is not ready does not count where enough others do.
    server.post(&path, &evict("a"), 201);
}

#[test]
fn the_last_disruption_is_said() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    server.patch(
        &format!("{PODS}/a/status"),
        r#"{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}"#,
        200,
    );
    let budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    let budget =
        r#"{"metadata":{"name":"b"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"a"}}}}"#;
    server.post(budgets, budget, 201);
    let status = r#"{"status":{"observedGeneration":1,"disruptionsAllowed":1}}"#;
    server.patch(&format!("{budgets}/b/status"), status, 200);
    server.post(&format!("{PODS}/a/eviction"), &evict("a"), 201);
    let taken = server.get(&format!("{budgets}/b"), 200);
    says(&taken, r#""disruptedPods":{"a":"2026-"#);
    says(
        &taken,
        r#""conditions":[{"type":"DisruptionAllowed","status":"False","observedGeneration":1,"#,
    );
    says(&taken, r#""reason":"InsufficientPods","message":"""#);
    says(
        &taken,
        r#""manager":"kube-apiserver","operation":"Update","apiVersion":"policy/v1""#,
    );
}

#[test]
fn an_evicted_pod_says_so() {
    let server = Server::default();
    let held = pod("a", &["c"]).replace(
        r#""name":"a","#,
        r#""name":"a","finalizers":["example.org/wait"],"#,
    );
    server.post(PODS, &held, 201);
    let path = format!("{PODS}/a/eviction");
    server.post(&format!("{path}?dryRun=All"), &evict("a"), 201);
    let before = server.get(&format!("{PODS}/a"), 200);
    assert!(!before.contains("DisruptionTarget"), "{before}");
    server.post(&path, &evict("a"), 201);
    let after = server.get(&format!("{PODS}/a"), 200);
    says(&after, r#""deletionTimestamp""#);
    says(&after, r#""type":"DisruptionTarget","status":"True""#);
    says(
        &after,
        r#""reason":"EvictionByEvictionAPI","message":"Eviction API: evicting""#,
    );
}

#[test]
fn evictions_keep_to_their_conditions() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    let path = format!("{PODS}/a/eviction");
    let with = |options: &str| evict("a").replace("}}", &format!(r#"}},"deleteOptions":{options}}}"#));
    let answer = server.post(&path, &with(r#"{"preconditions":{"uid":"x"}}"#), 409);
    says(
        &answer,
        "the UID in the precondition (x) does not match the UID in record",
    );
    let answer = server.post(&path, &with(r#"{"preconditions":{"resourceVersion":"1"}}"#), 409);
    says(
        &answer,
        "the ResourceVersion in the precondition (1) does not match",
    );
    let answer = server.post(
        &path,
        &with(r#"{"ignoreStoreReadErrorWithClusterBreakingPotential":true}"#),
        422,
    );
    says(
        &answer,
        "can not be set for pod eviction, try after removing the option",
    );
    let elsewhere = evict("a").replace(r#""name":"a""#, r#""name":"a","namespace":"other""#);
    let answer = server.post(&path, &elsewhere, 400);
    says(
        &answer,
        "the namespace of the provided object does not match the namespace",
    );
    let nowhere = path.replace("/default/", "/nowhere/");
    says(
        &server.post(&nowhere, &evict("a"), 404),
        r#"namespaces \"nowhere\" not found"#,
    );
}

#[test]
fn policies_see_bindings_and_evictions() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    let registration = "/apis/admissionregistration.k8s.io/v1";
    let policy = r#"{"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[
        {"apiGroups":[""],"apiVersions":["v1"],"resources":["pods/binding","pods/eviction"],"operations":["CREATE"]},
        {"apiGroups":[""],"apiVersions":["v1"],"resources":["pods"],"operations":["DELETE"]}]},
        "validations":[{"expression":"request.operation == 'DELETE' ? false : has(object.metadata.labels)",
          "messageExpression":"'no ' + request.kind.kind + ' of ' + request.name"}]}}"#;
    server.post(
        &format!("{registration}/validatingadmissionpolicies"),
        policy,
        201,
    );
    let binding = r#"{"metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["Deny"]}}"#;
    server.post(
        &format!("{registration}/validatingadmissionpolicybindings"),
        binding,
        201,
    );
    let labeled = |body: String| body.replace(r#""name":"a""#, r#""name":"a","labels":{"l":"m"}"#);
    let node = r#"{"kind":"Node","name":"n"}"#;
    let path = format!("{PODS}/a/binding");
    says(&server.post(&path, &bind("a", node), 422), "no Binding of a");
    server.post(&path, &labeled(bind("a", node)), 201);
    let path = format!("{PODS}/a/eviction");
    says(&server.post(&path, &evict("a"), 422), "no Eviction of a");
    // What the policy says about deletions is not asked.
    server.post(&path, &labeled(evict("a")), 201);
    server.delete(&format!("{PODS}/a?gracePeriodSeconds=0"), 422);
}

#[test]
fn nothing_reaches_a_pod_without_a_node() {
    let server = Server::default();
    server.post(PODS, &pod("one", &["c"]), 201);
    server.post(PODS, &pod("two", &["c", "d"]), 201);
    for (path, code, expected) in [
        ("one/log", 204, ""),
        ("one/log?container=x", 400, "container x is not valid for pod one"),
        (
            "none/log?tailLines=-1",
            422,
            r#"PodLogOptions \"none\" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0"#,
        ),
        (
            "one/log?limitBytes=0",
            422,
            "limitBytes: Invalid value: 0: must be greater than 0",
        ),
        (
            "one/log?sinceSeconds=0",
            422,
            "sinceSeconds: Invalid value: 0: must be greater than 0",
        ),
        (
            "one/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z",
            422,
            "at most one of `sinceTime` or `sinceSeconds` may be specified",
        ),
        (
            "one/log?stream=Stdout",
            422,
            "stream: Forbidden: may not be specified",
        ),
        (
            "one/log?tailLines=x",
            400,
            r#"strconv.ParseInt: parsing \"x\": invalid syntax"#,
        ),
        ("one/log?tailLines=0&limitBytes=1&sinceSeconds=1", 204, ""),
        (
            "two/log",
            400,
            "a container name must be specified for pod two, choose one of: [c d]",
        ),
        (
            "one/exec?command=ls",
            400,
            "pod one does not have a host assigned",
        ),
        (
            "one/exec?container=x",
            400,
            "container x is not valid for pod one",
        ),
        (
            "one/attach?container=x",
            400,
            "container x is not valid for pod one",
        ),
        (
            "none/portforward?ports=x",
            400,
            r#"cannot convert to []int32: strconv.ParseUint: parsing \"x\": invalid syntax"#,
        ),
        ("one/attach", 400, "pod one does not have a host assigned"),
        ("one/portforward", 400, "pod one does not have a host assigned"),
        ("one/proxy", 400, "address not allowed"),
        ("one/proxy/a/b", 400, "address not allowed"),
        ("three/log", 404, r#"pods \"three\" not found"#),
    ] {
        says(&server.get(&format!("{PODS}/{path}"), code), expected);
    }
    let node = r#"{"kind":"Node","name":"n"}"#;
    server.post(&format!("{PODS}/one/binding"), &bind("one", node), 201);
    let answer = server.get(&format!("{PODS}/one/log"), 404);
    says(&answer, r#"nodes \"n\" not found"#);
}

#[test]
fn pods_on_a_node_get_time_to_end() {
    let server = Server::default();
    let path = format!("{PODS}/a");
    server.post(PODS, &pod("a", &["c"]), 201);
    server.post(
        &format!("{path}/binding"),
        &bind("a", r#"{"kind":"Node","name":"n"}"#),
        201,
    );
    let going = server.delete(&path, 200);
    // The server's clock stands at 2026-09-21T14:13:20Z.
    says(
        &going,
        r#""deletionTimestamp":"2026-09-21T14:13:50Z","deletionGracePeriodSeconds":30"#,
    );
    says(&going, r#""generation":2"#);
    says(&server.delete(&path, 200), r#""deletionGracePeriodSeconds":30"#);
    let shorter = server.delete(&format!("{path}?gracePeriodSeconds=5"), 200);
    says(
        &shorter,
        r#""deletionTimestamp":"2026-09-21T14:13:25Z","deletionGracePeriodSeconds":5"#,
    );
    let gone = server.delete(&format!("{path}?gracePeriodSeconds=0"), 200);
    says(&gone, r#""deletionGracePeriodSeconds":0"#);
    server.get(&path, 404);
}

#[test]
fn pods_without_a_node_go_at_once() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    let gone = server.delete(&format!("{PODS}/a"), 200);
    says(&gone, r#""deletionGracePeriodSeconds":0"#);
    server.get(&format!("{PODS}/a"), 404);
}

#[test]
fn a_binding_of_the_namespace_names_its_pod() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    let bindings = "/api/v1/namespaces/default/bindings";
    let node = r#"{"kind":"Node","name":"n"}"#;
    says(
        &server.post(bindings, &bind("b", node), 404),
        r#"pods \"b\" not found"#,
    );
    server.post(bindings, &bind("a", node), 201);
    says(&server.get(&format!("{PODS}/a"), 200), r#""nodeName":"n""#);
}

#[test]
fn nothing_is_behind_services_and_nodes() {
    let server = Server::default();
    let services = "/api/v1/namespaces/default/services";
    let service = r#"{"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}}"#;
    server.post(services, service, 201);
    let ready = r#"{"metadata":{"name":"n"}}"#;
    server.post("/api/v1/nodes", ready, 201);
    for (path, code, expected) in [
        ("s/proxy", 503, r#"no endpoints available for service \"s\""#),
        (
            "http:s:80/proxy/a",
            503,
            r#"no endpoints available for service \"s\""#,
        ),
        ("s:81/proxy", 503, r#"no service port 81 found for service \"s\""#),
        ("t:80/proxy", 404, r#"services \"t\" not found"#),
        ("t/proxy", 503, r#"no endpoints available for service \"t\""#),
        ("ftp:s:80/proxy", 400, r#"invalid service request \"ftp:s:80\""#),
        ("s/proxy?dryRun=All", 400, "dryRun is not supported"),
    ] {
        says(&server.get(&format!("{services}/{path}"), code), expected);
    }
    for (path, code, expected) in [
        (
            "n/proxy/metrics",
            500,
            "no preferred addresses found; known addresses: []",
        ),
        ("m/proxy", 404, r#"nodes \"m\" not found"#),
    ] {
        says(&server.get(&format!("/api/v1/nodes/{path}"), code), expected);
    }
    let forwarded = server.get(&format!("{PODS}/one/portforward?ports=x"), 400);
    says(
        &forwarded,
        r#"cannot convert to []int32: strconv.ParseUint: parsing \"x\": invalid syntax"#,
    );
}
