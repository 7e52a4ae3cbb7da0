//! Null, defaults, ratcheting and cost.

use kindsmith::cel::{Subject, compile};
use serde_json::{Value, json};

use super::draw::{BAD, Drawing, FINE, KEPT, LINE, PLAIN};
use super::{bed, check, kinds};

/// What is stored for each way to write a field, by what the schema says about it.
#[test]
fn presence_and_null() {
    let schemas = [
        ("no default", "{type: string}"),
        ("default \"d\"", "{type: string, default: d}"),
        ("nullable", "{type: string, nullable: true}"),
        (
            "nullable, default \"d\"",
            "{type: string, nullable: true, default: d}",
        ),
    ];
    let written = [
        ("absent", json!({})),
        ("null", json!({"a": null})),
        ("\"\"", json!({"a": ""})),
        ("\"x\"", json!({"a": "x"})),
    ];
    let mut drawing = Drawing::new(
        700,
        196,
        "What is stored for a field that is absent, null, empty or set",
    );
    drawing.faint((16, 28), "written");
    for (column, (label, schema)) in schemas.iter().enumerate() {
        let x = 110 + column * 146;
        drawing.centered((x + 68, 28), label);
        let kinds = kinds(&format!("{{a: {schema}}}"));
        for (row, (label, spec)) in written.iter().enumerate() {
            let y = 44 + row * 36;
            if column == 0 {
                drawing.code((16, y + 20), label);
            }
            let review = kinds.admit(&bed(spec)).expect("the kind is known");
            let stored = review.object.map(|object| object["spec"].get("a").cloned());
            let (text, color) = match &stored {
                None => ("rejected".to_owned(), BAD),
                Some(None) => ("absent".to_owned(), PLAIN),
                Some(Some(value)) if spec.get("a") == Some(value) => (value.to_string(), PLAIN),
                Some(Some(value)) => (value.to_string(), FINE),
            };
            drawing.rect((x, y), (136, 30), color);
            drawing.centered_code((x + 68, y + 20), &text);
        }
    }
    check("presence.svg", &drawing.svg());
}

/// The lines of a value as YAML would show it.
fn lines(value: &Value, depth: usize, out: &mut Vec<String>) {
    for (key, below) in value.as_object().into_iter().flatten() {
        let indent = "  ".repeat(depth);
        match below {
            Value::Object(members) if !members.is_empty() => {
                out.push(format!("{indent}{key}:"));
                lines(below, depth + 1, out);
            }
            below => out.push(format!("{indent}{key}: {below}")),
        }
    }
}

/// Defaults fill in from the outside in: below an absent object there are none.
#[test]
fn defaulting() {
    let kinds = kinds(
        "{water: {type: object, default: {hose: {}}, properties: {hose: {type: object, properties: {liters: {type: integer, default: 5}}}}}, \
          soil: {type: object, properties: {depth: {type: integer, default: 30}}}}",
    );
    let mut drawing = Drawing::new(700, 232, "What defaults fill in");
    drawing.faint((16, 28), "written");
    drawing.faint((16, 118), "stored");
    let all = [
        json!({}),
        json!({"soil": {}}),
        json!({"water": {}}),
        json!({"water": {"hose": {"liters": 8}}}),
    ];
    for (column, spec) in all.iter().enumerate() {
        let x = 90 + column * 152;
        let review = kinds.admit(&bed(spec)).expect("the kind is known");
        let stored = review.object.expect("it is valid");
        let [mut before, mut after] = [Vec::new(), Vec::new()];
        lines(&json!({ "spec": spec }), 0, &mut before);
        lines(&json!({ "spec": stored["spec"] }), 0, &mut after);
        for (row, line) in before.iter().enumerate() {
            drawing.code((x, 28 + row * 19), line);
        }
        for (row, line) in after.iter().enumerate() {
            let y = 118 + row * 19;
            if !before.contains(line) {
                drawing.rect((x - 4, y - 14), (144, 18), FINE);
            }
            drawing.code((x, y), line);
        }
    }
    check("defaulting.svg", &drawing.svg());
}

