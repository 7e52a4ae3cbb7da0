//! A CRD generated from `+k8s:` tags and the Go types behave alike: the CRD accepts the recorded objects that the
//! types accept, and rejects those they reject.
#![expect(clippy::print_stdout, reason = "a test run says how much it compared")]

use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_crd::definition;
use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_go::{Profile, Read};
use kindsmith_json::read::{Options as ReadOptions, read as read_json};
use kindsmith_json::{Arena, Value};
use kindsmith_openapi::crd;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, TypeName};
use kindsmith_structural::{StructuralChange, StructuralSchema};
use kindsmith_testkit::{GoPackages, entries, names, recordings, text};

fn json<'a>(arena: &'a Arena, text: &'a str) -> Value<'a> {
    read_json(arena, text.as_bytes(), ReadOptions::default())
        .expect("JSON")
        .value
}

/// A recorded package and its import path.
fn package(name: &str) -> (Read, String) {
    let (packages, path) = GoPackages::native(&recordings("native/types").join(name));
    (packages.read("p"), path)
}

/// A type as its CRD publishes it.
enum Published {
    StructuralSchema(Box<StructuralSchema>, Limits),
    /// Why there is no CRD for it.
    Not(String),
}

/// What the CRD cannot express.
#[derive(Default)]
struct Limits {
    /// What the server will not enforce.
    unenforced: Option<String>,
    /// Whether the type contains itself.
    endless: bool,
}

/// Whether a part of a schema is missing.
fn has_hole(schema: &JsonSchema) -> bool {
    let is_hole = |schema: &JsonSchema| {
        schema.ty.is_empty() && !schema.int_or_string && schema.preserve_unknown_fields.is_none()
    };
    let below = |schema: &JsonSchema| is_hole(schema) || has_hole(schema);
    let items = match schema.items.as_deref() {
        Some(Items::Each(item)) => below(item),
        _ => false,
    };
    let values = match schema.additional_properties.as_deref() {
        Some(SchemaOrBool::Schema(value)) => below(value),
        _ => false,
    };
    items || values || schema.properties.iter().any(|(_, member)| below(member))
}

fn publish(read: &Read, path: &str, name: &str, switches: Vec<(String, bool)>) -> Published {
    let id = read
        .schema
        .find(&TypeName::new(path, name))
        .expect("the type is there");
    let options = Options {
        tags: Tags::All,
        allow_dangerous_types: true,
        go_json: true,
        switches,
        ..Options::default()
    };
    let (schema, generated) = controller_gen::schema_of(&read.schema, id, &options);
    if let Some(problem) = generated.problems.first() {
        return Published::Not(format!("not published: {}", problem.message));
    }
    let root = JsonSchema {
        ty: "object".into(),
        properties: vec![("spec".into(), schema)].into(),
        ..JsonSchema::default()
    };
    match StructuralSchema::compile_part(&root) {
        Ok(structure) => {
            let limits = Limits {
                unenforced: generated.unenforced.first().map(|note| note.message.clone()),
                endless: has_hole(&root),
            };
            Published::StructuralSchema(Box::new(structure), limits)
        }
        Err(error) => Published::Not(format!("{error:?}")),
    }
}

/// A recorded object as a field of a custom resource, as the CRD has it.
fn stored<'a>(arena: &'a Arena, structure: &StructuralSchema, object: Value<'_>) -> Value<'a> {
    let object = format!("{{\"spec\":{}}}", kindsmith_json::to_string(object));
    let object = json(arena, arena.alloc_str(&object));
    let object = structure.prune(arena, object, false);
    let object = structure.remove_nulls(arena, object);
    let text = kindsmith_json::to_string(structure.default(arena, object));
    json(arena, arena.alloc_str(&text))
}

/// Whether the CRD accepts a write.
fn takes(structure: &StructuralSchema, case: Value<'_>) -> Result<(), String> {
    let arena = Arena::new();
    let ready = |object: Value<'_>| stored(&arena, structure, object);
    let new = ready(case.get("obj").expect("an object"));
    let old = case.get("old").filter(|old| !old.is_null()).map(ready);
    let change = match old {
        Some(old) => StructuralChange::update(new, old),
        None => StructuralChange::create(new),
    };
    let verdict = structure.validate(&change);
    match verdict.errors.first() {
        None => Ok(()),
        Some(error) => Err(error.to_string()),
    }
}

