//! Markers that controller-gen applies to the schema of a field or type, in its order and with its checks.

use kindsmith_schema::{Facet, Family, Owner, TypeId, Wrap};
use rustc_hash::FxHashMap;

use super::lines::{Crd, Lines, Marker};
use super::node::{Change, Node, Unfit};
use super::{Gathered, Reader, report};
use crate::finding;
use crate::grammar::marker::{MarkerError, MarkerValues, parse};
use crate::tag::{self, Scope};

/// A marker with parsed arguments.
struct Read<'a, 'm> {
    marker: &'m Marker<'a>,
    crd: &'m Crd<'a>,
    descriptor: &'static tag::Marker,
    values: MarkerValues,
}

/// How markers on types change their published form.
pub(super) fn changes(lines: &[Lines<'_>]) -> FxHashMap<TypeId, Change> {
    let mut changes: FxHashMap<TypeId, Change> = FxHashMap::default();
    for lines in lines {
        let Owner::Type(id) = lines.owner else {
            continue;
        };
        for crd in lines.markers.iter().filter_map(|marker| marker.crd.as_ref()) {
            let change = || Change::default();
            match crd.tag.name {
                "kubebuilder:validation:Type" if !crd.items => {
                    let Some(descriptor) = crd.tag.as_marker() else {
                        continue;
                    };
                    if let Ok(values) = parse(descriptor.arguments, crd.parts) {
                        changes.entry(id).or_insert_with(change).ty = values.text("").map(str::to_owned);
                    }
                }
                "kubebuilder:validation:XIntOrString" if !crd.items => {
                    changes.entry(id).or_insert_with(change).int_or_string = true;
                }
                _ => {}
            }
        }
    }
    changes
}

impl Reader<'_> {
    /// Applies the markers that controller-gen knows.
    pub(super) fn schema(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        if lines.markers.iter().all(|marker| marker.crd.is_none()) {
            return;
        }
        let mut node = match lines.owner {
            Owner::Field(_) if lines.has_crd("kubebuilder:validation:Schemaless") => Node::default(),
            Owner::Field(_) => match lines.field(self.builder) {
                Some(field) => self.published.of_use(lines.package, &field.ty),
                None => return,
            },
            Owner::Type(id) => self.published.of_declaration(id),
            Owner::Package(_) | Owner::Constant(..) => return,
        };
        let mut read = self.read_all(lines, gathered);
        read.sort_by_key(|read| (read.crd.items, read.descriptor.priority));
        for read in read {
            self.apply(lines, &mut node, &read, gathered);
        }
        self.one_of(lines, gathered);
    }

    fn read_all<'a, 'm>(&self, lines: &'m Lines<'a>, gathered: &mut Gathered) -> Vec<Read<'a, 'm>> {
        let mut all = Vec::new();
        for marker in &lines.markers {
            let Some(crd) = &marker.crd else {
                continue;
            };
            let Some(descriptor) = crd.tag.as_marker() else {
                continue;
            };
            match parse(descriptor.arguments, crd.parts) {
                Ok(values) => all.push(Read {
                    marker,
                    crd,
                    descriptor,
                    values,
                }),
                Err(errors) => {
                    if !crd.declarative || self.tools.is_crd_package(lines.package) {
                        self.syntax(lines, marker, crd, &errors, gathered);
                    }
                    // openapi-gen parses the value in its own way.
                    self.openapi_rule(lines, marker, gathered);
                }
            }
        }
        all
    }

    fn syntax(
        &self,
        lines: &Lines<'_>,
        marker: &Marker<'_>,
        crd: &Crd<'_>,
        errors: &[MarkerError],
        gathered: &mut Gathered,
    ) {
        // An input package is read to the end, whatever it is for.
        let own = self.tools.is_input(lines.package);
        for error in errors {
            let (start, end) = error.range;
            let at = crd.arguments_at;
            let span = if end > start && at + end <= marker.text.len() {
                marker.part(at + start..at + end)
            } else {
                marker.value_span()
            };
            let is_error =
                self.tools.is_read(lines.package) && (own || self.tools.may_be_crd_package(lines.package));
            let mut found = report::crd(&finding::MARKER_SYNTAX, span, error.text(), is_error);
            found.message = format!("+{}: {}", crd.tag.name, error.message);
            gathered.diagnostics.push(self.syntax_help(crd, error, found));
        }
    }

    fn syntax_help(
        &self,
        crd: &Crd<'_>,
        error: &MarkerError,
        found: kindsmith_source::Diagnostic,
    ) -> kindsmith_source::Diagnostic {
        use crate::grammar::marker::{Arguments, Fault};
        let arguments = crd.tag.as_marker().map(|marker| marker.arguments);
        match arguments {
            Some(Arguments::None) => found.help("the marker takes no value"),
            Some(Arguments::Named(known)) if error.fault == Fault::UnknownArgument => {
                let names: Vec<&str> = known.iter().map(|argument| argument.name).collect();
                found.help(format!("known arguments are {}", names.join(", ")))
            }
            _ if error.fault == Fault::ExtraArguments => {
                found.help("quote values that contain `,`, `;` or `}`; lists are parted by `;`")
            }
            _ => found,
        }
    }

    fn apply(&self, lines: &Lines<'_>, node: &mut Node, read: &Read<'_, '_>, gathered: &mut Gathered) {
        let Some(effect) = read.descriptor.schema else {
            return;
        };
        let was_opaque = node.opaque && node.ty.is_empty();
        let result = if read.crd.items {
            let found = node.ty.clone();
            match node.items.as_deref_mut().filter(|_| found == "array") {
                Some(items) => effect(items, &read.values),
                None => {
                    let name = items_name(read.crd.tag.name);
                    Err(Unfit::Type(format!(
                        "must apply {name} to an array value, found {found}"
                    )))
                }
            }
        } else {
            effect(node, &read.values)
        };
        match result {
            Ok(None) => {}
            Ok(Some(facet)) => self.add(lines, read, facet, gathered),
            Err(unfit) => {
                self.refuse(lines, read, unfit, was_opaque, gathered);
                self.openapi_rule(lines, read.marker, gathered);
            }
        }
    }

    fn add(&self, lines: &Lines<'_>, read: &Read<'_, '_>, facet: Facet, gathered: &mut Gathered) {
        // Other tools read these too, in their own way.
        let family = match read.descriptor.openapi {
            _ if read.crd.declarative => Family::Declarative,
            Some(_) => Family::OpenApi,
            None => Family::Kubebuilder,
        };
        if family != Family::Kubebuilder {
            gathered.published(lines.owner, family, facet.clone());
            if family == Family::Declarative || !read.marker.is_gengo() {
                return;
            }
        }
        let wraps = if read.crd.items {
            vec![Wrap::EachVal]
        } else {
            Vec::new()
        };
        gathered.rule(lines.owner, family, wraps, facet, read.marker.span);
    }

    fn refuse(
        &self,
        lines: &Lines<'_>,
        read: &Read<'_, '_>,
        unfit: Unfit,
        opaque: bool,
        gathered: &mut Gathered,
    ) {
        let id = match lines.owner {
            Owner::Field(id) => id.owner,
            Owner::Type(id) => id,
            Owner::Package(_) | Owner::Constant(..) => return,
        };
        // If validation-gen is the tool that counts, it reports the error.
        if read.crd.declarative && !self.tools.crd(self.builder, id) {
            return;
        }
        let own = read.crd.tag.name.starts_with("kubebuilder:");
        // Other tools resolve the name, so the marker is right for them.
        let looks_behind = opaque && matches!(unfit, Unfit::Type(_));
        if looks_behind && !own && !self.tools.is_crd_package(lines.package) {
            return;
        }
        // In an API compiled into a server, the marker is for other tools.
        if !own && !self.tools.may_be_crd_package(lines.package) {
            return;
        }
        let is_error = self.tools.crd(self.builder, id);
        let (span, message) = match unfit {
            Unfit::Value(message) => (read.marker.value_span(), message),
            Unfit::Type(message) | Unfit::Other(message) => (read.marker.name_span(), message),
        };
        let mut found = report::crd(&finding::MARKER_MISUSE, span, message, is_error);
        if looks_behind && lines.scope == Scope::Field {
            found = found.help(
                "controller-gen does not resolve the name of the field's type; write the marker on that type",
            );
        } else if !read.crd.tag.types.is_empty() {
            found = found.help(format!("the marker applies to {}", read.crd.tag.types));
        }
        gathered.diagnostics.push(found);
    }

    /// Members of a group must be optional (controller-tools `structToSchema`).
    fn one_of(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let Owner::Type(id) = lines.owner else {
            return;
        };
        let groups: Vec<(&Marker<'_>, Vec<String>)> = lines
            .markers
            .iter()
            .filter_map(|marker| {
                let crd = marker.crd.as_ref()?;
                let is_group = matches!(
                    crd.tag.name,
                    "kubebuilder:validation:AtMostOneOf"
                        | "kubebuilder:validation:ExactlyOneOf"
                        | "kubebuilder:validation:AtLeastOneOf"
                );
                if !is_group {
                    return None;
                }
                let values = parse(crd.tag.as_marker()?.arguments, crd.parts).ok()?;
                Some((marker, values.texts("").into_iter().map(str::to_owned).collect()))
            })
            .collect();
        let is_error = self.tools.crd(self.builder, id);
        for (marker, members) in &groups {
            for member in members.iter().filter(|member| !member.contains('.')) {
                let span = marker
                    .text
                    .find(member.as_str())
                    .map_or(marker.value_span(), |at| marker.part(at..at + member.len()));
                gathered
                    .diagnostics
                    .extend(self.one_of_member(id, member, span, is_error));
            }
        }
    }

    fn one_of_member(
        &self,
        id: TypeId,
        member: &str,
        span: kindsmith_source::Span,
        is_error: bool,
    ) -> Option<kindsmith_source::Diagnostic> {
        let fields = self.builder.ty(id).fields();
        let Some(index) = fields.iter().position(|field| &*field.json.name == member) else {
            let inlined = fields.iter().any(kindsmith_schema::Field::is_inline);
            return (!inlined && !fields.is_empty()).then(|| {
                report::graded(
                    &finding::MARKER_MEMBER,
                    span,
                    format!("the struct has no member `{member}`"),
                    false,
                )
                .help("members are named as in JSON")
            });
        };
        let field = &fields[index];
        let owner = Owner::Field(kindsmith_schema::FieldId {
            owner: id,
            index: u32::try_from(index).ok()?,
        });
        let lines = self.lines_of(owner);
        let has = |name: &str| lines.is_some_and(|lines| lines.has_crd(name));
        let package = self
            .packages
            .iter()
            .find(|package| *package.path == *self.builder.ty(id).name.package);
        let relaxed = package.is_some_and(|package| package.options.optional_by_default);
        let problem = if has("kubebuilder:validation:Optional") {
            return None;
        } else if has("kubebuilder:validation:Required") {
            "cannot be marked as required"
        } else if has("optional") {
            return None;
        } else if has("required") {
            "cannot be marked as required"
        } else if !relaxed && !field.json.omitempty && !field.json.omitzero {
            "must have omitempty or omitzero tag"
        } else {
            return None;
        };
        let message = format!("field {member} is part of OneOf constraint and {problem}");
        Some(
            report::crd(&finding::MARKER_MISUSE, span, message, is_error)
                .help("members of the group must be optional"),
        )
    }
}

/// The name of a validation for list items.
fn items_name(name: &str) -> String {
    name.replacen("kubebuilder:validation:", "kubebuilder:validation:items:", 1)
}
