//! Laws over random schemas, specs, live objects and sets of paths.

use kindsmith_json::{Arena, Object, Value, to_string};
use kindsmith_merge::effective::{
    Attributes, Desired, Effective, FieldPath, Listing, Method, Step, apply_changes, effective, writes,
};
use kindsmith_merge::patch::MergePatch;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, Shared};
use kindsmith_testkit::Draw;
use proptest::prelude::*;

/// A random schema.
#[derive(Debug, Clone)]
enum Node {
    Text,
    Number,
    Switch,
    List,
    Set,
    Map(Box<Node>),
    Struct(Vec<Node>),
    ListMap(Vec<Node>),
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        4 => Just(Node::Text),
        2 => Just(Node::Number),
        1 => Just(Node::Switch),
        1 => Just(Node::List),
        1 => Just(Node::Set),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 1..4).prop_map(Node::Struct),
            1 => inner.clone().prop_map(|inner| Node::Map(Box::new(inner))),
            2 => prop::collection::vec(inner, 0..3).prop_map(Node::ListMap),
        ]
    })
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

impl Node {
    fn schema(&self) -> JsonSchema {
        let of = |ty: &str| JsonSchema {
            ty: ty.into(),
            ..JsonSchema::default()
        };
        let list = |item: JsonSchema, kind: &str| JsonSchema {
            items: Some(Shared::new(Items::Each(item))),
            list_type: (!kind.is_empty()).then(|| kind.into()),
            ..of("array")
        };
        let members = |nodes: &[Node]| {
            let members = NAMES.iter().zip(nodes);
            members
                .map(|(name, node)| ((*name).into(), node.schema()))
                .collect::<Vec<_>>()
        };
        match self {
            Node::Text => of("string"),
            Node::Number => of("integer"),
            Node::Switch => of("boolean"),
            Node::List => list(of("string"), ""),
            Node::Set => list(of("string"), "set"),
            Node::Map(inner) => JsonSchema {
                additional_properties: Some(Shared::new(SchemaOrBool::Schema(inner.schema()))),
                ..of("object")
            },
            Node::Struct(nodes) => JsonSchema {
                properties: members(nodes).into(),
                ..of("object")
            },
            Node::ListMap(nodes) => {
                let mut properties = members(nodes);
                properties.push(("name".into(), of("string")));
                let item = JsonSchema {
                    properties: properties.into(),
                    ..of("object")
                };
                JsonSchema {
                    list_map_keys: vec!["name".into()].into(),
                    ..list(item, "map")
                }
            }
        }
    }

    /// A valid value with roughly this percentage of its members.
    fn value<'a>(&self, arena: &'a Arena, draw: &mut Draw, share: u64) -> Value<'a> {
        let mut object = Object::EMPTY.edit(arena);
        match self {
            Node::Text => return Value::Str(["x", "y", "z"][draw.index(3)]),
            Node::Number => return Value::Int(draw.index(3) as i64),
            Node::Switch => return Value::Bool(draw.index(2) == 0),
            Node::List | Node::Set => {
                let items = ["x", "y", "z"].into_iter().filter(|_| draw.index(2) == 0);
                let items: Vec<Value<'_>> = items.map(Value::Str).collect();
                return Value::Array(arena.alloc_slice_copy(&items));
            }
            Node::ListMap(nodes) => {
                let mut items = Vec::new();
                for name in ["p", "q", "r"] {
                    if draw.next(100) < share {
                        let mut item = Node::Struct(nodes.clone()).value(arena, draw, share);
                        item.set(arena, &["name"], Value::Str(name));
                        items.push(item);
                    }
                }
                return Value::Array(arena.alloc_slice_copy(&items));
            }
            Node::Map(inner) => {
                for name in ["k", "l.m", "o"] {
                    if draw.next(100) < share {
                        object.insert(name, inner.value(arena, draw, share));
                    }
                }
            }
            Node::Struct(nodes) => {
                for (name, node) in NAMES.iter().zip(nodes) {
                    if draw.next(100) < share {
                        object.insert(name, node.value(arena, draw, share));
                    }
                }
            }
        }
        Value::Object(object.finish())
    }

    /// All paths that may be listed.
    fn paths(&self, path: &mut Vec<Step>, found: &mut Vec<FieldPath>) {
        found.push(FieldPath::new(path.clone()));
        let mut below = |step: Step, node: &Node, found: &mut Vec<FieldPath>| {
            path.push(step);
            node.paths(path, found);
            path.pop();
        };
        match self {
            Node::Struct(nodes) => {
                for (name, node) in NAMES.iter().zip(nodes) {
                    below(Step::Field((*name).into()), node, found);
                }
            }
            Node::Map(inner) => {
                below(Step::Field("l.m".into()), inner, found);
                below(Step::Each, inner, found);
            }
            Node::ListMap(nodes) => {
                let item = Node::Struct(nodes.clone());
                below(Step::Item(vec![("name".into(), "p".into())]), &item, found);
                below(Step::Each, &item, found);
            }
            _ => {}
        }
    }
}

