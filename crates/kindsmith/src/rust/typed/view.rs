//! Values as CEL and keywords see them, without a copy.

use std::fmt;

/// A value as it is seen by rules.
#[derive(Clone, Copy)]
pub enum View<'v> {
    /// An optional value that is not there.
    Absent,
    /// A value whose form is not known here.
    Opaque,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    Text(&'v str),
    /// A list.
    List(&'v dyn Items),
    /// A map.
    Map(&'v dyn Entries),
    /// A struct, or an enum with content.
    Object(&'v dyn Members),
}

/// A list.
pub trait Items {
    /// How many items there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a test is true of all items; it is not asked after the first that fails.
    fn all<'v>(&'v self, test: &mut dyn FnMut(View<'v>) -> bool) -> bool;
}

/// A map.
pub trait Entries {
    /// How many entries there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a test is true of all entries; it is not asked after the first that fails.
    fn all<'v>(&'v self, test: &mut dyn FnMut(View<'v>, View<'v>) -> bool) -> bool;
}

/// A value with named members.
pub trait Members {
    /// The member of this name in JSON.
    fn member(&self, name: &str) -> View<'_>;

    /// All names.
    fn names(&self) -> Vec<&'static str>;
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => out.write_str("Absent"),
            Self::Opaque => out.write_str("Opaque"),
            Self::Bool(value) => write!(out, "{value}"),
            Self::Int(value) => write!(out, "{value}"),
            Self::Float(value) => write!(out, "{value}"),
            Self::Text(value) => write!(out, "{value:?}"),
            Self::List(items) => write!(out, "[{} items]", items.len()),
            Self::Map(entries) => write!(out, "{{{} entries}}", entries.len()),
            Self::Object(members) => write!(out, "{{{}}}", members.names().join(", ")),
        }
    }
}

impl View<'_> {
    /// Whether it is a value.
    #[inline]
    #[must_use]
    pub fn is_there(self) -> bool {
        !matches!(self, Self::Absent)
    }

    /// Whether two values are certainly equal: lists in the same order, objects with equal members.
    #[must_use]
    pub fn is_same(self, other: View<'_>) -> bool {
        match (self, other) {
            (Self::Absent, View::Absent) => true,
            (Self::Bool(one), View::Bool(other)) => one == other,
            (Self::Int(one), View::Int(other)) => one == other,
            (Self::Float(one), View::Float(other)) => one == other,
            (Self::Text(one), View::Text(other)) => one == other,
            (Self::List(one), View::List(other)) => one.len() == other.len() && same_items(one, other),
            (Self::Object(one), View::Object(other)) => {
                let names = one.names();
                names == other.names()
                    && names
                        .iter()
                        .all(|name| one.member(name).is_same(other.member(name)))
            }
            (Self::Map(one), View::Map(other)) => one.len() == other.len() && same_entries(one, other),
            _ => false,
        }
    }
}

fn same_items(one: &dyn Items, other: &dyn Items) -> bool {
    let mut others = Vec::with_capacity(other.len());
    other.all(&mut |item| {
        others.push(item);
        true
    });
    let mut others = others.into_iter();
    one.all(&mut |item| others.next().is_some_and(|other| item.is_same(other)))
}

fn same_entries(one: &dyn Entries, other: &dyn Entries) -> bool {
    let mut others = Vec::with_capacity(other.len());
    other.all(&mut |key, value| {
        others.push((key, value));
        true
    });
    // Maps of one type have one order, unless it is random: then the engine compares them.
    let mut others = others.into_iter();
    one.all(&mut |key, value| {
        let same = |(other, found): (View<'_>, View<'_>)| key.is_same(other) && value.is_same(found);
        others.next().is_some_and(same)
    })
}
