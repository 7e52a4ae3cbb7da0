//! Laws of sets and writes.

use std::collections::BTreeSet;

use crate::rig::{self, Server};
use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_merge::{Duplicates, Element, FieldSet, KeyField};
use proptest::prelude::*;

/// One element, as text that sorts as elements do not need to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Field(String),
    Key(Vec<(String, i64)>),
    Value(String),
    Index(i64),
}

type Model = BTreeSet<Vec<Step>>;

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => "[ab]".prop_map(Step::Field),
        1 => (0..2i64).prop_map(|port| Step::Key(vec![("port".to_owned(), port)])),
        1 => "[xy<]".prop_map(Step::Value),
        1 => (0..2i64).prop_map(Step::Index),
    ]
}

fn model() -> impl Strategy<Value = Model> {
    prop::collection::btree_set(prop::collection::vec(step(), 1..4), 0..8)
}

fn set<'a>(arena: &'a Arena, model: &Model) -> FieldSet<'a> {
    let paths: Vec<Vec<Element<'a>>> = model
        .iter()
        .map(|path| path.iter().map(|step| element(arena, step)).collect())
        .collect();
    let paths: Vec<&[Element<'a>]> = paths.iter().map(Vec::as_slice).collect();
    FieldSet::from_paths(arena, &paths)
}

fn element<'a>(arena: &'a Arena, step: &Step) -> Element<'a> {
    match step {
        Step::Field(name) => Element::Field(arena.alloc_str(name)),
        Step::Key(keys) => {
            let fields = keys.iter().map(|(name, value)| KeyField {
                name: arena.alloc_str(name),
                value: Value::Int(*value),
            });
            Element::Key(arena.alloc_slice_fill_iter(fields.collect::<Vec<_>>()))
        }
        Step::Value(text) => Element::Value(Value::Str(arena.alloc_str(text))),
        Step::Index(index) => Element::Index(*index),
    }
}

fn is_below(path: &[Step], model: &Model) -> bool {
    (1..=path.len()).any(|length| model.contains(&path[..length]))
}

proptest! {
    #[test]
    fn operations_are_those_of_plain_sets_of_paths(left in model(), right in model()) {
        let arena = Arena::new();
        let (a, b) = (set(&arena, &left), set(&arena, &right));
        let of = |paths: Model| set(&arena, &paths);
        prop_assert_eq!(a.union(&arena, b), of(left.union(&right).cloned().collect()));
        prop_assert_eq!(a.intersection(&arena, b), of(left.intersection(&right).cloned().collect()));
        prop_assert_eq!(a.difference(&arena, b), of(left.difference(&right).cloned().collect()));
        let kept = left.iter().filter(|path| !is_below(path, &right)).cloned().collect();
        prop_assert_eq!(a.recursive_difference(&arena, b), of(kept));
        let passes = |path: &Vec<Step>| left.iter().any(|other| other.len() > path.len() && other.starts_with(path));
        let leaves = left.iter().filter(|path| !passes(path)).cloned().collect();
        prop_assert_eq!(a.leaves(&arena), of(leaves));
        prop_assert_eq!(a.is_subset(b), left.is_subset(&right));
        prop_assert_eq!(a.len(), left.len());
        prop_assert_eq!(a == b, left == right);
    }

    #[test]
    fn laws_of_sets_hold(left in model(), right in model()) {
        let arena = Arena::new();
        let (a, b) = (set(&arena, &left), set(&arena, &right));
        prop_assert_eq!(a.union(&arena, b), b.union(&arena, a));
        prop_assert_eq!(a.intersection(&arena, b), b.intersection(&arena, a));
        prop_assert_eq!(a.difference(&arena, b).union(&arena, a.intersection(&arena, b)), a);
        prop_assert_eq!(a.union(&arena, a), a);
        prop_assert!(a.difference(&arena, a).is_empty());
        prop_assert!(a.intersection(&arena, b).is_subset(a));
    }

    #[test]
    fn what_is_written_reads_back(model in model()) {
        let arena = Arena::new();
        let fields = set(&arena, &model);
        let text = to_string(fields.encode(&arena));
        let read = parse_str(&arena, arena.alloc_str(&text)).expect("it was just written");
        let again = FieldSet::decode(&arena, read).expect("it was just written");
        prop_assert_eq!(again, fields);
        prop_assert_eq!(to_string(again.encode(&arena)), text);
        for path in &model {
            let path: Vec<Element<'_>> = path.iter().map(|step| element(&arena, step)).collect();
            prop_assert!(again.has(&path));
        }
    }
}

const SCHEMA: &str = r"
type: object
properties:
  spec:
    type: object
    properties:
      num: {type: integer}
      tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
      words: {type: object, additionalProperties: {type: string}}
      whole: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
      args: {type: array, items: {type: string}}
      box: {type: object, properties: {a: {type: string}, b: {type: string}}}
      free: {type: object, x-kubernetes-preserve-unknown-fields: true}
      ports:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [port, protocol]
        items:
          type: object
          properties:
            port: {type: integer}
            protocol: {type: string, default: TCP}
            name: {type: string}
";

fn word() -> impl Strategy<Value = String> {
    "[rst]"
}

