//! Defaults from the tags of the server's own types, for fields that Kubernetes defaults in code, and defaults of
//! strategies, where one field depends on another.

use kindsmith_builtin::find_own;
use kindsmith_builtin::types::own_schema;
use kindsmith_engine::Plan;
use kindsmith_json::{Arena, parse_str, to_string};
use kindsmith_request::{Body, FieldValidation, Media, NoAdmission, Operation, Stamp, Write, WriteSteps};
use kindsmith_schema::TypeName;

/// Expects these defaults for an object of a type.
fn check(package: &str, name: &str, given: &str, expected: &str) {
    let schema = own_schema();
    let name = TypeName::new(package, name);
    let ty = schema.find(&name).unwrap_or_else(|| panic!("no type {name}"));
    let plan = Plan::compile(schema, ty);
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
            r#""strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}},"#,
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

#[test]
fn kinds_of_other_groups() {
    check(
        "k8s.io/api/storage/v1",
        "StorageClass",
        r#"{"provisioner":"p"}"#,
        r#"{"metadata":{},"provisioner":"p","reclaimPolicy":"Delete","volumeBindingMode":"Immediate"}"#,
    );
    check(
        "k8s.io/api/apps/v1",
        "StatefulSetPersistentVolumeClaimRetentionPolicy",
        r#"{"whenScaled":"Delete"}"#,
        r#"{"whenDeleted":"Retain","whenScaled":"Delete"}"#,
    );
    check(
        "k8s.io/api/batch/v1",
        "CronJobSpec",
        r#"{"schedule":"@daily"}"#,
        concat!(
            r#"{"schedule":"@daily","concurrencyPolicy":"Allow","suspend":false,"jobTemplate":{"metadata":{},"spec":{"template":"#,
            r#"{"metadata":{},"spec":{"containers":null,"restartPolicy":"Always","terminationGracePeriodSeconds":30,"#,
            r#""dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}}}},"#,
            r#""successfulJobsHistoryLimit":3,"failedJobsHistoryLimit":1}"#,
        ),
    );
    check(
        "k8s.io/api/networking/v1",
        "IngressClassSpec",
        r#"{"parameters":{"kind":"K","name":"n"}}"#,
        r#"{"parameters":{"kind":"K","name":"n","scope":"Cluster"}}"#,
    );
    check(
        "k8s.io/api/flowcontrol/v1",
        "LimitedPriorityLevelConfiguration",
        "{}",
        r#"{"nominalConcurrencyShares":30,"limitResponse":{"type":""},"lendablePercent":0}"#,
    );
    check(
        CORE,
        "PersistentVolumeClaimStatus",
        "{}",
        r#"{"phase":"Pending"}"#,
    );
}

/// Expects this `spec` after an object is created.
fn check_created(group: &str, version: &str, kind: &str, spec: &str, expected: &str) {
    let kind = find_own(kindsmith_object::Release::NEWEST, group, version, kind).expect("the kind is served");
    let arena = Arena::new();
    let write = Write {
        version: arena.alloc_str(version),
        operation: Operation::Create,
        namespace: "n",
        name: "",
        field_validation: FieldValidation::Strict,
        is_dry_run: false,
        stamp: Stamp {
            uid: "u",
            now: "2026-01-01T00:00:00Z",
            name_suffix: "abcde",
        },
    };
    let text = arena.alloc_str(&format!(r#"{{"metadata":{{"name":"a"}},"spec":{spec}}}"#));
    let body = Body {
        bytes: text.as_bytes(),
        media: Media::Json,
    };
    let outcome = kind.write(&arena, &write, body, &mut NoAdmission);
    let written = outcome.result.expect("the object is valid");
    let found = written.object.get("spec").map(to_string);
    assert_eq!(found.as_deref(), Some(expected), "{spec}");
}

#[test]
fn fields_that_depend_on_others() {
    check_created(
        "networking.k8s.io",
        "v1",
        "NetworkPolicy",
        r#"{"podSelector":{},"egress":[{}]}"#,
        r#"{"podSelector":{},"egress":[{}],"policyTypes":["Ingress","Egress"]}"#,
    );
    check_created(
        "",
        "v1",
        "LimitRange",
        r#"{"limits":[{"type":"Container","max":{"cpu":"2"},"min":{"memory":"1Mi"}},{"type":"Pod","max":{"cpu":"3"}}]}"#,
        concat!(
            r#"{"limits":[{"type":"Container","max":{"cpu":"2"},"min":{"memory":"1Mi"},"default":{"cpu":"2"},"#,
            r#""defaultRequest":{"cpu":"2","memory":"1Mi"}},{"type":"Pod","max":{"cpu":"3"}}]}"#,
        ),
    );
    check_created(
        "resource.k8s.io",
        "v1",
        "ResourceClaim",
        r#"{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}},{"name":"s","exactly":{"deviceClassName":"c","allocationMode":"All"}}]}}"#,
        concat!(
            r#"{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}},"#,
            r#"{"name":"s","exactly":{"deviceClassName":"c","allocationMode":"All"}}]}}"#,
        ),
    );
}

#[test]
fn a_deployment_that_starts_anew_has_no_numbers_of_a_rolling_update() {
    for (strategy, expected) in [
        (
            r#"{"type":"Recreate","rollingUpdate":{"maxSurge":1}}"#,
            r#"{"type":"Recreate","rollingUpdate":{"maxSurge":1}}"#,
        ),
        (r#"{"type":"Recreate"}"#, r#"{"type":"Recreate"}"#),
        (
            r#"{"rollingUpdate":{"maxSurge":1}}"#,
            r#"{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":1}}"#,
        ),
        (
            "null",
            r#"{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}}"#,
        ),
    ] {
        let kind = find_own(kindsmith_object::Release::NEWEST, "apps", "v1", "Deployment")
            .expect("the kind is served");
        let arena = Arena::new();
        let text = arena.alloc_str(&format!(r#"{{"spec":{{"strategy":{strategy}}}}}"#));
        let object = parse_str(&arena, text).expect("the case is JSON");
        let filled = WriteSteps::take_mutated(&**kind, &arena, object).expect("it fits its type");
        let encoded = kind.plan().encode(filled.value());
        assert!(
            encoded.contains(&format!(r#""strategy":{expected}"#)),
            "{encoded}"
        );
    }
}

#[test]
fn rules_of_an_autoscaler_are_completed() {
    check_created(
        "autoscaling",
        "v2",
        "HorizontalPodAutoscaler",
        r#"{"scaleTargetRef":{"kind":"K","name":"n","apiVersion":"apps/v1"},"maxReplicas":2,"behavior":{"scaleDown":{"selectPolicy":"Min"}}}"#,
        concat!(
            r#"{"scaleTargetRef":{"kind":"K","name":"n","apiVersion":"apps/v1"},"minReplicas":1,"maxReplicas":2,"#,
            r#""metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}],"#,
            r#""behavior":{"scaleUp":{"stabilizationWindowSeconds":0,"selectPolicy":"Max","policies":["#,
            r#"{"type":"Pods","value":4,"periodSeconds":15},{"type":"Percent","value":100,"periodSeconds":15}]},"#,
            r#""scaleDown":{"selectPolicy":"Min","policies":[{"type":"Percent","value":100,"periodSeconds":15}]}}}"#,
        ),
    );
}
