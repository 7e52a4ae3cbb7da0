//! What makes a type a kind: its names, and the markers of its CRD.

use proc_macro2::Span;
use syn::{DeriveInput, Type};

use crate::attribute::{Part, Value, docs, parts};
use crate::description::{Described, Member, Shape, TagLine, Use};
use crate::field::tags;
use crate::item;
use crate::kube;
use crate::static_type::last;
use crate::vocabulary::OF_ROOT;

/// A kind, with the type of its objects.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    /// The import path in Go, if it is not made of group and version.
    pub(crate) package: String,
    /// The type of the objects.
    pub(crate) root: Described,
    /// The type with the attributes, if it is that of `spec`.
    pub(crate) spec: Option<Described>,
    /// The type that `kube::CustomResource` makes, if it is there.
    pub(crate) made_by_kube: Option<syn::Ident>,
    /// Whether it has the subresource `scale`.
    pub(crate) has_scale: bool,
    /// Whether its objects are for the whole cluster.
    pub(crate) is_cluster: bool,
}

pub(crate) fn describe(input: &DeriveInput) -> syn::Result<Kind> {
    let mut described = item::describe_without(input, OF_ROOT)?;
    let of_kube = parts(&input.attrs, "kube")?;
    let made_by_kube = made_by_kube(input, &of_kube)?;
    let all = merged(kube::translate(of_kube)?, parts(&input.attrs, "k8s")?);
    let text = |name: &str| {
        all.iter()
            .find(|part| part.is(name))
            .map(Part::need_text)
            .transpose()
    };
    let need = |name: &str| {
        text(name)?.ok_or_else(|| {
            let message = format!("a resource has a {name}: `#[k8s({name} = \"…\")]`");
            syn::Error::new(input.ident.span(), message)
        })
    };
    let (group, version) = (need("group")?, need("version")?);
    // The spec of a kind may have such a field, too; then it has another name than the kind.
    let has_metadata = matches!(&described.shape, Shape::Struct(members) if members.iter().any(|member| member.name == "metadata"));
    let names_other = text("kind")?.is_some_and(|kind| input.ident != kind);
    let is_root = has_metadata && made_by_kube.is_none() && !names_other;
    let kind = match (text("kind")?, is_root) {
        (Some(kind), _) => kind,
        (None, true) => input.ident.to_string(),
        (None, false) => {
            let message =
                "a spec names its kind: `#[k8s(kind = \"…\")]`; or derive it for a struct with `metadata`";
            return Err(syn::Error::new(input.ident.span(), message));
        }
    };
    let status = all.iter().find(|part| part.is("status"));
    let find = |name: &str| all.iter().any(|part| part.is(name));
    // kube's kinds are for the whole cluster unless they say otherwise, controller-gen's the other way round.
    let is_cluster = find("cluster") || (made_by_kube.is_some() && !find("namespaced"));
    let mut markers = markers(&all, is_cluster, input.ident.span())?;
    let (root, spec) = if is_root {
        (rooted(described), None)
    } else {
        let default = all.iter().find(|part| part.is("status_default"));
        let mut root = around(input, &kind, status, default)?;
        if let Some(text) = text("doc")? {
            root.docs = text;
        }
        if let Some(text) = text("spec_description")? {
            described.docs = text;
        }
        (root, Some(described))
    };
    let mut root = root;
    if matches!(&root.shape, Shape::Struct(members) if members.iter().any(|member| member.name == "status"))
        || status.is_some()
    {
        markers.push(line("kubebuilder:subresource:status", input.ident.span()));
    }
    let of_root: Vec<Part> = all
        .iter()
        .filter(|part| is_of_root(part, &spec))
        .cloned()
        .collect();
    markers.extend(tags(&of_root, false)?);
    markers.append(&mut root.tags);
    root.tags = markers;
    Ok(Kind {
        package: text("package")?.unwrap_or_default(),
        has_scale: find("scale"),
        is_cluster,
        group,
        version,
        kind,
        root,
        spec,
        made_by_kube,
    })
}

/// What `#[kube(…)]` says, and what `#[k8s(…)]` says, which replaces it.
fn merged(mut all: Vec<Part>, own: Vec<Part>) -> Vec<Part> {
    let repeats = [
        "annotations",
        "labels",
        "print_column",
        "rule",
        "selectable_field",
    ];
    for part in own {
        all.retain(|known| {
            !known.is_of_kube || known.name != part.name || repeats.iter().any(|name| part.is(name))
        });
        all.push(part);
    }
    all
}

