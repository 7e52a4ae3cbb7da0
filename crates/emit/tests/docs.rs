//! Reference documentation of the recorded packages and of small ones: content of pages, targets of links,
//! and escaping of text.
#![expect(clippy::print_stdout, reason = "a test run says how much it compared")]

use std::collections::BTreeSet;

use kindsmith_emit::describe::{self, Siblings};
use kindsmith_emit::docs::{self, File, Format, Line, Page, Piece, Resource};
use kindsmith_go::Read;
use kindsmith_schema::{Facet, Field, JsonSchema, Rule, Str};
use kindsmith_testkit::{GoPackages, names, recordings};

/// The pages of packages, given by directory and text.
fn written(sources: &[(&str, &str)], format: Format) -> Vec<File> {
    let packages = GoPackages::default().module("example.org/api", "api");
    let add = |packages: GoPackages, (directory, text): &(&str, &str)| {
        packages.file(&format!("api/{directory}/types.go"), *text)
    };
    let packages = sources.iter().fold(packages, add);
    docs::write(&docs::of_types(&packages.read("api/...").schema), format)
}

const V1BETA1: &str = "
// Package v1beta1 bakes.
// +groupName=bakery.example.org
package v1beta1

import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"

// Bread is baked.
type Bread struct {
	metav1.TypeMeta   `json:\",inline\"`
	metav1.ObjectMeta `json:\"metadata,omitempty\"`
	// Its <b>name</b>, or `a|b`.
	Name string `json:\"name\"`
}
";

const V1: &str = "
// Package v1 bakes.
// +groupName=bakery.example.org
package v1

import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"

// Bread is baked.
type Bread struct {
	metav1.TypeMeta   `json:\",inline\"`
	metav1.ObjectMeta `json:\"metadata,omitempty\"`
	// Its <b>name</b>, or `a|b`.
	// +k8s:maxLength=8
	// +k8s:required
	// +k8s:immutable
	Name string `json:\"name\"`
	// How long.
	// +default=30
	// +k8s:minimum=1
	// +optional
	Minutes int32 `json:\"minutes,omitempty\"`
	// What is in it.
	// +listType=map
	// +listMapKey=name
	// +optional
	Parts []Part `json:\"parts,omitempty\"`
	// Its crust.
	// +optional
	Crust Crust `json:\"crust,omitempty\"`
}

// Part is an ingredient.
type Part struct {
	// Deprecated: use parts.
	Name string `json:\"name\"`
}

// Crust is how it looks.
// +k8s:enum
type Crust string

const (
	// Dark is dark.
	Dark Crust = \"Dark\"
	// Pale is pale.
	Pale Crust = \"Pale\"
)
";

fn page<'f>(files: &'f [File], name: &str) -> &'f str {
    let found = files.iter().find(|file| file.name == name);
    let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
    &found
        .unwrap_or_else(|| panic!("{name} is not among {names:?}"))
        .text
}

#[test]
fn markdown_has_all_facts() {
    let files = written(&[("v1", V1), ("v1beta1", V1BETA1)], Format::Markdown);
    let text = page(&files, "bakery.example.org_v1.md");
    for wanted in [
        "# bakery.example.org/v1\n",
        "- [Bread](#bread): Bread is baked.",
        "| `name`<br>*required* | string | Its &lt;b&gt;name&lt;/b&gt;, or `a\\|b`.<br>",
        "**length**: at most 8 characters",
        "**on update**: may not change",
        "**default**: `30`",
        "**bounds**: at least 1",
        "**since**: v1",
        "list of [Part](#part)",
        "**list**: items are known by `name`, which no two share",
        "[Crust](#crust)",
        "| `Dark` | Dark is dark. |",
        "Used by: [Bread](#bread)",
        "| `name`<br>*required*<br>*deprecated* | string | Deprecated: use parts.",
    ] {
        assert!(text.contains(wanted), "{wanted:?} is not in\n{text}");
    }
    let index = page(&files, "index.md");
    assert!(
        index.contains("[Bread](bakery.example.org_v1beta1.md#bread)"),
        "{index}"
    );
}

