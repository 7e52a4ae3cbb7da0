//! Reading, copying, comparing and writing a 10 KB object like a Deployment, with serde_json as the peer.
//!
//! `cargo bench -p kindsmith-json`

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use kindsmith_json::write::Format;
use kindsmith_json::{Arena, parse, yaml};

fn main() {
    divan::main();
}

/// Five containers and the managed fields that go with them.
fn deployment() -> String {
    let labels =
        r#"{"app.kubernetes.io/name":"web","app.kubernetes.io/instance":"web-prod","tier":"frontend"}"#;
    let container = |n: usize| {
        format!(
            r#"{{"name":"container-{n}","image":"registry.example.com/team/app-{n}:1.{n}.7","command":["/bin/app","--listen=:8080"],"args":["--verbose=true","--name=\"c{n}\""],"env":[{{"name":"POD_NAME","valueFrom":{{"fieldRef":{{"apiVersion":"v1","fieldPath":"metadata.name"}}}}}},{{"name":"LEVEL","value":"info"}}],"ports":[{{"name":"http","containerPort":{p},"protocol":"TCP"}},{{"name":"metrics","containerPort":9090,"protocol":"TCP"}}],"resources":{{"limits":{{"cpu":"500m","memory":"256Mi"}},"requests":{{"cpu":"100m","memory":"128Mi"}}}},"livenessProbe":{{"httpGet":{{"path":"/healthz","port":8080,"scheme":"HTTP"}},"initialDelaySeconds":10,"periodSeconds":10,"failureThreshold":3,"timeoutSeconds":1}},"volumeMounts":[{{"name":"config","mountPath":"/etc/app","readOnly":true}}],"imagePullPolicy":"IfNotPresent","terminationMessagePath":"/dev/termination-log"}}"#,
            p = 8080 + n
        )
    };
    let managed = |n: usize| {
        format!(
            r#"{{"k:{{\"name\":\"container-{n}\"}}":{{".":{{}},"f:name":{{}},"f:image":{{}},"f:command":{{}},"f:args":{{}},"f:env":{{".":{{}},"k:{{\"name\":\"LEVEL\"}}":{{".":{{}},"f:name":{{}},"f:value":{{}}}}}},"f:ports":{{}},"f:resources":{{"f:limits":{{"f:cpu":{{}},"f:memory":{{}}}}}},"f:livenessProbe":{{"f:httpGet":{{"f:path":{{}},"f:port":{{}}}}}}}}}}"#
        )
    };
    let list = |item: &dyn Fn(usize) -> String| (0..5).map(item).collect::<Vec<_>>().join(",");
    format!(
        r#"{{"apiVersion":"apps/v1","kind":"Deployment","metadata":{{"name":"web","namespace":"prod","labels":{labels},"generation":7,"resourceVersion":"123456","uid":"0f3a7f2e-9d3c-4e0a-9a57-2f0f5f0c7d11","creationTimestamp":"2026-01-02T03:04:05Z","managedFields":[{{"manager":"kubectl","operation":"Apply","apiVersion":"apps/v1","time":"2026-01-02T03:04:05Z","fieldsType":"FieldsV1","fieldsV1":{{"f:spec":{{"f:containers":[{managed}]}}}}}}]}},"spec":{{"replicas":3,"selector":{{"matchLabels":{labels}}},"template":{{"metadata":{{"labels":{labels}}},"spec":{{"containers":[{containers}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst"}}}},"strategy":{{"type":"RollingUpdate","rollingUpdate":{{"maxSurge":"25%","maxUnavailable":1}}}}}},"status":{{"availableReplicas":3,"observedGeneration":7,"conditions":[{{"type":"Available","status":"True","reason":"MinimumReplicasAvailable","message":"Deployment has minimum availability."}}]}}}}"#,
        managed = list(&managed),
        containers = list(&container),
    )
}

#[divan::bench]
fn parse_ours(bencher: Bencher<'_, '_>) {
    let text = deployment();
    let mut arena = Arena::with_capacity(1 << 16);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        arena.reset();
        parse(&arena, black_box(text.as_bytes())).is_ok()
    });
}

#[divan::bench]
fn parse_serde_json(bencher: Bencher<'_, '_>) {
    let text = deployment();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench_local(|| serde_json::from_str::<serde_json::Value>(black_box(&text)).is_ok());
}

#[divan::bench]
fn copy_ours(bencher: Bencher<'_, '_>) {
    let text = deployment();
    let source = Arena::new();
    let value = parse(&source, text.as_bytes()).expect("well-formed");
    let mut arena = Arena::with_capacity(1 << 16);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        arena.reset();
        black_box(value.copy_in(&arena)).is_null()
    });
}

#[divan::bench]
fn copy_serde_json(bencher: Bencher<'_, '_>) {
    let text = deployment();
    let value: serde_json::Value = serde_json::from_str(&text).expect("well-formed");
    bencher
        .counter(BytesCount::of_str(&text))
        .bench_local(|| black_box(&value).clone());
}

#[divan::bench]
fn equal_ours(bencher: Bencher<'_, '_>) {
    let text = deployment();
    let (arena, other) = (Arena::new(), Arena::new());
    let value = parse(&arena, text.as_bytes()).expect("well-formed");
    let copy = value.copy_in(&other);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench_local(|| black_box(value) == black_box(copy));
}

#[divan::bench]
fn equal_serde_json(bencher: Bencher<'_, '_>) {
    let text = deployment();
    let value: serde_json::Value = serde_json::from_str(&text).expect("well-formed");
    let copy = value.clone();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench_local(|| black_box(&value) == black_box(&copy));
}

#[divan::bench]
fn write_ours(bencher: Bencher<'_, '_>) {
    write(bencher, Format::default());
}

#[divan::bench]
fn write_ours_as_go(bencher: Bencher<'_, '_>) {
    write(bencher, Format::GO);
}

fn write(bencher: Bencher<'_, '_>, format: Format<'_>) {
    let text = deployment();
    let arena = Arena::new();
    let value = parse(&arena, text.as_bytes()).expect("well-formed");
    let mut out = String::with_capacity(1 << 16);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        out.clear();
        format.append(&mut out, black_box(value));
        out.len()
    });
}

#[divan::bench]
fn write_serde_json(bencher: Bencher<'_, '_>) {
    let text = deployment();
    let value: serde_json::Value = serde_json::from_str(&text).expect("well-formed");
    let mut out = Vec::with_capacity(1 << 16);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        out.clear();
        serde_json::to_writer(&mut out, black_box(&value)).is_ok()
    });
}

#[divan::bench]
fn yaml_parse_ours(bencher: Bencher<'_, '_>) {
    let text = deployment();
    let mut arena = Arena::with_capacity(1 << 16);
    let yaml_text = {
        let source = Arena::new();
        let value = parse(&source, text.as_bytes()).expect("well-formed");
        kindsmith_json::write::to_yaml(value, kindsmith_json::write::Order::Kept)
    };
    bencher.counter(BytesCount::of_str(&yaml_text)).bench_local(|| {
        arena.reset();
        yaml::parse(&arena, black_box(yaml_text.as_bytes())).is_ok()
    });
}
