//! `kindsmith migrate`: what is written is equal to what was there, or the difference is shown.

use std::path::{Path, PathBuf};

use kindsmith_testkit::go_toolchain::{Go, VERSION};

use crate::binary::{kindsmith, kindsmith_in, root};

/// An empty directory for one test.
fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("migrate_{name}"));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("the directory can be made");
    directory
}

/// The last line of the report.
fn last(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn crds_come_back_equal() {
    for (crds, expected) in [
        (
            "fixtures/gate/crd.yaml",
            "1 CRD, 5 types; CRDs generated from them are equal",
        ),
        (
            "fixtures/route/crd.yaml",
            "1 CRD, 30 types; CRDs generated from them are equal",
        ),
        (
            "fixtures/keep/crd.yaml",
            "1 CRD, 3 types; CRDs generated from them are equal",
        ),
    ] {
        let run = kindsmith(&format!("migrate crd {crds}"));
        assert_eq!((run.code, last(&run.stderr)), (Some(0), expected), "{crds}");
    }
}

#[test]
fn recorded_crds_come_back_equal_but_for_what_markers_cannot_say() {
    let folder = root().join("conformance/gen/crd");
    let mut different = Vec::new();
    let mut names: Vec<_> = std::fs::read_dir(&folder)
        .expect("recordings are there")
        .map(|entry| entry.expect("readable").file_name().into_string().expect("text"))
        .collect();
    names.sort();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        let run = kindsmith(&format!("migrate crd -o json conformance/gen/crd/{name}"));
        let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        for found in report["differences"].as_array().expect("a list") {
            if found["words"] == false {
                different.push(format!(
                    "{name} {} {}",
                    found["at"].as_str().unwrap_or_default(),
                    found["keyword"]
                ));
            }
        }
    }
    matches_list("recorded", &different);
}

/// Compares with the list beside this file; `UPDATE=1` writes it.
fn matches_list(name: &str, found: &[String]) {
    let path = root().join(format!("crates/cli/tests/migrate/{name}.txt"));
    let text = found.iter().map(|line| format!("{line}\n")).collect::<String>();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(&path, &text).expect("the list can be written");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text, "{name}");
}

#[test]
fn packages_are_complete_and_give_the_same_answers() {
    let directory = scratch("packages");
    let crd = root().join("fixtures/gate/crd.yaml");
    let run = kindsmith_in(&directory, &format!("migrate crd {} --out api", crd.display()));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for file in ["gate_types.go", "register.go", "zz_generated.deepcopy.go"] {
        assert!(directory.join("api/v1").join(file).exists(), "{file}");
    }
    let run = kindsmith_in(
        &directory,
        &format!("test --equivalence {} ./api/v1 --budget 500", crd.display()),
    );
    assert_eq!(
        (run.code, last(&run.stderr)),
        (Some(0), "Gate: 500 objects, no difference")
    );
    std::fs::write(directory.join("api/v1/register.go"), "package v1\n").expect("it can be written");
    let run = kindsmith_in(&directory, &format!("migrate crd {} --out api", crd.display()));
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("api/v1/register.go exists with another text"),
        "{}",
        run.stderr
    );
}

#[test]
fn crds_become_rust_types_too() {
    let directory = scratch("rust");
    let crd = root().join("fixtures/gate/crd.yaml");
    let run = kindsmith_in(&directory, &format!("migrate crd {} --out api", crd.display()));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = kindsmith_in(&directory, "gen rust ./api/... --out rust");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let text = std::fs::read_to_string(directory.join("rust/park_example_org_v1.rs")).expect("it is there");
    assert!(text.contains("pub struct GateSpec"), "{text}");
}

/// A CRD for lamps whose spec has more to say.
fn lamp_crd(more: &str) -> String {
    format!(
        "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: lamps.park.example.org}}
spec:
  group: park.example.org
  names: {{kind: Lamp, plural: lamps}}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            {more}
            properties:
              gas: {{type: boolean}}
              oil: {{type: string}}
              wick: {{type: string, maxLength: 9}}
              watts: {{type: integer}}
"
    )
}

#[test]
fn what_markers_cannot_say_is_listed() {
    let directory = scratch("one_of");
    let crd = lamp_crd("oneOf: [{properties: {watts: {maximum: 9}}}, {required: [gas]}]");
    std::fs::write(directory.join("crd.yaml"), crd).expect("it can be written");
    let run = kindsmith_in(&directory, "migrate crd crd.yaml");
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.stderr,
        "different: lamps.park.example.org: v1 spec: `oneOf` was [{\"properties\":{\"watts\":{\"maximum\":9}}},{\"required\":[\"gas\"]}…, \
         is nothing (no marker says it)\n1 CRD, 1 types; CRDs generated from them differ in 1 places\n"
    );
}

