//! Floating-point fields of custom resources, which controller-gen publishes only on request
//! (controller-tools `pkg/crd/schema.go`, `builtinToType`).

use kindsmith_schema::{Owner, Scalar, Shape, TypeRef};
use kindsmith_source::{Finding, Severity, Tool};

use super::Rule;
use crate::Report;
use crate::reach::Reach;
use crate::report::type_then_name;

pub(super) const RULE: Rule = Rule::reach(
    Finding::new("crd-float", Tool::ControllerGen, include_str!("crd_float.md")),
    check,
);

const TEXT: &str = "found float, the usage of which is highly discouraged, as support for them varies across languages. \
                    Please consider serializing your float as string instead. If you are really sure you want to use \
                    them, re-run with crd:allowDangerousTypes=true";

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let schema = reach.schema;
    for id in crate::custom::types(schema) {
        if let Shape::Def(target) = &schema.ty(id).shape {
            check_use(report, Owner::Type(id), target);
        }
        for (field_id, field) in schema.fields(id).filter(|(_, field)| !field.json.skip) {
            check_use(report, Owner::Field(field_id), &field.ty);
        }
    }
}

/// Checks the type as written; a named type is checked where it is declared.
fn check_use(report: &mut Report<'_>, owner: Owner, mut of: &TypeRef) {
    while let TypeRef::Pointer(inner)
    | TypeRef::List(inner)
    | TypeRef::Array(_, inner)
    | TypeRef::Map(_, inner) = of
    {
        of = inner;
    }
    if !matches!(of, TypeRef::Scalar(Scalar::Float32 | Scalar::Float64)) {
        return;
    }
    report.error(&type_then_name(owner), TEXT, |mut finding| {
        // controller-gen accepts it with an option that is not in the source. Published projects with floats have it on.
        finding.severity = Severity::Note;
        finding
            .upstream(format!("controller-gen: {TEXT}"))
            .help("use `resource.Quantity`, a scaled integer or a string")
    });
}