#[test]
fn structs_that_embed_each_other_are_visited_once() {
    let types = "// +groupName=x.io\n// +k8s:openapi-gen=true\npackage v1\n\n\
        // A is a kind.\n// +kubebuilder:object:root=true\ntype A struct {\n\t*B `json:\",inline\"`\n\t*A `json:\",inline\"`\n\t\
        // One is first.\n\tOne string `json:\"one\"`\n}\n\n\
        // B is a part.\ntype B struct {\n\t*A `json:\",inline\"`\n\t*B `json:\",inline\"`\n\t\
        // Two is second.\n\tTwo string `json:\"two\"`\n}\n";
    let files = written(&[("types.go", types)], Format::Markdown);
    let text: String = files.iter().map(|file| &*file.text).collect();
    assert!(
        text.contains("Two is second.") && text.contains("One is first."),
        "{text}"
    );
}

#[test]
fn one_page_needs_no_index() {
    let files = written(&[("v1", V1)], Format::Html);
    assert_eq!(files.len(), 1);
    let text = page(&files, "bakery.example.org_v1.html");
    assert!(
        text.contains("<dt>default</dt><dd><code>30</code></dd>"),
        "{text}"
    );
    assert!(
        text.contains("Its &lt;b&gt;name&lt;/b&gt;, or <code>a|b</code>."),
        "{text}"
    );
    assert!(
        !text.contains("<script") && !text.contains("http://") && !text.contains("src="),
        "{text}"
    );
}

const TRIALS: &str = "
// +groupName=bakery.example.org
package v1

import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"

// Oven bakes. See https://example.org/ovens#hot.
//
//   - gas
//   - wood, which
//     is slow
type Oven struct {
	metav1.TypeMeta   `json:\",inline\"`
	metav1.ObjectMeta `json:\"metadata,omitempty\"`
	// +k8s:alpha(since: \"1.35\")=+k8s:maxLength=8
	// +k8s:beta(since: \"1.36\")=+k8s:immutable
	// +k8s:optional
	// +featureGate=HotOvens
	Name string `json:\"name,omitempty\"`
	// +k8s:modeDiscriminator
	// +k8s:required
	Fuel string `json:\"fuel\"`
	// +k8s:ifMode(\"Wood\")=+k8s:required
	Logs *int32 `json:\"logs,omitempty\"`
	// +k8s:ifEnabled(Clean)=+k8s:required
	// +k8s:optional
	Ashes *int32 `json:\"ashes,omitempty\"`
	// +optional
	Tags []Tag `json:\"tags,omitempty\"`
}

// Tag is short.
// +kubebuilder:validation:MaxLength=3
type Tag string
";

#[test]
fn levels_modes_options_and_items_are_described() {
    let files = written(&[("v1", TRIALS)], Format::Markdown);
    let text = page(&files, "bakery.example.org_v1.md");
    for wanted in [
        "See <https://example.org/ovens#hot>.\n\n- gas\n- wood, which is slow\n",
        "**length**: at most 8 characters (alpha since 1.35: checked but not enforced)",
        "**on update**: may not change (beta since 1.36: enforced unless switched off)",
        "**feature gate**: `HotOvens`",
        "**members**: chooses whether `logs` may be set, and how",
        "**presence**: may only be set if `fuel` is \"Wood\"<br>**presence**: required, if `fuel` is \"Wood\"",
        "**presence**: required, if the option `Clean` is on",
        "| `tags` | list of string | **length**: each value: at most 3 characters |",
    ] {
        assert!(text.contains(wanted), "{wanted:?} is not in\n{text}");
    }
}

#[test]
fn versions_of_crds_are_compared() {
    let member = |names: &[&str]| JsonSchema {
        ty: "object".into(),
        properties: names
            .iter()
            .map(|name| (Str::from(*name), JsonSchema::default()))
            .collect::<Vec<_>>()
            .into(),
        ..JsonSchema::default()
    };
    let (old, new) = (member(&["a"]), member(&["a", "b"]));
    let resource = |version, schema| Resource {
        group: "example.org",
        version,
        kind: "Thing",
        facts: Vec::new(),
        schema,
    };
    let pages = docs::of_resources(&[resource("v1", &new), resource("v1beta1", &old)]);
    assert_eq!(said(&pages[0], "Thing", "a"), Vec::<String>::new());
    assert_eq!(said(&pages[0], "Thing", "b"), ["v1"]);
}

