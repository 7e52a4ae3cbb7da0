//! The traits of API types, and the types of Rust's library that have a form in an API.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use kindsmith_rust::{GoType, Types};

use super::typed::tell::{At, Name, Report};
use super::typed::{Before, Entries, Items, Literal, View};
use crate::bridge::written;

/// A type that an API can use. Derive it for structs and enums.
///
/// Rules are attributes in the words of tags: `#[k8s(max_length = 63)]` is `+k8s:maxLength=63`. serde's attributes decide
/// names and whether a field may be absent; `Option` says that, too.
///
/// A type whose form in JSON is not that of its fields implements [`go_type`](Self::go_type) by hand, with that of the form:
///
/// ```
/// use kindsmith::Schema;
/// use kindsmith::rust::{GoType, Types};
///
/// /// Written as `"10:30"`.
/// struct Clock {
///     minutes: u16,
/// }
///
/// impl Schema for Clock {
///     fn go_type(types: &mut Types) -> GoType {
///         String::go_type(types)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no form in an API",
    label = "not a type of an API",
    note = "derive `kindsmith::Schema` for a type of yours",
    note = "for a type of another crate, name its form: `#[k8s(go_type = \"string\")]`",
    note = "types of `k8s_openapi` are known by their full path, or with the feature `k8s-openapi`"
)]
pub trait Schema {
    /// The type in Go. Structs and enums declare themselves.
    fn go_type(types: &mut Types) -> GoType;

    /// Whether rules of the type are about a change that takes the value away: only types without members have such rules.
    const MINDS_REMOVAL: bool = true;

    /// Whether the engine would find nothing wrong with a value, by its own code; `false` if that is not known here.
    /// [`Validate`](super::Validate) asks the engine then.
    fn holds(&self, before: Before<'_, Self>) -> bool {
        let _ = before;
        false
    }

    /// Tells which keywords a new value does not keep, in the order of the schema.
    #[cold]
    fn tell_values(&self, before: Before<'_, Self>, name: &Name<'_>, out: &mut Report) {
        let _ = name;
        if !self.holds(before) {
            out.give_up();
        }
    }

    /// Tells what is repeated in lists of a new value, and which CEL rules it does not keep, in the order of the value.
    #[cold]
    fn tell_rules(&self, before: Before<'_, Self>, path: &At<'_>, out: &mut Report) {
        let _ = (before, path, out);
    }

    /// The value as rules see it.
    fn view(&self) -> View<'_> {
        View::Opaque
    }

    /// Fills in defaults.
    fn fill(&mut self) {}

    /// The value of a default.
    #[must_use]
    fn of_literal(default: Literal) -> Option<Self>
    where
        Self: Sized,
    {
        let _ = default;
        None
    }

    /// The kind, if the type is that of objects or of their `spec`.
    #[must_use]
    fn kind() -> Option<Kind> {
        None
    }
}

/// What a [`Resource`] is, as a value.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The group.
    pub group: &'static str,
    /// The version.
    pub version: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// The import path of its package in Go; empty if it is made of group and version.
    pub package: &'static str,
    /// Whether the type is that of `spec`, not of whole objects.
    pub is_spec: bool,
    /// Whether it has the subresource `scale`.
    pub has_scale: bool,
    /// Whether its objects live in namespaces.
    pub is_namespaced: bool,
    /// Declares the type of its objects.
    pub declare: fn(&mut Types),
}

impl Kind {
    /// The kind of a type.
    #[must_use]
    pub fn of<T: Resource>() -> Self {
        Self {
            group: T::GROUP,
            version: T::VERSION,
            kind: T::KIND,
            package: T::PACKAGE,
            is_spec: T::IS_SPEC,
            has_scale: T::HAS_SCALE,
            is_namespaced: T::IS_NAMESPACED,
            declare: T::declare,
        }
    }
}

/// A kind of an API: derive it for the type of its objects, or for that of their `spec`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of an API",
    label = "not a kind",
    note = "derive `kindsmith::Resource` for the type of its objects, or for that of their `spec`"
)]
pub trait Resource {
    /// The group.
    const GROUP: &'static str;
    /// The version.
    const VERSION: &'static str;
    /// The kind.
    const KIND: &'static str;
    /// The import path of its package in Go; empty if it is made of group and version.
    const PACKAGE: &'static str;

    /// Whether the type is that of `spec`, not of whole objects.
    const IS_SPEC: bool;
    /// Whether it has the subresource `scale`, which has rules of its own.
    const HAS_SCALE: bool = false;
    /// Whether its objects live in namespaces.
    const IS_NAMESPACED: bool = true;

    /// Declares the type of its objects.
    fn declare(types: &mut Types);
}

