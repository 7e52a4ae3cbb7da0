//! `gen go --profile kep` accepts the examples of KEP-5073 as they are written there: without requiredness on every field,
//! with comments after tags, and with tags on what is always set. Names are ours.

use std::fs;
use std::path::{Path, PathBuf};

use kindsmith_testkit::go_toolchain::Go;

use crate::binary::kindsmith;

/// The examples, each with its section.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "summary",
        "type HiveSpec struct {
	// +k8s:optional
	// +k8s:minimum=0
	Bees *int32 `json:\"bees,omitempty\"`

	// +k8s:optional
	// +k8s:minimum=0
	Warmup int32 `json:\"warmup,omitempty\"`
}",
    ),
    (
        "enum",
        "type Plan struct {
	Type PlanType
}

// +k8s:enum // <- read by the generator
type PlanType string

const (
	Swarm PlanType = \"Swarm\"
	Split PlanType = \"Split\"
)",
    ),
    (
        "subfield",
        "type Struct struct {
	// +k8s:subfield(name)=+k8s:format=dns-label
	metav1.ObjectMeta
}",
    ),
    (
        "typedefs",
        "// +k8s:minLength=4
type Queen string

// +k8s:maxLength=16
type Heir Queen

type Court struct {
	// +k8s:format=dns-label
	Ruler Queen

	// +k8s:format=dns-label
	Next Heir
}",
    ),
    (
        "lifecycle",
        "type HiveSpec struct {
	// +k8s:optional
	Plan *Plan
}

type Plan struct {
	// +k8s:update=NoSet
	// +k8s:update=NoModify
	// +k8s:update=NoClear
	Type string
}",
    ),
    (
        "items",
        "type HiveStatus struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:item(type: \"Sealed\")=+k8s:update=NoSet
	// +k8s:item(type: \"Sealed\")=+k8s:update=NoModify
	// +k8s:item(type: \"Sealed\")=+k8s:update=NoClear
	Conditions []Condition
}

type Condition struct {
	Type   string `json:\"type\"`
	Status string `json:\"status\"`
}",
    ),
    (
        "chained",
        "type Volume struct {
	// +k8s:optional
	// +k8s:subfield(name)=+k8s:update=NoSet
	// +k8s:subfield(name)=+k8s:update=NoModify
	// +k8s:subfield(name)=+k8s:update=NoClear
	metav1.ObjectMeta
}",
    ),
    (
        "patterns",
        "type HiveSpec struct {
	// +k8s:required
	Bees *int32
}

type VolumeStatus struct {
	// +k8s:optional
	// +k8s:update=NoClear
	Phase *VolumePhase
}

type VolumePhase string

type ClaimSpec struct {
	// +k8s:optional
	// +k8s:update=NoModify
	// +k8s:update=NoClear
	Volume string
}

type VolumeSpec struct {
	// +k8s:required
	// +k8s:immutable
	Capacity map[string]string
}

type PodSpec struct {
	// +k8s:optional
	// +k8s:immutable // as the three modes together
	HostNetwork bool
}",
    ),
    (
        "bounds",
        "type Config struct {
	Low  int32 `json:\"low\"`
	High int32 `json:\"high\"`

	// +k8s:minimum(constraint: low)
	// +k8s:maximum(constraint: high)
	Current int32 `json:\"current\"`
}",
    ),
    (
        "targets",
        "// +k8s:minimum(target: current, constraint: low)
// +k8s:maximum(target: current, constraint: high)
type Config struct {
	Low     int32 `json:\"low\"`
	High    int32 `json:\"high\"`
	Current int32 `json:\"current\"`
}",
    ),
    (
        "virtual",
        "type Config struct {
	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:union(union: ended)
	// +k8s:listMapItem(type: \"Done\")=+k8s:memberOf(group: ended)
	// +k8s:listMapItem(type: \"Lost\")=+k8s:memberOf(group: ended)
	Conditions []Condition `json:\"conditions\"`
}

type Condition struct {
	Type   string `json:\"type\"`
	Status string `json:\"status\"`
}",
    ),
    (
        "comprehensive",
        "type Config struct {
	Low  int `json:\"low\"`
	Edge int `json:\"edge\"`

	// +k8s:minimum(constraint: low)
	// +k8s:maximum(constraint: limits.high)
	Current int `json:\"current\"`

	Limits Limits `json:\"limits\"`

	// +k8s:eachVal=+k8s:maximum(constraint: edge)
	Steps []int `json:\"steps\"`

	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:union(union: ended)
	// +k8s:listMapItem(type: \"Done\")=+k8s:memberOf(group: ended)
	// +k8s:listMapItem(type: \"Lost\")=+k8s:memberOf(group: ended)
	Conditions []Condition `json:\"conditions\"`
}

type Limits struct {
	High int `json:\"high\"`
}

type Condition struct {
	Type   string `json:\"type\"`
	Status string `json:\"status\"`
}",
    ),
];

/// A package with declarations.
fn package(test: &str, version: &str, declarations: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("gen_go_kep")
        .join(test);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join(version)).expect("the build directory can be written");
    let module = "module example.org/hive\n\ngo 1.26\n".to_owned();
    let files = sources(version, declarations).into_iter();
    for (name, text) in files.chain([("go.mod".to_owned(), module)]) {
        fs::write(directory.join(name), text).expect("the build directory can be written");
    }
    directory
}

