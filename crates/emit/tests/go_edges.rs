//! Packages with an unusual layout: generated code compiles beside them and gofmt does not change it.

use crate::toolchain;
use kindsmith_emit::go::{self, Options};
use kindsmith_testkit::tool::say;

const ASKS: &str = "// +k8s:defaulter-gen=Root\n// +k8s:validation-gen=TypesWithField=Root\n// +k8s:validation-gen-nolint\n// +k8s:validation-gen-scheme-registry=nil\n\n";

/// Directories, package names, and what is declared there.
const PACKAGES: &[(&str, &str, &str)] = &[
    // The package name differs from its directory.
    (
        "odd/dir-name.x",
        "odd",
        "type T struct {\nRoot string `json:\"root\"`\nInner *Inner `json:\"inner\"`\n}\n\
         type Inner struct {\n// +k8s:maxLength=3\n// +default=\"abc\"\nS string `json:\"s\"`\n}\nfunc SetDefaults_Inner(in *Inner) {}\n",
    ),
    // Two packages of the same name, and an internal one.
    (
        "a/v1",
        "v1",
        "type T struct {\nRoot string `json:\"root\"`\n// +k8s:maxLength=4\n// +default=\"a\"\nName string `json:\"name,omitempty\"`\n}\n",
    ),
    (
        "internal/b/v1",
        "v1",
        "type T struct {\nRoot string `json:\"root\"`\n// +k8s:minimum=1\n// +default=3\nN *int32 `json:\"n,omitempty\"`\n}\n\
         func SetDefaults_T(in *T) {}\n",
    ),
    (
        "uses",
        "uses",
        "import (\nav1 \"example.com/edges/a/v1\"\n\"example.com/edges/internal/b/v1\"\nodd \"example.com/edges/odd/dir-name.x\"\n)\n\
         type T struct {\nRoot string `json:\"root\"`\nA av1.T `json:\"a\"`\nB *v1.T `json:\"b\"`\nO []odd.T `json:\"o\"`\n\
         // +k8s:listType=map\n// +k8s:listMapKey=name\nL []av1.T `json:\"l\"`\n}\n",
    ),
    // Declares the names that generated code would use.
    (
        "taken",
        "taken",
        "type field struct{}\ntype context struct{}\nfunc validate() {}\nvar operation = 1\nconst safe = 2\nvar runtime, json, fmt = 1, 2, 3\n\
         type T struct {\nRoot string `json:\"root\"`\n// +k8s:required\n// +k8s:maxLength=4\nName string `json:\"name\"`\n\
         // +default={\"k\":\"v\"}\nM map[string]string `json:\"m\"`\nunexported field\n}\n",
    ),
    // Has a dot import.
    (
        "dot",
        "dot",
        "import . \"example.com/edges/plain\"\ntype T struct {\nRoot string `json:\"root\"`\n// +k8s:opaqueType\nP Plain `json:\"p\"`\n}\n",
    ),
    // Differs by platform; files for other platforms do not count.
    (
        "platform",
        "platform",
        "type T struct {\nRoot string `json:\"root\"`\nP Platform `json:\"p\"`\n}\n",
    ),
    // Types of named types, and aliases.
    (
        "chain",
        "chain",
        "// +k8s:maxLength=5\ntype S1 string\ntype S2 S1\n// +k8s:minLength=2\ntype S3 S2\ntype L1 []S3\n// +k8s:maxItems=3\ntype L2 L1\n\
         type M1 map[S2]S3\ntype M2 M1\ntype St1 struct {\n// +k8s:required\n// +default=\"ab\"\nA S3 `json:\"a\"`\n}\ntype St2 St1\ntype Same = St2\n\
         type T struct {\nRoot string `json:\"root\"`\n// +default=\"abc\"\nP *S3 `json:\"p\"`\nL L2 `json:\"l\"`\nM M2 `json:\"m\"`\nS Same `json:\"s\"`\n}\n",
    ),
];

/// Further files.
const FILES: &[(&str, &str)] = &[
    (
        "plain/plain.go",
        "package plain\n\ntype Plain struct {\n// +default=\"p\"\nA string `json:\"a\"`\n}\n",
    ),
    (
        "platform/platform_linux.go",
        "package platform\n\ntype Platform struct {\n// +k8s:required\n// +default=\"l\"\nL string `json:\"l\"`\n}\n",
    ),
    (
        "platform/other.go",
        "//go:build !linux\n\npackage platform\n\ntype Platform struct {\n// +k8s:required\n// +default=\"l\"\nL string `json:\"l\"`\n}\n",
    ),
    (
        "platform/platform_test.go",
        "package platform_test\n\ntype Platform int\n",
    ),
];

/// The methods that make a type a runtime object.
const OBJECT: &str = "import (\n\trt \"k8s.io/apimachinery/pkg/runtime\"\n\tsch \"k8s.io/apimachinery/pkg/runtime/schema\"\n)\n\n\
                      func (in *T) GetObjectKind() sch.ObjectKind { return nil }\nfunc (in *T) DeepCopyObject() rt.Object     { return in }\n";

#[test]
fn code_compiles_in_unusual_packages() {
    let Some(go) = toolchain::go("edges", "compiling generated code in oddly laid out packages") else {
        return;
    };
    go.module_file("example.com/edges");
    for (directory, name, types) in PACKAGES {
        go.write(&format!("{directory}/doc.go"), &format!("{ASKS}package {name}\n"));
        go.write(
            &format!("{directory}/types.go"),
            &format!("package {name}\n\n{types}"),
        );
        go.write(
            &format!("{directory}/object.go"),
            &format!("package {name}\n\n{OBJECT}"),
        );
    }
    for (path, text) in FILES {
        go.write(path, text);
    }
    let read = go.read("...");
    for generated in [
        go::defaults(&read.schema, &Options::default()),
        go::validations(&read.schema, &Options::default()),
    ] {
        assert_eq!(generated.problems, Vec::new());
        assert_eq!(generated.files.len(), PACKAGES.len());
        for file in generated.files {
            let directory = file.package.strip_prefix("example.com/edges/").expect("ours");
            go.write(&format!("{directory}/{}", file.name), &file.text);
        }
    }
    go.gofmt();
    go.run(&["vet", "./..."]);
    say(&format!("odd packages: {} compile\n", PACKAGES.len()));
}
