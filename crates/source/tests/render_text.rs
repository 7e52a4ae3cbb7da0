//! Output for people: a source with marks between `«` and `»`, a finding about them, and the exact text.

use crate::marked::{self, finding};
use kindsmith_source::render::{Report, Style};
use kindsmith_source::{Diagnostic, Span};

fn check(source: &str, finding: impl Fn(&[Span]) -> Diagnostic, expected: &str) {
    let (sources, spans) = marked::read("types.go", source);
    let text = Report::new(&sources, [&finding(&spans)]).text(Style::default());
    assert_eq!(text.trim_end_matches('\n'), expected.trim_matches('\n'));
    assert!(text.ends_with("\n\n"), "findings are kept apart by an empty line");
}

fn error(spans: &[Span]) -> Diagnostic {
    Diagnostic::error(finding!("bad-thing"), spans[0], "this is bad")
}

#[test]
fn shows_code_place_line_and_caret() {
    check(
        "package v1\n\ntype «spec» struct {}\n",
        |spans| error(spans).label("not exported"),
        r"
error[bad-thing]: this is bad
 --> types.go:3:6
  |
3 | type spec struct {}
  |      ^^^^ not exported
",
    );
}

#[test]
fn shows_warnings_as_warnings() {
    check(
        "«a»",
        |spans| Diagnostic::warning(finding!("odd-thing"), spans[0], "this is odd"),
        r"
warning[odd-thing]: this is odd
 --> types.go:1:1
  |
1 | a
  | ^
",
    );
}

#[test]
fn shows_help_upstream_text_and_fix() {
    check(
        "\t// +k8s:«maxLen»=3\n\tName string\n",
        |spans| {
            error(spans)
                .help("tags are case-sensitive")
                .upstream("unknown tag \"k8s:maxLen\"")
                .fix("write `maxLength`", spans[0], "maxLength")
        },
        r#"
error[bad-thing]: this is bad
 --> types.go:1:10
  |
1 |     // +k8s:maxLen=3
  |             ^^^^^^
  |
  = help: tags are case-sensitive
  = note: upstream says: unknown tag "k8s:maxLen"
help: write `maxLength`
  |
1 |     // +k8s:maxLength=3
  |                   +++
"#,
    );
}

#[test]
fn leaves_out_upstream_text_that_says_the_same() {
    check(
        "«a»",
        |spans| error(spans).upstream("this is bad"),
        r"
error[bad-thing]: this is bad
 --> types.go:1:1
  |
1 | a
  | ^
",
    );
}

#[test]
fn shows_a_replacement_as_a_diff() {
    check(
        "Count «int»\n",
        |spans| error(spans).fix("give it a size", spans[0], "uint32"),
        r"
error[bad-thing]: this is bad
 --> types.go:1:7
  |
1 | Count int
  |       ^^^
  |
help: give it a size
  |
1 - Count int
1 + Count uint32
  |
",
    );
}

#[test]
fn shows_a_removed_line() {
    check(
        "a\n«\t// +optional\n»b\n",
        |spans| error(spans).fix("remove it", spans[0], ""),
        r"
error[bad-thing]: this is bad
 --> types.go:2:1
  |
2 | /     // +optional
3 | | b
  | |_^
  |
help: remove it
  |
2 -     // +optional
  |
",
    );
}

#[test]
fn draws_near_places_together() {
    check(
        "«Name» string\nAge int\n«Name» string\n",
        |spans| {
            Diagnostic::error(finding!("twice"), spans[1], "`Name` is there twice")
                .label("again here")
                .related(spans[0], "first here")
        },
        r"
error[twice]: `Name` is there twice
 --> types.go:3:1
  |
1 | Name string
  | ---- first here
2 | Age int
3 | Name string
  | ^^^^ again here
",
    );
}

#[test]
fn draws_far_places_apart() {
    let source = format!("«Name» string\n{}«Name» string\n", "\n".repeat(50));
    check(
        &source,
        |spans| {
            Diagnostic::error(finding!("twice"), spans[1], "`Name` is there twice")
                .related(spans[0], "first here")
        },
        r"
error[twice]: `Name` is there twice
  --> types.go:52:1
   |
52 | Name string
   | ^^^^
   |
  ::: types.go:1:1
   |
 1 | Name string
   | ---- first here
",
    );
}

#[test]
fn counts_characters_and_draws_widths() {
    check(
        "é世界«世»x\n",
        |spans| error(spans).label("here"),
        r"
error[bad-thing]: this is bad
 --> types.go:1:4
  |
1 | é世界世x
  |      ^^ here
",
    );
}

