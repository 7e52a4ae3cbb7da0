//! Real kubectl against a running server, by the transcripts of `e2e/kubectl`.
//!
//! A transcript is what one would see in a terminal: `$` a command (`>` continues it), then its output, `!` its
//! standard error, `?` its exit status if not 0. `[..]` matches any text in a line, `...` any lines. The number of
//! spaces between words does not matter. Each transcript has its own server. Commands are run by `sh` with the kubectl
//! on the path, or the one that `KUBECTL` names; without kubectl, a line says what was skipped.

use std::path::PathBuf;
use std::process::Command;

use crate::binary::root;
use crate::serving::Serving;
use kindsmith_testkit::tool::{Tool, left_out};

/// One command and its expected output.
#[derive(Debug, Default)]
struct Step {
    line: usize,
    command: String,
    code: i32,
    stdout: Vec<String>,
    stderr: Vec<String>,
}

fn parse(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let step = steps.last_mut();
        match (line.split_at_checked(2), step) {
            (Some(("$ ", command)), _) => steps.push(Step {
                line: index + 1,
                command: command.to_owned(),
                ..Step::default()
            }),
            (_, None) => {}
            (Some(("> ", more)), Some(step)) => step.command = format!("{}\n{more}", step.command),
            (Some(("? ", code)), Some(step)) => step.code = code.parse().expect("a status is a number"),
            (Some(("! ", line)), Some(step)) => step.stderr.push(line.to_owned()),
            (_, Some(step)) => step.stdout.push(line.to_owned()),
        }
    }
    steps
}

/// Whether lines are as expected.
fn matches(expected: &[String], lines: &[&str]) -> bool {
    match (expected, lines) {
        ([], rest) => rest.iter().all(|line| line.trim().is_empty()),
        ([any, expected @ ..], _) if any == "..." => {
            (0..=lines.len()).any(|skipped| matches(expected, &lines[skipped..]))
        }
        ([first, expected @ ..], [line, lines @ ..]) => like(first, line) && matches(expected, lines),
        ([blank, expected @ ..], []) => blank.trim().is_empty() && matches(expected, lines),
    }
}

fn like(pattern: &str, line: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (pattern, line) = (words(pattern), words(line));
    let mut parts = pattern.split("[..]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first.trim_end()) else {
        return false;
    };
    let mut is_open = false;
    for part in parts {
        is_open = true;
        let part = part.trim();
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
        if !part.is_empty() {
            is_open = false;
        }
    }
    is_open || rest.trim().is_empty()
}

/// The directory of the kubectl to use; `None` without one.
fn kubectl() -> Option<PathBuf> {
    let named = std::env::var_os("KUBECTL").map(PathBuf::from);
    let kubectl = named.clone().unwrap_or_else(|| PathBuf::from("kubectl"));
    let works = Command::new(&kubectl)
        .args(["version", "--client"])
        .output()
        .is_ok_and(|output| output.status.success());
    if works {
        Some(
            named
                .and_then(|path| Some(path.parent()?.to_owned()))
                .unwrap_or_default(),
        )
    } else {
        None
    }
}

fn check(name: &str, options: &[&str]) {
    let Some(directory) = kubectl() else {
        left_out(Tool::Kubectl, name);
        return;
    };
    let path = root().join("e2e/kubectl").join(name);
    let text = std::fs::read_to_string(&path).expect("the transcript is there");
    let serving = Serving::start_with(options);
    let searched = std::env::var("PATH").unwrap_or_default();
    let searched = format!("{}:{searched}", directory.display());
    let mut wrong = Vec::new();
    for step in parse(&text) {
        let output = serving
            .client("sh")
            .args(["-c", &step.command])
            .env("HOME", &serving.home)
            .env("PATH", &searched)
            .current_dir(&serving.home)
            .output()
            .expect("there is a shell");
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        let lines = |text| str::lines(text).collect::<Vec<_>>();
        let right = output.status.code() == Some(step.code)
            && matches(&step.stdout, &lines(&stdout))
            && matches(&step.stderr, &lines(&stderr));
        if !right {
            wrong.push(format!(
                "{name}:{}: {}\n{}\n{stdout}{stderr}",
                step.line, step.command, output.status
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! transcripts {
    ($($test:ident = $name:literal $($option:literal)*;)*) => {
        $(
            #[test]
            fn $test() {
                check($name, &["--store", "memory" $(, $option)*]);
            }
        )*

        #[test]
        fn every_transcript_is_run() {
            let listed = [$($name),*];
            let folder = std::fs::read_dir(root().join("e2e/kubectl")).expect("the folder is there");
            let names = folder.map(|entry| entry.expect("it can be read").file_name());
            let missing: Vec<_> = names.filter(|name| !listed.iter().any(|listed| name == listed)).collect();
            assert!(missing.is_empty(), "{missing:?} are not listed");
        }
    };
}

transcripts! {
    objects = "objects.txt";
    apply = "apply.txt";
    custom = "custom.txt";
    workloads = "workloads.txt";
    access = "access.txt";
    discovery = "discovery.txt";
    watch = "watch.txt";
    controllers = "controllers.txt" "--controllers" "*";
}

#[test]
fn objects_on_disk() {
    check("objects.txt", &["--store", "objects"]);
}

#[test]
fn patterns() {
    let cases = [
        ("a b", "a   b", true),
        ("a b", "a c", false),
        ("a", "a b", false),
        ("a[..]", "a b", true),
        ("[..]b", "a b", true),
        ("a[..]c", "a b c", true),
        ("a[..]c", "a c d", false),
        ("", "", true),
    ];
    for (pattern, line, expected) in cases {
        assert_eq!(like(pattern, line), expected, "{pattern:?} and {line:?}");
    }
}
