//! Sections in Markdown and AsciiDoc: one walk, two sets of marks.

use std::fmt::Write as _;

use super::{Block, Item, Line, Piece, Section};

/// The marks of a text format.
pub(super) trait Marks {
    /// Around bold text.
    const STRONG: &'static str;
    /// Around a badge such as `required`, with what separates it from a name.
    const BADGE: (&'static str, &'static str);
    /// Before a fact of a section.
    const BULLET: &'static str;

    /// The line that links lead to.
    fn anchor(anchor: &str) -> String;

    /// Text without any meaning in the format.
    fn escape(text: &str) -> String;

    /// Literal text within a line.
    fn code(text: &str) -> String;

    /// Literal text in lines of its own.
    fn listing(text: &str) -> String;

    /// A paragraph that cannot be mistaken for another kind of block.
    fn paragraph(text: String) -> String;

    /// The mark of an item in a list.
    fn bullet(item: &Item) -> String;

    fn link(text: &str, page: Option<&str>, anchor: &str) -> String;

    fn web(text: &str, url: &str) -> String;

    /// Begins a table with these columns.
    fn begin_table(out: &mut String, columns: &[&str]);

    fn row(out: &mut String, cells: &[String]);

    fn end_table(out: &mut String);

    /// The content of a cell.
    fn described(description: &[Block], facts: &[(String, Line)]) -> String;
}

/// A kind or type, with its heading after `level`.
pub(super) fn section<M: Marks>(out: &mut String, section: &Section, level: &str) {
    let (anchor, title) = (M::anchor(&section.anchor), M::escape(&section.title));
    _ = writeln!(out, "\n{anchor}\n{level} {title}");
    if section.deprecated {
        let mark = M::BADGE.1;
        _ = writeln!(out, "\n{mark}deprecated{mark}");
    }
    if let Some(package) = &section.package {
        _ = writeln!(out, "\nFrom {}.", M::code(package));
    }
    blocks::<M>(out, &section.description);
    if !section.facts.is_empty() {
        out.push('\n');
    }
    for one in &section.facts {
        _ = writeln!(out, "{} {}", M::BULLET, fact::<M>(one));
    }
    if !section.used_by.is_empty() {
        let names: Vec<String> = section.used_by.iter().map(piece::<M>).collect();
        _ = writeln!(out, "\nUsed by: {}", names.join(", "));
    }
    values::<M>(out, section);
    rows::<M>(out, section);
}

fn values<M: Marks>(out: &mut String, section: &Section) {
    if section.values.is_empty() {
        return;
    }
    M::begin_table(out, &["Value", "Meaning"]);
    for value in &section.values {
        let name = named::<M>(&value.text, false, value.deprecated);
        M::row(out, &[name, M::described(&value.description, &value.facts)]);
    }
    M::end_table(out);
}

fn rows<M: Marks>(out: &mut String, section: &Section) {
    if section.rows.is_empty() {
        return;
    }
    M::begin_table(out, &["Field", "Type", "Description"]);
    for row in &section.rows {
        let name = named::<M>(&row.name, row.required, row.deprecated);
        let text = M::described(&row.description, &row.facts);
        M::row(out, &[name, line::<M>(&row.ty), text]);
    }
    M::end_table(out);
}

fn named<M: Marks>(name: &str, required: bool, deprecated: bool) -> String {
    let (gap, mark) = M::BADGE;
    let mut name = M::code(name);
    for (is, badge) in [(required, "required"), (deprecated, "deprecated")] {
        if is {
            _ = write!(name, "{gap}{mark}{badge}{mark}");
        }
    }
    name
}

/// A description outside of tables, each block after an empty line.
pub(super) fn blocks<M: Marks>(out: &mut String, blocks: &[Block]) {
    for block in blocks {
        out.push('\n');
        match block {
            Block::Text(text) => _ = writeln!(out, "{}", M::paragraph(line::<M>(text))),
            Block::Heading(text) => _ = writeln!(out, "{}", strong::<M>(&line::<M>(text))),
            Block::Code(text) => _ = writeln!(out, "{}", M::listing(text)),
            Block::List(items) => {
                for item in items {
                    _ = writeln!(out, "{} {}", M::bullet(item), line::<M>(&item.text));
                }
            }
        }
    }
}

/// A fact with its label.
pub(super) fn fact<M: Marks>((label, text): &(String, Line)) -> String {
    format!("{}: {}", strong::<M>(&M::escape(label)), line::<M>(text))
}

/// Bold text.
pub(super) fn strong<M: Marks>(text: &str) -> String {
    let mark = M::STRONG;
    format!("{mark}{text}{mark}")
}

pub(super) fn line<M: Marks>(pieces: &Line) -> String {
    pieces.iter().map(piece::<M>).collect()
}

fn piece<M: Marks>(piece: &Piece) -> String {
    match piece {
        Piece::Text(text) => M::escape(text),
        Piece::Strong(text) => strong::<M>(&M::escape(text)),
        Piece::Code(text) => M::code(text),
        Piece::Link { text, page, anchor } => M::link(text, page.as_deref(), anchor),
        Piece::Web { text, url } => M::web(text, url),
    }
}
