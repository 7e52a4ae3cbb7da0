//! Tests of constant values: declarations and their values.

use std::sync::Arc;

use super::{Constant, Constants, Value};
use crate::package::{Loader, MemoryFiles, Options};

/// Compares the values of all constants of a package, one per line, with `expected`.
fn check(source: &str, expected: &[&str]) {
    let files: MemoryFiles = [
        ("p/go.mod", "module m\nrequire k8s.io/api v1.0.0\n".to_owned()),
        ("p/a.go", format!("package p\nimport (\n\t\"m/other\"\n\t\"time\"\n\t\"math\"\n\t. \"m/dot\"\n\t\"k8s.io/api/gone\"\n)\n{source}\n")),
        ("p/other/o.go", "package other\ntype Mode string\nconst On Mode = \"on\"\nconst N = Hidden * 2\nconst Hidden = 21\n".to_owned()),
        ("p/dot/d.go", "package dot\nconst Dotted = 5\n".to_owned()),
    ]
    .into_iter()
    .collect();
    let mut loader = Loader::new(&files, Options::default());
    let package = loader.load_directory("p").expect("the directory holds a package");
    let mut constants = Constants::default();
    let shown: Vec<String> = package
        .consts()
        .map(|(file, decl)| {
            let constant = constants.value(&mut loader, &package, file, decl);
            show(constant.map(Arc::unwrap_or_clone))
        })
        .collect();
    assert_eq!(shown, expected, "{source}");
}

fn show(constant: Option<Constant>) -> String {
    let Some(constant) = constant else {
        return "?".to_owned();
    };
    let value = match constant.value {
        Value::String(text) => format!("{text:?}"),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Bool(value) => value.to_string(),
    };
    match constant.ty {
        None => value,
        Some(ty) => format!(
            "{}{} {value}",
            ty.package.map_or(String::new(), |path| format!("{path}.")),
            ty.name
        ),
    }
}

#[test]
fn literals() {
    check("const A, B, C = 1_000, 0x1F, 017", &["1000", "31", "15"]);
    check("const A, B, C = 0b101, 0o7, 1.5e3", &["5", "7", "1500.0"]);
    check(
        r#"const A, B, C = "a\tb\x41é", `r\aw`, 'a'"#,
        &[r#""a\tbAé""#, r#""r\\aw""#, "97"],
    );
    check(r"const A, B, C = '\n', '\'', '\u00e9'", &["10", "39", "233"]);
    check("const A, B = true, !true", &["true", "false"]);
    check("const A, B = 09, 2i", &["?", "?"]);
}

#[test]
fn types_are_declared_inherited_or_converted() {
    check("type P string\nconst A P = \"a\"", &["m.P \"a\""]);
    check(
        "type P string\nconst A = P(\"a\")\nconst B = A",
        &["m.P \"a\"", "m.P \"a\""],
    );
    check("const A int32 = 1 + 2", &["int32 3"]);
    check("const A float64 = 3", &["float64 3.0"]);
    check("type F float32\ntype G F\nconst A G = 3", &["m.G 3.0"]);
    check("const A = string('a')", &["string \"a\""]);
    check("const A uint8 = ^uint8(0)", &["uint8 255"]);
    check("type P = other.Mode\nconst A P = \"a\"", &["m/other.Mode \"a\""]);
    check("type P = Q\ntype Q = int8\nconst A = P(1)", &["int8 1"]);
    check("const A P = 1", &["?"]);
    check("const A int = \"a\"", &["?"]);
}

#[test]
fn iota_and_repetition() {
    check("const (\n\tA = iota\n\tB\n\t_\n\tD\n)", &["0", "1", "2", "3"]);
    check(
        "const (\n\tA = 1 << (10 * (iota + 1))\n\tB\n)",
        &["1024", "1048576"],
    );
    check(
        "type L int\nconst (\n\tA L = iota + 1\n\tB\n)",
        &["m.L 1", "m.L 2"],
    );
    check(
        "const (\n\tA, B = iota, \"x\"\n\tC, D\n)",
        &["0", "\"x\"", "1", "\"x\""],
    );
    check("const iota = 5\nconst A = iota", &["5", "5"]);
}

#[test]
fn operators() {
    check("const A, B, C = 7 / 2, -7 % 3, 7 / 2.0", &["3", "-1", "3.5"]);
    check("const A, B, C = 6 &^ 2, 6 | 1, 6 ^ 2", &["4", "7", "4"]);
    check("const A, B = \"a\" + \"b\", \"a\" < \"b\"", &["\"ab\"", "true"]);
    check(
        "const A, B = 1 == 1 && 2 > 3, len(\"héllo\")",
        &["false", "int 6"],
    );
    check("const A, B, C = 1 / 0, 1 << 500, \"a\" + 1", &["?", "?", "?"]);
}

#[test]
fn names_of_other_packages() {
    check("const A, B = other.On, other.N", &["m/other.Mode \"on\"", "42"]);
    check("const A = other.Mode(\"x\")", &["m/other.Mode \"x\""]);
    check(
        "const A, B = 5 * time.Minute, math.MaxInt32",
        &["time.Duration 300000000000", "2147483647"],
    );
    check("const A = Dotted + 1", &["6"]);
    check("const A, B = gone.X, nothing.Y", &["?", "?"]);
    check("const A = gone.T(\"x\")", &["k8s.io/api/gone.T \"x\""]);
}

#[test]
fn circles_and_depth_have_no_value() {
    check("const A = B\nconst B = A\nconst C = C", &["?", "?", "?"]);
    check("type P Q\ntype Q P\nconst A P = 1", &["m.P 1"]);
    check("type P = Q\ntype Q = P\nconst A P = 1", &["m.P 1"]);
    check(&format!("const A = {}1", "1 + ".repeat(5000)), &["?"]);
    check(&format!("const A = {}1", "-".repeat(900)), &["?"]);
}