macro_rules! integers {
    ($($rust:ty => $go:literal)*) => {
        $(impl Schema for $rust {
            const MINDS_REMOVAL: bool = false;

            fn go_type(_: &mut Types) -> GoType {
                GoType::Scalar($go)
            }

            #[inline(always)]
            #[allow(clippy::useless_conversion, clippy::unnecessary_fallible_conversions, reason = "not for all types")]
            fn holds(&self, _: Before<'_, Self>) -> bool {
                i64::try_from(*self).is_ok()
            }

            #[inline(always)]
            #[allow(clippy::useless_conversion, clippy::unnecessary_fallible_conversions, reason = "not for all types")]
            fn view(&self) -> View<'_> {
                i64::try_from(*self).map_or(View::Opaque, View::Int)
            }

            #[inline]
            #[allow(clippy::useless_conversion, clippy::unnecessary_fallible_conversions, reason = "not for all types")]
            fn of_literal(default: Literal) -> Option<Self> {
                match default {
                    Literal::Int(number) => Self::try_from(number).ok(),
                    _ => None,
                }
            }
        })*
    };
}

integers! {
    i8 => "int8"
    i16 => "int16"
    i32 => "int32"
    i64 => "int64"
    isize => "int64"
    u8 => "uint8"
    u16 => "uint16"
    u32 => "uint32"
    u64 => "uint64"
    usize => "uint64"
}

macro_rules! floats {
    ($($rust:ty => $go:literal, $number:path;)*) => {
        $(impl Schema for $rust {
            const MINDS_REMOVAL: bool = false;

            fn go_type(_: &mut Types) -> GoType {
                GoType::Scalar($go)
            }

            #[inline(always)]
            fn holds(&self, _: Before<'_, Self>) -> bool {
                self.is_finite()
            }

            #[inline(always)]
            fn view(&self) -> View<'_> {
                if self.is_finite() { View::Float($number(*self)) } else { View::Opaque }
            }

            #[inline]
            fn of_literal(default: Literal) -> Option<Self> {
                match default {
                    Literal::Int(number) => Some(number as Self),
                    Literal::Float(number) => Some(number as Self),
                    _ => None,
                }
            }
        })*
    };
}

floats! {
    f32 => "float32", written;
    f64 => "float64", f64::from;
}

impl Schema for bool {
    const MINDS_REMOVAL: bool = false;

    fn go_type(_: &mut Types) -> GoType {
        GoType::Scalar("bool")
    }

    #[inline(always)]
    fn holds(&self, _: Before<'_, Self>) -> bool {
        true
    }

    #[inline(always)]
    fn view(&self) -> View<'_> {
        View::Bool(*self)
    }

    #[inline]
    fn of_literal(default: Literal) -> Option<Self> {
        match default {
            Literal::Bool(value) => Some(value),
            _ => None,
        }
    }
}

impl Schema for str {
    const MINDS_REMOVAL: bool = false;

    fn go_type(_: &mut Types) -> GoType {
        GoType::Scalar("string")
    }

    #[inline(always)]
    fn holds(&self, _: Before<'_, Self>) -> bool {
        true
    }
}

impl Schema for String {
    const MINDS_REMOVAL: bool = false;

    fn go_type(_: &mut Types) -> GoType {
        GoType::Scalar("string")
    }

    #[inline(always)]
    fn holds(&self, _: Before<'_, Self>) -> bool {
        true
    }

    #[inline(always)]
    fn view(&self) -> View<'_> {
        View::Text(self)
    }

    #[inline]
    fn of_literal(default: Literal) -> Option<Self> {
        match default {
            Literal::Text(text) => Some(text.to_owned()),
            _ => None,
        }
    }
}

impl Schema for char {
    const MINDS_REMOVAL: bool = false;

    fn go_type(_: &mut Types) -> GoType {
        GoType::Scalar("string")
    }

    #[inline(always)]
    fn holds(&self, _: Before<'_, Self>) -> bool {
        true
    }

    fn of_literal(default: Literal) -> Option<Self> {
        match default {
            Literal::Text(text) => text.parse().ok(),
            _ => None,
        }
    }
}

impl Schema for PathBuf {
    const MINDS_REMOVAL: bool = false;

    fn go_type(_: &mut Types) -> GoType {
        GoType::Scalar("string")
    }

    #[inline]
    fn holds(&self, _: Before<'_, Self>) -> bool {
        self.to_str().is_some()
    }

    #[inline]
    fn view(&self) -> View<'_> {
        self.to_str().map_or(View::Opaque, View::Text)
    }

    fn of_literal(default: Literal) -> Option<Self> {
        match default {
            Literal::Text(text) => Some(text.into()),
            _ => None,
        }
    }
}

