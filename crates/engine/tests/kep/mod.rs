//! Cases where KEP-1929 and KEP-5073 differ from Kubernetes' code, or go beyond it.

mod nulls;
mod updates;

use kindsmith_checks::Profile;
use kindsmith_engine::{Change, CompileOptions, Plan};
use kindsmith_json::{Arena, Value, to_string};
use kindsmith_schema::TypeName;
use kindsmith_testkit::{GoPackages, json, recordings, text};

fn plan(source: &str, ty: &str, profile: Profile) -> Plan {
    let packages = GoPackages::default().file("p/types.go", format!("package p\n{source}"));
    compile(packages, "example.org/p", ty, profile)
}

/// Compiles a type of the package in `p`.
fn compile(packages: GoPackages, path: &str, ty: &str, profile: Profile) -> Plan {
    let packages = packages.module(path, "p").profile(kindsmith_go::Profile::Kep);
    let schema = packages.read("p").schema;
    let id = schema
        .find(&TypeName::new(path, ty))
        .unwrap_or_else(|| panic!("{path} has no type {ty}"));
    let options = CompileOptions {
        profile,
        ..CompileOptions::default()
    };
    Plan::compile_with(&schema, id, &options)
}

fn errors(plan: &Plan, new: &str, old: Option<&str>) -> Vec<String> {
    let arena = Arena::new();
    let new = json(&arena, new);
    let change = match old {
        Some(old) => Change::update(new, json(&arena, old)),
        None => Change::create(new),
    };
    plan.validate(&change).iter().map(ToString::to_string).collect()
}

