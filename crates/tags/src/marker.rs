//! Reads the markers of openapi-gen, defaulter-gen, controller-gen and other generators.
//!
//! Each tool sees different lines and has its own grammar; this module knows which. The meaning and checks of
//! a marker are in its descriptor (`crate::tag`). An error is reported as such if a tool that works on the
//! package rejects the marker, otherwise as a warning.

mod block_comment;
mod client;
mod declarative;
mod default;
mod default_fits_type;
mod enforce;
mod enums;
mod kinds;
mod lines;
mod node;
mod openapi;
mod report;
mod schema;
mod scope;
mod unions;
mod validation;

use kindsmith_schema::{Builder, Default, Facet, Family, Kind, Owner, Package, Rule, Wrap};
use kindsmith_source::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::read::{Constants, Options, field_of};
use crate::site::Site;
pub(crate) use default_fits_type::default_problem;
use lines::Lines;
use node::Published;
pub use node::{Node, Unfit};
use scope::Tools;

/// A change of the builder.
type Edit = Box<dyn FnOnce(&mut Builder)>;

/// The results of reading markers.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) rules: Vec<(Owner, Rule, Span)>,
    pub(crate) defaults: Vec<(Owner, Default, Span)>,
    pub(crate) edits: Vec<Edit>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Reads the markers of all declarations.
pub(crate) fn read(
    builder: &Builder,
    sites: &[Site<'_>],
    constants: &dyn Constants,
    options: &Options,
) -> Gathered {
    let lines: Vec<Lines<'_>> = sites.iter().map(|site| Lines::of(builder, site)).collect();
    let index: FxHashMap<Owner, usize> = lines
        .iter()
        .enumerate()
        .map(|(at, lines)| (lines.owner, at))
        .collect();
    let mut gathered = Gathered::default();
    let packages = scope::packages(builder, &lines, &mut gathered);
    let (ungrouped, kinds): (Vec<FoundKind>, Vec<FoundKind>) = kinds::kinds(
        builder,
        &packages,
        &|owner| Some(&lines[*index.get(&owner)?]),
        &mut gathered,
    )
    .into_iter()
    .partition(|found| packages[found.package as usize].group.is_none());
    if options.definitions {
        let lines_of = |owner| Some(&lines[*index.get(&owner)?]);
        for kind in kinds::distant(builder, &packages, &lines_of, &kinds) {
            gathered
                .edits
                .push(Box::new(move |builder| builder.add_distant_kind(kind)));
        }
    }
    let tools = Tools::new(builder, &packages, &lines, &kinds, options);
    let reader = Reader {
        builder,
        constants,
        published: Published {
            view: builder.view(),
            changes: schema::changes(&lines),
            opaque_containers: options.opaque_containers,
        },
        tools,
        lines: &lines,
        index: &index,
        packages: &packages,
    };
    for lines in &lines {
        reader.declaration(lines, &mut gathered);
    }
    kinds::check(&reader, &kinds, &mut gathered);
    for kind in kinds {
        gathered
            .edits
            .push(Box::new(move |builder| builder.add_kind(kind.kind)));
    }
    for kind in ungrouped {
        gathered
            .edits
            .push(Box::new(move |builder| builder.add_ungrouped_kind(kind.kind)));
    }
    gathered
}

/// State for reading one declaration.
pub(crate) struct Reader<'a> {
    pub(crate) builder: &'a Builder,
    pub(crate) constants: &'a dyn Constants,
    pub(crate) published: Published<'a>,
    pub(crate) tools: Tools,
    pub(crate) lines: &'a [Lines<'a>],
    index: &'a FxHashMap<Owner, usize>,
    pub(crate) packages: &'a [Package],
}

impl Reader<'_> {
    /// The markers of a declaration.
    fn lines_of(&self, owner: Owner) -> Option<&Lines<'_>> {
        self.lines.get(*self.index.get(&owner)?)
    }

    fn declaration(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        if matches!(lines.owner, Owner::Constant(..)) {
            return;
        }
        self.schema(lines, gathered);
        self.openapi(lines, gathered);
        self.validations(lines, gathered);
        self.unions(lines, gathered);
        self.enums(lines, gathered);
        self.default(lines, gathered);
        self.client(lines, gathered);
        self.placement(lines, gathered);
        self.block_comments(lines, gathered);
        self.keep(lines, gathered);
    }
}

impl Gathered {
    /// The rule that controller-gen reads from a tag that others read too.
    fn published(&mut self, owner: Owner, family: Family, facet: Facet) {
        let rule = Rule {
            family,
            wraps: Vec::new(),
            facet,
        };
        self.edits.push(Box::new(move |builder| match owner {
            Owner::Type(id) => builder.ty_mut(id).published.push(rule),
            _ => {
                if let Some(field) = field_of(builder, owner) {
                    field.published.push(rule);
                }
            }
        }));
    }

    fn rule(&mut self, owner: Owner, family: Family, wraps: Vec<Wrap>, facet: Facet, span: Span) {
        let rule = Rule { family, wraps, facet };
        self.rules.push((owner, rule, span));
    }
}

/// A kind and its place for messages.
pub(crate) struct FoundKind {
    pub(crate) kind: Kind,
    pub(crate) package: u32,
    pub(crate) span: Option<Span>,
}