#[test]
fn contents_of_crds_are_nested() {
    let object = |members: Vec<(&str, JsonSchema)>| JsonSchema {
        ty: "object".into(),
        properties: members
            .into_iter()
            .map(|(name, member)| (Str::from(name), member))
            .collect::<Vec<_>>()
            .into(),
        ..JsonSchema::default()
    };
    let leaf = || object(vec![("a", JsonSchema::default())]);
    let spec = object(vec![("hours", leaf()), ("gates", object(vec![("deep", leaf())]))]);
    let schema = object(vec![("spec", spec), ("spec-x", leaf())]);
    let resource = |kind| Resource {
        group: "example.org",
        version: "v1",
        kind,
        facts: Vec::new(),
        schema: &schema,
    };
    let pages = docs::of_resources(&[resource("Gate"), resource("Wall")]);
    let text = |format| docs::write(&pages, format).remove(0).text;
    let markdown = text(Format::Markdown);
    let nested = "- [Gate](#gate)\n  - [spec](#gate-spec)\n    - [gates](#gate-spec-gates)\n      - [deep](#gate-spec-gates-deep)\n    \
                  - [hours](#gate-spec-hours)\n  - [spec-x](#gate-spec-x)\n- [Wall](#wall)\n  - [spec](#wall-spec)\n";
    assert!(markdown.contains(nested), "{markdown}");
    assert!(!markdown.contains(" · "), "{markdown}");
    let asciidoc = text(Format::AsciiDoc);
    assert!(
        asciidoc.contains("* <<gate,Gate>>\n** <<gate-spec,spec>>\n*** <<gate-spec-gates,gates>>\n"),
        "{asciidoc}"
    );
    let html = text(Format::Html);
    assert!(
        html.contains("<ul>\n<li><a href=\"#gate\">Gate</a><ul>\n<li><a href=\"#gate-spec\">spec</a><ul>\n"),
        "{html}"
    );
    assert_eq!(unbalanced(&html), Vec::<String>::new());
    let single = docs::Arrangement {
        single: true,
        ..docs::Arrangement::default()
    };
    let mut other = pages.clone();
    other[0].name = "other".to_owned();
    let merged = single.apply(vec![pages[0].clone(), other[0].clone()]);
    let merged = docs::write(&merged, Format::Markdown).remove(0).text;
    assert!(
        merged.contains("  - [spec](#example.org_v1-gate-spec)\n")
            && merged.contains("  - [spec](#other-gate-spec)\n"),
        "{merged}"
    );
}

/// Everything between two texts.
fn between<'t>(text: &'t str, start: &'t str, end: char) -> impl Iterator<Item = &'t str> {
    text.split(start)
        .skip(1)
        .filter_map(move |rest| rest.split(end).next())
}

/// Sections and the links of all pages, as `file#section`.
fn anchors_and_links(files: &[File]) -> (BTreeSet<String>, Vec<String>) {
    let (mut anchors, mut links) = (BTreeSet::new(), Vec::new());
    for file in files {
        for anchor in between(&file.text, " id=\"", '"') {
            assert!(
                anchors.insert(format!("{}#{anchor}", file.name)),
                "{}: {anchor} twice",
                file.name
            );
        }
        let hrefs = between(&file.text, " href=\"", '"').chain(between(&file.text, "](", ')'));
        let is_own = |link: &&str| link.contains('#') && !link.starts_with("https://");
        for link in hrefs.filter(is_own) {
            links.push(if link.starts_with('#') {
                format!("{}{link}", file.name)
            } else {
                link.to_owned()
            });
        }
    }
    (anchors, links)
}

/// The recorded packages below a directory, each read separately.
fn recorded(below: &str) -> Vec<(String, Read)> {
    let root = recordings(below);
    let packages = names(&root).into_iter().filter(|name| root.join(name).is_dir());
    let one = |name: String| {
        let packages = GoPackages::default().module("example.org/gen", "gen");
        let packages = packages.tree(&root.join(&name), &format!("gen/{name}"));
        let read = packages.read(&format!("gen/{name}/..."));
        (name, read)
    };
    packages.map(one).collect()
}

/// The facts of a page about a field, as plain text.
fn said(page: &Page, section: &str, row: &str) -> Vec<String> {
    let plain = |line: &Line| {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) | Piece::Strong(text) | Piece::Link { text, .. } | Piece::Web { text, .. } => {
                text.clone()
            }
            Piece::Code(code) => format!("`{code}`"),
        };
        line.iter().map(piece).collect::<String>()
    };
    let sections = page.kinds.iter().chain(&page.types).chain(&page.foreign);
    let rows = sections
        .filter(|one| one.title == section)
        .flat_map(|one| &one.rows);
    rows.filter(|one| one.name == row)
        .flat_map(|one| one.facts.iter().map(|(_, text)| plain(text)))
        .collect()
}

