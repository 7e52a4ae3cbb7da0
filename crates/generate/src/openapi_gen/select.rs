//! Which types have definitions, their names, and which comments count.

use std::collections::BTreeMap;

use kindsmith_schema::{Docs, GoKind, Package, Schema, Shape, Type, TypeId, TypeRef, View};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Names;

/// API machinery packages that openapi-gen always reads too (`kube_codegen.sh`), and those whose definitions
/// refer to them.
const LIBRARY: [&str; 6] = [
    "k8s.io/apimachinery/pkg/apis/meta/v1",
    "k8s.io/apimachinery/pkg/runtime",
    "k8s.io/apimachinery/pkg/version",
    "k8s.io/apimachinery/pkg/api/resource",
    "k8s.io/apimachinery/pkg/util/intstr",
    "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
];

/// The packages that openapi-gen is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The input packages and Kubernetes' libraries, as `kube_codegen.sh` does.
    Libraries,
    /// Only the input packages.
    Inputs,
    /// As [`Scope::Libraries`], and openapi-gen is enabled for all input packages that do not say otherwise.
    Served,
}

/// The packages that openapi-gen reads.
pub(super) struct Selection<'a> {
    pub(super) schema: &'a Schema,
    pub(super) view: View<'a>,
    scope: Scope,
    packages: FxHashMap<&'a str, &'a Package>,
    /// Packages in which openapi-gen sees the comments of types and constants.
    visible: FxHashSet<&'a str>,
    /// Comments of aliases, by their target.
    aliases: BTreeMap<String, &'a Docs>,
}

impl<'a> Selection<'a> {
    pub(super) fn new(schema: &'a Schema, scope: Scope) -> Self {
        let mut tagged: FxHashSet<&str> = schema
            .types()
            .filter(|(_, ty)| ty.options.openapi.is_some())
            .map(|(_, ty)| &*ty.name.package)
            .collect();
        let mut packages = FxHashMap::default();
        for package in schema.packages() {
            packages.insert(&*package.path, package);
            if package.options.openapi.is_some() {
                tagged.insert(&package.path);
            }
        }
        let is_visible = |path: &&str| {
            let input = packages.get(*path).is_some_and(|package| package.input);
            match scope {
                Scope::Inputs => input,
                Scope::Served if input => true,
                Scope::Libraries | Scope::Served => {
                    LIBRARY.contains(path)
                        || (tagged.contains(*path) && (input || path.starts_with("k8s.io/")))
                }
            }
        };
        let visible = packages.keys().copied().filter(is_visible).collect();
        let mut selection = Self {
            schema,
            view: schema.view(),
            scope,
            packages,
            visible,
            aliases: BTreeMap::new(),
        };
        selection.aliases = selection.alias_comments();
        selection
    }

