//! Run-time values: small, copied freely, reading JSON in place.
//!
//! Knows how values are represented, not the operations on them. Errors are values too, so that `&&` and `||` can
//! absorb them.

use std::cmp::Ordering;
use std::fmt;
use std::net::IpAddr;

use kindsmith_formats::named::Named;
use kindsmith_formats::quantity::Quantity;
use kindsmith_formats::semver::Version;
use kindsmith_gostd::cidr::Prefix;
use kindsmith_gostd::url::Url;
use kindsmith_json::{Arena, Object, Value as Json};

use crate::access;
use crate::types::decl::Node;

/// A run-time value. Everything it refers to lives in the object, the program or the evaluation's arena.
///
/// The tag takes a whole word: with a smaller one, values are moved in odd pieces, which stalls the processor.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
#[allow(missing_docs)]
pub enum Value<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(&'a str),
    Bytes(&'a [u8]),
    /// Nanoseconds.
    Duration(i64),
    Timestamp(Time),
    /// A type by its name.
    Type(&'a str),
    /// A list made by an expression.
    List(&'a [Value<'a>]),
    /// A list literal of constants.
    ConstList(&'a [Const]),
    /// The union of a set list with another list.
    SetList(&'a [Value<'a>]),
    /// A map list with another list merged into it.
    MapList(&'a MapList<'a>),
    /// Two lists, the second behind the first, and the number of their elements: a list joined with itself again and
    /// again would take exponential time to count.
    Concat(&'a (Value<'a>, Value<'a>, u64)),
    /// A list of the object: the array and the list's node.
    JsonList(&'a Json<'a>, &'a Node),
    /// A map made by an expression.
    Map(&'a Map<'a>),
    /// A map or object in the validated object.
    JsonMap(&'a Json<'a>, &'a Node),
    Optional(Option<&'a Value<'a>>),
    /// A value of a Kubernetes library type.
    Ext(&'a Ext),
    /// Data that the schema does not describe.
    Opaque(&'a Json<'a>),
    /// A message that a mutation makes: `Object{...}` or `JSONPatch{...}`.
    Record(&'a Record<'a>),
    /// The variables of an admission policy, which are evaluated when they are read.
    Variables,
    /// The list under construction in a loop, by the number of its loop variable.
    ListAccumulator(u32),
    /// The map under construction in a loop.
    MapAccumulator(u32),
    /// An error with Kubernetes' message.
    Error(&'a str),
}

/// A point in time with the offset it was written with.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Nanoseconds within the second.
    pub nanos: u32,
    /// Seconds east of Greenwich, used when printing.
    pub offset: i32,
}

impl Time {
    /// Whether two times are the same moment.
    pub fn same(self, other: Time) -> bool {
        self.order(other) == Ordering::Equal
    }

    /// Which moment is earlier.
    pub fn order(self, other: Time) -> Ordering {
        (self.seconds, self.nanos).cmp(&(other.seconds, other.nanos))
    }
}

/// A list whose elements are identified by key properties.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct MapList<'a> {
    pub elements: &'a [Value<'a>],
    pub keys: &'a [&'a str],
}

/// A message that a mutation makes.
#[derive(Debug)]
pub struct Record<'a> {
    /// The name of its type.
    pub name: &'a str,
    /// The fields that are set.
    pub fields: &'a [(&'a str, Value<'a>)],
}

impl<'a> Record<'a> {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<Value<'a>> {
        let found = self.fields.iter().find(|(field, _)| *field == name);
        found.map(|(_, value)| *value)
    }
}

/// A value of a Kubernetes library type.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Ext {
    Ip(IpAddr),
    Cidr(Prefix),
    /// The flag is set for results of arithmetic: cel-go keeps those behind a pointer, so they equal nothing.
    Quantity(Quantity, bool),
    Url(Url),
    Semver(Version),
    Format(&'static Named),
    /// An empty protobuf message.
    Empty,
    /// The user in question, and what was asked so far.
    Access(Box<access::Question>),
    /// What the authorizer answered.
    Decision(access::Decision),
}

impl Ext {
    /// The name of the run-time type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Ext::Ip(_) => "net.IP",
            Ext::Cidr(_) => "net.CIDR",
            Ext::Quantity(..) => "kubernetes.Quantity",
            Ext::Url(_) => "kubernetes.URL",
            Ext::Semver(_) => "kubernetes.Semver",
            Ext::Format(_) => "kubernetes.NamedFormat",
            Ext::Empty => "google.protobuf.Empty",
            Ext::Access(question) => question.type_name(),
            Ext::Decision(_) => "kubernetes.authorization.Decision",
        }
    }
}