/// Types whose CRD behaves differently in some cases, whether it is only stricter, and why.
const APART: &[(&str, bool, &str)] = &[
    (
        "harbour.Ship",
        true,
        "controller-gen reads `+k8s:minimum` of a member even where its struct is opaque",
    ),
    (
        "harbour.Quay",
        true,
        "controller-gen reads `+k8s:minimum` of a member even where its struct is opaque",
    ),
    (
        "lagoon.Reservoir",
        false,
        "a definition compares quantities and times as they are written",
    ),
    (
        "foundry.Casting",
        true,
        "an unset member under `eachVal` and `subfield` stops all checks of a list, which keywords do not know",
    ),
    (
        "arcade.Hall",
        true,
        "an unset member under `eachVal` and `subfield` stops all checks of a list, which keywords do not know",
    ),
    ("aquarium.Tank", true, "no bytes are no text of the format `byte`"),
];

/// Why a case cannot be checked with a CRD.
fn beyond(
    structure: &StructuralSchema,
    limits: &Limits,
    case: Value<'_>,
    ours: &Result<(), String>,
) -> Option<&'static str> {
    let (new, old) = (
        case.get("obj").expect("an object"),
        case.get("old").unwrap_or_default(),
    );
    let errors = case.get("errors").and_then(Value::as_array).unwrap_or(&[]);
    let is = |error: &Value<'_>, kind: &str| error.get("type").and_then(Value::as_str) == Some(kind);
    let text = |value: Value<'_>| kindsmith_json::to_string(value);
    let hides = |error: &Value<'_>| {
        error.get("level").and_then(Value::as_str) == Some("alpha")
            && error.get("shortCircuit") == Some(Value::Bool(true))
    };
    if old.is_null() && case.get("op").and_then(Value::as_str) == Some("UPDATE") {
        return Some("an update has an old object");
    }
    let is_undecided = limits
        .unenforced
        .as_ref()
        .is_some_and(|note| note.contains("under option"));
    if is_undecided || errors.iter().any(|error| is(error, "InternalError")) {
        return Some("a definition is made for options and subresources that are known");
    }
    if has_large_number(new) || has_large_number(old) {
        return Some("integers of a definition have 64 bits with a sign");
    }
    if ours.is_ok() && text(new) == text(old) {
        return Some("an update that changes nothing is taken");
    }
    if ours.is_err() && errors.iter().any(hides) {
        return Some("a hidden alpha failure stops checks, which a definition does not have");
    }
    if ours
        .as_ref()
        .is_err_and(|error| error.contains("Duplicate value"))
        && !is_refused(case)
    {
        return Some("sets and list maps of a definition have no duplicates, whoever looks for them");
    }
    let arena = Arena::new();
    let only_duplicates = errors.iter().all(|error| is(error, "FieldValueDuplicate"));
    if !old.is_null() && (ours.is_err() || only_duplicates) {
        let old = StructuralChange::create(stored(&arena, structure, old));
        if !structure.validate(&old).errors.is_empty() {
            return Some("the old object could not have been stored under the definition");
        }
    }
    if has_null_element(new) || has_null_element(old) {
        return Some("a list or map of a definition has no nulls");
    }
    if limits.endless {
        return Some("a type that leads to itself has no schema where it does");
    }
    let before = format!("{{\"spec\":{}}}", text(new));
    let after = text(stored(&arena, structure, new));
    // A zero instead of an absent value changes nothing, unless the field is required.
    if without_zero(&before) != without_zero(&after) || ours.is_ok() && before.len() < after.len() {
        return Some("the object was recorded without its defaults");
    }
    if has_empty(new) || !old.is_null() && has_empty(old) {
        return Some("a definition tells what is empty from what is not there");
    }
    None
}

/// Whether there is an empty list, map or byte string.
fn has_empty(value: Value<'_>) -> bool {
    match value {
        Value::Array(items) => items.is_empty() || items.iter().any(|item| has_empty(*item)),
        Value::Object(object) => object.values().any(has_empty),
        Value::Null => true,
        _ => false,
    }
}

/// An object without zero-valued fields, which Go treats as absent.
fn without_zero(text: &str) -> serde_json::Value {
    fn strip(value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value::{Array, Object};
        match value {
            Array(items) => Array(items.into_iter().map(strip).collect()),
            Object(members) => {
                let is_zero = |value: &serde_json::Value| {
                    *value == serde_json::json!("")
                        || *value == serde_json::json!({})
                        || *value == serde_json::json!(false)
                        || value.is_null()
                        || value.as_f64() == Some(0.0)
                };
                let members = members.into_iter().map(|(name, value)| (name, strip(value)));
                Object(members.filter(|(_, value)| !is_zero(value)).collect())
            }
            other => other,
        }
    }
    strip(serde_json::from_str(text).expect("JSON"))
}

