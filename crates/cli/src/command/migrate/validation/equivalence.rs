//! Go tests that hand-written functions and generated validation report the same, for packages whose validation Kubernetes'
//! generator makes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use kindsmith_go::Read;
use kindsmith_migrate::proof::{Answer, Case, Subject, Told, Verdict};
use kindsmith_migrate::validation::{Role, Validator};

use super::{Found, prove};

/// Objects in one test.
const MOST: usize = 60;

/// Test files of all packages of functions.
pub(super) fn tests(types: &Read, found: &[Found]) -> Vec<(PathBuf, String)> {
    let made = found.iter().filter_map(|found| {
        let text = test(types, found)?;
        Some((found.directory()?.join("declarative_equivalence_test.go"), text))
    });
    made.collect()
}

fn test(types: &Read, found: &Found) -> Option<String> {
    let package = found.reading.packages.first()?;
    let mut imports: BTreeMap<String, String> = BTreeMap::new();
    let mut functions = String::new();
    for (number, subject) in found.proof.subjects.iter().enumerate() {
        let cases = chosen(found, number);
        if cases.is_empty() || subject.is_status {
            continue;
        }
        if let Some(text) = one(types, found, subject, &cases, &mut imports) {
            functions.push_str(&text);
        }
    }
    if functions.is_empty() {
        return None;
    }
    let mut out = format!(
        "// Written by `kindsmith migrate validation --write`: hand-written and generated validation report the same.\n\npackage {}_test\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"sort\"\n\t\"strings\"\n\t\"testing\"\n\n\t\"k8s.io/apimachinery/pkg/api/operation\"\n\t\"k8s.io/apimachinery/pkg/util/validation/field\"\n\n\tfunctions \"{}\"\n",
        package.name, package.path
    );
    for (path, alias) in &imports {
        let _ = writeln!(out, "\t{alias} \"{path}\"");
    }
    out.push_str(")\n");
    out.push_str(&functions);
    out.push_str(SAME);
    Some(out)
}

