//! Descriptions of kinds: what is wrong is named with its line, and no text panics.

use kindsmith_controller::description::{self, Described, Mistake, Other, Others, Weight};
use kindsmith_controller::kinds;

const LAMP: &str = include_str!("../../../../../examples/kinds/lamp.yaml");

fn mistakes(text: &str) -> Vec<String> {
    match Described::read(text, None) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
    }
}

/// The example with a line replaced has this mistake, at that line, with this cure.
#[track_caller]
fn check(line: &str, with: &str, expected: &str, cure: &str) {
    checked(line, with, &Others::default(), (Weight::Error, expected, cure));
}

#[track_caller]
fn checked(line: &str, with: &str, others: &Others, (weight, expected, cure): (Weight, &str, &str)) {
    let number = LAMP.lines().position(|found| found == line);
    let number = number.expect("the example has the line") + 1;
    let text = LAMP.replace(&format!("{line}\n"), &format!("{with}\n"));
    let (_, found) = description::check(&text, None, others);
    let last = number + with.matches('\n').count();
    let is_it = |mistake: &&Mistake| mistake.message == expected && (number..=last).contains(&mistake.line);
    let mistake = found.iter().find(is_it);
    let mistake = mistake.unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!(mistake.cure.as_deref(), Some(cure), "{expected}");
    assert_eq!(mistake.weight, weight, "{expected}");
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
    check(
        "version: 1",
        "version: 7",
        "this version of the form is not supported",
        "write `version: 1`",
    );
    check(
        "create: PUT",
        "creat: PUT",
        "no member `creat` here",
        "did you mean `create`?",
    );
    check(
        "create: PUT",
        "create: PATCH",
        "no such method",
        "write POST or PUT",
    );
    check(
        "create: PUT",
        "create: 7",
        "`create` must be a text",
        "put it in quotes",
    );
}

#[test]
fn calls_that_cannot_work_are_found() {
    let collection = "collection: homes/{project}/lamps";
    check(
        collection,
        "collection: homes/{room}/lamps",
        "nothing says what `{room}` is",
        "add `parameters: {room: room}`",
    );
    check(
        collection,
        "collection: homes/{home}/lamps",
        "nothing says what `{home}` is",
        "add it to `parameters`, with the field of the spec: `home: FIELD`",
    );
    check(
        collection,
        "collection: homes/{project}/rooms/{room}/lamps\nparameters: {room: brightness}",
        "`spec.brightness` is not a text, so it cannot be in a path",
        "use a field that is a text or a reference",
    );
    check(
        collection,
        "collection: homes/{project}/lamps\nparameters: {room: room}",
        "`collection` has no `{room}`",
        "add it there, or remove it here",
    );
    check(
        collection,
        "collection: /homes/{project}/lamps",
        "a collection neither begins nor ends with `/`",
        "write `homes/{project}/lamps`; what all paths begin with is the prefix in `service`",
    );
    check(
        "service: {host: bridge.local, prefix: /api}",
        "service: {host: https://bridge.local/api}",
        "`https://bridge.local/api` is not a host",
        "write `service: {host: bridge.local, prefix: /api}`",
    );
    check(
        "create: PUT",
        "create: PUT\nid: {query: lampId}",
        "with PUT the name is in the path, not in the query",
        "remove `id`, or write `create: POST`",
    );
    check(
        "create: PUT",
        "operations: {style: status, path: 'x/{home}'}",
        "`{home}` is not filled in here",
        "available: `{project}`",
    );
    let (_, found) = description::check(&LAMP.replace("create: PUT\n", ""), None, &Others::default());
    assert_eq!(
        found[0].message,
        "nothing says where the name of a new resource is"
    );
}

#[test]
fn fields_that_the_crd_does_not_have_are_found() {
    let room = "  room: {is: [immutable]}";
    let near = "did you mean `room`?";
    check(
        room,
        "  rooom: {is: [immutable]}",
        "the CRD has no field `rooom` in `spec`",
        near,
    );
    check(
        room,
        "  room[*]: {}",
        "`spec.room` is not a list",
        "write the path without `[*]`",
    );
    check(
        "create: PUT",
        "create: PUT\npresence: [rom]",
        "the CRD has no field `rom` in `spec`",
        near,
    );
    check(
        "create: PUT",
        "create: PUT\nnotOnCreate: [room]",
        "`room` does not begin with `spec.`",
        "write `spec.room`",
    );
    check(
        "- {field: color, value: white}",
        "- {field: color, value: white, when: {rom: x}}",
        "the CRD has no field `rom` in `spec`",
        near,
    );
    check(
        "example: {room: study}",
        "example: {room: 7}",
        "the example does not fit the CRD: `spec.room` is not of type string: 7",
        "write a spec that the service accepts",
    );
}

