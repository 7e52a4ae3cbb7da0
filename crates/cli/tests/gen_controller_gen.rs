//! Generators of controller-gen other than `crd`, alone and together with it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::binary::{kindsmith, kindsmith_in, root};

const TYPES: &str = "\
// +groupName=park.example.org
package v1

import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"

// +kubebuilder:rbac:groups=park.example.org,resources=gates,verbs=get;list
// +kubebuilder:webhook:path=/mutate,mutating=true,failurePolicy=fail,sideEffects=None,groups=park.example.org,resources=gates,verbs=create,versions=v1,name=gate.park.example.org,admissionReviewVersions=v1

// +kubebuilder:object:root=true

// Gate is a gate.
type Gate struct {
\tmetav1.TypeMeta   `json:\",inline\"`
\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`

\tHosts []string `json:\"hosts\"`
}
";

/// A module for one test, below the build directory.
fn module(test: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("gen_controller_gen")
        .join(test);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("api/v1")).expect("the build directory can be written");
    fs::write(directory.join("go.mod"), "module example.org/park\n").expect("can be written");
    fs::write(directory.join("api/v1/types.go"), TYPES).expect("can be written");
    directory
}

fn text(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn several_generators_run_in_one_command_line() {
    let directory = module("several");
    let words = "gen rbac:roleName=keeper crd webhook object paths=./... output:crd:artifacts:config=config/crd/bases";
    let run = kindsmith_in(&directory, words);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let role = text(directory.join("config/rbac/role.yaml"));
    assert!(role.contains("  name: keeper\n"), "{role}");
    let webhooks = text(directory.join("config/webhook/manifests.yaml"));
    assert!(
        webhooks.contains("- name: gate") || webhooks.contains("name: gate.park.example.org"),
        "{webhooks}"
    );
    text(directory.join("config/crd/bases/park.example.org_gates.yaml"));
    let code = text(directory.join("api/v1/zz_generated.deepcopy.go"));
    assert!(
        code.contains("func (in *Gate) DeepCopyObject() runtime.Object {"),
        "{code}"
    );
    // Unchanged files pass, a changed one does not.
    assert_eq!(
        kindsmith_in(&directory, &format!("{words} --check")).code,
        Some(0)
    );
    fs::write(directory.join("config/rbac/role.yaml"), "").expect("can be written");
    assert_eq!(
        kindsmith_in(&directory, &format!("{words} --check")).code,
        Some(1)
    );
}

#[test]
fn each_generator_has_a_command() {
    let directory = module("single");
    let made = |words: &str| {
        let run = kindsmith_in(&directory, words);
        assert_eq!(run.code, Some(0), "{words}: {}", run.stderr);
        run.stdout
    };
    assert_eq!(
        made("gen rbac ./... --roleName=keeper --out -"),
        made("gen rbac:roleName=keeper paths=./... output:stdout")
    );
    assert_eq!(
        made("gen webhook ./... --out -"),
        made("gen webhook paths=./... output:stdout")
    );
    made("gen object ./...");
    assert_eq!(
        text(directory.join("api/v1/zz_generated.deepcopy.go")),
        made("gen object paths=./... output:stdout")
    );
    assert!(made("gen crd ./... --out -").starts_with("---\napiVersion: apiextensions.k8s.io/v1\n"));
    assert_eq!(made("gen object paths=./... output:none"), "");
}

#[test]
fn an_existing_crd_keeps_its_version() {
    let directory = module("version");
    let file = directory.join("config/crd/park.example.org_gates.yaml");
    assert_eq!(kindsmith_in(&directory, "gen crd ./...").code, Some(0));
    let old = text(&file).replace("version: v0.23.0", "version: v0.16.1");
    fs::write(&file, &old).expect("can be written");
    assert_eq!(kindsmith_in(&directory, "gen crd ./... --check").code, Some(0));
    assert_eq!(
        kindsmith_in(&directory, "gen crd paths=./... --stamp").code,
        Some(0)
    );
    assert!(text(&file).contains("version: v0.23.0"));
    assert_eq!(
        kindsmith_in(&directory, "gen crd:omitToolVersion=true paths=./...").code,
        Some(0)
    );
    assert!(!text(&file).contains("annotations:"));
}

#[test]
fn a_missing_group_is_one_error_with_the_line_to_write() {
    let directory = module("group");
    let types = TYPES.replace("// +groupName=park.example.org\n", "");
    fs::write(directory.join("api/v1/types.go"), types).expect("can be written");
    let run = kindsmith_in(&directory, "gen crd ./...");
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr.matches("error[").count(), 1, "{}", run.stderr);
    assert!(
        run.stderr
            .contains("write `// +groupName=GROUP` above `package v1`"),
        "{}",
        run.stderr
    );
}