const SAME: &str = "
func reported(errs field.ErrorList) string {
	seen := map[string]bool{}
	for _, err := range errs {
		seen[string(err.Type)+\" at \"+err.Field+\" \"+err.Origin] = true
	}
	lines := []string{}
	for line := range seen {
		lines = append(lines, line)
	}
	sort.Strings(lines)
	return strings.Join(lines, \"\\n\")
}
";

/// The test of one kind.
fn one(
    types: &Read,
    found: &Found,
    subject: &Subject,
    cases: &[(&Case, &Answer)],
    imports: &mut BTreeMap<String, String>,
) -> Option<String> {
    let name = &types.schema.ty(subject.ty).name;
    let functions = [subject.create, subject.update]
        .map(|index| index.and_then(|index| found.reading.functions.get(index)));
    let first = functions.iter().flatten().next()?;
    let is_usable = |validator: &&&Validator| {
        let is_exported = validator.name.starts_with(char::is_uppercase);
        is_exported && validator.params.iter().all(|(role, _)| *role != Role::Other)
    };
    if functions.iter().flatten().filter(|one| !is_usable(one)).count() > 0 {
        return None;
    }
    let taken = taken_package(found, first)?;
    let conversion = prove::conversion(types, &found.reading, &name.package, &taken);
    let convert = conversion.from(&name.package, &name.name);
    let is_generated = conversion.package.is_some() || is_generated_for(types, &name.package);
    if !is_generated || (taken != *name.package && convert.is_none()) {
        return None;
    }
    let mut import = |path: &str| {
        let next = format!("p{}", imports.len());
        imports.entry(path.to_owned()).or_insert(next).clone()
    };
    let versioned = import(&name.package);
    let generated = import(conversion.package.as_deref().unwrap_or(&name.package));
    let object = format!("{versioned}.{}", name.name);
    let (internal, converted) = match convert {
        Some(convert) if taken != *name.package => {
            let internal = format!("{}.{}", import(&taken), name.name);
            let call = format!(
                "\t\tout := &{internal}{{}}\n\t\tif err := {generated}.{convert}(&in, out, nil); err != nil {{\n\t\t\tt.Fatal(err)\n\t\t}}\n\t\treturn &in, out\n"
            );
            (internal, call)
        }
        _ => (object.clone(), "\t\treturn &in, &in\n".to_owned()),
    };
    let defaults = format!("SetObjectDefaults_{}", name.name);
    let defaults = if conversion.functions.contains(&defaults) {
        format!("\t\t{generated}.{defaults}(&in)\n")
    } else {
        String::new()
    };
    let mut out = format!(
        "\nfunc TestDeclarativeEquivalence{0}(t *testing.T) {{\n\tread := func(t *testing.T, text string) (*{object}, *{internal}) {{\n\t\tvar in {object}\n\t\tif err := json.Unmarshal([]byte(text), &in); err != nil {{\n\t\t\tt.Fatal(err)\n\t\t}}\n{defaults}{converted}\t}}\n\tfor _, write := range []struct{{ object, old string }}{{\n",
        name.name
    );
    for (case, _) in cases {
        let old = case.old.as_deref().unwrap_or_default();
        let _ = writeln!(out, "\t\t{{{}, {}}},", quoted(&case.new), quoted(old));
    }
    out.push_str("\t} {\n\t\tversioned, object := read(t, write.object)\n\t\tvar hand field.ErrorList\n\t\top := operation.Operation{Type: operation.Create}\n");
    let _ = writeln!(out, "\t\tvar oldVersioned *{object}");
    let [create, update] = functions;
    let call = |validator: &Validator| format!("functions.{}({})", validator.name, args(validator));
    out.push_str("\t\tif write.old == \"\" {\n");
    if let Some(create) = create {
        let _ = writeln!(out, "\t\t\thand = {}", call(create));
    }
    out.push_str("\t\t} else {\n");
    let _ = writeln!(
        out,
        "\t\t\tvar old *{internal}\n\t\t\toldVersioned, old = read(t, write.old)\n\t\t\t_ = old\n\t\t\top.Type = operation.Update"
    );
    let also = create.filter(|_| update.is_none() || with_create(found));
    for validator in update.into_iter().chain(also) {
        let _ = writeln!(out, "\t\t\thand = append(hand, {}...)", call(validator));
    }
    let _ = write!(
        out,
        "\t\t}}\n\t\tdeclared := {generated}.Validate_{}(context.Background(), op, nil, versioned, oldVersioned)\n\t\tif want, got := reported(hand.ExtractCoveredByDeclarative()), reported(declared); want != got {{\n\t\t\tt.Errorf(\"%s after %q: hand-written validation reports\\n%s\\ngenerated validation\\n%s\", write.object, write.old, want, got)\n\t\t}}\n\t}}\n}}\n",
        name.name
    );
    Some(out)
}

fn args(validator: &Validator) -> String {
    let args = validator.params.iter().map(|(role, text)| match role {
        Role::Object { is_old, .. } => {
            let star = if text.starts_with('*') { "" } else { "*" };
            format!("{star}{}", if *is_old { "old" } else { "object" })
        }
        Role::Path | Role::Other => "nil".to_owned(),
    });
    args.collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    if text.contains('`') {
        format!("{text:?}")
    } else {
        format!("`{text}`")
    }
}

/// Whether updates agree only if objects are also validated as new ones.
fn with_create(found: &Found) -> bool {
    found.proof.verdicts.iter().any(|verdict| {
        matches!(
            verdict,
            Verdict::Proven {
                with_create: true,
                ..
            }
        )
    })
}

/// Whether validation of a package is generated.
fn is_generated_for(types: &Read, package: &str) -> bool {
    let found = types.packages.iter().find(|one| *one.path == *package);
    found.is_some_and(|package| {
        package
            .files
            .iter()
            .any(|file| file.source().contains("+k8s:validation-gen="))
    })
}

/// The import path of the type that a function takes.
fn taken_package(found: &Found, validator: &Validator) -> Option<String> {
    let package = &found.reading.packages[validator.file.package];
    let file = &package.files[validator.file.file];
    let text = validator.params.iter().find_map(|(role, text)| match role {
        Role::Object { .. } => Some(text.trim_start_matches('*')),
        _ => None,
    })?;
    match text.split_once('.') {
        None => Some(package.path.to_string()),
        Some((qualifier, _)) => file
            .import_named(qualifier)
            .map(|import| file.import_path(import).to_owned()),
    }
}

/// Where an error is made, and its type.
type Shape = (usize, String);

/// An object, and what the functions said.
type Chosen<'f> = (&'f Case, &'f Answer);

/// Small objects that show different errors of proven rules, one at a time, and some without.
fn chosen(found: &Found, subject: usize) -> Vec<Chosen<'_>> {
    let mut by_error: BTreeMap<(bool, Option<Shape>), Chosen<'_>> = BTreeMap::new();
    let all = found.proof.cases.iter().zip(&found.proof.answers);
    for (case, answer) in all.filter(|(case, answer)| case.subject == subject && answer.failed.is_none()) {
        if case.on.values().any(|on| *on) || !answer.before.is_empty() {
            continue;
        }
        let told = if case.old.is_some() {
            answer.updated.iter().chain(&answer.created)
        } else {
            answer.created.iter().chain(&[])
        };
        let errors: BTreeSet<Shape> = told.filter_map(shape).collect();
        if errors.len() > 1 {
            continue;
        }
        let key = (case.old.is_some(), errors.into_iter().next());
        let size = |case: &Case| case.new.len();
        let known = by_error.get(&key);
        if known.is_none_or(|(known, _)| size(case) < size(known)) {
            by_error.insert(key, (case, answer));
        }
    }
    by_error.into_values().take(MOST).collect()
}

fn shape(told: &Told) -> Option<Shape> {
    Some((told.site.unwrap_or(usize::MAX), told.kind.clone()))
}
