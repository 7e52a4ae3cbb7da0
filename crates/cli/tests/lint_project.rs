//! `kindsmith lint` in a project: settings, fixes, directives, baselines, and what the API server will say.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::binary;
use kindsmith_testkit::tool::{Tool, left_out};

const TYPES: &str = r#"package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

// Gate of a park.
type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec   `json:"spec"`
	Status Status `json:"status,omitempty"`
}

// Spec of a gate.
type Spec struct {
	// Width of the gate.
	// +kubebuilder:validation:Optional
	Width int32 `json:"width"`
	Height int32 `json:"height"` // +optional
	// +optional
	// +optional
	Name string `json:"name"`
	// open says whether the gate is open.
	// +optinal
	Open bool `json:"open,omitempty"`
}

// Status of a gate.
type Status struct {
	// +required
	OpenTimestamp metav1.Time `json:"openTimestamp"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
"#;

/// A project of one package, in a directory of its own.
fn project(name: &str, types: &str, settings: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("v1")).expect("the folder can be made");
    let doc = "// Package v1 has gates.\n// +groupName=park.example.org\npackage v1\n";
    for (file, text) in [
        ("go.mod", "module example.org/park\n\ngo 1.26\n"),
        ("kindsmith.toml", settings),
        ("v1/doc.go", doc),
        ("v1/types.go", types),
    ] {
        std::fs::write(folder.join(file), text).expect("the file can be written");
    }
    // Settings above this directory are of another project.
    std::fs::create_dir_all(folder.join(".git")).expect("the folder can be made");
    folder
}

fn lint(folder: &Path, words: &str) -> binary::Run {
    binary::kindsmith_in(folder, &format!("lint ./... {words}"))
}

/// Codes of the findings, in order.
fn codes(folder: &Path, words: &str) -> Vec<String> {
    let run = lint(folder, &format!("{words} -o json"));
    let report: serde_json::Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    let findings = report["diagnostics"].as_array().into_iter().flatten();
    findings
        .map(|finding| finding["code"].as_str().unwrap_or_default().to_owned())
        .collect()
}

fn types(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("v1/types.go")).expect("the file is there")
}

#[test]
fn settings_select_rules() {
    let folder = project(
        "settings",
        TYPES,
        "[lint]\nselect = [\"nobools\", \"notimestamp\"]\n",
    );
    assert_eq!(codes(&folder, ""), ["bool-field", "timestamp-name"]);
    assert_eq!(codes(&folder, "--ignore bool-field"), ["timestamp-name"]);
    assert_eq!(codes(&folder, "--select repeated-marker"), ["repeated-marker"]);
    let settings = "[lint]\nselect = [\"nobools\"]\n[lint.per-path]\n\"v1/**\" = { ignore = [\"all\"] }\n";
    let folder = project("paths", TYPES, settings);
    assert_eq!(codes(&folder, ""), [""; 0]);
}

#[test]
fn wrong_settings_are_told_with_their_line() {
    let folder = project("wrong", TYPES, "[lint]\nignor = []\n");
    let run = lint(&folder, "");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr
            .contains("line 2: unknown key `ignor`; did you mean `ignore`?"),
        "{}",
        run.stderr
    );
    let folder = project("unknown", TYPES, "");
    let run = lint(&folder, "--select bool-feild");
    assert!(
        run.stderr.contains("did you mean `bool-field`?"),
        "{}",
        run.stderr
    );
}

#[test]
fn safe_fixes_leave_the_api_alone() {
    let folder = project("safe", TYPES, "");
    let before = types(&folder);
    let run = lint(&folder, "--fix --extend-select conventions");
    assert!(run.stderr.contains("fixed "), "{}", run.stderr);
    let after = types(&folder);
    assert!(
        after.contains("\t// +optional\n\tHeight int32 `json:\"height\"`\n"),
        "{after}"
    );
    assert!(
        !after.contains("+optinal") && !after.contains("validation:Optional"),
        "{after}"
    );
    let fields = |text: &str| {
        let lines = text.lines().filter(|line| line.contains("json:"));
        let words = |line: &str| {
            line.split("//")
                .next()
                .unwrap_or_default()
                .split_whitespace()
                .collect::<String>()
        };
        lines.map(words).collect::<Vec<String>>()
    };
    assert_eq!(fields(&before), fields(&after));
}

#[test]
fn fixes_end_and_keep_the_form_of_gofmt() {
    let folder = project(
        "unsafe",
        TYPES,
        "[lint.rules.json-tag]\nfieldNameMatch = \"SuggestFix\"\n",
    );
    gofmt(&folder, "-w");
    lint(&folder, "--fix --unsafe --extend-select conventions");
    let once = types(&folder);
    assert!(once.contains("OpenTime "), "{once}");
    assert!(once.contains("*int32"), "{once}");
    lint(&folder, "--fix --unsafe --extend-select conventions");
    assert_eq!(types(&folder), once);
    if let Some(wrong) = gofmt(&folder, "-d") {
        assert_eq!(wrong, "");
    }
}

