//! Object types that are a plain list of fields, without a schema behind them.

use super::Type;

/// An object type with named fields.
#[derive(Clone, Debug)]
pub struct Record {
    name: String,
    fields: Vec<(String, Type)>,
}

impl Record {
    /// A type without fields.
    pub fn new(name: &str) -> Record {
        Record {
            name: name.to_owned(),
            fields: Vec::new(),
        }
    }

    /// Adds a field; one with the same name is replaced.
    #[must_use]
    pub fn with(mut self, field: &str, ty: Type) -> Record {
        self.set(field, ty);
        self
    }

    /// Sets the type of a field.
    pub fn set(&mut self, field: &str, ty: Type) {
        match self.fields.iter_mut().find(|(known, _)| known == field) {
            Some((_, known)) => *known = ty,
            None => self.fields.push((field.to_owned(), ty)),
        }
    }

    /// The name of the type.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type itself.
    pub fn ty(&self) -> Type {
        Type::object(&self.name)
    }

    /// The type of a field.
    pub fn field(&self, field: &str) -> Option<&Type> {
        let found = self.fields.iter().find(|(known, _)| known == field);
        found.map(|(_, ty)| ty)
    }
}
