//! Every kind against the fake that is made from its description (SQLInstance and PubSubTopic have fakes of their own):
//! create, adopt, drift, preserve, take, release, abandon, delete, and schedules of faults.

mod describe;
mod migrated;
mod mistakes;
mod places;
mod shapes;
mod suitable;

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use kindsmith_controller::description::Described;
use kindsmith_controller::fake::{Fake, Fault, OneObject, Script};
use kindsmith_controller::{Controller, Convert, Field, Json, Kind, Next, ObjectRef, RestAdapter, kinds};
use kindsmith_merge::effective::{FieldPath, check as check_path};
use kindsmith_schema::JsonSchema;
use serde_json::json;

use crate::rig::Dice;

const KEEP: &str = "kindsmith.dev/keep-live-fields";
const LATER: Next = Next::After(Duration::from_mins(10));

/// Every kind that is built in, and one of every shape.
fn each(check: impl Fn(&Arc<Described>, &str, &Json)) {
    for known in kinds::ALL {
        let described = known
            .described()
            .map_err(|error| error.to_string())
            .expect(known.name);
        check(&described, known.name, &described.example);
    }
    for described in shapes::all() {
        check(&described, &described.kind.kind, &described.example);
    }
}

/// One object, its controller and its service.
struct World {
    cluster: OneObject,
    fake: Fake,
    controller: Controller<OneObject, RestAdapter<Fake>>,
    what: ObjectRef,
}

impl World {
    fn new(index: usize, annotations: &Json, spec: &Json) -> Self {
        Self::with(index, annotations, spec, Fake::default())
    }

    fn with(index: usize, annotations: &Json, spec: &Json, fake: Fake) -> Self {
        let described = kinds::ALL[index].described().expect("the description is right");
        Self::of(&described, annotations, spec, fake)
    }

    fn of(described: &Arc<Described>, annotations: &Json, spec: &Json, fake: Fake) -> Self {
        if !kinds::ALL.iter().any(|known| known.name == described.kind.kind) {
            fake.state().kinds = vec![Arc::clone(described)];
        }
        let kind = Arc::clone(&described.kind);
        let cluster = OneObject::new(json!({
            "apiVersion": kind.api_version(), "kind": kind.kind,
            "metadata": {
                "name": "lion", "namespace": "park", "uid": "u-1", "generation": 1, "annotations": annotations,
            },
            "spec": spec,
        }));
        let adapter = RestAdapter {
            http: fake.clone(),
            prefix: described.prefix.clone(),
            rest: kind.rest,
        };
        World {
            what: kind.object("park", "lion"),
            controller: Controller::new(cluster.clone(), adapter, kind),
            cluster,
            fake,
        }
    }

    fn kind(&self) -> &Kind {
        &self.controller.kind
    }

    /// A user changes the spec.
    fn apply(&self, spec: &Json) {
        self.cluster.edit(|object| {
            object["spec"] = spec.clone();
            object["metadata"]["generation"] =
                (object["metadata"]["generation"].as_i64().unwrap_or(0) + 1).into();
        });
    }

