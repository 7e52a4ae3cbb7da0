//! Reference documentation of kinds: pages of sections with a row for every field, in Markdown, HTML or AsciiDoc.
//!
//! `native` and `custom` gather what there is to say from Go types and from published schemas, [`Arrangement`] leaves out
//! and links; `markdown`, `html` and `asciidoc` know nothing but the [`Page`]s they write.

mod arrange;
mod asciidoc;
mod contents;
mod custom;
mod html;
mod inline;
mod markdown;
mod marks;
mod native;
mod prose;
mod version;

pub use arrange::Arrangement;
pub use custom::{Resource, pages as of_resources};
pub use inline::{Line, Piece};
pub use native::pages as of_types;
pub use prose::{Block, Item};

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
    fn name_kind(&mut self, api_version: &str, kind: &str) {
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

/// The format of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// GitHub's Markdown.
    Markdown,
    /// A self-contained document: no scripts, no external files.
    Html,
    /// AsciiDoc.
    AsciiDoc,
}

/// A file of the reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Writes pages, and an index if there are several.
#[must_use]
pub fn write(pages: &[Page], format: Format) -> Vec<File> {
    let extension = match format {
        Format::Markdown => "md",
        Format::Html => "html",
        Format::AsciiDoc => "adoc",
    };
    let file = |name: &str, text| File {
        name: format!("{name}.{extension}"),
        text,
    };
    let text = |page: &Page| match format {
        Format::Markdown => markdown::page(page, pages.len() > 1),
        Format::Html => html::page(page, pages.len() > 1),
        Format::AsciiDoc => asciidoc::page(page, pages.len() > 1),
    };
    let mut files: Vec<File> = pages.iter().map(|page| file(&page.name, text(page))).collect();
    if pages.len() > 1 {
        let index = match format {
            Format::Markdown => markdown::index(pages),
            Format::Html => html::index(pages),
            Format::AsciiDoc => asciidoc::index(pages),
        };
        files.push(file("index", index));
    }
    files
}

/// The file name of a page about a group and version.
fn page_name(group: &str, version: &str) -> String {
    let group = if group.is_empty() { "core" } else { group };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let plain = |text: &str| text.replace(|c| !is_plain(c), "_");
    format!("{}_{}", plain(group), plain(version))
}

/// The documentation of the metadata that every object has.
const METADATA: &str = "https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/";

fn page_title(group: &str, version: &str) -> String {
    match group {
        "" => version.to_owned(),
        _ => format!("{group}/{version}"),
    }
}
