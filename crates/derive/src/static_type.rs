//! Rust types as the macro sees them: by name. What a name means is known only later, so others stay open.

use kindsmith_rust::GoType;
use syn::{GenericArgument, PathArguments, Type, TypePath};

/// `metav1`, in Go.
pub(crate) const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";

/// The Go type of a Rust type, as far as names tell: other names are those of types that are not declared.
pub(crate) fn go_type(ty: &Type, leaf: Option<&str>) -> GoType {
    match wrapper(ty) {
        Wrapper::Option(inner) => go_type(inner, leaf).or_absent(),
        Wrapper::Box(inner) => go_type(inner, leaf),
        Wrapper::List(inner) => go_type(inner, leaf).list(),
        Wrapper::Map(key, value) => go_type(value, leaf).map_from(go_type(key, None)),
        Wrapper::None => match leaf {
            Some(leaf) => GoType::parse(leaf),
            None => known(ty).unwrap_or_else(|| GoType::Named(last(ty).into())),
        },
    }
}

/// Whether names tell what the type is.
pub(crate) fn is_known(ty: &Type, leaf: Option<&str>) -> bool {
    match wrapper(ty) {
        Wrapper::Option(inner) | Wrapper::Box(inner) | Wrapper::List(inner) => is_known(inner, leaf),
        Wrapper::Map(key, value) => is_known(key, None) && is_known(value, leaf),
        Wrapper::None => matches!(known(ty), Some(GoType::Scalar(_))) && leaf.is_none(),
    }
}

pub(crate) fn is_option(ty: &Type) -> bool {
    matches!(wrapper(ty), Wrapper::Option(_))
}

/// Whether the value, below options and lists, is a float.
pub(crate) fn is_float(ty: &Type) -> bool {
    match wrapper(ty) {
        Wrapper::Option(inner) | Wrapper::Box(inner) | Wrapper::List(inner) => is_float(inner),
        Wrapper::Map(_, value) => is_float(value),
        Wrapper::None => matches!(last(ty).as_str(), "f32" | "f64"),
    }
}

/// Whether the value is in a pointer that others may share.
pub(crate) fn is_shared(ty: &Type) -> bool {
    match wrapper(ty) {
        Wrapper::Option(inner) => is_shared(inner),
        Wrapper::Box(_) => matches!(last(ty).as_str(), "Arc" | "Rc"),
        _ => false,
    }
}

/// Whether it is a set, whose items are unique.
pub(crate) fn is_set(ty: &Type) -> bool {
    match wrapper(ty) {
        Wrapper::Option(inner) | Wrapper::Box(inner) => is_set(inner),
        _ => matches!(last(ty).as_str(), "BTreeSet" | "HashSet"),
    }
}

/// The Go type of a Rust type that its path tells: those of `k8s_openapi`, and times.
pub(crate) fn foreign(ty: &Type) -> Option<String> {
    match wrapper(ty) {
        Wrapper::Option(inner) | Wrapper::Box(inner) | Wrapper::List(inner) => return foreign(inner),
        Wrapper::Map(_, value) => return foreign(value),
        Wrapper::None => {}
    }
    let Type::Path(path) = ty else {
        return None;
    };
    let names: Vec<String> = path
        .path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["k8s_openapi", "api", group, version, name] => Some(format!("k8s.io/api/{group}/{version}.{name}")),
        ["k8s_openapi", "apimachinery", path @ .., name] => {
            Some(format!("k8s.io/apimachinery/{}.{name}", path.join("/")))
        }
        ["k8s_openapi", "ByteString"] => None,
        [.., "DateTime"] | ["jiff", "Timestamp"] => Some(format!("{META}.Time")),
        _ => None,
    }
}

/// What a type is around another.
pub(crate) enum Wrapper<'t> {
    Option(&'t Type),
    Box(&'t Type),
    List(&'t Type),
    Map(&'t Type, &'t Type),
    None,
}

pub(crate) fn wrapper(ty: &Type) -> Wrapper<'_> {
    let path = match ty {
        Type::Path(path) => path,
        Type::Array(array) => return Wrapper::List(&array.elem),
        Type::Slice(slice) => return Wrapper::List(&slice.elem),
        Type::Group(group) => return wrapper(&group.elem),
        Type::Paren(paren) => return wrapper(&paren.elem),
        Type::Reference(reference) => return Wrapper::Box(&reference.elem),
        _ => return Wrapper::None,
    };
    match (last_segment(path).as_str(), arguments(path).as_slice()) {
        ("Option", [inner]) => Wrapper::Option(inner),
        ("Box" | "Arc" | "Rc", [inner]) => Wrapper::Box(inner),
        ("Vec" | "VecDeque" | "BTreeSet" | "HashSet", [inner, ..]) => Wrapper::List(inner),
        ("BTreeMap" | "HashMap" | "IndexMap", [key, value, ..]) => Wrapper::Map(key, value),
        _ => Wrapper::None,
    }
}

/// The last name of a path.
pub(crate) fn last(ty: &Type) -> String {
    match ty {
        Type::Path(path) => last_segment(path),
        Type::Group(group) => last(&group.elem),
        Type::Paren(paren) => last(&paren.elem),
        _ => "Unknown".to_owned(),
    }
}

fn known(ty: &Type) -> Option<GoType> {
    if let Some(foreign) = foreign(ty) {
        return Some(GoType::parse(&foreign));
    }
    Some(match last(ty).as_str() {
        "String" | "str" | "char" | "PathBuf" => GoType::Scalar("string"),
        "bool" => GoType::Scalar("bool"),
        "i8" => GoType::Scalar("int8"),
        "i16" => GoType::Scalar("int16"),
        "i32" => GoType::Scalar("int32"),
        "i64" | "isize" => GoType::Scalar("int64"),
        "u8" => GoType::Scalar("uint8"),
        "u16" => GoType::Scalar("uint16"),
        "u32" => GoType::Scalar("uint32"),
        "u64" | "usize" => GoType::Scalar("uint64"),
        "f32" => GoType::Scalar("float32"),
        "f64" => GoType::Scalar("float64"),
        _ => return None,
    })
}

fn last_segment(path: &TypePath) -> String {
    path.path
        .segments
        .last()
        .map_or_else(String::new, |segment| segment.ident.to_string())
}

fn arguments(path: &TypePath) -> Vec<&Type> {
    match path.path.segments.last().map(|segment| &segment.arguments) {
        Some(PathArguments::AngleBracketed(given)) => given
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