/// Attributes for the root's own tags; rules are about the spec, unless kube has them.
fn is_of_root(part: &Part, spec: &Option<Described>) -> bool {
    let name = part.name.as_deref().unwrap_or_default();
    OF_ROOT.contains(&name) || (name == "rule" && spec.is_some() && part.is_of_kube)
}

fn made_by_kube(input: &DeriveInput, parts: &[Part]) -> syn::Result<Option<syn::Ident>> {
    if parts.is_empty() {
        return Ok(None);
    }
    let named = |name: &str| {
        parts
            .iter()
            .find(|part| part.is(name))
            .map(Part::need_text)
            .transpose()
    };
    let Some(name) = named("root")?.or(named("struct")?).or(named("kind")?) else {
        return Ok(None);
    };
    let name = syn::Ident::new(&name, input.ident.span());
    Ok((name != input.ident).then_some(name))
}

/// Names and scope.
fn markers(all: &[Part], is_cluster: bool, span: Span) -> syn::Result<Vec<TagLine>> {
    let find = |name: &str| all.iter().find(|part| part.is(name));
    let mut arguments = Vec::new();
    for (name, argument) in [("plural", "path"), ("singular", "singular")] {
        if let Some(part) = find(name) {
            arguments.push(format!("{argument}={}", part.need_text()?));
        }
    }
    for (name, argument) in [("short_names", "shortName"), ("categories", "categories")] {
        if let Some(part) = find(name) {
            arguments.push(format!("{argument}={}", part.need_texts()?.join(";")));
        }
    }
    if is_cluster {
        arguments.push("scope=Cluster".to_owned());
    }
    let mut found = vec![line("kubebuilder:object:root=true", span)];
    if !arguments.is_empty() {
        found.push(line(
            &format!("kubebuilder:resource:{}", arguments.join(",")),
            span,
        ));
    }
    Ok(found)
}

fn line(text: &str, span: Span) -> TagLine {
    TagLine {
        text: text.to_owned(),
        span,
    }
}

/// A struct with `metadata`: its objects' own type.
fn rooted(mut described: Described) -> Described {
    let Shape::Struct(members) = &mut described.shape else {
        return described;
    };
    members.retain(|member| !is_type_meta(member) && !matches!(member.name.as_str(), "apiVersion" | "kind"));
    for member in members.iter_mut().filter(|member| member.name == "metadata") {
        member.ty = Use::Go(OBJECT_META);
        member.is_optional = true;
    }
    members.insert(0, type_meta(described.span));
    described
}

const OBJECT_META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta";
const TYPE_META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1.TypeMeta";

fn is_type_meta(member: &Member) -> bool {
    member.name.is_empty() && matches!(&member.ty, Use::Rust { ty, .. } if last(innermost(ty)) == "TypeMeta")
}

fn innermost(ty: &Type) -> &Type {
    use crate::static_type::{Wrapper, wrapper};
    match wrapper(ty) {
        Wrapper::Option(inner) | Wrapper::Box(inner) => innermost(inner),
        _ => ty,
    }
}

fn type_meta(span: Span) -> Member {
    member("type_meta", "", Use::Go(TYPE_META), false, span)
}

fn member(rust_name: &str, name: &str, ty: Use, is_optional: bool, span: Span) -> Member {
    Member {
        rust_name: rust_name.to_owned(),
        span,
        name: name.to_owned(),
        docs: String::new(),
        tags: Vec::new(),
        ty,
        is_optional,
        left_out_if: None,
    }
}

/// The type of objects around a spec.
fn around(
    input: &DeriveInput,
    kind: &str,
    status: Option<&Part>,
    status_default: Option<&Part>,
) -> syn::Result<Described> {
    let span = input.ident.span();
    let ident = &input.ident;
    let spec = Use::Path {
        ty: Box::new(syn::parse_quote!(#ident)),
        is_optional: false,
    };
    let mut members = vec![
        type_meta(span),
        member("metadata", "metadata", Use::Go(OBJECT_META), true, span),
        member("spec", "spec", spec, false, span),
    ];
    if let Some(part) = status.filter(|part| !matches!(part.value, Value::None)) {
        let ty: Type =
            syn::parse_str(&part.need_text()?).map_err(|error| syn::Error::new(part.span, error))?;
        let ty = Use::Path {
            ty: Box::new(ty),
            is_optional: true,
        };
        let mut status = member("status", "status", ty, true, part.span);
        if let Some(part) = status_default
            && let Value::Literal(default) = &part.value
        {
            status
                .tags
                .push(line(&format!("default={}", default.json()), part.span));
        }
        members.push(status);
    }
    Ok(Described {
        name: kind.to_owned(),
        span,
        docs: docs(&input.attrs),
        tags: Vec::new(),
        shape: Shape::Struct(members),
    })
}
