//! A controller for lamps behind a bridge, as an example for your own. The bridge and the cluster are toys in this
//! process; with the feature `cluster`, use `KubeCluster` for a real cluster and `kindsmith_controller::run` to run it.
#![allow(clippy::print_stdout, reason = "its output is what it is for")]

use std::sync::{Arc, Mutex};

use kindsmith_controller::{
    Cluster, ClusterError, Controller, Convert, Create, Field, Http, HttpError, Json, Kind, Next, ObjectRef,
    Options, Request, Response, Rest, RestAdapter, Update,
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

/// The shape of the bridge's API.
const REST: Rest = Rest {
    collection: "homes/{project}/lights",
    create: Create::Put,
    update: Update::Patch,
    operations: None,
    token: Some(&["etag"]),
    name: "",
    labels: None,
    not_on_create: &[],
    outputs: &[(&["etag"], "etag")],
    busy: None,
    references: &[],
    secrets: &[],
    ..Rest::PLAIN
};

/// A bridge with one lamp, which can also be switched by hand.
#[derive(Clone, Default)]
struct Bridge(Arc<Mutex<Option<Json>>>);

impl Http for Bridge {
    async fn send(&self, request: Request) -> Result<Response, HttpError> {
        let mut lamp = self.0.lock().expect("nobody panics");
        let body = request.body.unwrap_or_default();
        println!(
            "  {} {} {}",
            request.method,
            request.path,
            if body.is_null() {
                String::new()
            } else {
                body.to_string()
            }
        );
        match (request.method, &mut *lamp) {
            ("PUT", lamp) => {
                let mut new = body;
                // The bridge picks values that the request does not set.
                new["state"]["bri"] = new["state"].get("bri").cloned().unwrap_or(json!(50));
                new["etag"] = json!("1");
                *lamp = Some(new);
            }
            ("PATCH", Some(lamp)) if body["etag"] == lamp["etag"] => {
                if let Some(brightness) = body["state"].get("bri") {
                    lamp["state"]["bri"] = brightness.clone();
                }
                lamp["etag"] = json!(format!("{}+", lamp["etag"].as_str().unwrap_or_default()));
            }
            ("PATCH", Some(_)) => return Ok(answer(412, json!({}))),
            ("DELETE", lamp) => *lamp = None,
            _ => {}
        }
        Ok(match &*lamp {
            Some(lamp) => answer(200, lamp.clone()),
            None => answer(404, json!({})),
        })
    }
}

fn answer(status: u16, body: Json) -> Response {
    Response {
        status,
        retry_after: None,
        body,
    }
}

/// A cluster with one object.
#[derive(Clone, Default)]
struct OneObject(Arc<Mutex<Json>>);

impl Cluster for OneObject {
    async fn get(&self, what: &ObjectRef) -> Result<Option<Json>, ClusterError> {
        Ok((what.kind == "Light").then(|| self.0.lock().expect("nobody panics").clone()))
    }

    async fn patch(&self, _: &ObjectRef, _: bool, patch: &Json) -> Result<Json, ClusterError> {
        let mut object = self.0.lock().expect("nobody panics");
        merge(&mut object, patch);
        Ok(object.clone())
    }

    async fn create(&self, _: &ObjectRef, _: &Json) -> Result<Json, ClusterError> {
        Err(ClusterError::Failed("this cluster has one object".to_owned()))
    }

    async fn event(&self, _: &Json, _: bool, reason: &str, message: &str) {
        println!("  event {reason}: {message}");
    }
}

fn merge(target: &mut Json, patch: &Json) {
    match patch {
        Json::Object(members) => members
            .iter()
            .for_each(|(key, value)| merge(&mut target[key], value)),
        value => *target = value.clone(),
    }
}

/// The three steps: a value is kept, taken over, and kept again.
pub(crate) async fn story() -> Vec<Json> {
    let kind = Arc::new(
        Kind::new(LIGHT, FIELDS, &[("spec.room", Attribute::Immutable)], &REST)
            .expect("the tables are right"),
    );
    let (bridge, cluster) = (Bridge::default(), OneObject::default());
    let adapter = RestAdapter {
        http: bridge.clone(),
        prefix: "/api".to_owned(),
        rest: kind.rest,
    };
    let controller = Controller {
        cluster: cluster.clone(),
        adapter,
        kind,
        options: Options::default(),
        dependents: Arc::default(),
    };
    let what = ObjectRef {
        api_version: "home.example.org/v1".to_owned(),
        kind: "Light".to_owned(),
        plural: "lights".to_owned(),
        namespace: "flat".to_owned(),
        name: "desk".to_owned(),
    };
    *cluster.0.lock().expect("nobody panics") = json!({
        "metadata": { "name": "desk", "namespace": "flat", "generation": 1,
            "annotations": { "kindsmith.dev/keep-live-fields": "spec.brightness" } },
        "spec": { "room": "study" },
    });
    let mut seen = Vec::new();
    let brightness = [None, Some(80), None];
    for (step, brightness) in [
        "the spec is silent",
        "the spec says 80",
        "the spec is silent again",
    ]
    .into_iter()
    .zip(brightness)
    {
        println!("{step}");
        cluster.0.lock().expect("nobody panics")["spec"] = match brightness {
            Some(brightness) => json!({ "room": "study", "brightness": brightness }),
            None => json!({ "room": "study" }),
        };
        while controller.pass(&what, "2026-01-01T00:00:00Z", 0.5).await == Next::Poll {}
        let lamp = bridge
            .0
            .lock()
            .expect("nobody panics")
            .clone()
            .unwrap_or_default();
        seen.push(lamp["state"]["bri"].clone());
        println!("  the lamp has brightness {}", lamp["state"]["bri"]);
    }
    seen
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() {
    assert_eq!(story().await, [json!(50), json!(80), json!(80)]);
}