#[test]
fn errors_are_reported_at_their_place_and_nothing_is_written() {
    let directory = module("errors");
    let bad = "package v1\n\n// +kubebuilder:object:generate=true\ntype Bad struct {\n\tAny any\n}\n";
    fs::write(directory.join("api/v1/bad.go"), bad).expect("can be written");
    let run = kindsmith_in(&directory, "gen object paths=./...");
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("invalid field type: any"), "{}", run.stderr);
    assert!(run.stderr.contains("bad.go:5:2"), "{}", run.stderr);
    assert!(!directory.join("api/v1/zz_generated.deepcopy.go").exists());
}

#[test]
fn recorded_packages_are_generated_in_place_of_their_recordings() {
    let run = kindsmith("gen object paths=./conformance/controller-gen/object/roots output:stdout");
    let recorded = root().join("conformance/controller-gen/object/roots/zz_generated.deepcopy.go");
    assert_eq!(run.stdout, text(recorded), "{}", run.stderr);
}

#[test]
fn schemas_are_put_into_existing_crds() {
    let directory = module("schemapatch");
    let run = kindsmith_in(&directory, "gen crd ./... --out crds");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let types = TYPES
        .replace("Hosts []string", "Names []string")
        .replace("json:\"hosts\"", "json:\"names\"");
    fs::write(directory.join("api/v1/types.go"), types).expect("can be written");
    for words in [
        "gen schemapatch ./... --manifests crds --out mine",
        "gen schemapatch:manifests=crds paths=./... output:dir=theirs",
    ] {
        let run = kindsmith_in(&directory, words);
        assert_eq!(run.code, Some(0), "{words}: {}", run.stderr);
    }
    let patched = text(directory.join("mine/park.example.org_gates.yaml"));
    assert!(patched.contains("            names:\n"), "{patched}");
    assert!(!patched.contains("hosts"), "{patched}");
    assert_eq!(
        text(directory.join("theirs/park.example.org_gates.yaml")),
        patched
    );
}

#[test]
fn releases_of_controller_gen_read_their_markers() {
    let directory = module("compat");
    let types = TYPES.replace("\tHosts", "\t// +k8s:maxItems=3\n\t// +k8s:required\n\tHosts");
    fs::write(directory.join("api/v1/types.go"), types).expect("can be written");
    let file = directory.join("config/crd/park.example.org_gates.yaml");
    let has_bounds = |words: &str| {
        let run = kindsmith_in(&directory, words);
        assert_eq!(run.code, Some(0), "{words}: {}", run.stderr);
        let text = text(&file);
        (text.contains("maxItems: 3"), text.contains("minItems: 1"))
    };
    assert_eq!(has_bounds("gen crd paths=./... --compat v0.22"), (false, false));
    // Changed CRDs are reported.
    assert!(text(&file).contains("version: v0.22.0"));
    let run = kindsmith_in(&directory, "gen crd paths=./...");
    assert!(run.stderr.contains("`--compat v0.22`"), "{}", run.stderr);
    assert_eq!(has_bounds("gen crd paths=./..."), (true, true));
    assert_eq!(
        has_bounds("gen object crd paths=./... --compat v0.20"),
        (false, false)
    );
    let run = kindsmith_in(&directory, "gen crd paths=./... --compat v0.30");
    assert_eq!(run.code, Some(2));
}

#[test]
fn deepcopy_gen_has_its_own_command_line() {
    let directory = module("deepcopy-gen");
    let doc = "// +k8s:deepcopy-gen=package\n\npackage v1\n";
    fs::write(directory.join("api/v1/doc.go"), doc).expect("can be written");
    let run = kindsmith_in(&directory, "gen deepcopy-gen --output-file zz.go -v 2 ./api/...");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let code = text(directory.join("api/v1/zz.go"));
    assert!(
        code.contains("// Code generated by deepcopy-gen. DO NOT EDIT."),
        "{code}"
    );
}

#[test]
fn markers_are_listed() {
    for words in ["gen crd -w", "gen rbac:roleName=x crd -w"] {
        let run = kindsmith(words);
        assert_eq!(run.code, Some(0), "{words}: {}", run.stderr);
        assert!(
            run.stdout.contains("+kubebuilder:rbac"),
            "{words}: {}",
            run.stdout
        );
    }
}