fn port() -> impl Strategy<Value = String> {
    let protocol = prop::option::of(prop_oneof![Just("TCP"), Just("UDP")]);
    (0..3i64, protocol, prop::option::of(word())).prop_map(|(port, protocol, name)| {
        let protocol = protocol.map_or_else(String::new, |protocol| format!(", protocol: {protocol}"));
        let name = name.map_or_else(String::new, |name| format!(", name: {name}"));
        format!("{{port: {port}{protocol}{name}}}")
    })
}

/// Members of a spec that may be left out.
fn spec() -> impl Strategy<Value = String> {
    let list = |item: BoxedStrategy<String>| {
        prop::collection::btree_set(item, 0..3)
            .prop_map(|items| format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", ")))
    };
    let map = || {
        prop::collection::btree_map("[ab]", word(), 0..3).prop_map(|entries| {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{key}: {value}"))
                .collect();
            format!("{{{}}}", entries.join(", "))
        })
    };
    let member = prop_oneof![
        (0..3i64).prop_map(|num| format!("num: {num}")),
        list(word().boxed()).prop_map(|tags| format!("tags: {tags}")),
        map().prop_map(|words| format!("words: {words}")),
        map().prop_map(|whole| format!("whole: {whole}")),
        list(word().boxed()).prop_map(|args| format!("args: {args}")),
        map().prop_map(|inner| format!("box: {inner}")),
        map().prop_map(|free| format!("free: {free}")),
        list(port().boxed()).prop_map(|ports| format!("ports: {ports}")),
    ];
    prop::collection::vec(member, 0..5).prop_map(|members| {
        let mut names = BTreeSet::new();
        let first = members
            .into_iter()
            .filter(|member| names.insert(member.split(':').next().unwrap_or_default().to_owned()));
        format!("{{spec: {{{}}}}}", first.collect::<Vec<_>>().join(", "))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn applying_twice_is_applying_once(before in spec(), config in spec(), again in spec()) {
        let mut server = Server::new(SCHEMA);
        server.update("old", &before);
        for (manager, config) in [("aa", &config), ("bb", &again), ("aa", &config)] {
            if server.apply(manager, config, true).is_ok() {
                let once = server.stored.clone();
                server.apply(manager, config, true).expect("it was applied before");
                prop_assert_eq!(&server.stored, &once);
            }
        }
    }

    #[test]
    fn managers_of_other_fields_do_not_disturb_each_other(words in "[rst]", num in 0..3i64, tag in "[rst]") {
        let first = format!("{{spec: {{num: {num}, tags: [{tag}], box: {{a: {words}}}, ports: [{{port: 1}}]}}}}");
        let second = format!("{{spec: {{words: {{a: {words}}}, tags: [q], box: {{b: {words}}}, ports: [{{port: 2}}]}}}}");
        let run = |order: [(&str, &String); 2]| {
            let mut server = Server::new(SCHEMA);
            for (manager, config) in order {
                server.apply(manager, config, false).expect("nobody else owns it");
            }
            server
        };
        let (one, other) = (run([("aa", &first), ("bb", &second)]), run([("bb", &second), ("aa", &first)]));
        prop_assert_eq!(one.owned("aa"), other.owned("aa"));
        prop_assert_eq!(one.owned("bb"), other.owned("bb"));
        for path in [&["spec", "num"][..], &["spec", "words"], &["spec", "box", "a"], &["spec", "box", "b"]] {
            prop_assert_eq!(one.get(path), other.get(path));
        }
    }

    #[test]
    fn what_nobody_applies_any_more_is_gone(config in spec()) {
        let mut server = Server::new(SCHEMA);
        prop_assume!(server.apply("aa", &config, false).is_ok());
        server.apply("aa", "{metadata: {}}", false).expect("an empty configuration fits");
        prop_assert_eq!(server.owned("aa"), "");
        let arena = Arena::new();
        let topology = &server.versions.topology;
        let left = parse_str(&arena, &server.stored).expect("it was stored").get("spec").map_or_else(
            || rig::object(&arena, "{}"),
            |spec| {
                let mut object = rig::object(&arena, "{}");
                object.set(&arena, &["spec"], spec);
                object
            },
        );
        let spec = Element::Field("spec");
        let applied = topology.field_set(&arena, rig::object(&arena, &config)).below(&spec);
        let left = topology.field_set(&arena, left).below(&spec);
        prop_assert!(applied.intersection(&arena, left).is_empty(), "{:?}", left);
    }

    #[test]
    fn a_comparison_leads_from_old_to_new(old in spec(), new in spec()) {
        let arena = Arena::new();
        let topology = rig::topology(SCHEMA);
        let (old, new) = (rig::object(&arena, &old), rig::object(&arena, &new));
        prop_assume!(topology.validate(old, Duplicates::Refused).is_ok());
        prop_assume!(topology.validate(new, Duplicates::Refused).is_ok());
        let forth = topology.compare(&arena, old, new);
        let back = topology.compare(&arena, new, old);
        prop_assert_eq!(forth.added, back.removed);
        prop_assert_eq!(forth.removed, back.added);
        prop_assert_eq!(forth.modified, back.modified);
        let same = topology.compare(&arena, old, old.copy_in(&arena));
        prop_assert!(same.added.is_empty() && same.removed.is_empty() && same.modified.is_empty());
        let merged = topology.merge(&arena, old, new);
        let rest = topology.compare(&arena, merged, new);
        prop_assert!(rest.added.is_empty() && rest.modified.is_empty(), "{:?}", rest);
    }
}
