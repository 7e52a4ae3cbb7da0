//! APIs written in Go, in Rust and as a CRD: one schema, one CRD, one answer.

use std::path::{Path, PathBuf};

use kindsmith::{Kinds, Resource, rust};
use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_schema::{Docs, Schema};
use serde_json::{Value, json};

#[path = "../../../fixtures/three/gate/types.rs"]
#[expect(dead_code, unreachable_pub, reason = "only the form of the types matters")]
mod gate;

#[path = "../../../fixtures/three/garden/types.rs"]
#[expect(dead_code, unreachable_pub, reason = "only the form of the types matters")]
mod garden;

#[path = "../../../fixtures/three/database/types.rs"]
#[expect(dead_code, unreachable_pub, reason = "only the form of the types matters")]
mod database;

#[path = "../../../fixtures/three/boat/types.rs"]
#[expect(dead_code, unreachable_pub, reason = "only the form of the types matters")]
mod boat;

#[path = "../../../fixtures/three/lamp/types.rs"]
#[expect(unreachable_pub, reason = "only the form of the types matters")]
mod lamp;

#[path = "../../../fixtures/three/keep/types.rs"]
#[expect(unreachable_pub, reason = "only the form of the types matters")]
mod keep;

#[path = "../../../fixtures/three/route/types.rs"]
#[expect(unreachable_pub, reason = "only the form of the types matters")]
#[expect(
    clippy::duplicated_attributes,
    clippy::upper_case_acronyms,
    reason = "columns may have the same type, and names are those of the Go types"
)]
mod route;

#[path = "../../cli/src/command/init/rust/lib.rs.txt"]
#[expect(
    unreachable_pub,
    unused_imports,
    reason = "it is a library, and derives by names of its own"
)]
mod started;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/three")
        .join(name)
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The schema of the Go form.
fn go_schema(name: &str, path: &str) -> Schema {
    let mut files = MemoryFiles::default();
    for file in ["doc.go", "types.go"] {
        files.add(format!("rust/0/{file}"), text(&fixture(name).join(file)));
    }
    let options = Options {
        modules: vec![(path.to_owned(), "rust/0".to_owned())],
        ..Options::default()
    };
    let mut loader = Loader::new(&files, options);
    let packages = loader.load("rust/0");
    let read = kindsmith_go::read(loader, packages, kindsmith::Profile::Upstream);
    assert_eq!(read.diagnostics, []);
    without_markers(&read.schema)
}

/// A schema whose comments have no markers: those are rules already, and stand in another order.
fn without_markers(schema: &Schema) -> Schema {
    fn plain(docs: &mut Docs) {
        let prose = docs.prose().into_owned();
        docs.text = (!prose.is_empty()).then(|| prose.into());
        docs.godoc = None;
    }
    schema.map_types(|ty| {
        plain(&mut ty.docs);
        ty.constants
            .iter_mut()
            .for_each(|constant| plain(&mut constant.docs));
        if let kindsmith_schema::Shape::Struct(members) = &mut ty.shape {
            members.fields.iter_mut().for_each(|field| plain(&mut field.docs));
        }
    })
}

/// All types with their rules, kinds; the package's own comment aside.
#[track_caller]
fn assert_same(rust: &Schema, go: &Schema) {
    let types = |schema: &Schema| schema.types().map(|(_, ty)| ty.clone()).collect::<Vec<_>>();
    for (one, other) in types(rust).iter().zip(&types(go)) {
        assert_eq!(one, other);
    }
    assert_eq!(types(rust).len(), types(go).len());
    assert_eq!(rust.kinds(), go.kinds());
}

/// Compares the three forms of an API.
#[track_caller]
fn check<T: Resource>(name: &str) {
    let api = rust::Api::default().kind::<T>();
    let read = api.read();
    assert_eq!(read.go.diagnostics, []);
    let rust = without_markers(&read.go.schema);
    let go = go_schema(name, &format!("{}/{}", T::GROUP, T::VERSION));
    assert_same(&rust, &go);

    let crd = kindsmith::crd::<T>().unwrap_or_else(|error| panic!("{error}"));
    let of_go = kindsmith::controller_gen_kinds::all_definitions(&go, kindsmith::Profile::Upstream);
    assert_eq!(crd, of_go.definitions[0].text);
    let path = fixture(name).join("crd.yaml");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &crd).expect("it can be written");
    }
    assert_eq!(crd, text(&path), "UPDATE=1 writes {}", path.display());

    check_answers::<T>(name);
}

