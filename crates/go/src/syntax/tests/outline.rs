//! An opened outline equals the whole file.

use proptest::prelude::*;

use super::super::{Detail, TypeKind, dump};
use super::{dedent, read, read_with};

/// Compares both ways of parsing, and returns the number of structs that the outline skipped.
fn skipped(source: &str) -> usize {
    let outline = read_with(source, Detail::Outline);
    let whole = read(source);
    if whole.diagnostics.is_empty() {
        assert_eq!(dump(&outline), dump(&whole), "\nof:\n{source}");
    }
    let types = outline.types.iter();
    types
        .filter(|decl| matches!(outline.ty(decl.ty).kind, TypeKind::Unread(_)))
        .count()
}

fn check(source: &str, unread: usize) {
    let source = format!("package p\n\n{}", dedent(source));
    assert_eq!(skipped(&source), unread, "\nof:\n{source}");
}

#[test]
fn structs_are_parsed_on_demand() {
    check(
        "
        // +k8s:thing
        type A struct {
        \tmetav1.TypeMeta `json:\",inline\"`

        \t// +optional
        \tB, C *pkg.D // t
        \tE struct {
        \t\t// f
        \t\tF map[string][]int `json:\"}\"`
        \t}
        }

        // G is generic.
        type G[T any] struct {
        \tItems []T
        }
        ",
        2,
    );
    check("type ( A struct {\n\tB int\n}; C = struct {\n\tD int\n}\n)", 1);
    check("type A struct {\n}\ntype B []struct {\n\tC int\n}", 1);
}

#[test]
fn literals_and_comments_hide_braces() {
    check(
        "type A struct {\n\tB int `}`\n\tC [len(\"}\")]int /* } */ // }\n\tD int\n}",
        1,
    );
}

#[test]
fn a_field_on_the_line_of_the_brace_sees_comments_above_it() {
    check("// a\ntype A struct { B int }", 0);
    check("// a\ntype A struct { // b\n\tC int\n}", 0);
    check("/* a\n*/ type A struct {\n\tB int\n}", 0);
}

#[test]
fn the_next_declaration_sees_comments_at_the_end() {
    check(
        "type A struct {\n\tB int\n\t// end\n}\ntype C struct {\n\tD int\n}",
        1,
    );
    check(
        "type A struct {\n\tB int\n\t// end\n}\n// c\ntype C struct {\n\tD int\n}",
        1,
    );
    check("type A struct {\n\tB int // b\n}\ntype C int", 0);
    check("type A struct {\n\tB int\n/* end */}\ntype C int", 0);
    check("type (A struct {\n\t// b\n\tB int\n}; C int)", 0);
    check("func f() {\n\t// b\n\tg()\n};type A int", 0);
    check("func f() {\n\t// end\n}\n\ntype C int", 0);
    check("func f() {\n\t// b\n\tg()\n} // f\ntype A struct {\n}", 1);
    check("func f() {\n\t// start\n\tg()\n}\ntype C int", 0);
}

#[test]
fn unclosed_structs_are_parsed_at_once() {
    check("type A struct {\n\tB int\n\ntype C int", 0);
    check(
        "type A struct {\n\tB string `json\n}\ntype C struct {\n\tD int\n}",
        0,
    );
}

/// Lines that affect the place of comments, in any order.
const LINES: &[&str] = &[
    "// +a",
    "/* b */",
    "",
    "type A struct {",
    "\tB int `json:\"b\"`",
    "\tC, D []string // d",
    "\t// +e",
    "\t/* f */ F int",
    "}",
    "} // g",
    "};type H int",
    "const I = 1 // i",
    "func j() {",
    "\tk(`}`)",
];

proptest! {
    #[test]
    fn lines_in_any_order(lines in prop::collection::vec(prop::sample::select(LINES), 0..24)) {
        skipped(&format!("package p\n{}\n", lines.join("\n")));
    }
}
