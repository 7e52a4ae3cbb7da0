//! Tables of `kubectl get`: headings, and the cells of a row. Each kind's file has its own (kubernetes'
//! pkg/printers/internalversion/printers.go).

mod age;
pub(crate) mod column;
mod definition;
mod row;
mod scale;

use std::fmt;

use kindsmith_json::Value;

pub use age::{age, human};
pub use column::Description;
pub use row::Row;
pub(crate) use row::text_of;

/// Name, type, format, priority, description of a column.
pub type Heading = (&'static str, &'static str, &'static str, i32, Description);

/// Makes the cells of an object.
pub type Print = for<'a> fn(&Row<'a>) -> Vec<Value<'a>>;

/// Why the row of an object is marked as completed: reason and message. `None` as long as it goes on.
pub type Completion = fn(Value<'_>) -> Option<(&'static str, &'static str)>;

/// The table of a kind.
#[derive(Clone, Copy)]
pub struct Table {
    /// The headings of the columns.
    pub headings: &'static [Heading],
    /// Makes a cell for each heading; more are sent without one.
    pub cells: Print,
}

impl Table {
    /// The default table: name and creation time.
    pub const DEFAULT: Table = Table {
        headings: &[column::NAME, column::CREATED],
        cells: |row| vec![row.name(), row.created()],
    };
}

impl Table {
    /// The table of kinds that show their name and age.
    pub(crate) const NAME_AND_AGE: Table = Table {
        headings: &[column::NAME, column::AGE],
        cells: |row| vec![row.name(), row.age()],
    };
}

impl fmt::Debug for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Table")
            .field("headings", &self.headings)
            .finish_non_exhaustive()
    }
}