    fn delete(&self) {
        self.cluster
            .edit(|object| object["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z".into());
    }

    fn is_gone(&self) -> bool {
        self.cluster.lock().is_none()
    }

    fn pass(&self) -> Next {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let pass = self.controller.pass(&self.what, "2026-01-02T03:04:05Z", 0.5);
        runtime.expect("a runtime starts").block_on(pass)
    }

    fn settle(&self) -> Next {
        for _ in 0..100 {
            match self.pass() {
                Next::Poll => {}
                next => return next,
            }
        }
        panic!("it never settles: {}", self.condition());
    }

    fn condition(&self) -> String {
        let object = self.cluster.lock();
        let condition = &object.as_ref().unwrap_or(&Json::Null)["status"]["conditions"][0];
        format!("{}: {}", condition["reason"], condition["message"])
    }

    fn writes_of(&self, act: impl FnOnce()) -> usize {
        let before = self.fake.writes();
        act();
        self.fake.writes() - before
    }

    /// The live resource, whatever its name: a fake has one.
    fn live(&self) -> Option<Json> {
        self.fake.state().resources.values().next().cloned()
    }

    /// Somebody else changes the resource.
    fn edit(&self, change: impl FnOnce(&mut Json)) {
        if let Some(live) = self.fake.state().resources.values_mut().next() {
            change(live);
        }
    }

    fn spec(&self) -> Json {
        let object = self.cluster.lock();
        object.as_ref().unwrap_or(&Json::Null)["spec"].clone()
    }

    /// The writes until the object is up to date. Its spec is never written.
    fn settled(&self, text: &str) -> usize {
        let spec = self.spec();
        let writes = self.writes_of(|| assert_eq!(self.settle(), LATER, "{text}: {}", self.condition()));
        assert!(
            self.condition().contains("UpToDate"),
            "{text}: {}",
            self.condition()
        );
        assert_eq!(self.spec(), spec, "{text}");
        writes
    }
}

#[test]
fn a_resource_is_created_adopted_abandoned_and_deleted() {
    each(|described, name, example| {
        let first = World::of(described, &json!({}), example, Fake::default());
        assert_eq!(first.settled(name), 1, "{name}");
        assert_eq!(first.settled(name), 0, "{name}");
        first.delete();
        assert_eq!(first.settle(), Next::OnChange, "{name}: {}", first.condition());
        assert!(first.is_gone() && first.live().is_none(), "{name}");

        let abandon = json!({ "cnrm.cloud.google.com/deletion-policy": "abandon" });
        let second = World::of(described, &abandon, example, Fake::default());
        second.settled(name);
        second.delete();
        assert_eq!(
            second.writes_of(|| assert_eq!(second.settle(), Next::OnChange)),
            0,
            "{name}"
        );
        assert!(second.is_gone() && second.live().is_some(), "{name}");

        // Another object adopts what was abandoned.
        let mut spec = example.clone();
        let path = second
            .fake
            .state()
            .resources
            .keys()
            .next()
            .cloned()
            .unwrap_or_default();
        spec["resourceID"] = path.rsplit('/').next().unwrap_or_default().into();
        let third = World::of(described, &json!({}), &spec, second.fake);
        assert_eq!(third.settled(name), 0, "{name} is adopted without a write");
    });
}

/// A field with two values.
struct Leaf {
    path: String,
    first: Json,
    second: Json,
}

fn leaves(schema: &JsonSchema, path: &str, found: &mut Vec<Leaf>) {
    let is_struct = &*schema.ty == "object" && schema.map_type.is_none() && !schema.properties.is_empty();
    if is_struct && schema.property("external").is_none() {
        for (name, member) in &schema.properties {
            leaves(member, &format!("{path}.{name}"), found);
        }
        return;
    }
    if let Some((first, second)) = values(schema) {
        found.push(Leaf {
            path: path.to_owned(),
            first,
            second,
        });
    }
}

fn values(schema: &JsonSchema) -> Option<(Json, Json)> {
    Some(match (&*schema.ty, &*schema.format) {
        ("integer", _) => (json!(21), json!(34)),
        ("boolean", _) => (json!(true), json!(false)),
        ("string", "duration") => (json!("600s"), json!("86400s")),
        ("string", "date-time") => (json!("2027-01-01T00:00:00Z"), json!("2028-01-01T00:00:00Z")),
        ("string", _) => (json!("one"), json!("two")),
        ("object", _) if schema.property("external").is_some() => {
            (json!({ "external": "one" }), json!({ "external": "two" }))
        }
        ("object", _) if schema.additional().is_some() => (json!({ "a": "one" }), json!({ "b": "two" })),
        ("array", _) => {
            let item = schema.item()?;
            let (name, first, second) = match &*item.ty {
                "object" => {
                    let (name, member) = item.properties.iter().next()?;
                    let (first, second) = values(member)?;
                    (Some(name), first, second)
                }
                _ => (None, json!("one"), json!("two")),
            };
            let wrap = |value: Json| match name {
                Some(name) => json!([{ &**name: value }]),
                None => json!([value]),
            };
            (wrap(first), wrap(second))
        }
        _ => return None,
    })
}

fn put(spec: &mut Json, path: &str, value: &Json) {
    let place = path.split('.').skip(1).fold(spec, |value, key| &mut value[key]);
    *place = value.clone();
}

fn merge(target: &mut Json, from: &Json) {
    match from {
        Json::Object(members) if target.is_object() || (target.is_null() && !members.is_empty()) => members
            .iter()
            .for_each(|(key, value)| merge(&mut target[key], value)),
        value => *target = value.clone(),
    }
}

/// A leaf of a kind that can be kept, and that the example does not set.
struct Case<'c> {
    described: &'c Arc<Described>,
    example: &'c Json,
    leaf: &'c Leaf,
    text: String,
    is_fixed: bool,
}

