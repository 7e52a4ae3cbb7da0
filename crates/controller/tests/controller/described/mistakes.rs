//! Descriptions of kinds: what is wrong is named with its line, and no text panics.

use kindsmith_controller::description::Described;
use kindsmith_controller::kinds;

const LAMP: &str = include_str!("../../../../../examples/kinds/lamp.yaml");

fn mistakes(text: &str) -> Vec<String> {
    match Described::read(text, None) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
    }
}

/// The example with a line replaced has one mistake.
#[track_caller]
fn check(line: &str, with: &str, expected: &str) {
    assert!(LAMP.contains(line), "{line}");
    let number = LAMP
        .lines()
        .position(|found| found == line)
        .map_or(0, |at| at + 1);
    let found = mistakes(&LAMP.replace(line, with));
    assert!(
        found
            .iter()
            .any(|mistake| *mistake == format!("line {number}: {expected}")),
        "{found:?}"
    );
}

#[test]
fn all_descriptions_are_right() {
    for known in kinds::ALL {
        let described = known.described();
        assert!(described.is_ok(), "{}: {:?}", known.name, described.err());
    }
    assert_eq!(mistakes(LAMP), [""; 0]);
}

#[test]
fn mistakes_name_their_line() {
    check("version: 1", "version: 7", "write `version: 1`");
    check(
        "collection: homes/{project}/lamps",
        "collection: homes/{home}/lamps",
        "nothing says what `{home}` is; add it to `parameters`",
    );
    check(
        "  room: {is: [immutable]}",
        "  rooom: {is: [immutable]}",
        "the CRD has no field `rooom` in `spec`",
    );
    check(
        "- {field: color, value: white}",
        "- {field: color, value: 7}",
        "`color` is not of type string: 7",
    );
    check("create: PUT", "create: PATCH", "write POST or PUT");
}

#[test]
fn no_text_panics() {
    for text in [
        "",
        "---",
        "[]",
        "7",
        "version: 1",
        "{",
        "fields: 7\nversion: 1",
        "version: 1\ncollection: '{'\n---\n{}",
    ] {
        assert!(!mistakes(text).is_empty(), "{text}");
    }
    for (at, _) in LAMP.char_indices().step_by(7) {
        let _ = mistakes(&LAMP[..at]);
        let _ = mistakes(&LAMP[at..]);
    }
    assert!(mistakes(&"#".repeat(2 << 20)).len() == 1);
}
