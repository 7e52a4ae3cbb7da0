//! If Go is installed: bodies are byte for byte those of Kubernetes' published code, and are decoded in the same way.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::go_program::{self, Program};
use crate::sample::{self, Random};
use kindsmith_builtin::protobuf::Codec;
use kindsmith_builtin::types::own_schema;
use kindsmith_engine::Plan;
use kindsmith_json::{Arena, parse_str};
use kindsmith_testkit::tool::{Tool, left_out};

const VERSION: &str = "v0.37.2";

/// How many objects of each kind.
const ROUNDS: u64 = 12;

/// The program; `None` if it cannot be built.
fn program() -> Option<PathBuf> {
    let modules = [
        "api",
        "apimachinery",
        "apiextensions-apiserver",
        "kube-aggregator",
    ];
    let require: String = modules
        .map(|module| format!("\tk8s.io/{module} {VERSION}\n"))
        .concat();
    let program = Program {
        name: "go_protobuf",
        source: include_str!("go_protobuf/main.go"),
        modules: format!("module example.org/protobuf\n\ngo 1.24\n\nrequire (\n{require})\n"),
        downloads: modules
            .map(|module| format!("k8s.io/{module}@{VERSION}"))
            .to_vec(),
    };
    program.build()
}

#[test]
fn bodies_match_published_code() {
    let Some(program) = program() else {
        left_out(Tool::Go, "bodies beside those of published code");
        return;
    };
    let schema = own_schema();
    let mut input = String::new();
    let mut samples = Vec::new();
    let kinds = sample::kinds(schema);
    for (index, &ty) in kinds.iter().enumerate() {
        for round in 0..ROUNDS {
            let name = &schema.ty(ty).name;
            let object = sample::object(schema, ty, &mut Random(round << 32 | ty.index() as u64));
            input += &format!(
                "{{\"type\":\"{}.{}\",\"object\":{object}}}\n",
                name.package, name.name
            );
            samples.push((index, object));
        }
    }
    let output = go_program::ask(&program, &input);
    assert_eq!(output.lines().count(), samples.len());
    let codec = Codec::new(schema);
    let plan = |&ty| (ty, Plan::compile(schema, ty));
    let kinds: Vec<_> = kinds.iter().map(plan).collect();
    let mut unknown = BTreeSet::new();
    for ((index, text), line) in samples.iter().zip(output.lines()) {
        let (ty, plan) = &kinds[*index];
        let Some((body, back)) = line.split_once(' ') else {
            assert_eq!(line, "unknown");
            unknown.insert(schema.ty(*ty).name.to_string());
            continue;
        };
        let arena = Arena::new();
        let object = plan.encoded(&arena, parse_str(&arena, text).expect("samples are JSON"));
        let bytes = codec.encode(*ty, object).expect("samples fit their type");
        assert_eq!(hex(&bytes), body, "{text}");
        // Go's messages do not contain the kind.
        let message = codec.encode_message(*ty, object).expect("samples fit their type");
        let read = kindsmith_builtin::protobuf::seal("", "", &message);
        let read = codec.decode(&arena, *ty, &read).expect("published code wrote it");
        assert_eq!(plan.encode(read), back, "{text}");
    }
    let unknown: Vec<&str> = unknown.iter().map(String::as_str).collect();
    assert_eq!(
        unknown,
        Vec::<&str>::new(),
        "published code does not know these kinds"
    );
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
