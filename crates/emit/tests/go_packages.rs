//! Generated code across packages: which hand-written functions are called, and which packages get code.

use kindsmith_emit::go::{self, Generated, Options};
use kindsmith_schema::Schema;
use kindsmith_testkit::GoPackages;

/// A module of files, with all packages as input.
fn schema(files: &[(&str, &str)]) -> Schema {
    let packages = GoPackages::default().file("m/go.mod", "module example.org\n\ngo 1.26\n");
    let add = |packages: GoPackages, (path, text): &(&str, &str)| packages.file(&format!("m/{path}"), *text);
    files.iter().fold(packages, add).read("m/...").schema
}

fn defaults(files: &[(&str, &str)], options: &Options) -> Generated {
    go::defaults(&schema(files), options)
}

/// Checks that the file of a package contains the given parts.
fn check(generated: &Generated, package: &str, parts: &[&str]) {
    assert_eq!(generated.problems, Vec::new());
    let file = generated.files.iter().find(|file| *file.package == *package);
    let text = &file.unwrap_or_else(|| panic!("no file in {package}")).text;
    for part in parts {
        assert!(text.contains(part), "no\n{part}\nin\n{text}");
    }
}

const PODS: (&str, &str) = (
    "api/pods/types.go",
    "package pods\ntype Pod struct {\nMeta string\nSpec Spec `json:\"spec\"`\n}\ntype Spec struct {\nA string `json:\"a\"`\n}\n",
);
const SETS: (&str, &str) = (
    "api/sets/types.go",
    "package sets\nimport \"example.org/api/pods\"\ntype Set struct {\nMeta string\nTemplate pods.Spec `json:\"template\"`\n}\n\
     type Plain struct {\nMeta string\nTemplate pods.Spec `json:\"template\"`\n}\n",
);

#[test]
fn functions_of_later_packages_are_called_but_do_not_select_types() {
    let files = [
        PODS,
        SETS,
        (
            "a/doc.go",
            "// +k8s:defaulter-gen=Meta\n// +k8s:defaulter-gen-input=example.org/api/sets\npackage a\n\
             import \"example.org/api/sets\"\nfunc SetDefaults_Set(in *sets.Set) {}\n",
        ),
        (
            "later/doc.go",
            "// +k8s:defaulter-gen=Meta\n// +k8s:defaulter-gen-input=example.org/api/pods\npackage later\n\
             import \"example.org/api/pods\"\nfunc SetDefaults_Spec(in *pods.Spec) {}\n",
        ),
    ];
    let generated = defaults(&files, &Options::default());
    check(
        &generated,
        "example.org/a",
        &["\tSetDefaults_Set(in)\n\tlater.SetDefaults_Spec(&in.Template)\n"],
    );
    check(
        &generated,
        "example.org/later",
        &["\tSetDefaults_Spec(&in.Spec)\n"],
    );
    let a = &generated.files[0].text;
    assert!(!a.contains("Plain"), "nothing was known for it in time:\n{a}");
}

#[test]
fn functions_of_peers_count_from_the_start() {
    let files = [
        PODS,
        SETS,
        (
            "a/doc.go",
            "// +k8s:defaulter-gen=Meta\n// +k8s:defaulter-gen-input=example.org/api/sets\npackage a\n",
        ),
        (
            "z/defaults.go",
            "package z\nimport other \"example.org/api/pods\"\nfunc SetDefaults_Spec(in *other.Spec) {}\n",
        ),
    ];
    let options = Options {
        packages: Some(vec!["example.org/a".into()]),
        peers: vec!["example.org/z".into()],
        ..Options::default()
    };
    let generated = defaults(&files, &options);
    let parts = [
        "func SetObjectDefaults_Plain(in *sets.Plain) {\n\tz.SetDefaults_Spec(&in.Template)\n}\n",
        "func SetObjectDefaults_Set(in *sets.Set) {\n\tz.SetDefaults_Spec(&in.Template)\n}\n",
    ];
    check(&generated, "example.org/a", &parts);
}

