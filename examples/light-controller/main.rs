//! A controller for lamps behind a bridge, as an example for your own. The bridge and the cluster are toys in this
//! process; with the feature `cluster`, use `KubeCluster` for a real cluster and `kindsmith_controller::run` to run it.
#![allow(clippy::print_stdout, reason = "its output is what it is for")]

use std::sync::{Arc, Mutex};

use kindsmith_controller::fake::OneObject;
use kindsmith_controller::{
    Controller, Convert, Create, Field, Http, HttpError, Json, Kind, Next, Request, Response, Rest,
    RestAdapter,
};
use kindsmith_merge::effective::Attribute;
use serde_json::json;

/// The CRD. Generate yours from Go types with `kindsmith gen crd`. No field may have a schema default.
const LIGHT: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lights.home.example.org}
spec:
  group: home.example.org
  names: {kind: Light, plural: lights}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              room: {type: string}
              brightness: {type: integer}
              color: {type: string}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
";

/// Only fields with another name in the bridge's API.
const FIELDS: &[Field] = &[Field {
    spec: &["brightness"],
    api: &["state", "bri"],
    convert: Convert::Same,
}];

/// What the schema does not say.
const ATTRIBUTES: &[(&str, Attribute)] = &[("spec.room", Attribute::Immutable)];

/// The shape of the bridge's API.
const REST: Rest = Rest {
    collection: "homes/{project}/lights",
    create: Create::Put,
    token: Some(&["etag"]),
    outputs: &[("etag", "etag")],
    ..Rest::PLAIN
};

/// A bridge with one lamp, which can also be switched by hand.
#[derive(Clone, Default)]
struct Bridge(Arc<Mutex<Option<Json>>>);

impl Http for Bridge {
    async fn send(&self, request: Request) -> Result<Response, HttpError> {
        let mut lamp = self.0.lock().expect("nobody panics");
        let body = request.body.unwrap_or_default();
        println!("  {} {} {body}", request.method, request.path);
        match (request.method, &mut *lamp) {
            ("PUT", lamp) => {
                let mut new = body;
                // The bridge picks values that the request does not set.
                new["state"]["bri"] = new["state"].get("bri").cloned().unwrap_or(json!(50));
                new["etag"] = json!("1");
                *lamp = Some(new);
            }
            ("PATCH", Some(lamp)) if body["etag"] == lamp["etag"] => {
                lamp["state"]["bri"] = body["state"]["bri"].clone();
                lamp["etag"] = json!(format!("{}+", lamp["etag"].as_str().unwrap_or_default()));
            }
            ("PATCH", Some(_)) => return Ok(answer(412, json!({}))),
            ("DELETE", lamp) => *lamp = None,
            _ => {}
        }
        let found = lamp.clone();
        Ok(found.map_or_else(|| answer(404, json!({})), |lamp| answer(200, lamp)))
    }
}

fn answer(status: u16, body: Json) -> Response {
    Response {
        status,
        retry_after: None,
        body,
    }
}

/// The three steps: a value is kept, taken over, and kept again.
pub(crate) async fn story() -> Vec<Json> {
    let kind = Arc::new(Kind::new(LIGHT, FIELDS, ATTRIBUTES, &REST).expect("the tables are right"));
    let bridge = Bridge::default();
    let cluster = OneObject::new(json!({
        "apiVersion": "home.example.org/v1", "kind": "Light",
        "metadata": { "name": "desk", "namespace": "flat", "generation": 1,
            "annotations": { "kindsmith.dev/keep-live-fields": "spec.brightness" } },
    }));
    let what = kind.object("flat", "desk");
    let adapter = RestAdapter {
        http: bridge.clone(),
        prefix: "/api".to_owned(),
        rest: kind.rest,
    };
    let controller = Controller::new(cluster.clone(), adapter, kind);
    let silent = json!({ "room": "study" });
    let mut seen = Vec::new();
    for (step, spec) in [
        ("the spec is silent", silent.clone()),
        ("the spec says 80", json!({ "room": "study", "brightness": 80 })),
        ("the spec is silent again", silent),
    ] {
        println!("{step}");
        cluster.edit(|object| object["spec"] = spec);
        while controller.pass(&what, "2026-01-01T00:00:00Z", 0.5).await == Next::Poll {}
        let lamp = bridge.0.lock().expect("nobody panics").clone();
        let brightness = lamp.unwrap_or_default()["state"]["bri"].clone();
        println!("  the lamp has brightness {brightness}");
        seen.push(brightness);
    }
    seen
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() {
    assert_eq!(story().await, [json!(50), json!(80), json!(80)]);
}
