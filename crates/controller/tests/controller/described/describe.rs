//! Descriptions made from documents of APIs agree with those written by hand, and pass the check.

use kindsmith_controller::description::{self, Described, Others, Weight};
use kindsmith_controller::{Json, Kind, describe, kinds};
use serde_json::{Value, json};

use super::shapes::crd;

fn definition(name: &str) -> &'static str {
    let known = kinds::ALL.iter().find(|known| known.name == name);
    let described = known.expect("it is a kind").described();
    described.expect("the description is right").kind.definition
}

/// Makes a description; it must pass the check.
#[track_caller]
fn made(api: &Json, definition: &str) -> (Described, String) {
    let others = Others {
        known: kinds::ALL
            .iter()
            .filter_map(|known| (known.kind)().ok())
            .map(|kind| description::Other {
                api_version: kind.api_version(),
                kind: kind.kind.clone(),
                plural: kind.plural,
            })
            .collect(),
        is_complete: false,
    };
    let text = describe(api, definition, None, &others).expect("it is described");
    let (described, found) = description::check(&text, None, &others);
    let wrong: Vec<_> = found
        .iter()
        .filter(|found| found.weight != Weight::Todo)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}\n{text}");
    (described.expect("it is right"), text)
}

/// What a description says about calls.
fn calls(kind: &Kind) -> String {
    let rest = kind.rest;
    format!(
        "{} {:?} {:?} {:?} {:?} {:?} {} {:?} {:?} {:?}",
        rest.collection,
        rest.parameters,
        rest.create,
        rest.update,
        rest.operations,
        rest.token,
        rest.name,
        rest.labels,
        rest.busy,
        rest.ids
    )
}

/// The rows of fields, and what cannot change.
fn rows(kind: &Kind) -> Vec<String> {
    let mut rows: Vec<String> = kind
        .fields
        .iter()
        .map(|field| {
            format!(
                "{} {} {:?}",
                field.spec.join("."),
                field.api.join("."),
                field.convert
            )
        })
        .collect();
    rows.extend(kind.immutable.iter().map(|path| format!("{path} cannot change")));
    rows.sort();
    rows
}

