//! The table in section 4 of the design `default-to-gcp-fields`, and the list in its section 6, for every type of field,
//! nested and not, with the annotation and without.

use kindsmith_json::{Arena, to_string};

use super::rig::{Case, parse};

/// A field: how the spec sets it, how the live object has it, and the value that a kind may declare.
struct Field {
    path: &'static str,
    /// The spec without the field. The item of a list has to be there for its member to be unset.
    silent: &'static str,
    spec: &'static str,
    live: &'static str,
    declared: &'static str,
}

const fn field(path: &'static str, spec: &'static str, live: &'static str, declared: &'static str) -> Field {
    Field {
        path,
        silent: "{}",
        spec,
        live,
        declared,
    }
}

/// A member of what the spec sets.
const fn member(path: &'static str, silent: &'static str, spec: &'static str, live: &'static str) -> Field {
    Field {
        path,
        silent,
        spec,
        live,
        declared: "",
    }
}

const FIELDS: &[Field] = &[
    field("spec.zone", "{zone: b}", "{zone: a}", r#""c""#),
    field("spec.level", "{level: 0}", "{level: 5}", "7"),
    field("spec.memory", "{memory: 1Gi}", "{memory: 2Gi}", r#""3Gi""#),
    field("spec.every", "{every: 60s}", "{every: 2m}", r#""3m""#),
    field(
        "spec.since",
        "{since: '2020-01-01T00:00:00Z'}",
        "{since: '2021-01-01T00:00:00Z'}",
        r#""2022-01-01T00:00:00Z""#,
    ),
    field(
        "spec.network",
        "{network: projects/p/n/one}",
        "{network: projects/p/n/two}",
        r#""projects/p/n/three""#,
    ),
    field("spec.args", "{args: [x]}", "{args: [v, z]}", "[]"),
    field("spec.tags", "{tags: [x]}", "{tags: [v, z]}", r#"["w"]"#),
    field(
        "spec.rules",
        "{rules: [{match: x}]}",
        "{rules: [{match: v}]}",
        "[]",
    ),
    field("spec.labels", "{labels: {a: x}}", "{labels: {a: v, b: z}}", "{}"),
    field("spec.labels.a", "{labels: {a: x}}", "{labels: {a: v}}", ""),
    field("spec.whole", "{whole: {a: x}}", "{whole: {b: v}}", "{}"),
    field(
        "spec.flags",
        "{flags: [{name: a, value: x}]}",
        "{flags: [{name: a, value: v}, {name: b}]}",
        "[]",
    ),
    member(
        "spec.flags[name=a].value",
        "{flags: [{name: a}]}",
        "{flags: [{name: a, value: x}]}",
        "{flags: [{name: a, value: v}]}",
    ),
    member(
        "spec.flags[*].value",
        "{flags: [{name: a}]}",
        "{flags: [{name: a, value: x}]}",
        "{flags: [{name: a, value: v}]}",
    ),
    field("spec.backup", "{backup: {start: x}}", "{backup: {start: v}}", ""),
    field(
        "spec.backup.enabled",
        "{backup: {enabled: false}}",
        "{backup: {enabled: true}}",
        "false",
    ),
    field(
        "spec.backup.keep.count",
        "{backup: {keep: {count: 1}}}",
        "{backup: {keep: {count: 2}}}",
        "3",
    ),
    field(
        "spec.target.note",
        "{target: {note: x}}",
        "{target: {note: v}}",
        r#""z""#,
    ),
    field("spec.anything", "{anything: {a: 1}}", "{anything: {a: 2}}", ""),
    field("spec.lit", "{lit: false}", "{lit: true}", "false"),
    field("spec.ratio", "{ratio: 0.5}", "{ratio: 0.25}", "0.75"),
    field("spec.color", "{color: red}", "{color: blue}", r#""green""#),
    field("spec.data", "{data: eA==}", "{data: dg==}", r#""eg==""#),
    field("spec.port", "{port: 80}", "{port: http}", r#""https""#),
    field(
        "spec.pools",
        "{pools: {a: {size: 1}}}",
        "{pools: {a: {size: 2}, b: {zones: [v]}}}",
        "{}",
    ),
    field(
        "spec.pools.a.size",
        "{pools: {a: {size: 1}}}",
        "{pools: {a: {size: 2}}}",
        "",
    ),
    field(
        "spec.groups",
        "{groups: {a: [x]}}",
        "{groups: {a: [v], b: [z]}}",
        "{}",
    ),
    field("spec.groups.a", "{groups: {a: [x]}}", "{groups: {a: [v]}}", ""),
    field(
        "spec.backup.times",
        "{backup: {times: [x]}}",
        "{backup: {times: [v, z]}}",
        "[]",
    ),
    field(
        "spec.backup.places",
        "{backup: {places: [x]}}",
        "{backup: {places: [v, z]}}",
        r#"["w"]"#,
    ),
    field(
        "spec.backup.marks",
        "{backup: {marks: {a: x}}}",
        "{backup: {marks: {a: v, b: z}}}",
        "{}",
    ),
    field(
        "spec.backup.jobs",
        "{backup: {jobs: [{id: 1, steps: [x]}]}}",
        "{backup: {jobs: [{id: 1, steps: [v]}, {id: 2}]}}",
        "[]",
    ),
    member(
        "spec.backup.jobs[id=1].steps",
        "{backup: {jobs: [{id: 1}]}}",
        "{backup: {jobs: [{id: 1, steps: [x]}]}}",
        "{backup: {jobs: [{id: 1, steps: [v]}]}}",
    ),
    field(
        "spec.backup.keep.window.from.hour",
        "{backup: {keep: {window: {from: {hour: 1}}}}}",
        "{backup: {keep: {window: {from: {hour: 5}}}}}",
        "7",
    ),
    // Items and entries of every type.
    field("spec.total", "{total: 1}", "{total: '5'}", "7"),
    field("spec.counts", "{counts: [1]}", "{counts: [5, 6]}", "[7]"),
    field(
        "spec.switches",
        "{switches: [true]}",
        "{switches: [false, true]}",
        "[]",
    ),
    field("spec.ports", "{ports: [1]}", "{ports: [5, 6]}", "[7]"),
    field("spec.matrix", "{matrix: [[x]]}", "{matrix: [[v], [z]]}", "[]"),
    field("spec.limits", "{limits: {a: 1}}", "{limits: {a: 5, b: 6}}", "{}"),
    field("spec.limits.a", "{limits: {a: 1}}", "{limits: {a: 5}}", ""),
    field(
        r#"spec.limits["b.c/d"]"#,
        "{limits: {b.c/d: 1}}",
        "{limits: {b.c/d: 5}}",
        "",
    ),
    field("spec.limits[*]", "{limits: {a: 1}}", "{limits: {a: 5}}", ""),
    field("spec.shares", "{shares: {a: 0.5}}", "{shares: {a: 0.25}}", "{}"),
    field(
        "spec.toggles",
        "{toggles: {a: false}}",
        "{toggles: {a: true}}",
        "{}",
    ),
    field("spec.box", "{box: {a: x}}", "{box: {a: v, b: z}}", ""),
    // Lists with several keys, and what is inside of items.
    field(
        "spec.routes",
        "{routes: [{host: h, port: 1, to: x}]}",
        "{routes: [{host: h, port: 1, to: v}, {host: h, port: 2}]}",
        "[]",
    ),
    field(
        "spec.routes[host=h,port=1]",
        "{routes: [{host: h, port: 1, to: x}]}",
        "{routes: [{host: h, port: 1, to: v}]}",
        "",
    ),
    member(
        "spec.routes[host=h,port=1].to",
        "{routes: [{host: h, port: 1}]}",
        "{routes: [{host: h, port: 1, to: x}]}",
        "{routes: [{host: h, port: 1, to: v}]}",
    ),
    member(
        "spec.routes[*].marks",
        "{routes: [{host: h, port: 1}]}",
        "{routes: [{host: h, port: 1, marks: {a: x}}]}",
        "{routes: [{host: h, port: 1, marks: {a: v, b: z}}]}",
    ),
    member(
        "spec.routes[*].limits.rate",
        "{routes: [{host: h, port: 1}]}",
        "{routes: [{host: h, port: 1, limits: {rate: 1}}]}",
        "{routes: [{host: h, port: 1, limits: {rate: 5}}]}",
    ),
    member(
        "spec.routes[*].hops",
        "{routes: [{host: h, port: 1}]}",
        "{routes: [{host: h, port: 1, hops: [{id: 1, note: x}]}]}",
        "{routes: [{host: h, port: 1, hops: [{id: 1, note: v}, {id: 2}]}]}",
    ),
    member(
        "spec.routes[*].hops[id=1].note",
        "{routes: [{host: h, port: 1, hops: [{id: 1}]}]}",
        "{routes: [{host: h, port: 1, hops: [{id: 1, note: x}]}]}",
        "{routes: [{host: h, port: 1, hops: [{id: 1, note: v}]}]}",
    ),
    field(
        "spec.zones",
        "{zones: {a: {steps: [{name: s, value: x}]}}}",
        "{zones: {a: {steps: [{name: s, value: v}]}, b: {steps: [{name: s}]}}}",
        "{}",
    ),
    member(
        "spec.zones[*].steps[name=s].value",
        "{zones: {a: {steps: [{name: s}]}}}",
        "{zones: {a: {steps: [{name: s, value: x}]}}}",
        "{zones: {a: {steps: [{name: s, value: v}]}}}",
    ),
];

fn of<'i>(spec: &'i str, live: &'i str, paths: &'i str) -> Case<'i> {
    Case {
        spec,
        live,
        paths,
        ..Case::default()
    }
}

/// JSON of a case's YAML.
fn json(text: &str) -> String {
    let arena = Arena::new();
    to_string(parse(&arena, text))
}

#[test]
fn listed_and_not_specified_the_live_value_is_preserved_and_there_is_no_drift() {
    for field in FIELDS {
        let result = of(field.silent, field.live, field.path).result();
        assert!(result.contains("\nkept "), "{}: {result}", field.path);
        assert!(!result.contains("\nset "), "{}: {result}", field.path);
        // The effective state is the spec with the live value.
        assert_eq!(result.lines().next(), Some(&*json(field.live)), "{}", field.path);
        // Nothing to preserve: nothing is invented.
        let result = of(field.silent, field.silent, field.path).result();
        assert!(
            !result.contains("\nkept ") && !result.contains("\nset "),
            "{}: {result}",
            field.path
        );
    }
}

#[test]
fn listed_and_specified_the_spec_takes_precedence_as_if_it_were_not_listed() {
    for field in FIELDS {
        let listed = of(field.spec, field.live, field.path).result();
        assert!(
            listed.contains("\nset ") && !listed.contains("\nkept "),
            "{}: {listed}",
            field.path
        );
        assert_eq!(listed, of(field.spec, field.live, "").result(), "{}", field.path);
        // Once the service has the value there is no drift.
        let settled = of(field.spec, field.spec, field.path).result();
        assert!(!settled.contains("\nset "), "{}: {settled}", field.path);
    }
}

/// A flow mapping without its braces, so that several can be joined.
fn inner(text: &str) -> &str {
    let text = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    text.unwrap_or_default()
}

#[test]
fn every_path_of_the_annotation_is_decided_on_its_own() {
    let name = |field: &Field| inner(field.live).split(':').next().map(str::to_owned);
    let mut together: Vec<&Field> = Vec::new();
    for field in FIELDS.iter().filter(|field| field.silent == "{}") {
        if together.iter().all(|known| name(known) != name(field)) {
            together.push(field);
        }
    }
    let lives: Vec<&str> = together.iter().map(|field| inner(field.live)).collect();
    let paths: Vec<&str> = together.iter().map(|field| field.path).collect();
    let (live, paths) = (format!("{{{}}}", lives.join(", ")), paths.join(", "));
    for one in &together {
        let result = of(one.spec, &live, &paths).result();
        let items = |word: &str| -> Vec<&str> {
            let found = result.lines().find_map(|line| line.strip_prefix(word));
            found.unwrap_or_default().split(' ').collect()
        };
        let is_at = |text: &str, path: &str| {
            let rest = text.strip_prefix(path);
            rest.is_some_and(|rest| rest.starts_with(['=', '.', '[']))
        };
        let (kept, set) = (items("kept "), items("set "));
        assert!(set.iter().all(|set| is_at(set, one.path)), "{result}");
        for field in &together {
            let is_kept = kept.iter().any(|kept| is_at(kept, field.path));
            assert_eq!(is_kept, field.path != one.path, "{}: {result}", field.path);
        }
    }
}

#[test]
fn neither_listed_nor_specified_the_declared_value_is_managed() {
    for field in FIELDS {
        let result = of(field.silent, field.live, "").result();
        assert!(
            !result.contains("\nset ") && !result.contains("\nkept "),
            "{}: {result}",
            field.path
        );
        if field.declared.is_empty() {
            continue;
        }
        let declared = |paths, ignores_unspecified| Case {
            default: Some((field.path, field.declared)),
            ignores_unspecified,
            ..of("{}", field.live, paths)
        };
        let result = declared("", false).result();
        assert!(result.contains("\nset "), "{}: {result}", field.path);
        let result = declared(field.path, false).result();
        assert!(
            result.contains("\nkept ") && !result.contains("\nset "),
            "{}: {result}",
            field.path
        );
        // The alternative that the design rejects (7.2), as a setting.
        let result = declared("", true).result();
        assert!(
            !result.contains("\nset ") && !result.contains("\nkept "),
            "{}: {result}",
            field.path
        );
    }
}

/// Preserve, take, release: the last value stays if the field is listed; otherwise it is removed, or reset to what the kind
/// declares.
#[test]
fn a_released_field_stays_as_it_was_set_only_if_it_is_listed() {
    for field in FIELDS {
        let applied = |paths| Case {
            applied: field.path,
            ..of(field.silent, field.spec, paths)
        };
        let result = applied(field.path).result();
        assert!(!result.contains("\nset "), "{}: {result}", field.path);
        assert!(result.contains("\nkept "), "{}: {result}", field.path);

        let removed = applied("").result();
        assert!(
            removed.contains("=-") && removed.contains("\nreleased "),
            "{}: {removed}",
            field.path
        );
        let left = Case {
            ignores_unspecified: true,
            ..applied("")
        };
        let left = left.result();
        assert!(!left.contains("\nset "), "{}: {left}", field.path);
        if !field.declared.is_empty() && field.declared != "false" {
            let reset = Case {
                default: Some((field.path, field.declared)),
                ..applied("")
            };
            let reset = reset.result();
            assert!(
                reset.contains("\nset ") && !reset.contains("=-"),
                "{}: {reset}",
                field.path
            );
        }
    }
}

#[test]
fn presence_is_not_a_matter_of_the_value() {
    for (spec, live, path) in [
        ("{level: 0}", "{level: 5}", "spec.level"),
        ("{args: []}", "{args: [x]}", "spec.args"),
        ("{labels: {}}", "{labels: {a: x}}", "spec.labels"),
        ("{flags: []}", "{flags: [{name: a}]}", "spec.flags"),
        ("{zone: null}", "{zone: a}", "spec.zone"),
        ("{zone: ''}", "{zone: a}", "spec.zone"),
        (
            "{backup: {enabled: false}}",
            "{backup: {enabled: true}}",
            "spec.backup",
        ),
    ] {
        let result = of(spec, live, path).result();
        assert!(
            result.contains("\nset ") && !result.contains("\nkept "),
            "{spec}: {result}"
        );
    }
}
