//! The library as users see it: kinds from text, reviews of writes, problems as data.

use kindsmith::{AdmitError, Arena, Kinds, Review, Steps, WarningReason, Write, bridge};
use serde::Serialize;
use serde_json::{Value, json};

const GATE: &str = include_str!("../../../fixtures/gate/crd.yaml");

fn gate(spec: &Value) -> Value {
    json!({
        "apiVersion": "park.example.org/v1",
        "kind": "Gate",
        "metadata": {"name": "north"},
        "spec": spec,
    })
}

fn kinds() -> Kinds {
    Kinds::from_crds(GATE).expect("the CRD is valid")
}

fn texts<T: ToString>(items: &[T]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn check(review: &Review, errors: &[&str], defaulted: &[&str], pruned: &[&str]) {
    assert_eq!(texts(&review.errors), errors);
    let filled: Vec<String> = review
        .defaulted
        .iter()
        .map(|defaulted| format!("{}={}", defaulted.path, defaulted.value))
        .collect();
    assert_eq!(filled, defaulted);
    assert_eq!(texts(&review.pruned), pruned);
    assert_eq!(review.is_allowed(), review.object.is_some());
}

#[test]
fn a_new_object_is_defaulted_and_pruned() {
    let review = kinds()
        .admit(&gate(&json!({"name": "North", "color": "green"})))
        .expect("a known kind");
    check(&review, &[], &["spec.width=120"], &["spec.color"]);
    assert_eq!(texts(&review.warnings), ["unknown field \"spec.color\""]);
    assert_eq!(review.warnings[0].reason, WarningReason::UnknownField);
    let object = review.object.expect("it is allowed");
    assert_eq!(
        object,
        gate(&json!({"name": "North", "width": 120})),
        "no uid, no clock, no namespace"
    );
}

#[test]
fn an_invalid_object_is_rejected_in_the_servers_words() {
    let review = kinds()
        .admit(&gate(
            &json!({"name": "North", "width": 10, "hours": [{"day": "Mon", "from": 9, "to": 7}]}),
        ))
        .expect("a known kind");
    check(
        &review,
        &[
            "spec.width: Invalid value: 10: spec.width in body should be greater than or equal to 60",
            "spec.hours[0]: Invalid value: a gate opens before it closes",
        ],
        &[],
        &[],
    );
}

#[test]
fn an_update_runs_transition_rules_only_on_changed_fields() {
    let old = gate(&json!({"name": "a name that is longer than the schema allows now", "width": 90}));
    let mut new = old.clone();
    new["spec"]["tags"] = json!({"color": "green"});
    check(
        &kinds().admit_update(&old, &new).expect("a known kind"),
        &[],
        &[],
        &[],
    );
    new["spec"]["width"] = 91.into();
    let review = kinds().admit_update(&old, &new).expect("a known kind");
    check(
        &review,
        &["spec.width: Invalid value: 91: a gate keeps its width"],
        &[],
        &[],
    );
}

#[test]
fn a_status_write_changes_nothing_but_the_status() {
    let old = gate(&json!({"name": "North", "width": 90}));
    let mut new = old.clone();
    new["spec"]["width"] = 100.into();
    new["status"] = json!({"open": true});
    let review = kinds()
        .admit_subresource("status", &old, &new)
        .expect("a known kind");
    let object = review.object.expect("it is allowed");
    assert_eq!(object["spec"]["width"], 90);
    assert_eq!(object["status"]["open"], true);
}

#[test]
fn a_bad_crd_is_a_list_of_problems() {
    let error = Kinds::from_crds(&GATE.replace("plural: gates", "plural: Gates")).expect_err("it is invalid");
    assert!(!error.problems.is_empty());
    assert_eq!(error.problems[0].origin, "gates.park.example.org");
    assert!(error.to_string().contains("spec.names.plural"), "{error}");
    let none = Kinds::from_crds("kind: ConfigMap").expect_err("it has no CRD");
    assert_eq!(none.to_string(), "no CustomResourceDefinition in the text");
}

#[test]
fn an_unknown_kind_is_an_error_not_a_pass() {
    let error = kinds()
        .admit(&json!({"apiVersion": "v1", "kind": "Nothing"}))
        .expect_err("it is unknown");
    assert_eq!(error.to_string(), "no schema for v1 Nothing");
    assert!(matches!(error, AdmitError::UnknownKind { .. }));
}

#[test]
fn a_crd_is_reviewed_as_the_server_reviews_crds() {
    let arena = Arena::new();
    let crd = kindsmith_json::yaml::parse(&arena, GATE.as_bytes()).expect("YAML");
    let kinds = Kinds::default();
    let review = kinds
        .review(&arena, &Write::create(crd))
        .expect("CRDs are always known");
    assert!(review.is_allowed());
}

const TYPES: &str = r#"package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
type Bed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +k8s:required
	// +k8s:maxLength=5
	Name string `json:"name"`
	// +default=3
	Rows int32 `json:"rows,omitempty"`
}
"#;

