//! OpenAPI definitions of the recorded packages equal those of openapi-gen and kube-openapi's builders, byte
//! for byte.
#![expect(clippy::print_stdout, reason = "a test run says how much it compared")]

use std::collections::BTreeMap;

use kindsmith_checks::Profile;
use kindsmith_generate::openapi_gen::{self, Defaults, Names, Options, Version};
use kindsmith_go::Read;
use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_testkit::{GoPackages, names, recordings, text};

/// A recorded package.
struct Recorded {
    folder: &'static str,
    name: String,
}

/// One of the packages of `gen`.
fn shown(name: &str) -> Recorded {
    Recorded {
        folder: "gen",
        name: name.to_owned(),
    }
}

impl Recorded {
    fn answer(&self, suffix: &str) -> String {
        let Self { folder, name } = self;
        text(&recordings(&format!("{folder}/openapi/{name}.{suffix}.json")))
    }
}

fn read(Recorded { folder, name }: &Recorded) -> Read {
    let types = recordings(&format!("{folder}/types/{name}"));
    let packages = GoPackages::default().module("example.org/gen", "gen");
    let packages = packages.tree(&types, &format!("gen/{name}"));
    packages.read(&format!("gen/{name}/..."))
}

/// The recorded packages.
fn recorded() -> Vec<Recorded> {
    let found = ["gen", "gen-more"].into_iter().flat_map(|folder| {
        let files = names(&recordings(folder).join("openapi")).into_iter();
        files.filter_map(move |file| {
            let name = file.strip_suffix(".map.json")?.to_owned();
            Some(Recorded { folder, name })
        })
    });
    found.collect()
}

fn options(version: Version) -> Options {
    Options {
        version,
        defaults: Defaults::All,
        validation: false,
        names: Names::Friendly,
    }
}

const PARTS: [(Version, &str, &[&str]); 2] = [
    (Version::V2, "v2", &["definitions"]),
    (Version::V3, "v3", &["components", "schemas"]),
];

/// The definitions of a document by name, as text.
fn by_name(document: &str, path: &[&str]) -> BTreeMap<String, String> {
    let arena = Arena::new();
    let value = parse_str(&arena, document).expect("a document");
    let definitions = value
        .lookup(path)
        .and_then(Value::as_object)
        .expect("definitions");
    let format = Format::default().indent("  ").order(Order::Sorted);
    definitions
        .iter()
        .map(|(name, value)| (name.to_owned(), format.to_string(value)))
        .collect()
}

/// The first line that differs.
fn difference(made: &str, wanted: &str) -> String {
    let mut lines = made.lines().zip(wanted.lines()).enumerate();
    let found = lines.find(|(_, (made, wanted))| made != wanted);
    match found {
        Some((line, (made, wanted))) => format!("line {}: {made} instead of {wanted}", line + 1),
        None => "one is longer".to_owned(),
    }
}

