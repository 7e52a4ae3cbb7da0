//! Policies in force, as the release of the server runs them. Seen with kube-apiserver 1.35.8 and 1.37.0.

use kindsmith_object::Release;

use super::server::Server;

const POLICIES: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const BINDINGS: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

/// The status of a ConfigMap with a long text and many keys under a policy with these members.
fn judged(minor: u8, members: &str) -> (u16, String) {
    let server = Server::configured(|options| {
        options.serving.release = Release::minor(minor);
        options.serving.gates.release = Release::minor(minor);
    });
    let rule =
        r#"{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}"#;
    let policy = format!(
        r#"{{"metadata":{{"name":"p"}},"spec":{{"matchConstraints":{{"resourceRules":[{rule}]}},{members}}}}}"#
    );
    server.post(POLICIES, &policy, 201);
    let binding = r#"{"metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["Deny"]}}"#;
    server.post(BINDINGS, binding, 201);
    let keys: String = (0..200).map(|key| format!(r#""k{key}":"","#)).collect();
    let long = "x".repeat(60_000);
    let body = format!(r#"{{"metadata":{{"name":"c"}},"data":{{{keys}"long":"{long}"}}}}"#);
    let path = "/api/v1/namespaces/default/configmaps";
    server.ask("POST", path, "application/json", &body)
}

#[test]
fn expressions_cost_what_the_release_counts() {
    let starts = "object.data.all(k, object.data.long.startsWith('x'))";
    let matches = "object.data.all(k, matches(object.data.long, 'xy*'))";
    for (minor, expression, is_allowed) in [
        (36, starts, false),
        (37, starts, true),
        (36, matches, true),
        (37, matches, false),
    ] {
        let validation = format!(r#""validations":[{{"expression":"{expression}"}}]"#);
        let condition = format!(
            r#""validations":[{{"expression":"true"}}],"matchConditions":[{{"name":"c","expression":"{expression}"}}]"#
        );
        for members in [validation, condition] {
            let (status, answer) = judged(minor, &members);
            let problem = format!(
                "expression '{expression}' resulted in error: operation cancelled: actual cost limit exceeded"
            );
            assert_eq!(status, if is_allowed { 201 } else { 422 }, "1.{minor} {members}");
            assert_eq!(
                answer.contains(&problem),
                !is_allowed,
                "1.{minor} {members}: {answer}"
            );
        }
    }
}