#[test]
fn go_types_answer_like_crds() {
    let kinds = Kinds::from_go([("types.go", TYPES)]).expect("the types are valid");
    let bed = json!({"apiVersion": "v1", "kind": "Bed", "name": "too long", "depth": 1});
    let review = kinds.admit(&bed).expect("a known kind");
    assert_eq!(
        texts(&review.errors),
        ["name: Too long: may not be more than 5 characters"]
    );
    assert_eq!(texts(&review.warnings), ["unknown field \"depth\""]);
    assert_eq!(review.defaulted[0].path.to_string(), "rows");
}

#[test]
fn a_mistake_in_go_types_has_its_place() {
    let error =
        Kinds::from_go([("types.go", "package v1\n\ntype Bed struct {")]).expect_err("it does not end");
    assert!(error.problems[0].origin.starts_with("types.go:"), "{error}");
}

#[test]
fn a_trace_says_what_was_done() {
    let arena = Arena::new();
    let kinds = kinds();
    let object = bridge::to_value(&arena, &gate(&json!({"name": "North"}))).expect("JSON");
    let write = Write {
        is_traced: true,
        ..Write::create(object)
    };
    let review = kinds.review(&arena, &write).expect("a known kind");
    assert_eq!(review.trace.len(), 1);
    assert_eq!(review.trace[0].path.to_string(), "spec.width");
}

#[test]
fn a_schema_can_be_tried_without_metadata() {
    let arena = Arena::new();
    let kinds = kinds();
    let object = bridge::to_value(&arena, &json!({"spec": {"name": "North"}})).expect("JSON");
    let write = Write {
        is_schema_only: true,
        steps: Steps::PRUNE.with(Steps::DEFAULT).with(Steps::VALIDATE),
        ..Write::create(object)
    };
    let review = kinds
        .review_as("park.example.org/v1", "Gate", &arena, &write)
        .expect("a known kind");
    assert!(review.is_allowed());
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Typed {
    api_version: &'static str,
    kind: &'static str,
    metadata: std::collections::BTreeMap<&'static str, &'static str>,
    spec: Spec,
}

#[derive(Serialize)]
struct Spec {
    name: Option<String>,
    hours: Vec<(u8, char)>,
    width: u64,
    mode: Mode,
}

#[derive(Serialize)]
enum Mode {
    Plain,
    Named(f32),
    Full { on: bool },
}

#[test]
fn anything_serde_can_write_becomes_the_same_json() {
    for mode in [Mode::Plain, Mode::Named(1.5), Mode::Full { on: true }] {
        let typed = Typed {
            api_version: "park.example.org/v1",
            kind: "Gate",
            metadata: [("name", "north")].into(),
            spec: Spec {
                name: None,
                hours: vec![(1, 'ä')],
                width: u64::MAX,
                mode,
            },
        };
        let arena = Arena::new();
        let ours = bridge::to_value(&arena, &typed).expect("JSON");
        assert_eq!(bridge::to_json(ours), serde_json::to_value(&typed).expect("JSON"));
    }
}

#[test]
fn values_nested_too_deep_are_an_error() {
    let mut deep = json!(1);
    for _ in 0..600 {
        deep = json!([deep]);
    }
    let error = kinds().admit(&deep).expect_err("it is too deep");
    assert_eq!(
        error.to_string(),
        "the object is not JSON: values are nested deeper than 512 levels"
    );
}

#[test]
fn the_old_object_gets_its_defaults() {
    let types = "package v1\n\ntype Bed struct {\n\tKind string `json:\"kind\"`\n\t// +k8s:optional\n\t// +default=3\n\t// +k8s:immutable\n\
                 \tRows *int32 `json:\"rows,omitempty\"`\n}\n";
    let kinds = Kinds::from_go([("types.go", types)]).expect("the types are valid");
    let (old, new) = (json!({"kind": "Bed"}), json!({"kind": "Bed", "rows": 3}));
    let review = kinds.admit_update(&old, &new).expect("a known kind");
    assert_eq!(
        texts(&review.errors),
        Vec::<String>::new(),
        "stored without, read with its default"
    );
    let changed = json!({"kind": "Bed", "rows": 4});
    let review = kinds.admit_update(&old, &changed).expect("a known kind");
    assert_eq!(review.errors.len(), 1);
}
