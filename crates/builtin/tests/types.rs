//! The server's own types are read without findings and contain what they should.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use kindsmith_builtin::types;
use kindsmith_object::feature_gate::Switch;
use kindsmith_object::meta::fields::{MANAGED_FIELDS_ENTRY, OBJECT_META, OWNER_REFERENCE};
use kindsmith_object::{Gate, Release};
use kindsmith_schema::{Schema, TypeName};

/// Packages that validation-gen treats as read-only, as in Kubernetes' own script.
const READ_ONLY: &[&str] = &[
    "k8s.io/apimachinery/pkg/api/resource",
    "k8s.io/apimachinery/pkg/runtime",
    "k8s.io/apimachinery/pkg/types",
    "k8s.io/apimachinery/pkg/util/intstr",
    "time",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn own_types_have_no_findings() {
    let read = types::read_own();
    let read_only: Vec<String> = READ_ONLY.iter().map(|&path| path.to_owned()).collect();
    let input = kindsmith_lint::Input {
        read_only: &read_only,
        included: kindsmith_lint::Included::Asked,
        ..kindsmith_lint::Input::new(&read.schema, &read.origins)
    };
    let mut findings = read.diagnostics;
    findings.extend(kindsmith_lint::check(input));
    let report = kindsmith_source::render::Report::new(&read.sources, &findings);
    assert!(
        findings.is_empty(),
        "{}",
        report.text(kindsmith_source::render::Style::default())
    );
}

/// Programs carry what the reader of Go makes of the files, not the reading.
#[test]
fn written_types_are_those_of_the_sources() {
    let folder = root().join("crates/builtin/src/types/written");
    let newest = types::read_own().schema.written();
    let mut stale = compare(&folder.join("newest.txt"), &newest);
    for &release in Release::KNOWN
        .iter()
        .filter(|release| **release != Release::NEWEST)
    {
        let changes = Schema::written_changes(&newest, &types::read_release(release).schema.written());
        stale |= compare(&folder.join(format!("{release}.txt")), &changes);
    }
    assert!(
        !stale,
        "write them: UPDATE=1 cargo test -p kindsmith-builtin --test it types::written"
    );
    for &release in Release::KNOWN {
        assert_eq!(
            **types::schema_of(release),
            types::read_release(release).schema,
            "{release}"
        );
    }
}

/// Whether a file has another text, which is written if the environment says so.
fn compare(path: &Path, text: &str) -> bool {
    let is_stale = fs::read_to_string(path).unwrap_or_default() != text;
    if is_stale && std::env::var_os("UPDATE").is_some() {
        fs::write(path, text).expect("the file can be written");
    }
    is_stale
}

#[test]
fn no_type_is_unknown() {
    let schema = types::own_schema();
    let holes: Vec<String> = schema
        .types()
        .filter(|(id, ty)| schema.is_hole(*id) && ty.well_known.is_none())
        .map(|(_, ty)| ty.name.to_string())
        .collect();
    assert_eq!(holes, Vec::<String>::new());
}

/// Fields and rules name gates of the table, and it has no others for them.
#[test]
fn gates_of_fields_and_rules_are_those_of_the_table() {
    let schema = types::own_schema();
    let fields = schema.types().flat_map(|(id, _)| schema.fields(id));
    let markers = fields.flat_map(|(_, field)| &field.markers);
    let named = markers.filter(|(name, _)| &**name == "featureGate");
    let named: BTreeSet<&str> = named.map(|(_, gate)| &**gate).collect();
    let known = |switch: Switch| -> BTreeSet<&str> {
        let gates = Gate::ALL.iter().filter(|gate| gate.switch() == switch);
        gates.map(|gate| gate.name()).collect()
    };
    assert_eq!(named, known(Switch::Fields));
    assert_eq!(schema.option_names(), known(Switch::Rules));
}

/// The files compiled in are those of the directory.
#[test]
fn every_source_is_compiled_in() {
    let mut found = BTreeSet::new();
    collect(&root().join("api"), "api", &mut found);
    let schema = types::read_own();
    let read: BTreeSet<String> = schema
        .sources
        .files()
        .map(|(_, file)| file.name().to_owned())
        .filter(|name| name.starts_with("api/"))
        .collect();
    assert_eq!(read, found);
}

fn collect(directory: &Path, name: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).expect("the directory is part of the project") {
        let entry = entry.expect("it can be listed");
        let path = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &path, found);
        } else if path.ends_with(".go") {
            found.insert(path);
        }
    }
}

fn field<'a>(schema: &'a Schema, package: &str, ty: &str, name: &str) -> &'a kindsmith_schema::Field {
    let id = schema
        .find(&TypeName::new(package, ty))
        .unwrap_or_else(|| panic!("no type {ty}"));
    let mut fields = schema.ty(id).fields().iter();
    fields
        .find(|field| field.json_name() == Some(name))
        .unwrap_or_else(|| panic!("no field {name}"))
}

#[test]
fn facts_of_the_published_types_are_present() {
    let schema = types::own_schema();
    let ports = field(schema, "k8s.io/api/core/v1", "Container", "ports");
    assert_eq!(ports.protobuf.as_deref(), Some("bytes,6,rep,name=ports"));
    assert_eq!(ports.patch.merge_key.as_deref(), Some("containerPort"));
    let replicas = field(
        schema,
        "k8s.io/api/core/v1",
        "ReplicationControllerSpec",
        "replicas",
    );
    let rules: Vec<&str> = replicas.rules.iter().map(|rule| rule.facet.name()).collect();
    assert!(rules.contains(&"minimum"), "tags on a versioned type: {rules:?}");
    let protocol = field(schema, "k8s.io/api/core/v1", "ServicePort", "protocol");
    let default = protocol.default.as_ref().and_then(|default| default.value());
    assert_eq!(default.map(ToString::to_string).as_deref(), Some("\"TCP\""));
}

/// The tables in `kindsmith_object` for decoding metadata match the Go types.
#[test]
fn metadata_tables_match_the_go_types() {
    let schema = types::own_schema();
    let declared = |ty: &str| -> Vec<&str> {
        let id = types::meta_type(ty).unwrap_or_else(|| panic!("no type {ty}"));
        schema
            .ty(id)
            .fields()
            .iter()
            .filter_map(|field| field.json_name())
            .collect()
    };
    let names: Vec<&str> = OBJECT_META.iter().map(|known| known.field.name).collect();
    assert_eq!(names, declared("ObjectMeta"));
    for structure in [&OWNER_REFERENCE, &MANAGED_FIELDS_ENTRY] {
        let mut names: Vec<&str> = structure.fields.iter().map(|field| field.name).collect();
        let mut declared = declared(structure.name);
        names.sort_unstable();
        declared.sort_unstable();
        assert_eq!(names, declared);
    }
}