#[test]
fn draws_lines_with_carriage_returns() {
    check(
        "a\r\nb «c»\r\nd\r\n",
        error,
        r"
error[bad-thing]: this is bad
 --> types.go:2:3
  |
2 | b c
  |   ^
",
    );
}

#[test]
fn draws_the_end_of_a_file() {
    check(
        "a\nb\n«»",
        |spans| error(spans).label("file ends here"),
        r"
error[bad-thing]: this is bad
 --> types.go:3:1
  |
3 |
  | ^ file ends here
",
    );
}

#[test]
fn draws_an_empty_file() {
    check(
        "«»",
        |spans| error(spans).label("nothing here"),
        r"
error[bad-thing]: this is bad
 --> types.go:1:1
  |
1 |
  | ^ nothing here
",
    );
}

#[test]
fn draws_a_span_over_lines() {
    check(
        "type A «struct {\n\tB int\n\tC int\n\tD int\n\tE int\n}»\n",
        |spans| error(spans).label("empty it"),
        r"
error[bad-thing]: this is bad
 --> types.go:1:8
  |
1 |   type A struct {
  |  ________^
2 | |     B int
3 | |     C int
4 | |     D int
5 | |     E int
6 | | }
  | |_^ empty it
",
    );
}

#[test]
fn marks_only_the_first_line_of_a_very_long_span() {
    let source = format!("type A «struct {{\n{}}}»\n", "\tB int\n".repeat(100));
    check(
        &source,
        error,
        r"
error[bad-thing]: this is bad
 --> types.go:1:8
  |
1 | type A struct {
  |        ^^^^^^^^
",
    );
}

#[test]
fn cuts_long_lines_and_keeps_the_true_column() {
    let source = format!("{}«bad»{}\n", "ab ".repeat(1000), " cd".repeat(1000));
    check(
        &source,
        |spans| error(spans).fix("write `good`", spans[0], "good"),
        r"
error[bad-thing]: this is bad
 --> types.go:1:3001
  |
1 | ...ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab bad cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd ...
  |                                                                   ^^^
  |
help: write `good`
  |
1 - ... ab ab ab ab ab ab ab ab ab ab ab ab ab bad cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd c...
1 + ... ab ab ab ab ab ab ab ab ab ab ab ab ab good cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd cd c...
  |
",
    );
}

#[test]
fn orders_by_file_then_place_then_code() {
    let mut sources = kindsmith_source::SourceMap::default();
    let (late, early) = (sources.add("b.go", "x y"), sources.add("a.go", "x y"));
    let findings = [
        Diagnostic::error(finding!("c"), Span::new(late, 0, 1), "4"),
        Diagnostic::error(finding!("b"), Span::new(early, 2, 3), "3"),
        Diagnostic::error(finding!("b"), Span::new(early, 0, 1), "2"),
        Diagnostic::error(finding!("a"), Span::new(early, 0, 1), "1"),
    ];
    let text = Report::new(&sources, &findings).text(Style::default());
    let titles: Vec<_> = text.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(
        titles,
        ["error[a]: 1", "error[b]: 2", "error[b]: 3", "error[c]: 4"]
    );
}

#[test]
fn colors_only_when_told() {
    let (sources, spans) = marked::read("types.go", "«a\u{1b}[31m»");
    let finding =
        error(&spans)
            .help("\u{1b}[31mred")
            .label("\u{1b}[31m")
            .fix("\u{1b}[31m", spans[0], "\u{1b}[32m");
    let report = Report::new(&sources, [&finding]);
    let escapes = |color| {
        report
            .text(Style {
                color,
                ..Style::default()
            })
            .contains('\u{1b}')
    };
    assert!(escapes(true));
    assert!(
        !escapes(false),
        "escape codes of the source never reach the terminal"
    );
}

#[test]
fn points_out_each_page_once_and_none_for_notes() {
    let (sources, spans) = marked::read("types.go", "«a» «b» «c»\n");
    let findings = [
        error(&spans).help("do better"),
        Diagnostic::warning(finding!("bad-thing"), spans[1], "this is bad, too"),
        Diagnostic::note(finding!("known"), spans[2], "this is known"),
    ];
    let style = Style {
        pages: Some("explain"),
        ..Style::default()
    };
    let text = Report::new(&sources, &findings).text(style);
    let helps: Vec<_> = text.lines().filter(|line| line.contains("= help")).collect();
    assert_eq!(helps, ["  = help: do better", "  = help: explain bad-thing"]);
}
