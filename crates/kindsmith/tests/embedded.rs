//! A server in a program: kinds written in Rust, rules and conversions in code.

use std::path::Path;

use kindsmith::Server;
use kindsmith::server::StartError;
use kindsmith_derive::{Resource, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod v1 {
    use super::{Deserialize, Resource, Serialize, Value};

    #[derive(Resource, Serialize, Deserialize)]
    #[k8s(group = "park.example.org", version = "v1")]
    pub(super) struct Gate {
        pub(super) metadata: Value,
        pub(super) spec: Spec,
    }

    #[derive(super::Schema, Serialize, Deserialize)]
    pub(super) struct Spec {
        /// In meters.
        pub(super) width: i32,
        pub(super) keeper: Option<String>,
    }
}

mod v2 {
    use super::{Deserialize, Resource, Serialize, Value};

    #[derive(Resource, Serialize, Deserialize)]
    #[k8s(group = "park.example.org", version = "v2", storage_version)]
    pub(super) struct Gate {
        pub(super) metadata: Value,
        pub(super) spec: Spec,
    }

    #[derive(super::Schema, Serialize, Deserialize)]
    pub(super) struct Spec {
        /// In centimeters.
        #[k8s(minimum = 60)]
        pub(super) centimeters: i32,
        pub(super) keeper: Option<String>,
    }
}

fn server() -> Server {
    Server::builder()
        .kind::<v1::Gate>()
        .kind::<v2::Gate>()
        .convert::<v1::Gate, v2::Gate>(|gate| {
            let spec = v2::Spec {
                centimeters: gate.spec.width * 100,
                keeper: gate.spec.keeper,
            };
            Ok(v2::Gate {
                metadata: gate.metadata,
                spec,
            })
        })
        .convert::<v2::Gate, v1::Gate>(|gate| {
            let spec = v1::Spec {
                width: gate.spec.centimeters / 100,
                keeper: gate.spec.keeper,
            };
            Ok(v1::Gate {
                metadata: gate.metadata,
                spec,
            })
        })
        .validate::<v2::Gate>(|new, old, context| {
            let mut errors = Vec::new();
            if new.spec.centimeters < 60 {
                errors.push(context.invalid("spec.centimeters", "too narrow"));
            }
            if new.spec.centimeters > 300 && new.spec.keeper.is_none() {
                errors.push(context.required("spec.keeper", "a wide gate has a keeper"));
            }
            if old.is_some_and(|old| new.spec.centimeters < old.spec.centimeters) {
                errors.push(context.forbidden("spec.centimeters", "a gate never gets narrower"));
            }
            errors
        })
        .start_blocking()
        .unwrap_or_else(|error| panic!("{error}"))
}

const V1: &str = "/apis/park.example.org/v1/namespaces/default/gates";
const V2: &str = "/apis/park.example.org/v2/namespaces/default/gates";

fn gate(version: &str, name: &str, spec: &Value) -> String {
    let api_version = format!("park.example.org/{version}");
    json!({"apiVersion": api_version, "kind": "Gate", "metadata": {"name": name}, "spec": spec}).to_string()
}

#[track_caller]
fn check(server: &Server, method: &str, path: &str, body: &str, status: u16, message: &str) -> Value {
    let answer = server.ask(method, path, body);
    let value: Value = serde_json::from_str(&answer.body).expect("JSON");
    let told = value["message"].as_str().unwrap_or_default();
    assert_eq!((answer.status, told), (status, message), "{}", answer.body);
    value
}

#[test]
fn rules_in_code_are_joined_with_those_of_the_schema() {
    let server = server();
    let wide = gate("v2", "wide", &json!({"centimeters": 400}));
    let message =
        "Gate.park.example.org \"wide\" is invalid: spec.keeper: Required value: a wide gate has a keeper";
    check(&server, "POST", V2, &wide, 422, message);
    // The schema and the rule find the same fault, which is told once.
    let narrow = gate("v2", "narrow", &json!({"centimeters": 40}));
    let message = "Gate.park.example.org \"narrow\" is invalid: spec.centimeters: Invalid value: 40: spec.centimeters in body \
                   should be greater than or equal to 60";
    check(&server, "POST", V2, &narrow, 422, message);
    let north = gate("v2", "north", &json!({"centimeters": 200}));
    check(&server, "POST", V2, &north, 201, "");
    let narrower = gate("v2", "north", &json!({"centimeters": 100}));
    let message =
        "Gate.park.example.org \"north\" is invalid: spec.centimeters: Forbidden: a gate never gets narrower";
    let path = format!("{V2}/north");
    let mut narrower: Value = serde_json::from_str(&narrower).expect("JSON");
    let stored = check(&server, "GET", &path, "", 200, "");
    narrower["metadata"]["resourceVersion"] = stored["metadata"]["resourceVersion"].clone();
    check(&server, "PUT", &path, &narrower.to_string(), 422, message);
}

#[test]
fn versions_are_converted_in_code() {
    let server = server();
    let north = gate("v1", "north", &json!({"width": 2, "keeper": "ada"}));
    let answered = check(&server, "POST", V1, &north, 201, "");
    assert_eq!(answered["spec"], json!({"width": 2, "keeper": "ada"}));
    let read = check(&server, "GET", &format!("{V2}/north"), "", 200, "");
    assert_eq!(read["spec"], json!({"centimeters": 200, "keeper": "ada"}));
    assert_eq!(read["apiVersion"], "park.example.org/v2");
    assert_eq!(read["metadata"]["uid"], answered["metadata"]["uid"]);
}

#[test]
fn a_wrong_crd_is_named_with_its_file() {
    let crd =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: gates}\n";
    let cases = [
        ("kind: [", ":1: this document cannot be read: "),
        ("a: 1\n---\nkind: [", ":2: this document cannot be read: "),
        (
            crd,
            ": CustomResourceDefinition.apiextensions.k8s.io \"gates\" is invalid: ",
        ),
    ];
    for (text, expected) in cases {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong-crd");
        std::fs::create_dir_all(&directory).expect("it can be made");
        let file = directory.join("crd.yaml");
        std::fs::write(&file, text).expect("it can be written");
        let started = Server::builder().crds(&directory).start_blocking();
        let error = started.expect_err("a CRD cannot be served").to_string();
        let beginning = format!("{}{expected}", file.display());
        assert!(error.starts_with(&beginning), "{error}, not {beginning}");
    }
}

#[test]
fn without_tls_only_loopback_is_served() {
    let address = ([0, 0, 0, 0], 0).into();
    let error = Server::builder()
        .listen(address)
        .start_blocking()
        .expect_err("everybody could do everything");
    assert!(matches!(error, StartError::NotLoopback(_)), "{error}");
    assert_eq!(
        error.to_string(),
        "0.0.0.0:0 is reachable by others; add `.tls()` to listen on it"
    );
}

#[test]
fn a_server_with_tls_has_a_kubeconfig_with_credentials() {
    let server = Server::builder().tls().start_blocking().expect("a port is free");
    let kubeconfig = server.kubeconfig();
    assert!(server.url().starts_with("https://127.0.0.1:"));
    for part in [
        "certificate-authority-data: ",
        "client-certificate-data: ",
        "client-key-data: ",
    ] {
        assert!(kubeconfig.contains(part), "{kubeconfig}");
    }
}
