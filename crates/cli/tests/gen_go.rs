//! `gen go`: which files it writes where, when it fails, and what it prints. That the code is right is tested in
//! `emit`, which runs it with Go.

use std::fs;
use std::path::{Path, PathBuf};

use crate::binary::kindsmith;

const DOC: &str = "/*\nA license.\n*/\n\n// +k8s:defaulter-gen=TypeMeta\n// +k8s:validation-gen=TypesWithField=TypeMeta\n// +groupName=shop.example.org\n\npackage v1\n";

const TYPES: &str = "package v1

import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"

type Order struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:\",inline\"`
	// +k8s:required
	// +k8s:maxLength=8
	Name string `json:\"name\"`
	// +k8s:optional
	// +default=\"small\"
	Size *string `json:\"size,omitempty\"`
}
";

/// A module with one API package in its own directory.
fn module(test: &str, types: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gen_go").join(test);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("v1")).expect("the build directory can be written");
    for (name, text) in [
        ("go.mod", "module example.org/shop\n\ngo 1.26\n"),
        ("v1/doc.go", DOC),
        ("v1/types.go", types),
    ] {
        fs::write(directory.join(name), text).expect("the build directory can be written");
    }
    directory
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn writes_what_packages_ask_for_and_then_leaves_it_alone() {
    let directory = module("writes", TYPES);
    let shown = directory.display();
    let words = format!("gen go {shown}/...");
    kindsmith(&words).check(
        0,
        "",
        &format!(
            "created {shown}/v1/zz_generated.defaults.go\ncreated {shown}/v1/zz_generated.validations.go\n2 written, 0 unchanged\n"
        ),
    );
    kindsmith(&words).check(0, "", "0 written, 2 unchanged\n");
    kindsmith(&format!("{words} --check")).check(0, "", "0 out of date, 2 unchanged\n");
    let defaults = text(&directory.join("v1/zz_generated.defaults.go"));
    assert!(
        defaults.contains(
            "func SetObjectDefaults_Order(in *Order) {\n\tif in.Size == nil {\n\t\tvalue := \"small\"\n\t\tin.Size = &value\n\t}\n}\n"
        ),
        "{defaults}"
    );
    let validations = text(&directory.join("v1/zz_generated.validations.go"));
    for part in [
        "func init() { localSchemeBuilder.Register(RegisterValidations) }\n",
        "func RegisterValidations(scheme *runtime.Scheme) error {\n",
        "func Validate_Order(ctx context.Context, op operation.Operation, fldPath *field.Path, obj, oldObj *Order) (errs field.ErrorList) {\n",
        "\terrs = append(errs, validate.MaxLength(ctx, op, fldPath, obj, oldObj, 8)...)\n",
    ] {
        assert!(validations.contains(part), "{validations}");
    }
}

#[test]
fn a_stale_file_is_shown() {
    let directory = module("stale", TYPES);
    let words = format!("gen go {}/... --only defaults", directory.display());
    assert_eq!(kindsmith(&words).code, Some(0));
    fs::write(directory.join("v1/types.go"), TYPES.replace("small", "large")).expect("writable");
    let run = kindsmith(&format!("{words} --check"));
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout
            .contains("-\t\tvalue := \"small\"\n+\t\tvalue := \"large\"\n"),
        "{}",
        run.stdout
    );
    assert_eq!(run.stderr, "1 out of date, 0 unchanged\n");
    assert!(!directory.join("v1/zz_generated.validations.go").exists());
}

#[test]
fn upstreams_errors_are_reported_in_its_words() {
    let wrong = TYPES.replace("+k8s:maxLength=8", "+k8s:maximum=8");
    let directory = module("refused", &wrong);
    let run = kindsmith(&format!("gen go {}/...", directory.display()));
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr
            .contains("tag \"k8s:maximum\": can only be used on integer types (string)"),
        "{}",
        run.stderr
    );
    assert!(
        !directory.join("v1/zz_generated.defaults.go").exists(),
        "nothing is written"
    );
}

#[test]
fn errors_of_other_generators_do_not_stop_it() {
    let floats = TYPES.replace(
        "Name string",
        "// +kubebuilder:validation:MaxItems=3\n\tName string",
    );
    let directory = module("others", &floats);
    let run = kindsmith(&format!("gen go {}/...", directory.display()));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn types_may_come_from_another_package() {
    let directory = module("input", TYPES);
    let doc = "// +k8s:validation-gen=*\n// +k8s:validation-gen-input=example.org/shop/v1\n// +k8s:validation-gen-scheme-registry=nil\n\npackage checks\n";
    fs::create_dir_all(directory.join("checks")).expect("writable");
    fs::write(directory.join("checks/doc.go"), doc).expect("writable");
    let run = kindsmith(&format!("gen go {}/checks", directory.display()));
    let file = directory.join("checks/zz_generated.validations.go");
    run.check(
        0,
        "",
        &format!("created {}\n1 written, 0 unchanged\n", file.display()),
    );
    let text = text(&file);
    assert!(
        text.contains("obj, oldObj *v1.Order) (errs field.ErrorList) {\n") && !text.contains("Register"),
        "{text}"
    );
}

#[test]
fn the_header_stands_above() {
    let directory = module("header", TYPES);
    let header = directory.join("header.txt");
    fs::write(&header, "/*\nCopyright YEAR the authors.\n*/\n").expect("writable");
    let words = format!(
        "gen go {}/v1 --go-header-file {} --year 2026",
        directory.display(),
        header.display()
    );
    assert_eq!(kindsmith(&words).code, Some(0));
    let text = text(&directory.join("v1/zz_generated.defaults.go"));
    assert!(
        text.starts_with(
            "//go:build !ignore_autogenerated\n\n/*\nCopyright 2026 the authors.\n*/\n\n// Code generated by kindsmith. DO NOT EDIT.\n\npackage v1\n"
        ),
        "{text}"
    );
}

#[test]
fn every_kind_has_a_table_of_what_its_rules_report() {
    let directory = module("tables", TYPES);
    let root = directory.join("test");
    let words = format!(
        "gen go {}/v1 --test-output-root {} --test-output-file-prefix rules_",
        directory.display(),
        root.display()
    );
    assert_eq!(kindsmith(&words).code, Some(0));
    let table = text(&root.join("shop/order/rules_v1_test.go"));
    assert!(
        table.contains(
            "\t\t\"name\": {\n\t\t\t{ErrorType: \"FieldValueRequired\"},\n\t\t\t{ErrorType: \"FieldValueTooLong\", Origin: \"maxLength\"},\n\t\t},\n"
        ),
        "{table}"
    );
    assert!(
        text(&root.join("shop/order/rules_main_test.go")).contains("var apiVersions = []string{\"v1\"}\n")
    );
}
