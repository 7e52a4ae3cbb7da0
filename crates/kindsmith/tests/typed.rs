//! Values of Rust types: the code of the types and the engine agree.

use std::collections::{BTreeMap, BTreeSet};

use kindsmith::Validate;
use kindsmith::rust::typed::{Before, tell};
use kindsmith::rust::{Checked, Schema as _};
use kindsmith_derive::{Resource, Schema};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// A garden with most of what attributes can say.
#[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[k8s(group = "park.example.org", version = "v1", kind = "Garden")]
#[k8s(rule(
    "self.width < 300 || has(self.keeper)",
    message = "a wide garden has a keeper"
))]
#[k8s(rule(
    "!has(self.rows) || self.rows >= oldSelf.rows",
    message = "rows are never fewer"
))]
#[k8s(rule("self.hours.all(h, h.from < h.to)", message = "it opens before it closes"))]
#[k8s(rule(
    "self.zones.exists(z, z == 'a') || size(self.zones) + 1 < 4",
    message = "zones"
))]
#[k8s(rule(
    "self.name.startsWith('g') ? self.big : true",
    message = "a garden with g is big"
))]
#[k8s(rule("!(self.name in ['gg', 'hh'])", message_expression = "'not ' + self.name"))]
#[k8s(rule("!has(self.tags) || !('x' in self.tags) || self.tags.x != 'b'", message = "x"))]
#[k8s(rule("!has(self.code) || self.code.matches('^1*2*$')", message = "first 1, then 2"))]
#[serde(rename_all = "camelCase")]
struct GardenSpec {
    #[k8s(required, format = "k8s-short-name")]
    name: String,
    big: bool,
    #[k8s(minimum = 60, maximum = 400, immutable, default = 120)]
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<i32>,
    #[k8s(max_length = 3, default = "ann")]
    keeper: Option<String>,
    /// A type of its own, with a rule more.
    #[k8s(min_length = 2)]
    sign: Sign,
    rows: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[k8s(list_type = "map", list_map_key = "day", max_items = 3)]
    hours: Vec<Hours>,
    #[k8s(max_properties = 2, each_val(max_length = 3))]
    tags: Option<BTreeMap<String, String>>,
    #[k8s(list_type = "set", max_items = 4, each_val(max_length = 8))]
    zones: Vec<String>,
    colors: BTreeSet<Color>,
    lock: Lock,
    water: Option<Water>,
    #[k8s(minimum = 0.5, maximum = 2.5)]
    ratio: Option<f64>,
    #[k8s(max_length = 2, pattern = "^[0-9]{2}$")]
    code: Option<String>,
    #[k8s(default = "Red")]
    color: Option<Color>,
    #[k8s(multiple_of = 3)]
    plants: u8,
    #[k8s(default = {"day": "Sat", "from": 8, "to": 20})]
    best: Option<Box<Hours>>,
    #[k8s(max_items = 2)]
    names: Option<Names>,
    /// Only the engine knows this rule.
    #[k8s(rule("self.lowerAscii() == self", message = "no capitals"))]
    motto: Option<String>,
    #[serde(flatten)]
    owner: Owner,
}

#[derive(Schema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[k8s(max_length = 4)]
struct Sign(String);

#[derive(Schema, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Names(Vec<Sign>);

#[derive(Schema, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Owner {
    #[k8s(minimum = 1)]
    owner: Option<i64>,
}

#[derive(Schema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[k8s(rule("self.from != 5"))]
struct Hours {
    day: Day,
    #[k8s(default = 8)]
    from: Option<i32>,
    #[k8s(default = 20, maximum = 24)]
    to: Option<i32>,
}

#[derive(Schema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
enum Day {
    #[serde(rename = "Mo")]
    Mon,
    Sat,
    Sun,
}

#[derive(Schema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Color {
    Red,
    Blue,
}

#[derive(Schema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
enum Lock {
    Key(KeyLock),
    Code {
        #[k8s(minimum = 2)]
        digits: i32,
        #[k8s(default = 7)]
        tries: Option<i32>,
    },
}

#[derive(Schema, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct KeyLock {
    #[k8s(immutable)]
    copies: i32,
}

#[derive(Schema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type")]
enum Water {
    Rain,
    Hose {
        #[k8s(minimum = 1)]
        liters: i32,
    },
}

fn text(letters: &'static str, most: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop::sample::select(letters.chars().collect::<Vec<_>>()),
        0..=most,
    )
    .prop_map(|letters| letters.into_iter().collect())
}