/// The description of a built-in kind, made again from a document with these fields.
#[track_caller]
fn check(name: &str, api: &Json) {
    let known = kinds::ALL
        .iter()
        .find(|known| known.name == name)
        .expect("it is a kind");
    let by_hand = known.described().expect("the description is right");
    let (found, text) = made(api, by_hand.kind.definition);
    assert_eq!(calls(&found.kind), calls(&by_hand.kind), "{text}");
    assert_eq!(rows(&found.kind), rows(&by_hand.kind), "{text}");
    assert_eq!((&found.host, &found.prefix), (&by_hand.host, &by_hand.prefix));
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn fixed() -> Value {
    json!({ "type": "string", "description": "Immutable." })
}

fn call(method: &str, path: &str, query: &[&str], body: Option<&str>, answer: &str) -> Value {
    let query: serde_json::Map<String, Value> = query
        .iter()
        .map(|name| ((*name).to_owned(), json!({ "location": "query" })))
        .collect();
    let mut call = json!({ "httpMethod": method, "flatPath": path, "parameters": query, "response": { "$ref": answer } });
    if let Some(body) = body {
        call["request"] = json!({ "$ref": body });
    }
    call
}

#[test]
fn a_kind_in_a_location_with_a_mask_and_operations() {
    let at = "v1/projects/{projectsId}/locations/{locationsId}/instances";
    let one = format!("{at}/{{instancesId}}");
    let times = json!({
        "hours": { "type": "integer" }, "minutes": { "type": "integer" }, "seconds": { "type": "integer" }, "nanos": { "type": "integer" },
    });
    let made = || json!({ "type": "string", "readOnly": true });
    let window = json!({
        "day": text(), "duration": made(), "startTime": { "type": "object", "properties": times },
    });
    let schedule = json!({ "startTime": text(), "endTime": text(), "scheduleDeadlineTime": text() });
    let maintenance = json!({
        "createTime": made(), "updateTime": made(), "description": text(),
        "weeklyMaintenanceWindow": { "type": "array", "items": { "type": "object", "properties": window } },
    });
    let properties = json!({
        "name": text(), "memorySizeGb": { "type": "integer" }, "tier": fixed(), "connectMode": fixed(),
        "locationId": fixed(), "reservedIpRange": fixed(), "secondaryIpRange": text(), "displayName": text(), "redisVersion": text(),
        "authEnabled": { "type": "boolean" }, "readReplicasMode": text(), "replicaCount": { "type": "integer" },
        "redisConfigs": { "type": "object", "additionalProperties": text() },
        "labels": { "type": "object", "additionalProperties": text() },
        "authorizedNetwork": {
            "type": "string", "description": "Immutable. A network: projects/{project}/global/networks/{network}",
        },
        "persistenceConfig": { "$ref": "Persistence" }, "alternativeLocationId": fixed(), "transitEncryptionMode": fixed(),
        "customerManagedKey": fixed(),
        "maintenanceSchedule": { "type": "object", "readOnly": true, "properties": schedule },
        "maintenancePolicy": { "type": "object", "properties": maintenance },
        "host": { "type": "string", "readOnly": true }, "port": { "type": "integer", "readOnly": true },
        "state": { "type": "string", "enum": ["STATE_UNSPECIFIED", "CREATING", "READY", "UPDATING", "DELETING"] },
    });
    let persistence = json!({
        "persistenceMode": text(), "rdbSnapshotPeriod": text(), "rdbSnapshotStartTime": { "type": "string", "format": "google-datetime" },
        "rdbNextSnapshotTime": made(),
    });
    let api = json!({
        "rootUrl": "https://redis.googleapis.com/", "servicePath": "",
        "resources": { "projects": { "resources": { "locations": { "resources": { "instances": { "methods": {
            "get": call("GET", &one, &[], None, "Instance"),
            "list": call("GET", at, &["pageToken"], None, "List"),
            "create": call("POST", at, &["instanceId"], Some("Instance"), "Operation"),
            "patch": call("PATCH", &one, &["updateMask"], Some("Instance"), "Operation"),
            "delete": call("DELETE", &one, &[], None, "Operation"),
        }}}}}}},
        "schemas": {
            "Instance": { "type": "object", "properties": properties },
            "Persistence": { "type": "object", "properties": persistence },
            "List": { "type": "object", "properties": { "instances": { "type": "array", "items": { "$ref": "Instance" } } } },
            "Operation": { "type": "object", "properties": { "name": text(), "done": { "type": "boolean" } } },
        },
    });
    check("RedisInstance", &api);
}

#[test]
fn a_kind_below_another_with_operations_that_have_a_status() {
    let at = "sql/v1beta4/projects/{project}/instances/{instance}/databases";
    let one = format!("{at}/{{database}}");
    let properties =
        json!({ "name": text(), "charset": text(), "collation": text(), "etag": text(), "selfLink": text() });
    let operation = "sql/v1beta4/projects/{project}/operations/{operation}";
    let api = json!({
        "rootUrl": "https://sqladmin.googleapis.com/", "servicePath": "",
        "resources": {
            "databases": { "methods": {
                "get": call("GET", &one, &[], None, "Database"),
                "insert": call("POST", at, &[], Some("Database"), "Operation"),
                "patch": call("PATCH", &one, &[], Some("Database"), "Operation"),
            }},
            "operations": { "methods": { "get": call("GET", operation, &[], None, "Operation") } },
        },
        "schemas": {
            "Database": { "type": "object", "properties": properties },
            "Operation": { "type": "object", "properties": { "name": text(), "status": text() } },
        },
    });
    check("SQLDatabase", &api);
}

/// The operations of a region, under the name that the field of the spec has.
#[test]
fn operations_are_read_where_the_resource_is() {
    let at = "v1/projects/{project}/locations/{location}/lamps";
    let one = format!("{at}/{{lamp}}");
    let read = |path: &str| call("GET", path, &[], None, "Operation");
    let api = json!({
        "rootUrl": "https://x.example.org/", "servicePath": "",
        "resources": {
            "lamps": { "methods": {
                "get": call("GET", &one, &[], None, "Lamp"),
                "insert": call("POST", at, &[], Some("Lamp"), "Operation"),
                "patch": call("PATCH", &one, &[], Some("Lamp"), "Operation"),
            }},
            "operations": { "methods": {
                "other": read("v1/folders/{folder}/operations/{operation}"),
                "global": read("v1/projects/{project}/operations/{operation}"),
                "get": read("v1/projects/{project}/locations/{location}/operations/{operation}"),
            }},
        },
        "schemas": {
            "Lamp": { "type": "object", "properties": { "name": text(), "friends": { "type": "array", "items": text() } } },
            "Operation": { "type": "object", "properties": { "name": text(), "status": text() } },
        },
    });
    let reference = "{type: object, properties: {name: {type: string}, external: {type: string}}}";
    let definition = crd(
        "Lamp",
        &format!(
            "region: {{type: string}}, friendRefs: {{type: array, items: {reference}}}, otherRefs: {{type: array, items: {reference}}}"
        ),
    );
    let (found, text) = made(&api, &definition);
    let rest = found.kind.rest;
    let operations = rest.operations.map(|operations| operations.path);
    assert_eq!(
        operations,
        Some("projects/{project}/locations/{region}/operations"),
        "{text}"
    );
    assert_eq!(
        rest.collection, "projects/{project}/locations/{region}/lamps",
        "{text}"
    );
    // References in a list are sent as names.
    let spec = json!({ "friendRefs": [{ "external": "a" }, { "external": "b" }] });
    assert_eq!(
        found.kind.to_api(&spec),
        json!({ "friends": ["a", "b"] }),
        "{text}"
    );
    assert_eq!(
        found.kind.to_spec(&json!({ "friends": ["a", "b"] })),
        spec,
        "{text}"
    );
}

#[test]
fn a_kind_that_is_created_with_put_and_refers_to_another() {
    let one = "v1/projects/{projectsId}/subscriptions/{subscriptionsId}";
    let topic = |words: &str| json!({ "type": "string", "description": format!("{words} `projects/{{project}}/topics/{{topic}}`") });
    let duration = || json!({ "type": "string", "format": "google-duration" });
    let switch = || json!({ "type": "boolean" });
    let properties = json!({
        "name": text(), "topic": topic("Immutable. The topic, as"), "ackDeadlineSeconds": { "type": "integer" },
        "filter": fixed(), "enableMessageOrdering": { "type": "boolean", "description": "Immutable." },
        "enableExactlyOnceDelivery": switch(), "messageRetentionDuration": duration(), "retainAckedMessages": switch(),
        "labels": { "type": "object", "additionalProperties": text() }, "state": text(),
        "expirationPolicy": { "type": "object", "properties": { "ttl": duration() } },
        "retryPolicy": { "type": "object", "properties": { "minimumBackoff": duration(), "maximumBackoff": duration() } },
        "deadLetterPolicy": { "type": "object", "properties": {
            "deadLetterTopic": topic("The topic, as"), "maxDeliveryAttempts": { "type": "integer" },
        }},
        "bigqueryConfig": { "type": "object", "properties": {
            "table": text(), "useTopicSchema": switch(), "useTableSchema": switch(), "writeMetadata": switch(),
            "dropUnknownFields": switch(), "state": { "type": "string", "readOnly": true },
        }},
        "cloudStorageConfig": { "type": "object", "properties": {
            "bucket": text(), "filenamePrefix": text(), "filenameSuffix": text(), "maxDuration": duration(),
            "maxBytes": { "type": "string", "format": "int64" }, "state": { "type": "string", "readOnly": true },
            "avroConfig": { "type": "object", "properties": { "writeMetadata": switch() } },
        }},
        "pushConfig": { "type": "object", "properties": {
            "oidcToken": { "type": "object", "properties": { "serviceAccountEmail": text(), "audience": text() } },
            "noWrapper": { "type": "object", "properties": { "writeMetadata": switch() } },
            "pushEndpoint": text(), "attributes": { "type": "object", "additionalProperties": text() },
        }},
    });
    let api = json!({
        "rootUrl": "https://pubsub.googleapis.com/", "servicePath": "",
        "resources": { "subscriptions": { "methods": {
            "get": call("GET", one, &[], None, "Subscription"),
            "create": call("PUT", one, &[], Some("Subscription"), "Subscription"),
            "patch": call("PATCH", one, &[], Some("Update"), "Subscription"),
        }}},
        "schemas": {
            "Subscription": { "type": "object", "properties": properties },
            "Update": { "type": "object", "properties": {
                "subscription": { "$ref": "Subscription" }, "updateMask": { "type": "string" },
            }},
        },
    });
    check("PubSubSubscription", &api);
}

/// The lamps of the example, as OpenAPI.
fn bridge() -> Json {
    let body =
        json!({ "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Lamp" } } } });
    let answer = json!({ "200": body });
    json!({
        "openapi": "3.0.3", "info": { "title": "Bridge" }, "servers": [{ "url": "https://bridge.local/api" }],
        "paths": { "/homes/{home}/lamps/{lamp}": {
            "get": { "responses": answer }, "put": { "requestBody": body, "responses": answer },
            "patch": { "requestBody": body, "responses": answer }, "delete": { "responses": {} },
        }},
        "components": { "schemas": { "Lamp": { "type": "object", "properties": {
            "room": { "type": "string", "description": "cannot be changed" }, "color": text(),
            "brightnessLevels": { "type": "integer" }, "etag": text(), "reachable": { "type": "boolean", "readOnly": true },
        }}}},
    })
}

