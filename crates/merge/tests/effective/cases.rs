//! The table of rules, case by case.

use super::rig::Case;

#[track_caller]
fn check(case: &Case<'_>, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(case.result().lines().collect::<Vec<_>>(), expected);
}

fn of<'i>(spec: &'i str, live: &'i str, paths: &'i str) -> Case<'i> {
    Case {
        spec,
        live,
        paths,
        ..Case::default()
    }
}

#[test]
fn a_specified_field_wins_whether_listed_or_not() {
    let expected = r#"{"zone":"b"}
        set spec.zone="b""#;
    check(&of("{zone: b}", "{zone: a}", ""), expected);
    check(&of("{zone: b}", "{zone: a}", "spec.zone"), expected);
    check(&of("{zone: b}", "{zone: b}", "spec.zone"), r#"{"zone":"b"}"#);
}

#[test]
fn zero_values_are_specified() {
    check(
        &of("{size: 0}", "{}", "spec.size"),
        "{\"size\":0}\nset spec.size=0",
    );
    check(
        &of("{args: []}", "{args: [a]}", "spec.args"),
        "{\"args\":[]}\nset spec.args=[]",
    );
    check(
        &of("{labels: {}}", "{labels: {a: x}}", "spec.labels"),
        "{\"labels\":{}}\nset spec.labels={}",
    );
    check(
        &of("{flags: []}", "{flags: [{name: a}]}", "spec.flags"),
        "{\"flags\":[]}\nset spec.flags=[]",
    );
}

#[test]
fn a_listed_field_that_is_absent_keeps_its_live_value() {
    check(
        &of("{}", "{zone: a}", "spec.zone"),
        "{\"zone\":\"a\"}\nkept spec.zone=\"a\"",
    );
    check(&of("{}", "{}", "spec.zone"), "{}");
    check(&of("{}", "", "spec.zone"), "{}");
}

#[test]
fn an_absent_field_that_is_not_listed_is_left_alone() {
    check(&of("{}", "{zone: a}", ""), "{}");
    let with_default = |live, paths| Case {
        default: Some(("spec.zone", "\"c\"")),
        ..of("{}", live, paths)
    };
    check(
        &with_default("{zone: a}", ""),
        "{\"zone\":\"c\"}\nset spec.zone=\"c\"",
    );
    check(&with_default("{}", ""), "{\"zone\":\"c\"}\nset spec.zone=\"c\"");
    check(&with_default("{zone: c}", ""), "{\"zone\":\"c\"}");
    check(
        &with_default("{zone: a}", "spec.zone"),
        "{\"zone\":\"a\"}\nkept spec.zone=\"a\"",
    );
}

#[test]
fn null_clears_nullable_fields_and_is_ignored_elsewhere() {
    check(
        &of("{zone: null}", "{zone: a}", "spec.zone"),
        "{\"zone\":null}\nset spec.zone=null",
    );
    check(&of("{zone: null}", "{}", "spec.zone"), "{\"zone\":null}");
    check(
        &of("{size: null}", "{size: 3}", "spec.size"),
        "{\"size\":3}\nkept spec.size=3",
    );
}

#[test]
fn a_listed_object_keeps_the_members_that_the_spec_does_not_set() {
    let (spec, live) = (
        "{backup: {keep: {count: 7}}}",
        "{backup: {enabled: true, keep: {count: 3, unit: DAYS}}}",
    );
    // The spec sets `keep`, so what is below is not kept by a path above it.
    check(
        &of(spec, live, "spec.backup"),
        r#"{"backup":{"keep":{"count":7},"enabled":true}}
           kept spec.backup.enabled=true
           set spec.backup.keep.count=7"#,
    );
    check(
        &of(spec, live, "spec.backup, spec.backup.keep"),
        r#"{"backup":{"keep":{"count":7,"unit":"DAYS"},"enabled":true}}
           kept spec.backup.enabled=true spec.backup.keep.unit="DAYS"
           set spec.backup.keep.count=7"#,
    );
    check(
        &of("{}", "{backup: {enabled: true, keep: {count: 3}}}", "spec.backup"),
        r#"{"backup":{"enabled":true,"keep":{"count":3}}}
           kept spec.backup.enabled=true spec.backup.keep.count=3"#,
    );
}

#[test]
fn a_parent_comes_back_only_with_a_child() {
    check(
        &of("{}", "{backup: {enabled: true, start: '1'}}", "spec.backup.start"),
        r#"{"backup":{"start":"1"}}
           kept spec.backup.start="1""#,
    );
    check(&of("{}", "{backup: {enabled: true}}", "spec.backup.start"), "{}");
    check(&of("{}", "{backup: {}}", "spec.backup.start"), "{}");
}

#[test]
fn an_object_is_filled_only_if_it_becomes_valid() {
    check(
        &of("{}", "{policy: {mode: fast, days: 3}}", "spec.policy.days"),
        r#"{"policy":{"days":3,"mode":"fast"}}
           kept spec.policy.days=3 spec.policy.mode="fast""#,
    );
    check(
        &of("{}", "{policy: {days: 3}}", "spec.policy.days"),
        "{}\nignored spec.policy: it is not valid without `mode`, which cannot be kept",
    );
}

#[test]
fn of_exclusive_members_the_specs_wins() {
    check(
        &of(
            "{target: {host: h}}",
            "{target: {url: u, note: k}}",
            "spec.target",
        ),
        r#"{"target":{"host":"h","note":"k"}}
           kept spec.target.note="k"
           set spec.target.host="h" spec.target.url=-
           ignored spec.target.url: the spec sets `host`, which excludes it"#,
    );
    // A service that returns both is not written to again.
    check(
        &of("{target: {host: h}}", "{target: {url: u, host: h}}", ""),
        r#"{"target":{"host":"h"}}"#,
    );
    check(
        &of("{target: {note: k}}", "{target: {url: u}}", "spec.target"),
        r#"{"target":{"note":"k","url":"u"}}
           kept spec.target.url="u"
           set spec.target.note="k""#,
    );
}

#[test]
fn a_map_in_the_spec_is_the_specs_but_for_entries_with_a_path() {
    let (spec, live) = ("{labels: {a: x}}", "{labels: {a: u, b.c: v, d: z}}");
    let exact = r#"{"labels":{"a":"x"}}
           set spec.labels.a="x" spec.labels["b.c"]=- spec.labels.d=-"#;
    check(&of(spec, live, "spec.labels"), exact);
    check(&of(spec, live, "spec"), exact);
    check(&of(spec, live, ""), exact);
    check(
        &of(spec, live, r#"spec.labels["b.c"]"#),
        r#"{"labels":{"a":"x","b.c":"v"}}
           kept spec.labels["b.c"]="v"
           set spec.labels.a="x" spec.labels.d=-"#,
    );
    check(
        &of(spec, live, "spec.labels[*]"),
        r#"{"labels":{"a":"x","b.c":"v","d":"z"}}
           kept spec.labels.d="z" spec.labels["b.c"]="v"
           set spec.labels.a="x""#,
    );
    check(
        &of("{labels: {}}", "{labels: {a: u, b: v}}", "spec.labels.b"),
        r#"{"labels":{"b":"v"}}
           kept spec.labels.b="v"
           set spec.labels.a=-"#,
    );
    check(
        &of("{whole: {a: x}}", "{whole: {a: x, b: v}}", "spec.whole"),
        r#"{"whole":{"a":"x"}}
           set spec.whole={"a":"x"}"#,
    );
}

#[test]
fn list_maps_are_kept_item_by_item() {
    let live = "{flags: [{name: a, value: '1', note: k}, {name: b, value: '2'}]}";
    // Without a path the list is as in the spec, and unset fields of its items are left alone.
    check(
        &of("{flags: [{name: a, value: '9'}]}", live, ""),
        r#"{"flags":[{"name":"a","value":"9"}]}
           set spec.flags[name=a].value="9" spec.flags[name=b]=-"#,
    );
    let spec = "{flags: [{name: c}, {name: a, value: '9'}]}";
    check(
        &of(spec, live, "spec.flags"),
        r#"{"flags":[{"name":"c"},{"name":"a","value":"9"}]}
           set spec.flags[name=a].value="9" spec.flags[name=b]=- spec.flags[name=c]={"name":"c"}"#,
    );
    check(
        &of(spec, live, "spec.flags[*]"),
        r#"{"flags":[{"name":"c"},{"name":"a","value":"9","note":"k"},{"name":"b","value":"2"}]}
           kept spec.flags[name=a].note="k" spec.flags[name=b]={"name":"b","value":"2"}
           set spec.flags[name=a].value="9" spec.flags[name=c]={"name":"c"}"#,
    );
    check(
        &of("{flags: []}", live, "spec.flags[name=b]"),
        r#"{"flags":[{"name":"b","value":"2"}]}
           kept spec.flags[name=b]={"name":"b","value":"2"}
           set spec.flags[name=a]=-"#,
    );
    check(
        &of("{flags: [{name: a}]}", live, "spec.flags[*].value"),
        r#"{"flags":[{"name":"a","value":"1"}]}
           kept spec.flags[name=a].value="1"
           set spec.flags[name=b]=-"#,
    );
    check(
        &of("{flags: [{name: a}]}", live, "spec.flags[name=b]"),
        r#"{"flags":[{"name":"a"},{"name":"b","value":"2"}]}
           kept spec.flags[name=b]={"name":"b","value":"2"}"#,
    );
    // Other items of a list that is not in the spec stay unchanged.
    check(
        &of("{}", live, "spec.flags[name=b]"),
        r#"{"flags":[{"name":"b","value":"2"}]}
           kept spec.flags[name=b]={"name":"b","value":"2"}"#,
    );
    check(
        &of("{flags: [{name: b, value: '2'}, {name: a}]}", live, ""),
        r#"{"flags":[{"name":"b","value":"2"},{"name":"a"}]}"#,
    );
}

#[test]
fn sets_and_lists_are_units() {
    check(
        &of("{tags: [b, a]}", "{tags: [a, b]}", ""),
        r#"{"tags":["b","a"]}"#,
    );
    check(
        &of("{args: [b, a]}", "{args: [a, b]}", ""),
        "{\"args\":[\"b\",\"a\"]}\nset spec.args=[\"b\",\"a\"]",
    );
    check(
        &of("{}", "{tags: [a], args: [x]}", "spec.tags,spec.args"),
        "{\"tags\":[\"a\"],\"args\":[\"x\"]}\nkept spec.args=[\"x\"] spec.tags=[\"a\"]",
    );
}

#[test]
fn what_was_set_before_is_released_or_removed() {
    let case = |paths| Case {
        applied: "spec.zone,spec.backup.enabled,spec.flags[name=a].name,spec.labels.a",
        ..of(
            "{labels: {b: v}}",
            "{zone: a, size: 3, backup: {enabled: true, start: '1'}, flags: [{name: a}, {name: b}], labels: {a: x, c: z}}",
            paths,
        )
    };
    check(
        &case("spec.zone,spec.labels"),
        r#"{"labels":{"b":"v"},"zone":"a"}
           kept spec.zone="a"
           set spec.backup.enabled=- spec.flags[name=a]=- spec.labels.a=- spec.labels.b="v" spec.labels.c=-
           released spec.backup.enabled spec.flags[name=a] spec.labels.a spec.zone"#,
    );
    let gone = Case {
        applied: "spec.zone",
        ..of("{}", "{}", "")
    };
    check(&gone, "{}");
    // An immutable field cannot be removed either.
    let fixed = Case {
        applied: "spec.region",
        ..of("{}", "{region: r}", "")
    };
    check(&fixed, "{}\nreleased spec.region");
}

#[test]
fn values_that_mean_the_same_do_not_differ() {
    for (spec, live) in [
        ("{size: 10}", "{size: '10'}"),
        ("{size: 1}", "{size: 1.0}"),
        ("{memory: 1Gi}", "{memory: 1024Mi}"),
        ("{memory: '1'}", "{memory: 1}"),
        ("{every: 1m}", "{every: 60s}"),
        (
            "{since: '2020-01-01T01:00:00+01:00'}",
            "{since: '2020-01-01T00:00:00Z'}",
        ),
        ("{backup: {enabled: false}}", "{backup: {}}"),
        ("{backup: {start: NOON}}", "{backup: {start: noon}}"),
        ("{tags: []}", "{}"),
        ("{labels: {}}", "{}"),
        ("{zone: null}", "{}"),
        (
            "{network: projects/42/global/networks/n}",
            "{network: 'https://host/compute/v1/projects/park/global/networks/n'}",
        ),
        (
            "{network: global/networks/n}",
            "{network: projects/park/global/networks/n}",
        ),
    ] {
        let result = of(spec, live, "").result();
        assert!(!result.contains("set"), "{spec} and {live}: {result}");
    }
    for (spec, live) in [
        ("{zone: A}", "{zone: a}"),
        ("{zone: '1'}", "{zone: '01'}"),
        ("{size: 11}", "{size: '10'}"),
        ("{backup: {enabled: true}}", "{backup: {}}"),
        (
            "{network: projects/42/global/networks/n}",
            "{network: projects/other/global/networks/n}",
        ),
        ("{tags: [a, a]}", "{tags: [a, b]}"),
        ("{every: 2m}", "{every: 60s}"),
        ("{backup: {}}", "{}"),
    ] {
        let result = of(spec, live, "").result();
        assert!(result.contains("set"), "{spec} and {live}: {result}");
    }
}

#[test]
fn an_immutable_object_has_no_part_that_changes() {
    let live = "{founded: {by: lion, marks: {a: x, b: z}, stones: [{id: 1, kind: old}, {id: 2}]}}";
    check(
        &of(
            "{founded: {by: tiger, marks: {a: x}, stones: [{id: 1, kind: new}]}}",
            live,
            "",
        ),
        r#"{"founded":{"by":"tiger","marks":{"a":"x"},"stones":[{"id":1,"kind":"new"}]}}
           refused spec.founded.by: it cannot be changed; the live value is "lion"
           refused spec.founded.marks.b: it cannot be changed; the live value is "z"
           refused spec.founded.stones[id=1].kind: it cannot be changed; the live value is "old"
           refused spec.founded.stones[id=2]: it cannot be changed; the live value is {"id":2}"#,
    );
    // Nothing can be added either, unless the object is new.
    let more = "{founded: {by: lion, opened: {day: 1, night: {}}, marks: {a: x, b: z, c: w}, stones: [{id: 1, kind: old}, {id: 2, kind: new}, {id: 3, kind: new}]}}";
    let add = "it cannot be added: spec.founded cannot be changed";
    let effective = r#"{"founded":{"by":"lion","opened":{"day":1,"night":{}},"marks":{"a":"x","b":"z","c":"w"},"stones":[{"id":1,"kind":"old"},{"id":2,"kind":"new"},{"id":3,"kind":"new"}]}}"#;
    check(
        &of(more, live, ""),
        &format!(
            "{effective}
             refused spec.founded.marks.c: {add}
             refused spec.founded.opened.day: {add}
             refused spec.founded.opened.night: {add}
             refused spec.founded.stones[id=2].kind: {add}
             refused spec.founded.stones[id=3]: {add}"
        ),
    );
    for live in ["{}", ""] {
        let result = of(more, live, "").result();
        assert!(
            result.contains("set spec.founded") && !result.contains("refused"),
            "{result}"
        );
    }
    check(&of(more, more, ""), effective);
    // A secret in it cannot be replaced.
    let secret = |live| Case {
        resend: "spec.founded.code",
        ..of("{founded: {by: lion, code: s}}", live, "")
    };
    check(
        &secret("{founded: {by: lion}}"),
        r#"{"founded":{"by":"lion","code":"s"}}
           refused spec.founded.code: it cannot be changed"#,
    );
    // What the spec no longer sets stays.
    let released = Case {
        applied: "spec.founded.by, spec.founded.stones[id=2].id",
        ..of("{founded: {marks: {a: x, b: z}}}", live, "")
    };
    check(
        &released,
        r#"{"founded":{"marks":{"a":"x","b":"z"}}}
           released spec.founded.by spec.founded.stones[id=2]"#,
    );
}

#[test]
fn only_changes_of_immutable_fields_are_rejected() {
    check(
        &of(
            "{region: b, fixed: z, size: 5, name: one}",
            "{region: a, fixed: x, size: '9', name: one}",
            "",
        ),
        r#"{"region":"b","fixed":"z","size":5,"name":"one"}
           refused spec.fixed: it cannot be changed; the live value is "x"
           refused spec.region: it cannot be changed; the live value is "a"
           refused spec.size: it can only grow; the live value is "9""#,
    );
    check(
        &of("{region: b}", "{}", ""),
        "{\"region\":\"b\"}\nset spec.region=\"b\"",
    );
    check(
        &of("{}", "{region: a, fixed: x}", "spec.region,spec.fixed"),
        "{\"region\":\"a\",\"fixed\":\"x\"}\nkept spec.fixed=\"x\" spec.region=\"a\"",
    );
}

#[test]
fn write_only_fields_are_sent_when_changed() {
    let case = of("{password: p}", "{}", "");
    check(&case, r#"{"password":"p"}"#);
    let changed = Case {
        resend: "spec.password",
        ..case
    };
    check(&changed, "{\"password\":\"p\"}\nset spec.password=\"p\"");
    // Such a field is not kept even if the whole object is.
    check(
        &of("{}", "{policy: {mode: m, key: k}}", "spec.policy"),
        "{\"policy\":{\"mode\":\"m\"}}\nkept spec.policy.mode=\"m\"",
    );
    check(
        &of("{}", "{name: one, zone: a}", "spec"),
        "{\"zone\":\"a\"}\nkept spec.zone=\"a\"",
    );
}

const APPLIED: &str = "{uid: u, managedFields: [{manager: me, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:level': {}}}}]}";
const UPDATED: &str = "{uid: u, managedFields: [{manager: me, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:level': {}}}}]}";
const OURS: &str = "{uid: u, managedFields: [{manager: controller, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:level': {}}}}]}";
const LAST_APPLIED: &str = "{uid: u, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{\"spec\":{\"size\":1}}'}, managedFields: [{manager: kubectl-client-side-apply, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:level': {}, 'f:zone': {}, 'f:size': {}}}}]}";

#[test]
fn fields_that_no_user_wrote_are_not_specified() {
    let case = |spec, metadata| Case {
        metadata,
        ..of(spec, "{level: 9, zone: a}", "spec.level,spec.zone")
    };
    let kept = "{\"level\":9,\"zone\":\"a\"}\nkept spec.level=9 spec.zone=\"a\"";
    let warned = "\nwarning spec.level: the schema has a default for this field, so it is always specified and its live value is never kept";
    let taken = "{\"level\":3,\"zone\":\"a\"}\nkept spec.zone=\"a\"\nset spec.level=3";
    // Equal to the default: set if applied, perhaps set if updated, not set if no one owns it.
    check(&case("{level: 3}", APPLIED), taken);
    check(&case("{level: 3}", UPDATED), &format!("{taken}{warned}"));
    check(&case("{level: 3}", OURS), kept);
    check(&case("{level: 3}", "{uid: u}"), kept);
    // A manifest contains only what its author wrote.
    check(&case("{level: 3}", ""), &format!("{taken}{warned}"));
    // A value other than the default was set by someone.
    let other = "{\"level\":4,\"zone\":\"a\"}\nkept spec.zone=\"a\"\nset spec.level=4";
    check(&case("{level: 4}", "{uid: u}"), other);
    check(&case("{level: 4}", UPDATED), other);
}

#[test]
fn client_side_apply_says_what_it_sent() {
    let case = |spec, paths| Case {
        metadata: LAST_APPLIED,
        ..of(spec, "{level: 9, zone: a, size: 1}", paths)
    };
    let paths = "spec.level,spec.zone,spec.size";
    check(
        &case("{level: 3, zone: b, size: 2}", paths),
        r#"{"level":9,"zone":"a","size":2}
           kept spec.level=9 spec.zone="a"
           set spec.size=2"#,
    );
    // Fields that are not listed are used as in the object, whoever wrote them.
    check(&case("{zone: b}", ""), "{\"zone\":\"b\"}\nset spec.zone=\"b\"");
}

#[test]
fn unknown_fields_are_kept_whole_or_not_at_all() {
    check(
        &of(
            "{anything: {a: 1}}",
            "{anything: {a: 2, b: {c: 3}}}",
            "spec.anything.b",
        ),
        "{\"anything\":{\"a\":1,\"b\":{\"c\":3}}}\nkept spec.anything.b.c=3\nset spec.anything.a=1",
    );
    check(
        &of("{none: 1}", "{other: 2}", "spec"),
        "{}\nwarning spec.none: the schema has no such field",
    );
    // A live value of another type is replaced.
    check(
        &of("{backup: {start: x}}", "{backup: v}", "spec.backup"),
        "{\"backup\":{\"start\":\"x\"}}\nset spec.backup={\"start\":\"x\"}",
    );
}

#[test]
fn an_unmanaged_field_has_its_live_value_whatever_the_spec_says() {
    let case = |spec, live| Case {
        unmanaged: "spec.zone, spec.region, spec.backup",
        ..of(spec, live, "")
    };
    check(
        &case(
            "{zone: b, region: q, backup: {enabled: true}, size: 2}",
            "{zone: a, region: r, backup: {start: x}, size: 1}",
        ),
        r#"{"zone":"a","region":"r","backup":{"start":"x"},"size":2}
           kept spec.backup.start="x" spec.region="r" spec.zone="a"
           set spec.size=2"#,
    );
    check(&case("{zone: b}", "{}"), "{}");
    // On creation the spec's value counts.
    check(&case("{zone: b}", ""), "{\"zone\":\"b\"}\nset spec.zone=\"b\"");
}

#[test]
fn a_declared_value_is_set_in_objects_that_nobody_has() {
    let case = |spec, live| Case {
        default: Some(("spec.backup.keep.unit", "\"COUNT\"")),
        ..of(spec, live, "")
    };
    let set = r#"{"backup":{"keep":{"unit":"COUNT"}}}
        set spec.backup.keep.unit="COUNT""#;
    check(&case("{}", ""), set);
    check(&case("{}", "{backup: {keep: {unit: TIME}}}"), set);
    check(
        &case("{}", "{backup: {keep: {unit: COUNT}}}"),
        r#"{"backup":{"keep":{"unit":"COUNT"}}}"#,
    );
    // A declared `null`: the field has no value.
    let none = |live| Case {
        default: Some(("spec.every", "null")),
        ..of("{}", live, "")
    };
    check(&none("{every: 60s}"), "{}\nset spec.every=-");
    check(&none("{}"), "{}");
    // What cannot change is declared for new resources only.
    let fixed = |live| Case {
        default: Some(("spec.region", "\"r\"")),
        ..of("{}", live, "")
    };
    check(&fixed("{region: q}"), "{}");
    check(&fixed(""), "{\"region\":\"r\"}\nset spec.region=\"r\"");
    // Single items are kept beside a declared empty list.
    let flags = |paths| Case {
        default: Some(("spec.flags", "[]")),
        ..of("{}", "{flags: [{name: a}, {name: b}]}", paths)
    };
    check(&flags(""), "{\"flags\":[]}\nset spec.flags=[]");
    check(
        &flags("spec.flags[name=b]"),
        "{\"flags\":[{\"name\":\"b\"}]}\nkept spec.flags[name=b]={\"name\":\"b\"}\nset spec.flags[name=a]=-",
    );
}

#[test]
fn members_that_the_service_adds_to_items_are_not_differences() {
    let spec = "{rules: [{match: m}]}";
    let live = "{rules: [{match: m, action: deny, id: 7}]}";
    check(&of(spec, live, ""), r#"{"rules":[{"match":"m"}]}"#);
    // The same list was sent before: still an addition.
    let sent = |hash| Case {
        sent: Some(("spec.rules", hash)),
        ..of(spec, live, "")
    };
    check(&sent("6db87dc2ec0d825b"), r#"{"rules":[{"match":"m"}]}"#);
    // Another list was sent before: the spec has removed the member.
    check(
        &sent("0"),
        r#"{"rules":[{"match":"m"}]}
           set spec.rules=[{"match":"m"}]"#,
    );
    for (spec, live) in [
        ("{rules: [{match: m}]}", "{rules: [{match: n}]}"),
        ("{rules: [{match: m}]}", "{rules: [{match: m}, {match: n}]}"),
        ("{rules: [{labels: {a: x}}]}", "{rules: [{labels: {a: x, b: y}}]}"),
    ] {
        let result = of(spec, live, "").result();
        assert!(result.contains("set spec.rules"), "{spec} and {live}: {result}");
    }
}

#[test]
fn values_that_the_kind_declares_to_be_the_same_do_not_differ() {
    for (field, pair, spec, live, expected) in [
        ("spec.color", "[red, blue]", "{color: red}", "{color: blue}", ""),
        ("spec.color", "[red, blue]", "{color: blue}", "{color: red}", ""),
        (
            "spec.color",
            "[red, blue]",
            "{color: green}",
            "{color: red}",
            "spec.color",
        ),
        // The service chooses a value.
        ("spec.zone", "[auto, '*']", "{zone: auto}", "{zone: a}", ""),
        ("spec.zone", "[auto, 'a*']", "{zone: auto}", "{zone: ab}", ""),
        (
            "spec.zone",
            "[auto, 'a*']",
            "{zone: auto}",
            "{zone: b}",
            "spec.zone",
        ),
        ("spec.zone", "[auto, '*']", "{zone: b}", "{zone: a}", "spec.zone"),
        ("spec.zone", "[auto, '*']", "{zone: auto}", "{}", "spec.zone"),
        // Objects, whether they are compared as a whole or member by member.
        (
            "spec.whole",
            "[{a: x}, {b: y}]",
            "{whole: {a: x}}",
            "{whole: {b: y}}",
            "",
        ),
        (
            "spec.backup",
            "[{start: x}, {keep: {}}]",
            "{backup: {start: x}}",
            "{backup: {keep: {}}}",
            "",
        ),
        (
            "spec.backup",
            "[{start: x}, {keep: {}}]",
            "{backup: {start: y}}",
            "{backup: {keep: {}}}",
            "spec.backup.start",
        ),
        ("spec.args", "[[x], [y, z]]", "{args: [x]}", "{args: [y, z]}", ""),
    ] {
        let case = Case {
            same: Some((field, pair)),
            ..of(spec, live, "")
        };
        let result = case.result();
        match expected {
            "" => assert!(!result.contains("set "), "{pair} {spec} {live}: {result}"),
            path => assert!(
                result.contains(&format!("set {path}=")),
                "{pair} {spec} {live}: {result}"
            ),
        }
    }
}

#[test]
fn a_declared_value_may_need_an_object_above_and_come_from_another_field() {
    let count = |spec, live| Case {
        default: Some(("spec.backup.keep.count", "7")),
        within: "spec.backup",
        ..of(spec, live, "")
    };
    check(&count("{}", "{backup: {keep: {count: 3}}}"), "{}");
    check(&count("{}", ""), "{}");
    let set = r#"{"backup":{"start":"x","keep":{"count":7}}}
        set spec.backup.keep.count=7"#;
    check(
        &count("{backup: {start: x}}", "{backup: {start: x, keep: {count: 3}}}"),
        set,
    );
    check(&count("{backup: {start: x}}", "{backup: {start: x}}"), set);
    let named = |spec, live| Case {
        default: Some(("spec.zone", "from metadata.name")),
        ..of(spec, live, "")
    };
    check(
        &named("{}", "{zone: a}"),
        "{\"zone\":\"one\"}\nset spec.zone=\"one\"",
    );
    check(&named("{}", "{zone: one}"), "{\"zone\":\"one\"}");
    check(
        &named("{zone: b}", "{zone: one}"),
        "{\"zone\":\"b\"}\nset spec.zone=\"b\"",
    );
}
