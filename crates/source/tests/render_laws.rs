//! Laws for every finding in every source: rendering never panics, whatever the span, and is deterministic.

use kindsmith_source::render::{Driver, Report, Style};
use kindsmith_source::{Diagnostic, Finding, SourceMap, Span, Tool};
use proptest::prelude::*;

const ESCAPE: char = '\u{1b}';

static FINDING: Finding = Finding::new("code", Tool::Kindsmith, "");

const DRIVER: Driver<'static> = Driver {
    name: "t",
    version: "0.0.0",
    information_uri: "https://example.com",
    findings: &[],
};

/// Pieces that are difficult for line tables and drawing.
fn source() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\r".to_owned()),
        Just("\t".to_owned()),
        Just("世é👩‍👩‍👧".to_owned()),
        Just("\u{1b}[31m\u{0}\u{202e}".to_owned()),
        Just("\u{301}\u{200b}".to_owned()),
        Just("long ".repeat(200)),
        "[ a-z]{0,20}",
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

/// Two offsets anywhere in the text, also inside characters and past the end.
fn ends(source: &str) -> impl Strategy<Value = (u32, u32)> + use<> {
    let last = source.len() as u32 + 3;
    (0..=last, 0..=last).prop_map(|(one, two)| (one.min(two), one.max(two)))
}

fn cases() -> impl Strategy<Value = (String, Vec<(u32, u32)>, String)> {
    source().prop_flat_map(|text| {
        let ends = prop::collection::vec(ends(&text), 4);
        (Just(text), ends, source())
    })
}

proptest! {
    #[test]
    fn rendering_is_total_and_repeats((text, ends, replacement) in cases(), width in prop::option::of(0usize..200)) {
        let mut sources = SourceMap::default();
        let file = sources.add("a.go", text);
        let span = |index: usize| Span::new(file, ends[index].0, ends[index].1);
        let finding = Diagnostic::error(&FINDING, span(0), "message")
            .label(replacement.clone())
            .related(span(1), "one")
            .related(span(2), "two")
            .help(replacement.clone())
            .upstream(replacement.clone())
            .fix("mend", span(3), replacement);
        let report = Report::new(&sources, [&finding]);
        let style = Style { color: false, width, pages: Some("explain") };
        let drawn = report.text(style);
        prop_assert!(!drawn.contains(ESCAPE), "the source reached the terminal");
        prop_assert_eq!(drawn, report.text(style));
        let colored = report.text(Style { color: true, width, pages: None });
        prop_assert!(colored.contains(ESCAPE));
        for document in [report.json(), report.sarif(&DRIVER)] {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&document).is_ok());
        }
    }
}