impl fmt::Display for Ext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ext::Ip(ip) => write!(f, "{ip}"),
            Ext::Cidr(prefix) => write!(f, "{prefix}"),
            Ext::Quantity(quantity, _) => write!(f, "{quantity}"),
            Ext::Url(url) => write!(f, "{url}"),
            Ext::Semver(version) => write!(f, "{version}"),
            Ext::Format(format) => f.write_str(format.name),
            Ext::Empty => Ok(()),
            Ext::Access(_) | Ext::Decision(_) => f.write_str(self.type_name()),
        }
    }
}

/// A map with its entries in insertion order and an index over the keys that can be found.
#[derive(Debug, Default)]
pub struct Map<'a> {
    /// The entries in order.
    pub entries: &'a [(Value<'a>, Value<'a>)],
    /// Positions of entries sorted by key, without keys that equal nothing.
    pub order: &'a [u32],
}

impl<'a> Map<'a> {
    /// A map of entries without two equal keys.
    pub fn of(arena: &'a Arena, entries: &[(Value<'a>, Value<'a>)]) -> Map<'a> {
        let entries = arena.alloc_slice_copy(entries);
        let mut order: Vec<u32> = (0..entries.len() as u32)
            .filter(|at| Key::new(entries[*at as usize].0).is_some())
            .collect();
        order.sort_by(|a, b| Key::new(entries[*a as usize].0).cmp(&Key::new(entries[*b as usize].0)));
        Map {
            entries,
            order: arena.alloc_slice_copy(&order),
        }
    }

    /// The value under exactly this key; numbers of other types are not looked for.
    pub fn exact(&self, key: Value<'_>) -> Option<Value<'a>> {
        let key = Key::new(key)?;
        let found = self.order.binary_search_by(|at| {
            Key::new(self.entries[*at as usize].0).map_or(Ordering::Less, |entry| entry.cmp(&key))
        });
        found.ok().map(|at| self.entries[self.order[at] as usize].1)
    }

    /// The value under a key equal to this one.
    pub fn find(&self, key: Value<'_>) -> Option<Value<'a>> {
        if let Some(found) = self.exact(key) {
            return Some(found);
        }
        match key {
            Value::Double(d) => {
                let as_int = lossless_int(d).and_then(|i| self.exact(Value::Int(i)));
                as_int.or_else(|| lossless_uint(d).and_then(|u| self.exact(Value::Uint(u))))
            }
            Value::Int(i) => u64::try_from(i).ok().and_then(|u| self.exact(Value::Uint(u))),
            Value::Uint(u) => i64::try_from(u).ok().and_then(|i| self.exact(Value::Int(i))),
            _ => None,
        }
    }
}

/// A key that can be found again: ordered by type, then value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Key<'k> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    /// The bits of a double that is a number, zero without sign.
    Double(u64),
    String(&'k str),
    Duration(i64),
    Timestamp(i64, u32, i32),
    /// Bytes are members of sets, never keys of maps.
    Bytes(&'k [u8]),
    Type(&'k str),
}

impl<'k> Key<'k> {
    /// The key of a value; `None` for values that do not equal themselves.
    pub fn new(value: Value<'k>) -> Option<Key<'k>> {
        Some(match value {
            Value::Null => Key::Null,
            Value::Bool(b) => Key::Bool(b),
            Value::Int(i) => Key::Int(i),
            Value::Uint(u) => Key::Uint(u),
            Value::Double(d) if d.is_nan() => return None,
            Value::Double(d) => Key::Double(if d == 0.0 { 0 } else { d.to_bits() }),
            Value::String(s) => Key::String(s),
            Value::Duration(d) => Key::Duration(d),
            Value::Timestamp(t) => Key::Timestamp(t.seconds, t.nanos, t.offset),
            Value::Bytes(b) => Key::Bytes(b),
            Value::Type(name) => Key::Type(name),
            _ => return None,
        })
    }
}

/// A constant of a program.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Const {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(std::sync::Arc<str>),
    Bytes(std::sync::Arc<[u8]>),
    Duration(i64),
    Timestamp(Time),
    Type(std::sync::Arc<str>),
    List(Box<[Const]>),
    Map(Box<[(Const, Const)]>),
    Error(std::sync::Arc<str>),
}

impl<'a> Value<'a> {
    /// The boolean, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// Whether this is an error.
    #[inline]
    pub fn is_error(self) -> bool {
        matches!(self, Value::Error(_))
    }

    /// The name of the run-time type.
    pub fn type_name(self) -> &'a str {
        match self {
            Value::Null => "null_type",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Uint(_) => "uint",
            Value::Double(_) => "double",
            Value::String(_) => "string",
            Value::Bytes(_) => "bytes",
            Value::Duration(_) => "google.protobuf.Duration",
            Value::Timestamp(_) => "google.protobuf.Timestamp",
            Value::Type(_) => "type",
            Value::List(_)
            | Value::ConstList(_)
            | Value::SetList(_)
            | Value::MapList(_)
            | Value::Concat(_)
            | Value::JsonList(..)
            | Value::ListAccumulator(_) => "list",
            Value::Map(_) | Value::JsonMap(..) | Value::MapAccumulator(_) => "map",
            Value::Optional(_) => "optional_type",
            Value::Ext(ext) => ext.type_name(),
            Value::Opaque(_) => "unknown",
            Value::Record(record) => record.name,
            Value::Variables => "kubernetes.variables",
            Value::Error(_) => "error",
        }
    }

    /// Whether this is any sort of list.
    #[inline]
    pub fn is_list(self) -> bool {
        matches!(
            self,
            Value::JsonList(..)
                | Value::List(_)
                | Value::ConstList(_)
                | Value::SetList(_)
                | Value::MapList(_)
                | Value::Concat(_)
                | Value::ListAccumulator(_)
        )
    }

    /// Whether this is any sort of map.
    #[inline]
    pub fn is_map(self) -> bool {
        matches!(
            self,
            Value::JsonMap(..) | Value::Map(_) | Value::MapAccumulator(_)
        )
    }

    /// The number of characters, bytes, elements or entries of what has a size.
    pub fn size(self) -> Option<u64> {
        Some(match self {
            Value::String(s) => rune_count(s),
            Value::Bytes(b) => b.len() as u64,
            Value::List(l) | Value::SetList(l) => l.len() as u64,
            Value::MapList(l) => l.elements.len() as u64,
            Value::ConstList(l) => l.len() as u64,
            Value::Concat(pair) => pair.2,
            Value::JsonList(list, _) => list.as_array().map_or(0, <[Json<'_>]>::len) as u64,
            Value::Map(map) => map.entries.len() as u64,
            Value::JsonMap(map, _) => map.as_object().map_or(0, Object::len) as u64,
            _ => return None,
        })
    }
}

/// The number of code points; most strings are ASCII, where bytes are code points.
pub fn rune_count(text: &str) -> u64 {
    if text.is_ascii() {
        text.len() as u64
    } else {
        text.chars().count() as u64
    }
}

/// The integer with the same value as a double, if there is one.
pub(crate) fn lossless_int(d: f64) -> Option<i64> {
    let i = double_to_int(d)?;
    (i as f64 == d).then_some(i)
}

/// The unsigned integer with the same value as a double, if there is one.
pub(crate) fn lossless_uint(d: f64) -> Option<u64> {
    let u = double_to_uint(d)?;
    (u as f64 == d).then_some(u)
}

/// The integer part of a double that is in range.
pub(crate) fn double_to_int(d: f64) -> Option<i64> {
    // The bounds are exclusive on both sides, as in cel-go.
    (d > i64::MIN as f64 && d < i64::MAX as f64).then_some(d as i64)
}

/// The integer part of a double that is in range and not negative.
pub(crate) fn double_to_uint(d: f64) -> Option<u64> {
    (d >= 0.0 && d < u64::MAX as f64).then_some(d as u64)
}

const _: () = assert!(
    size_of::<Value<'_>>() <= 24,
    "values are copied everywhere: keep them small"
);

/// A scalar of the data as a key: numbers of different kinds differ.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum RawKey<'a> {
    Bool(bool),
    Int(i64),
    Float(u64),
    Str(&'a str),
}

impl<'a> RawKey<'a> {
    pub(crate) fn new(json: Json<'a>) -> Option<RawKey<'a>> {
        Some(match json {
            Json::Bool(truth) => RawKey::Bool(truth),
            Json::Int(number) => RawKey::Int(number),
            Json::Uint(number) => RawKey::Float((number as f64).to_bits()),
            Json::Float(number) => RawKey::Float(number.to_bits()),
            Json::Str(text) => RawKey::Str(text),
            _ => return None,
        })
    }

    /// A value as a key among scalars of the data.
    pub(crate) fn of(value: Value<'a>) -> Option<RawKey<'a>> {
        Some(match value {
            Value::Bool(truth) => RawKey::Bool(truth),
            Value::Int(number) => RawKey::Int(number),
            Value::Double(number) => RawKey::Float(number.to_bits()),
            Value::String(text) => RawKey::Str(text),
            _ => return None,
        })
    }
}
