//! Reports for objects of Config Connector: what would be sent, and why not more.

use kindsmith_controller::{Inventory, Json, Live, Migration, Verdict, kinds, migrate};
use serde_json::json;

fn object(kind: &str, name: &str, spec: &Json) -> Json {
    let group = match kind {
        "Namespace" => "v1",
        "SQLInstance" | "SQLDatabase" => "sql.cnrm.cloud.google.com/v1beta1",
        "PubSubTopic" => "pubsub.cnrm.cloud.google.com/v1beta1",
        _ => "compute.cnrm.cloud.google.com/v1beta1",
    };
    let mut object = json!({ "apiVersion": group, "kind": kind, "metadata": { "name": name }, "spec": spec });
    if kind != "Namespace" {
        object["metadata"]["namespace"] = "zoo".into();
        object["status"] = json!({ "conditions": [{ "type": "Ready", "status": "True" }] });
    }
    object
}

fn all(objects: &[Json], live: impl Fn(&str) -> Live) -> Vec<Migration> {
    let mut inventory = Inventory::default();
    inventory.add(json!({ "kind": "List", "items": objects }));
    let kinds: Vec<_> = kinds::ALL
        .iter()
        .filter_map(|known| known.described().ok())
        .collect();
    let each = inventory.candidates();
    each.map(|object| migrate(&inventory, &kinds, object, |_, identity| live(identity)))
        .collect()
}

#[test]
fn every_object_has_its_verdict() {
    let mut namespace = object("Namespace", "zoo", &json!({}));
    namespace["metadata"]["annotations"] = json!({ "cnrm.cloud.google.com/project-id": "park" });
    let mut merged = object("PubSubTopic", "d", &json!({ "fancy": 1 }));
    merged["metadata"]["annotations"] = json!({ "cnrm.cloud.google.com/state-into-spec": "merge" });
    merged["metadata"]["labels"] = json!({ "team": "lions" });
    let objects = [
        namespace,
        object("PubSubTopic", "a", &json!({})),
        object("PubSubTopic", "b", &json!({ "messageRetentionDuration": "600s" })),
        object("PubSubTopic", "c", &json!({})),
        merged,
        object("ComputeNetwork", "n", &json!({})),
        object("SQLDatabase", "e", &json!({ "instanceRef": { "name": "gone" } })),
    ];
    let found = all(&objects, |identity| match identity {
        "projects/park/topics/a" | "projects/park/topics/b" => Live::Is(json!({ "name": identity })),
        "projects/park/topics/c" => Live::Absent,
        _ => Live::Unknown,
    });
    let words: Vec<(&str, &str)> = found
        .iter()
        .map(|made| (&*made.object.name, made.verdict.word()))
        .collect();
    assert_eq!(
        words,
        [
            ("n", "no controller"),
            ("a", "up to date"),
            ("b", "changes"),
            ("c", "creates"),
            ("d", "not read"),
            ("e", "waits"),
        ]
    );
    let request = |name: &str| {
        let made = found.iter().find(|made| made.object.name == name)?;
        made.request
            .as_ref()
            .map(|(method, path, body)| (&**method, &**path, body.clone()))
    };
    assert_eq!(request("a"), None);
    assert_eq!(request("d"), None, "labels are assumed as the object says");
    let body =
        json!({ "topic": { "messageRetentionDuration": "600s" }, "updateMask": "messageRetentionDuration" });
    assert_eq!(request("b"), Some(("PATCH", "/v1/projects/park/topics/b", body)));
    assert_eq!(
        request("c"),
        Some(("PUT", "/v1/projects/park/topics/c", json!({})))
    );
    assert_eq!(found[4].notes.len(), 1, "{:?}", found[4].notes);
    let plan = found[4].plan.as_ref().expect("it has a controller");
    assert_eq!(plan.ignored[0].path, "spec.fancy");
    assert_eq!(found[5].notes, ["reference SQLInstance zoo/gone is not found"]);
}

#[test]
fn a_name_that_the_status_shows_in_another_form_is_not_a_path() {
    let topic = |shown: &str| {
        let mut topic = object("PubSubTopic", "a", &json!({}));
        topic["status"]["externalRef"] = shown.into();
        all(&[topic], |_| Live::Unknown).remove(0)
    };
    assert_eq!(
        topic("projects/park/topics/t").identity.as_deref(),
        Some("projects/park/topics/t")
    );
    let other = topic("//pubsub.googleapis.com/projects/park/topics/t");
    assert_eq!(other.identity.as_deref(), Some("projects/zoo/topics/a"));
    assert_eq!(other.verdict, Verdict::NotRead);
}
