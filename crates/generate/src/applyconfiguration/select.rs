//! Which packages and types get apply configurations, by their markers.

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_go::markers::of_type;
use kindsmith_go::package::Package;
use kindsmith_go::syntax::{File, GroupId, TypeDecl};
use kindsmith_tags::grammar::marker::{ArgumentType, Arguments, split};

use crate::package_markers::{Definition, Found, Problem, anywhere, outside_types, parsed};

/// What a package requests.
pub(super) struct Selected {
    pub(super) group: String,
    /// Where files are written, relative to the package.
    pub(super) output: String,
    /// Types that clients apply, by name.
    pub(super) clients: BTreeMap<String, Client>,
    /// Comments above types, markers included.
    pub(super) comments: BTreeMap<String, Vec<String>>,
}

/// A type that clients apply.
#[derive(Debug, Clone, Default)]
pub(super) struct Client {
    pub(super) cluster: bool,
    pub(super) no_status: bool,
    /// Whether controller-gen publishes it.
    pub(super) published: bool,
}

const GENERATE: &str = "kubebuilder:ac:generate";
const OUTPUT: &str = "kubebuilder:ac:output:package";
const GROUP: &str = "groupName";
const RESOURCE: &str = "kubebuilder:resource";
const USUAL_OUTPUT: &str = "applyconfiguration";

const GENERATE_MARKER: Definition = Definition {
    name: GENERATE,
    takes: Arguments::One(ArgumentType::Bool),
};
const ON_PACKAGE: &[Definition] = &[
    Definition {
        name: OUTPUT,
        takes: Arguments::One(ArgumentType::Text),
    },
    Definition {
        name: GROUP,
        takes: Arguments::One(ArgumentType::Text),
    },
];

/// What a package requests, if anything.
pub(super) fn package(package: &Package, problems: &mut Vec<Problem>) -> Option<Selected> {
    let generate = outside_types(package, &[GENERATE_MARKER], problems);
    if !first(&generate, GENERATE)?.values.bool("").unwrap_or_default() {
        return None;
    }
    let on_package = anywhere(package, ON_PACKAGE, problems);
    let text = |name| first(&on_package, name).and_then(|found| found.values.text("").map(str::to_owned));
    let Some(group) = text(GROUP) else {
        let span = generate[0].span;
        problems.push(
            Problem::new(
                span,
                "could not infer groupVersion for package - Is the `// +groupName` marker set?",
            )
            .help("write `// +groupName=GROUP` above the package clause"),
        );
        return None;
    };
    let mut selected = Selected {
        group,
        output: text(OUTPUT).unwrap_or_else(|| USUAL_OUTPUT.to_owned()),
        clients: BTreeMap::new(),
        comments: BTreeMap::new(),
    };
    for (file, decl) in package.types() {
        let name = file.text(decl.name).to_owned();
        let comments = comments(file, decl);
        if let Some(client) = client(file, decl, &comments, problems) {
            selected.clients.insert(name.clone(), client);
        }
        selected.comments.insert(name, comments);
    }
    Some(selected)
}

/// The comments that Kubernetes' generators read for a type: the one above it, and the one before that.
fn comments(file: &File, decl: &TypeDecl) -> Vec<String> {
    let lines = |group: GroupId| file.comment_lines(group).into_iter();
    let groups = [decl.comments.second_closest, decl.comments.closest];
    groups
        .into_iter()
        .flatten()
        .flat_map(lines)
        .map(|line| line.text.to_owned())
        .collect()
}

fn client(file: &File, decl: &TypeDecl, comments: &[String], problems: &mut Vec<Problem>) -> Option<Client> {
    let names: BTreeSet<&str> = comments
        .iter()
        .filter_map(|line| line.trim().strip_prefix('+'))
        .collect();
    let (mut wanted, mut resource) = (None, None);
    for marker in of_type(file, &decl.comments) {
        if split(marker.text).full_name.starts_with(RESOURCE) {
            resource.get_or_insert(marker.text);
        } else if let Some(found) = parsed(marker, &[GENERATE_MARKER], problems) {
            wanted = wanted.or(found.values.bool(""));
        }
    }
    let published = wanted.unwrap_or(resource.is_some());
    let is_cluster = resource.is_some_and(|text| {
        let mut arguments = text.split([':', ',']);
        arguments
            .any(|argument| argument.trim_matches('"') == "scope=Cluster" || argument == "scope=\"Cluster\"")
    });
    (published || names.contains("genclient")).then(|| Client {
        cluster: published && is_cluster || names.contains("genclient:nonNamespaced"),
        no_status: names.contains("genclient:noStatus"),
        published,
    })
}

fn first<'a>(found: &'a [Found], name: &str) -> Option<&'a Found> {
    found.iter().find(|found| found.name == name)
}
