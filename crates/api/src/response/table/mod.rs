//! Tables: objects as rows of cells, for people (`metav1.Table`). The columns of built-in kinds are in their own files
//! (`kindsmith_builtin::table`), those of custom resources in their CRD.

mod custom;

use kindsmith_builtin::table::{Completion, Print, Row, Table};
use kindsmith_gostd::quote::quote;
use kindsmith_json::write::{Escape, Format, Order};
use kindsmith_json::{Arena, Value};
use kindsmith_object::Release;
use kindsmith_request::Status;

use crate::request::query::Query;
use crate::response::negotiate::MetaVersion;
use crate::response::partial::partial;
use crate::{Served, Time};
use kindsmith_json::object_of;

/// A column's heading.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Header {
    name: String,
    ty: String,
    format: String,
    description: String,
    priority: i32,
}

/// How much of its object a row carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Include {
    /// Nothing.
    None,
    /// Its metadata.
    Metadata,
    /// The whole object.
    Object,
}

impl Include {
    /// Reads the query parameter.
    ///
    /// # Errors
    ///
    /// 400 for an unknown value.
    pub(crate) fn decode(query: &Query) -> Result<Self, Status> {
        match query.text("includeObject") {
            "" | "Metadata" => Ok(Include::Metadata),
            "None" => Ok(Include::None),
            "Object" => Ok(Include::Object),
            other => Err(Status::bad_request(format!(
                "Unable to convert to Table as requested: includeObject: Invalid value: {}: must be 'Metadata', 'Object', 'None', or empty",
                quote(other)
            ))),
        }
    }
}

/// The columns of a resource.
#[derive(Debug)]
pub(crate) struct Columns {
    headers: Vec<Header>,
    cells: Cells,
    completion: Option<Completion>,
    /// The member by whose number rows are sorted.
    pub(crate) order: Option<&'static [&'static str]>,
}

/// Where the cells of a row come from.
enum Cells {
    /// JSON paths of the CRD.
    Custom(custom::Cells),
    /// Code of the built-in kind.
    Kind(Print, Release),
}

impl std::fmt::Debug for Cells {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Cells::Custom(_) => "Custom",
            Cells::Kind(..) => "Kind",
        })
    }
}

impl Columns {
    /// The columns of a resource.
    pub(crate) fn new(served: &Served) -> Self {
        if served.resource.is_custom() {
            return custom::columns(served.resource.columns(&served.version));
        }
        let kind = served.resource.built_in();
        let release = served.resource.release();
        let table = kind.map_or(Table::of_definitions(release), |kind| kind.table());
        Columns {
            completion: kind.and_then(|kind| kind.strategy.completion()),
            order: kind.and_then(|kind| kind.strategy.table_order()),
            ..Columns::of(table, release)
        }
    }

    /// The columns of the `Scale` of a resource.
    pub(crate) fn of_scale(served: &Served) -> Self {
        let table = if served.resource.is_custom() {
            Table::CUSTOM_SCALE
        } else {
            Table::SCALE
        };
        Columns::of(table, served.resource.release())
    }

    fn of(table: Table, release: Release) -> Self {
        let headers = table.headings.iter();
        let headers = headers.map(|&(name, ty, format, priority, description)| {
            Header::new(name, ty, format, &description.text(), priority)
        });
        Columns {
            headers: headers.collect(),
            cells: Cells::Kind(table.cells, release),
            completion: None,
            order: None,
        }
    }

    /// Whether a table without rows has no list of them either: those that Kubernetes prints without a printer of their own.
    pub(crate) fn may_lack_rows(&self) -> bool {
        self.headers.iter().any(|header| header.name == "Created At")
    }

    /// Appends the headings as JSON.
    pub(crate) fn append_headers(&self, out: &mut String) {
        let arena = Arena::new();
        let headers: Vec<Value<'_>> = self
            .headers
            .iter()
            .map(|header| header.to_value(&arena))
            .collect();
        JSON.append(out, Value::Array(&headers));
    }

    /// Appends a row as JSON, for an object in the served version; returns how many bytes its cells take.
    pub(crate) fn append_row<'a>(
        &self,
        out: &mut String,
        arena: &'a Arena,
        object: Value<'a>,
        form: &RowForm,
    ) -> usize {
        let printed = self.begin_row(out, arena, object, form);
        match form.include {
            Include::None => out.push_str("null"),
            Include::Metadata => JSON.append(out, partial(arena, object, form.version)),
            Include::Object => JSON.order(form.order).append(out, object),
        }
        out.push('}');
        printed
    }

    /// Appends what is before the object that a row carries; returns how many bytes its cells take.
    pub(crate) fn begin_row<'a>(
        &self,
        out: &mut String,
        arena: &'a Arena,
        object: Value<'a>,
        form: &RowForm,
    ) -> usize {
        let cells = match &self.cells {
            Cells::Custom(cells) => cells.of(arena, object, form.now.nanoseconds_since_1970()),
            Cells::Kind(print, release) => print(&Row {
                arena,
                object,
                release: *release,
                now: form.now.nanoseconds_since_1970(),
            }),
        };
        out.push_str("{\"cells\":");
        let start = out.len();
        JSON.append(out, Value::Array(&cells));
        let printed = out.len() - start;
        if let Some((reason, message)) = self.completion.and_then(|completion| completion(object)) {
            out.push_str(",\"conditions\":[{\"type\":\"Completed\",\"status\":\"True\",\"reason\":");
            JSON.append(out, Value::Str(reason));
            out.push_str(",\"message\":");
            JSON.append(out, Value::Str(message));
            out.push_str("}]");
        }
        out.push_str(",\"object\":");
        printed
    }
}

/// How rows are written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowForm {
    /// How much of its object a row carries.
    pub(crate) include: Include,
    /// The API version of the table.
    pub(crate) version: MetaVersion,
    /// The field order of objects.
    pub(crate) order: Order,
    /// The current time, for ages.
    pub(crate) now: Time,
}

/// JSON as Go writes it, in the order of the value.
const JSON: Format<'static> = {
    let mut format = Format::GO;
    format.order = Order::Kept;
    format.escape = Escape::Html;
    format
};

impl Header {
    fn new(name: &str, ty: &str, format: &str, description: &str, priority: i32) -> Self {
        Header {
            name: name.to_owned(),
            ty: ty.to_owned(),
            format: format.to_owned(),
            description: description.to_owned(),
            priority,
        }
    }

    fn to_value<'a>(&'a self, arena: &'a Arena) -> Value<'a> {
        object_of(
            arena,
            &[
                ("name", Value::Str(&self.name)),
                ("type", Value::Str(&self.ty)),
                ("format", Value::Str(&self.format)),
                ("description", Value::Str(&self.description)),
                ("priority", Value::Int(self.priority.into())),
            ],
        )
    }
}