/// Mostly the first, sometimes the second.
fn mostly<T: std::fmt::Debug>(
    right: impl Strategy<Value = T>,
    any: impl Strategy<Value = T>,
) -> impl Strategy<Value = T> {
    prop_oneof![20 => right, 1 => any]
}

fn hours() -> impl Strategy<Value = Hours> {
    (
        prop::sample::select(vec![Day::Mon, Day::Sat, Day::Sun]),
        mostly(Just(Some(4)), prop::option::of(3..8)),
        mostly(Just(Some(9)), prop::option::of(2..30)),
    )
        .prop_map(|(day, from, to)| Hours { day, from, to })
}

fn lock() -> impl Strategy<Value = Lock> {
    prop_oneof![
        (0..2).prop_map(|copies| Lock::Key(KeyLock { copies })),
        (mostly(2..4, 0..4), prop::option::of(1..9)).prop_map(|(digits, tries)| Lock::Code { digits, tries }),
    ]
}

fn water() -> impl Strategy<Value = Water> {
    prop_oneof![
        Just(Water::Rain),
        mostly(1..3, -1..3).prop_map(|liters| Water::Hose { liters }),
    ]
}

prop_compose! {
    fn first()(
        name in mostly(text("fx", 3).prop_map(|name| format!("a{name}")), text("gh-", 3)),
        big in any::<bool>(),
        width in mostly(Just(Some(100)), prop::option::of(50..420)),
        keeper in prop::option::of(mostly(Just("bob".to_owned()), text("xyß", 5))),
        sign in mostly(Just("abc".to_owned()), text("aé", 6)).prop_map(Sign),
        rows in prop::option::of(0..4_u32),
        hours in proptest::collection::vec(hours(), 0..4),
        tags in prop::option::of(mostly(
            Just(BTreeMap::from([("y".to_owned(), "ab".to_owned())])),
            proptest::collection::btree_map(text("xy", 1), text("abc", 4), 0..4),
        )),
        zones in mostly(Just(vec!["a".to_owned(), "b".to_owned()]), proptest::collection::vec(text("abc", 1), 0..5)),
    ) -> (String, bool, Option<i32>, Option<String>, Sign, Option<u32>, Vec<Hours>, Option<BTreeMap<String, String>>, Vec<String>) {
        (name, big, width, keeper, sign, rows, hours, tags, zones)
    }
}

prop_compose! {
    fn garden()(
        (name, big, width, keeper, sign, rows, hours, tags, zones) in first(),
        colors in proptest::collection::btree_set(prop::sample::select(vec![Color::Red, Color::Blue]), 0..3),
        lock in lock(),
        water in prop::option::of(water()),
        ratio in prop::option::of(mostly(Just(1.5), prop_oneof![0.0..4.0, prop::sample::select(vec![0.0, 2.0, 3.0])])),
        code in prop::option::of(mostly(Just("12".to_owned()), text("12", 3))),
        color in prop::option::of(Just(Color::Blue)),
        plants in mostly(Just(3_u8), any::<u8>()),
        best in prop::option::of(hours().prop_map(Box::new)),
        names in prop::option::of(mostly(
            Just(Names(vec![])),
            proptest::collection::vec(text("ab", 6).prop_map(Sign), 0..4).prop_map(Names),
        )),
        motto in mostly(Just(None), prop::option::of(text("aB", 2))),
        owner in prop::option::of(mostly(1..9_i64, -1..9_i64)),
    ) -> GardenSpec {
        GardenSpec {
            name, big, width, keeper, sign, rows, hours, tags, zones, colors, lock, water, ratio, code, color, plants,
            best, names, motto, owner: Owner { owner },
        }
    }
}

/// An update often keeps most of what there was.
fn update() -> impl Strategy<Value = (GardenSpec, GardenSpec)> {
    (garden(), garden(), any::<u8>()).prop_map(|(old, other, keeps)| {
        let mut new = old.clone();
        if keeps & 1 == 0 {
            new.name = other.name;
            new.big = other.big;
        }
        if keeps & 2 == 0 {
            new.hours = other.hours;
            new.zones = other.zones;
        }
        if keeps & 4 == 0 {
            new.width = other.width;
            new.rows = other.rows;
        }
        if keeps & 8 == 0 {
            new.lock = other.lock;
            new.water = other.water;
        }
        if keeps & 16 == 0 {
            new.tags = other.tags;
            new.names = other.names;
        }
        (old, new)
    })
}

