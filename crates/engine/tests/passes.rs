//! Hand-written functions, the switch for declarative defaults, and the trace.

use kindsmith_engine::{Change, CompileOptions, Defaulting, Hooks, Plan};
use kindsmith_json::{Arena, Value, to_string};
use kindsmith_object::Event;
use kindsmith_schema::{TypeId, TypeName};
use kindsmith_testkit::{GoPackages, json};

const TYPES: &str = r#"package p

type Batch struct {
	// +default="marker"
	Style string `json:"style,omitempty"`
	// +k8s:maxLength=3
	Yeast string `json:"yeast,omitempty"`
	Mash Mash `json:"mash"`
}

type Mash struct {
	// +default=60
	Degrees int32 `json:"degrees,omitempty"`
	// +k8s:optional
	// +k8s:minimum=1
	Minutes int32 `json:"minutes,omitempty"`
}
"#;

/// Plays `SetDefaults_Batch` and `SetDefaults_Mash`.
struct Brewer {
    batch: TypeId,
}

impl Hooks for Brewer {
    fn default<'a>(&self, ty: TypeId, arena: &'a Arena, value: Value<'a>) -> Value<'a> {
        let mut object = value.as_object().unwrap_or_default();
        if ty == self.batch {
            object.insert(arena, "style", "function".into());
        } else if object.get("degrees").is_none() {
            object.insert(arena, "minutes", 90.into());
        }
        Value::Object(object)
    }
}

fn plan() -> (Plan, Brewer) {
    let packages = GoPackages::default().module("example.org/p", "p");
    let schema = packages.file("p/types.go", TYPES).read("p").schema;
    let find = |name: &str| {
        schema
            .find(&TypeName::new("example.org/p", name))
            .expect("a type")
    };
    let (batch, mash) = (find("Batch"), find("Mash"));
    let options = CompileOptions {
        hooked: vec![batch, mash],
        ..CompileOptions::default()
    };
    (Plan::compile_with(&schema, batch, &options), Brewer { batch })
}

fn fill(object: &str, declarative: bool) -> String {
    let (plan, brewer) = plan();
    let arena = Arena::new();
    let how = Defaulting {
        hooks: &brewer,
        declarative,
    };
    let filled = plan.default_traced(&arena, json(&arena, object), &how, &mut kindsmith_object::NoTrace);
    to_string(filled)
}

#[test]
fn hand_written_functions_run_before_the_defaults_of_fields() {
    assert_eq!(
        fill("{}", true),
        r#"{"style":"function","mash":{"minutes":90,"degrees":60}}"#
    );
    assert_eq!(
        fill(r#"{"mash": {"degrees": 5}}"#, true),
        r#"{"mash":{"degrees":5},"style":"function"}"#
    );
}

#[test]
fn the_switch_leaves_hand_written_functions_on() {
    assert_eq!(fill("{}", false), r#"{"style":"function","mash":{"minutes":90}}"#);
}

#[test]
fn a_trace_reports_each_step_and_its_reason() {
    let (plan, _) = plan();
    let arena = Arena::new();
    let mut told = Vec::new();
    let mut note = |event: Event<'_>| {
        told.push(match event {
            Event::Defaulted { path, source, value } => {
                format!("{path} = {value:?}, from a tag: {}", source.is_some())
            }
            Event::Pruned { path } => format!("{path} dropped"),
            Event::Unchanged { path } => format!("{path} unchanged"),
            Event::Stopped { path, .. } => format!("{path} unset"),
            Event::Failed { error } => format!("{error}"),
            other => format!("{other:?}"),
        });
    };
    let object = json(&arena, r#"{"yeast": "lager", "hops": 1, "mash": {"degrees": 7}}"#);
    let object = plan.prune_traced(&arena, object, &mut note);
    let object = plan.default_traced(&arena, object, &Defaulting::default(), &mut note);
    let errors = plan.validate_traced(&Change::create(object), &mut note);
    assert_eq!(errors.len(), 1);
    assert!(errors[0].rule.is_some(), "the rule that failed is known");
    let old = json(&arena, r#"{"yeast": "lager", "mash": {"degrees": 8}}"#);
    assert_eq!(plan.validate_traced(&Change::update(object, old), &mut note), []);
    let expected = [
        "hops dropped",
        "style = \"marker\", from a tag: true",
        "yeast: Too long: may not be more than 3 characters",
        "mash.minutes unset",
        "yeast unchanged",
        "mash.minutes unchanged",
    ];
    assert_eq!(told, expected);
}
