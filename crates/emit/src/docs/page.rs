//! Pages of documentation as data, for every form they are written in.

use super::inline::{Line, Piece};
use super::prose::Block;

/// One page: the kinds of a group and version, and the types they are made of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// Name of its file, without extension.
    pub name: String,
    /// `group/version`.
    pub title: String,
    /// Its description.
    pub description: Vec<Block>,
    /// Kinds, by name.
    pub kinds: Vec<Section>,
    /// Other types, by name.
    pub types: Vec<Section>,
    /// Types of other packages, by name.
    pub foreign: Vec<Section>,
}

/// One kind or type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section {
    /// The target of links; unique in a page.
    pub anchor: String,
    /// Its name.
    pub title: String,
    /// The package it is from, if it is another one.
    pub package: Option<String>,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// Its description.
    pub description: Vec<Block>,
    /// Facts about it as a whole, with their labels.
    pub facts: Vec<(String, Line)>,
    /// Fields, in the order of declaration.
    pub rows: Vec<Row>,
    /// Allowed values of an enumeration, with their meaning.
    pub values: Vec<Value>,
    /// Types with fields of this type.
    pub used_by: Vec<Piece>,
    /// Its place in the contents, if that is below a kind.
    pub place: Option<Place>,
}

/// A place in the contents of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The anchor of the kind.
    pub kind: String,
    /// How deep it is below the kind, from 1.
    pub depth: usize,
    /// The name of the field whose value it describes.
    pub name: String,
}

impl Section {
    /// Describes the two fields that all objects have by their values for this kind. Their general meaning is
    /// well known.
    pub(super) fn name_kind(&mut self, api_version: &str, kind: &str) {
        for (name, value) in [("apiVersion", api_version), ("kind", kind)] {
            if let Some(row) = self.rows.iter_mut().find(|row| row.name == name) {
                row.description = vec![Block::Text(vec![Piece::code(value)])];
            }
        }
        self.rows.sort_by_key(|row| row.name != "apiVersion");
    }
}

/// One value of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Value {
    /// Without quotation marks.
    pub text: String,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// What it means.
    pub description: Vec<Block>,
    /// Conditions under which it is rejected.
    pub facts: Vec<(String, Line)>,
}

/// One field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// Its JSON name.
    pub name: String,
    /// Its type, with links.
    pub ty: Line,
    /// Whether it must be set.
    pub required: bool,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// Its description.
    pub description: Vec<Block>,
    /// Default, bounds, rules, restrictions on updates, the version that introduced it.
    pub facts: Vec<(String, Line)>,
}

/// The documentation of the metadata that every object has.
pub(super) const METADATA: &str =
    "https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/";