#[test]
fn what_has_no_marker_is_said_in_other_words() {
    for (more, said) in [
        (
            "oneOf: [{required: [gas]}, {required: [watts]}]",
            "restated: lamps.park.example.org: v1 spec: `oneOf` by (has(self.gas)?1:0)+(has(self.watts)?1:0) == 1",
        ),
        (
            "not: {required: [gas, oil]}",
            "restated: lamps.park.example.org: v1 spec: `not` by (has(self.gas)?1:0)+(has(self.oil)?1:0) <= 1",
        ),
        (
            "anyOf: [{required: [gas, oil]}, {not: {required: [watts]}}]",
            "restated: lamps.park.example.org: v1 spec: `anyOf` by (has(self.gas) && has(self.oil)) || (!(has(self.watts)))",
        ),
        (
            "oneOf: [{properties: {oil: {enum: [Lamp, Olive]}, wick: {pattern: ^a}}}, {properties: {oil: {not: {enum: [Lamp]}}}}]",
            "restated: lamps.park.example.org: v1 spec: `oneOf` by [((!has(self.oil) || self.oil in [\"Lamp\", \"Olive\"]) && \
             (!has(self.wick) || self.wick.matches(\"^a\"))), ((!has(self.oil) || !(self.oil in [\"Lamp\"])))].exists_one(x, x)",
        ),
        (
            "pattern: ^a$",
            "restated: lamps.park.example.org: v1 spec: `pattern` by nothing: it has no effect there",
        ),
    ] {
        let directory = scratch("restated");
        std::fs::write(directory.join("crd.yaml"), lamp_crd(more)).expect("it can be written");
        let run = kindsmith_in(&directory, "migrate crd crd.yaml --out api");
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.stderr.lines().next(), Some(said));
        assert!(
            last(&run.stderr).contains("say the same, in 1 places in other words"),
            "{}",
            run.stderr
        );
        let run = kindsmith_in(
            &directory,
            "gen --quiet crd paths=./api/... output:crd:dir=generated",
        );
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let run = kindsmith_in(&directory, "test --equivalence crd.yaml generated --budget 300");
        assert_eq!(
            (run.code, last(&run.stderr)),
            (Some(0), "Lamp: 300 objects, no difference"),
            "{more}"
        );
    }
}

#[test]
fn hostile_descriptions_do_not_become_markers() {
    let directory = scratch("hostile");
    let crd = std::fs::read_to_string(root().join("fixtures/gate/crd.yaml")).expect("the fixture is there");
    let crd = crd.replace("Name on the map.", "\"+kubebuilder:validation:MaxLength=1\"");
    std::fs::write(directory.join("crd.yaml"), crd).expect("it can be written");
    let run = kindsmith_in(&directory, "migrate crd crd.yaml");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.contains("// > +kubebuilder:validation:MaxLength=1"),
        "{}",
        run.stdout
    );
}

const API: &str = "\
// +groupName=park.example.org
package v1

import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"

// +kubebuilder:validation:Enum=Day;Night
type Shift string

const (
\tDay   Shift = \"Day\"
\tNight Shift = \"Night\"
)

type LampSpec struct {
\t// +kubebuilder:validation:Maximum=9
\t// +optional
\tWatts int32 `json:\"watts,omitempty\"`
\t// +kubebuilder:default=Day
\t// +optional
\tShift Shift `json:\"shift,omitempty\"`
\t// +kubebuilder:validation:items:MaxLength=5
\t// +listType=set
\t// +optional
\tTags []string `json:\"tags,omitempty\"`
\t// +kubebuilder:validation:Required
\tName string `json:\"name\"`
}

// +kubebuilder:object:root=true
type Lamp struct {
\tmetav1.TypeMeta `json:\",inline\"`
\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`
\tSpec LampSpec `json:\"spec\"`
}
";

