//! The three steps of the design, generated for every leaf of every kind's schema: a live value is kept, taken over,
//! and kept again when released. A pass over an object that is up to date writes nothing.

use kindsmith_controller::{Http, Json};
use kindsmith_schema::JsonSchema;
use serde_json::json;

use super::rig::{LATER, Which, World};

/// A field with two values.
struct Leaf {
    path: Vec<String>,
    first: Json,
    second: Json,
}

impl Leaf {
    fn text(&self) -> String {
        format!("spec.{}", self.path.join("."))
    }

    /// An object with only this field.
    fn spec(&self, value: &Json) -> Json {
        self.path
            .iter()
            .rev()
            .fold(value.clone(), |value, name| json!({ name: value }))
    }
}

fn leaves(schema: &JsonSchema, path: &mut Vec<String>, found: &mut Vec<Leaf>) {
    let is_struct = &*schema.ty == "object" && schema.map_type.is_none() && !schema.properties.is_empty();
    if is_struct {
        for (name, member) in &schema.properties {
            path.push(name.to_string());
            leaves(member, path, found);
            path.pop();
        }
        return;
    }
    let (first, second) = values(schema, path.last().map(String::as_str).unwrap_or_default());
    found.push(Leaf {
        path: path.clone(),
        first,
        second,
    });
}

fn values(schema: &JsonSchema, name: &str) -> (Json, Json) {
    match &*schema.ty {
        "integer" => (json!(21), json!(34)),
        "boolean" => (json!(true), json!(false)),
        "string" if &*schema.format == "duration" => (json!("600s"), json!("86400s")),
        "string" => (json!(format!("{name}-1")), json!(format!("{name}-2"))),
        "object" => (
            json!({ "external": "projects/p/things/one" }),
            json!({ "external": "projects/p/things/two" }),
        ),
        "array" => {
            let item = schema.item().expect("lists have items");
            match (&*item.ty, schema.list_map_keys.first()) {
                ("object", Some(key)) => (
                    json!([{ &**key: "one" }]),
                    json!([{ &**key: "two" }, { &**key: "three" }]),
                ),
                ("object", None) => {
                    let (name, member) = item.properties.iter().last().expect("items have members");
                    let (first, second) = values(member, name);
                    (json!([{ &**name: first }]), json!([{ &**name: second }]))
                }
                _ => (json!(["one"]), json!(["two", "three"])),
            }
        }
        other => panic!("no values for {other}"),
    }
}

fn merge(target: &mut Json, from: &Json) {
    match from {
        Json::Object(members) => members
            .iter()
            .for_each(|(key, value)| merge(&mut target[key], value)),
        value => *target = value.clone(),
    }
}