/// The files of a package in the directory of its version.
fn sources(version: &str, declarations: &str) -> [(String, String); 2] {
    let import = if declarations.contains("metav1.") {
        "import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n"
    } else {
        ""
    };
    [
        (
            format!("{version}/doc.go"),
            format!("// +k8s:validation-gen=*\npackage {version}\n"),
        ),
        (
            format!("{version}/types.go"),
            format!("package {version}\n\n{import}{declarations}\n"),
        ),
    ]
}

#[test]
fn the_examples_of_the_kep_become_code() {
    let mut refused = Vec::new();
    for (name, declarations) in EXAMPLES {
        let directory = package(name, "v1alpha1", declarations);
        let run = kindsmith(&format!("gen go --profile kep {}/...", directory.display()));
        let made = directory.join("v1alpha1/zz_generated.validations.go");
        if run.code != Some(0) || !made.exists() {
            refused.push(format!("{name}: {:?}\n{}", run.code, run.stderr));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// Where generated code registers its functions. A scheme takes objects only, so all types are objects here.
fn register(declarations: &str) -> String {
    let mut text = "package v1alpha1\n\nimport (\n\t\"k8s.io/apimachinery/pkg/runtime\"\n\t\"k8s.io/apimachinery/pkg/runtime/schema\"\n)\n\n\
                    var localSchemeBuilder runtime.SchemeBuilder\n"
        .to_owned();
    let types = declarations.lines().filter_map(|line| line.strip_prefix("type "));
    for name in types.filter_map(|rest| rest.split(' ').next()) {
        text += &format!(
            "\nfunc (in *{name}) DeepCopyObject() runtime.Object {{ return in }}\n\n\
             func (in *{name}) GetObjectKind() schema.ObjectKind {{ return schema.EmptyObjectKind }}\n"
        );
    }
    text
}

#[test]
fn code_for_the_examples_of_the_kep_compiles() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gen_go_kep_compiled");
    let Some(go) = Go::new(directory, "compiling the code of the KEP's examples") else {
        return;
    };
    go.module_file("example.org/hive");
    for (name, declarations) in EXAMPLES {
        for (file, text) in sources("v1alpha1", declarations) {
            go.write(&format!("{name}/{file}"), &text);
        }
        go.write(&format!("{name}/v1alpha1/register.go"), &register(declarations));
    }
    let run = kindsmith(&format!("gen go --profile kep {}/...", go.directory.display()));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    go.run(&["build", "./..."]);
    go.gofmt();
}

#[test]
fn optional_and_required_exclude_each_other_by_the_kep() {
    let both = "type T struct {\n\t// +k8s:optional\n\t// +k8s:required\n\tName *string `json:\"name,omitempty\"`\n}";
    let run = kindsmith(&format!(
        "gen go --profile kep {}/...",
        package("both", "v1alpha1", both).display()
    ));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("+k8s:optional and +k8s:required exclude each other"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_missing_pointer_without_tags_is_not_followed() {
    let types = "type Outer struct {\n\tInner *Inner `json:\"inner,omitempty\"`\n}\n\ntype Inner struct {\n\t// +k8s:maxLength=3\n\tName string `json:\"name\"`\n}";
    let directory = package("missing", "v1alpha1", types);
    let run = kindsmith(&format!("gen go --profile kep {}/...", directory.display()));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let made = fs::read_to_string(directory.join("v1alpha1/zz_generated.validations.go")).expect("written");
    let guarded =
        "\tif obj != nil {\n\t\terrs = append(errs, Validate_Inner(ctx, op, fldPath, obj, oldObj)...)\n\t}\n";
    assert!(made.contains(guarded), "{made}");
}

#[test]
fn alpha_tags_stand_in_beta_apis_by_the_kep() {
    let types = "type T struct {\n\t// +k8s:optional\n\t// +k8s:neq=\"x\"\n\tName *string `json:\"name,omitempty\"`\n}";
    for (profile, version, code) in [
        ("kep", "v1alpha1", 0),
        ("kep", "v1beta1", 0),
        ("kep", "v1", 1),
        ("upstream", "v1alpha1", 0),
        ("upstream", "v1beta1", 1),
    ] {
        let directory = package(&format!("{profile}-{version}"), version, types);
        let run = kindsmith(&format!("gen go --profile {profile} {}/...", directory.display()));
        assert_eq!(run.code, Some(code), "{profile} {version}: {}", run.stderr);
    }
}

#[test]
fn lint_writes_no_code() {
    for (name, tag, code) in [("fine", "maxLength=3", 0), ("wrong", "minItems=3", 1)] {
        let types = format!(
            "type T struct {{\n\t// +k8s:optional\n\t// +k8s:{tag}\n\tName *string `json:\"name,omitempty\"`\n}}"
        );
        let directory = package(&format!("lint-{name}"), "v1", &types);
        let run = kindsmith(&format!("gen go --lint {}/...", directory.display()));
        assert_eq!(run.code, Some(code), "{}", run.stderr);
        assert_eq!(run.stderr.contains("can only be used on list types"), code == 1);
        assert!(!directory.join("v1/zz_generated.validations.go").exists());
    }
}