fn engine() -> &'static Checked<GardenSpec> {
    static ENGINE: std::sync::OnceLock<Checked<GardenSpec>> = std::sync::OnceLock::new();
    ENGINE.get_or_init(|| Checked::new().unwrap_or_else(|error| panic!("{error}")))
}

fn told(errors: &[kindsmith::FieldError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var_os("PROPTEST_CASES").is_some() { 4096 } else { 512 }))]

    #[test]
    fn a_new_value_gets_the_errors_of_the_engine(new in garden()) {
        let expected = engine().validate(&new, None).expect("JSON");
        prop_assert_eq!(told(&new.validate(None)), told(&expected));
        // The engine is asked only for faults, and for the rule that it alone knows.
        let holds = new.holds(Before::None);
        if new.motto.is_none() {
            prop_assert_eq!(holds, expected.is_empty(), "{:?}", told(&expected));
        } else {
            prop_assert!(!holds || expected.is_empty());
        }
    }

    #[test]
    fn an_update_gets_the_errors_of_the_engine((old, new) in update()) {
        let expected = engine().validate(&new, Some(&old)).expect("JSON");
        prop_assert_eq!(told(&new.validate(Some(&old))), told(&expected));
        prop_assert!(!new.holds(Before::Some(&old)) || expected.is_empty());
    }

    #[test]
    fn defaults_are_those_of_the_engine(value in garden()) {
        let (mut by_code, mut by_engine) = (value.clone(), value);
        by_code.default();
        engine().default(&mut by_engine).expect("JSON");
        prop_assert_eq!(by_code, by_engine);
    }
}

#[test]
fn common_faults_need_no_engine() {
    let garden = GardenSpec {
        name: "A".to_owned(),
        big: false,
        width: Some(401),
        keeper: Some("four".to_owned()),
        sign: Sign("abc".to_owned()),
        rows: None,
        hours: vec![
            Hours {
                day: Day::Sat,
                from: Some(5),
                to: Some(25),
            };
            4
        ],
        tags: Some(BTreeMap::from([
            ("x".to_owned(), "b".to_owned()),
            ("y".to_owned(), "long".to_owned()),
            ("z".to_owned(), String::new()),
        ])),
        zones: vec!["b".to_owned(); 5],
        colors: BTreeSet::new(),
        lock: Lock::Code {
            digits: 1,
            tries: None,
        },
        water: Some(Water::Hose { liters: 0 }),
        ratio: Some(3.5),
        code: Some("1x".to_owned()),
        color: None,
        plants: 4,
        best: None,
        names: None,
        motto: None,
        owner: Owner { owner: None },
    };
    let mut report = tell::Report::default();
    garden.tell_values(Before::None, &tell::Name::ROOT.property("spec"), &mut report);
    garden.tell_rules(Before::None, &tell::At::root("spec"), &mut report);
    assert!(!report.is_incomplete());
    let errors = report.into_errors(|| true);
    assert_eq!(errors.len(), 18, "{:?}", told(&errors));
    assert_eq!(
        told(&errors),
        told(&engine().validate(&garden, None).expect("JSON"))
    );
}

#[derive(Schema, Serialize)]
struct Stock {
    seeds: u64,
    boxes: Vec<usize>,
}

#[test]
fn numbers_that_no_api_has_are_told() {
    let stock = Stock {
        seeds: u64::MAX,
        boxes: vec![3],
    };
    assert!(!stock.validate(None).is_empty());
    let stock = Stock {
        seeds: 3,
        boxes: vec![3],
    };
    assert!(stock.holds(Before::None));
}

/// A number in a format with a smaller range than its type, and lists in a map with a rule.
#[derive(Schema, Serialize)]
struct Slope {
    #[k8s(format = "float")]
    fall: f64,
    #[k8s(max_properties = 1)]
    steps: BTreeMap<String, Vec<Hours>>,
}

#[test]
fn the_range_of_a_format_is_kept() {
    let slope = |fall| Slope {
        fall,
        steps: BTreeMap::new(),
    };
    assert_eq!(slope(1.0e38).validate(None), []);
    assert!(!slope(1.0e39).holds(Before::None));
    let [error] = slope(1.0e39).validate(None).try_into().expect("one error");
    assert_eq!(error.origin, "numericRange");
}

