//! `--lint-rules`: the rules of Kubernetes' own build for the tags in `doc.go` (code-generator,
//! pkg/apidefinitions/lint.go).

use std::sync::Arc;

use kindsmith_go::package::Package;
use kindsmith_go::syntax::{File, TypeDecl, TypeKind};
use kindsmith_source::{Diagnostic, Span};

use crate::finding;

/// A rule about the tags of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LintRule {
    /// Generator tags must be known ones
    KnownTagsOnly,
    /// Usual generators must be enabled or disabled explicitly
    RequireExplicitDisablement,
}

/// Tags that turn a generator on or off, and their values.
const SWITCHES: &[(&str, &str)] = &[
    ("k8s:conversion-gen", "peer-package or false"),
    ("k8s:deepcopy-gen", "package or false"),
    ("k8s:defaulter-gen", "TypeMeta or false"),
    ("k8s:validation-gen", "TypeMeta or false"),
];

/// All generator tags that packages use.
const KNOWN: &[&str] = &[
    "genclient",
    "genclient:method",
    "genclient:noStatus",
    "genclient:noVerbs",
    "genclient:nonNamespaced",
    "genclient:onlyVerbs",
    "genclient:readonly",
    "genclient:skipVerbs",
    "groupGoName",
    "k8s:applyconfiguration-gen",
    "k8s:client-gen",
    "k8s:conversion-gen",
    "k8s:conversion-gen-external-types",
    "k8s:deepcopy-gen",
    "k8s:defaulter-gen",
    "k8s:defaulter-gen-input",
    "k8s:informer-gen",
    "k8s:lister-gen",
    "k8s:openapi-gen",
    "k8s:openapi-model-package",
    "k8s:prerelease-lifecycle-gen",
    "k8s:protobuf-gen",
    "k8s:register-gen",
    "k8s:validation-gen",
    "k8s:validation-gen-input",
    "k8s:validation-gen-nolint",
    "k8s:validation-gen-scheme-registry",
    "k8s:validation-gen-test-fixture",
    "k8s:validation-gen-test-targets",
];

/// Checks packages.
pub(in super::super) fn check<'p>(
    packages: impl Iterator<Item = &'p Arc<Package>>,
    rules: &[LintRule],
) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for package in packages {
        let tags = tags(package);
        for rule in rules {
            match rule {
                LintRule::KnownTagsOnly => findings.extend(unknown(package, &tags)),
                LintRule::RequireExplicitDisablement => findings.extend(undecided(package, &tags)),
            }
        }
    }
    findings
}

/// A tag of `doc.go`, and its place.
struct Tag<'p> {
    name: &'p str,
    span: Span,
}

fn tags(package: &Package) -> Vec<Tag<'_>> {
    let Some(file) = package.doc_file() else {
        return Vec::new();
    };
    let mut start = 0;
    let mut found = Vec::new();
    for line in file.source().split_inclusive('\n') {
        let text = line.trim_start().strip_prefix("//").map(str::trim);
        if let Some(tag) = text.and_then(|text| text.strip_prefix('+')) {
            let name = tag.split(['=', '(']).next().unwrap_or_default().trim();
            let at = start + line.len() - line.trim_start_matches(['/', ' ', '\t']).len();
            let end = at + 1 + name.len();
            found.push(Tag {
                name,
                span: Span::new(file.id, at as u32, end as u32),
            });
        }
        start += line.len();
    }
    found
}

fn unknown(package: &Package, tags: &[Tag<'_>]) -> Vec<Diagnostic> {
    let wrong = tags.iter().filter(|tag| {
        let rest = tag.name.strip_prefix("k8s:");
        let base = rest.and_then(|rest| rest.split(':').next());
        rest.is_some_and(|rest| rest.contains("-gen"))
            && !base.is_some_and(|base| KNOWN.iter().any(|known| known.strip_prefix("k8s:") == Some(base)))
    });
    wrong
        .map(|tag| {
            let message = format!(
                "{}/doc.go: unrecognized +k8s: tag(s): +{}",
                package.directory, tag.name
            );
            Diagnostic::error(&finding::KNOWN_TAGS_ONLY, tag.span, message)
                .help("`kindsmith tags` lists the tags that are known")
        })
        .collect()
}

/// Packages of a version must decide about the usual generators.
fn undecided(package: &Package, tags: &[Tag<'_>]) -> Option<Diagnostic> {
    let has = |name: &str| tags.iter().any(|tag| tag.name == name);
    let is_api = tags
        .iter()
        .any(|tag| tag.name == "groupName" || KNOWN.contains(&tag.name));
    let last = package.path.rsplit('/').next().unwrap_or_default();
    if !is_api || !is_version(last) {
        return None;
    }
    let (role, expected): (_, &[&str]) = if has_kinds(package) {
        ("package containing versioned API types", &["k8s:deepcopy-gen"])
    } else if ["k8s:defaulter-gen", "k8s:validation-gen"]
        .iter()
        .any(|switch| has(switch) || has(&format!("{switch}-input")))
    {
        (
            "package containing per-version internals (conversion, defaulting, validation)",
            &["k8s:conversion-gen", "k8s:defaulter-gen", "k8s:validation-gen"],
        )
    } else {
        return None;
    };
    let missing: Vec<String> = SWITCHES
        .iter()
        .filter(|(name, _)| expected.contains(name) && !has(name))
        .map(|(name, takes)| format!("+{name}=<{takes}>"))
        .collect();
    let message = format!("{}/doc.go: this package looks like: {role}", package.directory);
    let place = Span::new(package.doc_file()?.id, 0, 0);
    (!missing.is_empty()).then(|| {
        Diagnostic::error(&finding::REQUIRE_EXPLICIT_DISABLEMENT, place, message).help(format!(
            "set explicit configuration or disablement for these generators in doc.go: {}",
            missing.join(", ")
        ))
    })
}

/// Whether a type of the package embeds TypeMeta, as kinds do.
fn has_kinds(package: &Package) -> bool {
    package.types().any(|(file, decl)| is_kind(file, decl))
}

fn is_kind(file: &File, decl: &TypeDecl) -> bool {
    let (file, ty) = match file.ty(decl.ty).kind {
        TypeKind::Unread(body) => file.body(body),
        _ => (file, file.ty(decl.ty)),
    };
    let TypeKind::Struct(fields) = ty.kind else {
        return false;
    };
    let is_inline = |tag: &str| {
        let name = tag.split_once("json:\"").map(|(_, rest)| rest);
        name.is_some_and(|name| name.starts_with([',', '"']))
    };
    file.fields(fields).iter().any(|field| {
        field.embedded
            && file.text(field.name) == "TypeMeta"
            && field.tag.is_some_and(|tag| is_inline(file.text(tag)))
    })
}

/// Whether a name is a version: `v1`, `v1beta2`.
fn is_version(name: &str) -> bool {
    let Some(rest) = name.strip_prefix('v') else {
        return false;
    };
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let level = after.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    rest.len() > after.len() && (after.is_empty() || (level.len() < after.len() && is_number(level)))
}