/// One random situation.
struct World {
    arena: Arena,
    schema: JsonSchema,
    node: Node,
}

impl World {
    fn new(node: &Node) -> Self {
        let root = JsonSchema {
            ty: "object".into(),
            properties: vec![("spec".into(), node.schema())].into(),
            ..JsonSchema::default()
        };
        World {
            arena: Arena::new(),
            schema: root,
            node: node.clone(),
        }
    }

    fn object<'a>(&'a self, draw: &mut Draw, share: u64) -> Value<'a> {
        self.with(self.node.value(&self.arena, draw, share))
    }

    fn with<'a>(&'a self, spec: Value<'a>) -> Value<'a> {
        let mut object = Value::Object(Object::EMPTY);
        object.set(&self.arena, &["spec"], spec);
        object
    }

    /// Some of the existing paths, in any order.
    fn paths(&self, draw: &mut Draw, share: u64) -> Vec<String> {
        let mut paths = Vec::new();
        self.node.paths(&mut vec![Step::Field("spec".into())], &mut paths);
        paths.retain(|_| draw.next(100) < share);
        for at in (1..paths.len()).rev() {
            paths.swap(at, draw.index(at + 1));
        }
        paths.iter().map(ToString::to_string).collect()
    }

    fn listing(&self, paths: &[String]) -> Listing {
        let texts = paths.iter().map(|path| &**path);
        let (listing, ignored) = Listing::of_paths(texts, &self.schema, &Attributes::new());
        assert_eq!(ignored, [], "paths of the schema are good");
        listing
    }

    fn effective<'a>(
        &'a self,
        object: Value<'a>,
        live: Option<Value<'a>>,
        listing: &Listing,
    ) -> Effective<'a> {
        let nothing = Listing::default();
        let desired = Desired::new(object, &nothing);
        effective(
            &self.arena,
            &desired,
            live,
            listing,
            &self.schema,
            &Attributes::new(),
        )
    }

    /// The state of the service after the request.
    fn written<'a>(&'a self, result: &Effective<'a>, live: Value<'a>) -> Value<'a> {
        apply_changes(&self.arena, live, &result.set)
    }
}

/// The value at a path; items by their keys.
fn at<'a>(object: Value<'a>, path: &str) -> Option<Value<'a>> {
    let path = FieldPath::parse(path).expect("paths read back");
    path.steps().iter().try_fold(object, |here, step| match step {
        Step::Field(name) => here.get(name),
        Step::Item(keys) => {
            let items = here.as_array()?.iter();
            items.copied().find(|item| {
                keys.iter()
                    .all(|(key, text)| item.get(key).and_then(Value::as_str) == Some(text))
            })
        }
        Step::Each => None,
    })
}

/// Whether a path is equal to or below a listed one; `[*]` matches everything.
fn covers(listed: &str, path: &str) -> bool {
    let (listed, path) = (
        FieldPath::parse(listed).expect("it reads"),
        FieldPath::parse(path).expect("it reads"),
    );
    let pairs = listed.steps().iter().zip(path.steps());
    listed.steps().len() <= path.steps().len()
        && pairs
            .into_iter()
            .all(|(listed, step)| listed == step || *listed == Step::Each)
}

/// Whether one path is equal to or below the other.
fn is_near(one: &str, other: &str) -> bool {
    let parse = |path: &str| FieldPath::parse(path).expect("it reads");
    let (one, other) = (parse(one), parse(other));
    let mut pairs = one.steps().iter().zip(other.steps());
    pairs.all(|(one, other)| one == other || *one == Step::Each || *other == Step::Each)
}

fn is_equal(left: Option<Value<'_>>, right: Option<Value<'_>>) -> bool {
    let text = |value: Option<Value<'_>>| value.filter(|value| !is_empty(*value)).map(sorted);
    text(left) == text(right)
}

