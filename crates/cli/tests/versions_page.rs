//! `docs/versions.md` is what the tables say; `UPDATE=1` writes it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use kindsmith_api::Plugin;
use kindsmith_cel::dialect::Feature;
use kindsmith_object::feature_gate::Switch;
use kindsmith_object::{Behavior, Gate, Release};

const HEAD: &str = "\
# Kubernetes releases

Kindsmith answers as the release of Kubernetes that your cluster runs. One option chooses it, for `check`, `eval`, `normalize`,
`explain`, `cel`, `test`, `lint`, `diff`, `apply --dry-run` and `serve`:

```console
$ kindsmith check ./manifests --kubernetes-version 1.35
$ kindsmith check ./manifests --kubernetes-version 1.34..1.37   # which release rejects what
$ kindsmith check ./manifests --upgrade 1.35..1.37              # what an upgrade changes
$ kindsmith cel \"['a', 'b'].includes('a')\" --kubernetes-version 1.36   # an error: 1.37 brought the function
$ kindsmith test ./suites --kubernetes-version 1.34
$ kindsmith lint ./api/... --kubernetes-version 1.36            # tags that 1.36 does not know
$ kindsmith diff main:config/crd config/crd --kubernetes-version 1.35
$ kindsmith serve --kubernetes-version 1.36
$ kindsmith envtest kube-apiserver --emulated-version 1.36
```

A `kindsmith.toml` sets it for a project:

```toml
kubernetes-version = \"1.36\"
```

Without it, the reference is the newest release that is out: 1.37. Known are 1.34 to 1.38; 1.38 is not out yet. `/version` and
`kindsmith version` name the release. envtest also reads it from the name of the assets directory that setup-envtest makes
(`1.36.2-linux-amd64`). Rust programs choose it with `Kinds::with_release`, `cel::Subject::of_release` and the gates of a server
(`Gates::of`). `check` also takes 1.29 to 1.33: their kinds and fields, with the rules of 1.34.

A release decides which kinds and fields there are, which feature gates and admission plugins are on, which roles a server creates, what
expressions may use and cost, which tags generators read, what tables show, and which rules and words changed. This page is made from the
tables that the program uses: [`behavior.rs`](../crates/object/src/release/behavior.rs),
[`feature_gate.rs`](../crates/object/src/feature_gate.rs), [`dialect.rs`](../crates/cel/src/dialect.rs),
[`chain.rs`](../crates/admission/src/chain.rs), the [tags](../crates/tags/src/tag/declarative), [`versions.txt`](../api/versions.txt) and
[`bootstrap.jsonl`](../crates/api/src/access/bootstrap.jsonl), [`removed.rs`](../crates/kindsmith/src/removed.rs) and
[`older.txt`](../crates/api/src/openapi/older.txt). All of it takes less than 0.1 MB of the binary, and what the types of
older releases have otherwise another 0.3 MB; a server reads those that requests need ([how to measure a start](performance.md)).

How it is tested: servers of 1.34.11, 1.35.8, 1.36.4 and the branch of 1.37 answered the recorded cases of built-in kinds, CRDs, rules,
patches, policies and webhooks; what they answer otherwise than 1.38 is replayed ([`conformance/releases`](../conformance/releases)), and
what still differs is listed with its reason in [`known_differences.toml`](../conformance/known_differences.toml).
[`e2e/releases`](../e2e/releases/README.md) compares discovery, roles, tables, OpenAPI, expressions, and CRDs and objects of public projects
with servers that you build, and has the results.

";

const TAIL: &str = "
## How a release is added

1. `api/versions > api/versions.txt` compares the published Go types of all releases with those under [`api/`](../api), and
   `api/compare-releases 1.37.0 1.38.0` lists what changed between two: gates, error texts, internal types, which kinds run tags,
   warnings, printed columns, admission plugins, roles, tags and CEL. It reads published modules, or two checkouts of Kubernetes, or two
   revisions of one: `api/compare-releases --git ../kubernetes v1.36.4 v1.37.0`.
2. Add the release to `KNOWN` in [`release.rs`](../crates/object/src/release.rs), new gate levels to `feature_gate.rs`, and what no gate
   decides to the other tables that this page names; rules ask for a gate or a behavior, never for a number.
