//! Completion of tags: their names, arguments and values.

use kindsmith_schema::Owner;
use kindsmith_tags::catalogue::catalogue;
use kindsmith_tags::grammar::marker::Arguments;
use kindsmith_tags::tag::{Payload, Scope};
use kindsmith_tags::{Family, Tag};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, InsertTextFormat, MarkupContent,
    MarkupKind, TextEdit,
};

use super::fitting::Fitting;
use super::resolve::lookup;
use super::tag::{Part, TagLine, word};
use super::{Package, values};
use crate::documents::Document;
use crate::markdown;

/// The completions at an offset.
pub(crate) fn complete(
    package: &Package,
    path: &str,
    document: &Document,
    offset: usize,
) -> Vec<CompletionItem> {
    let text = &document.text;
    let line = text.position(offset).line as usize;
    let Some(tag) = TagLine::at(text.line(line), text.line_start(line), offset) else {
        return Vec::new();
    };
    let owner = package
        .file(path)
        .and_then(|file| package.owner_of_comment(file, text, line));
    let edit = |range: std::ops::Range<usize>, new: String| {
        CompletionTextEdit::Edit(TextEdit::new(text.range(range), new))
    };
    let named_argument = named_argument(&tag, offset);
    match tag.part(offset) {
        _ if named_argument.is_some() => {
            let (names, start) = named_argument.unwrap_or_default();
            let items = names.into_iter();
            items
                .map(|name| {
                    item(
                        &name,
                        CompletionItemKind::PROPERTY,
                        edit(start..offset, format!("{name}=")),
                    )
                })
                .collect()
        }
        Part::Name => {
            let scope = scope(owner, document, line);
            let end = tag.start + tag.name().len();
            let fitting = owner.and_then(|owner| Fitting::of(&package.read.schema, owner));
            let fits = |known: &&'static Tag| {
                known.fits(scope) && fitting.is_none_or(|fitting| fitting.takes(known))
            };
            let tags = catalogue().filter(fits).map(|known| {
                let mut item = tag_item(known);
                item.text_edit = Some(edit(tag.start..end.max(offset), snippet(known)));
                item
            });
            tags.collect()
        }
        Part::Arguments => {
            let names = arguments(package, owner, &tag);
            let at = word(text.as_str(), offset);
            let items = names.into_iter();
            items
                .map(|(name, docs)| CompletionItem {
                    detail: Some(docs),
                    ..item(
                        &name,
                        CompletionItemKind::PROPERTY,
                        edit(at.clone(), format!("{name}: ")),
                    )
                })
                .collect()
        }
        Part::Value => {
            let at = word(text.as_str(), offset);
            let items = value_texts(package, owner, &tag).into_iter();
            items
                .map(|value| item(&value, CompletionItemKind::VALUE, edit(at.clone(), value.clone())))
                .collect()
        }
    }
}

fn item(label: &str, kind: CompletionItemKind, edit: CompletionTextEdit) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        text_edit: Some(edit),
        ..CompletionItem::default()
    }
}

/// The names of a marker's arguments, where they follow a colon: `+marker:name=value,name=value`.
fn named_argument(tag: &TagLine<'_>, offset: usize) -> Option<(Vec<String>, usize)> {
    let known = tag.known()?;
    let Arguments::Named(arguments) = values::arguments(known)? else {
        return None;
    };
    let rest = tag.text.strip_prefix(known.name)?.strip_prefix(':')?;
    let begin = tag.start + known.name.len() + 1;
    let before = rest.get(..offset.checked_sub(begin)?)?;
    let start = before.rfind(',').map_or(0, |comma| comma + 1);
    let has_value = before[start..].contains('=');
    // A comma inside quotes does not end an argument.
    let is_quoted = before.matches('"').count() % 2 == 1 || before.matches('`').count() % 2 == 1;
    if has_value || is_quoted {
        return None;
    }
    let names = arguments.iter().map(|argument| argument.name.to_owned());
    Some((names.collect(), begin + start))
}

fn arguments(package: &Package, owner: Option<Owner>, tag: &TagLine<'_>) -> Vec<(String, String)> {
    let Some(known) = tag.known() else {
        return Vec::new();
    };
    let own = known.args.iter().filter(|argument| !argument.name.is_empty());
    let mut names: Vec<_> = own
        .map(|argument| (argument.name.to_owned(), argument.docs.to_owned()))
        .collect();
    if let (Some(lookup), Some(owner)) = (lookup(tag), owner) {
        let fields = values::names(&package.read.schema, owner, lookup).into_iter();
        names.extend(fields.map(|name| (name, "field".to_owned())));
    }
    names
}

fn value_texts(package: &Package, owner: Option<Owner>, tag: &TagLine<'_>) -> Vec<String> {
    if let (Some(lookup), Some(owner)) = (lookup(tag), owner) {
        return values::names(&package.read.schema, owner, lookup);
    }
    let known = tag.known().map(values::choices).unwrap_or_default();
    known.into_iter().map(str::to_owned).collect()
}

/// What the comment belongs to.
fn scope(owner: Option<Owner>, document: &Document, line: usize) -> Scope {
    let text = document.text.as_str();
    let after = text[document.text.line_start(line)..].lines();
    let mut code = after.map(str::trim).skip_while(|line| line.starts_with("//"));
    match (code.next().unwrap_or_default(), owner) {
        (line, _) if line.starts_with("package ") => Scope::Package,
        (line, _) if line.starts_with("type ") => Scope::Type,
        (line, _) if line.starts_with("const ") => Scope::Constant,
        (_, Some(Owner::Type(_))) => Scope::Type,
        _ => Scope::Field,
    }
}

fn tag_item(tag: &'static Tag) -> CompletionItem {
    let rank = match tag.family {
        Family::Declarative | Family::Kubebuilder => 0,
        _ => 1,
    };
    CompletionItem {
        label: tag.name.to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        detail: Some(tag.summary().to_owned()),
        documentation: Some(Documentation::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value: markdown::tag_page(tag),
        })),
        sort_text: Some(format!("{rank}{}", tag.name)),
        filter_text: Some(tag.name.to_owned()),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        ..CompletionItem::default()
    }
}

/// The tag with places for what it needs.
fn snippet(tag: &Tag) -> String {
    let name = tag.name;
    if let Some(arguments) = values::arguments(tag) {
        return match arguments {
            Arguments::None | Arguments::OneOptional(_) => name.to_owned(),
            Arguments::Named(arguments) => {
                let needed = arguments.iter().filter(|argument| !argument.optional);
                let texts: Vec<String> = needed
                    .enumerate()
                    .map(|(index, argument)| format!("{}=${{{}}}", argument.name, index + 1))
                    .collect();
                if texts.is_empty() {
                    name.to_owned()
                } else {
                    format!("{name}:{}", texts.join(","))
                }
            }
            Arguments::One(_) | Arguments::Raw => format!("{name}=$1"),
        };
    }
    let needed: Vec<_> = tag.args.iter().filter(|argument| argument.required).collect();
    let arguments: Vec<String> = needed
        .iter()
        .enumerate()
        .map(|(index, argument)| match argument.name {
            "" => format!("${{{}}}", index + 1),
            name => format!("{name}: ${{{}}}", index + 1),
        })
        .collect();
    let arguments = if arguments.is_empty() {
        String::new()
    } else {
        format!("({})", arguments.join(", "))
    };
    match tag.payload {
        Payload::Required(_) => format!("{name}{arguments}=${{{}}}", needed.len() + 1),
        _ => format!("{name}{arguments}"),
    }
}