#[test]
fn markers_are_replaced_where_crds_stay_equal() {
    let directory = scratch("markers");
    std::fs::create_dir_all(directory.join("v1")).expect("the directory can be made");
    std::fs::write(directory.join("v1/types.go"), API).expect("it can be written");
    let before = kindsmith_in(&directory, "gen crd ./v1 --out -");
    let run = kindsmith_in(&directory, "migrate markers ./v1 --write");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let text = std::fs::read_to_string(directory.join("v1/types.go")).expect("it is there");
    for tag in ["+k8s:maximum=9", "+k8s:enum", "+default=\"Day\"", "+k8s:optional"] {
        assert!(text.contains(tag), "{tag}: {text}\n{}", run.stdout);
    }
    // A required string may not be empty under `+k8s:required`, and controller-gen does not read `+k8s:eachVal`.
    for marker in [
        "+kubebuilder:validation:Required",
        "+kubebuilder:validation:items:MaxLength=5",
    ] {
        assert!(text.contains(marker), "{marker}: {text}");
    }
    assert!(
        run.stdout
            .contains("lamps.park.example.org: v1 spec.name: `minLength` was nothing, is 1"),
        "{}",
        run.stdout
    );
    let after = kindsmith_in(&directory, "gen crd ./v1 --out - --tags none");
    assert_eq!(before.stdout, after.stdout);
    let run = kindsmith_in(&directory, "migrate markers ./v1 --allow minLength --write");
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    let text = std::fs::read_to_string(directory.join("v1/types.go")).expect("it is there");
    assert!(text.contains("// +k8s:required\n\tName"), "{text}");
}

#[test]
fn unions_and_enums_go_both_ways() {
    let directory = scratch("unions");
    std::fs::create_dir_all(directory.join("v1")).expect("the directory can be made");
    let file = directory.join("v1/types.go");
    let text = API
        .replace(
            "type LampSpec struct {\n",
            "// +kubebuilder:validation:ExactlyOneOf=gas;oil\ntype LampSpec struct {\n\t// +optional\n\tGas *string `json:\"gas,omitempty\"`\n\t// +optional\n\tOil *string `json:\"oil,omitempty\"`\n",
        )
        .replace("+kubebuilder:default=Day", "+default=\"Day\"")
        .replace("+kubebuilder:validation:Required", "+required");
    std::fs::write(&file, &text).expect("it can be written");
    let migrate = "migrate markers ./v1 --generator kindsmith --write --allow";
    let run = kindsmith_in(&directory, &format!("{migrate} all"));
    let there = std::fs::read_to_string(&file).expect("it is there");
    assert!(
        there.contains("\t// +k8s:unionMember\n\tGas"),
        "{there}{}",
        run.stderr
    );
    assert!(there.contains("// +k8s:enum\ntype Shift"), "{there}");
    assert!(!there.contains("ExactlyOneOf"), "{there}");
    // Rules of unions have other words; without `--allow` they stay.
    let run = kindsmith_in(
        &directory,
        "migrate markers ./v1 --generator kindsmith --to kubebuilder",
    );
    assert!(
        run.stdout
            .contains("+k8s:unionMember stays: with +kubebuilder:validation:ExactlyOneOf=gas;oil"),
        "{}",
        run.stdout
    );
    let run = kindsmith_in(&directory, &format!("{migrate} all --to kubebuilder"));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), text);
}

#[test]
fn proposals_are_data_and_have_their_level() {
    let run = kindsmith(
        "migrate validation --types fixtures/lamp/v1 --validation fixtures/lamp/validation --level alpha --since 1.38 --no-run -o json",
    );
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(
        report["rules"][1],
        serde_json::json!({
            "file": "fixtures/lamp/validation/validation.go",
            "line": 32,
            "calls": [{"file": "fixtures/lamp/validation/validation.go", "first": 32, "last": 32}],
            "function": "validateSpec",
            "error": "Required",
            "field": "name",
            "origin": null,
            "covered": false,
            "tags": [{
                "tag": "+k8s:alpha(since: \"1.38\")=+k8s:required",
                "on": "LampSpec.Name",
                "at": "fixtures/lamp/v1/types.go:25",
                "present": false,
            }],
            "proof": {"state": "not proven", "why": "the functions were not run"},
            "why": null,
        })
    );
}

/// A module with a copy of a fixture, whose validation is generated.
fn lamps(name: &str) -> Option<Go> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("migrate_{name}"));
    let go = Go::new(directory, "running hand-written validation")?;
    go.copy(&root().join("fixtures/lamp"), ".");
    go.module_file("example.org/lamp");
    Some(go)
}

const VALIDATION: &str = "migrate validation --types ./v1 --validation ./validation";