/// What gofmt prints, if it is there.
fn gofmt(folder: &Path, flag: &str) -> Option<String> {
    let run = Command::new("gofmt")
        .args([flag, "v1/types.go"])
        .current_dir(folder)
        .output();
    if run.is_err() {
        left_out(Tool::Go, "gofmt of fixed files");
    }
    Some(String::from_utf8_lossy(&run.ok()?.stdout).into_owned())
}

#[test]
fn a_baseline_hides_what_is_known() {
    let folder = project(
        "baseline",
        TYPES,
        "[lint]\nselect = [\"nobools\", \"notimestamp\"]\n",
    );
    let run = lint(&folder, "--write-baseline known.txt");
    assert_eq!(
        (run.code, &*run.stderr),
        (Some(0), "wrote 2 findings to known.txt\n")
    );
    assert_eq!(codes(&folder, "--baseline known.txt"), [""; 0]);
    // Lines move, a finding is new.
    let moved = TYPES.replace("// Spec of a gate.\n", "// Spec of\n// a gate.\n");
    let moved = moved.replace("Width int32 `json:\"width\"`", "Width bool `json:\"width\"`");
    std::fs::write(folder.join("v1/types.go"), moved).expect("the file can be written");
    assert_eq!(codes(&folder, "--baseline known.txt"), ["bool-field"]);
}

#[test]
fn explain_shows_the_page() {
    let run = binary::kindsmith("lint --explain nobools");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with("bool-field\n\nReported for kube-api-linter\n")
    );
    assert!(run.stdout.contains("kube-api-linter calls it `nobools`"));
}

/// A kind whose spec has these fields.
fn kind(fields: &str) -> String {
    format!(
        "package v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n// +kubebuilder:object:root=true\ntype Gate struct {{\n\
         \tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\tSpec Spec `json:\"spec\"`\n}}\n\n\
         type Spec struct {{\n{fields}}}\n"
    )
}

/// Line and text of what the server will say.
fn verdict(name: &str, fields: &str) -> String {
    let folder = project(name, &kind(fields), "");
    let run = lint(&folder, "-o json");
    let report: serde_json::Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    let findings = report["diagnostics"].as_array().into_iter().flatten();
    let lines = findings
        .filter(|finding| finding["code"] == "definition")
        .map(|finding| {
            format!(
                "{}: {} {}\n",
                finding["line"], finding["message"], finding["help"]
            )
        });
    lines.collect()
}

#[test]
fn what_the_server_rejects_is_told_at_the_marker() {
    let wrong = verdict(
        "cel",
        "\t// +kubebuilder:validation:MaxLength=10\n\t// +kubebuilder:validation:XValidation:rule=\"self.nme == ''\"\n\
         \tName string `json:\"name\"`\n",
    );
    assert!(wrong.starts_with("15: "), "{wrong}");
    assert!(
        wrong.contains("undefined field") || wrong.contains("compilation failed"),
        "{wrong}"
    );
    let wrong = verdict(
        "pattern",
        "\t// name of it.\n\t// +kubebuilder:validation:Pattern=`[`\n\tName string `json:\"name\"`\n",
    );
    assert!(wrong.starts_with("15: "), "{wrong}");
    assert_eq!(verdict("fine", "\tName string `json:\"name\"`\n"), "");
}

#[test]
fn rules_are_judged_beside_wrong_defaults() {
    let wrong = verdict(
        "rounds",
        "\t// +kubebuilder:validation:Enum=red;green\n\t// +kubebuilder:default=blue\n\tColor string `json:\"color\"`\n\n\
         \t// +kubebuilder:validation:MaxLength=10\n\t// +kubebuilder:validation:XValidation:rule=\"self.endWith('x')\"\n\
         \tName string `json:\"name\"`\n",
    );
    let lines: Vec<&str> = wrong.lines().collect();
    assert_eq!(lines.len(), 2, "{wrong}");
    assert!(lines[0].starts_with("15: "), "{wrong}");
    assert!(lines[1].starts_with("19: "), "{wrong}");
    assert!(lines[1].ends_with(" [\"did you mean `endsWith`?\"]"), "{wrong}");
}

#[test]
fn formats_that_no_server_checks_are_told_at_the_marker() {
    let format = |format: &str| {
        format!("\t// +kubebuilder:validation:Format={format}\n\tOpened string `json:\"opened\"`\n")
    };
    let unknown = |format: &str| {
        format!("14: \"the API server does not know the format \\\"{format}\\\", so it checks nothing\"")
    };
    assert_eq!(
        verdict("format-near", &format("date-tme")),
        format!("{} [\"did you mean `date-time`?\"]\n", unknown("date-tme"))
    );
    let far = verdict("format-far", &format("season"));
    let expected = format!("{} [\"formats of texts that are checked: ", unknown("season"));
    assert!(far.starts_with(&expected), "{far}");
    // Dashes do not matter to the server.
    for known in ["date-time", "datetime", "uuid"] {
        assert_eq!(verdict("format-known", &format(known)), "", "{known}");
    }
}