/// The three steps for every leaf of a kind, with a world of its own for each; the number of leaves.
pub(crate) fn three_steps<H: Http>(which: Which, world: impl Fn(&str) -> World<H>) -> usize {
    let Table {
        required,
        never_kept,
        fixed,
    } = table(which);
    let required = &required;
    let found = all(&world("any"));
    let found: Vec<&Leaf> = found
        .iter()
        .filter(|leaf| !never_kept.contains(&&*leaf.text()))
        .collect();
    for (number, leaf) in found.iter().enumerate() {
        let text = leaf.text();
        let world = world(&format!("lion-{number}"));
        let keep = json!({ "kindsmith.dev/keep-live-fields": text });
        world.apply(&keep, required);
        assert_eq!(world.settle(), LATER, "{text}: {}", world.condition());

        // Kept: somebody else sets it.
        let outside = world.kind().to_api(&leaf.spec(&leaf.first));
        world.edit(|live| merge(live, &outside));
        let before = world.live();
        let writes = world.writes_of(|| drop(world.settle()));
        assert_eq!(writes, 0, "{text}: {}", world.condition());
        assert_eq!(world.live(), before, "{text}");
        let status = world.object().expect("the object is there")["status"].clone();
        let preserved = status["preservedFields"].as_array().cloned().unwrap_or_default();
        let is_it = |field: &Json| field["path"].as_str().is_some_and(|path| path.starts_with(&text));
        assert!(preserved.iter().any(is_it), "{text}: {status}");

        // Taken over: the spec sets it. A field that cannot change must be set to its live value.
        let wanted = if fixed.contains(&&*text) {
            &leaf.first
        } else {
            &leaf.second
        };
        let mut spec = required.clone();
        merge(&mut spec, &leaf.spec(wanted));
        world.apply(&keep, &spec);
        assert_eq!(world.settle(), LATER, "{text}: {}", world.condition());
        assert!(
            world.condition().starts_with("UpToDate"),
            "{text}: {}",
            world.condition()
        );
        let taken = world.live();
        assert_eq!(taken == before, wanted == &leaf.first, "{text}: {taken:?}");
        assert_eq!(
            world.writes_of(|| drop(world.settle())),
            0,
            "{text}: the second pass"
        );

        // Released: the spec no longer sets it, and the written value stays.
        world.apply(&keep, required);
        assert_eq!(
            world.writes_of(|| drop(world.settle())),
            0,
            "{text}: {}",
            world.condition()
        );
        assert_eq!(world.live(), taken, "{text}");
    }
    found.len()
}

/// Every leaf of a kind's spec.
fn all<H: Http>(world: &World<H>) -> Vec<Leaf> {
    let spec = world.kind().schema.property("spec").expect("there is a spec");
    let mut found = Vec::new();
    leaves(spec, &mut Vec::new(), &mut found);
    found
}

/// Leaves that cannot be kept say why, and change nothing; the number of all leaves.
#[allow(dead_code, reason = "not over HTTP")]
pub(crate) fn never_kept<H: Http>(which: Which, world: impl Fn(&str) -> World<H>) -> usize {
    let Table {
        required, never_kept, ..
    } = table(which);
    for (number, text) in never_kept.iter().enumerate() {
        let world = world(&format!("tiger-{number}"));
        world.apply(&json!({ "kindsmith.dev/keep-live-fields": text }), &required);
        assert_eq!(world.settle(), LATER, "{text}: {}", world.condition());
        let status = world.object().expect("the object is there")["status"].clone();
        assert!(status["preservedFields"].is_null(), "{text}: {status}");
        // The tier is always specified, so there is nothing to keep.
        if *text != "spec.settings.tier" {
            assert_eq!(status["ignoredFields"][0]["path"], **text, "{status}");
        }
    }
    all(&world("any")).len()
}

/// What the steps need to know about a kind.
struct Table {
    /// A spec that the service accepts.
    required: Json,
    never_kept: &'static [&'static str],
    /// Fields that never change.
    fixed: &'static [&'static str],
}

fn table(which: Which) -> Table {
    match which {
        Which::SqlInstance => Table {
            required: json!({ "settings": { "tier": "db-f1-micro" } }),
            never_kept: &[
                "spec.resourceID",
                "spec.settings.tier",
                "spec.rootPassword",
                "spec.replicaConfiguration.password",
                "spec.replicaConfiguration.clientKey",
                "spec.cloneSource.sqlInstanceRef",
                "spec.cloneSource.pointInTime",
                "spec.cloneSource.databaseNames",
                "spec.cloneSource.binLogCoordinates.binLogFileName",
                "spec.cloneSource.binLogCoordinates.binLogPosition",
            ],
            fixed: &[
                "spec.region",
                "spec.instanceType",
                "spec.encryptionKMSCryptoKeyRef",
                "spec.settings.diskType",
                "spec.settings.collation",
                "spec.settings.timeZone",
            ],
        },
        Which::PubSubTopic => Table {
            required: json!({}),
            never_kept: &["spec.resourceID"],
            fixed: &["spec.kmsKeyRef"],
        },
    }
}
