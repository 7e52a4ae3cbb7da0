//! How values of a kind merge: which lists are sets or maps, what is atomic, and where unknown members are allowed.
//!
//! A [`Topology`] is compiled once from a published schema or from Go types, and shared: types are numbers into flat
//! tables, so recursive types cost nothing. It knows neither values nor managers.

mod go;
mod meta;
mod outline;
mod published;
mod zero;

use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_schema::{Json, Str};

/// The merge schema of a kind at one version.
#[derive(Debug, Clone)]
pub struct Topology {
    atoms: Vec<Atom>,
    root: AtomId,
    /// The empty object without `apiVersion` and `kind`, as compact JSON.
    empty: Str,
}

/// A type, as a position in its topology.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AtomId(u32);

/// What a value of a type may be: any of scalar, list and map (structured-merge-diff `schema.Atom`).
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Atom {
    pub(crate) scalar: Option<Scalar>,
    pub(crate) list: Option<List>,
    pub(crate) map: Option<Map>,
}

/// Which scalars a type takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    Numeric,
    String,
    Boolean,
    Untyped,
}

impl Scalar {
    const ALL: [Self; 4] = [Self::Numeric, Self::String, Self::Boolean, Self::Untyped];
}

/// How a list merges.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct List {
    pub(crate) element: AtomId,
    /// Items are identified, by keys or by value.
    pub(crate) associative: bool,
    /// Keys by name; empty for a set.
    pub(crate) keys: Vec<Key>,
    /// The names of the keys as they were declared, for messages.
    pub(crate) declared_keys: Vec<Str>,
}

/// A key of a list map.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Key {
    pub(crate) name: Str,
    /// The value for items that lack the key.
    pub(crate) default: Option<KeyDefault>,
}

/// The default of a key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum KeyDefault {
    Bool(bool),
    Int(i64),
    Str(Str),
    Other(Json),
}

/// How a map or struct merges.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Map {
    /// Declared members by name.
    pub(crate) fields: Vec<Field>,
    /// The type of other members; `None` if there are no others.
    pub(crate) element: Option<AtomId>,
    /// Merges as a whole.
    pub(crate) atomic: bool,
}

/// A declared member.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: Str,
    pub(crate) ty: AtomId,
    pub(crate) default: Option<KeyDefault>,
}

impl Topology {
    /// Any type, atomic throughout: its position in every topology.
    const UNTYPED: AtomId = AtomId(0);
    /// Any type, with granular maps and atomic lists: its position in every topology.
    pub(crate) const DEDUCED: AtomId = AtomId(1);

    /// The topology of kinds without a schema: maps merge by key, lists as a whole.
    #[must_use]
    pub fn deduced() -> Self {
        Compiler::default().finish(Self::DEDUCED, "{}".into())
    }

    /// The empty object, which a created object is compared with.
    #[must_use]
    pub fn empty<'a>(&self, arena: &'a Arena, api_version: &str, kind: &str) -> Value<'a> {
        let text = arena.alloc_str(&self.empty);
        let empty = kindsmith_json::parse_str(arena, text)
            .ok()
            .and_then(Value::as_object);
        let mut entries = vec![
            Entry {
                key: "apiVersion",
                value: Value::Str(arena.alloc_str(api_version)),
            },
            Entry {
                key: "kind",
                value: Value::Str(arena.alloc_str(kind)),
            },
        ];
        entries.extend(empty.unwrap_or_default().entries());
        Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
    }

    pub(crate) fn root(&self) -> AtomId {
        self.root
    }

    pub(crate) fn atom(&self, id: AtomId) -> &Atom {
        &self.atoms[id.0 as usize]
    }
}

impl Map {
    /// The declared member with a name.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        let found = self
            .fields
            .binary_search_by(|field| (*field.name).cmp(name))
            .ok()?;
        Some(&self.fields[found])
    }

    /// The type of a member, declared or not; `None` if the member is not allowed.
    pub(crate) fn child(&self, name: &str) -> Option<AtomId> {
        self.field(name).map(|field| field.ty).or(self.element)
    }

    /// Reports whether all members are of unknown type.
    pub(crate) fn is_untyped(&self, topology: &Topology) -> bool {
        self.fields.is_empty()
            && self.element.is_some_and(|element| {
                element == Topology::DEDUCED
                    || (element != Topology::UNTYPED
                        && topology.atom(element).scalar == Some(Scalar::Untyped))
            })
    }
}

