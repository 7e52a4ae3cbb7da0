//! `--profile kep` in every command, and tags that have no effect.

use std::path::{Path, PathBuf};

use crate::binary::{self, kindsmith, with_input};

/// A directory for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, types: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("profile-{name}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("api")).expect("it can be made");
        let folder = Self(path);
        let doc = "// +groupName=demo.example.org\n// +k8s:openapi-gen=true\n// +k8s:validation-gen=TypesWithField=TypeMeta\n\
                   // +k8s:validation-gen-nolint\n// +k8s:defaulter-gen=TypeMeta\npackage v1\n";
        folder.write("api/doc.go", doc);
        folder.write(
            "api/types.go",
            &format!(
                "package v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n// +genclient\n// +kubebuilder:object:root=true\n\
                 type Gate struct {{\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\
                 \tSpec GateSpec `json:\"spec\"`\n}}\n{types}"
            ),
        );
        folder
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("it can be written");
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Runs a command; `API` stands for the package, `DIR` for the directory.
    fn run(&self, words: &str) -> binary::Run {
        kindsmith(&self.words(words))
    }

    fn words(&self, words: &str) -> String {
        words
            .replace("API", &self.path("api"))
            .replace("DIR", &self.path(""))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const MISTAKES: &str = "
type GateSpec struct {
	// +k8s:maxLenght=3
	Name string `json:\"name,omitempty\"`
	// +k8s:minItems=3
	Size int32 `json:\"size,omitempty\"`
	// +k8s:exclusiveMinimum=3
	Low int32 `json:\"low,omitempty\"`
}
";

const GATE: &str =
    "apiVersion: demo.example.org/v1\nkind: Gate\nmetadata: {name: g}\nspec: {name: north, low: 1}\n";

#[test]
fn lost_tags_are_told_and_strict_is_fatal() {
    let folder = Folder::new("lost", MISTAKES);
    folder.write("gate.yaml", GATE);
    let told = [
        "types.go:14:6: unknown tag \"k8s:maxLenght\"; did you mean +k8s:maxLength?",
        "types.go:16:6: tag \"k8s:minItems\": can only be used on list types (int32)",
        "types.go:18:6: validation-gen ignores \"k8s:exclusiveMinimum\"",
    ];
    for command in [
        "check -f DIR/gate.yaml --types API",
        "normalize -f DIR/gate.yaml --types API",
        "explain Gate.spec --types API",
        "apply --dry-run -f DIR/gate.yaml --types API",
    ] {
        let run = folder.run(command);
        for line in told {
            assert!(run.stderr.contains(line), "{command}: {}", run.stderr);
        }
        assert_eq!(run.code, Some(0), "{command}: {}", run.stderr);
        let strict = folder.run(&format!("{command} --strict"));
        assert_eq!(strict.code, Some(2), "{command}: {}", strict.stderr);
        assert!(
            strict
                .stderr
                .contains("3 tags of the packages would not be enforced"),
            "{}",
            strict.stderr
        );
    }
    let run = with_input(&folder.words("eval --types API"), "");
    assert!(run.stderr.contains(told[0]), "{}", run.stderr);
    let strict = folder.run("serve --types API --store memory --strict");
    assert_eq!(strict.code, Some(2), "{}", strict.stderr);
}

const FORBIDDEN: &str = "
type GateSpec struct {
	// +default={\"name\": \"entry\", \"number\": 12}
	Entry SubLevel `json:\"entry\"`
	// +default=\"default-name\"
	Invalid string `json:\"invalid\"`
	// +default=\"seven\"
	Size int32 `json:\"size,omitempty\"`
	// +default={\"nme\": \"x\"}
	Pointer *SubLevel `json:\"pointer,omitempty\"`
}

type SubLevel struct {
	Name string `json:\"name,omitempty\"`
	Number int `json:\"number\"`
}
";

#[test]
fn forbidden_defaults_are_refused_everywhere() {
    let folder = Folder::new("forbidden", FORBIDDEN);
    folder.write("gate.yaml", GATE);
    for (command, code) in [
        ("gen crd API --out DIR/crds", 1),
        ("gen openapi API --v3", 1),
        ("gen go API", 1),
        ("gen docs API --out DIR/docs", 1),
        ("check -f DIR/gate.yaml --types API", 2),
        ("normalize -f DIR/gate.yaml --types API", 2),
        ("explain Gate --types API", 2),
        ("apply --dry-run -f DIR/gate.yaml --types API", 2),
        ("serve --types API --store memory", 2),
    ] {
        let run = folder.run(&format!("{command} --profile kep"));
        assert_eq!(run.code, Some(code), "{command}: {}{}", run.stdout, run.stderr);
        for text in [
            "If specified, must be: {}",
            "If specified, must be: \"\"",
            "the default must be a number, not a string",
            "the default has a member `nme` that the struct has not",
        ] {
            assert!(run.stderr.contains(text), "{command}: {text}: {}", run.stderr);
        }
    }
}

const READ_TWICE: &str = "
// +default=\"apple\"
type Fruit string

type GateSpec struct {
	// +k8s:optional
	// +k8s:immutable
	Once *string `json:\"once,omitempty\"`
	// +k8s:optional
	// +k8s:exclusiveMinimum=3
	Low int32 `json:\"low,omitempty\"`
	Fruit Fruit `json:\"fruit,omitempty\"`
	Fruits []Fruit `json:\"fruits,omitempty\"`
	// +default=\"x\"
	Text string `json:\"text,omitempty\"`
}
";

#[test]
fn every_command_honours_the_profile() {
    let folder = Folder::new("honour", READ_TWICE);
    folder.write("gate.yaml", &GATE.replace("name: north, low: 1", "text: \"\""));
    folder.write("low.yaml", &GATE.replace("name: north, ", ""));
    for (command, upstream, kep) in [
        (
            "check -f DIR/gate.yaml --types API --print yaml",
            "text: x\n",
            "text: x\n  fruit: apple\n",
        ),
        (
            "normalize -f DIR/gate.yaml --types API",
            "text: x\n",
            "fruit: apple\n",
        ),
        (
            "apply --dry-run -f DIR/gate.yaml --types API",
            "text: x\n",
            "fruit: apple\n",
        ),
        (
            "explain Gate.spec.once --types API",
            "may not change",
            "may not be unset, may not change once set",
        ),
        ("gen openapi API --v3", "\"items\":", "\"default\": \"apple\""),
        ("gen crd API --out -", "", ""),
    ] {
        let [one, two] = ["upstream", "kep"].map(|profile| {
            let run = folder.run(&format!("{command} --profile {profile}"));
            run.stdout + &run.stderr
        });
        assert!(one.contains(upstream), "{command}: {one}");
        assert!(two.contains(kep), "{command}: {two}");
    }
    let run = folder.run("check -f DIR/low.yaml --types API --profile kep");
    assert!(run.stdout.contains("must be greater than 3"), "{}", run.stdout);
    let run = folder.run("check -f DIR/low.yaml --types API");
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    let request = "{\"type\":\"GateSpec\",\"obj\":{\"low\":1}}\n{\"type\":\"GateSpec\",\"obj\":{\"low\":1},\"profile\":\"kep\"}\n";
    let run = with_input(&folder.words("eval --types API"), request);
    let answers: Vec<&str> = run.stdout.lines().collect();
    assert!(answers[0].contains("\"errors\":[]"), "{}", answers[0]);
    assert!(answers[1].contains("must be greater than 3"), "{}", answers[1]);
}

#[test]
fn check_knows_kinds_by_version_and_metadata() {
    let folder = Folder::new(
        "identity",
        "\ntype GateSpec struct {\n\t// +k8s:optional\n\tName string `json:\"name,omitempty\"`\n}\n",
    );
    folder.write("gate.yaml", &GATE.replace(", low: 1", ""));
    let run = folder.run("check -f DIR/gate.yaml --types API");
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    folder.write(
        "gate.yaml",
        &GATE.replace("org/v1", "org/v2").replace(", low: 1", ""),
    );
    let run = folder.run("check -f DIR/gate.yaml --types API");
    assert!(
        run.stdout.contains("no schema for demo.example.org/v2 Gate"),
        "{}",
        run.stdout
    );
    folder.write(
        "gate.yaml",
        &GATE.replace("name: g", "name: Bad_Name").replace(", low: 1", ""),
    );
    let run = folder.run("check -f DIR/gate.yaml --types API");
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout.contains("metadata.name: Invalid value: \"Bad_Name\""),
        "{}",
        run.stdout
    );
}

