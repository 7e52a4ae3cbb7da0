//! Generated documents are up to date. `UPDATE=1` rewrites them.

use std::fmt::Write as _;
use std::path::Path;

use kindsmith_lint::{Form, KEYS, RULES};
use kindsmith_object::feature_gate::Switch;
use kindsmith_object::{Gate, Release};
use serde_json::Value;

use crate::binary;

fn check(document: &str, words: &str) {
    let run = binary::kindsmith(words);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    compare(document, &run.stdout);
}

fn compare(document: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(document);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(&path, expected).expect("the document can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/{document} is stale: run `UPDATE=1 cargo test -p kindsmith-cli --test it reference`"
    );
}

#[test]
fn the_tag_reference_is_up_to_date() {
    check("tags.md", "tags -o markdown");
}

#[test]
fn the_rule_reference_is_up_to_date() {
    check("rules.md", "rules -o markdown");
}

/// A section for each command, with its help.
#[test]
fn the_command_reference_is_up_to_date() {
    let help = binary::kindsmith("--help").stdout;
    let (_, rest) = help.split_once("Commands:\n").expect("the help lists commands");
    let lines = rest.lines().take_while(|line| !line.trim().is_empty());
    let names = lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    let mut text = "# Commands\n\nWhat `kindsmith COMMAND --help` prints. Exit status of every command: 0 clean, 1 findings, 2 could not \
                    run.\n"
        .to_owned();
    for name in names.filter(|name| *name != "help") {
        let help = binary::kindsmith(&format!("{name} --help"));
        assert_eq!(help.code, Some(0), "{name}: {}", help.stderr);
        text.push_str(&format!(
            "\n## {name}\n\n```text\n{}\n```\n",
            help.stdout.trim_end()
        ));
    }
    compare("commands.md", &text);
}

/// What is said about a gate where it is declared.
fn about(gate: Gate) -> String {
    let table = include_str!("../../object/src/feature_gate.rs");
    let (before, _) = table
        .split_once(&format!("\n    {}: ", gate.name()))
        .expect("it is declared there");
    let line = before.lines().next_back().unwrap_or_default();
    line.trim_start().trim_start_matches("/// ").to_owned()
}

#[test]
fn the_page_of_feature_gates_is_up_to_date() {
    let mut page = "# Feature gates\n\nKubernetes' feature gates, as far as they switch something here, with stage and default in every \
                    release. `kindsmith serve --feature-gates NAME=true`\nsets those of the first table; the others have the default of the \
                    [release](versions.md). A gate in bold is locked. This page is made from the program's table.\n"
        .to_owned();
    let cell = |gate: &Gate, release: &Release| match gate.level(*release) {
        None => String::new(),
        Some(level) => {
            let on = if level.default { "on" } else { "off" };
            let stage = format!("{:?}", level.stage).to_lowercase();
            let text = format!("{stage}, {on}");
            if level.is_locked {
                format!("**{text}**")
            } else {
                text
            }
        }
    };
    for (heading, is_settable) in [("Of the server", true), ("Of fields and rules", false)] {
        let releases: Vec<String> = Release::KNOWN.iter().map(ToString::to_string).collect();
        let _ = writeln!(page, "\n## {heading}\n\n| Gate | {} | |", releases.join(" | "));
        let _ = writeln!(page, "|---|{}---|", "---|".repeat(releases.len()));
        let gates = Gate::ALL.iter();
        for gate in gates.filter(|gate| (gate.switch() == Switch::Server) == is_settable) {
            let cells: Vec<String> = Release::KNOWN.iter().map(|release| cell(gate, release)).collect();
            let _ = writeln!(
                page,
                "| {} | {} | {} |",
                gate.name(),
                cells.join(" | "),
                about(*gate)
            );
        }
    }
    compare("gates.md", &page);
}