/// CRDs that the three forms repeat. That of `fixtures/route` is not among them: no server accepts its defaults.
const ORIGINALS: [(&str, &str); 1] = [("keep", include_str!("../../../fixtures/keep/crd.yaml"))];

fn check_answers<T: Resource>(name: &str) {
    let of_rust = Kinds::of::<T>().expect("right types");
    let of_crd = Kinds::from_crds(&text(&fixture(name).join("crd.yaml"))).expect("a right CRD");
    let files = ["doc.go", "types.go"].map(|file| (file, text(&fixture(name).join(file))));
    let files = files.iter().map(|(file, text)| (*file, text.as_str()));
    let of_go = Kinds::from_go(files).expect("right types");
    // A CRD that was written by hand, where the fixture has one.
    let by_hand = ORIGINALS.iter().find(|(known, _)| *known == name);
    let by_hand = by_hand.map(|(_, text)| Kinds::from_crds(text).expect("a right CRD"));
    let arena = kindsmith::Arena::new();
    let objects = text(&fixture(name).join("objects.yaml"));
    let objects = kindsmith::yaml::parse(&arena, objects.as_bytes()).expect("YAML");
    let objects: Vec<Value> = serde_json::from_str(&kindsmith_json::to_string(objects)).expect("a list");
    assert!(!objects.is_empty());
    for mut object in objects {
        object["apiVersion"] = json!(format!("{}/{}", T::GROUP, T::VERSION));
        object["kind"] = json!(T::KIND);
        object["metadata"] = json!({"name": "a"});
        let answer = |kinds: &Kinds| {
            let review = kinds.admit(&object).expect("a known kind");
            let errors: Vec<String> = review.errors.iter().map(ToString::to_string).collect();
            (errors, review.object)
        };
        // Types declare fields in their own order, CRDs sort them; a real server's order is random.
        let sorted = |(mut errors, object): (Vec<String>, Option<Value>)| {
            errors.sort();
            (errors, object)
        };
        let expected = answer(&of_crd);
        assert_eq!(answer(&of_rust), expected, "{object}");
        if let Some(by_hand) = &by_hand {
            assert_eq!(sorted(answer(by_hand)), sorted(expected.clone()), "{object}");
        }
        assert_eq!(sorted(answer(&of_go)), sorted(expected), "{object}");
    }
}

#[test]
fn a_gate_is_the_same_in_all_three_forms() {
    check::<gate::Gate>("gate");
}

#[test]
fn a_bed_is_the_same_in_all_three_forms() {
    check::<garden::Bed>("garden");
}

#[test]
fn a_database_is_the_same_in_all_three_forms() {
    check::<database::Database>("database");
}

#[test]
fn a_boat_is_the_same_in_all_three_forms() {
    check::<boat::Boat>("boat");
}

#[test]
fn a_lamp_is_the_same_in_all_three_forms() {
    check::<lamp::Lamp>("lamp");
}

#[test]
fn a_fountain_is_the_same_in_all_three_forms() {
    check::<keep::Fountain>("keep");
}

#[test]
fn a_route_is_the_same_in_all_three_forms() {
    check::<route::Route>("route");
}

/// Folders of fixtures that are no API: a started project, cases of a command, and a kind of Kubernetes.
const OTHERS: [&str; 4] = ["first-look", "migrate", "pod", "three"];

#[test]
fn every_fixture_is_compared() {
    let own = text(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rust.rs"));
    for directory in ["", ".."] {
        let found = std::fs::read_dir(fixture(directory)).expect("a directory");
        let names = found.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        for name in names.filter(|name| !OTHERS.contains(&name.as_str())) {
            assert!(own.contains(&format!("(\"{name}\")")), "{name}");
        }
    }
}

/// The CRD in a project that `kindsmith init --rust` writes. `UPDATE=1` writes it.
#[test]
fn a_started_project_has_the_crd_of_its_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/src/command/init/rust/crd.yaml.txt");
    let crd = kindsmith::crd::<started::KINDSpec>().expect("the types are right");
    let crd = crd
        .replace("park.example.org", "GROUP")
        .replace("plural: kinds", "plural: PLURAL")
        .replace("name: kinds.", "name: PLURAL.")
        .replace("singular: kind", "singular: SINGULAR");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &crd).expect("it can be written");
    }
    assert!(text(&path) == crd, "{} is stale: {crd}", path.display());
}
