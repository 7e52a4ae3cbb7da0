//! Comments of declarations, as documentation and as input for tags.

use kindsmith_schema::{Docs, Str};
use kindsmith_source::{Diagnostic, Fix, Span};
use kindsmith_tags::{Block, BlockKind, Line, Site};

use super::Commented;
use crate::finding;
use crate::package::Package;
use crate::syntax::{Comment, Comments, File, GroupId};

/// The documentation of a declaration.
pub(super) fn docs(file: &File, comments: &Comments) -> Docs {
    let text = |group: GroupId| -> Option<Str> {
        let lines = file.comment_lines(group);
        let mut text = String::with_capacity(lines.iter().map(|line| line.text.len() + 1).sum());
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            text.push_str(line.text);
        }
        (!text.is_empty()).then(|| text.into())
    };
    Docs {
        text: comments.closest.and_then(text),
        godoc: other_prose(file, comments),
    }
}

/// The doc comment by Go's own rules without markers, if it differs from the closest group's `//` lines
/// (controller-tools `pkg/markers/zip.go`, `extractDoc`).
fn other_prose(file: &File, comments: &Comments) -> Option<Str> {
    let Some(group) = comments.godoc else {
        // gengo's closest group is a trailing comment of another declaration.
        return comments.closest.map(|_| "".into());
    };
    let is_same = comments.closest == comments.godoc;
    if is_same
        && file
            .comments
            .comments(group)
            .iter()
            .all(|comment| is_line(file, comment))
    {
        return None;
    }
    let lines = file.comment_lines(group);
    let in_block = lines.iter().any(|line| !line.slashes);
    if !in_block && is_same {
        return None;
    }
    let kept = lines
        .iter()
        .filter(|line| !line.slashes || !line.text.trim_start().starts_with('+'));
    let mut text = String::new();
    for line in kept {
        let shown = if in_block { line.text.trim() } else { line.text };
        if shown.is_empty() && (text.is_empty() || text.ends_with("\n\n")) {
            continue;
        }
        text.push_str(shown);
        text.push('\n');
    }
    Some(text.trim_end_matches('\n').into())
}

fn is_line(file: &File, comment: &Comment) -> bool {
    file.source()[comment.start as usize..].starts_with("//")
}

/// Tags after a declaration on the same line. Kubernetes' generators attach them to the declaration on the
/// next line, if that has no comment of its own (gengo `parser/parse.go` uses only line numbers), and so do
/// we.
pub(super) fn trailing_tags<'a>(
    file: &'a File,
    comments: &Comments,
) -> impl Iterator<Item = Diagnostic> + use<'a> {
    let lines = comments
        .trailing
        .map(|group| file.comment_lines(group))
        .unwrap_or_default();
    lines.into_iter().filter(|line| is_tag(line.text)).map(|line| {
        Diagnostic::warning(
            &finding::TRAILING_TAG,
            line.span,
            "a tag after a declaration on the same line does not apply to it",
        )
        .label("applies to the next line instead, if that has no comment of its own")
        .help("move the tag to a line of its own above the declaration")
        .fix_with(moved_up(file, line.text, line.span))
    })
}

/// Moves a comment at the end of a line to a line of its own above.
fn moved_up(file: &File, tag: &str, span: Span) -> Fix {
    let text = file.source();
    let start = span.start as usize;
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let code = text[line..start].trim_end_matches(['/', '*', ' ', '\t']);
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let indent = &code[..code.len() - code.trim_start().len()];
    let place = |from: usize, to: usize| Span::new(span.file, from as u32, to as u32);
    Fix::safe("move it above")
        .edit(place(line, line), format!("{indent}// {}\n", tag.trim()))
        .edit(place(line + code.len(), end), "")
}

fn is_tag(line: &str) -> bool {
    kindsmith_tags::grammar::marker(line).is_some_and(|marker| kindsmith_tags::find(marker.name).is_some())
}

/// The input for tags: one site per declaration.
pub(crate) fn sites(commented: &[Commented]) -> Vec<Site<'_>> {
    commented.iter().map(site).collect()
}

fn site(of: &Commented) -> Site<'_> {
    let blocks = match of.file {
        Some(file) => declaration_blocks(of.package.file_at(file), &of.comments),
        None => package_blocks(&of.package),
    };
    Site {
        owner: of.owner,
        blocks,
    }
}

fn declaration_blocks<'a>(file: &'a File, comments: &Comments) -> Vec<Block<'a>> {
    let Comments {
        closest,
        second_closest,
        godoc,
        nearest,
        trailing: _,
    } = *comments;
    let mut blocks = Vec::new();
    let mut add = |kind, group: Option<GroupId>, unless: &[Option<GroupId>]| {
        if group.is_some() && !unless.contains(&group) {
            let crd = group == godoc || group == nearest;
            blocks.extend(group.map(|group| block(file, kind, crd, group)));
        }
    };
    add(BlockKind::Loose, nearest, &[closest, second_closest, godoc]);
    add(BlockKind::Second, second_closest, &[closest]);
    add(BlockKind::Godoc, godoc, &[closest, second_closest]);
    add(BlockKind::Closest, closest, &[]);
    blocks
}

fn package_blocks(package: &Package) -> Vec<Block<'_>> {
    let doc = package.doc_file().map(|file| file.id);
    let mut blocks = Vec::new();
    for file in &package.files {
        if Some(file.id) == doc {
            blocks.extend(file.comments.groups().map(|group| {
                let crd = file.package_groups.contains(&group);
                block(file, BlockKind::DocFile, crd, group)
            }));
        } else {
            blocks.extend(
                file.package_groups
                    .iter()
                    .map(|group| block(file, BlockKind::Package, true, *group)),
            );
        }
    }
    blocks
}

/// A comment group as input for tags. A group without a `+` has none, which is the case for most comments.
fn block(file: &File, kind: BlockKind, crd: bool, group: GroupId) -> Block<'_> {
    let has_markers = file.comments.comments(group).iter().any(|comment| {
        let text = &file.source().as_bytes()[comment.start as usize..comment.end as usize];
        memchr::memchr(b'+', text).is_some()
    });
    let lines = if has_markers {
        file.comment_lines(group)
    } else {
        Vec::new()
    };
    let lines = lines.into_iter().map(|line| Line {
        text: line.text,
        span: line.span,
        slashes: line.slashes,
    });
    Block {
        kind,
        crd,
        lines: lines.collect(),
    }
}
