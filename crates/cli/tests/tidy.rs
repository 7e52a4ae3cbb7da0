//! The house rules of `CONTRIBUTING.md` that a test can check.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::binary::root;

/// Fails with all violations at once, each with its place.
pub(crate) fn check(files: &[PathBuf], breach: impl Fn(&Path, &str) -> Vec<String>) {
    assert!(!files.is_empty(), "there is something to check");
    let mut wrong = Vec::new();
    for path in files {
        let text = fs::read_to_string(path).expect("source files are text");
        let name = path.strip_prefix(root()).expect("files lie in the repository");
        wrong.extend(
            breach(name, &text)
                .into_iter()
                .map(|why| format!("{}: {why}", name.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_open_with_their_job() {
    let sources: Vec<_> = files("rs").into_iter().filter(|path| in_src(path)).collect();
    check(&sources, |_, text| {
        let missing = !text.starts_with("//!");
        missing
            .then(|| "open with `//!`: its job and what it must not know".to_owned())
            .into_iter()
            .collect()
    });
}

#[test]
fn files_stay_short() {
    check(&files("rs"), |_, text| {
        let lines = text.lines().count();
        (lines > 800)
            .then(|| format!("{lines} lines: 800 is too many for one job"))
            .into_iter()
            .collect()
    });
}

#[test]
fn nothing_is_left_undone() {
    // Written in two halves, so that this file passes.
    let undone = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("#[ig", "nore"),
    ];
    check(&files("rs"), |_, text| mentions(text, &undone));
}

#[test]
fn modules_are_named_for_what_they_hold() {
    let drawers = ["utils", "util", "common", "helpers", "helper", "misc"];
    check(&files("rs"), |path, _| {
        let parts = path.iter().filter_map(|part| part.to_str());
        let names = parts.map(|part| part.trim_end_matches(".rs"));
        names
            .filter(|name| drawers.contains(name))
            .map(|name| format!("`{name}` is a drawer; name the noun"))
            .collect()
    });
}

/// Clippy refuses files, network, clock and environment (`clippy.toml`) where nobody allows them; these may allow them.
#[test]
fn only_outer_crates_touch_the_world() {
    let worldly = [
        // Its tests read its sources.
        "crates/builtin/src/types/words.rs",
        "crates/cli",
        "crates/controller",
        "crates/kindsmith/src/files.rs",
        "crates/kindsmith/src/server/",
        "crates/kindsmith/src/test_server.rs",
        "crates/server",
        "crates/store/src/disk",
        "crates/store/src/etcd",
        "crates/testkit",
        "conformance/runner",
    ]
    .map(|folder| root().join(folder));
    let core: Vec<_> = files("rs")
        .into_iter()
        .filter(|path| in_src(path) && !worldly.iter().any(|folder| path.starts_with(folder)))
        .collect();
    check(&core, |_, text| {
        mentions(text, &[concat!("clippy::disallowed_", "methods")])
    });
}

/// Texts of errors are for people: code asks `FieldError::about`, a kind or an enum. Each exception has its reason, and the
/// list only becomes shorter.
#[test]
fn no_code_reads_the_text_of_our_own_errors() {
    let exceptions = [
        (
            "crates/admission/src/observe.rs",
            "metrics count by message, as upstream",
        ),
        ("crates/cli/src/command/check/policies.rs", "an answer over HTTP"),
        (
            "crates/emit/src/rust/union.rs",
            "texts that generators write into CRDs, which are input",
        ),
        ("crates/store/src/etcd/failure.rs", "errors of etcd"),
        (
            "crates/structural/src/rules/run.rs",
            "upstream decides by CEL's text",
        ),
    ];
    let sources: Vec<_> = files("rs")
        .into_iter()
        .filter(|path| in_src(path) && !path.ends_with("tests.rs"))
        .filter(|path| !path.iter().any(|part| part == "tests"))
        .filter(|path| !exceptions.iter().any(|(known, _)| path.ends_with(known)))
        .collect();
    check(&sources, |_, text| {
        let code = text.split("#[cfg(test)]").next().unwrap_or(text);
        let lines = code.lines().enumerate();
        let hits = lines.filter(|(_, line)| reads_a_message(line));
        hits.map(|(index, line)| format!("line {}: {}", index + 1, line.trim()))
            .collect()
    });
}

/// What crosses the border of a crate has an error with a type.
#[test]
fn public_functions_have_errors_with_types() {
    let is_library = |path: &PathBuf| {
        let others = ["crates/cli", "fuzz", "benches", "web"];
        in_src(path) && !others.iter().any(|other| path.starts_with(root().join(other)))
    };
    let sources: Vec<_> = files("rs").into_iter().filter(is_library).collect();
    check(&sources, |_, text| {
        let code = text.split("#[cfg(test)]").next().unwrap_or(text);
        let heads = code
            .split("\n    pub fn ")
            .skip(1)
            .chain(code.split("\npub fn ").skip(1));
        let heads = heads.map(|rest| rest.split('{').next().unwrap_or(rest).trim_end());
        heads
            .filter(|head| head.ends_with(", String>"))
            .map(|head| {
                let name = head.split(['(', '<']).next().unwrap_or_default();
                format!("{name} returns a text as its error")
            })
            .collect()
    });
}

/// Whether a line looks for words in something that is called an error or a message.
fn reads_a_message(line: &str) -> bool {
    let searches = [
        "contains",
        "starts_with",
        "ends_with",
        "strip_prefix",
        "strip_suffix",
        "split_once",
        "rsplit_once",
    ];
    let messages = [
        "message",
        "detail",
        "error",
        "problem",
        "why",
        "failure",
        "complaint",
    ];
    searches.iter().any(|search| {
        let call = format!(".{search}(\"");
        let mut places = line.match_indices(&call);
        places.any(|(place, _)| {
            let before = &line[..place];
            let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
            name.is_some_and(|name| messages.contains(&name)) || before.ends_with("error.to_string()")
        })
    })
}

#[test]
fn finds_code_that_reads_messages() {
    for line in [
        r#"if error.message.contains("cost") {"#,
        r#"why.ends_with("failed")"#,
        r#"error.to_string().starts_with("a")"#,
    ] {
        assert!(reads_a_message(line), "{line}");
    }
    for line in [
        r#"name.contains("a")"#,
        "errors.contains(&error)",
        r#"text.starts_with("a")"#,
    ] {
        assert!(!reads_a_message(line), "{line}");
    }
}

#[test]
fn an_api_version_is_read_in_one_place() {
    // These have no group and version, only slashes, or lie where `object` is not known.
    let other = [
        "crates/emit/src/docs/arrange.rs",
        "crates/kindsmith/src/crds.rs",
        "crates/object/src/group_version.rs",
    ];
    let sources: Vec<_> = files("rs")
        .into_iter()
        .filter(|path| in_src(path) && !other.iter().any(|known| path.ends_with(known)))
        .collect();
    check(&sources, |_, text| {
        let lines = text.lines().enumerate().filter(|(_, line)| {
            let is_split = line.contains("split_once('/')") || line.contains("splitn(2, '/')");
            is_split
                && ["api_version", "apiVersion", "(group, version)"]
                    .iter()
                    .any(|name| line.contains(name))
        });
        lines
            .map(|(index, _)| format!("line {}: use `GroupVersion::parse`", index + 1))
            .collect()
    });
}

/// Facts with one home: texts that no code but their home may write out.
#[test]
fn facts_are_written_once() {
    // Each with its home and others that may write it: the store knows no objects, but has Kubernetes' default for the key
    // of etcd below which it works; rules of flow schemas compare objects that are written as JSON; a format has an example.
    let facts: [(&str, &str, &[&str]); 5] = [
        ("\"/registry", "crates/object/src/store_key.rs", &["crates/store"]),
        (
            "\"system:",
            "crates/object/src/well_known.rs",
            &["crates/builtin/src/kind/flow_schema_rules.rs", "crates/formats"],
        ),
        ("\"10.96.0.0/12", "crates/object/src/well_known.rs", &[]),
        ("(30000, 32767)", "crates/object/src/well_known.rs", &[]),
        ("3 * 1024 * 1024", "crates/formats/src/limit.rs", &[]),
    ];
    let sources: Vec<_> = files("rs")
        .into_iter()
        .filter(|path| in_src(path) && !path.ends_with("tests.rs"))
        .collect();
    check(&sources, |path, text| {
        let code = text.split("#[cfg(test)]").next().unwrap_or(text);
        let of_others = facts.iter().filter(|(_, home, others)| {
            path != Path::new(home) && !others.iter().any(|other| path.starts_with(other))
        });
        let written = of_others.filter(|(fact, ..)| {
            let mut lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            lines.any(|line| line.contains(fact))
        });
        written
            .map(|(fact, home, _)| format!("`{fact}` is written in {home} only"))
            .collect()
    });
}

#[test]
fn nothing_that_needs_dropping_is_put_into_an_arena() {
    // An arena does not drop its content, so values that own memory would leak. These files put plain references
    // there.
    let plain = [
        "crates/cel/src/eval/context.rs",
        "crates/cel/src/eval/list.rs",
        "crates/json/src/value/object.rs",
    ];
    let sources: Vec<_> = files("rs").into_iter().filter(|path| in_src(path)).collect();
    check(&sources, |path, text| {
        if plain.iter().any(|plain| path == Path::new(plain)) {
            Vec::new()
        } else {
            mentions(text, &["arena.alloc("])
        }
    });
}

#[test]
fn links_between_documents_resolve() {
    check(&files("md"), |path, text| {
        let folder = root().join(path);
        let folder = folder.parent().expect("a file lies in a folder");
        links(text)
            .filter(|target| !target.contains("://") && !target.starts_with(['#', '<']))
            .map(|target| target.split('#').next().unwrap_or(target))
            .filter(|target| !folder.join(target).exists())
            .map(|target| format!("the link to {target} leads nowhere"))
            .collect()
    });
}

/// What is promised under attack is tried by a case, and each case stands for a promise.
#[test]
fn attacks_have_promises_and_promises_have_attacks() {
    let cases: BTreeSet<String> = fs::read_dir(root().join("e2e/hostile"))
        .expect("folders can be listed")
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok())
        .flat_map(|text| {
            let lines = text.lines().filter_map(|line| line.strip_prefix("    (\""));
            let named = lines.filter_map(|line| line.split_once("\", \"").map(|(name, _)| name.to_owned()));
            named.collect::<Vec<_>>()
        })
        .collect();
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("it is there");
    let (_, promises) = text
        .split_once("| Promise | Cases |")
        .expect("a table of promises");
    let (promises, _) = promises.split_once("\n\n").expect("the table ends");
    let promised: BTreeSet<String> = promises
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    assert!(cases.len() > 40, "{cases:?}");
    assert_eq!(promised, cases);
}

/// A heading as the part of an address after `#`, as code hosts make it; the site does the same.
fn slug(heading: &str) -> String {
    let letters = heading.trim_start_matches('#').trim().chars();
    let kept = letters.filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase)
        .map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

#[test]
fn links_to_headings_resolve() {
    // Pages of findings and tags are parts of one document.
    let mut documents = files("md");
    let crates = root().join("crates");
    documents.retain(|path| !path.starts_with(&crates));
    check(&documents, |path, text| {
        let here = root().join(path);
        let folder = here.parent().expect("a file lies in a folder");
        let is_there = |(target, anchor): &(&str, &str)| {
            let document = if target.is_empty() {
                here.clone()
            } else {
                folder.join(target)
            };
            let text = std::fs::read_to_string(document).unwrap_or_default();
            text.lines()
                .any(|line| line.starts_with('#') && slug(line) == *anchor)
        };
        links(text)
            .filter(|target| !target.contains("://") && !target.starts_with('<'))
            .filter_map(|target| target.split_once('#'))
            .filter(|(target, _)| target.is_empty() || target.ends_with(".md"))
            .filter(|link| !is_there(link))
            .map(|(target, anchor)| format!("the link to {target}#{anchor} leads to no heading"))
            .collect()
    });
}

/// Up to a name in angle brackets, the answers are files and folders.
#[test]
fn the_ten_questions_name_files_that_exist() {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).expect("it is there");
    let answers: Vec<&str> = text
        .split('`')
        .filter(|part| part.starts_with("crates/"))
        .collect();
    assert!(answers.len() >= 10, "{answers:?}");
    for answer in answers {
        let known = match answer.split_once('<') {
            Some((before, _)) => before.rsplit_once('/').map_or("", |(folder, _)| folder),
            None => answer,
        };
        assert!(root().join(known).exists(), "{answer}");
    }
}

fn mentions(text: &str, words: &[&str]) -> Vec<String> {
    let lines = text.lines().enumerate();
    let hits = lines.flat_map(|(index, line)| {
        let found = words.iter().filter(move |word| line.contains(**word));
        found.map(move |word| format!("line {}: `{word}`", index + 1))
    });
    hits.collect()
}

/// The targets of Markdown's inline links outside code blocks.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| {
        let targets = part.split("](").skip(1);
        targets.filter_map(|rest| rest.split_once([')', ' ', '\n']).map(|(target, _)| target))
    })
}

fn in_src(path: &Path) -> bool {
    path.iter().any(|part| part == "src")
}

/// The project's own files with an extension; build output, downloads and recordings are skipped.
pub(crate) fn files(extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("folders can be listed") {
            let path = entry.expect("entries can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            // What a link leads to is found at its own place.
            if path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                if !name.starts_with('.') && !["target", "conformance", "node_modules"].contains(&name) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn finds_links_outside_code() {
    let text = "a [b](c.md) ![d](e.png#f)\n```\n[x](y)\n```\n[g](h \"title\")";
    assert_eq!(links(text).collect::<Vec<_>>(), ["c.md", "e.png#f", "h"]);
}