const PLAIN: &str = "
// +default=\"apple\"
type Fruit string

type GateSpec struct {
	Entry SubLevel `json:\"entry\"`
	Fruits []Fruit `json:\"fruits,omitempty\"`
	Named map[string]Fruit `json:\"named,omitempty\"`
}

type SubLevel struct {
	Size int64 `json:\"size\"`
}
";

#[test]
fn crds_of_plain_packages_have_the_defaults_of_the_kep() {
    let folder = Folder::new("plain", PLAIN);
    folder.write("api/doc.go", "// +groupName=demo.example.org\npackage v1\n");
    let run = folder.run("gen crd API --out - --profile kep");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for part in [
        "entry:\n                default: {}\n",
        "size:\n                    default: 0\n",
        "items:\n                  default: apple\n",
        "additionalProperties:\n                  default: apple\n",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    let run = folder.run("gen crd API --out -");
    assert!(!run.stdout.contains("default: {}"), "{}", run.stdout);
    assert!(!run.stdout.contains("default: 0"), "{}", run.stdout);
}

#[test]
fn omitempty_on_structs_is_a_finding_of_the_kep() {
    let types = "\ntype GateSpec struct {\n\tEntry SubLevel `json:\"entry,omitempty\"`\n}\n\ntype SubLevel struct {\n\tSize int64 `json:\"size\"`\n}\n";
    let folder = Folder::new("omitempty", types);
    let told = "field `GateSpec.Entry` is a struct, so `omitempty` does nothing";
    let run = folder.run("lint API --profile kep");
    assert!(run.stdout.contains(told), "{}{}", run.stdout, run.stderr);
    let run = folder.run("lint API --profile kep --ignore struct-omitempty");
    assert!(!run.stdout.contains(told), "{}", run.stdout);
    let run = folder.run("lint API");
    assert!(!run.stdout.contains(told), "{}", run.stdout);
}

#[test]
fn crd_size_knows_the_arguments_of_the_project() {
    let story = "\t// It is a long story, as all widths are.\n".repeat(10_000);
    let types = format!("\ntype GateSpec struct {{\n{story}\tWidth int64 `json:\"width\"`\n}}\n");
    let folder = Folder::new("size", &types);
    folder.write("api/doc.go", "// +groupName=demo.example.org\npackage v1\n");
    folder.write("go.mod", "module example.org/demo\n\ngo 1.26\n");
    let found = || folder.run("lint API").stdout.contains("[crd-size]");
    assert!(found(), "descriptions are kept");
    folder.write(
        "Makefile",
        "manifests:\n\t$(CONTROLLER_GEN) crd:maxDescLen=0 paths=./...\n",
    );
    assert!(!found(), "the project leaves descriptions out");
}
