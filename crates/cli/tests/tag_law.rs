//! The law of CRDs generated from tags: for any object, created or updated, the CRD and the Go types agree whether to
//! accept it, as Kubernetes and as the KEPs read the tags, and an error of one of our rules has the types' words.

mod fixtures;

use std::cell::Cell;

use fixtures::FIXTURES;
use kindsmith_checks as checks;
use kindsmith_engine::{Change, CompileOptions, OptionSet, Plan};
use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_go::{Profile, Read};
use kindsmith_json::read::{Options as ReadOptions, read as read_json};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, TypeName};
use kindsmith_structural::{StructuralChange, StructuralSchema};
use kindsmith_testkit::GoPackages;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value as Json, json};

/// A type in both forms.
struct Both {
    profile: checks::Profile,
    plan: Plan,
    options: OptionSet,
    schema: JsonSchema,
    structure: StructuralSchema,
}

fn read(source: &str) -> Read {
    let types = format!("package p\n\n// T is the root.\n// +k8s:validation-gen=true{source}");
    let read = |profile| {
        let packages = GoPackages::default().profile(profile);
        let packages = packages.file("p/doc.go", "// Package p is made up.\npackage p\n");
        packages.file("p/types.go", &*types).read("p")
    };
    let upstream = read(Profile::Upstream);
    // Types that only a KEP understands.
    if upstream
        .diagnostics
        .iter()
        .any(|found| found.code() == "kep-only")
    {
        read(Profile::Kep)
    } else {
        upstream
    }
}

/// Reads a source without errors.
fn clean(source: &str) -> Option<Read> {
    let read = read(source);
    let is_error =
        |finding: &kindsmith_source::Diagnostic| finding.severity == kindsmith_source::Severity::Error;
    (!read.diagnostics.iter().any(is_error)).then_some(read)
}

impl Both {
    fn new(source: &str, profile: checks::Profile) -> Self {
        let read = clean(source).unwrap_or_else(|| panic!("{source} has errors"));
        Self::of(&read, profile).unwrap_or_else(|| panic!("not all of it is enforced: {source}"))
    }

    /// Both forms; `None` if a CRD cannot say all.
    fn of(read: &Read, profile: checks::Profile) -> Option<Self> {
        let package = read
            .schema
            .types()
            .next()
            .map(|(_, ty)| ty.name.package.to_string());
        let root = read
            .schema
            .find(&TypeName::new(&*package.expect("a type"), "T"))
            .expect("T is the root");
        let switches = [("On", true), ("Off", false)];
        let mut options = OptionSet::default();
        switches.iter().for_each(|(name, on)| options.set(*name, *on));
        let generate = Options {
            tags: Tags::All,
            switches: switches
                .iter()
                .map(|(name, on)| ((*name).to_owned(), *on))
                .collect(),
            profile,
            ..Options::default()
        };
        let (schema, generated) = controller_gen::schema_of(&read.schema, root, &generate);
        assert_eq!(generated.problems, [], "it is published");
        if !generated.unenforced.is_empty() {
            return None;
        }
        let compile = CompileOptions {
            profile,
            ..CompileOptions::default()
        };
        Some(Self {
            profile,
            plan: Plan::compile_with(&read.schema, root, &compile),
            options,
            structure: StructuralSchema::compile(&schema).expect("it is structural"),
            schema,
        })
    }

    /// The types' errors for a write; empty if they accept it.
    fn declared(&self, new: Value<'_>, old: Option<Value<'_>>) -> Vec<String> {
        let mut change = match old {
            Some(old) => Change::update(new, old),
            None => Change::create(new),
        };
        change.options = Some(&self.options);
        let errors = self.plan.validate(&change);
        let enforced = errors.iter().filter(|error| error.is_enforced(true));
        enforced.map(|error| error.to_string()).collect()
    }

    /// The CRD's errors for a write; empty if it accepts it.
    fn published(&self, new: Value<'_>, old: Option<Value<'_>>) -> Vec<String> {
        let change = match old {
            Some(old) => StructuralChange::update(new, old),
            None => StructuralChange::create(new),
        };
        let errors = self.structure.validate(&change).errors;
        errors.iter().map(ToString::to_string).collect()
    }

    /// An object as it is stored.
    fn stored<'a>(&self, arena: &'a Arena, object: &Json) -> Value<'a> {
        let text = arena.alloc_str(&object.to_string());
        let read = read_json(arena, text.as_bytes(), ReadOptions::default())
            .expect("JSON")
            .value;
        let text = kindsmith_json::to_string(self.structure.default(arena, read));
        read_json(arena, arena.alloc_str(&text).as_bytes(), ReadOptions::default())
            .expect("JSON")
            .value
    }
}