#[test]
fn proven_tags_are_written_with_marks_and_tests() {
    let Some(go) = lamps("written") else { return };
    let run = kindsmith_in(&go.directory, &format!("{VALIDATION} --write"));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let guide = std::fs::read_to_string(root().join("docs/migrate.md")).expect("the guide is there");
    assert!(guide.contains(last(&run.stderr)), "{}", run.stderr);
    // The guide shows the tags for watts with their proof.
    let (_, proof) = run.stdout.split_once("    v1/types.go:28").expect("watts");
    let (proof, _) = proof.split_once("validation/validation.go").expect("more rules");
    let proof = format!("    v1/types.go:28{proof}").replace("v1/types.go", "fixtures/lamp/v1/types.go");
    assert!(guide.contains(&proof), "{proof}");
    let text = |file: &str| std::fs::read_to_string(go.directory.join(file)).expect("it is there");
    for tag in [
        "\t// +k8s:format=k8s-short-name\n\t// +k8s:required\n\tName string",
        "// +k8s:enum\ntype Shift string",
        "\t// +k8s:optional\n\tShift Shift",
        "\t// +k8s:immutable\n\t// +k8s:optional\n\tModel string",
    ] {
        assert!(
            text("v1/types.go").contains(tag),
            "{tag}: {}",
            text("v1/types.go")
        );
    }
    for mark in [
        "field.Required(fldPath.Child(\"name\"), \"\").MarkCoveredByDeclarative())",
        "path).WithOrigin(\"immutable\").MarkCoveredByDeclarative()...)",
        "maxPaths).WithOrigin(\"maxItems\").MarkCoveredByDeclarative())",
        "spec.Watts, \"too bright for the birds\"))",
    ] {
        let functions = text("validation/validation.go");
        assert!(functions.contains(mark), "{mark}: {functions}");
    }
    // The commands of the guide, with what they print but for times.
    assert!(guide.contains(&format!("$ go get k8s.io/apimachinery@{VERSION}\n")));
    for command in ["test v1/tests", "gen go ./v1"] {
        let run = kindsmith_in(&go.directory, command);
        assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
        let said = format!("{}{}", run.stdout, run.stderr);
        let said = said.lines().next().and_then(|line| line.split(" in ").next());
        let shown = format!("$ kindsmith {command}\n{}", said.unwrap_or_default());
        assert!(guide.contains(&shown), "{shown}");
    }
    assert!(guide.contains("go test ./validation\n"));
    go.run(&["test", "-vet=off", "./validation"]);
    // What is written is not proposed again.
    let run = kindsmith_in(&go.directory, VALIDATION);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

#[test]
fn what_the_function_contradicts_is_not_proposed() {
    let Some(go) = lamps("refuted") else { return };
    // The tag would report what this function forgets for one name.
    let path = go.directory.join("validation/validation.go");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let text = text.replace(
        "if spec.Name == \"\" {",
        "if spec.Watts == 2 {\n\t} else if spec.Name == \"\" {",
    );
    std::fs::write(&path, text).expect("it can be written");
    let run = kindsmith_in(
        &go.directory,
        &format!("{VALIDATION} --by-hand --level beta --since 1.38"),
    );
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    let wrong = run
        .stdout
        .lines()
        .find(|line| line.contains("Required at name stays: "));
    let wrong = wrong.unwrap_or_else(|| panic!("{}", run.stdout));
    assert!(
        wrong.contains("the function reports nothing, the tag spec.name: FieldValueRequired"),
        "{wrong}"
    );
    assert!(
        run.stdout.contains("+k8s:beta(since: \"1.38\")=+k8s:minimum=0"),
        "{}",
        run.stdout
    );
}

#[test]
fn without_a_program_nothing_is_proven() {
    let Some(go) = lamps("broken") else { return };
    go.write("validation/broken.go", "package validation\n\nvar _ = missing\n");
    let run = kindsmith_in(&go.directory, VALIDATION);
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("not proven: the program does not compile: ")
            && run.stdout.contains("undefined: missing"),
        "{}",
        run.stdout
    );
    let written = kindsmith_in(&go.directory, &format!("{VALIDATION} --write"));
    assert_eq!(written.code, Some(1), "{}", written.stderr);
    let types = std::fs::read_to_string(go.directory.join("v1/types.go")).expect("it is there");
    assert!(!types.contains("+k8s:"), "{types}");
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_nothing_is_proposed() {
    let directory = scratch("unreadable");
    std::fs::write(
        directory.join("validation.go"),
        "package v1\n\nfunc ValidateLamp( {\n",
    )
    .expect("written");
    let shown = directory.display();
    for words in [
        format!("migrate validation --types fixtures/lamp/v1 --validation {shown} --no-run"),
        format!("migrate validation --types {shown} --validation fixtures/lamp/validation --no-run"),
        format!("migrate markers {shown}"),
    ] {
        let run = kindsmith(&words);
        assert_eq!((run.code, &*run.stdout), (Some(1), ""), "{words}");
        assert!(
            run.stderr
                .starts_with("error[go-syntax]: expected a type, found `{`"),
            "{}",
            run.stderr
        );
        assert!(run.stderr.contains("validation.go:3:20"), "{}", run.stderr);
    }
}
