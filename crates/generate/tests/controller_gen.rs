//! Definitions generated from recorded packages are those of controller-gen, byte for byte, with our descriptions of
//! library types (`conformance/README.md`).
#![expect(clippy::print_stdout, reason = "a test run says how much it compared")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use kindsmith_generate::controller_gen::{self, Generated, Options};
use kindsmith_go::package::{Loader, MemoryFiles, Options as LoadOptions};
use kindsmith_go::{Profile, Read};

fn root() -> PathBuf {
    recordings("gen")
}

fn recordings(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance")
        .join(name)
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(directory)
        .expect("recordings are there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Adds the Go files below a directory, and collects the directories that contain some.
fn add(files: &mut MemoryFiles, directory: &Path, below: &str, packages: &mut Vec<String>) {
    for entry in entries(directory) {
        let name = name(&entry);
        if entry.is_dir() {
            add(files, &entry, &format!("{below}/{name}"), packages);
        } else if name.ends_with(".go") {
            files.add(
                format!("{below}/{name}"),
                fs::read_to_string(&entry).expect("text"),
            );
            packages.push(below.to_owned());
        }
    }
    packages.dedup();
}

/// Reads the packages of a directory below `only`.
fn read(directory: &Path, below: &str, only: &str) -> Read {
    let mut files = MemoryFiles::default();
    let mut directories = Vec::new();
    add(&mut files, directory, below, &mut directories);
    let load = LoadOptions {
        modules: vec![("example.org/gen".to_owned(), "gen".to_owned())],
        ..LoadOptions::default()
    };
    let mut loader = Loader::new(&files, load);
    let packages = directories
        .iter()
        .filter(|directory| *directory == only || directory.starts_with(&format!("{only}/")))
        .flat_map(|directory| loader.load(directory))
        .collect();
    kindsmith_go::read(loader, packages, Profile::Upstream)
}

/// Generates from the packages of an API below `only`.
fn generated(api: &str, only: &str, options: &Options) -> Generated {
    let read = read(&root().join("types").join(api), &format!("gen/{api}"), only);
    controller_gen::definitions(&read.schema, options)
}

/// Compares what was generated with a recorded directory.
fn compare(case: &str, generated: &Generated, recorded: &Path, wrong: &mut String) -> usize {
    let mut expected: BTreeMap<String, String> = entries(recorded)
        .iter()
        .filter(|path| name(path).ends_with(".yaml"))
        .map(|path| (name(path), fs::read_to_string(path).expect("text")))
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
    for recorded in entries(&root().join("crd")) {
        let api = name(&recorded);
        let options = Options {
            allow_dangerous_types: api == "barometer",
            ..Options::default()
        };
        let generated = generated(&api, &format!("gen/{api}"), &options);
        count += compare(&api, &generated, &recorded, &mut wrong);
    }
    println!("{count} definitions");
    assert!(wrong.is_empty() && count > 0, "not as recorded:\n{wrong}");
}

/// The options a recorded command line was run with, and the packages it named.
fn recorded_options(command: &str, directory: &Path) -> (Options, String) {
    let mut options = Options::default();
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
            ("headerFile", file) => options.header = fs::read_to_string(directory.join(file)).expect("text"),
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
    for recorded in entries(&root().join("crd-options")) {
        let command = fs::read_to_string(recorded.join("COMMAND.txt")).expect("text");
        let (options, path) = recorded_options(&command, &recorded);
        let api = path.split('/').next().expect("a name");
        let generated = generated(api, &format!("gen/{path}"), &options);
        count += compare(&name(&recorded), &generated, &recorded, &mut wrong);
    }
    println!("{count} definitions");
    assert!(wrong.is_empty() && count > 0, "not as recorded:\n{wrong}");
}

#[test]
fn more_crds_equal_those_of_controller_gen() {
    let (mut wrong, mut count) = (String::new(), 0);
    let more = recordings("gen-more");
    for recorded in entries(&more.join("crd")) {
        let api = name(&recorded);
        let below = format!("gen/{api}");
        let read = read(&more.join("types").join(&api), &below, &below);
        let generated = controller_gen::definitions(&read.schema, &Options::default());
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
    let files: MemoryFiles = [("gen/lib/t.go", library), ("gen/v1/t.go", &*api)]
        .into_iter()
        .collect();
    let load = LoadOptions {
        modules: vec![("example.org/gen".to_owned(), "gen".to_owned())],
        ..LoadOptions::default()
    };
    let mut loader = Loader::new(&files, load);
    let packages = loader.load("gen/v1");
    let read = kindsmith_go::read(loader, packages, Profile::Upstream);
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