fn has_null_element(value: Value<'_>) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| item.is_null() || has_null_element(*item)),
        Value::Object(object) => object.values().any(has_null_element),
        _ => false,
    }
}

fn has_large_number(value: Value<'_>) -> bool {
    match value {
        Value::Uint(_) | Value::Float(_) => value.as_f64().is_some_and(|number| number >= 9.2e18),
        Value::Array(items) => items.iter().any(|item| has_large_number(*item)),
        Value::Object(object) => object.values().any(has_large_number),
        _ => false,
    }
}

/// The options of a recorded case: a CRD is generated for each combination.
fn switches(case: Value<'_>) -> Vec<(String, bool)> {
    let options = case.get("options").and_then(Value::as_object);
    let each = options.into_iter().flat_map(|options| options.iter());
    each.map(|(name, on)| (name.to_string(), on == Value::Bool(true)))
        .collect()
}

/// Whether the types reject a write; alpha rules are not enforced.
fn is_refused(case: Value<'_>) -> bool {
    let errors = case.get("errors").and_then(Value::as_array).expect("errors");
    errors
        .iter()
        .any(|error| error.get("level").and_then(Value::as_str) != Some("alpha"))
}

#[test]
fn crds_and_types_behave_alike() {
    let (mut same, mut all) = (0, 0);
    let mut apart: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let cases = recordings("native/cases");
    for file in names(&cases) {
        let name = file.trim_end_matches(".jsonl");
        let (read, path) = package(name);
        let mut types: BTreeMap<(String, Vec<(String, bool)>), Published> = BTreeMap::new();
        for line in text(&cases.join(&file)).lines() {
            let arena = Arena::new();
            let case = json(&arena, line);
            all += 1;
            let ty = case.get("type").and_then(Value::as_str).expect("a type");
            let switches = switches(case);
            let published = types
                .entry((ty.to_owned(), switches.clone()))
                .or_insert_with(|| publish(&read, &path, ty, switches));
            let (structure, limits) = match published {
                Published::StructuralSchema(structure, limits) => (structure, limits),
                Published::Not(why) => {
                    *left_out.entry(format!("{name}.{ty}: {why}")).or_default() += 1;
                    continue;
                }
            };
            let ours = takes(structure, case);
            if ours.is_err() == is_refused(case) {
                same += 1;
                continue;
            }
            let type_name = format!("{name}.{ty}");
            let is_apart =
                |(of, stricter, _): &&(&str, bool, &str)| *of == type_name && (ours.is_err() || !stricter);
            let known = APART.iter().find(is_apart);
            let unenforced = limits.unenforced.as_deref().filter(|_| ours.is_ok());
            let why = beyond(structure, limits, case, &ours)
                .or(known.map(|(.., why)| *why))
                .or(unenforced);
            if let Some(why) = why {
                *left_out.entry(why.to_owned()).or_default() += 1;
                continue;
            }
            let id = case.get("id").and_then(Value::as_str).expect("an id");
            let kind = format!("{name}.{ty} {}", if ours.is_err() { "refused" } else { "taken" });
            let entry = apart.entry(kind).or_default();
            entry.0 += 1;
            if entry.0 <= 3 {
                entry.1 += &format!("\n    {id}: {ours:?}");
            }
        }
    }
    for (why, count) in &left_out {
        println!("left out {count}: {why}");
    }
    for (kind, (count, first)) in &apart {
        println!("apart {count}: {kind}: {first}");
    }
    let (left, different): (usize, usize) = (
        left_out.values().sum(),
        apart.values().map(|(count, _)| count).sum(),
    );
    println!("{same} of {all} alike, {different} apart, {left} left out");
    assert_eq!(different, 0);
}

/// Fills in the defaults of a custom resource.
fn defaulted(structure: &StructuralSchema, object: &str) -> String {
    let arena = Arena::new();
    let object = json(&arena, object);
    let object = structure.prune(&arena, object, true);
    kindsmith_json::to_string(structure.default(&arena, structure.remove_nulls(&arena, object)))
}

