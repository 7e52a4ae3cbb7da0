//! Broken sources: one diagnostic, and the rest is still parsed.

use super::{check, read};

#[test]
fn a_broken_declaration_costs_only_itself() {
    check(
        "
        type A string
        type B map[string
        type C int
        func f( {
        type D int
        ",
        "
        type A string
        type C int
        type D int
        error at ``: expected `]`, found end of line
        error at `{`: expected a type, found `{`
        ",
    );
}

#[test]
fn a_broken_field_costs_only_itself() {
    check(
        "
        type S struct {
            A string
            B map[string
            C ?
            D int
        }
        ",
        "
        type S struct
          A string
          D int
        error at ``: expected `]`, found end of line
        error at `?`: character '?' is not part of Go
        ",
    );
}

#[test]
fn an_open_struct_ends_at_the_next_declaration() {
    check(
        "
        type S struct {
            A string

        type T int
        ",
        "
        type S struct
          A string
        type T int
        error at `type`: struct is never closed
        ",
    );
}

#[test]
fn an_open_function_ends_at_the_next_declaration() {
    check(
        "
        func f() {
            if x {
        }
        type T int
        func g() {
        ",
        "
        type T int
        error at `{`: `{` is never closed
        error at `{`: `{` is never closed
        ",
    );
}

#[test]
fn open_literals() {
    check(
        "
        const A = \"a
        const B = 'x
        type T int
        /* open
        ",
        "
        type T int
        const A = \"a @0
        const B = 'x @0
        loose:  open
        error at `\"`: string is not closed on its line
        error at `'`: rune is not closed on its line
        error at `/*`: comment is not closed
        ",
    );
}

#[test]
fn a_file_without_package_clause() {
    let file = read("type T int\n");
    assert_eq!(file.types.len(), 1);
    assert_eq!(file.diagnostics[0].message, "expected `package`, found `type`");
}

#[test]
fn nesting_is_bounded() {
    for open in ["[]", "*", "struct{A ", "map[int]", "func(", "[]*", "chan ", "A["] {
        let file = read(&format!(
            "package p\ntype A {}\ntype B int\n",
            open.repeat(20_000)
        ));
        let last = file.types.last().map(|decl| file.text(decl.name));
        assert_eq!(last, Some("B"), "{open}");
        assert_eq!(file.diagnostics[0].message, "nested too deeply", "{open}");
    }
    let file = read(&format!(
        "package p\nconst A = {}1\ntype B int\n",
        "-(".repeat(20_000)
    ));
    assert_eq!(file.types.len(), 1);
}