#[test]
fn a_function_is_for_the_type_its_import_names() {
    let files = [
        PODS,
        (
            "other/pods/types.go",
            "package pods\ntype Spec struct {\nA string `json:\"a\"`\n}\n",
        ),
        (
            "v1/types.go",
            "// +k8s:defaulter-gen=Meta\npackage v1\nimport (\nmine \"example.org/other/pods\"\n\"example.org/api/pods\"\n. \"example.org/dot\"\n)\n\
             type T struct {\nMeta string\nA mine.Spec `json:\"a\"`\nB pods.Spec `json:\"b\"`\nC Dotted `json:\"c\"`\nD Aliased `json:\"d\"`\n}\n\
             func SetDefaults_Spec(in *mine.Spec) {}\ntype Another = Aliased\ntype Aliased struct {\nA string\n}\nfunc SetDefaults_Dotted(in *Dotted) {}\nfunc SetDefaults_Aliased(in *Another) {}\n",
        ),
        ("v1/doc.go", "// +k8s:defaulter-gen=Meta\npackage v1\n"),
        ("dot/types.go", "package dot\ntype Dotted struct {\nA string\n}\n"),
    ];
    check(
        &defaults(&files, &Options::default()),
        "example.org/v1",
        &["{\n\tSetDefaults_Spec(&in.A)\n\tSetDefaults_Dotted(&in.C)\n\tSetDefaults_Aliased(&in.D)\n}\n"],
    );
}

#[test]
fn only_the_base_function_covers() {
    let types = "package v1\ntype T struct {\nMeta string\nS S `json:\"s\"`\nU U `json:\"u\"`\n}\n\
                 type S struct {\n// +default=\"x\"\nA string `json:\"a\"`\n}\ntype U struct {\n// +default=\"y\"\nA string `json:\"a\"`\n}\n\
                 // +k8s:defaulter-gen=covers\nfunc SetDefaults_S(in *S) {}\nfunc SetDefaults_S_More(in *S) {}\n\
                 // +k8s:defaulter-gen=covers\nfunc SetDefaults_U_More(in *U) {}\n";
    let files = [
        ("v1/doc.go", "// +k8s:defaulter-gen=Meta\npackage v1\n"),
        ("v1/types.go", types),
    ];
    check(
        &defaults(&files, &Options::default()),
        "example.org/v1",
        &[
            "{\n\tSetDefaults_S(&in.S)\n\tSetDefaults_U_More(&in.U)\n\tif in.U.A == \"\" {\n\t\tin.U.A = \"y\"\n\t}\n}\n",
        ],
    );
}

#[test]
fn two_functions_for_one_type_are_a_problem() {
    let doc = |name: &str| {
        format!(
            "package {name}\nimport \"example.org/api/pods\"\nfunc SetDefaults_Spec(in *pods.Spec) {{}}\n"
        )
    };
    let (a, b) = (doc("a"), doc("b"));
    let generated = defaults(&[PODS, ("a/a.go", &a), ("b/b.go", &b)], &Options::default());
    let messages: Vec<&str> = generated
        .problems
        .iter()
        .map(|problem| &*problem.message)
        .collect();
    assert_eq!(
        messages,
        ["duplicate static defaulter defined: SetDefaults_Spec is in example.org/a and in example.org/b"]
    );
}

#[test]
fn a_package_can_opt_out() {
    let files = [
        (
            "v1/doc.go",
            "// +k8s:defaulter-gen=false\n// +k8s:validation-gen=false\npackage v1\n",
        ),
        (
            "v1/types.go",
            "package v1\ntype T struct {\n// +default=\"x\"\nA string `json:\"a\"`\n}\n",
        ),
    ];
    let schema = schema(&files);
    assert_eq!(go::defaults(&schema, &Options::default()), Generated::default());
    assert_eq!(
        go::validations(&schema, &Options::default()),
        Generated::default()
    );
}

#[test]
fn tests_of_kinds_use_the_group_in_the_code() {
    let files = [
        (
            "api/v1/register.go",
            "package v1\nconst GroupName = \"shop.example.org\"\n",
        ),
        ("api/v1/doc.go", "package v1\n"),
        (
            "api/v1/types.go",
            "package v1\ntype Order struct {\n// +k8s:required\nA string `json:\"a\"`\n}\n",
        ),
        (
            "v1/doc.go",
            "// +k8s:validation-gen=*\n// +k8s:validation-gen-input=example.org/api/v1\npackage v1\n",
        ),
    ];
    let tests = go::kind_tests(&schema(&files), &Options::default(), "");
    let paths: Vec<&str> = tests.iter().map(|test| &*test.path).collect();
    assert_eq!(paths, ["shop/order/main_test.go", "shop/order/v1_test.go"]);
    assert!(
        tests[1]
            .text
            .contains("Group: \"shop.example.org\", Version: \"v1\", Kind: \"Order\""),
        "{}",
        tests[1].text
    );
}
