//! If Go is installed: bodies are byte for byte those of Kubernetes' published code, and are decoded in the same way.

mod sample;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use kindsmith_builtin::protobuf::Codec;
use kindsmith_builtin::types::own_schema;
use kindsmith_engine::{Dialect, Plan};
use kindsmith_json::{Arena, parse_str};
use kindsmith_testkit::tool::{Tool, downloading, left_out};
use sample::Random;

const VERSION: &str = "v0.37.2";

/// How many objects of each kind.
const ROUNDS: u64 = 12;

/// A directory with the program and its modules; `None` if they are not available.
fn program() -> Option<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go_protobuf");
    fs::create_dir_all(&directory).expect("a directory for the test");
    let modules = [
        "api",
        "apimachinery",
        "apiextensions-apiserver",
        "kube-aggregator",
    ];
    let require: String = modules
        .map(|module| format!("\tk8s.io/{module} {VERSION}\n"))
        .concat();
    let files = [
        ("main.go", include_str!("go_protobuf/main.go").to_owned()),
        (
            "go.mod",
            format!("module example.org/protobuf\n\ngo 1.24\n\nrequire (\n{require})\n"),
        ),
    ];
    for (name, text) in files {
        fs::write(directory.join(name), text).expect("the directory can be written");
    }
    for module in modules {
        downloading(&format!("k8s.io/{module}@{VERSION}"));
    }
    let built = go(&directory, &["build", "-o", "program", "."], &[])?;
    if built.status.success() {
        return Some(directory.join("program"));
    }
    let said = String::from_utf8_lossy(&built.stderr);
    let no_modules = [
        "dial tcp",
        "no such host",
        "module lookup disabled",
        "connection refused",
    ];
    assert!(no_modules.iter().any(|words| said.contains(words)), "{said}");
    None
}

/// Runs a Go command; `None` if Go is not installed.
fn go(directory: &Path, arguments: &[&str], input: &[u8]) -> Option<Output> {
    let mut command = Command::new("go");
    command.args(arguments).current_dir(directory);
    command
        .env("GOFLAGS", "-mod=mod")
        .env("GOWORK", "off")
        .env("GOTOOLCHAIN", "local");
    run(command, input).ok()
}

fn run(mut command: Command, input: &[u8]) -> io::Result<Output> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let mut stdin = child.stdin.take().expect("it was asked for");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output()
    })?;
    Ok(output)
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
    let output = run(Command::new(program), input.as_bytes()).expect("the program starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = String::from_utf8(output.stdout).expect("the program writes text");
    assert_eq!(output.lines().count(), samples.len());
    let codec = Codec::new(schema);
    let plan = |&ty| (ty, Plan::compile(schema, ty, Dialect::Native));
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
