//! Reference documentation of kinds: pages of sections with a row for every field, in Markdown, HTML or AsciiDoc.
//!
//! `go_types` and `custom` gather what there is to say from Go types and from published schemas, [`Arrangement`] leaves out
//! and links; `markdown`, `html` and `asciidoc` know nothing but the [`Page`]s they write.

mod arrange;
mod asciidoc;
mod contents;
mod custom;
mod go_types;
mod html;
mod inline;
mod markdown;
mod marks;
mod page;
mod prose;
mod version;

pub use arrange::Arrangement;
pub use custom::{Resource, pages as of_resources};
pub use go_types::pages as of_types;
pub use inline::{Line, Piece};
pub use page::{Page, Place, Row, Section, Value};
pub use prose::{Block, Item};

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

fn page_title(group: &str, version: &str) -> String {
    match group {
        "" => version.to_owned(),
        _ => format!("{group}/{version}"),
    }
}
