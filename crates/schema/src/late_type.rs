//! A type as text, read when it is first asked for; and how such text is written and read. Knows no schema but for the names and
//! numbers of types.

mod form;
mod reader;
mod writer;

use std::sync::OnceLock;

use crate::{Type, TypeId};

pub(crate) use form::Form;
pub(crate) use reader::Reader;
pub(crate) use writer::Writer;

/// A type in its written form, until it is asked for.
#[derive(Debug, Clone)]
pub(crate) struct LateType {
    package: &'static str,
    name: &'static str,
    text: &'static str,
    read: OnceLock<Box<Type>>,
}

impl LateType {
    pub(crate) fn new((package, name): (&'static str, &'static str), text: &'static str) -> Self {
        Self {
            package,
            name,
            text,
            read: OnceLock::new(),
        }
    }

    /// Import path and name.
    pub(crate) fn name(&self) -> (&str, &str) {
        (self.package, self.name)
    }

    /// The type; `all` are those of its schema, which it may use.
    pub(crate) fn ty(&self, all: &[LateType]) -> &Type {
        self.read.get_or_init(|| {
            let find = |package: &str, name: &str| find(all, package, name);
            let ty = Type::read(&mut Reader::new(self.text, self.name(), &find));
            Box::new(ty.expect("a written schema is compared with its source by the tests of its crate"))
        })
    }
}

/// The number of a type by its name.
pub(crate) fn find(all: &[LateType], package: &str, name: &str) -> Option<TypeId> {
    let found = all.binary_search_by(|late| late.name().cmp(&(package, name)));
    found.ok().map(TypeId::new)
}