/// Whether pages show a rule in another way than as a fact of its field.
fn is_shown_else(rule: &Rule) -> bool {
    match rule.facet {
        Facet::Required | Facet::Optional => rule.wraps.is_empty(),
        Facet::ListMapKey(_) | Facet::ListType(_) | Facet::Unique(_) | Facet::OpaqueType => true,
        _ => false,
    }
}

#[test]
fn no_rule_of_a_field_is_missing() {
    let mut checked = 0;
    for (name, read) in recorded("native/types") {
        let schema = &read.schema;
        let pages = docs::of_types(schema);
        for (_, ty) in schema.types().filter(|(_, ty)| ty.name.is_exported()) {
            let among: Vec<&Field> = ty.fields().iter().collect();
            for field in ty.fields().iter().filter(|field| field.json_name().is_some()) {
                let row = field.json_name().unwrap_or_default();
                for rule in field.rules.iter().filter(|rule| !is_shown_else(rule)) {
                    let Some(fact) = describe::rule(rule, Siblings::of(&among, field)) else {
                        continue;
                    };
                    let found = pages.iter().flat_map(|page| said(page, &ty.name.name, row));
                    let has = found.into_iter().any(|text| text.contains(&fact.text));
                    assert!(has, "{name}: {}.{row} does not say {:?}", ty.name, fact.text);
                    checked += 1;
                }
            }
        }
    }
    println!("{checked} rules");
    assert!(checked > 300, "only {checked} rules");
}

/// Bars that end cells: those without a backslash before them.
fn bars(row: &str) -> usize {
    row.replace("\\|", "").matches('|').count()
}

/// Elements that are never closed, or closed without being open.
fn unbalanced(html: &str) -> Vec<String> {
    const VOID: [&str; 3] = ["!DOCTYPE", "meta", "wbr"];
    let (mut open, mut wrong) = (Vec::new(), Vec::new());
    for tag in between(html, "<", '>') {
        let name = tag.split([' ', '\n']).next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(name) if open.last() == Some(&name) => _ = open.pop(),
            Some(name) => wrong.push(format!("</{name}> inside {:?}", open.last())),
            None if VOID.contains(&name) => {}
            None => open.push(name),
        }
    }
    wrong.extend(open.iter().map(|name| format!("<{name}> stays open")));
    wrong
}

#[test]
fn pages_are_well_formed() {
    let (mut rows, mut documents) = (0, 0);
    for below in ["gen/types", "native/types"] {
        for (name, read) in recorded(below) {
            let pages = docs::of_types(&read.schema);
            for file in docs::write(&pages, Format::Markdown) {
                let mut columns = 0;
                for line in file.text.lines() {
                    match line.starts_with("| ") {
                        true if columns > 0 => assert_eq!(bars(line), columns, "{name}: {line}"),
                        true => columns = bars(line),
                        false if !line.starts_with("|--") => columns = 0,
                        false => {}
                    }
                    rows += usize::from(columns > 0);
                }
            }
            for file in docs::write(&pages, Format::Html) {
                assert_eq!(
                    unbalanced(&file.text),
                    Vec::<String>::new(),
                    "{name}: {}",
                    file.name
                );
                documents += 1;
            }
        }
    }
    println!("{rows} rows, {documents} documents");
    assert!(rows > 1000 && documents > 50);
}

#[test]
fn links_have_targets() {
    let (mut pages, mut checked) = (0, 0);
    for (name, read) in recorded("gen/types") {
        let made = docs::of_types(&read.schema);
        assert!(!made.is_empty(), "{name} has no page");
        for format in [Format::Markdown, Format::Html] {
            let written = docs::write(&made, format);
            let (anchors, links) = anchors_and_links(&written);
            for link in &links {
                assert!(anchors.contains(link), "{name}: {link} leads nowhere");
            }
            pages += written.len();
            checked += links.len();
        }
    }
    println!("{pages} pages, {checked} links");
    assert!(checked > 500, "only {checked} links");
}
