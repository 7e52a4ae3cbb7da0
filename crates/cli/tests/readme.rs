//! What the README says about commands, comparisons and figures is so. `documented` runs what it shows.

use std::path::Path;

use crate::binary;

/// The code in the cells of a column of all tables in a section.
fn code_in_column(section: &str, column: usize) -> Vec<String> {
    let readme = text("README.md");
    let (_, rest) = readme.split_once(section).expect("the section is there");
    let rows = rest.split("\n## ").next().unwrap_or_default().lines();
    let cells = rows.filter_map(|row| row.strip_prefix('|')?.split('|').nth(column).map(str::to_owned));
    let code = cells.flat_map(|cell| {
        let code: Vec<String> = cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        code
    });
    code.collect()
}

/// The names in the list of commands that a help prints.
fn commands_of(help: &str) -> Vec<&str> {
    let (_, rest) = help.split_once("Commands:\n").expect("the help lists commands");
    let lines = rest.lines().take_while(|line| !line.trim().is_empty());
    lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| !["help", "man"].contains(name))
        .collect()
}

#[test]
fn the_readme_lists_all_commands() {
    let listed = code_in_column("## Commands\n", 0);
    let listed: Vec<Vec<&str>> = listed.iter().map(|code| code.split(' ').collect()).collect();
    let generators = listed.iter().filter(|words| words[0] == "gen");
    for (help, mut listed) in [
        ("--help", listed.iter().map(|words| words[0]).collect::<Vec<_>>()),
        ("gen --help", generators.map(|words| words[1]).collect()),
    ] {
        let help = binary::kindsmith(help).stdout;
        let mut known = commands_of(&help);
        for names in [&mut known, &mut listed] {
            names.sort_unstable();
            names.dedup();
        }
        assert_eq!(listed, known);
    }
}

#[test]
fn what_is_compared_is_there() {
    let code = code_in_column("## Beside what you use today\n", 1);
    assert!(code.len() > 8, "{code:?}");
    for command in code {
        let (words, options): (Vec<&str>, Vec<&str>) =
            command.split(' ').partition(|word| !word.starts_with('-'));
        let help = binary::kindsmith(&format!("{} --help", words.join(" ")));
        assert_eq!(help.code, Some(0), "{command}: {}", help.stderr);
        for option in options {
            assert!(help.stdout.contains(option), "{command}");
        }
    }
}

fn text(document: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
    std::fs::read_to_string(path).expect("the document is there")
}

#[test]
fn figures_of_the_server_are_those_of_the_performance_page() {
    let (readme, page) = (text("README.md"), text("docs/performance.md"));
    let row = readme
        .lines()
        .find(|line| line.starts_with("| server ready, resident memory |"));
    let cells: Vec<&str> = row.expect("the row is there").split('|').map(str::trim).collect();
    for figure in cells[2].split(", ") {
        assert!(page.contains(figure), "{figure}");
    }
}

#[test]
fn documents_name_the_default_release() {
    let release = kindsmith_object::Release::default();
    for (document, words) in [
        (
            "README.md",
            format!("the Kubernetes API server ({release}, or another release"),
        ),
        (
            "docs/versions.md",
            format!("the newest release that is out: {release}."),
        ),
        (
            "crates/kindsmith/src/lib.rs",
            format!("those of Kubernetes {release}, the newest"),
        ),
        (
            "web/page/index.html",
            format!("<option selected>{release}</option>"),
        ),
    ] {
        assert!(text(document).contains(&words), "{document}: {words}");
    }
    let version = binary::kindsmith("version").stdout;
    assert!(version.contains(&format!("(Kubernetes {release},")), "{version}");
}

/// No registry has the crate yet.
#[test]
fn documents_get_the_crate_from_where_init_gets_it() {
    let source = |document: &str| -> Vec<String> {
        let text = text(document);
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("kindsmith = { "));
        lines
            .filter_map(|line| Some(line.split_once(',')?.0.to_owned()))
            .collect()
    };
    let init = source("crates/cli/src/command/init/rust/Cargo.toml.txt");
    for document in ["docs/rust.md", "docs/embed.md"] {
        let found = source(document);
        assert!(!found.is_empty(), "{document}");
        assert!(found.iter().all(|one| *one == init[0]), "{document}: {found:?}");
    }
}

#[test]
fn what_is_not_supported_is_not_there() {
    let readme = text("README.md");
    let (_, section) = readme
        .split_once("## Not supported")
        .expect("the section is there");
    let section = section.split("\n## ").next().unwrap_or_default();
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|symbol: char| !symbol.is_ascii_alphanumeric());
        words.map(str::to_owned).collect()
    };
    let is_plugin = |word: &&String| word.chars().filter(char::is_ascii_uppercase).count() > 1;
    let plugins = words(&text("docs/envtest.md"));
    let named = words(section);
    let named: Vec<_> = named
        .iter()
        .filter(is_plugin)
        .filter(|word| plugins.contains(word))
        .collect();
    assert!(named.is_empty(), "{named:?} is supported");
}

/// The lines of code blocks that call the binary, in the README and all guides. Those of generated pages are their own.
fn documented() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut documents = vec!["README.md".to_owned()];
    for entry in std::fs::read_dir(folder).expect("documents") {
        let name = entry
            .expect("an entry")
            .file_name()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".md") && !["commands.md", "rules.md", "tags.md"].contains(&&*name) {
            documents.push(format!("docs/{name}"));
        }
    }
    let mut found = Vec::new();
    for document in documents {
        let text = text(&document);
        for block in text.split("```").skip(1).step_by(2) {
            let (language, body) = block.split_once('\n').unwrap_or_default();
            if !["console", "sh"].contains(&language) {
                continue;
            }
            let lines = body.lines().map(|line| line.trim_start_matches("$ "));
            let calls = lines.filter(|line| line.starts_with("kindsmith "));
            found.extend(calls.map(|line| (document.clone(), line.to_owned())));
        }
    }
    found
}

#[test]
fn documented_commands_and_options_exist() {
    let mut helps: std::collections::HashMap<String, String> = std::collections::HashMap::new();
    let mut wrong = Vec::new();
    let all = documented();
    assert!(all.len() > 60, "{} lines", all.len());
    for (document, line) in all {
        let line = line.split(['#', '|', '>']).next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let command = match words[..] {
            [group @ ("gen" | "envtest" | "controller" | "migrate"), one, ..]
                if !one.starts_with(['-', '.']) =>
            {
                format!("{group} {one}")
            }
            [one, ..] => one.to_owned(),
            [] => continue,
        };
        let help = helps.entry(command.clone()).or_insert_with(|| {
            let run = binary::kindsmith(&format!("{command} --help"));
            format!("{}{}", run.stdout, if run.code == Some(0) { "" } else { "\0" })
        });
        if help.ends_with('\0') {
            wrong.push(format!("{document}: no `kindsmith {command}`: {line}"));
            continue;
        }
        // Command lines of code-generator's tools are read by other rules.
        if command.ends_with("-gen") {
            continue;
        }
        for option in words
            .iter()
            .filter(|word| word.starts_with("--") && word.len() > 2)
        {
            let name = option.split('=').next().unwrap_or_default();
            if !help.contains(name) {
                wrong.push(format!("{document}: no {name} in `kindsmith {command}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
