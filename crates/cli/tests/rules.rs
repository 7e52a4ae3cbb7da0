//! Every finding has a page, and the page is true: its example is reported, what it recommends is not.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::binary;
use kindsmith_cli::registry;
use kindsmith_go::Read;
use kindsmith_lint::{Config, Fixes, Input, Rule, fixed};
use kindsmith_source::{Diagnostic, Finding, Safety, Tool};
use kindsmith_testkit::GoPackages;

/// The sections of every page, in this order.
const SECTIONS: [&str; 5] = [
    "What it does",
    "Why it matters",
    "Example",
    "Use instead",
    "Fix safety",
];

/// A fenced block of a page.
struct Block {
    language: String,
    text: String,
}

/// The fenced blocks below a heading.
fn blocks(finding: &Finding, heading: &str) -> Vec<Block> {
    let start = format!("## {heading}\n");
    let (_, section) = finding.page().split_once(&start).unwrap_or_default();
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut blocks = Vec::new();
    let mut parts = section.split("```");
    while let (Some(_), Some(block)) = (parts.next(), parts.next()) {
        let (language, text) = block.split_once('\n').unwrap_or_default();
        blocks.push(Block {
            language: language.to_owned(),
            text: text.to_owned(),
        });
    }
    blocks
}

fn block(finding: &Finding, heading: &str, language: &str) -> Option<String> {
    let found = blocks(finding, heading).into_iter();
    found
        .filter(|block| block.language == language)
        .map(|block| block.text)
        .next()
}

#[test]
fn codes_are_unique_and_readable() {
    let mut seen = BTreeSet::new();
    for finding in registry::findings() {
        let code = finding.code();
        assert!(seen.insert(code), "{code} is listed twice");
        let is_kebab = code.split('-').all(|word| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        });
        assert!(is_kebab, "{code} is not in kebab case");
    }
}

#[test]
fn every_page_has_its_sections_and_an_example() {
    for finding in registry::findings() {
        let (code, page) = (finding.code(), finding.page());
        assert_eq!(
            page.lines().next(),
            Some(&*format!("# {code}")),
            "the title of {code}"
        );
        let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, SECTIONS, "the sections of {code}");
        assert!(!finding.summary().is_empty(), "{code} has no summary");
        assert!(!blocks(finding, "Example").is_empty(), "{code} has no example");
    }
}

/// A finding that is declared but not listed would be printed and unknown to `kindsmith rules`.
#[test]
fn every_declared_finding_is_listed() {
    fn declared(directory: &Path, found: &mut usize) {
        for entry in std::fs::read_dir(directory).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                declared(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("readable");
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                *found += code.matches("Finding::new(").count();
            }
        }
    }
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = 0;
    for entry in std::fs::read_dir(crates).expect("a folder").flatten() {
        let source = entry.path().join("src");
        if source.is_dir() {
            declared(&source, &mut found);
        }
    }
    assert_eq!(found, registry::findings().len());
}

/// The package tags that the tool requires.
fn package_tags(tool: Tool) -> &'static str {
    match tool {
        Tool::Kindsmith => "// +k8s:validation-gen=*\n// +k8s:openapi-gen=true\n",
        Tool::KubeApiLinter => "// +groupName=example.org\n",
        Tool::ValidationGen => "// +k8s:validation-gen=*\n",
        Tool::DefaulterGen => "// +k8s:defaulter-gen=TypeMeta\n",
        Tool::ControllerGen | Tool::KubeApiserver => "// +groupName=example.org\n",
        Tool::OpenApiGen => "// +k8s:openapi-gen=true\n",
        Tool::ClientGen => "// +groupName=example.org\n",
    }
}

/// Packages that examples use without importing them.
const IMPORTS: [(&str, &str); 6] = [
    ("metav1.", "metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\""),
    ("resource.", "\"k8s.io/apimachinery/pkg/api/resource\""),
    (
        "apiextensionsv1.",
        "apiextensionsv1 \"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1\"",
    ),
    ("context.", "\"context\""),
    ("operation.", "\"k8s.io/apimachinery/pkg/api/operation\""),
    ("field.", "\"k8s.io/apimachinery/pkg/util/validation/field\""),
];

