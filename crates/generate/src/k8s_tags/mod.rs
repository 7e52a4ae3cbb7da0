//! `+k8s:` tags in CRDs: as keywords where these are equivalent, otherwise as CEL rules. Whatever a CRD
//! cannot express is recorded, so that its author knows what the server will not enforce.
//!
//! Writes into the schemas that it is given, and no others: the caller passes the schema of each field's type.
//!
//! Go has no absent values: an absent member is zero, and for an optional member zero means absent. The rules
//! here check objects as the Go types would, so they distinguish zero and absent only for pointers.

mod added_values;
mod apply;
mod cel_text;
mod change;
mod compare;
mod constraint;
mod defaults;
mod demand;
mod dependent;
mod embedded;
mod empty;
mod enforcement;
mod equal;
mod field;
mod forced;
mod format;
mod group;
mod identity;
mod item;
mod item_update;
mod keys;
mod marks;
mod mode;
mod named_type;
mod presence;
mod reach;
mod reading;
mod refusal;
mod refusing;
mod rejected_additions;
mod selector;
mod settle;
mod site;
mod transition;
mod unique;
mod update;
mod value;

pub(crate) use cel_text::{immutable, marked_immutable};
pub(crate) use embedded::pointee;
pub(crate) use empty::is_valid_empty;
pub(crate) use enforcement::Switches;
pub(crate) use field::{on_absent, on_embedded, on_field};
pub(crate) use marks::ADDITION;
pub(crate) use named_type::on_type;
pub(crate) use reach::{is_opaque, is_opaque_type, is_used, scalar_or_list};
pub(crate) use reading::{Reading, Unenforced};
pub(crate) use settle::{forget_marks, settle};
