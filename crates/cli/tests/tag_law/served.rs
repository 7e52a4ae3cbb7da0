//! Types made at random, served as kinds: the server answers as the types do, as Kubernetes and as the KEPs read tags.

use super::random::source;
use super::*;
use kindsmith::apply::DryRun;
use kindsmith::local_api::{self, ask};
use kindsmith_api::Api;
use kindsmith_builtin::Settings;
use kindsmith_engine::Defaulting;
use kindsmith_object::NoTrace;
use kindsmith_server::Gates;
use kindsmith_testkit::random_types::Draw;
use kindsmith_testkit::tool::say;
use proptest::strategy::ValueTree;

/// How many types are tried; each takes a server of its own for each profile.
const TYPES: usize = 12;
const GATES: &str = "/apis/demo.example.org/v1/namespaces/default/gates";

/// The type as the spec of a kind.
fn kind(source: &str) -> Read {
    let types = format!(
        "package v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n// +kubebuilder:object:root=true\ntype Gate struct {{\n\
         \tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\tSpec T `json:\"spec\"`\n}}\n{source}"
    );
    let doc = "// +groupName=demo.example.org\n// +k8s:validation-gen=TypesWithField=TypeMeta\npackage v1\n";
    GoPackages::default()
        .file("v1/doc.go", doc)
        .file("v1/types.go", types)
        .read("v1")
}

struct Served {
    server: DryRun,
    plan: Plan,
}

impl Served {
    fn new(read: &Read, profile: checks::Profile) -> Self {
        let mut options = local_api::options(&Gates::default());
        let settings = Settings {
            profile,
            ..Settings::default()
        };
        local_api::add_kinds(&mut options, read.schema.clone(), &settings).expect("there is a kind");
        let id = read.schema.kinds()[0].ty;
        let compile = CompileOptions {
            profile,
            ..CompileOptions::default()
        };
        Self {
            server: DryRun::new(options).expect("a store in memory"),
            plan: Plan::compile_with(&read.schema, id, &compile),
        }
    }

    fn api(&self) -> &Api {
        self.server.api()
    }

    /// The types' errors.
    fn errors(&self, new: &Json, old: Option<&Json>) -> Vec<String> {
        let arena = Arena::new();
        let read = |json: &Json| {
            let text = arena.alloc_str(&json.to_string());
            let value = read_json(&arena, text.as_bytes(), ReadOptions::default())
                .expect("JSON")
                .value;
            let value = self.plan.encoded(&arena, value);
            let filled = self
                .plan
                .default_traced(&arena, value, &Defaulting::default(), &mut NoTrace);
            self.plan.encoded(&arena, filled)
        };
        let change = match old {
            Some(old) => Change::update(read(new), read(old)),
            None => Change::create(read(new)),
        };
        let errors = self.plan.validate(&change);
        let enforced = errors.iter().filter(|error| error.is_enforced(true));
        enforced.map(ToString::to_string).collect()
    }
}

fn gate(name: &str, spec: &Json) -> Json {
    json!({"apiVersion": "demo.example.org/v1", "kind": "Gate", "metadata": {"name": name}, "spec": spec})
}

/// Creates and updates objects; returns how many writes were compared.
fn compared(served: &Served, schema: &JsonSchema, runner: &mut TestRunner, source: &str) -> usize {
    let mut count = 0;
    for round in 0..6 {
        let (new, old) = changes(schema, WORDS)
            .new_tree(runner)
            .expect("two objects")
            .current();
        let name = format!("g{round}");
        let made = ask(served.api(), "POST", GATES, &gate(&name, &old).to_string());
        let errors = served.errors(&gate(&name, &old), None);
        assert_eq!(
            made.status == 201,
            errors.is_empty(),
            "{source}{old}: {errors:?} {}",
            made.body
        );
        count += 1;
        if made.status == 201 {
            let path = format!("{GATES}/{name}");
            let mut stored: Json = serde_json::from_str(&made.body).expect("an object");
            stored["spec"] = new.clone();
            let put = ask(served.api(), "PUT", &path, &stored.to_string());
            let errors = served.errors(&gate(&name, &new), Some(&gate(&name, &old)));
            assert_eq!(
                put.status == 200,
                errors.is_empty(),
                "{source}{old} -> {new}: {errors:?} {}",
                put.body
            );
            count += 1;
        }
    }
    count
}

#[test]
fn random_types_are_served_alike() {
    let wanted = std::env::var("KINDSMITH_RANDOM_TYPES")
        .ok()
        .and_then(|text| text.parse().ok());
    let wanted: usize = wanted.unwrap_or(TYPES);
    let mut draw = Draw(11);
    let mut runner = runner(1);
    let (mut types, mut writes) = (0, 0);
    while types < wanted {
        let source = source(&mut draw);
        let (Some(clean), read) = (clean(&source), kind(&source)) else {
            continue;
        };
        types += 1;
        for profile in [checks::Profile::Upstream, checks::Profile::Kep] {
            if let Some(both) = Both::of(&clean, profile) {
                writes += compared(&Served::new(&read, profile), &both.schema, &mut runner, &source);
            }
        }
    }
    say(&format!("{types} types, {writes} writes of a server agree"));
    assert!(writes > 6 * wanted, "{writes} writes of {types} types");
}
