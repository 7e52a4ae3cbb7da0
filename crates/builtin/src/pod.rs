//! Pod templates, which several kinds hold: defaults that tags do not say, and the rules that any template must keep.
//! Most cross checks between fields of a pod and those of volumes
//! are not made yet.

mod default;
mod field;
mod validate;
mod warn;

pub(crate) use default::default_template;
pub(crate) use validate::{port_number, validate_controlled, validate_spec, validate_template};
pub(crate) use warn::{template_warnings, warnings};