#[test]
fn a_format_of_two_kinds_is_told_once() {
    let gate = kind("\t// +kubebuilder:validation:Format=season\n\tOpened string `json:\"opened\"`\n");
    let door = "\n// +kubebuilder:object:root=true\ntype Door struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n\
                \tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\tSpec Spec `json:\"spec\"`\n}\n";
    let folder = project("format-shared", &format!("{gate}{door}"), "");
    assert_eq!(codes(&folder, ""), ["definition"]);
}

#[test]
fn the_field_that_a_rule_meant_is_named() {
    let rule = |rule: &str| {
        format!(
            "\t// +kubebuilder:validation:XValidation:rule=\"{rule}\"\n\tSize Size `json:\"size\"`\n}}\n\n\
             type Size struct {{\n\tLength int32 `json:\"length\"`\n"
        )
    };
    let near = verdict("meant-near", &rule("self.lenght > 3"));
    assert!(
        near.starts_with("14: ") && near.contains("undefined field 'lenght'"),
        "{near}"
    );
    assert!(near.ends_with(" [\"did you mean `length`?\"]\n"), "{near}");
    let far = verdict("meant-far", &rule("self.color > 3"));
    assert!(
        far.contains("undefined field 'color'") && far.ends_with(" []\n"),
        "{far}"
    );
    assert_eq!(verdict("meant-right", &rule("self.length > 3")), "");
}

#[test]
fn the_bound_that_makes_a_rule_cheap_enough_is_named() {
    let wrong = verdict(
        "cost",
        "\t// +kubebuilder:validation:XValidation:rule=\"self.all(a, self.all(b, a == b || a.contains(b)))\"\n\
         \tNames []string `json:\"names\"`\n",
    );
    assert!(wrong.starts_with("14: "), "{wrong}");
    assert!(wrong.contains("would be enough"), "{wrong}");
    assert!(wrong.contains("spec.names"), "{wrong}");
}

#[test]
fn a_rejected_default_is_told_once() {
    let pattern = "\t// +kubebuilder:validation:Pattern=`^[a-z]+$`\n";
    let short = "\t// +kubebuilder:validation:MaxLength=3\n";
    let low = "\t// +kubebuilder:validation:Maximum=5\n";
    let rule = "\t// +kubebuilder:validation:XValidation:rule=\"self != 'red'\"\n";
    for (name, rules, default, ty, expected) in [
        (
            "pattern",
            pattern,
            "+kubebuilder:default=Big",
            "string",
            "default-pattern",
        ),
        (
            "two-rules",
            &format!("{pattern}{short}"),
            "+kubebuilder:default=Large",
            "string",
            "default-pattern",
        ),
        (
            "native",
            &format!("\t// +k8s:maxLength=3\n{short}"),
            "+default=\"Large\"",
            "string",
            "default-limits",
        ),
        (
            "number",
            &format!("\t// +k8s:maximum=5\n{low}"),
            "+default=9",
            "*int32",
            "default-limits",
        ),
        (
            "tag-minimum",
            "\t// +k8s:minimum=5\n",
            "+default=1",
            "*int32",
            "default-pattern",
        ),
        (
            "tag-length",
            "\t// +k8s:maxLength=3\n",
            "+default=\"Large\"",
            "string",
            "default-pattern",
        ),
        (
            "tag-items",
            "\t// +k8s:maxItems=1\n\t// +listType=atomic\n",
            "+default=[\"a\",\"b\"]",
            "[]string",
            "default-pattern",
        ),
        ("type", "", "+kubebuilder:default=9", "string", "default-type"),
        // Only the server knows these.
        ("bounds", low, "+kubebuilder:default=9", "*int32", "definition"),
        ("rule", rule, "+kubebuilder:default=red", "string", "definition"),
    ] {
        let fields =
            format!("\t// +optional\n{rules}\t// {default}\n\tColor {ty} `json:\"color,omitempty\"`\n");
        let folder = project(&format!("once-{name}"), &kind(&fields), "");
        assert_eq!(codes(&folder, ""), [expected], "{name}");
    }
}

#[test]
fn a_rejected_default_is_told_at_its_marker() {
    let fields = "\t// +kubebuilder:validation:Maximum=5\n\t// +kubebuilder:default=9\n\t// +optional\n\tWidth *int32 `json:\"width,omitempty\"`\n";
    let wrong = verdict("default-marker", fields);
    assert!(wrong.starts_with("15: "), "{wrong}");
}

#[test]
fn a_kind_without_a_group_is_told() {
    let folder = project("group", &kind("\tName string `json:\"name\"`\n"), "");
    std::fs::write(folder.join("v1/doc.go"), "package v1\n").expect("the file can be written");
    let run = lint(&folder, "");
    assert!(run.stdout.contains("has no API group"), "{}", run.stdout);
}