#[test]
fn an_openapi_document_and_what_it_does_not_say() {
    let lamp = include_str!("../../../../../examples/kinds/lamp.yaml");
    let definition = lamp
        .split_once("---\n")
        .map(|(_, crd)| crd)
        .expect("it has a CRD");
    let (found, text) = made(&bridge(), definition);
    assert_eq!((&*found.host, &*found.prefix), ("bridge.local", "/api"));
    assert_eq!(found.kind.rest.collection, "homes/{project}/lamps");
    assert_eq!(found.kind.rest.create, kindsmith_controller::Create::Put);
    assert_eq!(found.kind.immutable, ["spec.room"]);
    // The API has no brightness: a person decides.
    assert!(text.contains("- \"`brightness` is not in the API"), "{text}");
    assert!(text.contains("- \"`{home}` in the path is the project"), "{text}");
}

#[test]
fn what_cannot_be_described_is_an_error() {
    let none = Others::default();
    let error = |api: &Json, definition: &str| {
        let error = describe(api, definition, None, &none).expect_err("it cannot be described");
        error.to_string()
    };
    let lamp = definition("SQLDatabase");
    assert_eq!(
        error(&json!({}), lamp),
        "neither a discovery document nor an OpenAPI document"
    );
    assert_eq!(
        error(&bridge(), lamp),
        "no collection of the API is named like `SQLDatabase`"
    );
    assert!(error(&bridge(), "7").starts_with("the CRD: "));
    for odd in [
        json!({ "paths": { "x": 7 } }),
        json!({ "resources": { "a": [] } }),
        json!({ "paths": {}, "swagger": "2.0" }),
    ] {
        let _ = error(&odd, lamp);
    }
}