#[test]
fn documents_are_equal() {
    let mut wrong = String::new();
    let (mut documents, mut definitions_equal) = (0, 0);
    for recorded in recorded() {
        let (read, name) = (read(&recorded), &recorded.name);
        for (version, suffix, path) in PARTS {
            let made = openapi_gen::document(&read.schema, options(version));
            let wanted = by_name(&recorded.answer(suffix), path);
            let mut made_definitions = by_name(&made.text, path);
            for library in &made.library {
                made_definitions.remove(library);
            }
            let mut equal = true;
            for key in made_definitions.keys().chain(wanted.keys()) {
                let (made, wanted) = (made_definitions.get(key), wanted.get(key));
                if made != wanted {
                    equal = false;
                    let none = String::new();
                    let (made, wanted) = (made.unwrap_or(&none), wanted.unwrap_or(&none));
                    wrong += &format!("{name}.{suffix} {key}: {}\n", difference(made, wanted));
                }
            }
            documents += usize::from(equal);
            definitions_equal += if equal { wanted.len() } else { 0 };
        }
    }
    println!("{documents} documents equal, with {definitions_equal} definitions");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn generated_maps_are_equal() {
    let mut wrong = String::new();
    let mut equal = 0;
    for recorded in recorded() {
        let made = openapi_gen::generated(&read(&recorded).schema);
        let wanted = recorded.answer("map");
        if made == wanted {
            equal += 1;
        } else {
            wrong += &format!("{}: {}\n", recorded.name, difference(&made, &wanted));
        }
    }
    println!("{equal} maps of openapi-gen equal");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Without descriptions, which are left out of the recordings of library types.
fn undescribed(value: Value<'_>) -> serde_json::Value {
    let mut value: serde_json::Value =
        serde_json::from_str(&kindsmith_json::to_string(value)).expect("it was written as JSON");
    strip(&mut value);
    value
}

fn strip(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(members) => {
            // A member named `description` is a schema, not a text.
            if members
                .get("description")
                .is_some_and(serde_json::Value::is_string)
            {
                members.remove("description");
            }
            members.values_mut().for_each(strip);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

#[test]
fn library_definitions_are_equal() {
    for (version, suffix, path) in PARTS {
        let recorded_text = text(&recordings(&format!("gen/openapi/_shared.{suffix}.json")));
        let arena = Arena::new();
        let shared = parse_str(&arena, &recorded_text).expect("a document");
        let shared = shared
            .lookup(path)
            .and_then(Value::as_object)
            .expect("definitions");
        let mut seen = BTreeMap::new();
        for recorded in recorded() {
            let made = openapi_gen::document(&read(&recorded).schema, options(version));
            assert_eq!(made.missing, Vec::<String>::new(), "{}", recorded.name);
            let arena = Arena::new();
            let document = parse_str(&arena, &made.text).expect("a document");
            let all = document
                .lookup(path)
                .and_then(Value::as_object)
                .expect("definitions");
            for library in &made.library {
                seen.insert(
                    library.clone(),
                    undescribed(all.get(library).expect("it is there")),
                );
            }
        }
        for (name, wanted) in shared {
            let made = seen.remove(name);
            assert_eq!(made, Some(undescribed(wanted)), "{name} in {suffix}");
        }
        assert!(seen.is_empty(), "definitions nobody refers to: {seen:?}");
        println!("{} library definitions equal in {suffix}", shared.len());
    }
}

/// A field of a small struct with all options, as compact JSON of version 3.
fn published(declaration: &str, more: &str) -> (String, String) {
    let source = format!(
        "// +k8s:openapi-gen=true\npackage v1\n\ntype Thing struct {{\n{declaration}\n}}\n\n{more}\n"
    );
    let packages = GoPackages::default().module("x.org/a", "a");
    let read = packages.file("a/doc.go", source).read("a");
    let all = Options {
        validation: true,
        ..options(Version::V3)
    };
    let made = openapi_gen::document(&read.schema, all);
    let arena = Arena::new();
    let document = parse_str(&arena, &made.text).expect("a document");
    let thing = document
        .lookup(&["components", "schemas", "org.x.a.Thing"])
        .expect("it is published");
    let property = thing.lookup(&["properties", "f"]).expect("it has a field");
    let required = thing.get("required").unwrap_or_default();
    (
        kindsmith_json::to_string(property),
        kindsmith_json::to_string(required),
    )
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn native_rules_become_keywords() {
    const NAMED: &str = "// +k8s:maxLength=9\n// +k8s:minLength=2\ntype Name string";
    const COLOR: &str = "// +k8s:enum\ntype Color string\nconst (\nRed Color = \"Red\"\n// +k8s:enumExclude\nOld Color = \"Old\"\nBlue Color = \"Blue\"\n)";
    const PART: &str = "type Part struct {\nName string `json:\"name,omitempty\"`\n}";
    for (tags, field, more, wanted) in [
        (
            "+k8s:maxLength=5",
            "F string `json:\"f,omitempty\"`",
            "",
            r#"{"maxLength":5,"type":"string"}"#,
        ),
        (
            "+k8s:maxLength=5",
            "F Name `json:\"f,omitempty\"`",
            NAMED,
            r#"{"maxLength":5,"minLength":2,"type":"string"}"#,
        ),
        (
            "+k8s:maxLength=50",
            "F *Name `json:\"f,omitempty\"`",
            NAMED,
            r#"{"maxLength":9,"minLength":2,"type":"string"}"#,
        ),
        (
            "+k8s:minimum=1",
            "F int32 `json:\"f,omitempty\"`",
            "",
            r#"{"format":"int32","minimum":1,"type":"integer"}"#,
        ),
        (
            "+k8s:maxItems=3\n+k8s:eachVal=+k8s:maxLength=4",
            "F []string `json:\"f,omitempty\"`",
            "",
            r#"{"items":{"maxLength":4,"type":"string"},"maxItems":3,"type":"array"}"#,
        ),
        (
            "",
            "F []Name `json:\"f,omitempty\"`",
            NAMED,
            r#"{"items":{"maxLength":9,"minLength":2,"type":"string"},"type":"array"}"#,
        ),
        (
            "+k8s:format=k8s-short-name",
            "F string `json:\"f,omitempty\"`",
            "",
            r#"{"format":"k8s-short-name","type":"string"}"#,
        ),
        (
            "",
            "F Color `json:\"f,omitempty\"`",
            COLOR,
            r#"{"enum":["Blue","Red"],"type":"string"}"#,
        ),
        (
            "+k8s:listType=map\n+k8s:listMapKey=name",
            "F []Part `json:\"f,omitempty\"`",
            PART,
            r##"{"items":{"$ref":"#/components/schemas/org.x.a.Part"},"type":"array","x-kubernetes-list-map-keys":["name"],"x-kubernetes-list-type":"map"}"##,
        ),
        (
            "+k8s:subfield(name)=+k8s:maxLength=3",
            "F *Part `json:\"f,omitempty\"`",
            PART,
            r##"{"allOf":[{"$ref":"#/components/schemas/org.x.a.Part"},{"properties":{"name":{"maxLength":3}}}]}"##,
        ),
        (
            "+k8s:alpha(since: \"1.34\")=+k8s:maxLength=5",
            "F string `json:\"f,omitempty\"`",
            "",
            r#"{"type":"string"}"#,
        ),
        (
            "+k8s:ifEnabled(\"X\")=+k8s:maxLength=5",
            "F string `json:\"f,omitempty\"`",
            "",
            r#"{"type":"string"}"#,
        ),
        (
            "+k8s:immutable",
            "F string `json:\"f,omitempty\"`",
            "",
            r#"{"type":"string"}"#,
        ),
    ] {
        let comment: String = tags.lines().map(|tag| format!("// {tag}\n")).collect();
        let (property, _) = published(&format!("{comment}{field}"), more);
        assert_eq!(property, wanted, "{tags} on {field}");
    }
    let (_, required) = published("// +k8s:required\nF string `json:\"f,omitempty\"`", "");
    assert_eq!(required, r#"["f"]"#);
}

#[test]
fn defaults_are_published_where_requested() {
    let read = read(&shown("tidal"));
    let count = |defaults| {
        let options = Options {
            defaults,
            ..options(Version::V2)
        };
        openapi_gen::document(&read.schema, options)
            .text
            .matches("\"default\": ")
            .count()
    };
    let (all, custom, none) = (
        count(Defaults::All),
        count(Defaults::CustomResources),
        count(Defaults::None),
    );
    assert_eq!(none, 0);
    assert!(custom > 0 && custom <= all, "{custom} of {all}");
}

#[test]
fn go_names_are_escaped_in_references() {
    let options = Options {
        names: Names::Go,
        ..options(Version::V2)
    };
    let made = openapi_gen::document(&read(&shown("workshop")).schema, options);
    for wanted in [
        "\"example.org/gen/workshop/v1.Chair\": {",
        "\"$ref\": \"#/definitions/example.org~1gen~1workshop~1v1.Cushion\"",
        "\"$ref\": \"#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta\"",
    ] {
        assert!(made.text.contains(wanted), "{wanted}");
    }
}

#[test]
fn element_defaults_are_published_by_the_kep() {
    let source = "// +k8s:openapi-gen=true\npackage v1\n\n// +default=\"apple\"\ntype Item string\n\ntype Thing struct {\n\
                  List []Item `json:\"list,omitempty\"`\nMapping map[string][]Item `json:\"mapping,omitempty\"`\n\
                  Plain map[string]Item `json:\"plain,omitempty\"`\n}\n";
    let packages = GoPackages::default().module("x.org/a", "a");
    let read = packages.file("a/doc.go", source).read("a");
    for (profile, default) in [(Profile::Upstream, ""), (Profile::Kep, r#""default":"apple","#)] {
        let made = openapi_gen::document_as(&read.schema, options(Version::V3), profile);
        let arena = Arena::new();
        let document = parse_str(&arena, &made.text).expect("a document");
        let properties = document
            .lookup(&["components", "schemas", "org.x.a.Thing", "properties"])
            .expect("it is published");
        let item = format!(r#"{{{default}"type":"string"}}"#);
        let list = format!(r#"{{"items":{item},"type":"array"}}"#);
        assert_eq!(
            kindsmith_json::to_string(properties),
            format!(
                r#"{{"list":{list},"mapping":{{"additionalProperties":{list},"type":"object"}},"plain":{{"additionalProperties":{item},"type":"object"}}}}"#
            )
        );
    }
}