#[test]
fn the_page_of_settings_is_up_to_date() {
    let mut page = "# Configuration\n\nThe nearest `kindsmith.toml` above the current directory, up to the root of the repository. \
                    Everything wrong in it is an error with its line. This page is\nmade from what the program reads.\n\n\
                    | Key | |\n|---|---|\n\
                    | `kubernetes-version` | the [release of Kubernetes](versions.md) to answer as, such as `\"1.36\"` |\n"
        .to_owned();
    for (key, docs) in KEYS {
        let _ = writeln!(page, "| `lint.{key}` | {docs} |");
    }
    page.push_str("\n## Settings of rules\n\nIn a table `[lint.rules.CODE]`.\n\n| Rule | Key | Values | Default | |\n|---|---|---|---|---|\n");
    for rule in RULES {
        let code = rule.facts.finding.code();
        for setting in rule.facts.settings {
            let values = match setting.form {
                Form::Choice(values) => values.join(", "),
                Form::Text => "a text".to_owned(),
                Form::Texts => "a list of texts".to_owned(),
                Form::Tables(keys) => format!("a list of tables with {}", keys.join(", ")),
            };
            let default = if setting.default.is_empty() {
                String::new()
            } else {
                format!("`{}`", setting.default)
            };
            let _ = writeln!(
                page,
                "| [`{code}`](rules.md#{code}) | `{}` | {values} | {default} | {} |",
                setting.name, setting.docs
            );
        }
    }
    page.push_str(
        "\n## Environment\n\n| Variable | |\n|---|---|\n\
         | `KINDSMITH_TOKEN` | the administrator's token of `kindsmith serve`, instead of `--token` |\n\
         | `GOROOT`, `GOMODCACHE`, `GOPATH` | where Go sources of libraries are looked for |\n\
         | `NO_COLOR`, `CLICOLOR_FORCE` | colors, without `--color` |\n",
    );
    compare("configuration.md", &page);
}

/// The members of an object in a schema, and of those below it.
fn members(root: &Value, schema: &Value, at: &str, rows: &mut String) {
    let schema = match schema["$ref"].as_str().and_then(|text| text.strip_prefix('#')) {
        Some(pointer) => root.pointer(pointer).expect("a schema"),
        None => schema,
    };
    if at.matches('.').count() > 2 {
        return;
    }
    for (name, below) in schema["properties"].as_object().into_iter().flatten() {
        let path = if at.is_empty() {
            name.clone()
        } else {
            format!("{at}.{name}")
        };
        let words = |value: &Value| match value {
            Value::Array(all) => all
                .iter()
                .filter_map(Value::as_str)
                .collect::<Vec<_>>()
                .join(" or "),
            value => value.as_str().unwrap_or_default().to_owned(),
        };
        let ty = match (&below["type"], &below["enum"]) {
            (Value::Null, Value::Null) => String::new(),
            (Value::Null, values) => words(values),
            (ty, _) => words(ty),
        };
        let docs = below["description"]
            .as_str()
            .unwrap_or_default()
            .replace('|', "\\|");
        let _ = writeln!(rows, "| `{path}` | {ty} | {docs} |");
        members(root, below, &path, rows);
        members(root, &below["items"], &format!("{path}[]"), rows);
    }
}

#[test]
fn the_page_of_json_outputs_is_up_to_date() {
    let help = binary::kindsmith("schema --help").stdout;
    let names = help
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- ")?.split_once(':'));
    let mut page = "# JSON outputs\n\nWhat commands print for scripts. `kindsmith schema OUTPUT` prints the JSON schema; members stay with \
                    their types and meaning\n([what is promised](../CONTRIBUTING.md#releases)), and tests compare real outputs with it. This page is \
                    made from the schemas.\n"
        .to_owned();
    let mut count = 0;
    for (name, _) in names {
        let run = binary::kindsmith(&format!("schema {name}"));
        let Ok(schema) = serde_json::from_str::<Value>(&run.stdout) else {
            panic!("{name}: {}", run.stderr);
        };
        let title = schema["title"].as_str().unwrap_or_default();
        let (what, command) = title.split_once(": ").unwrap_or((title, ""));
        let _ = writeln!(
            page,
            "\n## {name}\n\n{what}{}\n",
            if command.is_empty() {
                ".".to_owned()
            } else {
                format!(": `{command}`")
            }
        );
        page.push_str("| Member | Type | |\n|---|---|---|\n");
        members(&schema, &schema, "", &mut page);
        count += 1;
    }
    assert!(count > 10, "{count} outputs in {help}");
    compare("outputs.md", &page);
}