/// Every update from 0…40 to 0…40 of a field whose maximum became 20.
#[test]
fn ratcheting() {
    const MOST: usize = 40;
    let kinds = kinds("{rows: {type: integer, maximum: 20}}");
    let mut drawing = Drawing::new(
        660,
        414,
        "Which updates of a field are allowed after its maximum became 20",
    );
    let cell = 8;
    for old in 0..=MOST {
        for new in 0..=MOST {
            let review = kinds
                .admit_update(&bed(&json!({"rows": old})), &bed(&json!({"rows": new})))
                .expect("the kind is known");
            let color = match (review.errors.is_empty(), new <= 20) {
                (true, true) => FINE,
                (true, false) => KEPT,
                (false, _) => BAD,
            };
            drawing.rect(
                (60 + old * cell, 30 + (MOST - new) * cell),
                (cell - 1, cell - 1),
                color,
            );
        }
    }
    for value in [0, 20, 40] {
        drawing.centered(
            (64 + value * cell, 30 + (MOST + 1) * cell + 16),
            &value.to_string(),
        );
        drawing.text((34, 38 + (MOST - value) * cell), &value.to_string());
    }
    drawing.centered((64 + 20 * cell, 30 + (MOST + 1) * cell + 36), "old value of rows");
    drawing.faint((12, 20), "new value");
    for (row, (color, text)) in [
        (FINE, "allowed: within the maximum"),
        (KEPT, "allowed: not changed"),
        (BAD, "rejected"),
    ]
    .iter()
    .enumerate()
    {
        drawing.rect((410, 60 + row * 26), (14, 14), color);
        drawing.text((432, 72 + row * 26), text);
    }
    drawing.faint((410, 164), "maximum: 20");
    check("ratcheting.svg", &drawing.svg());
}

/// What one rule costs at most, by the bounds beside it.
#[test]
fn cost() {
    let mut drawing = Drawing::new(700, 330, "Estimated cost of a rule by maxItems and maxLength");
    let x = |items: f64| 80.0 + items.log10() * 110.0;
    let y = |cost: f64| 284.0 - cost.log10() * 27.5;
    for power in 0..=4 {
        let at = x(10_f64.powi(power));
        drawing.line(&[(at, 30.0), (at, 284.0)], LINE, "");
        drawing.centered((at as usize, 302), &10_u64.pow(power.unsigned_abs()).to_string());
    }
    for power in [0_u32, 3, 6, 9] {
        let at = y(10_f64.powi(power.cast_signed()));
        drawing.line(&[(80.0, at), (520.0, at)], LINE, "");
        drawing.text((16, at as usize + 4), &format!("10^{power}"));
    }
    drawing.centered((300, 320), "maxItems");
    let limit = kindsmith_cel::cost::limit::STATIC_PER_EXPRESSION as f64;
    drawing.line(&[(80.0, y(limit)), (520.0, y(limit))], "#b3261e", "6 4");
    drawing.text((90, y(limit) as usize - 6), "the most that a rule may cost");
    let rule = "self.all(name, name.matches('^[a-z]+$'))";
    for (length, color) in [
        (10, "#2a6a4a"),
        (100, "#0b57d0"),
        (1000, "#7a5200"),
        (10_000, "#7a2f8f"),
    ] {
        let mut points = Vec::new();
        for step in 0..=16 {
            let items = 10_f64.powf(f64::from(step) / 4.0).round();
            let kinds = kinds(&format!(
                "{{names: {{type: array, maxItems: {items}, items: {{type: string, maxLength: {length}}}}}}}"
            ));
            let found = kinds
                .crds()
                .of_object("garden.example.org/v1", "Bed")
                .expect("a CRD");
            let schema = found.schema().expect("a schema");
            let node = Subject::new(&schema, "/properties/spec/properties/names").expect("a field");
            let compiled = compile(rule, &node.declarations, false).expect("it compiles");
            points.push((x(items), y(compiled.cost.max as f64).max(30.0)));
        }
        let end = points.last().copied().unwrap_or_default();
        drawing.text((530, end.1 as usize + 4), &format!("maxLength {length}"));
        drawing.line(&points, color, "");
    }
    drawing.faint((90, 18), rule);
    check("cost.svg", &drawing.svg());
}