impl Case<'_> {
    fn world(&self, annotations: &Json) -> World {
        World::of(self.described, annotations, self.example, Fake::default())
    }

    /// The example with the leaf.
    fn with(&self, value: &Json) -> Json {
        let mut spec = self.example.clone();
        put(&mut spec, &self.leaf.path, value);
        spec
    }

    /// Somebody else sets the leaf.
    fn set_outside(&self, world: &World, value: &Json) {
        let mut outside = json!({});
        put(&mut outside, &self.leaf.path, value);
        let outside = self.described.kind.to_api(&outside);
        world.edit(|live| merge(live, &outside));
    }

    /// The live value of the leaf, in the form of the spec; an empty list is none.
    fn shown(&self, world: &World) -> Json {
        let spec = self.described.kind.to_spec(&world.live().unwrap_or_default());
        let steps = self.leaf.path.split('.').skip(1);
        let value = steps.fold(spec, |value, key| value[key].clone());
        if value == json!([]) { Json::Null } else { value }
    }

    /// What the object sets. A field that cannot change must be set to its live value.
    fn wanted(&self) -> &Json {
        if self.is_fixed {
            &self.leaf.first
        } else {
            &self.leaf.second
        }
    }
}

fn each_leaf(check: impl Fn(&Case<'_>)) {
    each(|described, name, example| {
        let kind = &described.kind;
        let mut found = Vec::new();
        leaves(kind.schema.property("spec").expect("a spec"), "spec", &mut found);
        let mut done = 0;
        for leaf in &found {
            let path = FieldPath::parse(&leaf.path).expect("it reads");
            let is_sent =
                |field: &&Field| field.convert != Convert::Nothing || field.spec.join(".") != leaf.path[5..];
            let is_in_api = kind.fields.iter().all(|field| is_sent(&field));
            let mut steps = leaf.path.split('.').skip(1);
            let is_set = steps.try_fold(example, |value, key| value.get(key)).is_some();
            if check_path(&path, &kind.schema, &kind.attributes).is_err() || is_set || !is_in_api {
                continue;
            }
            done += 1;
            check(&Case {
                described,
                example,
                leaf,
                text: format!("{name} {}", leaf.path),
                is_fixed: kind
                    .immutable
                    .iter()
                    .any(|fixed| leaf.path.starts_with(fixed.as_str())),
            });
        }
        assert!(done >= 2, "{name}: {done} leaves");
    });
}

/// The design's three scenarios, and drift.
#[test]
fn every_leaf_is_preserved_taken_and_released() {
    each_leaf(|case| {
        let text = &case.text;
        let world = case.world(&json!({ KEEP: case.leaf.path }));
        world.settled(text);

        case.set_outside(&world, &case.leaf.first);
        let before = world.live();
        assert_eq!(world.settled(text), 0, "preserve: {text}");
        assert_eq!(world.live(), before, "preserve: {text}");

        world.apply(&case.with(case.wanted()));
        assert_eq!(world.settled(text), usize::from(!case.is_fixed), "take: {text}");
        let taken = case.shown(&world);

        // Drift is corrected: the spec decides.
        if !case.is_fixed {
            let entry = json!({ "b": "drifted" });
            let is_map = case.leaf.first.get("a").is_some();
            case.set_outside(&world, if is_map { &entry } else { &case.leaf.first });
            assert_eq!(world.settled(text), 1, "drift: {text}");
        }

        world.apply(case.example);
        assert_eq!(world.settled(text), 0, "release: {text}");
        assert_eq!(case.shown(&world), taken, "release: {text}");
    });
}

/// The same steps without the annotation: a stray value is left alone or reset to what the kind declares, and what the
/// object no longer sets is removed.
#[test]
fn without_the_annotation_no_leaf_is_preserved_that_the_object_has_set() {
    each_leaf(|case| {
        let (text, leaf) = (&case.text, case.leaf);
        let world = case.world(&json!({}));
        world.settled(text);
        let created = case.shown(&world);

        // Of a `false` that a service does not tell from no value there is nothing to remove.
        let (stray, wanted) = match (&leaf.first, &leaf.second) {
            (first, _) if case.is_fixed => (first, first),
            (first, Json::Bool(false)) => (&leaf.second, first),
            (first, second) => (first, second),
        };
        case.set_outside(&world, stray);
        let before = world.live();
        match world.settled(text) {
            0 => assert_eq!(world.live(), before, "left alone: {text}"),
            writes => {
                assert_eq!(writes, 1, "reset: {text}");
                assert_eq!(case.shown(&world), created, "reset: {text}");
            }
        }

        world.apply(&case.with(wanted));
        world.settled(text);
        let taken = case.shown(&world);
        assert_eq!(taken == *stray, case.is_fixed, "take: {text}");

        // What cannot change stays, and what the kind declares is set already.
        let stays = case.is_fixed || taken == created;
        world.apply(case.example);
        assert_eq!(world.settled(text), usize::from(!stays), "release: {text}");
        assert_eq!(case.shown(&world) == taken, stays, "release: {text}");
        assert_eq!(world.settled(text), 0, "released: {text}");
    });
}

#[test]
fn nothing_is_added_to_a_live_object_that_cannot_change() {
    let tried = Cell::new(0);
    each(|described, name, example| {
        let kind = &described.kind;
        let mut found = Vec::new();
        leaves(kind.schema.property("spec").expect("a spec"), "spec", &mut found);
        for fixed in &kind.immutable {
            let inside = format!("{fixed}.");
            let inside: Vec<&Leaf> = found
                .iter()
                .filter(|leaf| leaf.path.starts_with(&inside))
                .collect();
            let Some((there, others)) = inside.split_first() else {
                continue;
            };
            let mut spec = example.clone();
            put(&mut spec, &there.path, &there.first);
            for new in others {
                let text = format!("{name} {}", new.path);
                let world = World::of(described, &json!({}), &spec, Fake::default());
                world.settled(&text);
                let mut more = spec.clone();
                put(&mut more, &new.path, &new.first);
                world.apply(&more);
                assert_eq!(world.writes_of(|| assert_eq!(world.settle(), LATER)), 0, "{text}");
                let (condition, expected) = (world.condition(), format!("Update call failed: {}", new.path));
                assert!(condition.contains(&expected), "{text}: {condition}");
                let reason = format!("it cannot be added: {fixed} cannot be changed");
                assert!(condition.contains(&reason), "{text}: {condition}");

                world.apply(&spec);
                assert_eq!(world.settled(&text), 0, "{text}");
                tried.set(tried.get() + 1);
            }
        }
    });
    assert!(tried.get() >= 7, "{} fields", tried.get());
}

const FAULTS: [Fault; 7] = [
    Fault::Status(403),
    Fault::Status(409),
    Fault::Status(429),
    Fault::Status(500),
    Fault::Lost,
    Fault::Unheard,
    Fault::Operation,
];

fn stumble(world: &World, dice: &mut Dice) {
    for _ in 0..dice.below(8) {
        let fault = FAULTS.get(dice.below(14) as usize).copied();
        world.fake.state().script.push(fault);
        world.pass();
    }
}

/// Passes until the object is up to date, whatever goes wrong meanwhile.
fn converge(world: &World, name: &str) {
    for _ in 0..200 {
        if world.pass() == LATER && world.condition().contains("UpToDate") {
            return;
        }
    }
    panic!("{name} never converges: {}", world.condition());
}

/// How many schedules of faults are tried for each kind.
fn schedules() -> u64 {
    let given = std::env::var("KINDSMITH_SCHEDULES").ok();
    given.and_then(|given| given.parse().ok()).unwrap_or(125)
}

#[test]
fn no_schedule_of_faults_loses_duplicates_or_orphans_a_resource() {
    each(|described, name, example| {
        for seed in 0..schedules() {
            let mut dice = Dice(seed * 31 + name.len() as u64);
            let world = World::of(described, &json!({}), example, Fake::default());
            world.fake.state().latency = dice.below(3) as u32;
            stumble(&world, &mut dice);
            converge(&world, name);
            let created: u32 = world.fake.state().creations.values().sum();
            assert_eq!(created, 1, "{name} {seed}");
            world.delete();
            stumble(&world, &mut dice);
            world.fake.state().script = Script::default();
            for _ in 0..50 {
                if world.is_gone() {
                    break;
                }
                world.pass();
            }
            assert!(
                world.is_gone() && world.live().is_none(),
                "{name} {seed}: {}",
                world.condition()
            );
        }
    });
}
