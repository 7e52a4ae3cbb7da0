//! KEP-1929 about null, zero and the defaults of types.

use kindsmith_checks::Profile;
use kindsmith_json::{Arena, to_string};
use kindsmith_testkit::json;

use super::{errors, plan};

const SOURCE: &str = r#"
// +default="apple"
type Fruit string

type T struct {
	// +default="x"
	Text string `json:"text,omitempty"`
	Fruit Fruit `json:"fruit,omitempty"`
	Pointer *Fruit `json:"pointer,omitempty"`
	Deep [][]Fruit `json:"deep,omitempty"`
	Map map[string][]Fruit `json:"map,omitempty"`
	Plain []string `json:"plain,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Nothing *string `json:"nothing,omitempty"`
	// +nullable
	Nullable *string `json:"nullable,omitempty"`
	Count int32 `json:"count,omitempty"`
}"#;

fn filled(object: &str) -> String {
    let plan = plan(SOURCE, "T", Profile::Kep);
    let arena = Arena::new();
    to_string(plan.encoded(&arena, plan.default(&arena, json(&arena, object))))
}

/// Every object also gets the defaults of `text`, `fruit` and `pointer`.
fn check(object: &str, expected: &str) {
    let arena = Arena::new();
    let mut expected = json(&arena, expected);
    for (key, value) in [("text", "x"), ("fruit", "apple"), ("pointer", "apple")] {
        if expected.get(key).is_none() {
            expected.set(&arena, &[key], kindsmith_json::Value::Str(value));
        }
    }
    assert_eq!(json(&arena, &filled(object)), expected, "{object}");
}

#[test]
fn null_members_get_their_default_or_go() {
    check(r#"{"text": null, "fruit": null}"#, "{}");
    check(r#"{"nothing": null, "count": null, "plain": null}"#, "{}");
    check(
        r#"{"labels": {"a": null, "b": "c"}}"#,
        r#"{"labels": {"b": "c"}}"#,
    );
    check(r#"{"nullable": null}"#, r#"{"nullable": null}"#);
}

#[test]
fn zeros_of_values_are_filled_and_those_of_pointers_lists_and_maps_stay() {
    check(r#"{"text": "", "fruit": ""}"#, "{}");
    check(r#"{"deep": [["", "b"]]}"#, r#"{"deep": [["apple", "b"]]}"#);
    check(r#"{"map": {"k": [""]}}"#, r#"{"map": {"k": ["apple"]}}"#);
    let zeros = r#"{"pointer": "", "plain": [], "labels": {}, "deep": [], "count": 0, "nothing": ""}"#;
    check(zeros, zeros);
}

#[test]
fn defaults_of_types_reach_any_depth() {
    check(
        r#"{"deep": [[null, "b"], []], "map": {"k": [null]}}"#,
        r#"{"deep": [["apple", "b"], []], "map": {"k": ["apple"]}}"#,
    );
}

#[test]
fn null_items_without_a_default_are_errors() {
    check(r#"{"plain": ["a", null]}"#, r#"{"plain": ["a", null]}"#);
    let plan = plan(SOURCE, "T", Profile::Kep);
    let (bad, worse) = (
        r#"{"plain": ["a", null]}"#,
        r#"{"plain": ["a", null], "count": 1}"#,
    );
    let told = r#"plain[1]: Invalid value: "null": plain[1] in body must be of type string: "null""#;
    assert_eq!(errors(&plan, bad, None), [told]);
    assert_eq!(errors(&plan, worse, Some(bad)), Vec::<String>::new(), "unchanged");
    let upstream = super::plan(SOURCE, "T", Profile::Upstream);
    assert_eq!(errors(&upstream, bad, None), Vec::<String>::new());
}

#[test]
fn the_switch_turns_defaults_of_tags_off() {
    for profile in [Profile::Kep, Profile::Upstream] {
        let (plan, arena) = (super::plan(SOURCE, "T", profile), Arena::new());
        let filled = |declarative| {
            let how = kindsmith_engine::Defaulting {
                declarative,
                ..kindsmith_engine::Defaulting::default()
            };
            let object = json(&arena, "{}");
            let filled = plan.default_traced(&arena, object, &how, &mut kindsmith_object::NoTrace);
            filled.text("text")
        };
        assert_eq!((filled(true), filled(false)), ("x", ""), "{profile:?}");
    }
}