/// The API server's errors for a CRD whose objects have the schema as their `spec`.
fn refusals(schema: JsonSchema) -> Vec<String> {
    let root = JsonSchema {
        ty: "object".into(),
        properties: vec![("spec".into(), schema)].into(),
        ..JsonSchema::default()
    };
    let version = crd::Version {
        name: "v1".into(),
        served: true,
        storage: true,
        schema: Some(crd::Validation {
            open_api_v3_schema: Some(Arc::new(root)),
        }),
        ..crd::Version::default()
    };
    let mut definition = crd::Definition {
        metadata: kindsmith_schema::Json::parse(r#"{"name":"things.example.org"}"#).expect("JSON"),
        spec: crd::Spec {
            group: "example.org".into(),
            names: crd::Names {
                plural: "things".into(),
                kind: "Thing".into(),
                ..crd::Names::default()
            },
            scope: "Namespaced".into(),
            versions: vec![version].into(),
            ..crd::Spec::default()
        },
        ..crd::Definition::default()
    };
    definition.default_fields();
    let verdict = definition::create(&mut definition.to_internal(), definition::Gates::default());
    verdict.errors.iter().map(ToString::to_string).collect()
}

/// Errors about lists, maps or strings without a limit, which make rules on them too costly.
const UNBOUNDED: [&str; 2] = ["exceeds budget", "contributed to estimated rule cost total"];

#[test]
fn crds_from_tags_are_accepted() {
    let (mut wrong, mut accepted, mut unbounded) = (String::new(), 0, 0);
    for name in names(&recordings("native/types")) {
        let (read, path) = package(&name);
        let roots = read.schema.types().filter(|(_, ty)| *ty.name.package == *path);
        for (id, ty) in roots {
            let options = Options {
                tags: Tags::All,
                allow_dangerous_types: true,
                go_json: true,
                ..Options::default()
            };
            let (schema, generated) = controller_gen::schema_of(&read.schema, id, &options);
            if !generated.problems.is_empty() {
                continue;
            }
            let errors = refusals(schema);
            // A recursive type has no schema at the recursion, and `,string` has none at all.
            let is_known = |error: &String| {
                error.contains("must not be empty for specified object fields")
                    || error.contains("properties[text].default: Invalid value: \"string\"")
            };
            let errors: Vec<String> = errors.into_iter().filter(|error| !is_known(error)).collect();
            let (cost, other): (Vec<_>, Vec<_>) = errors
                .into_iter()
                .partition(|error| UNBOUNDED.iter().any(|text| error.contains(text)));
            accepted += usize::from(cost.is_empty() && other.is_empty());
            unbounded += usize::from(!cost.is_empty());
            for error in other {
                wrong += &format!(
                    "{name}.{}: {}\n",
                    ty.name.name,
                    error.chars().take(300).collect::<String>()
                );
            }
        }
    }
    println!("{accepted} accepted, {unbounded} with rules on lists without a limit");
    assert!(wrong.is_empty() && accepted > 0, "refused:\n{wrong}");
}

#[test]
fn defaults_are_those_of_the_kep() {
    let cases = text(&recordings("gen/kep/cases.jsonl"));
    let (mut wrong, mut count) = (String::new(), 0);
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let (example, input) = (case["example"].as_str().expect("a name"), &case["in"]);
        // A custom resource is an object, and where the generators follow the KEP the schema is the KEP's own.
        let folder = recordings("gen/types/kep1929crd").join(example);
        if !input.is_object() || !folder.is_dir() || case["crdOnKepSchemaAgrees"] != true {
            continue;
        }
        let structure = kep_structure(&folder, example);
        let found: serde_json::Value =
            serde_json::from_str(&defaulted(&structure, &input.to_string())).expect("JSON");
        count += 1;
        if found != case["kep"] {
            wrong += &format!("{example} {input}: {found}, not {}\n", case["kep"]);
        }
    }
    println!("{count} cases");
    assert!(wrong.is_empty() && count > 0, "not as the KEP says:\n{wrong}");
}

fn kep_structure(folder: &std::path::Path, example: &str) -> StructuralSchema {
    let read = GoPackages::default().tree(folder, "p").read("p");
    let options = Options {
        tags: Tags::All,
        ..Options::default()
    };
    let generated = controller_gen::definitions(&read.schema, &options);
    let definition = generated
        .definitions
        .first()
        .unwrap_or_else(|| panic!("{example} is a kind"));
    let version = definition.model.spec.versions.first().expect("a version");
    let schema = version
        .schema
        .as_ref()
        .and_then(|schema| schema.open_api_v3_schema.as_ref());
    StructuralSchema::compile(schema.expect("a schema")).expect("it is structural")
}

