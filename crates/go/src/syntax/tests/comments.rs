//! Which comments belong to which declarations, and their text.

use super::{check, read};

#[test]
fn the_group_right_above_is_the_doc() {
    check(
        "
        // +second

        // A is.
        // +k8s:required
        type A string // trailing
        ",
        "
        type A string
          above: +second
          doc: A is. / +k8s:required
          trailing: trailing
        ",
    );
}

#[test]
fn a_blank_line_detaches() {
    check(
        "
        // +far

        type A string

        // +farther


        type B string
        ",
        "
        type A string
          above: +far
        type B string
          nearest: +farther
        ",
    );
}

#[test]
fn gengo_gives_a_trailing_comment_to_the_next_line() {
    check(
        "
        type S struct {
            A string // +k8s:required
            B string
            // own
            C string // c
            // d
            D string
        }
        ",
        "
        type S struct
          A string
            trailing: +k8s:required
          B string
            closest (trailing): +k8s:required
          C string
            doc: own
            trailing: c
          D string
            doc: d
        ",
    );
}

#[test]
fn names_on_one_line_share_comments() {
    check(
        "
        type S struct {
            // ab
            A, B string
        }
        ",
        "
        type S struct
          A string
            doc: ab
          B string
            doc: ab
        ",
    );
}

#[test]
fn comments_after_an_opening_brace_are_near_the_first_field() {
    check(
        "
        type S struct { // open
            A string

            // inner

            // b
            B struct {
                C int
                // dangling
            } // b end

            // e
            E int
        }
        ",
        "
        type S struct
          A string
            nearest: open
            closest (trailing): open
          B struct
            nearest: inner
            doc: b
            trailing: b end
            C int
          E int
            doc: e
        ",
    );
}

#[test]
fn package_level_groups_are_collected() {
    let file = read(
        "// license\n\n// Package doc.\n// +groupName=x\npackage p // tail\n\n// +loose\n\n// +nearest\n\n// doc\ntype A int\n\n\
         // of const\n\nconst B = 1\n// func doc\nfunc f() {\n\t// inside\n}\n\n// group near\n\n// group doc\ntype (\n\t// c\n\tC int\n)\n\n// end\n",
    );
    let loose: Vec<String> = file
        .package_groups
        .iter()
        .map(|group| file.comment_lines(*group)[0].text.to_owned())
        .collect();
    let expected = [
        "license",
        "Package doc.",
        "tail",
        "+loose",
        "of const",
        "group near",
        "end",
    ];
    assert_eq!(loose, expected);
}

#[test]
fn text_of_a_group() {
    check(
        "
        //no space
        //   three
        //go:generate x
        //
        //
        //+k8s:x=y  \t
        //nolint:all
        // nolint:kept
        //line 3
        //
        type A int
        ",
        "
        type A int
          doc: no space /   three /  / +k8s:x=y / nolint:kept
        ",
    );
}

#[test]
fn block_comments() {
    check(
        "
        /* one */
        type A int

        /*
        Two
          +k8s:x
        */
        type B int
        /* c */ /* d */
        // e
        type C int
        ",
        "
        type A int
          doc:  one
        type B int
          doc: Two /   +k8s:x
        type C int
          second: Two /   +k8s:x
          doc:  c /  d / e
        ",
    );
}

#[test]
fn constants_have_comments_too() {
    check(
        "
        // group
        const (
            // a
            A = 1 // ta

            // loose

            // b
            B = 2
        )
        // single
        const C = 3
        ",
        "
        const A = 1 @0
          doc: a
          trailing: ta
        const B = 2 @1
          nearest: loose
          doc: b
        const C = 3 @0
          doc: single
        ",
    );
}

#[test]
fn carriage_returns_are_not_text() {
    let file = read("package p\r\n\r\n// a\r\n// b\r\ntype A int\r\n");
    let doc = file.types[0]
        .comments
        .closest
        .map(|group| file.comment_lines(group));
    let texts: Vec<&str> = doc.iter().flatten().map(|line| line.text).collect();
    assert_eq!(texts, ["a", "b"]);
}
