//! The effective state of resources: the table of semantics case by case, and laws over random schemas and objects.

mod cases;
mod document;
mod laws;
mod paths;
mod rig;
mod writing;
