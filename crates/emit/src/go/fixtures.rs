//! Tests for validation functions: tables of all errors that the rules of a kind can report, which a test run
//! must cover (KEP-5073), and the fixture test of packages that have it enabled.

mod emission;
mod exclusion;
mod walk;

use std::collections::BTreeMap;

use kindsmith_checks::Types;
use kindsmith_schema::{Package, Schema, TypeId};

use super::import::Imports;
use super::text::{Code, quote};
use super::validations::targets;
use super::{File, Generated, Options, file::file};

pub(super) use emission::Emission;
pub use exclusion::Exclusion;

const COVERAGE: &str = "k8s.io/apimachinery/pkg/test/coverage";
const SCHEMA: &str = "k8s.io/apimachinery/pkg/runtime/schema";

/// The test files of packages with `+k8s:validation-gen-test-fixture` or `+k8s:validation-gen-test-targets`.
#[must_use]
pub fn fixtures(schema: &Schema, options: &Options) -> Generated {
    let targets = targets(schema, options);
    let roots: Vec<TypeId> = targets.iter().flat_map(|target| target.roots.clone()).collect();
    let lowered = kindsmith_checks::lower_roots(schema, &roots, options.profile);
    let stem = options
        .validations
        .strip_suffix(".go")
        .unwrap_or(&options.validations);
    let mut generated = Generated::default();
    for target in &targets {
        let package = target.package;
        let mut add = |name: String, imports: &Imports, declarations: &[String]| {
            generated.files.push(File {
                package: package.path.clone(),
                name,
                text: file(schema, package, imports, options, declarations),
            });
        };
        if package.options.test_fixture.as_deref() == Some("validateFalse") {
            let mut imports = Imports::of_package(package);
            let declaration = fixture_test(&mut imports);
            add(format!("{stem}_test.go"), &imports, &[declaration]);
        }
        if package.options.test_targets {
            let mut imports = Imports::of_package(package);
            let mut declarations = Vec::new();
            for root in &target.roots {
                let rules = walk::rules(Types::new(schema), &lowered, *root);
                let kind = schema.ty(*root).name.name.to_string();
                let names = (&*package.path, &*package.name, kind.as_str());
                declarations.extend(table(&mut imports, names, &rules));
            }
            if !declarations.is_empty() {
                declarations.push(test_main(&mut imports));
                add(format!("{stem}_coverage_test.go"), &imports, &declarations);
            }
        }
    }
    generated
}

/// A test file of one kind, in a directory of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindTest {
    /// The path below the directory of all such tests.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The tables of all kinds of versioned packages: a directory per kind with a file per version, and one that
/// fails the run if a rule is not covered.
#[must_use]
pub fn kind_tests(schema: &Schema, options: &Options, prefix: &str) -> Vec<KindTest> {
    let targets = targets(schema, options);
    let roots: Vec<TypeId> = targets.iter().flat_map(|target| target.roots.clone()).collect();
    let lowered = kindsmith_checks::lower_roots(schema, &roots, options.profile);
    let mut tests = Vec::new();
    let mut versions: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for target in &targets {
        let input = schema.package(&target.input).unwrap_or(target.package);
        let registers = target.package.options.scheme_registry.as_deref() != Some("nil");
        if !registers || !is_version(&input.name) {
            continue;
        }
        // validation-gen uses only the constant (test_targets.go, `collectReports`), not the tag.
        let group = input.group_constant.as_ref().or(input.group.as_ref());
        let group = group.unwrap_or(&input.path);
        for root in &target.roots {
            let kind = schema.ty(*root).name.name.to_string();
            let mut rules = walk::rules(Types::new(schema), &lowered, *root);
            exclude(&mut rules, &options.excluded, (group, &input.name, &kind));
            let mut imports = Imports::new("");
            let Some(table) = table(&mut imports, (group, &input.name, &kind), &rules) else {
                continue;
            };
            let directory = (short(group).to_owned(), kind.to_lowercase());
            let path = format!("{}/{}/{prefix}{}_test.go", directory.0, directory.1, input.name);
            let package = Package::new("", directory.1.clone());
            tests.push(KindTest {
                path,
                text: file(schema, &package, &imports, options, &[table]),
            });
            versions
                .entry(directory)
                .or_default()
                .push(input.name.to_string());
        }
    }
    for ((group, kind), mut versions) in versions {
        versions.sort();
        let mut imports = Imports::new("");
        let listed: Vec<String> = versions.iter().map(|version| quote(version)).collect();
        let variable = format!("var apiVersions = []string{{{}}}", listed.join(", "));
        let main = test_main(&mut imports);
        let package = Package::new("", kind.clone());
        tests.push(KindTest {
            path: format!("{group}/{kind}/{prefix}main_test.go"),
            text: file(schema, &package, &imports, options, &[variable, main]),
        });
    }
    tests.sort_by(|one, other| one.path.cmp(&other.path));
    tests
}

