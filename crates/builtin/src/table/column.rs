//! Headings of columns. A column that shows a field has the comment of that field under `api/` for its description; only columns
//! made of several fields have words of their own.

use super::Heading;
use crate::types::{own_schema, own_type};

/// What a column says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Description {
    /// The comment of a field: package, type and JSON name, such as `core/v1.ServiceSpec.type`.
    Field(&'static str),
    /// A text of its own.
    Words(&'static str),
}

use Description::{Field, Words};

const CREATION_TIMESTAMP: Description = Field("meta/v1.ObjectMeta.creationTimestamp");

/// The name of the object.
pub(crate) const NAME: Heading = ("Name", "string", "name", 0, Field("meta/v1.ObjectMeta.name"));
/// How long ago it was created.
pub(crate) const AGE: Heading = ("Age", "string", "", 0, CREATION_TIMESTAMP);
/// The age, as CRDs declare it.
pub(super) const AGE_AS_DATE: Heading = ("Age", "date", "", 0, CREATION_TIMESTAMP);
/// When it was created.
pub(super) const CREATED: Heading = ("Created At", "date", "", 0, CREATION_TIMESTAMP);
/// Names of a template's containers, in wide tables.
pub(crate) const CONTAINERS: Heading = wide_in_words("Containers", "Names of the template's containers.");
/// Images of a template's containers, in wide tables.
pub(crate) const IMAGES: Heading = wide_in_words("Images", "Images of the template's containers.");

/// A column of texts about a field.
pub(crate) const fn text(name: &'static str, field: &'static str) -> Heading {
    (name, "string", "", 0, Field(field))
}

/// A column of texts about a field that only wide tables show.
pub(crate) const fn wide(name: &'static str, field: &'static str) -> Heading {
    (name, "string", "", 1, Field(field))
}

/// A column of numbers.
pub(crate) const fn count(name: &'static str, field: &'static str) -> Heading {
    (name, "integer", "", 0, Field(field))
}

/// A column of truths.
pub(crate) const fn truth(name: &'static str, field: &'static str) -> Heading {
    (name, "boolean", "", 0, Field(field))
}

/// A column of truths made of several fields that only wide tables show.
pub(crate) const fn wide_truth(name: &'static str, words: &'static str) -> Heading {
    (name, "boolean", "", 1, Words(words))
}

/// A column of texts made of several fields.
pub(crate) const fn in_words(name: &'static str, words: &'static str) -> Heading {
    (name, "string", "", 0, Words(words))
}

/// A column of texts made of several fields that only wide tables show.
pub(crate) const fn wide_in_words(name: &'static str, words: &'static str) -> Heading {
    (name, "string", "", 1, Words(words))
}

/// A column of numbers made of several fields.
pub(crate) const fn count_in_words(name: &'static str, words: &'static str) -> Heading {
    (name, "integer", "", 0, Words(words))
}

impl Description {
    /// The text that is sent.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Field(path) => comment(path).unwrap_or_default(),
            Words(words) => words.to_owned(),
        }
    }
}

/// The comment of a field of the server's own kinds, on one line.
fn comment(path: &str) -> Option<String> {
    let (ty, member) = path.rsplit_once('.')?;
    let fields = own_schema().ty(own_type(ty)?).fields();
    let field = fields.iter().find(|field| field.json_name() == Some(member))?;
    Some(field.docs.prose().replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use crate::own_kinds;
    use crate::table::Table;

    #[test]
    fn every_column_describes_itself() {
        let check = |kind: &str, table: Table| {
            for (name, .., description) in table.headings {
                assert_ne!(description.text(), "", "{kind} {name}: {description:?}");
            }
        };
        for kind in own_kinds(kindsmith_object::Release::NEWEST) {
            check(&kind.names.kind, kind.strategy.table(&kind.names));
        }
        check("Scale", Table::SCALE);
        check("Scale", Table::CUSTOM_SCALE);
    }
}
