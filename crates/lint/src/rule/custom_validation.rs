//! Compares `+k8s:customValidation` with the hand-written functions that it calls (code-generator
//! `cmd/validation-gen/validators/customvalidation.go`).

use std::collections::BTreeMap;

use kindsmith_schema::{Facet, Function, GoKind, Owner, Package, Part, Schema, TypeRef, View};
use kindsmith_source::{Finding, Tool};

use super::Rule;
use crate::Report;
use crate::reach::{Reach, owner_path};

pub(super) const RULE: Rule = Rule::reach(
    Finding::new(
        "custom-validation",
        Tool::ValidationGen,
        include_str!("custom_validation.md"),
    ),
    check,
);

const PREFIX: &str = "ValidateCustom_";

/// A tag that calls a function.
struct Call<'a> {
    /// Import path of the package that code is generated into.
    package: &'a str,
    /// Name of the function.
    function: String,
    owner: Owner,
    rule: u32,
    /// The enclosing tags, as upstream puts them in front.
    chain: String,
}

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let schema = reach.schema;
    let calls: Vec<Call<'_>> = crate::linted::declarations(schema, &reach.types)
        .filter_map(|(owner, rules)| {
            let rule = rules
                .iter()
                .position(|rule| rule.facet == Facet::CustomValidation)?;
            let chain = rules[rule].wraps.iter().map(kindsmith_schema::Wrap::name);
            let chain = chain.map(|name| format!("tag \"k8s:{name}\": ")).collect();
            call(schema, owner, rule as u32, chain)
        })
        .collect();
    for call in &calls {
        check_call(schema, report, call);
    }
    sweep(reach, report, &calls);
}

/// The call of a declaration's tag.
fn call(schema: &Schema, owner: Owner, rule: u32, chain: String) -> Option<Call<'_>> {
    let (ty, suffix) = match owner {
        Owner::Field(id) => (schema.ty(id.owner), format!("_{}", schema.field(id).name)),
        Owner::Type(id) | Owner::Constant(id, _) => (schema.ty(id), String::new()),
        Owner::Package(_) => return None,
    };
    Some(Call {
        package: generated_into(schema, &ty.name.package),
        function: format!("{PREFIX}{}{suffix}", ty.name.name),
        owner,
        rule,
        chain,
    })
}

/// The package that code for the types of a package is generated into.
fn generated_into<'a>(schema: &'a Schema, path: &'a str) -> &'a str {
    let takes = |package: &&Package| package.options.validation_input.as_deref() == Some(path);
    let registers = |package: &&Package| package.options.scheme_registry.as_deref() != Some("nil");
    let mut packages = schema.packages().iter().filter(takes);
    packages
        .clone()
        .find(registers)
        .or_else(|| packages.next())
        .map_or(path, |package| &*package.path)
}

fn find<'a>(package: &'a Package, name: &str) -> Option<&'a Function> {
    package.functions.iter().find(|function| &*function.name == name)
}

fn check_call(schema: &Schema, report: &mut Report<'_>, call: &Call<'_>) {
    let Call {
        package, function, ..
    } = call;
    let found = schema
        .package(package)
        .and_then(|package| find(package, function));
    let value = value_text(schema, call.owner);
    let signature = format!(
        "func(ctx context.Context, op operation.Operation, fldPath *field.Path, value, oldValue {value}) field.ErrorList"
    );
    let text = match found {
        None => format!("expected hand-written function {package}.{function} was not found"),
        Some(found) if !has_signature(found, &value) => {
            format!("{package}.{function} must have signature {signature}")
        }
        Some(_) => return,
    };
    let text = format!("+k8s:customValidation: {text}");
    let path = owner_path(schema, call.owner);
    let place = match call.owner {
        Owner::Field(_) => format!("field {path}"),
        _ => path,
    };
    let places = [
        call.owner.part(Part::Rule(call.rule)),
        call.owner.part(Part::Name),
    ];
    report.error(&places, text.clone(), |finding| {
        finding
            .help(format!(
                "write `func {function}{}` beside the generated code",
                signature.trim_start_matches("func")
            ))
            .upstream(format!(
                "failed to generate validations: {place}: {}tag \"k8s:customValidation\": {text}",
                call.chain
            ))
    });
}

/// The type of the value as the function receives it: a type that can be nil.
fn value_text(schema: &Schema, owner: Owner) -> String {
    let view = schema.view();
    let (text, kind) = match owner {
        Owner::Field(id) => {
            let of = &schema.field(id).ty;
            (short(view, of), view.kind(view.underlying(of)))
        }
        Owner::Type(id) | Owner::Constant(id, _) => {
            let of = TypeRef::Named(id);
            (short(view, &of), view.kind(view.underlying(&of)))
        }
        Owner::Package(_) => return String::new(),
    };
    match kind {
        GoKind::Pointer | GoKind::Map | GoKind::Slice | GoKind::Interface => text,
        _ => format!("*{text}"),
    }
}

/// A type without packages.
fn short(view: View<'_>, of: &TypeRef) -> String {
    match view.unalias(of) {
        TypeRef::Pointer(inner) => format!("*{}", short(view, inner)),
        TypeRef::List(inner) | TypeRef::Array(_, inner) => format!("[]{}", short(view, inner)),
        TypeRef::Map(key, value) => format!("map[{}]{}", short(view, key), short(view, value)),
        TypeRef::Named(id) => view.ty(*id).name.name.to_string(),
        other => view.text(other),
    }
}

/// Whether a function has the required signature, judging by its text: packages are not compared.
fn has_signature(function: &Function, value: &str) -> bool {
    let params: Vec<String> = function.params.iter().map(|text| unqualified(text)).collect();
    let results: Vec<String> = function.results.iter().map(|text| unqualified(text)).collect();
    params == ["Context", "Operation", "*Path", value, value] && results == ["ErrorList"]
}

/// The text of a type without packages and blanks.
fn unqualified(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars().filter(|char| !char.is_whitespace()) {
        if char == '.' {
            let name = out.rfind(|c: char| !c.is_alphanumeric() && c != '_');
            out.truncate(name.map_or(0, |at| at + 1));
        } else {
            out.push(char);
        }
    }
    out
}

/// Functions that no tag calls, and functions beside the types instead of the generated code.
fn sweep(reach: &Reach<'_>, report: &mut Report<'_>, calls: &[Call<'_>]) {
    let schema = reach.schema;
    let mut issues: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for (index, package) in schema.packages().iter().enumerate() {
        if !package.input || package.options.validation.is_empty() {
            continue;
        }
        let into = generated_into(schema, &package.path);
        let generates = package.options.validation_input.is_none();
        for (at, function) in package.functions.iter().enumerate() {
            let name = &*function.name;
            let called = || {
                calls
                    .iter()
                    .any(|call| call.package == &*package.path && call.function == name)
            };
            if !name.starts_with(PREFIX) {
                continue;
            }
            let issue = if generates && into != &*package.path {
                format!("move to the generated package {into}")
            } else if called() {
                continue;
            } else {
                "no matching tag (add +k8s:customValidation, or rename if not a custom validation)".to_owned()
            };
            issues.insert(
                format!("{}.{name}: {issue}", package.path),
                (index as u32, at as u32),
            );
        }
    }
    let all: Vec<&str> = issues.keys().map(String::as_str).collect();
    let upstream = format!("+k8s:customValidation: {}", all.join("; "));
    for (text, (package, function)) in &issues {
        let place = Owner::Package(*package).part(Part::Function(*function));
        report.error(&[place], text.clone(), |finding| {
            finding.upstream(upstream.clone())
        });
    }
}
