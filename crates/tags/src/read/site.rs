//! Evaluates the tags in the comment lines of one declaration.

use std::ops::Range;

use kindsmith_schema::Owner;
use kindsmith_source::{Diagnostic, Fix, Span};
use rustc_hash::FxHashMap;

use super::at::At;
use super::check::belongs;
use super::context::Cx;
use super::kep_spelling::respelled;
use super::misuse::Misuse;
use super::report::Phase;
use crate::grammar::codetags::{self, Chain, Link, Mode, Value};
use crate::grammar::{Marker, marker};
use crate::site::{BlockKind, Line, Site};
use crate::tag::{Apply, Family, Payload, Scope, Tag};
use crate::{catalogue, finding};

/// A line that is a known tag.
struct Found<'a> {
    tag: &'static Tag,
    marker: Marker<'a>,
    span: Span,
}

/// Places of the markers that belong to a declaration other than a package, and whether they touch it. In
/// `doc.go` the package reads all of them again, and a type reads those that touch the declaration just above
/// it.
pub(super) fn attached(sites: &[Site<'_>]) -> FxHashMap<Span, bool> {
    let mut attached = FxHashMap::default();
    let declarations = sites
        .iter()
        .filter(|site| !matches!(site.owner, Owner::Package(_)));
    for block in declarations.flat_map(|site| &site.blocks) {
        let touches = matches!(block.kind, BlockKind::Closest | BlockKind::Godoc);
        for line in block.lines.iter().filter(|line| marker(line.text).is_some()) {
            *attached.entry(line.span).or_default() |= touches;
        }
    }
    attached
}

/// The valid `+k8s:` lines of a declaration, in evaluation order.
pub(super) fn chains(site: &Site<'_>) -> Vec<Chain> {
    let markers = site
        .lines(BlockKind::Closest)
        .filter_map(|line| marker(line.text));
    let declarative = markers.filter(|marker| {
        catalogue::find(marker.name).is_some_and(|tag| matches!(tag.apply, Apply::Declarative(_)))
    });
    let mut chains: Vec<Chain> = declarative
        .filter_map(|marker| codetags::parse(marker.text, Mode::Typed).ok())
        .collect();
    chains.sort_by(|a, b| a.first().name.cmp(&b.first().name));
    chains
}

impl<'a> Cx<'a> {
    pub(super) fn read_site(&mut self, site: &'a Site<'a>) {
        let scope = Scope::of(site.owner);
        let mut found = Vec::new();
        for block in &site.blocks {
            for line in &block.lines {
                let Some(marker) = marker(line.text) else {
                    if let Some(blanks) = parted(line.text) {
                        self.report_parted(line, blanks);
                    }
                    continue;
                };
                let again = match block.kind {
                    BlockKind::Closest | BlockKind::Godoc => false,
                    BlockKind::DocFile | BlockKind::Package => self.attached.contains_key(&line.span),
                    BlockKind::Second | BlockKind::Loose => self.attached.get(&line.span) == Some(&true),
                };
                let span = line.span.part(marker.offset, line.text.len());
                match catalogue::resolve(marker.name) {
                    Some(tag) if tag.as_marker().is_some() => {
                        self.report_misplaced(tag, marker, span, scope, block.kind);
                    }
                    Some(tag) if tag.blocks.contains(&block.kind) => found.push(Found { tag, marker, span }),
                    _ if again => {}
                    Some(tag) => self.report_unread(tag, marker, span, scope),
                    None => self.report_unknown(marker, span),
                }
            }
        }
        // Most declarations have no tag that is evaluated in its place, and describing the place takes longer than
        // finding that out.
        if found.is_empty() {
            return;
        }
        let Some(place) = self.place(site.owner) else {
            return;
        };
        found.sort_by_key(|found| found.marker.name);
        for at in 0..found.len() {
            self.apply(&place, &found, at);
        }
    }

    fn apply(&mut self, place: &At<'a>, all: &[Found<'a>], index: usize) {
        let Found { tag, marker, span } = all[index];
        let mut at = place.clone();
        at.span = span;
        at.name_span = 0..marker.name.len();
        if tag.kep_only && self.is_upstream() {
            at.ignored = true;
            at.dropped = true;
            let message = format!("validation-gen ignores {:?}", tag.name);
            let help = "so does Kindsmith by default; --profile kep gives it a meaning";
            self.warn(&finding::KEP_ONLY, span.part(0, marker.name.len()), message, help);
        }
        match tag.apply {
            Apply::Declarative(_) => self.apply_declarative(&mut at, all, index),
            Apply::Raw(apply) => {
                if !self.is_placed(&at, tag) {
                    return;
                }
                match codetags::parse(marker.text, Mode::Raw) {
                    Ok(chain) => {
                        if let Err(misuse) = apply(self, &at, chain.first()) {
                            self.report(&at, misuse);
                        }
                    }
                    // For tags without a value, generators check only the name.
                    Err(_) if tag.payload == Payload::None => drop(apply(self, &at, &bare(marker.name))),
                    Err(error) => {
                        at.ignored = true;
                        self.report(&at, Misuse::ours(error.message).at(error.span));
                    }
                }
            }
            Apply::Line(apply) => {
                if self.is_placed(&at, tag)
                    && let Err(misuse) = apply(self, &at, marker)
                {
                    self.report(&at, misuse);
                }
            }
            // These are read together with all other markers.
            Apply::Marker(_) => {}
        }
    }

    fn apply_declarative(&mut self, at: &mut At<'a>, all: &[Found<'a>], index: usize) {
        let marker = all[index].marker;
        at.unasked = !self.asks_validation(at.owner);
        match codetags::parse(marker.text, Mode::Typed) {
            // Errors are reported where they are found.
            Ok(chain) => drop(self.evaluate(at, &chain.links)),
            Err(error) => {
                let lines = all.iter().filter(|other| other.marker.name == marker.name);
                let lines: Vec<&str> = lines.map(|other| other.marker.text).collect();
                let text = format!("failed to parse tags: {}: [{}]", error.message, lines.join(" "));
                let misuse = Misuse::new(text).at(error.span);
                let respelled = respelled(marker.text)
                    .and_then(|text| codetags::parse(&text, Mode::Typed).ok())
                    .map(|chain| vec![chain]);
                match respelled.or_else(|| comma_list(marker.text)) {
                    Some(chains) => {
                        self.kep_only(at, misuse);
                        for chain in chains {
                            drop(self.evaluate(at, &chain.links));
                        }
                    }
                    None => self.push(at, Phase::Reading, misuse.with_finding(&finding::TAG_SYNTAX)),
                }
            }
        }
    }

    /// Values of all tags of this name in `doc.go`.
    pub(crate) fn package_values(&self, at: &At<'a>, name: &str) -> Vec<&'a str> {
        let Some(site) = self.sites.get(&at.owner).copied() else {
            return Vec::new();
        };
        let markers = site
            .lines(BlockKind::DocFile)
            .filter_map(|line| marker(line.text));
        markers
            .filter(|marker| marker.name == name)
            .map(|marker| marker.text[name.len()..].trim_start_matches('='))
            .collect()
    }

    /// Whether the current tag is the first of this name on its declaration.
    pub(crate) fn is_first(&self, at: &At<'a>, name: &str) -> bool {
        let Some(site) = self.sites.get(&at.owner).copied() else {
            return true;
        };
        let mut lines = site.blocks.iter().flat_map(|block| &block.lines);
        let first = lines.find(|line| marker(line.text).is_some_and(|marker| marker.name == name));
        first.is_none_or(|line| line.span.start <= at.span.start && at.span.end <= line.span.end)
    }

    /// The place of a declaration.
    fn place(&self, owner: Owner) -> Option<At<'a>> {
        let mut at = At {
            owner,
            scope: Scope::of(owner),
            ty: None,
            path: String::new(),
            member: None,
            parent_path: String::new(),
            parent: None,
            selector: None,
            wraps: Vec::new(),
            chain: Vec::new(),
            // Blocks without markers have no lines.
            span: self
                .sites
                .get(&owner)?
                .blocks
                .iter()
                .find_map(|block| block.lines.first())?
                .span,
            name_span: 0..0,
            mute: false,
            ignored: false,
            dropped: false,
            unasked: false,
        };
        match owner {
            Owner::Package(index) => {
                at.path = self.builder.packages().get(index as usize)?.path.to_string();
            }
            Owner::Type(id) => {
                at.ty = self.selves.get(id.index());
                at.path = self.view.ty(id).name.to_string();
            }
            Owner::Constant(id, _) => {
                at.ty = self.selves.get(id.index());
                at.path = self.view.ty(id).name.to_string();
            }
            Owner::Field(id) => {
                let field = self.view.ty(id.owner).fields().get(id.index as usize)?;
                at.ty = Some(&field.ty);
                at.member = Some(field);
                at.parent = self.selves.get(id.owner.index());
                at.parent_path = self.view.ty(id.owner).name.to_string();
                at.path = format!("{}.{}", at.parent_path, field.display_name());
                // Upstream does not visit fields whose name starts with a lower-case letter.
                at.ignored = field.name.chars().next().is_some_and(char::is_lowercase);
            }
        }
        Some(at)
    }

    /// Whether a tag that upstream would silently ignore elsewhere is in the right place.
    fn is_placed(&mut self, at: &At<'a>, tag: &Tag) -> bool {
        if tag.fits(at.scope) {
            return true;
        }
        let message = format!("{:?} has no meaning on {}", tag.name, at.scope.words());
        self.warn(
            &finding::MISPLACED_TAG,
            at.span.part(0, at.name_span.end),
            message,
            belongs(tag),
        );
        false
    }

    /// A controller-gen marker in a place where controller-gen does not look for it.
    fn report_misplaced(
        &mut self,
        tag: &Tag,
        marker: Marker<'_>,
        span: Span,
        scope: Scope,
        block: BlockKind,
    ) {
        // A separate group above a type may belong to the package, and a group of a package to a type.
        let certain = matches!(block, BlockKind::Closest | BlockKind::Godoc) && scope != Scope::Package;
        if certain && tag.family == Family::Kubebuilder && !tag.fits(scope) {
            let message = format!("{:?} has no meaning on {}", tag.name, scope.words());
            let span = span.part(0, marker.name.len());
            self.warn(&finding::MISPLACED_TAG, span, message, belongs(tag));
        }
    }

    /// A known tag in a comment in which no tool looks for it.
    fn report_unread(&mut self, tag: &Tag, marker: Marker<'_>, span: Span, scope: Scope) {
        let span = span.part(0, marker.name.len());
        if !tag.fits(scope) {
            let message = format!("{:?} has no meaning on {}", tag.name, scope.words());
            self.warn(&finding::MISPLACED_TAG, span, message, belongs(tag));
            return;
        }
        let (why, help) = match scope {
            Scope::Package => (
                "tags of a package are read from its doc.go",
                "move the tag to doc.go, above the package clause",
            ),
            _ => (
                "the comment does not touch the declaration",
                "move the tag to the comment directly above the declaration",
            ),
        };
        let message = format!("{:?} is not read here: {why}", tag.name);
        self.warn(&finding::DETACHED_TAG, span, message, help);
    }

    /// A tag that no tool reads, because blanks follow its `+`.
    fn report_parted(&mut self, line: &Line<'_>, blanks: Range<usize>) {
        let name = line.text[blanks.end..]
            .split(['=', '(', ' '])
            .next()
            .unwrap_or_default();
        let message = format!("{name:?} is not read as a tag: a blank follows the `+`");
        let found = Diagnostic::warning(
            &finding::UNKNOWN_TAG,
            line.span.part(blanks.start - 1, blanks.end + name.len()),
            message,
        );
        let fix = Fix::safe(format!("write `+{name}`")).edit(line.span.part(blanks.start, blanks.end), "");
        self.diagnostics
            .push(found.help(format!("write +{name}")).fix_with(fix));
    }

    fn report_unknown(&mut self, marker: Marker<'_>, span: Span) {
        let near = catalogue::nearest(marker.name);
        let ours = marker.name.starts_with("k8s:") || marker.name.starts_with("kubebuilder:");
        if near.is_none() && !ours {
            return;
        }
        let span = span.part(0, marker.name.len());
        let message = format!("unknown tag {:?}", marker.name);
        let found = Diagnostic::warning(&finding::UNKNOWN_TAG, span, message);
        self.diagnostics.push(match near {
            Some(near) => {
                let title = format!("write `+{near}`");
                let fix = if is_misspelled(marker.name, near) {
                    Fix::safe(title)
                } else {
                    // It may be another word: `AnyOf` is not `OneOf`.
                    Fix::risky(title)
                };
                found
                    .help(format!("did you mean +{near}?"))
                    .fix_with(fix.edit(span, near))
            }
            None => found.help("generators ignore unknown tags silently"),
        });
    }
}

