//! The traits of API types, and the types of Rust's library that have a form in an API.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use kindsmith_rust::{GoType, Types};

/// A type that an API can use. Derive it for structs and enums.
///
/// Rules are attributes in the words of tags: `#[k8s(max_length = 63)]` is `+k8s:maxLength=63`. serde's attributes decide
/// names and whether a field may be absent; `Option` says that, too.
pub trait Schema {
    /// The type in Go. Structs and enums declare themselves.
    fn go_type(types: &mut Types) -> GoType;
}

/// A kind of an API: derive it for the type of its objects, or for that of their `spec`.
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

    /// Declares the type of its objects.
    fn declare(types: &mut Types);
}

macro_rules! scalars {
    ($($rust:ty => $go:literal)*) => {
        $(impl Schema for $rust {
            fn go_type(_: &mut Types) -> GoType {
                GoType::Scalar($go)
            }
        })*
    };
}

scalars! {
    String => "string"
    str => "string"
    char => "string"
    PathBuf => "string"
    bool => "bool"
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
    f32 => "float32"
    f64 => "float64"
}

impl Schema for serde_json::Value {
    fn go_type(_: &mut Types) -> GoType {
        GoType::imported("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSON")
    }
}

impl<T: Schema> Schema for Option<T> {
    fn go_type(types: &mut Types) -> GoType {
        T::go_type(types).or_absent()
    }
}

macro_rules! transparent {
    ($($name:ident)*) => {
        $(impl<T: Schema + ?Sized> Schema for $name<T> {
            fn go_type(types: &mut Types) -> GoType {
                T::go_type(types)
            }
        })*
    };
}

transparent! { Arc Box Rc }

impl<T: Schema + ?Sized> Schema for &T {
    fn go_type(types: &mut Types) -> GoType {
        T::go_type(types)
    }
}

macro_rules! lists {
    ($($name:ident)*) => {
        $(impl<T: Schema> Schema for $name<T> {
            fn go_type(types: &mut Types) -> GoType {
                T::go_type(types).list()
            }
        })*
    };
}

lists! { BTreeSet Vec VecDeque }

impl<T: Schema, S> Schema for HashSet<T, S> {
    fn go_type(types: &mut Types) -> GoType {
        T::go_type(types).list()
    }
}

impl<T: Schema> Schema for [T] {
    fn go_type(types: &mut Types) -> GoType {
        T::go_type(types).list()
    }
}

impl<T: Schema, const N: usize> Schema for [T; N] {
    fn go_type(types: &mut Types) -> GoType {
        T::go_type(types).list()
    }
}

impl<K: Schema, V: Schema> Schema for BTreeMap<K, V> {
    fn go_type(types: &mut Types) -> GoType {
        let key = K::go_type(types);
        V::go_type(types).map_from(key)
    }
}

impl<K: Schema, V: Schema, S> Schema for HashMap<K, V, S> {
    fn go_type(types: &mut Types) -> GoType {
        let key = K::go_type(types);
        V::go_type(types).map_from(key)
    }
}
