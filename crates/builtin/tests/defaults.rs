//! What the tags of the server's own types default, in the fields that Kubernetes defaults by hand.

use kindsmith_builtin::types::own_schema;
use kindsmith_engine::{Dialect, Plan};
use kindsmith_json::{Arena, parse_str};
use kindsmith_schema::TypeName;

/// An object of a type before and after.
fn check(package: &str, name: &str, given: &str, expected: &str) {
    let schema = own_schema();
    let name = TypeName::new(package, name);
    let ty = schema.find(&name).unwrap_or_else(|| panic!("no type {name}"));
    let plan = Plan::compile(schema, ty, Dialect::Native);
    let arena = Arena::new();
    let object = parse_str(&arena, given).expect("the case is JSON");
    assert_eq!(plan.encode(plan.default(&arena, object)), expected, "{name}");
}

const CORE: &str = "k8s.io/api/core/v1";

#[test]
fn pods_of_a_template() {
    check(
        CORE,
        "PodTemplate",
        r#"{"template":{"spec":{"containers":[{"name":"a","ports":[{"containerPort":1}],"livenessProbe":{"httpGet":{"port":80}}}]}}}"#,
        concat!(
            r#"{"metadata":{},"template":{"metadata":{},"spec":{"containers":[{"name":"a","#,
            r#""ports":[{"containerPort":1,"protocol":"TCP"}],"resources":{},"#,
            r#""livenessProbe":{"httpGet":{"path":"/","port":80,"scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,"#,
            r#""successThreshold":1,"failureThreshold":3},"#,
            r#""terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],"#,
            r#""restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","#,
            r#""securityContext":{},"schedulerName":"default-scheduler"}}}"#,
        ),
    );
}

#[test]
fn volumes() {
    check(
        CORE,
        "VolumeSource",
        r#"{"secret":{"secretName":"a"},"hostPath":{"path":"/x"},"projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}"#,
        concat!(
            r#"{"hostPath":{"path":"/x","type":""},"secret":{"secretName":"a","defaultMode":420},"#,
            r#""projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3600,"path":"t"}}],"defaultMode":420}}"#,
        ),
    );
}

#[test]
fn other_kinds() {
    check(CORE, "Secret", "{}", r#"{"metadata":{},"type":"Opaque"}"#);
    check(CORE, "NamespaceStatus", "{}", r#"{"phase":"Active"}"#);
    check(
        CORE,
        "ServiceSpec",
        r#"{"ports":[{"port":1}]}"#,
        r#"{"ports":[{"protocol":"TCP","port":1,"targetPort":0}],"type":"ClusterIP","sessionAffinity":"None"}"#,
    );
    check(
        "k8s.io/api/apps/v1",
        "DeploymentSpec",
        r#"{"strategy":{"rollingUpdate":{"maxSurge":1}}}"#,
        concat!(
            r#"{"replicas":1,"selector":null,"template":{"metadata":{},"spec":{"containers":null,"restartPolicy":"Always","#,
            r#""terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"#,
            r#""schedulerName":"default-scheduler"}},"#,
            r#""strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":1}},"#,
            r#""revisionHistoryLimit":10,"progressDeadlineSeconds":600}"#,
        ),
    );
    check(
        "k8s.io/api/admissionregistration/v1",
        "MutatingWebhook",
        r#"{"name":"a","clientConfig":{"service":{"name":"n","namespace":"s"}},"sideEffects":"None","admissionReviewVersions":["v1"],"rules":[{"operations":["*"]}]}"#,
        concat!(
            r#"{"name":"a","clientConfig":{"service":{"namespace":"s","name":"n","port":443}},"#,
            r#""rules":[{"operations":["*"],"scope":"*"}],"failurePolicy":"Fail","matchPolicy":"Equivalent","#,
            r#""namespaceSelector":{},"objectSelector":{},"sideEffects":"None","timeoutSeconds":10,"#,
            r#""admissionReviewVersions":["v1"],"reinvocationPolicy":"Never"}"#,
        ),
    );
}
