//! Definitions generated from recorded packages are those of controller-gen, byte for byte, with our descriptions of
//! library types (`conformance/README.md`).
#![expect(clippy::print_stdout, reason = "a test run says how much it compared")]

use std::collections::BTreeMap;
use std::path::Path;

use kindsmith_generate::controller_gen::{self, Generated, Options, Release};
use kindsmith_testkit::{GoPackages, entries, name, recordings, text};

/// The recordings below `gen` are older than v0.23.
const RELEASE: Release = Release::V22;

fn packages() -> GoPackages {
    GoPackages::default()
        .module("example.org/gen", "gen")
        .opaque_containers()
}

/// Generates from the packages of a recorded API below `only`.
fn generated(api: &Path, only: &str, options: &Options) -> Generated {
    let packages = packages().tree(api, &format!("gen/{}", name(api)));
    controller_gen::definitions(&packages.read(&format!("gen/{only}/...")).schema, options)
}

/// Compares what was generated with a recorded directory.
fn compare(case: &str, generated: &Generated, recorded: &Path, wrong: &mut String) -> usize {
    let mut expected: BTreeMap<String, String> = entries(recorded)
        .iter()
        .filter(|path| name(path).ends_with(".yaml"))
        .map(|path| (name(path), text(path)))
        .collect();
    let count = expected.len();
    for problem in &generated.problems {
        *wrong += &format!("{case}: {}\n", problem.message);
    }
    for definition in &generated.definitions {
        match expected.remove(&definition.file_name) {
            None => *wrong += &format!("{case}: {} is not recorded\n", definition.file_name),
            Some(text) if text == definition.text => {}
            Some(text) => {
                *wrong += &difference(
                    &format!("{case}/{}", definition.file_name),
                    &text,
                    &definition.text,
                );
            }
        }
    }
    for missing in expected.keys() {
        *wrong += &format!("{case}: {missing} was not generated\n");
    }
    count
}

/// The first lines that differ.
fn difference(name: &str, expected: &str, found: &str) -> String {
    let pairs = expected.lines().zip(found.lines()).enumerate();
    for (line, (expected, found)) in pairs {
        if expected != found {
            return format!(
                "{name}:{}:\n  expected {expected}\n  found    {found}\n",
                line + 1
            );
        }
    }
    format!("{name}: one ends before the other\n")
}

#[test]
fn crds_equal_those_of_controller_gen() {
    let (mut wrong, mut count) = (String::new(), 0);
    for recorded in entries(&recordings("gen/crd")) {
        let api = name(&recorded);
        let options = Options {
            allow_dangerous_types: api == "barometer",
            release: RELEASE,
            ..Options::default()
        };
        let generated = generated(&recordings("gen/types").join(&api), &api, &options);
        count += compare(&api, &generated, &recorded, &mut wrong);
    }
    println!("{count} definitions");
    assert!(wrong.is_empty() && count > 0, "not as recorded:\n{wrong}");
}

/// The options a recorded command line was run with, and the packages it named.
fn recorded_options(command: &str, directory: &Path) -> (Options, String) {
    let mut options = Options {
        release: RELEASE,
        ..Options::default()
    };
    let (generator, paths) = command.trim().split_once(" paths=./").expect("a command");
    let (_, settings) = generator.split_once('\'').expect("quotes");
    let settings = settings.trim_end_matches('\'');
    let mut year = "";
    for setting in settings
        .strip_prefix("crd")
        .expect("a generator")
        .trim_start_matches(':')
        .split(',')
    {
        match setting.split_once('=').unwrap_or((setting, "")) {
            ("", _) => {}
            ("headerFile", file) => options.header = text(&directory.join(file)),
            ("year", value) => year = value,
            ("allowDangerousTypes", value) => options.allow_dangerous_types = value == "true",
            ("maxDescLen", value) => options.max_description = value.parse().ok(),
            ("generateEmbeddedObjectMeta", value) => options.embedded_object_meta = value == "true",
            ("deprecatedV1beta1CompatibilityPreserveUnknownFields", value) => {
                options.preserve_unknown_fields = Some(value == "true");
            }
            ("ignoreUnexportedFields", value) => options.ignore_unexported_fields = value == "true",
            (other, _) => panic!("unknown option {other}"),
        }
    }
    options.header = options.header.replace(" YEAR", &format!(" {year}"));
    (options, paths.trim_end_matches("/...").to_owned())
}

#[test]
fn options_have_the_effect_they_have_in_controller_gen() {
    let (mut wrong, mut count) = (String::new(), 0);
    for recorded in entries(&recordings("gen/crd-options")) {
        let command = text(&recorded.join("COMMAND.txt"));
        let (options, path) = recorded_options(&command, &recorded);
        let api = path.split('/').next().expect("a name");
        let generated = generated(&recordings("gen/types").join(api), &path, &options);
        count += compare(&name(&recorded), &generated, &recorded, &mut wrong);
    }
    println!("{count} definitions");
    assert!(wrong.is_empty() && count > 0, "not as recorded:\n{wrong}");
}

#[test]
fn more_crds_equal_those_of_controller_gen() {
    let (mut wrong, mut count) = (String::new(), 0);
    for recorded in entries(&recordings("gen-more/crd")) {
        let api = name(&recorded);
        let types = recordings("gen-more/types").join(&api);
        let options = Options {
            release: RELEASE,
            ..Options::default()
        };
        let generated = generated(&types, &api, &options);
        count += compare(&api, &generated, &recorded, &mut wrong);
    }
    println!("{count} definitions");
    assert!(wrong.is_empty() && count > 0, "not as recorded:\n{wrong}");
}

/// The CRD of a kind with a member of a library type whose members have tags.
fn with_library(tag: &str, tags: controller_gen::Tags) -> String {
    let library =
        "package lib\n\ntype Part struct {\n\t// +k8s:maxBytes=5\n\tName string `json:\"name\"`\n}\n";
    let api = format!(
        "// +groupName=x.org\npackage v1\n\nimport (\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\
         \t\"example.org/gen/lib\"\n)\n\ntype Whole struct {{\n\tmetav1.TypeMeta `json:\",inline\"`\n\
         \tmetav1.ObjectMeta `json:\"metadata\"`\n\tPart lib.Part `json:\"part\"`\n\
         \t// {tag}\n\tOwn string `json:\"own\"`\n}}\n"
    );
    let packages = packages().file("gen/lib/t.go", library).file("gen/v1/t.go", api);
    let read = packages.read("gen/v1");
    let options = Options {
        tags,
        ..Options::default()
    };
    let made = controller_gen::definitions(&read.schema, &options);
    made.definitions.into_iter().map(|made| made.text).collect()
}

#[test]
fn tags_of_libraries_count_if_the_input_uses_tags() {
    use controller_gen::Tags;
    let marker = "+kubebuilder:validation:MaxLength=3";
    assert_eq!(
        with_library(marker, Tags::Used),
        with_library(marker, Tags::Ignore)
    );
    assert_eq!(
        with_library("+k8s:maxBytes=3", Tags::Used),
        with_library("+k8s:maxBytes=3", Tags::All)
    );
    assert_ne!(
        with_library(marker, Tags::All),
        with_library(marker, Tags::Ignore)
    );
}