/// Whether a name has the letters of another in whatever order and case, or one more or less.
fn is_misspelled(name: &str, known: &str) -> bool {
    let letters = |text: &str| {
        let mut letters = text.to_ascii_lowercase().into_bytes();
        letters.sort_unstable();
        letters
    };
    let (name, known) = (letters(name), letters(known));
    let (short, long) = if name.len() < known.len() {
        (name, known)
    } else {
        (known, name)
    };
    let mut rest = long.iter();
    long.len() - short.len() <= 1 && short.iter().all(|letter| rest.any(|other| other == letter))
}

/// The blanks between the `+` and the name of a tag, if a line would be a tag without them.
fn parted(line: &str) -> Option<Range<usize>> {
    let start = line
        .bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let rest = line[start..].strip_prefix('+')?;
    let name = rest.trim_start_matches([' ', '\t']);
    let is_tag = name.starts_with("k8s:") || name.starts_with("kubebuilder:");
    let blanks = line.len() - rest.len()..line.len() - name.len();
    (is_tag && !blanks.is_empty()).then_some(blanks)
}

/// A tag that consists of its name.
fn bare(name: &str) -> Link {
    Link {
        name: name.to_owned(),
        name_span: 0..name.len(),
        args: Vec::new(),
        value: Value::None,
        value_span: name.len()..name.len(),
    }
}

/// Parses a line whose value is a comma-separated list, as KEP-5073 writes `+k8s:update=NoSet,NoModify`: one
/// chain per word.
fn comma_list(text: &str) -> Option<Vec<Chain>> {
    let text = text.split(" #").next().unwrap_or_default().trim_end();
    let (rest, list) = text.rsplit_once('=')?;
    if !rest.ends_with("k8s:update") || !list.contains(',') {
        return None;
    }
    let words = list.split(',').map(str::trim);
    words
        .map(|word| codetags::parse(&format!("{rest}={word}"), Mode::Typed).ok())
        .collect()
}
