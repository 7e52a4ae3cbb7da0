//! Validation rules on an object with 120 containers: Kindsmith with cost tracking, compared with other evaluators.
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench cel`

use std::hint::black_box;

use kindsmith_benches::{file, go, micros, time};
use kindsmith_cel::eval::{Inputs, Scratch};
use kindsmith_cel::validation_rule;
use kindsmith_cel::types::decl::{ArrayShape, Declarations, Format, ObjectShape, Schema, Shape};
use kindsmith_json::{Arena, parse_str};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const RULES: [&str; 5] = [
    "self.replicas >= 1 && self.replicas <= 100",
    "self.containers.all(c, c.name.startsWith('app-') && size(c.image) < 256)",
    "self.containers.all(c, self.containers.exists_one(d, d.name == c.name))",
    "self.containers.all(c, c.image.matches('^[a-z0-9./-]+:[a-z0-9.-]+$'))",
    "has(self.strategy) && self.strategy.type in ['Recreate', 'RollingUpdate'] && \
     (self.strategy.type != 'Recreate' || self.replicas == 1)",
];
/// One of the rules exceeds the server's cost limit.
const LIMIT: u64 = u64::MAX;

fn main() {
    let object = object();
    let text = object.to_string();
    println!(
        "object: {} bytes, 120 containers; microseconds per evaluation\n",
        text.len()
    );
    let ours: Vec<f64> = RULES.iter().map(|rule| kindsmith(rule, &text)).collect();
    let rules = file("rules.json", &json!(RULES).to_string());
    let reference = go("cel", &[&rules, &file("object.json", &text)]);
    println!(
        "{:<4} {:>10} {:>10} {:>8} {:>10} {:>10} {:>12} {:>10}",
        "rule", "kindsmith", "cel-go", "ratio", "cel-go+c", "cel", "kube-cel", "cel-core"
    );
    for (index, rule) in RULES.iter().enumerate() {
        let of_go = |key: &str| reference.as_ref().and_then(|all| all[index][key].as_f64());
        let plain = of_go("Plain");
        println!(
            "{:<4} {:>10} {:>10} {:>8} {:>10} {:>10} {:>12} {:>10}",
            index + 1,
            micros(Some(ours[index])),
            micros(plain),
            plain.map_or("-".to_owned(), |plain| format!("{:.1}", plain / ours[index])),
            micros(of_go("Tracked")),
            micros(Some(with_cel(rule, &object))),
            micros(Some(with_kube_cel(rule, &object))),
            micros(with_cel_core(rule, &object)),
        );
    }
    println!("\nratio: cel-go without cost tracking over Kindsmith with it (target 3 or more)");
    for (index, rule) in RULES.iter().enumerate() {
        println!("{}  {rule}", index + 1);
    }
}

fn object() -> Value {
    let container = |index: usize| {
        let env: Vec<Value> = (0..12)
            .map(|at| json!({"name": format!("SETTING_{at}"), "value": format!("value of setting {at} for {index}")}))
            .collect();
        json!({
            "name": format!("app-{index}"),
            "image": format!("registry.example.com/team-{}/service-{index}:v1.{index}.0", index % 7),
            "args": ["--listen", "0.0.0.0:8080", "--verbose"],
            "env": env,
            "resources": {"limits": {"cpu": "500m", "memory": "128Mi"}, "requests": {"cpu": "250m", "memory": "64Mi"}},
        })
    };
    let containers: Vec<Value> = (0..120).map(container).collect();
    json!({
        "replicas": 3,
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}},
        "containers": containers,
    })
}

fn schema() -> Schema {
    let shaped = |shape| Schema {
        shape,
        ..Schema::default()
    };
    let text = || shaped(Shape::String(Format::Plain));
    let object = |members: Vec<(&str, Schema)>| {
        shaped(Shape::Object(ObjectShape {
            properties: Some(
                members
                    .into_iter()
                    .map(|(name, schema)| (name.to_owned(), schema))
                    .collect(),
            ),
            ..ObjectShape::default()
        }))
    };
    let list = |items: Schema| {
        shaped(Shape::Array(ArrayShape {
            items: Some(Box::new(items)),
            ..ArrayShape::default()
        }))
    };
    let container = object(vec![
        ("name", text()),
        ("image", text()),
        ("args", list(text())),
        ("env", list(object(vec![("name", text()), ("value", text())]))),
    ]);
    object(vec![
        ("replicas", shaped(Shape::Integer)),
        ("strategy", object(vec![("type", text())])),
        ("containers", list(container)),
    ])
}

fn kindsmith(rule: &str, text: &str) -> f64 {
    let declarations = Declarations::new(&schema(), false, "Spec").expect("the schema is visible");
    let compiled = validation_rule::compile(rule, &declarations, false).expect("the rule compiles");
    let arena = Arena::new();
    let object = parse_str(&arena, text).expect("JSON");
    let object = &object;
    let mut scratch = Scratch::new();
    time(|| {
        scratch.reset();
        let inputs = Inputs {
            object: Some((object, &declarations.root)),
            old: None,
            optional_old: false,
            limit: LIMIT,
        };
        let outcome = compiled.program.eval(inputs, &scratch);
        assert!(
            matches!(outcome.value, kindsmith_cel::eval::value::Value::Bool(true)),
            "{rule}"
        );
        black_box(outcome.cost);
    })
}

fn with_cel(rule: &str, object: &Value) -> f64 {
    let program = cel::Program::compile(rule).expect("the rule compiles");
    let mut context = cel::Context::default();
    context.add_variable("self", object).expect("the object converts");
    time(|| {
        let value = program.execute(&context).expect("the rule runs");
        assert_eq!(value, cel::Value::Bool(true), "{rule}");
    })
}

fn with_kube_cel(rule: &str, object: &Value) -> f64 {
    use kube_cel::{KubeCelExt, cel};
    let program = cel::Program::compile(rule).expect("the rule compiles");
    let mut context = cel::Context::default().with_all();
    context.add_variable("self", object).expect("the object converts");
    time(|| {
        let value = program.execute(&context).expect("the rule runs");
        assert_eq!(value, cel::Value::Bool(true), "{rule}");
    })
}

fn with_cel_core(rule: &str, object: &Value) -> Option<f64> {
    let env = cel_core::Env::with_standard_library().with_variable(
        "self",
        cel_core::CelType::map(cel_core::CelType::String, cel_core::CelType::Dyn),
    );
    let ast = env.compile(rule).ok()?;
    let program = env.program(&ast).ok()?;
    let mut activation = cel_core::MapActivation::new();
    activation.insert("self", core_value(object));
    Some(time(|| {
        black_box(program.eval(&activation));
    }))
}

fn core_value(value: &Value) -> cel_core::Value {
    match value {
        Value::Null => cel_core::Value::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => number.as_i64().map_or_else(
            || number.as_f64().unwrap_or_default().into(),
            cel_core::Value::from,
        ),
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => cel_core::Value::list(items.iter().map(core_value)),
        Value::Object(members) => cel_core::Value::map(
            members
                .iter()
                .map(|(key, value)| (key.as_str(), core_value(value))),
        ),
    }
}