/// Removes the exclusions from a kind's table.
fn exclude(
    rules: &mut BTreeMap<String, Vec<Emission>>,
    excluded: &[Exclusion],
    (group, version, kind): (&str, &str, &str),
) {
    for exclusion in excluded {
        if !exclusion.concerns(group, version, kind) {
            continue;
        }
        rules.retain(|path, emissions| {
            emissions.retain(|emission| !exclusion.leaves_out(path, emission));
            !emissions.is_empty()
        });
    }
}

/// Is it a version of an API, as `v1` or `v1beta2`?
fn is_version(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(rest) = name.strip_prefix('v') else {
        return false;
    };
    let level = ["alpha", "beta"].iter().find_map(|level| rest.split_once(level));
    match level {
        Some((major, minor)) => digits(major) && digits(minor),
        None => digits(rest),
    }
}

/// The directory of a group: its first label.
fn short(group: &str) -> &str {
    match group.split('.').next() {
        Some("") | None => "core",
        Some(label) => label,
    }
}

fn fixture_test(imports: &mut Imports) -> String {
    let testing = imports.of("testing", "T");
    let mut code = Code::default();
    code.open(&format!("func TestValidation(t *{testing}) {{"));
    code.line("localSchemeBuilder.Test(t).ValidateFixtures()");
    code.close("}");
    code.finish()
}

/// Registers the errors that the rules of a kind can report.
fn table(
    imports: &mut Imports,
    (group, version, kind): (&str, &str, &str),
    rules: &BTreeMap<String, Vec<Emission>>,
) -> Option<String> {
    if rules.is_empty() {
        return None;
    }
    let (register, fields) = (
        imports.of(COVERAGE, "RegisterDeclaredRules"),
        imports.of(COVERAGE, "FieldRules"),
    );
    let gvk = imports.of(SCHEMA, "GroupVersionKind");
    let mut code = Code::default();
    code.open("func init() {");
    let (group, version, kind) = (quote(group), quote(version), quote(kind));
    code.line(&format!(
        "kind := {gvk}{{Group: {group}, Version: {version}, Kind: {kind}}}"
    ));
    code.open(&format!("{register}(kind, {fields}{{"));
    for (path, emissions) in rules {
        code.open(&format!("{}: {{", quote(path)));
        for emission in emissions {
            code.line(&format!("{},", emission.literal()));
        }
        code.close("},");
    }
    code.close("})");
    code.close("}");
    Some(code.finish())
}

fn test_main(imports: &mut Imports) -> String {
    let m = imports.of("testing", "M");
    let (check, print) = (
        imports.of(COVERAGE, "AssertDeclarativeCoverage"),
        imports.of("fmt", "Fprintln"),
    );
    let (stderr, exit) = (imports.of("os", "Stderr"), imports.of("os", "Exit"));
    let mut code = Code::default();
    code.line("// TestMain fails the run where a rule was never seen to report.");
    code.open(&format!("func TestMain(m *{m}) {{"));
    code.line("code := m.Run()");
    code.open(&format!("if err := {check}(); err != nil {{"));
    code.line(&format!("{print}({stderr}, err)"));
    code.line("code = max(code, 1)");
    code.close("}");
    code.line(&format!("{exit}(code)"));
    code.close("}");
    code.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_recognized() {
        for (name, expected) in [
            ("v1", true),
            ("v1alpha1", true),
            ("v2beta10", true),
            ("v", false),
            ("v1alpha", false),
            ("validation", false),
            ("1", false),
        ] {
            assert_eq!(is_version(name), expected, "{name}");
        }
    }
}