/// The files of a package around an example. An example with a package clause is already a whole file.
fn package(tool: Tool, example: &str) -> Vec<(&'static str, String)> {
    if example.contains("package v1\n") {
        return vec![("doc.go", example.to_owned())];
    }
    let imports: String = IMPORTS
        .iter()
        .filter(|(used, path)| example.contains(used) && !example.contains(path))
        .map(|(_, path)| format!("import {path}\n"))
        .collect();
    let has_kind = example.contains("metav1.TypeMeta");
    let is_crd = matches!(tool, Tool::ControllerGen | Tool::KubeApiserver);
    let kind = if example.contains("type Spec struct") && !has_kind && is_crd {
        "\n// +kubebuilder:object:root=true\ntype Whole struct {\n\tmeta.TypeMeta `json:\",inline\"`\n\
             \tmeta.ObjectMeta `json:\"metadata,omitempty\"`\n\tSpec Spec `json:\"spec\"`\n}\n"
    } else {
        ""
    };
    let meta = if kind.is_empty() {
        ""
    } else {
        "import meta \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n"
    };
    vec![
        ("doc.go", format!("{}package v1\n", package_tags(tool))),
        (
            "types.go",
            format!("package v1\n\n{imports}{meta}\n{example}{kind}"),
        ),
    ]
}

/// The packages of an example.
fn packages(tool: Tool, example: &str) -> GoPackages {
    let mut packages = GoPackages::default().module("example.org/api", "m");
    for (name, text) in package(tool, example) {
        packages = packages.file(&format!("m/v1/{name}"), text);
    }
    packages
}

/// The settings of a page's example. Its rule is selected, because it may be off by default.
fn config(finding: &Finding) -> Config {
    let text = block(finding, "Example", "toml").unwrap_or_default();
    let mut config = Config::parse(&text).expect("the settings are valid");
    if Rule::find(finding.code()).is_some() {
        config.extend_select.push(finding.code().to_owned());
    }
    config
}

/// What `kindsmith lint` finds in packages.
fn findings(packages: &GoPackages, config: &Config) -> (Read, Vec<Diagnostic>) {
    let mut read = packages.read("m/v1");
    let diagnostics = std::mem::take(&mut read.diagnostics);
    let input = Input::new(&read.schema, &read.origins);
    let input = input.with_source(&read.sources, &read.declarations);
    let found = kindsmith_lint::lint(input.with_config(config), diagnostics);
    (read, found)
}

/// The codes that `kindsmith lint` reports for an example.
fn lint(finding: &Finding, example: &str) -> Vec<String> {
    findings(&packages(finding.tool(), example), &config(finding))
        .1
        .iter()
        .map(|found| format!("{}: {}", found.code(), found.message))
        .collect()
}

fn reports(finding: &Finding, found: &[String]) -> bool {
    found
        .iter()
        .any(|found| found.starts_with(&format!("{}: ", finding.code())))
}

