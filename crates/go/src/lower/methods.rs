//! Methods and functions that change how types are encoded, described, defaulted or checked.

use std::sync::Arc;

use kindsmith_schema::{Function, Json, Method, Str, TypeName};
use kindsmith_source::Span;

use super::{Lower, constants};
use crate::package::{Imported, Package};
use crate::syntax::{File, Func, List, Param, TypeKind, composite, string_literals};

/// Other methods do not matter to an API.
const METHODS: &[&str] = &[
    "MarshalJSON",
    "UnmarshalJSON",
    "MarshalText",
    "UnmarshalText",
    "OpenAPIDefinition",
    "OpenAPIV3Definition",
    "OpenAPISchemaType",
    "OpenAPISchemaFormat",
    "OpenAPIV3OneOfTypes",
    "OpenAPIModelName",
];

/// Functions that generated code calls.
const FUNCTIONS: &[&str] = &["SetDefaults_", "SetObjectDefaults_", "ValidateCustom_"];

/// Methods whose value describes the type.
const DEFINITIONS: [&str; 2] = ["OpenAPIDefinition", "OpenAPIV3Definition"];

impl Lower<'_, '_> {
    /// The methods of a type that matter, sorted by name.
    pub(super) fn methods_of_type(&mut self, package: &Arc<Package>, name: &str) -> Vec<Method> {
        package
            .methods(name)
            .filter_map(|(file, func)| self.method(package, file, func))
            .collect()
    }

    fn method(&mut self, package: &Arc<Package>, file: &File, func: &Func) -> Option<Method> {
        let name = file.text(func.name);
        if !METHODS.contains(&name) || !fits(name, file, func) {
            return None;
        }
        let literals = func.returns.map(|span| string_literals(file, span));
        let described = func.returns.filter(|_| DEFINITIONS.contains(&name));
        Some(Method {
            name: name.into(),
            pointer: func.receiver.is_some_and(|receiver| receiver.pointer),
            returns: literals.map(|found| found.into_iter().map(|(_, text)| text.into()).collect()),
            value: described.and_then(|span| {
                composite(file, span, &mut |qualifier, name| {
                    self.constant(package, file, qualifier, name)
                })
            }),
        })
    }

    /// The value of a constant of this package or of one that the file imports.
    fn constant(
        &mut self,
        package: &Arc<Package>,
        file: &File,
        qualifier: Option<&str>,
        name: &str,
    ) -> Option<Json> {
        let found = match qualifier {
            None => self.constants.named(self.loader, package, name)?,
            Some(qualifier) => match self.loader.import_named(package, file, qualifier)? {
                Imported::Package(package) => self.constants.named(self.loader, &package, name)?,
                Imported::Standard | Imported::Missing => return None,
            },
        };
        constants::json(&found.value)
    }
}

impl Lower<'_, '_> {
    /// The functions of a package that generated code calls, sorted by name.
    pub(super) fn functions(&mut self, package: &Arc<Package>) -> Vec<Function> {
        functions(package)
            .map(|(file, func)| Function {
                name: file.text(func.name).into(),
                params: types(file, func.params),
                fills: self.filled(package, file, func),
                results: types(file, func.results),
                covers: covers(file, func),
            })
            .collect()
    }

    /// The declared type a function's only parameter points to.
    fn filled(&mut self, package: &Arc<Package>, file: &File, func: &Func) -> Option<TypeName> {
        let [parameter] = file.params(func.params) else {
            return None;
        };
        let TypeKind::Pointer(pointee) = file.ty(parameter.ty).kind else {
            return None;
        };
        let pointee = file.ty(pointee);
        match pointee.kind {
            TypeKind::Name => {
                let name = file.text(pointee.span);
                let declaring = match package.type_decl(name) {
                    Some(_) => Some(package.clone()),
                    None => self.dot_imported(package, file, name),
                };
                Some(TypeName::new(declaring?.path.clone(), name))
            }
            TypeKind::Qualified { package: of, name } => {
                let qualifier = file.text(of);
                let path = match self.loader.import_named(package, file, qualifier) {
                    Some(Imported::Package(imported)) => imported.path.clone(),
                    _ => file.import_path(file.import_named(qualifier)?).into(),
                };
                Some(TypeName::new(path, file.text(name)))
            }
            _ => None,
        }
    }
}

/// Whether a method has the signature that Go's encoders call; for other methods the name is enough.
fn fits(name: &str, file: &File, func: &Func) -> bool {
    if !matches!(name, "MarshalJSON" | "MarshalText") {
        return true;
    }
    let results: Vec<&str> = file
        .params(func.results)
        .iter()
        .map(|result| file.text(file.ty(result.ty).span))
        .collect();
    file.params(func.params).is_empty() && matches!(results[..], ["[]byte" | "[]uint8", "error"])
}

/// All unexported names that a package declares.
pub(super) fn private_names(package: &Package) -> Vec<Str> {
    let mut names: Vec<&str> = Vec::new();
    for file in &package.files {
        names.extend(file.types.iter().map(|decl| file.text(decl.name)));
        names.extend(file.consts.iter().map(|decl| file.text(decl.name)));
        names.extend(file.vars.iter().map(|decl| file.text(decl.name)));
    }
    names.extend(package.funcs().map(|(file, func)| file.text(func.name)));
    names.retain(|name| name.starts_with(|c: char| c.is_lowercase()));
    names.into_iter().map(Str::from).collect()
}

/// The places of the names of these functions.
pub(super) fn places_of_package(package: &Package) -> impl Iterator<Item = Span> {
    functions(package).map(|(_, func)| func.name)
}

fn functions(package: &Package) -> impl Iterator<Item = (&File, &Func)> {
    let wanted = |name: &str| FUNCTIONS.iter().any(|prefix| name.starts_with(prefix));
    package
        .funcs()
        .filter(move |(file, func)| wanted(file.text(func.name)))
}

fn types(file: &File, params: List<Param>) -> Vec<Str> {
    file.params(params)
        .iter()
        .map(|param| file.text(file.ty(param.ty).span).into())
        .collect()
}

/// Whether the function's comment says that nothing below its type needs further defaulting.
fn covers(file: &File, func: &Func) -> bool {
    let Some(group) = func.comments.closest else {
        return false;
    };
    file.comment_lines(group)
        .iter()
        .any(|line| line.text.trim() == "+k8s:defaulter-gen=covers")
}
