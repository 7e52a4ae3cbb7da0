//! How openapi-gen reads the markers of a declaration, and which it rejects.

use kindsmith_schema::{Facet, Family, Owner, Str};

use super::lines::{Lines, Marker};
use super::{Gathered, Reader, report};
use crate::finding;
use crate::read::field_of;
use crate::tag::Scope;

impl Reader<'_> {
    /// Rules of markers that only openapi-gen reads, and its checks.
    pub(super) fn openapi(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        for marker in &lines.markers {
            if marker.crd.is_none() {
                self.openapi_rule(lines, marker, gathered);
            }
        }
        self.openapi_switch(lines, gathered);
        if lines.scope == Scope::Field {
            self.optional_and_required(lines, gathered);
            self.patch_tags(lines, gathered);
        }
        self.near_misses(lines, gathered);
    }

    /// The rule that openapi-gen reads from the value of a marker.
    pub(super) fn openapi_rule(&self, lines: &Lines<'_>, marker: &Marker<'_>, gathered: &mut Gathered) {
        let Some(old) = marker.old else {
            return;
        };
        let Some(tag) = crate::catalogue::find(old.name).filter(|tag| tag.fits(lines.scope)) else {
            return;
        };
        let Some(effect) = tag.as_marker().and_then(|marker| marker.openapi) else {
            return;
        };
        match effect(old.value) {
            Some(facet) => gathered.rule(lines.owner, Family::OpenApi, Vec::new(), facet, marker.span),
            // It writes values between quotes unescaped.
            None if marker.crd.is_none() || old.value.contains('"') => {
                let message = format!("+{}: {:?} is not a value openapi-gen knows", tag.name, old.value);
                let is_error = old.value.contains('"') && self.is_published(lines);
                gathered.diagnostics.push(report::graded(
                    &finding::MARKER_VALUE,
                    marker.value_span(),
                    message,
                    is_error,
                ));
            }
            None => {}
        }
    }

    /// `+k8s:openapi-gen` and `+k8s:openapi-model-package`.
    fn openapi_switch(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let mut extensions: Vec<&str> = Vec::new();
        for (marker, old) in lines.old("k8s:openapi-gen") {
            let switch = match old.value {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            };
            match (switch, lines.owner) {
                (Some(on), Owner::Package(index)) => gathered.edits.push(Box::new(move |builder| {
                    let options = &mut builder.package_mut(index).options;
                    // One `true` is enough (kube-openapi `hasOpenAPITagValue`).
                    options.openapi = Some(on || options.openapi == Some(true));
                })),
                (Some(on), Owner::Type(id)) => gathered.edits.push(Box::new(move |builder| {
                    builder.ty_mut(id).options.openapi = Some(on);
                })),
                (Some(_), _) => {}
                (None, _) => {
                    let Some((name, value)) = old.value.split_once(':') else {
                        continue;
                    };
                    if extensions.contains(&name) {
                        let message = format!("the extension `{name}` is given twice");
                        let is_error = self.is_published(lines);
                        gathered.diagnostics.push(
                            report::graded(
                                &finding::MARKER_DUPLICATE,
                                marker.value_span(),
                                message,
                                is_error,
                            )
                            .help("openapi-gen writes code that does not compile for it"),
                        );
                    }
                    extensions.push(name);
                    let facet = Facet::Extension {
                        name: name.into(),
                        value: value.into(),
                    };
                    gathered.rule(lines.owner, Family::OpenApi, Vec::new(), facet, marker.span);
                }
            }
        }
        if let Some((_, old)) = lines.old("k8s:openapi-model-package").next() {
            let name: Str = old.value.into();
            match lines.owner {
                Owner::Package(index) => gathered.edits.push(Box::new(move |builder| {
                    builder.package_mut(index).options.model_package = Some(name);
                })),
                Owner::Type(id) => gathered.edits.push(Box::new(move |builder| {
                    builder.ty_mut(id).options.model_package = Some(name);
                })),
                Owner::Field(_) | Owner::Constant(..) => {}
            }
        }
    }

    /// Whether openapi-gen publishes the declaration.
    pub(super) fn is_published(&self, lines: &Lines<'_>) -> bool {
        self.tools.is_input(lines.package)
            && match lines.owner {
                Owner::Package(_) => self.tools.openapi_package(lines.package),
                Owner::Type(id) | Owner::Constant(id, _) => self.tools.openapi(self.builder, id),
                Owner::Field(id) => {
                    self.tools.openapi(self.builder, id.owner)
                        && !self.builder.ty(id.owner).describes_itself()
                        && self.is_property(lines)
                }
            }
    }

    /// Whether openapi-gen publishes a field as a property. The tags of other fields are not read.
    fn is_property(&self, lines: &Lines<'_>) -> bool {
        let field = lines.field(self.builder);
        field.is_none_or(|field| field.openapi_name().is_some() && !field.is_openapi_hidden())
    }

    fn optional_and_required(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let Some((marker, _)) = lines.old("required").next() else {
            return;
        };
        let Some(field) = lines.field(self.builder).filter(|_| lines.has_old("optional")) else {
            return;
        };
        let message = format!("member {} cannot be both optional and required", field.name);
        let is_error = self.is_published(lines);
        gathered.diagnostics.push(report::openapi(
            &finding::MARKER_CONFLICT,
            marker.name_span(),
            message,
            "",
            is_error,
        ));
    }

    /// Struct tags and comments must agree (kube-openapi `validatePatchTags`).
    fn patch_tags(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let (Some(field), Owner::Field(id)) = (lines.field(self.builder), lines.owner) else {
            return;
        };
        let tags = [
            ("patchStrategy", field.patch.strategy.as_deref()),
            ("patchMergeKey", field.patch.merge_key.as_deref()),
        ];
        for (name, tag) in tags {
            let mut markers = lines.old(name);
            let first = markers.next();
            if let Some((again, _)) = markers.next() {
                let message = format!("multiple values are not allowed for tag {name}");
                let is_error = self.is_published(lines);
                gathered.diagnostics.push(report::openapi(
                    &finding::MARKER_DUPLICATE,
                    again.span,
                    message,
                    "",
                    is_error,
                ));
                continue;
            }
            // In other packages they are not compared.
            if first.map_or("", |(_, old)| old.value) == tag.unwrap_or_default() || !self.is_published(lines)
            {
                continue;
            }
            let Some(span) = first.map(|(marker, _)| marker.span).or(lines.any) else {
                continue;
            };
            let message = format!(
                "Tags in comment and struct should match for member ({}) of ({})",
                field.name,
                self.builder.ty(id.owner).name
            );
            let is_error = self.is_published(lines);
            gathered.diagnostics.push(
                report::openapi(&finding::MARKER_CONFLICT, span, message, "", is_error).help(format!(
                    "write the same `{name}` in the comment and in the struct tag"
                )),
            );
            // openapi-gen stops at the first.
            return;
        }
    }

    /// Lines that look like markers but that no tool reads.
    fn near_misses(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        const BARE: [&str; 8] = [
            "optional",
            "required",
            "nullable",
            "enum",
            "listType",
            "listMapKey",
            "mapType",
            "structType",
        ];
        for marker in &lines.markers {
            let word_end = marker
                .text
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(marker.text.len());
            let (word, rest) = marker.text.split_at(word_end);
            if marker.crd.is_some() || !BARE.contains(&word) || !rest.starts_with([' ', '\t']) {
                continue;
            }
            let name = marker.text.split('=').next().unwrap_or_default();
            let message = format!("no tool reads this marker: all of `{name}` counts as its name");
            gathered.diagnostics.push(
                report::graded(&finding::MARKER_IGNORED, marker.span, message, false)
                    .help(format!("write `+{word}` without blanks or a comment after it")),
            );
        }
    }

    /// Stores markers without a meaning in the schema.
    pub(super) fn keep(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let kept: Vec<(Str, Str)> = lines
            .markers
            .iter()
            .filter_map(|marker| {
                let tag = marker.tag?;
                let descriptor = tag.as_marker()?;
                let has_meaning = descriptor.schema.is_some()
                    || descriptor.kind.is_some()
                    || descriptor.package.is_some()
                    || descriptor.openapi.is_some()
                    || matches!(
                        tag.name,
                        "default" | "k8s:openapi-gen" | "k8s:openapi-model-package" | "k8s:validation"
                    );
                let (name, value) = marker.text.split_once('=').unwrap_or((marker.text, ""));
                (!has_meaning).then(|| (name.into(), value.into()))
            })
            .collect();
        if kept.is_empty() {
            return;
        }
        match lines.owner {
            Owner::Package(index) => gathered.edits.push(Box::new(move |builder| {
                builder.package_mut(index).options.markers.extend(kept);
            })),
            Owner::Type(id) => gathered.edits.push(Box::new(move |builder| {
                builder.ty_mut(id).options.markers.extend(kept);
            })),
            Owner::Field(_) => {
                let owner = lines.owner;
                gathered.edits.push(Box::new(move |builder| {
                    if let Some(field) = field_of(builder, owner) {
                        field.markers.extend(kept);
                    }
                }));
            }
            Owner::Constant(..) => {}
        }
    }
}
