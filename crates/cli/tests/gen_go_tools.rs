//! Command lines of deepcopy-gen, defaulter-gen, openapi-gen and validation-gen work after `kindsmith gen`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::binary::{Run, kindsmith_in};

const FILES: &[(&str, &str)] = &[
    ("go.mod", "module example.org/shop\n\ngo 1.26\n"),
    ("header.txt", "// Copyright YEAR the shop.\n"),
    (
        "v1/doc.go",
        "// +k8s:defaulter-gen=Root\n// +k8s:validation-gen=TypesWithField=Root\n\npackage v1\n",
    ),
    (
        "v1/types.go",
        "package v1\n\nimport \"example.org/shop/parts\"\n\ntype Order struct {\n\tRoot string `json:\"root\"`\n\t// +k8s:required\n\tName string `json:\"name\"`\n\t// +k8s:opaqueType\n\tPart parts.Part `json:\"part\"`\n}\n\nconst GroupName = \"shop.example.org\"\n",
    ),
    (
        "parts/types.go",
        "package parts\n\ntype Part struct {\n\tSize int `json:\"size\"`\n}\n",
    ),
    (
        "fill/fill.go",
        "package fill\n\nimport p \"example.org/shop/parts\"\n\nfunc SetDefaults_Part(in *p.Part) {}\n",
    ),
];

/// A module in a directory of its own.
struct Module(PathBuf);