    /// If a type has no comment, it gets that of an alias (gengo `parser.addCommentsToType`).
    fn alias_comments(&self) -> BTreeMap<String, &'a Docs> {
        let mut found = BTreeMap::new();
        for (_, ty) in self.schema.types() {
            let Shape::Alias(target) = &ty.shape else {
                continue;
            };
            if self.is_visible(ty) && ty.docs.text.is_some() {
                let target = self.view.text(self.view.unalias(target));
                found.entry(target).or_insert(&ty.docs);
            }
        }
        found
    }

    fn is_visible(&self, ty: &Type) -> bool {
        self.is_seen(&ty.name.package)
    }

    /// Whether openapi-gen sees the types and constants of a package.
    pub(super) fn is_seen(&self, package: &str) -> bool {
        self.visible.contains(package)
    }

    /// The comment of a type, if openapi-gen sees it.
    pub(super) fn docs_of(&self, of: &TypeRef) -> Option<&'a Docs> {
        let of = self.view.unalias(of);
        if let TypeRef::Named(id) = of {
            let ty = self.schema.ty(*id);
            if self.is_visible(ty) && ty.docs.text.is_some() {
                return Some(&ty.docs);
            }
        }
        if self.aliases.is_empty() {
            None
        } else {
            self.aliases.get(&self.view.text(of)).copied()
        }
    }

    /// Whether the markers of a type and its package enable openapi-gen.
    fn wants(&self, package: &Package, ty: &Type) -> bool {
        match package.options.openapi {
            Some(true) => ty.options.openapi != Some(false),
            None if self.scope == Scope::Served && package.input => ty.options.openapi != Some(false),
            _ => ty.options.openapi == Some(true),
        }
    }

    /// Whether openapi-gen is enabled for the type in the input packages (kube-openapi `apiTypeFilterFunc`).
    pub(super) fn is_asked(&self, id: TypeId) -> bool {
        let ty = self.schema.ty(id);
        let input = |package: &&&Package| package.input;
        let package = self.packages.get(&*ty.name.package).filter(input);
        package.is_some_and(|package| self.wants(package, ty)) && self.is_definition(id)
    }

    /// Whether the type has a definition, in the input packages or in a library.
    pub(super) fn is_published(&self, id: TypeId) -> bool {
        let ty = self.schema.ty(id);
        let package = self.packages.get(&*ty.name.package);
        let wanted =
            LIBRARY.contains(&&*ty.name.package) || package.is_some_and(|package| self.wants(package, ty));
        wanted && self.is_visible(ty) && self.is_definition(id)
    }

    /// The structs of the input packages that openapi-gen is enabled for, unexported ones included, by Go path.
    pub(super) fn sorted(&self) -> Vec<TypeId> {
        let wanted = self.schema.types().filter(|(id, ty)| {
            let package = self.packages.get(&*ty.name.package);
            package.is_some_and(|package| package.input && self.wants(package, ty)) && self.is_struct(*id)
        });
        let mut wanted: Vec<(String, TypeId)> = wanted.map(|(id, ty)| (ty.name.to_string(), id)).collect();
        wanted.sort();
        wanted.into_iter().map(|(_, id)| id).collect()
    }

    /// Whether openapi-gen calls `OpenAPIModelName` for the name of a definition: the method is there, or a marker
    /// that generates it.
    pub(super) fn has_model_name(&self, id: TypeId) -> bool {
        let ty = self.schema.ty(id);
        let package = self.packages.get(&*ty.name.package);
        let marked = package.is_some_and(|package| {
            package.input && (package.options.model_package.is_some() || ty.options.model_package.is_some())
        });
        marked || ty.has_method("OpenAPIModelName")
    }

    fn is_definition(&self, id: TypeId) -> bool {
        self.schema.ty(id).name.is_exported() && self.is_struct(id)
    }

    /// Whether it is a struct with a name of its own.
    pub(super) fn is_struct(&self, id: TypeId) -> bool {
        let ty = self.schema.ty(id);
        let name = &*ty.name.name;
        let is_own =
            !ty.anonymous && !name.contains('[') && !matches!(ty.shape, Shape::Alias(_) | Shape::Hole);
        is_own && !name.starts_with("codecSelfer") && self.view.kind(&TypeRef::Named(id)) == GoKind::Struct
    }

    /// The name of a definition: its model name, otherwise derived from its Go path.
    pub(super) fn name(&self, id: TypeId, names: Names) -> String {
        let ty = self.schema.ty(id);
        let path = || ty.name.to_string();
        match names {
            Names::Friendly => self.model_name(ty).unwrap_or_else(|| friendly(&path())),
            Names::Go => self.model_name(ty).unwrap_or_else(path),
        }
    }

    fn model_name(&self, ty: &Type) -> Option<String> {
        let method = ty
            .methods
            .iter()
            .find(|method| &*method.name == "OpenAPIModelName");
        if let Some([name]) = method.and_then(|method| method.returns.as_deref()) {
            return Some(name.to_string());
        }
        let package = || {
            self.packages
                .get(&*ty.name.package)?
                .options
                .model_package
                .as_ref()
        };
        let model = ty.options.model_package.as_ref().or_else(package);
        match model {
            Some(model) => Some(format!("{model}.{}", ty.name.name)),
            // Kubernetes' own packages all have one: their path in reverse domain order.
            None if ty.name.package.starts_with("k8s.io/") => Some(friendly(&ty.name.to_string())),
            None => None,
        }
    }
}

/// A Go path as a definition name (kube-openapi `util.ToRESTFriendlyName`): `k8s.io/api/core/v1.Pod` is
/// `io.k8s.api.core.v1.Pod`.
pub(super) fn friendly(path: &str) -> String {
    let (host, rest) = match path.split_once('/') {
        Some((host, rest)) => (host, Some(rest)),
        None => (path, None),
    };
    let mut name = host.rsplit('.').collect::<Vec<_>>().join(".");
    if let Some(rest) = rest {
        name.push('.');
        name.push_str(&rest.replace('/', "."));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::friendly;

    #[test]
    fn paths_become_names() {
        for (path, name) in [
            ("k8s.io/api/core/v1.Pod", "io.k8s.api.core.v1.Pod"),
            (
                "csi.storage.k8s.io/v1alpha1.CSINodeInfo",
                "io.k8s.storage.csi.v1alpha1.CSINodeInfo",
            ),
            ("local/v1.T", "local.v1.T"),
        ] {
            assert_eq!(friendly(path), name);
        }
    }
}