#[test]
fn a_type_of_its_own_has_paths_of_its_own() {
    let hours = Hours {
        day: Day::Sun,
        from: Some(4),
        to: Some(25),
    };
    assert_eq!(
        told(&hours.validate(None)),
        ["to: Invalid value: 25: to in body should be less than or equal to 24"]
    );
}

#[derive(Resource, Serialize)]
#[k8s(group = "park.example.org", version = "v1", kind = "Bench", cluster)]
#[k8s(root_rule("self.metadata.name == 'main'", message = "there is one bench"))]
struct BenchSpec {
    #[k8s(minimum = 1)]
    seats: i32,
}

#[test]
fn a_spec_keeps_no_rules_about_whole_objects() {
    assert_eq!(BenchSpec { seats: 2 }.validate(None), []);
    assert_eq!(
        told(&BenchSpec { seats: 0 }.validate(None)),
        ["spec.seats: Invalid value: 0: spec.seats in body should be greater than or equal to 1"]
    );
}

/// A whole object, with metadata of any form.
#[derive(Resource, Serialize)]
#[k8s(group = "park.example.org", version = "v1")]
struct Swing {
    metadata: serde_json::Value,
    #[k8s(minimum = 1)]
    seats: i32,
}

#[test]
fn whole_objects_keep_the_rules_of_metadata() {
    let swing = |metadata: &serde_json::Value, seats: i32| Swing {
        metadata: metadata.clone(),
        seats,
    };
    let kinds = kindsmith::Kinds::of::<Swing>().expect("a right type");
    for metadata in [
        serde_json::json!({"name": "north"}),
        serde_json::json!({"name": "Bad_Name"}),
        serde_json::json!({}),
        serde_json::json!({"generateName": "Bad_"}),
        serde_json::json!({"name": "north", "namespace": "a.b"}),
        serde_json::json!({"name": "north", "labels": {"a b": "c d"}}),
        serde_json::json!({"name": "north", "annotations": {"-": ""}}),
        serde_json::json!({"name": "north", "finalizers": ["x y"]}),
        serde_json::json!({"name": "north", "ownerReferences": [{"apiVersion": "v1", "kind": "", "name": "a", "uid": "1"}]}),
    ] {
        for seats in [0, 2] {
            let object = serde_json::json!({
                "apiVersion": "park.example.org/v1", "kind": "Swing", "metadata": metadata, "seats": seats,
            });
            let review = kinds.admit(&object).expect("a known kind");
            let expected: Vec<String> = review.errors.iter().map(ToString::to_string).collect();
            let swing = swing(&metadata, seats);
            assert_eq!(told(&swing.validate(None)), expected, "{metadata}");
            let checked = Checked::<Swing>::new().expect("a right type");
            assert_eq!(told(&checked.validate(&swing, None).expect("JSON")), expected);
        }
    }
    let old = swing(&serde_json::json!({"name": "north", "uid": "1"}), 2);
    assert_eq!(swing(&old.metadata, 3).validate(Some(&old)), []);
    let new = swing(&serde_json::json!({"name": "south"}), 3);
    assert_eq!(
        told(&new.validate(Some(&old))),
        ["metadata.name: Invalid value: \"south\": field is immutable"]
    );
}

#[derive(Resource, Serialize)]
#[k8s(group = "park.example.org", version = "v1", kind = "Pond")]
struct PondSpec {
    #[k8s(default = "Still")]
    water: PondWater,
    #[k8s(default = 3, minimum = 1)]
    depth: i32,
}

#[derive(Schema, Serialize)]
enum PondWater {
    Still,
    Running,
}

#[test]
fn a_required_field_may_have_a_default_for_other_clients() {
    let crd = kindsmith::crd::<PondSpec>().unwrap_or_else(|error| panic!("{error}"));
    assert!(
        crd.contains("default: Still") && crd.contains("default: 3"),
        "{crd}"
    );
    let kinds = kindsmith::Kinds::of::<PondSpec>().expect("a right type");
    let pond = serde_json::json!({
        "apiVersion": "park.example.org/v1", "kind": "Pond", "metadata": {"name": "a"}, "spec": {},
    });
    let review = kinds.admit(&pond).expect("a known kind");
    assert_eq!(review.errors.len(), 0, "{:?}", review.errors);
    let stored = review.object.expect("it is stored");
    assert_eq!(stored["spec"], serde_json::json!({"depth": 3, "water": "Still"}));
    let pond = |water, depth| PondSpec { water, depth }.validate(None).len();
    assert_eq!((pond(PondWater::Running, 0), pond(PondWater::Still, 1)), (1, 0));
}