#[test]
fn objects_of_generated_crds_get_the_recorded_defaults() {
    let (mut wrong, mut count) = (String::new(), 0);
    for file in entries(&recordings("gen/defaults-crd")) {
        let api = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let structures = structures(&api);
        for line in text(&file).lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let key = (
                case["crd"].as_str().expect("a name").to_owned(),
                case["version"].as_str().expect("a version").to_owned(),
            );
            let structure = structures
                .get(&key)
                .unwrap_or_else(|| panic!("{key:?} is generated"));
            let found: serde_json::Value =
                serde_json::from_str(&defaulted(structure, &case["in"].to_string())).expect("JSON");
            count += 1;
            if found != case["out"] {
                wrong += &format!("{api} {}: {found}, not {}\n", case["in"], case["out"]);
            }
        }
    }
    println!("{count} objects");
    assert!(wrong.is_empty() && count > 0, "not as recorded:\n{wrong}");
}

/// The CRDs of an API by name and version, as controller-gen would generate them.
fn structures(api: &str) -> BTreeMap<(String, String), StructuralSchema> {
    let packages = GoPackages::default().module(&format!("example.org/gen/{api}"), "gen");
    let packages = packages.tree(&recordings("gen/types").join(api), "gen");
    let read = packages.read("gen/...");
    let options = Options {
        allow_dangerous_types: true,
        ..Options::default()
    };
    let mut found = BTreeMap::new();
    for definition in controller_gen::definitions(&read.schema, &options).definitions {
        let spec = &definition.model.spec;
        for version in &spec.versions {
            let schema = version
                .schema
                .as_ref()
                .and_then(|schema| schema.open_api_v3_schema.as_ref());
            if let Ok(structure) = StructuralSchema::compile(schema.expect("a schema")) {
                let name = format!("{}.{}", spec.names.plural, spec.group);
                found.insert((name, version.name.to_string()), structure);
            }
        }
    }
    found
}

/// Every kind of rule, on lists, maps and texts that have limits.
const BOUNDED: &str = r#"package p

type T struct {
	// +k8s:monotonic
	Count int64 `json:"count,omitempty"`
	// +k8s:minimum(constraint: "count")
	High *int64 `json:"high,omitempty"`
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=100
	// +k8s:update=NoAddItem
	Paths []Part `json:"paths,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=100
	// +k8s:update=NoRemoveItem
	// +k8s:item(name: "a")=+k8s:immutable
	// +k8s:item(name: "b")=+k8s:subfield(size)=+k8s:minimum=2
	// +k8s:item(name: "c")=+k8s:subfield(size)=+k8s:update=NoModify
	// +k8s:item(name: "d")=+k8s:unionMember
	// +k8s:item(name: "e")=+k8s:unionMember
	Cast []Part `json:"cast,omitempty"`
	// +k8s:listType=atomic
	// +k8s:maxItems=100
	Fixed []Fixed `json:"fixed,omitempty"`
	// +k8s:maxProperties=100
	// +k8s:eachVal=+k8s:immutable
	// +k8s:eachKey=+k8s:format=k8s-label-key
	Map map[string]Name `json:"map,omitempty"`
	// +k8s:modeDiscriminator
	Mode Name `json:"mode,omitempty"`
	// +k8s:ifMode("a")=+k8s:maxLength=3
	Text Name `json:"text,omitempty"`
}

// +k8s:maxLength=63
type Name string

type Part struct {
	Name Name `json:"name"`
	Size int32 `json:"size,omitempty"`
}

type Fixed struct {
	// +k8s:immutable
	Name Name `json:"name,omitempty"`
	// +k8s:listType=set
	// +k8s:maxItems=10
	Parts []Part `json:"parts,omitempty"`
}
"#;

#[test]
fn rules_on_what_has_limits_can_be_afforded() {
    let packages = GoPackages::default().profile(Profile::Kep);
    let read = packages.file("p/p.go", BOUNDED).read("p");
    let is_root = |ty: &kindsmith_schema::Type| &*ty.name.name == "T";
    let root = read.schema.types().find(|(_, ty)| is_root(ty)).expect("T");
    let options = Options {
        tags: Tags::All,
        ..Options::default()
    };
    let (schema, generated) = controller_gen::schema_of(&read.schema, root.0, &options);
    assert_eq!((generated.problems, generated.unenforced), Default::default());
    assert_eq!(refusals(schema), Vec::<String>::new());
}
