//! Roles from `+kubebuilder:rbac` markers, byte for byte as controller-gen's generator `rbac` writes them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kindsmith_go::package::Package;
use kindsmith_json::{Arena, Value};
use kindsmith_tags::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};

use crate::controller_gen::release::{Change, Release};
use crate::manifest::{Manifest, list, object, texts, write};
use crate::package_markers::{Definition, Problem, anywhere};

/// Options of the generator.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// `roleName`: the name of roles whose markers name none.
    pub role_name: String,
    /// `fileName`: the name of the file instead of `role.yaml`.
    pub file_name: Option<String>,
    /// Text before the first document.
    pub header: String,
    /// The release of controller-gen to follow.
    pub release: Release,
}

/// Roles, and what is wrong with markers.
#[derive(Debug, Clone, Default)]
pub struct Roles {
    /// The file; `None` if no package has a marker.
    pub manifest: Option<Manifest>,
    /// In the order found.
    pub problems: Vec<Problem>,
}

const MARKERS: &[Definition] = &[Definition {
    name: "kubebuilder:rbac",
    takes: Arguments::Named(&[
        Argument::optional("groups", ArgumentType::Texts),
        Argument::optional("resources", ArgumentType::Texts),
        Argument::optional("resourceNames", ArgumentType::Texts),
        Argument::needed("verbs", ArgumentType::Texts),
        Argument::optional("urls", ArgumentType::Texts),
        Argument::optional("namespace", ArgumentType::Text),
        Argument::optional("roleName", ArgumentType::Text),
    ]),
}];

type Names = BTreeSet<String>;

/// What a rule is about, without its verbs: the parts of a rule that merge, in the order in which they do.
type Subject = [Names; 4];

const RESOURCES: usize = 0;
const GROUPS: usize = 1;
const URLS: usize = 2;
const RESOURCE_NAMES: usize = 3;

/// Rules by what they are about.
type Rules = BTreeMap<Subject, Names>;

/// Generates the roles of all packages.
#[must_use]
pub fn roles(packages: &[Arc<Package>], options: &Options) -> Roles {
    let mut problems = Vec::new();
    let mut roles: BTreeMap<(String, String), Rules> = BTreeMap::new();
    for package in packages {
        for found in anywhere(package, MARKERS, &mut problems) {
            let text = |name| found.values.text(name).unwrap_or_default();
            let name = match text("roleName") {
                "" => &options.role_name,
                name => name,
            };
            let role = roles.entry((text("namespace").to_owned(), name.to_owned()));
            add(role.or_default(), &found.values);
        }
    }
    let arena = Arena::new();
    let documents: Vec<Value<'_>> = roles
        .into_iter()
        .map(|(place, rules)| role(&arena, &place, merged(rules), options.release))
        .collect();
    let manifest = (!documents.is_empty()).then(|| Manifest {
        file_name: options
            .file_name
            .clone()
            .unwrap_or_else(|| "role.yaml".to_owned()),
        text: write(&options.header, &documents),
    });
    Roles { manifest, problems }
}

/// Adds the rules of a marker, one for each resource.
fn add(rules: &mut Rules, marker: &MarkerValues) {
    let names = |name| {
        marker
            .texts(name)
            .into_iter()
            .map(str::to_owned)
            .collect::<Names>()
    };
    let groups: Names = marker
        .texts("groups")
        .into_iter()
        .map(|group| if group == "core" { "" } else { group }.to_owned())
        .collect();
    let resources = names("resources")
        .into_iter()
        .map(|resource| Names::from([resource]));
    let resources = resources.collect::<Vec<_>>();
    let resources = if resources.is_empty() {
        vec![Names::new()]
    } else {
        resources
    };
    for resources in resources {
        let subject = [resources, groups.clone(), names("urls"), names("resourceNames")];
        rules.entry(subject).or_default().extend(names("verbs"));
    }
}

/// Merges rules that differ in nothing but their resources, then their groups, then their URLs.
fn merged(mut rules: Rules) -> Rules {
    for part in [RESOURCES, GROUPS, URLS] {
        let mut wider: BTreeMap<(Subject, Names), Names> = BTreeMap::new();
        for (mut subject, verbs) in rules {
            let names = std::mem::take(&mut subject[part]);
            wider.entry((subject, verbs)).or_default().extend(names);
        }
        rules = Rules::new();
        for ((mut subject, verbs), names) in wider {
            subject[part] = names;
            // controller-gen loses one of two rules that merging made equal; the server needs the verbs of both.
            rules.entry(subject).or_default().extend(verbs);
        }
    }
    rules
}

fn role<'a>(
    arena: &'a Arena,
    (namespace, name): &(String, String),
    rules: Rules,
    release: Release,
) -> Value<'a> {
    let mut rules: Vec<(Subject, Names)> = rules.into_iter().collect();
    rules.sort_by_cached_key(|(subject, _)| order(subject));
    let rules: Vec<Value<'a>> = rules
        .iter()
        .map(|(subject, verbs)| rule(arena, subject, verbs, release))
        .collect();
    let kind = if namespace.is_empty() {
        "ClusterRole"
    } else {
        "Role"
    };
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    let namespace = (!namespace.is_empty()).then(|| text(namespace));
    let metadata = [("name", Some(text(name))), ("namespace", namespace)];
    object(
        arena,
        &[
            ("apiVersion", Some("rbac.authorization.k8s.io/v1".into())),
            ("kind", Some(kind.into())),
            ("metadata", Some(object(arena, &metadata))),
            ("rules", Some(list(arena, &rules))),
        ],
    )
}

/// The text by which rules are sorted.
fn order(subject: &Subject) -> String {
    let joined = [GROUPS, RESOURCES, RESOURCE_NAMES, URLS].map(|part| {
        let names: Vec<&str> = subject[part].iter().map(String::as_str).collect();
        names.join("&")
    });
    joined.join(" + ")
}

fn rule<'a>(arena: &'a Arena, subject: &Subject, verbs: &Names, release: Release) -> Value<'a> {
    let verbs = if verbs.contains("*") && release.has(Change::AllVerbs) {
        texts(arena, ["*"])
    } else {
        texts(arena, verbs)
    };
    object(
        arena,
        &[
            ("apiGroups", texts(arena, &subject[GROUPS])),
            ("nonResourceURLs", texts(arena, &subject[URLS])),
            ("resourceNames", texts(arena, &subject[RESOURCE_NAMES])),
            ("resources", texts(arena, &subject[RESOURCES])),
            ("verbs", Some(verbs.unwrap_or(Value::Null))),
        ],
    )
}