impl Schema for serde_json::Value {
    const MINDS_REMOVAL: bool = false;

    fn go_type(_: &mut Types) -> GoType {
        GoType::imported("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSON")
    }

    #[inline(always)]
    fn holds(&self, _: Before<'_, Self>) -> bool {
        true
    }

    #[inline]
    fn view(&self) -> View<'_> {
        if self.is_null() {
            View::Absent
        } else {
            View::Opaque
        }
    }
}

impl<T: Schema> Schema for Option<T> {
    const MINDS_REMOVAL: bool = T::MINDS_REMOVAL;

    fn go_type(types: &mut Types) -> GoType {
        T::go_type(types).or_absent()
    }

    #[inline]
    fn holds(&self, before: Before<'_, Self>) -> bool {
        match self {
            Some(value) => value.holds(before.part(Option::as_ref)),
            None => may_be_absent(before),
        }
    }

    fn tell_values(&self, before: Before<'_, Self>, name: &Name<'_>, out: &mut Report) {
        if let Some(value) = self {
            value.tell_values(before.part(Option::as_ref), name, out);
        }
    }

    fn tell_rules(&self, before: Before<'_, Self>, path: &At<'_>, out: &mut Report) {
        if let Some(value) = self {
            value.tell_rules(before.part(Option::as_ref), path, out);
        }
    }

    #[inline(always)]
    fn view(&self) -> View<'_> {
        self.as_ref().map_or(View::Absent, Schema::view)
    }

    #[inline]
    fn fill(&mut self) {
        if let Some(value) = self {
            value.fill();
        }
    }

    #[inline]
    fn of_literal(default: Literal) -> Option<Self> {
        T::of_literal(default).map(Some)
    }
}

/// Whether no rule of a type minds that a value is not there.
#[inline]
pub fn may_be_absent<T: Schema>(before: Before<'_, Option<T>>) -> bool {
    !T::MINDS_REMOVAL || matches!(before, Before::None | Before::Some(None))
}

macro_rules! transparent {
    ($($name:ident)*) => {
        $(impl<T: Schema + ?Sized> Schema for $name<T> {
            const MINDS_REMOVAL: bool = T::MINDS_REMOVAL;

            fn go_type(types: &mut Types) -> GoType {
                T::go_type(types)
            }

            #[inline]
            fn holds(&self, before: Before<'_, Self>) -> bool {
                (**self).holds(before.part(|old| Some(&**old)))
            }

            fn tell_values(&self, before: Before<'_, Self>, name: &Name<'_>, out: &mut Report) {
                (**self).tell_values(before.part(|old| Some(&**old)), name, out);
            }

            fn tell_rules(&self, before: Before<'_, Self>, path: &At<'_>, out: &mut Report) {
                (**self).tell_rules(before.part(|old| Some(&**old)), path, out);
            }

            #[inline]
            fn view(&self) -> View<'_> {
                (**self).view()
            }

            /// Nobody else may see a value that changes.
            fn fill(&mut self) {
                if let Some(value) = $name::get_mut(self) {
                    value.fill();
                }
            }
        })*
    };
}

transparent! { Arc Rc }

impl<T: Schema> Schema for Box<T> {
    const MINDS_REMOVAL: bool = T::MINDS_REMOVAL;

    fn go_type(types: &mut Types) -> GoType {
        T::go_type(types)
    }

    #[inline]
    fn holds(&self, before: Before<'_, Self>) -> bool {
        (**self).holds(before.part(|old| Some(&**old)))
    }

    fn tell_values(&self, before: Before<'_, Self>, name: &Name<'_>, out: &mut Report) {
        (**self).tell_values(before.part(|old| Some(&**old)), name, out);
    }

    fn tell_rules(&self, before: Before<'_, Self>, path: &At<'_>, out: &mut Report) {
        (**self).tell_rules(before.part(|old| Some(&**old)), path, out);
    }

    #[inline]
    fn view(&self) -> View<'_> {
        (**self).view()
    }

    #[inline]
    fn fill(&mut self) {
        (**self).fill();
    }

    fn of_literal(default: Literal) -> Option<Self> {
        T::of_literal(default).map(Self::new)
    }
}

impl<T: Schema + ?Sized> Schema for &T {
    const MINDS_REMOVAL: bool = T::MINDS_REMOVAL;

    fn go_type(types: &mut Types) -> GoType {
        T::go_type(types)
    }

    #[inline]
    fn holds(&self, before: Before<'_, Self>) -> bool {
        (**self).holds(before.part(|old| Some(&**old)))
    }

    fn tell_values(&self, before: Before<'_, Self>, name: &Name<'_>, out: &mut Report) {
        (**self).tell_values(before.part(|old| Some(&**old)), name, out);
    }

