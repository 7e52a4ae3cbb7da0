//! Applying to a Pod-sized object with three managers, compared with structured-merge-diff under apimachinery's field
//! manager.
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench merge`

use std::hint::black_box;
use std::path::Path;

use kindsmith_benches::{file, go, micros, time};
use kindsmith_json::{Arena, Value, parse_str, to_string, yaml};
use kindsmith_merge::{ConvertError, FieldManager, Topology, Versions};
use serde_json::json;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SCHEMA: &str = include_str!("../../fixtures/pod/schema.yaml");
const VERSION: &str = "example.com/v1";
const NOW: &str = "2026-01-02T03:04:05Z";

struct Kind(Topology);

impl Versions for Kind {
    fn topology(&self, api_version: &str) -> Option<&Topology> {
        (api_version == VERSION).then_some(&self.0)
    }

    fn convert<'a>(&self, _: &'a Arena, _: Value<'a>, _: &str) -> Result<Value<'a>, ConvertError> {
        Err(ConvertError::NoSuchVersion)
    }
}

fn main() {
    let arena = Arena::new();
    let schema = yaml::parse(&arena, SCHEMA.as_bytes()).expect("YAML");
    let published = kindsmith_openapi::schema::read(schema).expect("a schema").0;
    let kind = Kind(Topology::of_published(Some(&published), false));
    let live = live(&kind);
    let changed = config("example.com/main:2", 3);
    let same = config("example.com/main:1", 4);
    println!("object: {} bytes as stored with three managers\n", live.len());
    let (schema, stored) = (
        file("merge-schema.json", &to_string(schema)),
        file("merge-live.json", &live),
    );
    for (what, patch) in [
        ("an image changed, a variable gone", &changed),
        ("nothing changed", &same),
    ] {
        let ours = measure(&kind, &live, patch);
        println!("apply, {what}: {} µs", micros(Some(ours.0)));
        println!("update to the same object: {} µs", micros(Some(ours.1)));
        let patch = file("merge-patch.json", patch);
        let Some(theirs) = go("merge", &[Path::new("bench"), &schema, &stored, &patch]) else {
            continue;
        };
        for (operation, ours) in [("apply", ours.0), ("update", ours.1)] {
            let theirs = theirs[operation].as_f64().expect("a number");
            println!(
                "  {operation} in Go: {} µs, {:.1} times as long (≥ 10)",
                micros(Some(theirs)),
                theirs / ours
            );
        }
    }
}

/// Nanoseconds of an apply and of an update, from values in memory to values in memory, like the Go program.
fn measure(kind: &Kind, live: &str, patch: &str) -> (f64, f64) {
    let values = Arena::new();
    let live = parse_str(&values, live).expect("JSON");
    let patch = parse_str(&values, patch).expect("JSON");
    let other = live.copy_in(&values);
    let manager = manager(kind);
    let mut arena = Arena::new();
    let apply = time(|| {
        let applied = manager.apply(&arena, live, patch, "aa", true, NOW);
        black_box(applied.expect("it applies"));
        arena.reset();
    });
    let update = time(|| {
        black_box(manager.update(&arena, live, other, "bb", NOW));
        arena.reset();
    });
    (apply, update)
}

fn manager(kind: &Kind) -> FieldManager<'_> {
    FieldManager {
        versions: kind,
        api_version: VERSION,
        kind: "Thing",
        subresource: "",
    }
}

/// The configuration that `aa` applies.
fn config(image: &str, variables: usize) -> String {
    let env: Vec<_> = (0..variables)
        .map(|at| json!({"name": format!("VARIABLE_{at}"), "value": "some value"}))
        .collect();
    let container = |name: &str| {
        json!({
            "name": name, "image": image, "imagePullPolicy": "IfNotPresent", "env": env,
            "args": ["--listen", "0.0.0.0:8080", "--verbose"],
            "ports": [{"containerPort": 8080, "name": "http"}, {"containerPort": 9090, "protocol": "TCP", "name": "metrics"}],
            "resources": {"limits": {"cpu": "1", "memory": "512Mi"}, "requests": {"cpu": "100m", "memory": "128Mi"}},
            "volumeMounts": [{"mountPath": "/data", "name": "data"}, {"mountPath": "/config", "name": "config", "readOnly": true}],
            "livenessProbe": {"httpGet": {"path": "/healthz", "port": "http"}, "periodSeconds": 10},
        })
    };
    json!({
        "apiVersion": VERSION, "kind": "Thing",
        "metadata": {"name": "a", "labels": {"app": "demo", "tier": "web"}, "annotations": {"example.com/team": "blue"}},
        "spec": {
            "containers": [container("main"), container("sidecar"), container("agent")],
            "volumes": [{"name": "data", "emptyDir": {}}, {"name": "config", "configMap": {"name": "demo"}}],
            "nodeSelector": {"disk": "ssd"}, "serviceAccountName": "demo",
            "tolerations": [{"key": "dedicated", "operator": "Exists", "effect": "NoSchedule"}],
            "securityContext": {"runAsNonRoot": true, "runAsUser": 1000},
        },
    })
    .to_string()
}

/// The object after `aa` applied it, a controller set the remaining fields, and a node reported its status.
fn live(kind: &Kind) -> String {
    let arena = Arena::new();
    let manager = manager(kind);
    let empty = kind.empty(&arena, VERSION, "Thing");
    let first = config("example.com/main:1", 4);
    let patch = parse_str(&arena, &first).expect("JSON");
    let mut object = manager
        .apply(&arena, empty, patch, "aa", false, "2026-01-01T00:00:00Z")
        .expect("it applies");
    let fill = r#"{"restartPolicy":"Always","dnsPolicy":"ClusterFirst","schedulerName":"default-scheduler","terminationGracePeriodSeconds":30,"nodeName":"node-1","priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"}"#;
    object.set(&arena, &["metadata", "uid"], "u".into());
    let before = object;
    for (key, value) in parse_str(&arena, fill)
        .expect("JSON")
        .as_object()
        .expect("an object")
    {
        object.set(&arena, &["spec", key], value);
    }
    object = manager.update(&arena, before, object, "controller", "2026-01-01T00:00:01Z");
    let status = r#"{"phase":"Running","hostIP":"10.0.0.1","podIP":"10.1.0.7","podIPs":[{"ip":"10.1.0.7"}],"qosClass":"Burstable","startTime":"2026-01-01T00:00:02Z",
        "conditions":[{"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:02Z"},{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:02Z"},{"type":"ContainersReady","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:02Z"},{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:02Z"}],
        "containerStatuses":[{"name":"main","ready":true,"restartCount":0,"image":"example.com/main:1","imageID":"sha256:0123","containerID":"containerd://0123","started":true,"state":{"running":{"startedAt":"2026-01-01T00:00:02Z"}}}]}"#;
    let before = object;
    object.set(&arena, &["status"], parse_str(&arena, status).expect("JSON"));
    let node = FieldManager {
        subresource: "status",
        ..manager
    };
    to_string(node.update(&arena, before, object, "node", "2026-01-01T00:00:02Z"))
}