#[test]
fn contradictions_are_found() {
    let room = "  room: {is: [immutable]}";
    check(
        room,
        "  room: {is: [immutable, growsOnly]}",
        "`immutable` and `growsOnly` contradict each other",
        "what cannot change does not grow: keep one of them",
    );
    check(
        room,
        "  room: {is: [sharedMap]}",
        "`sharedMap` is for object, not for string",
        "remove `sharedMap`, or name another field",
    );
    check(
        room,
        "  room: {is: [imutable]}",
        "no property `imutable`",
        "did you mean `immutable`?",
    );
    check(
        room,
        "  room: {as: text}",
        "`as: text` is for integer, not for string",
        "remove it, or change the type in the CRD",
    );
    check(
        room,
        "  room: {refers: {apiVersion: v1, kind: Room}}",
        "a reference has the form {name, namespace} or {external}",
        "give the field `external`, `name` and `namespace` in the CRD, or remove `refers`",
    );
    check(
        room,
        "  room: {api: state.bri}",
        "`brightness` has the same name in the API: `state.bri`",
        "give one of them another name, or `as: none`",
    );
    check(
        room,
        "  room: {api: color}",
        "the CRD has a field `color` too, which would go to the same place",
        "add `color` to `fields` with its own name, or with `as: none`",
    );
    let white = "- {field: color, value: white}";
    check(
        white,
        "- {field: color, value: 7}",
        "`color` is not of type string: 7",
        "put it in quotes: \"7\"",
    );
    check(
        white,
        "- {field: color, value: white}\n- {field: color, value: red}",
        "`color` already has a value, so this one is never used",
        "put it before, with a condition in `when`",
    );
    let warn = |with, message, cure| {
        checked(room, with, &Others::default(), (Weight::Warning, message, cure));
    };
    warn(
        "  room: {together: light}",
        "`together: light` has no other field",
        "give the same group to the fields that are sent with it, or remove it",
    );
}

#[test]
fn declared_values_that_never_count_are_found() {
    let white = "- {field: color, value: white}";
    check(
        white,
        "- {field: color, value: white, within: stat}",
        "the CRD has no field `stat` in `spec`",
        "available: room, brightness, color",
    );
    check(
        white,
        "- {field: color, value: white, from: metadata.name}",
        "`value` and `from` contradict each other",
        "remove one of both",
    );
    check(
        white,
        "- {field: color, from: metadata.uid}",
        "`metadata.uid` is no field that a value may come from",
        "write `metadata.name`, or a path that begins with `spec.`",
    );
}

#[test]
fn references_to_unknown_kinds_are_found() {
    let known = |is_complete| Others {
        known: vec![Other {
            api_version: "home.example.org/v1".to_owned(),
            kind: "Room".to_owned(),
            plural: "rooms".to_owned(),
        }],
        is_complete,
    };
    let room = "  room: {is: [immutable]}";
    let is_found = |with, is_complete, message, cure| {
        checked(room, with, &known(is_complete), (Weight::Error, message, cure));
    };
    is_found(
        "  room: {refers: {apiVersion: home.example.org/v1, kind: Rom}}",
        true,
        "no CRD of the kind `Rom`",
        "did you mean `Room`?",
    );
    is_found(
        "  room: {refers: {apiVersion: home.example.org/v2, kind: Room}}",
        false,
        "`Room` is not in `home.example.org/v2`",
        "write `apiVersion: home.example.org/v1`",
    );
    is_found(
        "  room: {refers: {apiVersion: home.example.org/v1, kind: Room, plural: roomes}}",
        false,
        "the plural of `Room` is not `roomes`",
        "write `plural: rooms`",
    );
}

#[test]
fn what_is_left_to_decide_does_not_stop_anybody() {
    let todo = "create: PUT\ntodo:\n- whether rooms can change";
    let decide = "decide it, then remove it from `todo`";
    let expected = (Weight::Todo, "to decide: whether rooms can change", decide);
    checked("create: PUT", todo, &Others::default(), expected);
    assert_eq!(mistakes(&LAMP.replace("create: PUT", todo)), [""; 0]);
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