    fn tell_rules(&self, before: Before<'_, Self>, path: &At<'_>, out: &mut Report) {
        (**self).tell_rules(before.part(|old| Some(&**old)), path, out);
    }

    #[inline]
    fn view(&self) -> View<'_> {
        (**self).view()
    }
}

macro_rules! lists {
    ($([$($parameter:tt)*] $name:ty, $fill:expr;)*) => {
        $(impl<T: Schema, $($parameter)*> Schema for $name {
            const MINDS_REMOVAL: bool = false;

            fn go_type(types: &mut Types) -> GoType {
                T::go_type(types).list()
            }

            #[inline]
            fn holds(&self, before: Before<'_, Self>) -> bool {
                self.iter().all(|item| item.view().is_there() && item.holds(before.keyed(item)))
            }

            fn tell_values(&self, before: Before<'_, Self>, name: &Name<'_>, out: &mut Report) {
                for (index, item) in self.iter().enumerate() {
                    // Nulls stay in lists.
                    if !item.view().is_there() {
                        out.give_up();
                    }
                    item.tell_values(before.keyed(item), &name.index(index), out);
                }
            }

            fn tell_rules(&self, before: Before<'_, Self>, path: &At<'_>, out: &mut Report) {
                for (index, item) in self.iter().enumerate() {
                    item.tell_rules(before.keyed(item), &path.index(index), out);
                }
            }

            #[inline(always)]
            fn view(&self) -> View<'_> {
                View::List(self)
            }

            #[inline]
            fn fill(&mut self) {
                $fill(self);
            }
        }

        impl<T: Schema, $($parameter)*> Items for $name {
            #[inline]
            fn len(&self) -> usize {
                self.iter().len()
            }

            #[inline]
            fn all<'v>(&'v self, test: &mut dyn FnMut(View<'v>) -> bool) -> bool {
                self.iter().all(|item| test(item.view()))
            }
        })*
    };
}

lists! {
    [] Vec<T>, |items: &mut Vec<T>| items.iter_mut().for_each(T::fill);
    [] VecDeque<T>, |items: &mut VecDeque<T>| items.iter_mut().for_each(T::fill);
    [const N: usize] [T; N], |items: &mut [T; N]| items.iter_mut().for_each(T::fill);
    [] BTreeSet<T>, |_| ();
    [S] HashSet<T, S>, |_| ();
}

impl<T: Schema> Schema for [T] {
    const MINDS_REMOVAL: bool = false;

    fn go_type(types: &mut Types) -> GoType {
        T::go_type(types).list()
    }

    #[inline]
    fn holds(&self, before: Before<'_, Self>) -> bool {
        self.iter()
            .all(|item| item.view().is_there() && item.holds(before.keyed(item)))
    }
}

macro_rules! maps {
    ($([$($parameter:tt)*] $name:ty;)*) => {
        $(impl<K: Schema, V: Schema, $($parameter)*> Schema for $name {
            const MINDS_REMOVAL: bool = false;

            fn go_type(types: &mut Types) -> GoType {
                let key = K::go_type(types);
                V::go_type(types).map_from(key)
            }

            #[inline]
            fn holds(&self, before: Before<'_, Self>) -> bool {
                self.values().all(|value| value.holds(before.keyed(value)))
            }

            fn tell_values(&self, before: Before<'_, Self>, name: &Name<'_>, out: &mut Report) {
                for (key, value) in self {
                    match key.view() {
                        View::Text(key) => value.tell_values(before.keyed(value), &name.dotted(key), out),
                        _ => out.give_up(),
                    }
                }
            }

            fn tell_rules(&self, before: Before<'_, Self>, path: &At<'_>, out: &mut Report) {
                for (key, value) in self {
                    match key.view() {
                        View::Text(key) => value.tell_rules(before.keyed(value), &path.key(key), out),
                        _ => out.give_up(),
                    }
                }
            }

            #[inline(always)]
            fn view(&self) -> View<'_> {
                View::Map(self)
            }

            #[inline]
            fn fill(&mut self) {
                self.values_mut().for_each(V::fill);
            }
        }

        impl<K: Schema, V: Schema, $($parameter)*> Entries for $name {
            #[inline]
            fn len(&self) -> usize {
                self.iter().len()
            }

            #[inline]
            fn all<'v>(&'v self, test: &mut dyn FnMut(View<'v>, View<'v>) -> bool) -> bool {
                self.iter().all(|(key, value)| test(key.view(), value.view()))
            }
        })*
    };
}

maps! {
    [] BTreeMap<K, V>;
    [S] HashMap<K, V, S>;
}
