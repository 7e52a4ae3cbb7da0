//! Methods that return the published name of a type (kube-openapi `pkg/generators/model_names.go`), for packages and
//! types with `+k8s:openapi-model-package`.

use kindsmith_schema::{Package, Schema, Shape, Type, TypeId};

use super::select::{Scope, Selection};
use crate::gengo;

/// The file of one package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelNames {
    /// Import path of the package.
    pub package: String,
    /// The text of the file.
    pub text: String,
}

/// Generates the file of each input package with such a marker, but for the given packages.
#[must_use]
pub fn model_names(schema: &Schema, read_only: &[String], header: &str) -> Vec<ModelNames> {
    let selection = Selection::new(schema, Scope::Inputs);
    let packages = schema.packages().iter();
    let packages = packages.filter(|package| package.input && !read_only.contains(&package.path.to_string()));
    let files = packages.filter_map(|package| {
        let methods = methods(&selection, package);
        let base = package.path.rsplit('/').next().unwrap_or_default();
        let head = gengo::head(gengo::CONSTRAINT, header, "openapi-gen");
        (!methods.is_empty()).then(|| ModelNames {
            package: package.path.to_string(),
            text: format!("{head}package {base}\n{}", methods.concat()),
        })
    });
    files.collect()
}

fn methods(selection: &Selection<'_>, package: &Package) -> Vec<String> {
    let types = selection.schema.types();
    let is_model = |(id, ty): &(TypeId, &Type)| {
        ty.name.package == package.path
            && ty.name.is_exported()
            && !matches!(ty.shape, Shape::Alias(_))
            && selection.is_struct(*id)
    };
    let mut types: Vec<&Type> = types.filter(is_model).map(|(_, ty)| ty).collect();
    types.sort_by(|one, other| one.name.name.cmp(&other.name.name));
    let method = |ty: &Type| {
        let model = ty.options.model_package.as_ref();
        let model = model.or(package.options.model_package.as_ref())?;
        let name = &ty.name.name;
        Some(format!(
            "\n// OpenAPIModelName returns the OpenAPI model name for this type.\n\
             func (in {name}) OpenAPIModelName() string {{\n\treturn \"{model}.{name}\"\n}}\n"
        ))
    };
    types.into_iter().filter_map(method).collect()
}