fn is_empty(value: Value<'_>) -> bool {
    matches!(value, Value::Array([])) || value.is_null()
}

/// A text that does not depend on the order of members and items.
fn sorted(value: Value<'_>) -> String {
    match value {
        Value::Object(object) => {
            let members: Vec<String> = object
                .sorted()
                .iter()
                .map(|entry| format!("{}:{}", entry.key, sorted(entry.value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        scalar => to_string(scalar),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_input_is_unchanged_and_the_order_of_paths_does_not_matter(node in node(), seed in any::<u64>()) {
        let (world, mut draw) = (World::new(&node), Draw(seed));
        let (object, live) = (world.object(&mut draw, 40), world.object(&mut draw, 70));
        let before = (to_string(object), to_string(live));
        let mut paths = world.paths(&mut draw, 30);
        let result = world.effective(object, Some(live), &world.listing(&paths));
        prop_assert_eq!((to_string(object), to_string(live)), before);
        paths.reverse();
        paths.extend(paths.clone());
        prop_assert_eq!(&world.effective(object, Some(live), &world.listing(&paths)), &result);
    }

    #[test]
    fn the_spec_wins(node in node(), seed in any::<u64>()) {
        let (world, mut draw) = (World::new(&node), Draw(seed));
        let (object, live) = (world.object(&mut draw, 40), world.object(&mut draw, 70));
        let paths = world.paths(&mut draw, 50);
        let result = world.effective(object, Some(live), &world.listing(&paths));
        for path in &result.specified {
            prop_assert_eq!(at(result.object, path), at(object, path), "{}", path);
        }
        let written = world.written(&result, live);
        for path in &result.specified {
            prop_assert!(is_equal(at(written, path), at(object, path)), "{path}: {written:?}");
        }
    }

    #[test]
    fn a_kept_value_is_live_before_and_after_the_write(node in node(), seed in any::<u64>()) {
        let (world, mut draw) = (World::new(&node), Draw(seed));
        let (object, live) = (world.object(&mut draw, 40), world.object(&mut draw, 70));
        let paths = world.paths(&mut draw, 50);
        let result = world.effective(object, Some(live), &world.listing(&paths));
        let written = world.written(&result, live);
        for kept in &result.kept {
            prop_assert!(paths.iter().any(|listed| covers(listed, &kept.path)), "{} is not listed", kept.path);
            prop_assert!(!result.specified.iter().any(|path| covers(&kept.path, path)), "{}", kept.path);
            prop_assert_eq!(at(live, &kept.path), Some(kept.value), "{}", &kept.path);
            prop_assert_eq!(at(result.object, &kept.path), Some(kept.value), "{}", &kept.path);
            prop_assert_eq!(at(written, &kept.path), Some(kept.value), "{}", &kept.path);
        }
    }

    #[test]
    fn the_second_pass_writes_nothing(node in node(), seed in any::<u64>()) {
        let (world, mut draw) = (World::new(&node), Draw(seed));
        let (object, live) = (world.object(&mut draw, 40), world.object(&mut draw, 70));
        let listing = world.listing(&world.paths(&mut draw, 50));
        let first = world.effective(object, Some(live), &listing);
        let written = world.written(&first, live);
        let second = world.effective(object, Some(written), &listing);
        prop_assert_eq!(&second.set, &[]);
        prop_assert_eq!(&second.kept, &first.kept);
        prop_assert_eq!(second.object, first.object);
        // Using the effective state as the spec gives the same effective state.
        let again = world.effective(first.object, Some(live), &listing);
        prop_assert_eq!(sorted(again.object), sorted(first.object));
        prop_assert_eq!(&again.kept, &[]);
        // Using the live state as the spec needs no write.
        prop_assert_eq!(&world.effective(live, Some(live), &listing).set, &[]);
    }

    #[test]
    fn fields_that_are_not_listed_are_as_without_a_list(node in node(), seed in any::<u64>()) {
        let (world, mut draw) = (World::new(&node), Draw(seed));
        let (object, live) = (world.object(&mut draw, 40), world.object(&mut draw, 70));
        let paths = world.paths(&mut draw, 20);
        let with = world.effective(object, Some(live), &world.listing(&paths));
        let without = world.effective(object, Some(live), &Listing::default());
        prop_assert_eq!(&without.kept, &[]);
        prop_assert_eq!(sorted(without.object), sorted(object));
        let listed = |path: &FieldPath| paths.iter().any(|listed| covers(listed, &path.to_string()));
        // An empty list or map is set as a whole, unless a path keeps an entry of it.
        let covered = |above: &FieldPath, below: &str| covers(&above.to_string(), below);
        for change in &without.set {
            let kept_below = || paths.iter().any(|listed| is_near(&change.path.to_string(), listed));
            prop_assert!(listed(&change.path) || with.set.contains(change) || kept_below(), "{}", change.path);
        }
        for change in &with.set {
            let text = change.path.to_string();
            prop_assert!(without.set.iter().any(|other| other == change || covered(&other.path, &text)), "{}", text);
        }
        // Paths that match no field have no effect.
        let bad = ["spec.nowhere", "status.a", "spec.a[0]", "spec..", "x"];
        let texts = paths.iter().map(|path| &**path).chain(bad);
        let (listing, ignored) = Listing::of_paths(texts, &world.schema, &Attributes::new());
        prop_assert!(ignored.len() >= 4);
        prop_assert_eq!(&world.effective(object, Some(live), &listing).object, &with.object);
    }

    #[test]
    fn a_patch_does_what_the_changes_say_and_names_nothing_that_is_kept(node in node(), seed in any::<u64>()) {
        let (world, mut draw) = (World::new(&node), Draw(seed));
        let (object, live) = (world.object(&mut draw, 40), world.object(&mut draw, 70));
        let listing = world.listing(&world.paths(&mut draw, 50));
        let result = world.effective(object, Some(live), &listing);
        let strategy = kindsmith_merge::effective::Strategy { method: Method::Patch, token: None };
        let writes = writes(&world.arena, &result, live, &Attributes::new(), &strategy);
        prop_assert_eq!(writes.len(), usize::from(!result.set.is_empty()));
        let Some(write) = writes.first() else {
            return Ok(());
        };
        let body = world.arena.alloc_str(&to_string(write.body));
        let patch = MergePatch::read(&world.arena, body.as_bytes()).expect("it is a patch");
        let patched = patch.apply(&world.arena, live);
        prop_assert_eq!(sorted(patched), sorted(world.written(&result, live)));
        for kept in result.kept.iter().filter(|kept| !kept.path.contains('=')) {
            prop_assert_eq!(at(write.body, &kept.path), None, "{}", &kept.path);
        }
    }

    #[test]
    fn every_field_can_be_kept_taken_over_and_released(node in node(), seed in any::<u64>()) {
        let (world, mut draw) = (World::new(&node), Draw(seed));
        let live = world.object(&mut draw, 80);
        let mut paths = Vec::new();
        world.node.paths(&mut vec![Step::Field("spec".into())], &mut paths);
        let fields = paths.iter().filter(|path| path.steps().iter().all(|step| matches!(step, Step::Field(_))));
        for path in fields {
            let text = path.to_string();
            let Some(value) = at(live, &text) else {
                continue;
            };
            let listing = world.listing(std::slice::from_ref(&text));
            // Keep: the spec does not set it.
            let silent = Value::Object(Object::EMPTY);
            let kept = world.effective(silent, Some(live), &listing);
            prop_assert_eq!(&kept.set, &[]);
            prop_assert_eq!(at(kept.object, &text).map(sorted), Some(sorted(value)), "{}", &text);
            // Take over: the spec sets another value.
            let other = World::new(&world.node);
            let other = other.object(&mut draw, 80);
            let Some(wanted) = at(other, &text) else {
                continue;
            };
            let wanted = wanted.copy_in(&world.arena);
            let mut taking = silent;
            let names: Vec<&str> = path.steps().iter().filter_map(|step| match step {
                Step::Field(name) => Some(&**name),
                _ => None,
            }).collect();
            let names: Vec<&str> = names.iter().map(|name| &*world.arena.alloc_str(name)).collect();
            taking.set(&world.arena, &names, wanted);
            let taken = world.effective(taking, Some(live), &listing);
            let written = world.written(&taken, live);
            for path in &taken.specified {
                prop_assert!(is_equal(at(written, path), at(taking, path)), "{path}");
            }
            // Release: the spec no longer sets it; the written value stays.
            let released = world.effective(silent, Some(written), &listing);
            prop_assert_eq!(&released.set, &[]);
            prop_assert_eq!(at(released.object, &text).map(sorted), at(written, &text).map(sorted));
        }
    }
}