3. Play the recorded cases against a server of the release, keep what differs in [`conformance/releases`](../conformance/releases), and
   run the tests of `kindsmith-builtin`.
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    page += "## Rules and answers\n\n| Since | What |\n|---|---|\n";
    for behavior in Behavior::ALL {
        let _ = writeln!(page, "| {} | {} |", behavior.since(), behavior.about());
    }
    page += &removed_versions();
    page += "\n## Expressions\n\n| Since | What |\n|---|---|\n";
    for feature in Feature::ALL {
        let _ = writeln!(page, "| 1.{} | {} |", feature.since(), feature.about());
    }
    page += "\nA server runs a function in stored expressions from the release before on, so that a cluster can go back by one release; \
             `kindsmith cel` accepts it then, too.\n";
    page += "\n## Admission plugins\n\n| Since | Plugin |\n|---|---|\n";
    for plugin in Plugin::ALL {
        if let Some(since) = plugin.since() {
            let _ = writeln!(page, "| {since} | {} |", plugin.name());
        }
    }
    page += "\n## Tags\n\nTags of validation-gen that not all releases read; `lint` reports them with the code `later-tag`.\n\n| Since | Tags |\n|---|---|\n";
    let mut tags: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    for tag in kindsmith_tags::catalogue().filter(|tag| tag.since > 0) {
        tags.entry(tag.since)
            .or_default()
            .push(format!("`+{}`", tag.name));
    }
    for (since, mut names) in tags {
        names.sort();
        let _ = writeln!(page, "| 1.{since} | {} |", names.join(", "));
    }
    page += "\n## Feature gates\n\nGates that differ between the releases; `on` and `off` are defaults.\n\n| Gate |";
    for release in Release::KNOWN {
        let _ = write!(page, " {release} |");
    }
    page += "\n|---|";
    page += &"---|".repeat(Release::KNOWN.len());
    page.push('\n');
    let words = |gate: &Gate| -> Vec<&str> {
        let word = |release: &Release| match gate.level(*release) {
            None => "",
            Some(level) if level.default => "on",
            Some(_) => "off",
        };
        Release::KNOWN.iter().map(word).collect()
    };
    let differs = |gate: &&Gate| {
        let on = |release: &Release| release.enables(**gate);
        Release::KNOWN.windows(2).any(|pair| on(&pair[0]) != on(&pair[1]))
    };
    for gate in Gate::ALL
        .iter()
        .filter(|gate| gate.switch() != Switch::Server)
        .filter(differs)
    {
        let _ = writeln!(page, "| {} | {} |", gate.name(), words(gate).join(" | "));
    }
    page += "\n## Kinds and fields\n";
    let mut since: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    let table = include_str!("../../../api/versions.txt");
    for line in table.lines().filter(|line| line.starts_with('+')) {
        let mut words = line.split(' ');
        let minor = words.next().and_then(|word| word[1..].parse().ok()).unwrap_or(0);
        let name = words.next().unwrap_or_default();
        for field in words {
            let shown = match field {
                "*" => format!("`{name}`"),
                field => format!("`{name}.{field}`"),
            };
            since.entry(minor).or_default().push(shown);
        }
    }
    for release in Release::KNOWN.iter().skip(1) {
        if let Some(names) = since.get(&release.number()) {
            let _ = write!(page, "\nNew in {release}: {}.\n", names.join(", "));
        }
    }
    page += &published_schemas();
    page + TAIL
}

/// Versions of built-in kinds that known releases removed.
fn removed_versions() -> String {
    let mut section =
        "\n## Removed versions\n\n| Removed in | Version | What to do |\n|---|---|---|\n".to_owned();
    let mut rows: Vec<(u8, String, String)> = kindsmith::removed_versions()
        .filter(|(_, _, removed)| removed.minor >= Release::KNOWN[0].number())
        .map(|(version, kind, removed)| {
            (
                removed.minor,
                format!("{version} {kind}"),
                removed.replacement.to_string(),
            )
        })
        .collect();
    rows.sort();
    for (minor, version, instead) in rows {
        let _ = writeln!(section, "| 1.{minor} | {version} | {instead} |");
    }
    section
}

/// What older releases publish otherwise.
fn published_schemas() -> String {
    let mut section = "\n## Published schemas\n\nWhat OpenAPI documents of older releases say otherwise.\n\n| Up to | Schema | What |\n|---|---|---|\n".to_owned();
    let table = include_str!("../../api/src/openapi/older.txt");
    for line in table.lines().filter_map(|line| line.strip_prefix('-')) {
        let mut words = line.split(' ');
        let (until, name, what) = (words.next(), words.next(), words.next());
        let values: Vec<&str> = words.collect();
        let said = match (what.unwrap_or_default(), values.join(", ")) {
            ("reference", _) => "a reference without a description".to_owned(),
            (what, values) if values.is_empty() => format!("no `{what}`"),
            (what, values) => format!("`{what}`: {values}"),
        };
        let (until, name) = (until.unwrap_or_default(), name.unwrap_or_default());
        let _ = writeln!(section, "| 1.{until} | {name} | {said} |");
    }
    section
}

#[test]
fn the_page_about_releases_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/versions.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, page()).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page(), "docs/versions.md is old; UPDATE=1 writes it");
}
