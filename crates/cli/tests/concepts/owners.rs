//! List types and ownership: what server-side applies do.

use kindsmith::apply::{Apply, DryRun};
use kindsmith::local_api;
use kindsmith_api::{Options, Still};
use kindsmith_json::{Arena, parse_str};
use serde_json::{Value, json};

use super::draw::{BAD, Drawing, FINE, KEPT, PLAIN};
use super::{bed, check, crd};

/// What an apply leaves: the object, or the conflicts; and who owns which fields.
struct Step {
    object: Option<Value>,
    conflicts: Vec<String>,
    owners: Vec<(String, Vec<String>)>,
}

/// Applies specs one after the other: manager, spec, whether by force.
fn applied(schema: &str, steps: &[(&str, Value, bool)]) -> Vec<Step> {
    let mut live: Option<String> = None;
    let mut all = Vec::new();
    for (manager, spec, is_forced) in steps {
        let server = DryRun::new(Options::default(), Box::new(Still::at(0))).expect("a server in memory");
        local_api::define(server.api(), &crd(schema)).expect("the CRD is right");
        let arena = Arena::new();
        let text = bed(spec).to_string();
        let apply = Apply {
            live: live.as_deref().map(|live| parse_str(&arena, live).expect("JSON")),
            applied: parse_str(&arena, &text).expect("JSON"),
            field_manager: manager,
            is_forced: *is_forced,
        };
        let applied = server.apply(&arena, &apply).expect("an object with a name");
        let object = applied.result.ok().map(kindsmith_json::to_string);
        all.push(Step {
            object: object
                .as_ref()
                .map(|text| serde_json::from_str(text).expect("JSON")),
            conflicts: applied.conflicts.iter().map(|one| one.field.to_owned()).collect(),
            owners: applied
                .owners
                .into_iter()
                .map(|owner| (owner.name, owner.fields))
                .collect(),
        });
        live = object.or(live);
    }
    all
}

/// Two managers apply a list; who owns what of it depends on its type.
#[test]
fn list_types() {
    let item = |name: &str| json!({"name": name});
    let lists = [
        (
            "atomic",
            "{plants: {type: array, items: {type: string}}}",
            json!(["fern", "rose"]),
            json!(["rose", "sage"]),
        ),
        (
            "set",
            "{plants: {type: array, x-kubernetes-list-type: set, items: {type: string}}}",
            json!(["fern", "rose"]),
            json!(["rose", "sage"]),
        ),
        (
            "map",
            "{plants: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], \
              items: {type: object, required: [name], properties: {name: {type: string}}}}}",
            json!([item("fern"), item("rose")]),
            json!([item("rose"), item("sage")]),
        ),
    ];
    let mut drawing = Drawing::new(700, 226, "Two managers apply a list of each type");
    drawing.faint((16, 28), "type");
    drawing.faint((110, 28), "Ada applies");
    drawing.faint((250, 28), "Ben applies");
    drawing.faint((390, 28), "then");
    for (row, (name, schema, ada, ben)) in lists.iter().enumerate() {
        let y = 44 + row * 60;
        let shown = |list: &Value| {
            let words = list.as_array().into_iter().flatten();
            let words = words.map(|item| item.as_str().or(item["name"].as_str()).unwrap_or_default());
            words.collect::<Vec<_>>().join(", ")
        };
        let steps = applied(
            schema,
            &[
                ("ada", json!({ "plants": ada }), false),
                ("ben", json!({ "plants": ben }), false),
            ],
        );
        let last = steps.last().expect("two steps");
        drawing.code((16, y + 20), name);
        drawing.code((110, y + 20), &shown(ada));
        drawing.code((250, y + 20), &shown(ben));
        match &last.object {
            Some(object) => {
                drawing.rect((386, y), (298, 50), FINE);
                drawing.code((394, y + 20), &shown(&object["spec"]["plants"]));
                let both = "each owns the items it applied";
                drawing.faint((394, y + 40), both);
            }
            None => {
                drawing.rect((386, y), (298, 50), BAD);
                drawing.text((394, y + 20), &format!("conflict: {}", last.conflicts.join(", ")));
                drawing.faint((394, y + 40), "Ada owns the list as a whole");
            }
        }
    }
    check("list-types.svg", &drawing.svg());
}

/// Who owns two fields while two managers apply them in turn.
#[test]
fn ownership() {
    let steps = [
        ("ada", json!({"rows": 3, "sun": "full"}), false),
        ("ben", json!({"rows": 5}), false),
        ("ben", json!({"rows": 5}), true),
        ("ada", json!({"sun": "full"}), false),
        ("ada", json!({}), false),
    ];
    let results = applied("{rows: {type: integer}, sun: {type: string}}", &steps);
    let mut drawing = Drawing::new(700, 190, "Who owns fields after each apply");
    for (row, label) in ["applies", "rows", "sun"].iter().enumerate() {
        drawing.faint((16, 40 + row * 44 + if row > 0 { 22 } else { 0 }), label);
    }
    let mut last: Option<&Step> = None;
    for (column, ((manager, spec, is_forced), step)) in steps.iter().zip(&results).enumerate() {
        let x = 84 + column * 122;
        let who = if *is_forced {
            format!("{manager}, by force:")
        } else {
            format!("{manager}:")
        };
        drawing.text((x, 28), &who);
        let written: Vec<String> = spec
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| format!("{name} {}", value.to_string().trim_matches('"')))
            .collect();
        drawing.code(
            (x, 48),
            &if written.is_empty() {
                "nothing".to_owned()
            } else {
                written.join(", ")
            },
        );
        let is_conflict = step.object.is_none();
        let shown = if is_conflict {
            last.expect("a first step")
        } else {
            step
        };
        for (row, field) in ["rows", "sun"].iter().enumerate() {
            let y = 66 + row * 44;
            let value = shown
                .object
                .as_ref()
                .and_then(|object| object["spec"].get(*field).cloned());
            let path = format!(".spec.{field}");
            let owners: Vec<&str> = shown
                .owners
                .iter()
                .filter(|(_, fields)| fields.contains(&path))
                .map(|(name, _)| name.split(' ').next().unwrap_or_default())
                .collect();
            let conflicts = is_conflict && step.conflicts.contains(&path);
            let (text, color) = match &value {
                _ if conflicts => ("conflict".to_owned(), BAD),
                None => ("removed".to_owned(), KEPT),
                Some(value) => (
                    format!("{} · {}", value.to_string().trim_matches('"'), owners.join(", ")),
                    if owners.is_empty() { PLAIN } else { FINE },
                ),
            };
            drawing.rect((x - 6, y), (114, 36), color);
            drawing.text((x, y + 23), &text);
        }
        if !is_conflict {
            last = Some(step);
        }
    }
    drawing.faint((16, 176), "Each cell: the value, and who owns the field.");
    check("ownership.svg", &drawing.svg());
}