impl Module {
    fn new(test: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("gen_go_tools")
            .join(test);
        let _ = fs::remove_dir_all(&directory);
        let module = Self(directory);
        for (path, text) in FILES {
            module.write(path, text);
        }
        module
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("it is in a directory")).expect("writable");
        fs::write(path, text).expect("writable");
    }

    fn run(&self, words: &str) -> Run {
        kindsmith_in(&self.0, words)
    }

    /// Runs a command that must succeed.
    fn make(&self, words: &str) {
        let run = self.run(words);
        assert_eq!(run.code, Some(0), "{words}\n{}", run.stderr);
    }

    /// Runs a command that must fail, and checks what it prints.
    fn refused(&self, words: &str, said: &str) {
        let run = self.run(words);
        assert_ne!(run.code, Some(0), "{words}");
        assert!(run.stderr.contains(said), "{words}\n{}", run.stderr);
    }

    fn text(&self, path: &str) -> String {
        let path = self.0.join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

#[test]
fn a_line_of_kube_codegen_works() {
    let module = Module::new("lines");
    module.make(
        "gen defaulter-gen -v 0 --logtostderr=true --extra-peer-dirs example.org/shop/fill \
         --output-file zz_generated.defaults.go --go-header-file header.txt example.org/shop/v1",
    );
    let text = module.text("v1/zz_generated.defaults.go");
    assert!(text.contains("\tfill.SetDefaults_Part(&in.Part)\n"), "{text}");
    assert!(
        text.contains("// Copyright 2") && !text.contains("YEAR"),
        "{text}"
    );
    module.make(
        "gen validation-gen -v=2 --output-file zz_generated.validations.go --readonly-pkg time,example.org/... \
         --readonly-pkg example.org/shop/vendor/k8s.io/api/core/v1 ./v1/...",
    );
    let text = module.text("v1/zz_generated.validations.go");
    assert!(text.contains("func Validate_Order("), "{text}");
}

#[test]
fn options_have_the_tools_own_names() {
    let module = Module::new("names");
    module.make("gen defaulter-gen --extra-peer-dirs=./fill --build-tag not_mine ./v1");
    let text = module.text("v1/generated.defaults.go");
    assert!(text.starts_with("//go:build !not_mine\n\n"), "{text}");
    assert!(
        text.contains("func SetObjectDefaults_Order(in *Order) {\n"),
        "{text}"
    );
    // Our own output is not mistaken for handwritten code.
    module.make("gen defaulter-gen --extra-peer-dirs=./fill --build-tag not_mine ./v1");
    assert_eq!(module.text("v1/generated.defaults.go"), text);
    module.make("gen validation-gen --test-output-root tests ./v1");
    assert!(
        module
            .text("v1/generated.validations.go")
            .contains("func Validate_Order(")
    );
    assert!(module.text("tests/shop/order/v1_test.go").contains("\"name\""));
}

#[test]
fn a_tool_looks_at_its_own_tags() {
    let module = Module::new("own");
    let types = module.text("v1/types.go");
    module.write("v1/types.go", &types.replace("+k8s:required", "+k8s:maximum=3"));
    module.make("gen defaulter-gen --extra-peer-dirs=./fill ./v1");
    module.refused("gen validation-gen ./v1", "can only be used on integer types");
    module.write("v1/types.go", &types.replace("+k8s:required", "+default=nothing"));
    module.make("gen validation-gen ./v1");
    module.refused("gen defaulter-gen ./v1", "v1/types.go:7");
}

#[test]
fn types_of_packages_without_functions_are_foreign() {
    let module = Module::new("foreign");
    let types = module.text("v1/types.go");
    module.write("v1/types.go", &types.replace("\t// +k8s:opaqueType\n", ""));
    let said = "parts.Part is in a non-included package";
    module.refused("gen validation-gen ./v1 ./parts", said);
    module.refused("gen validation-gen ./...", said);
    module.make("gen validation-gen --readonly-pkg example.org/shop/parts ./v1");
}

#[test]
fn types_with_parameters_have_defaults_only() {
    let module = Module::new("generic");
    let types = "package v1\n\ntype Order struct {\n\tRoot string `json:\"root\"`\n\tBox *Box[int] `json:\"box\"`\n}\n\ntype Box[V any] struct {\n\t// +default=\"x\"\n\tName string `json:\"name\"`\n\tValue V `json:\"value\"`\n}\n";
    module.write("v1/types.go", types);
    module.make("gen defaulter-gen ./v1");
    let text = module.text("v1/generated.defaults.go");
    assert!(text.contains("\t\tif in.Box.Name == \"\" {\n"), "{text}");
    module.refused("gen validation-gen ./v1", "kind TypeParam is not supported");
}

#[test]
fn tags_are_checked_with_lint_rules() {
    let module = Module::new("rules");
    let rule = "--lint-rules=known-tags-only,require-explicit-disablement";
    module.refused(
        &format!("gen defaulter-gen {rule} ./v1"),
        "set explicit configuration or disablement for these generators in doc.go: +k8s:conversion-gen=<peer-package or false>",
    );
    let doc = module.text("v1/doc.go").replace(
        "\n\npackage",
        "\n// +k8s:conversion-gen=false\n// +k8s:openapi-gen=true\n\npackage",
    );
    module.write("v1/doc.go", &doc);
    module.make(&format!("gen defaulter-gen {rule} ./v1"));
    module.write("v1/doc.go", &doc.replace("openapi-gen", "openapi-gem-gen"));
    module.refused(
        &format!("gen validation-gen {rule} ./v1"),
        "v1/doc.go: unrecognized +k8s: tag(s): +k8s:openapi-gem-gen",
    );
}

#[test]
fn tables_leave_out_what_a_file_lists() {
    let module = Module::new("allowlist");
    let entry = "- apiVersion: shop.example.org/v1\n  kind: Order\n  path: name\n  errorType: '*'\n  origin: '*'\n  reason: checked by hand\n";
    module.write("allow.yaml", entry);
    module.make("gen validation-gen --test-output-root tests --test-allowlist allow.yaml ./v1");
    assert!(!module.0.join("tests").exists(), "nothing is left to be seen");
    module.write("allow.yaml", &entry.replace("  reason: checked by hand\n", ""));
    module.refused(
        "gen validation-gen --test-output-root tests --test-allowlist allow.yaml ./v1",
        "allow.yaml: entry 0: reason is required",
    );
}

#[test]
fn unsupported_options_name_the_alternative() {
    let module = Module::new("elsewhere");
    module.refused(
        "gen validation-gen --docs",
        "`kindsmith tags -o json` prints all tags",
    );
    module.refused(
        "gen validation-gen --test-output-file-prefix x ./v1",
        "--test-output-root",
    );
    module.refused("gen defaulter-gen --lint-rules=other ./v1", "known-tags-only");
    module.refused(
        "gen defaulter-gen example.org/other",
        "cannot read example.org/other",
    );
}

#[test]
fn openapi_gen_writes_its_files() {
    let module = Module::new("openapi");
    let doc = "// +k8s:openapi-gen=true\n// +k8s:openapi-model-package=org.example.shop\npackage v1\n";
    module.write("v1/doc.go", doc);
    let line = "gen openapi-gen --output-dir out --output-pkg example.org/shop/out --go-header-file header.txt \
                --output-model-name-file zz_names.go -r report.txt -v 2";
    module.make(&format!("{line} ./v1"));
    let text = module.text("out/generated.openapi.go");
    assert!(
        text.contains("\npackage out\n") && text.contains("// Copyright 2") && !text.contains("YEAR"),
        "{text}"
    );
    assert!(
        text.contains("\t\tv1.Order{}.OpenAPIModelName(): schema_exampleorg_shop_v1_Order(ref),\n"),
        "{text}"
    );
    assert!(
        text.contains("Ref:     ref(\"example.org/shop/parts.Part\")"),
        "{text}"
    );
    assert_eq!(module.text("report.txt"), "");
    assert!(
        module
            .text("v1/zz_names.go")
            .contains("return \"org.example.shop.Order\"")
    );
    // What it wrote is not read as a source, and is up to date.
    module.make(&format!("{line} --check ./v1"));
    let types = module.text("v1/types.go");
    module.write(
        "v1/types.go",
        &types.replace("Name string `json", "Names []string `json"),
    );
    let run = module.run("gen openapi-gen --output-dir out --output-pkg example.org/shop/out ./v1");
    assert_eq!(
        run.stdout,
        "API rule violation: list_type_missing,example.org/shop/v1,Order,Names\n\
         API rule violation: names_match,example.org/shop/v1,Order,Names\n",
        "{}",
        run.stderr
    );
    module.refused(
        "gen openapi-gen --output-dir out --output-pkg example.org/shop/out",
        "no packages given",
    );
    module.refused("gen openapi-gen --output-dir out ./v1", "--output-pkg");
}

#[test]
fn deepcopy_gen_replaces_years_inside_words() {
    let module = Module::new("deepcopy");
    module.write("header.txt", "// Copyright YEAR us, 2YEARS.\n");
    module.write("v1/doc.go", "// +k8s:deepcopy-gen=package\npackage v1\n");
    module.make("gen deepcopy-gen --go-header-file header.txt ./v1");
    let text = module.text("v1/generated.deepcopy.go");
    assert!(
        text.contains("// Copyright 2") && !text.contains("YEAR"),
        "{text}"
    );
}

#[test]
fn deepcopy_gen_writes_type_arguments() {
    let module = Module::new("deepcopy-generic");
    module.write("v1/doc.go", "// +k8s:deepcopy-gen=package\npackage v1\n");
    module.write(
        "sets/sets.go",
        "package sets\n\ntype Set[T comparable] map[T]Empty\n\ntype Empty struct{}\n\ntype Pair[K comparable, V any] map[K]V\n",
    );
    let types = "package v1\n\nimport \"example.org/shop/sets\"\n\ntype Name string\n\ntype Order struct {\n\tNames sets.Set[string]\n\tOwn sets.Set[Name]\n\tBy map[string]sets.Set[string]\n\tData []uint8\n\tPairs sets.Pair[string, *int]\n}\n";
    module.write("v1/types.go", types);
    module.make("gen deepcopy-gen ./v1");
    let text = module.text("v1/generated.deepcopy.go");
    for line in [
        "*out = make(sets.Set[string], len(*in))",
        "*out = make(sets.Set[Name], len(*in))",
        "var outVal map[string]sets.Empty",
        "*out = make(map[string]sets.Set[string], len(*in))",
        "*out = make([]byte, len(*in))",
        "*out = make(sets.Pair[string, *int], len(*in))",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
}

#[test]
fn deepcopy_gen_checks_tags_with_lint_rules() {
    let module = Module::new("deepcopy-rules");
    module.write(
        "v1/doc.go",
        "// +k8s:deepcopy-gen=package\n// +k8s:openapi-gem-gen=true\npackage v1\n",
    );
    module.refused(
        "gen deepcopy-gen --lint-rules=known-tags-only,require-explicit-disablement ./v1",
        "v1/doc.go: unrecognized +k8s: tag(s): +k8s:openapi-gem-gen",
    );
}

#[test]
fn generators_that_are_not_there_are_refused() {
    let module = Module::new("absent");
    for name in [
        "client-gen",
        "lister-gen",
        "informer-gen",
        "conversion-gen",
        "register-gen",
        "applyconfiguration-gen",
    ] {
        let run = module.run(&format!(
            "gen {name} --output-dir out --go-header-file header.txt ./v1"
        ));
        assert_eq!(run.code, Some(2), "{name}");
        let said = format!("{name} is not part of kindsmith");
        assert!(
            run.stderr.contains(&said) && run.stderr.contains(&format!("k8s.io/code-generator/cmd/{name}")),
            "{}",
            run.stderr
        );
    }
    let help = module.run("gen --help").stdout;
    assert!(help.contains("There is no client-gen"), "{help}");
}