impl KeyDefault {
    fn of(json: &Json) -> Option<Self> {
        let arena = Arena::new();
        match json.value(&arena) {
            Value::Null => None,
            Value::Bool(truth) => Some(Self::Bool(truth)),
            Value::Int(number) => Some(Self::Int(number)),
            Value::Str(text) => Some(Self::Str(text.into())),
            _ => Some(Self::Other(json.clone())),
        }
    }

    pub(crate) fn value<'a>(&self, arena: &'a Arena) -> Value<'a> {
        match self {
            Self::Bool(truth) => Value::Bool(*truth),
            Self::Int(number) => Value::Int(*number),
            Self::Str(text) => Value::Str(arena.alloc_str(text)),
            Self::Other(json) => json.value(arena),
        }
    }
}

/// A topology being compiled.
struct Compiler {
    atoms: Vec<Atom>,
}

impl Default for Compiler {
    fn default() -> Self {
        let any = |list, map| Atom {
            scalar: Some(Scalar::Untyped),
            list: Some(List {
                element: list,
                associative: false,
                keys: Vec::new(),
                declared_keys: Vec::new(),
            }),
            map: Some(Map {
                fields: Vec::new(),
                element: Some(map),
                atomic: map == Topology::UNTYPED,
            }),
        };
        Compiler {
            atoms: [
                any(Topology::UNTYPED, Topology::UNTYPED),
                any(Topology::UNTYPED, Topology::DEDUCED),
            ]
            .into_iter()
            .chain(Scalar::ALL.map(|scalar| Atom {
                scalar: Some(scalar),
                ..Atom::default()
            }))
            .collect(),
        }
    }
}

impl Compiler {
    fn add(&mut self, atom: Atom) -> AtomId {
        let id = self.reserve();
        self.atoms[id.0 as usize] = atom;
        id
    }

    /// A place for a type that is not known yet.
    fn reserve(&mut self) -> AtomId {
        let id =
            AtomId(u32::try_from(self.atoms.len()).expect("schemas have fewer types than 32 bits count"));
        self.atoms.push(Atom::default());
        id
    }

    fn fill(&mut self, id: AtomId, atom: Atom) {
        self.atoms[id.0 as usize] = atom;
    }

    /// Scalars are the same in every topology and follow the two types of unknown values.
    fn scalar(&self, scalar: Scalar) -> AtomId {
        AtomId(2 + scalar as u32)
    }

    fn list(&self, element: AtomId, kind: ListKind) -> List {
        let (associative, declared_keys) = match kind {
            ListKind::Atomic => (false, Vec::new()),
            ListKind::Set => (true, Vec::new()),
            ListKind::Map(keys) => (true, keys),
        };
        List {
            element,
            associative,
            keys: Vec::new(),
            declared_keys,
        }
    }

    /// Finishes the topology: keys get the defaults of the members they name.
    fn finish(mut self, root: AtomId, empty: Str) -> Topology {
        for at in 0..self.atoms.len() {
            let Some(list) = &self.atoms[at].list else {
                continue;
            };
            let members = self.atoms[list.element.0 as usize].map.as_ref();
            let mut keys: Vec<Key> = list
                .declared_keys
                .iter()
                .map(|name| Key {
                    name: name.clone(),
                    default: members
                        .and_then(|map| map.field(name))
                        .and_then(|field| field.default.clone()),
                })
                .collect();
            keys.sort_by(|left, right| left.name.cmp(&right.name));
            if let Some(list) = &mut self.atoms[at].list {
                list.keys = keys;
            }
        }
        Topology {
            atoms: self.atoms,
            root,
            empty,
        }
    }
}

/// How a schema says a list merges.
enum ListKind {
    Atomic,
    Set,
    Map(Vec<Str>),
}

/// Members by name; of two with the same name, the later counts.
fn sorted(mut fields: Vec<Field>) -> Vec<Field> {
    fields.reverse();
    fields.sort_by(|left, right| left.name.cmp(&right.name));
    fields.dedup_by(|later, earlier| later.name == earlier.name);
    fields
}
