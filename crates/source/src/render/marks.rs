//! The locations of one finding, grouped so that nearby ones are drawn as one piece of source.

use std::ops::Range;

use super::window::{SOURCE, Window, drawable};
use crate::map::File;
use crate::{Diagnostic, SourceMap, Span};

/// Locations in one file at most this many lines apart are drawn together.
const NEAR: u32 = 40;

/// A location to mark.
pub(super) struct Mark<'a> {
    pub(super) range: Range<usize>,
    pub(super) label: Option<&'a str>,
}

/// Marks in one piece of source; the heading names the first.
pub(super) struct Cluster<'a> {
    pub(super) file: &'a File,
    pub(super) window: Window<'a>,
    pub(super) marks: Vec<Mark<'a>>,
    /// Whether the first mark is the finding's own location.
    pub(super) own: bool,
}

/// The finding's own location and those near it first, then the others.
pub(super) fn clusters<'a>(sources: &'a SourceMap, found: &'a Diagnostic) -> Vec<Cluster<'a>> {
    let mut groups = vec![(found.span, vec![(found.span, found.label.as_deref())])];
    for label in &found.related {
        let place = (label.span, Some(label.message.as_str()));
        match groups
            .iter_mut()
            .find(|(first, _)| near(sources, *first, label.span))
        {
            Some((_, places)) => places.push(place),
            None => groups.push((label.span, vec![place])),
        }
    }
    let clusters = groups.into_iter().enumerate();
    clusters
        .map(|(index, (first, places))| Cluster::new(sources.file(first.file), &places, index == 0))
        .collect()
}

fn near(sources: &SourceMap, first: Span, second: Span) -> bool {
    let line = |span| sources.position(span).line;
    first.file == second.file && line(first).abs_diff(line(second)) <= NEAR
}

impl<'a> Cluster<'a> {
    fn new(file: &'a File, places: &[(Span, Option<&'a str>)], own: bool) -> Self {
        let mut marks: Vec<_> = places
            .iter()
            .map(|(span, label)| Mark {
                range: drawable(file, *span),
                label: *label,
            })
            .collect();
        if !own {
            marks.sort_by_key(|mark| mark.range.start);
        }
        let ranges: Vec<_> = marks.iter().map(|mark| mark.range.clone()).collect();
        Self {
            file,
            window: Window::around(file, &ranges, SOURCE),
            marks,
            own,
        }
    }

    /// The line its heading names.
    pub(super) fn line(&self) -> u32 {
        self.file.position(self.marks[0].range.start as u32).line
    }

    /// The column of its first mark in the window and in the file.
    pub(super) fn columns(&self) -> (usize, usize) {
        let range = &self.marks[0].range;
        let shown = self.window.locate(range).start;
        let before = &self.window.text[..shown];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let truth = self.file.position(range.start as u32).column as usize;
        (before[line..].chars().count() + 1, truth)
    }
}