/// The strings to choose from.
type Texts = &'static [&'static str];

const WORDS: Texts = &["a", "b", "ab", "abc", "A", "é"];
const ADDRESSES: Texts = &[
    "10.0.0.1",
    "010.0.0.1",
    "1.2.3",
    "::1",
    "::01",
    "2001:db8::ffff",
    "2001:DB8::ffff",
    "::ffff:1.2.3.4",
    "fe80::1%eth0",
    "a",
    "A.b",
];
const NAMES: Texts = &[
    "a",
    "a-b",
    "-a",
    "a.b",
    "a..b",
    "a.b/C_d",
    "a/b/c",
    "/a",
    "A",
    "requests.a/b",
    "kubernetes.io/a",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// Objects of a schema, valid or not. Zero values are left out, and nothing is empty.
fn objects(schema: &JsonSchema, texts: Texts) -> BoxedStrategy<Json> {
    match &*schema.ty {
        "string" if &*schema.format == "byte" => {
            select(vec!["YQ==", "YWI=", "YWJj"]).prop_map(Json::from).boxed()
        }
        "string" => select(texts).prop_map(Json::from).boxed(),
        "integer" => select(vec![-1, 1, 2, 3, 7]).prop_map(Json::from).boxed(),
        "boolean" => Just(json!(true)).boxed(),
        "array" => match schema.items.as_deref() {
            Some(Items::Each(item)) => vec(objects(item, texts), 1..4).prop_map(Json::from).boxed(),
            _ => Just(json!([])).boxed(),
        },
        _ => match schema.additional_properties.as_deref() {
            Some(SchemaOrBool::Schema(value)) => {
                let keys = select(texts).prop_map(str::to_owned);
                btree_map(keys, objects(value, texts), 1..3)
                    .prop_map(Json::from_iter)
                    .boxed()
            }
            _ => members(schema, texts),
        },
    }
}

fn members(schema: &JsonSchema, texts: Texts) -> BoxedStrategy<Json> {
    let names: Vec<String> = schema
        .properties
        .iter()
        .map(|(name, _)| name.to_string())
        .collect();
    let values: Vec<BoxedStrategy<Option<Json>>> = schema
        .properties
        .iter()
        .map(|(_, member)| {
            // Structs that are not pointers are always written.
            let is_struct = &*member.ty == "object" && member.additional_properties.is_none();
            if is_struct && member.default.is_some() {
                objects(member, texts).prop_map(Some).boxed()
            } else {
                option::of(objects(member, texts)).boxed()
            }
        })
        .collect();
    let made = values.prop_map(move |values| {
        let members = names.iter().cloned().zip(values);
        let there: Map<String, Json> = members.filter_map(|(name, value)| Some((name, value?))).collect();
        Json::Object(there)
    });
    made.boxed()
}

/// An object, and an update that changes some of its fields.
fn changes(schema: &JsonSchema, texts: Texts) -> impl Strategy<Value = (Json, Json)> {
    let picks = vec(any::<u8>(), 24);
    (objects(schema, texts), objects(schema, texts), picks).prop_map(|(old, other, picks)| {
        let new = mixed(&old, &other, &mut picks.into_iter().cycle());
        (new, old)
    })
}

/// Mostly `old`, with parts of `other`.
fn mixed(old: &Json, other: &Json, picks: &mut dyn Iterator<Item = u8>) -> Json {
    match (old, other, picks.next().unwrap_or_default() % 4) {
        (Json::Object(old), Json::Object(other), _) => {
            let names: std::collections::BTreeSet<&String> = old.keys().chain(other.keys()).collect();
            let mut made = Map::new();
            for name in names {
                let value = match (old.get(name), other.get(name)) {
                    (Some(old), Some(other)) => Some(mixed(old, other, picks)),
                    (old, other) => {
                        [old, old, old, other][usize::from(picks.next().unwrap_or_default() % 4)].cloned()
                    }
                };
                made.extend(value.map(|value| (name.clone(), value)));
            }
            Json::Object(made)
        }
        (Json::Array(old), Json::Array(other), 0 | 1) => {
            let pairs = old.iter().zip(other);
            let changed = pairs.map(|(old, other)| mixed(old, other, picks)).collect();
            Json::Array(changed)
        }
        (old, _, 0..=2) => old.clone(),
        (_, other, _) => other.clone(),
    }
}

fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        max_global_rejects: 1_000_000,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Whether types and CRD share an error's words; errors of schema keywords have the API server's.
fn is_ours(error: &str) -> bool {
    const OURS: [&str; 9] = [
        "field is immutable",
        "field cannot be",
        "item may not be",
        "may not be decreased from",
        "must specify",
        "may only be specified when",
        "must be specified when",
        "when",
        "must not be equal to",
    ];
    OURS.iter().any(|text| error.contains(text))
}

fn agree(both: &Both, new: &Json, old: Option<&Json>) -> Result<bool, TestCaseError> {
    let arena = Arena::new();
    let (new, old) = (both.stored(&arena, new), old.map(|old| both.stored(&arena, old)));
    let (declared, published) = (both.declared(new, old), both.published(new, old));
    prop_assert_eq!(
        declared.is_empty(),
        published.is_empty(),
        "types: {:?}, definition: {:?}, new: {}, old: {}",
        declared,
        published,
        kindsmith_json::to_string(new),
        old.map(kindsmith_json::to_string).unwrap_or_default()
    );
    // Types stop at some errors where CRDs go on.
    // The KEP's `immutable` has several rules in a CRD, with words of their own.
    let is_clear = published.len() == 1 && both.profile == checks::Profile::Upstream;
    for error in published.iter().filter(|error| is_clear && is_ours(error)) {
        let words = error.rsplit(": ").next().unwrap_or_default();
        prop_assert!(
            declared.iter().any(|known| known.contains(words)),
            "{} is not said by the types: {:?}",
            error,
            declared
        );
    }
    Ok(declared.is_empty())
}

fn check(name: &str) {
    check_with(name, WORDS);
}

fn check_with(name: &str, texts: Texts) {
    let (_, source) = FIXTURES
        .iter()
        .find(|(known, _)| *known == name)
        .expect("a fixture");
    for profile in [checks::Profile::Upstream, checks::Profile::Kep] {
        check_as(name, source, profile, texts);
    }
}

/// For rules that only the KEPs have.
fn check_kep(name: &str) {
    let found = FIXTURES.iter().find(|(known, _)| *known == name);
    let (_, source) = found.expect("a fixture");
    let texts = if name.contains("formats") {
        ADDRESSES
    } else {
        WORDS
    };
    check_as(name, source, checks::Profile::Kep, texts);
}

fn check_as(name: &str, source: &str, profile: checks::Profile, texts: Texts) {
    let both = Both::new(source, profile);
    let (taken, refused) = (Cell::new(0), Cell::new(0));
    let count = |is_taken: bool| {
        let counter = if is_taken { &taken } else { &refused };
        counter.set(counter.get() + 1);
    };
    let written = runner(150).run(&objects(&both.schema, texts), |object| {
        count(agree(&both, &object, None)?);
        Ok(())
    });
    let changed = runner(450).run(&changes(&both.schema, texts), |(new, old)| {
        // An object that is rejected cannot be updated.
        let arena = Arena::new();
        prop_assume!(both.published(both.stored(&arena, &old), None).is_empty());
        count(agree(&both, &new, Some(&old))?);
        Ok(())
    });
    written.unwrap_or_else(|error| panic!("{name}: {error}"));
    changed.unwrap_or_else(|error| panic!("{name}: {error}"));
    let (taken, refused) = (taken.get(), refused.get());
    assert!(
        taken > 20 && refused > 20,
        "{name}: {taken} taken, {refused} refused"
    );
}

#[test]
fn limits_agree() {
    check("limits");
}

#[test]
fn change_agree() {
    check("change");
}

#[test]
fn elements_agree() {
    check("elements");
}

#[test]
fn groups_agree() {
    check("groups");
}

#[test]
fn items_agree() {
    check("items");
}

#[test]
fn modes_agree() {
    check("modes");
}

#[test]
fn embedded_agree() {
    check("embedded");
}

#[test]
fn options_agree() {
    check("options");
}

#[test]
fn bounds_by_members_agree() {
    check("bounds by members");
}

#[test]
fn named_types_agree() {
    check("named types");
}

#[test]
fn nested_agree() {
    check("nested");
}

#[test]
fn members_of_members_agree() {
    check("members of members");
}

#[test]
fn formats_agree() {
    check_with("formats", NAMES);
}

#[test]
fn virtual_groups_agree() {
    check_kep("virtual groups");
}

#[test]
fn protected_items_agree() {
    check_kep("protected items");
}

#[test]
fn proposed_formats_agree() {
    check_kep("proposed formats");
}

#[test]
fn bounds_below_agree() {
    check_kep("bounds below");
}

#[test]
fn bounds_of_targets_agree() {
    check_kep("bounds of targets");
}