/// Examples of KEP-1929 with another result than the printed one, and why (spec of defaults, section 5.3).
const NOT_AS_PRINTED: &[(&str, &str, &str)] = &[
    // The result belongs to another example.
    ("scalar", "{}", r#"{"name":"default-name","defaulted":0}"#),
    // Printed as kept here, and as filled in Go types further down, where the code for it stands, too.
    (
        "nonptr",
        r#"{"entry":{"name":"","number":0}}"#,
        r#"{"entry":{"name":"default-name","number":0}}"#,
    ),
];

#[test]
fn examples_of_kep_1929_get_the_printed_defaults() {
    let mut count = 0;
    for line in text(&recordings("gen/kep/cases.jsonl")).lines() {
        let arena = Arena::new();
        let case = json(&arena, line);
        let example = case.get("example").and_then(Value::as_str).expect("a name");
        let given = case.get("in").expect("an object");
        // The structural engine shows what is printed for CRDs alone.
        if case.get("kepSaysFor").and_then(Value::as_str) == Some("crd") {
            continue;
        }
        let root = if matches!(example, "nonptr" | "pointer") {
            "Rack"
        } else {
            "Order"
        };
        let packages = GoPackages::default().tree(&recordings("gen/types/kep1929").join(example), "p");
        let plan = compile(packages, "example.org/gen/kep1929", root, Profile::Kep);
        // Some examples name fields their type does not have.
        let filled = plan.default(&arena, plan.prune(&arena, given));
        let text = to_string(given);
        let ours = NOT_AS_PRINTED
            .iter()
            .find(|(of, object, _)| (*of, *object) == (example, &text));
        let expected = match ours {
            Some((_, _, filled)) => json(&arena, filled),
            None => case.get("kep").expect("an answer"),
        };
        assert_eq!(filled, expected, "{example} {given:?}");
        count += 1;
    }
    assert!(count > 15, "only {count} examples");
}

/// One row of the KEP's tables: tags, and whether an update may set, modify or unset the value.
fn transitions(tags: &str, set: bool, modify: bool, unset: bool) {
    let tags: String = tags.lines().map(|tag| format!("// {}\n", tag.trim())).collect();
    for (ty, none) in [("*string", "{}"), ("string", "{}"), ("string", r#"{"f": ""}"#)] {
        let plan = plan(
            &format!("type T struct {{\n{tags} F {ty} `json:\"f,omitempty\"`\n}}"),
            "T",
            Profile::Kep,
        );
        transition(&plan, &tags, none, [set, modify, unset]);
    }
}

/// `none` is an object in which the value is not set: nil, or zero if there is no pointer to it.
fn transition(plan: &Plan, tags: &str, none: &str, [set, modify, unset]: [bool; 3]) {
    for (what, old, new, allowed) in [
        ("set", none, r#"{"f": "a"}"#, set),
        ("modify", r#"{"f": "a"}"#, r#"{"f": "b"}"#, modify),
        ("unset", r#"{"f": "a"}"#, none, unset),
    ] {
        let found = errors(plan, new, Some(old));
        assert_eq!(found.is_empty(), allowed, "{tags}{what}: {found:?}");
        assert_eq!(errors(plan, new, Some(new)).len(), 0, "{tags}{what}: unchanged");
    }
}

#[test]
fn immutability_patterns_of_single_values() {
    transitions("+k8s:optional", true, true, true);
    // A required value cannot be absent in the old object, so allowing to set it is harmless.
    transitions("+k8s:required", true, true, false);
    transitions("+k8s:forbidden", false, false, true);
    transitions("+k8s:required\n+k8s:update=NoModify,NoClear", true, false, false);
    transitions("+k8s:required\n+k8s:immutable", true, false, false);
    transitions("+k8s:optional\n+k8s:update=NoModify,NoClear", true, false, false);
    transitions("+k8s:optional\n+k8s:immutable", true, false, false);
    transitions(
        "+k8s:optional\n+default=\"x\"\n+k8s:update=NoModify,NoClear",
        true,
        false,
        false,
    );
    transitions("+k8s:optional\n+k8s:update=NoClear", true, true, false);
    transitions(
        "+k8s:optional\n+default=\"x\"\n+k8s:update=NoClear",
        true,
        true,
        false,
    );
}

/// One row of the KEP's table for lists: whether an update may set the list, and add, remove or modify an
/// item.
fn list_transitions(tags: &str, set: bool, add: bool, remove: bool, modify: bool) {
    let tags: String = tags.lines().map(|tag| format!("// {}\n", tag.trim())).collect();
    let source = format!(
        "type T struct {{\n// +k8s:listType=map\n// +k8s:listMapKey=k\n{tags} F []I `json:\"f,omitempty\"`\n}}\n\
         type I struct {{\n K string `json:\"k\"`\n V string `json:\"v,omitempty\"`\n}}"
    );
    let plan = plan(&source, "T", Profile::Kep);
    let two = r#"{"f": [{"k": "a"}, {"k": "b"}]}"#;
    for (what, old, new, allowed) in [
        ("set", "{}", two, set),
        ("add", r#"{"f": [{"k": "a"}]}"#, two, add),
        ("remove", two, r#"{"f": [{"k": "a"}]}"#, remove),
        (
            "modify",
            two,
            r#"{"f": [{"k": "a", "v": "x"}, {"k": "b"}]}"#,
            modify,
        ),
    ] {
        let found = errors(&plan, new, Some(old));
        assert_eq!(found.is_empty(), allowed, "{tags}{what}: {found:?}");
    }
    let found = errors(&plan, r#"{"f": [{"k": "b"}, {"k": "a"}]}"#, Some(two));
    assert_eq!(found, Vec::<String>::new(), "{tags}order does not matter");
}

#[test]
fn immutability_patterns_of_lists() {
    list_transitions("+k8s:optional", true, true, true, true);
    list_transitions("+k8s:required", true, true, true, true);
    list_transitions("+k8s:required\n+k8s:immutable", true, false, false, false);
    list_transitions("+k8s:optional\n+k8s:immutable", true, false, false, false);
    list_transitions("+k8s:optional\n+k8s:update=NoRemoveItem", true, true, false, true);
    list_transitions(
        "+k8s:item(k: \"a\")=+k8s:update=NoModify,NoRemoveItem",
        true,
        true,
        true,
        false,
    );
    list_transitions(
        "+k8s:item(k: \"b\")=+k8s:update=NoRemoveItem",
        true,
        true,
        false,
        true,
    );
    list_transitions("+k8s:item(k: \"b\")=+k8s:update=NoSet", false, false, true, true);
}

#[test]
fn upstream_rejects_any_change_of_an_immutable_field() {
    let source = "type T struct {\n// +k8s:optional\n// +k8s:immutable\n F *string `json:\"f,omitempty\"`\n}";
    let plan = plan(source, "T", Profile::Upstream);
    for (old, new) in [
        ("{}", r#"{"f": "a"}"#),
        (r#"{"f": "a"}"#, r#"{"f": "b"}"#),
        (r#"{"f": "a"}"#, "{}"),
    ] {
        assert_eq!(
            errors(&plan, new, Some(old)),
            ["f: Invalid value: null: field is immutable"],
            "{old} {new}"
        );
    }
}

#[test]
fn elements_of_changed_atomic_lists() {
    let source = "type T struct {\n// +k8s:listType=atomic\n// +k8s:eachVal=+k8s:maxLength=1\n F []string `json:\"f\"`\n}";
    let (old, new) = (r#"{"f": ["ab"]}"#, r#"{"f": ["ab", "c", "de"]}"#);
    let too_long = |index| format!("f[{index}]: Too long: may not be more than 1 character");
    let all = [too_long(0), too_long(2)];
    assert_eq!(errors(&plan(source, "T", Profile::Upstream), new, Some(old)), all);
    assert_eq!(errors(&plan(source, "T", Profile::Kep), new, Some(old)), all[1..]);
}

const CONFIG: &str = "
type Config struct {
	MinValue     int32   `json:\"minValue\"`
	MaxThreshold int32   `json:\"maxThreshold\"`
	// +k8s:minimum(constraint: minValue)
	// +k8s:maximum(constraint: limits.maxValue)
	Current int32 `json:\"current\"`
	Limits  Limits `json:\"limits\"`
	// +k8s:eachVal=+k8s:maximum(constraint: maxThreshold)
	Thresholds []int32 `json:\"thresholds,omitempty\"`
	Note string `json:\"note,omitempty\"`
}
type Limits struct {
	MaxValue int32 `json:\"maxValue\"`
}";

#[test]
fn bounds_from_other_fields() {
    let plan = plan(CONFIG, "Config", Profile::Kep);
    let good =
        r#"{"minValue": 1, "current": 2, "limits": {"maxValue": 3}, "maxThreshold": 5, "thresholds": [5]}"#;
    assert_eq!(errors(&plan, good, None), Vec::<String>::new());
    let bad =
        r#"{"minValue": 4, "current": 2, "limits": {"maxValue": 1}, "maxThreshold": 5, "thresholds": [6]}"#;
    let expected = [
        "current: Invalid value: 2: must be less than or equal to 1",
        "current: Invalid value: 2: must be greater than or equal to 4",
        "thresholds[0]: Invalid value: 6: must be less than or equal to 5",
    ];
    assert_eq!(errors(&plan, bad, None), expected);
    // A change elsewhere does not report it again; a change of the limit does.
    let noted = bad.replace(r#"{"minValue""#, r#"{"note": "n", "minValue""#);
    assert_eq!(errors(&plan, &noted, Some(bad)), Vec::<String>::new());
    let lowered = bad.replace(r#""maxValue": 1"#, r#""maxValue": 0"#);
    assert_eq!(
        errors(&plan, &lowered, Some(bad)),
        ["current: Invalid value: 2: must be less than or equal to 0"]
    );
}

/// The struct of both fields has the tags; the answers are those of tags on the field itself.
#[test]
fn bounds_on_the_common_ancestor() {
    let source = "// +k8s:minimum(target: current, constraint: minValue)\n\
                  // +k8s:maximum(target: current, constraint: limits.maxValue)\n\
                  // +k8s:exclusiveMaximum(target: limits.step, constraint: current)\n\
                  // +k8s:minimum(target: floor)=1\n\
                  type Config struct {\nMinValue int32 `json:\"minValue\"`\nLimits Limits `json:\"limits\"`\n\
                  Current int32 `json:\"current\"`\n Floor *int32 `json:\"floor,omitempty\"`\n}\n\
                  type Limits struct {\nMaxValue int32 `json:\"maxValue\"`\nStep *int32 `json:\"step,omitempty\"`\n}";
    let plan = plan(source, "Config", Profile::Kep);
    let good = r#"{"minValue": 1, "current": 2, "limits": {"maxValue": 3, "step": 1}, "floor": 1}"#;
    assert_eq!(errors(&plan, good, None), Vec::<String>::new());
    let bad = r#"{"minValue": 4, "current": 2, "limits": {"maxValue": 1, "step": 2}, "floor": 0}"#;
    let mut told = errors(&plan, bad, None);
    told.sort();
    let expected = [
        "current: Invalid value: 2: must be greater than or equal to 4",
        "current: Invalid value: 2: must be less than or equal to 1",
        "floor: Invalid value: 0: must be greater than or equal to 1",
        "limits.step: Invalid value: 2: must be less than 2",
    ];
    assert_eq!(told, expected);
    let noted = bad.replace(r#""floor": 0"#, r#""floor": 1"#);
    assert_eq!(errors(&plan, &noted, Some(bad)), Vec::<String>::new());
}

#[test]
fn conditions_on_subresources() {
    let source =
        "type T struct {\n// +k8s:ifNotSubresource(\"/resize\")=+k8s:immutable\n F string `json:\"f\"`\n}";
    let mut plan = plan(source, "T", Profile::Upstream);
    assert_eq!(errors(&plan, r#"{"f": "b"}"#, Some(r#"{"f": "a"}"#)).len(), 1);
    plan = self::plan(
        &format!("// +k8s:supportsSubresource=\"/resize\"\n{source}"),
        "T",
        Profile::Upstream,
    );
    let arena = Arena::new();
    let (new, old) = (json(&arena, r#"{"f": "b"}"#), json(&arena, r#"{"f": "a"}"#));
    let change = Change {
        subresources: &["resize"],
        ..Change::update(new, old)
    };
    assert_eq!(plan.validate(&change), []);
}

#[test]
fn a_typedef_of_a_typedef_has_its_own_rules_only() {
    let source = "// +k8s:minLength=4\ntype Foo string\n// +k8s:maxLength=6\ntype Bar Foo\n\
                  type T struct {\n F Bar `json:\"f\"`\n}";
    for profile in [Profile::Upstream, Profile::Kep] {
        let plan = plan(source, "T", profile);
        assert_eq!(errors(&plan, r#"{"f": "a"}"#, None), Vec::<String>::new());
        assert_eq!(errors(&plan, r#"{"f": "abcdefg"}"#, None).len(), 1);
    }
}

const CONDITIONS: &str = "
type Config struct {
	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:union(union: terminalStatus)
	// +k8s:listMapItem(type: \"Succeeded\")=+k8s:memberOf(group: terminalStatus)
	// +k8s:listMapItem(type: \"Failed\")=+k8s:memberOf(group: terminalStatus)
	Conditions []Condition `json:\"conditions\"`
}
type Condition struct {
	Type   string `json:\"type\"`
	Status string `json:\"status\"`
}";

#[test]
fn virtual_groups_count_their_members() {
    let plan = plan(CONDITIONS, "Config", Profile::Kep);
    for (types, valid) in [
        (&["Succeeded"][..], true),
        (&["Failed", "Other"], true),
        (&["Succeeded", "Failed"], false),
        (&["Other"], false),
    ] {
        let items: Vec<String> = types.iter().map(|ty| format!(r#"{{"type": "{ty}"}}"#)).collect();
        let object = format!(r#"{{"conditions": [{}]}}"#, items.join(", "));
        let found = errors(&plan, &object, None);
        assert_eq!(found.is_empty(), valid, "{object}: {found:?}");
    }
}

const ACROSS: &str = "
// +k8s:union(union: target)
type Kind struct {
	Spec Spec `json:\"spec\"`
	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:listMapItem(type: \"Done\")=+k8s:memberOf(group: target)
	Conditions []Condition `json:\"conditions,omitempty\"`
}
type Spec struct {
	Left *Side `json:\"left,omitempty\"`
	// +k8s:memberOf(group: target)
	Plain string `json:\"plain,omitempty\"`
	Parts []Part `json:\"parts,omitempty\"`
}
type Side struct {
	// +k8s:memberOf(group: target)
	Name *string `json:\"name,omitempty\"`
}
type Part struct {
	// +k8s:memberOf(group: target)
	Size int32 `json:\"size,omitempty\"`
}
type Condition struct {
	Type string `json:\"type\"`
}";

#[test]
fn virtual_groups_span_their_kind() {
    let plan = plan(ACROSS, "Kind", Profile::Kep);
    for (object, valid) in [
        (r#"{"spec": {}}"#, false),
        (r#"{"spec": {"plain": "a"}}"#, true),
        (r#"{"spec": {"left": {"name": "a"}}}"#, true),
        (r#"{"spec": {"parts": [{}, {"size": 1}]}}"#, true),
        (r#"{"spec": {}, "conditions": [{"type": "Done"}]}"#, true),
        (
            r#"{"spec": {"plain": "a"}, "conditions": [{"type": "Other"}]}"#,
            true,
        ),
        (r#"{"spec": {"plain": "a", "left": {"name": "b"}}}"#, false),
        (
            r#"{"spec": {"plain": "a"}, "conditions": [{"type": "Done"}]}"#,
            false,
        ),
    ] {
        let found = errors(&plan, object, None);
        assert_eq!(found.is_empty(), valid, "{object}: {found:?}");
        assert!(valid || found[0].contains("must specify"), "{object}: {found:?}");
    }
    let (bad, same) = (r#"{"spec": {}}"#, r#"{"spec": {"left": {}}}"#);
    assert_eq!(
        errors(&plan, same, Some(bad)),
        Vec::<String>::new(),
        "the same members are set"
    );
}

#[test]
fn bounds_reach_below_members_and_items() {
    let source = "type Base struct {\n Low int32 `json:\"low\"`\n}\ntype Part struct {\n K string `json:\"k\"`\n Size int32 `json:\"size\"`\n}\n\
                  type T struct {\n Base `json:\",inline\"`\n Top int32 `json:\"top\"`\n\
                  // +k8s:minimum(constraint: low)\n V int32 `json:\"v\"`\n\
                  // +k8s:subfield(size)=+k8s:maximum(constraint: top)\n P Part `json:\"p\"`\n\
                  // +k8s:listType=map\n// +k8s:listMapKey=k\n// +k8s:item(k: \"a\")=+k8s:subfield(size)=+k8s:maximum(constraint: top)\n\
                  I []Part `json:\"i\"`\n}";
    let plan = plan(source, "T", Profile::Kep);
    let bad = r#"{"low": 2, "v": 1, "top": 3, "p": {"k": "x", "size": 4}, "i": [{"k": "b", "size": 9}, {"k": "a", "size": 5}]}"#;
    assert_eq!(
        errors(&plan, bad, None),
        [
            "v: Invalid value: 1: must be greater than or equal to 2",
            "p.size: Invalid value: 4: must be less than or equal to 3",
            "i[1].size: Invalid value: 5: must be less than or equal to 3",
        ]
    );
    let good = bad
        .replace("\"top\": 3", "\"top\": 5")
        .replace("\"v\": 1", "\"v\": 2");
    assert_eq!(errors(&plan, &good, None), Vec::<String>::new());
}
