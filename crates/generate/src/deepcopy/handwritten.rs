//! Methods that are written by hand: `DeepCopy` and `DeepCopyInto` with the signature that generated code relies on.
//! Methods of embedded types do not count, and generated ones are not part of the build.

use kindsmith_go::package::Package;
use kindsmith_go::syntax::{File, Func, TypeId, TypeKind};
use kindsmith_go::types::{GoType, Named, Types};

/// The receiver of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Receiver {
    Value,
    Pointer,
}

/// The methods of a type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Handwritten {
    /// `DeepCopy`, by its receiver.
    pub(super) copy: Option<Receiver>,
    /// Whether there is a `DeepCopyInto`.
    pub(super) into: bool,
}

impl Handwritten {
    /// Whether there is any: the other one is generated.
    pub(super) fn any(self) -> bool {
        self.copy.is_some() || self.into
    }
}

/// The methods of a type, or of the type that it points to.
pub(super) fn of(types: &mut Types<'_, '_>, ty: &GoType) -> Handwritten {
    let ty = types.unaliased(ty);
    let (target, is_pointer) = match &ty {
        GoType::Pointer(inner) => (types.unaliased(inner), true),
        _ => (ty, false),
    };
    let GoType::Named(named) = target else {
        return Handwritten::default();
    };
    match types.underlying(&GoType::Named(named.clone())) {
        GoType::Interface(text) if !is_pointer => of_interface(&named, &text),
        _ => of_declared(&named.package, &named.name),
    }
}

fn of_declared(package: &Package, name: &str) -> Handwritten {
    let method = |method| package.method(name, method);
    Handwritten {
        copy: method("DeepCopy").and_then(|(file, func)| copy(file, func, name)),
        into: method("DeepCopyInto").is_some_and(|(file, func)| is_into(file, func, name)),
    }
}

/// `func (in T) DeepCopy() T` or `func (in *T) DeepCopy() *T`.
fn copy(file: &File, func: &Func, name: &str) -> Option<Receiver> {
    let [result] = file.params(func.results) else {
        return None;
    };
    if !func.params.is_empty() {
        return None;
    }
    let receiver = if func.receiver?.pointer {
        Receiver::Pointer
    } else {
        Receiver::Value
    };
    let returned = match (receiver, file.ty(result.ty).kind) {
        (Receiver::Pointer, TypeKind::Pointer(inner)) => inner,
        (Receiver::Value, _) => result.ty,
        (Receiver::Pointer, _) => return None,
    };
    is_named(file, returned, name).then_some(receiver)
}

/// `func (in T) DeepCopyInto(out *T)`, by value or pointer.
fn is_into(file: &File, func: &Func, name: &str) -> bool {
    let [parameter] = file.params(func.params) else {
        return false;
    };
    match file.ty(parameter.ty).kind {
        TypeKind::Pointer(inner) => {
            func.results.is_empty() && !parameter.variadic && is_named(file, inner, name)
        }
        _ => false,
    }
}

/// Whether a type expression is this type of the same package, with or without type arguments.
fn is_named(file: &File, id: TypeId, name: &str) -> bool {
    let ty = file.ty(id);
    match ty.kind {
        TypeKind::Name => file.text(ty.span) == name,
        TypeKind::Generic { base, .. } => file.text(file.ty(base).span) == name,
        _ => false,
    }
}

/// An interface whose own methods copy it.
fn of_interface(named: &Named, text: &str) -> Handwritten {
    let name = &named.name;
    let has = |method: &str| {
        text.split(['\n', ';', '{', '}'])
            .any(|line| line.trim() == method)
    };
    let into = |line: &str| {
        let parameter = line
            .trim()
            .strip_prefix("DeepCopyInto(")
            .and_then(|rest| rest.strip_suffix(')'));
        parameter.is_some_and(|parameter| parameter.rsplit(' ').next() == Some(&format!("*{name}")))
    };
    Handwritten {
        copy: has(&format!("DeepCopy() {name}")).then_some(Receiver::Value),
        into: text.split(['\n', ';', '{', '}']).any(into),
    }
}