#[test]
fn examples_of_findings_in_sources_are_true() {
    let mut wrong = String::new();
    for finding in registry::sources() {
        let code = finding.code();
        // These findings need two files, or two packages, that contradict each other.
        if matches!(code, "go-package" | "version-drift") {
            continue;
        }
        let bad = block(finding, "Example", "go").unwrap_or_else(|| panic!("{code} shows no Go"));
        let found = lint(finding, &bad);
        if !reports(finding, &found) {
            wrong += &format!("{code}: the example is not reported: {found:#?}\n");
        }
        let good = block(finding, "Use instead", "go").map(|good| lint(finding, &good));
        if let Some(found) = good.filter(|found| reports(finding, found)) {
            wrong += &format!("{code}: what is recommended is reported: {found:#?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Fixes what a rule finds in its own example; afterwards there is nothing left to fix, and what the page says about
/// safety is true.
#[test]
fn fixes_of_examples_fix_them() {
    let mut wrong = String::new();
    for finding in registry::sources() {
        let code = finding.code();
        let Some(bad) = block(finding, "Example", "go") else {
            continue;
        };
        let mut config = config(finding);
        config.select = vec![code.to_owned()];
        let mut text = bad.clone();
        for round in 0..4 {
            let (read, found) = findings(&packages(finding.tool(), &text), &config);
            let own: Vec<Diagnostic> = found.into_iter().filter(|found| found.code() == code).collect();
            let fixes: Vec<Safety> = own
                .iter()
                .filter_map(|found| Some(found.fix.as_ref()?.safety))
                .collect();
            let (_, safety) = finding.page().split_once("## Fix safety\n").expect("a section");
            let says = |word: &str| safety.contains(word);
            let is_told = fixes.iter().all(|safety| match safety {
                Safety::Safe => says("Safe"),
                Safety::Unsafe => says("Unsafe"),
            });
            if !is_told {
                wrong += &format!("{code}: the page does not say that the fix is {fixes:?}\n");
            }
            let changed = fixed(&read.sources, &own, Fixes::All);
            let Some(changed) = changed.first() else {
                if round > 0 && own.iter().any(|found| found.fix.is_some()) {
                    wrong += &format!("{code}: still found after its fix:\n{text}\n");
                }
                break;
            };
            // The example stands after the package clause and its imports.
            let before = read.sources.file(changed.file).text();
            let start = before.find(text.trim_end()).expect("the example is in its file");
            let end = before.len() - start - text.len();
            text = changed.text[start..changed.text.len() - end].to_owned();
            if round == 3 {
                wrong += &format!("{code}: its fixes never end:\n{text}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The command that reports a finding in the files of a folder.
fn command(finding: &Finding, folder: &str) -> String {
    match finding.code() {
        "crd" | "definition" | "unenforced" => format!("gen crd {folder} --out {folder}/crd -o json"),
        "default-rule" => format!("lint {folder}"),
        "openapi" => format!("gen openapi --v3 {folder} -o json"),
        "generator" => format!("gen object {folder} --check"),
        "go-code" => format!("gen go {folder} --check -o json"),
        "controller-description" => format!("controller check {folder}/object.yaml"),
        "known-tags-only" | "require-explicit-disablement" => {
            format!("gen validation-gen --lint-rules={} {folder}", finding.code())
        }
        "no-schema" | "not-checked" | "duplicate-field" | "manifest-syntax" | "server-warning" => {
            format!("check {folder}/object.yaml")
        }
        _ => format!("check {folder}/object.yaml --types {folder} --notes"),
    }
}

/// The folder of an example, with its files.
fn folder(finding: &Finding, name: &str, go: Option<&str>, yaml: Option<&str>) -> String {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder: PathBuf = [finding.code(), &name.replace(' ', "-"), "v1"].iter().collect();
    let folder = temporary.join("rules").join(folder);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let mut files: Vec<(&str, String)> = vec![("../go.mod", "module example.org/api\n".to_owned())];
    let tool = match finding.code() {
        // Rules are written in tags of validation-gen.
        "go-code" => Tool::ValidationGen,
        "openapi" => Tool::OpenApiGen,
        _ => Tool::KubeApiserver,
    };
    files.extend(go.map(|go| package(tool, go)).unwrap_or_default());
    files.extend(yaml.map(|yaml| ("object.yaml", yaml.to_owned())));
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("the file can be written");
    }
    folder.to_str().expect("a name").to_owned()
}

/// What the binary prints for the blocks of a section; types shown only in the example apply to both. `None` if the
/// section has nothing to run.
fn shown(finding: &Finding, heading: &str) -> Option<String> {
    let words = match block(finding, heading, "sh") {
        Some(line) => line.trim().strip_prefix("kindsmith ")?.to_owned(),
        None => {
            let go = block(finding, heading, "go").or_else(|| block(finding, "Example", "go"));
            let yaml = block(finding, heading, "yaml");
            if yaml.is_none() && block(finding, "Example", "yaml").is_some() {
                return None;
            }
            let folder = folder(finding, heading, go.as_deref(), yaml.as_deref());
            command(finding, &folder)
        }
    };
    let run = binary::kindsmith(&words);
    Some(run.stdout + &run.stderr)
}

#[test]
fn examples_of_findings_by_commands_are_true() {
    let mut wrong = String::new();
    for finding in kindsmith_cli::finding::FINDINGS {
        let code = finding.code();
        // A CRD of 256 KiB is too long for a page; `gen_feedback.rs` generates one.
        if code == "crd-size" {
            continue;
        }
        let is_reported = |text: &String| {
            text.contains(&format!("[{code}]")) || text.contains(&format!("\"code\": \"{code}\""))
        };
        let bad = shown(finding, "Example");
        if !bad.as_ref().is_some_and(is_reported) {
            wrong += &format!("{code}: the example is not reported:\n{bad:?}\n");
        }
        let good = shown(finding, "Use instead");
        if good.as_ref().is_some_and(is_reported) {
            wrong += &format!("{code}: what is recommended is reported:\n{good:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn one_page_and_a_near_name() {
    let page = binary::kindsmith("rules [default-syntax]");
    assert_eq!(page.code, Some(0), "{}", page.stderr);
    assert!(
        page.stdout
            .starts_with("default-syntax\n\nReported for openapi-gen, defaulter-gen, controller-gen\n")
    );
    binary::kindsmith("rules default-sintax").check(
        2,
        "",
        "error: no rule `default-sintax`\n  = help: did you mean `default-syntax`?\n",
    );
}

#[test]
fn every_code_is_listed_under_its_tool() {
    let run = binary::kindsmith("rules");
    let groups: Vec<&str> = run.stdout.split("\n\n").collect();
    for (group, tool) in groups.iter().zip(Tool::ALL) {
        let mut lines = group.lines();
        assert_eq!(lines.next(), Some(tool.name()));
        let codes: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
        let expected: Vec<&str> = registry::of(tool).into_iter().map(Finding::code).collect();
        assert_eq!(codes, expected);
    }
}
