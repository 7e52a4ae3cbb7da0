//! `+default` for each of its three readers, and `+kubebuilder:default`.

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Default, GoKind, Json, Owner, Rule, Scalar, Shape, TypeId, TypeRef, View};
use kindsmith_source::{Diagnostic, Span};

use super::default_fits_type::{broken, misfits};
use super::enforce::{enforced, go_syntax, is_same, publishes_default};
use super::lines::{Lines, Marker};
use super::{Gathered, Reader, report};
use crate::finding;
use crate::go_type::resolved;
use crate::grammar;
use crate::grammar::codetags::{self, Mode};
use crate::grammar::marker::{MarkerValue, parse};
use crate::grammar::openapi::reference;
use crate::read::field_of;
use crate::tag::Scope;

/// A `+default` line as each tool sees it.
struct Seen<'a, 'm> {
    marker: &'m Marker<'a>,
    defaulter: Option<&'a str>,
    openapi: Option<&'a str>,
    crd: Option<&'a str>,
}

impl<'a> Seen<'a, '_> {
    /// The value, from the first tool that sees one.
    fn value(&self) -> Option<&'a str> {
        self.defaulter.or(self.openapi).or(self.crd).map(str::trim)
    }
}

impl Reader<'_> {
    /// Reads the defaults of a declaration.
    pub(super) fn default(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        if !matches!(lines.owner, Owner::Field(_) | Owner::Type(_)) {
            return;
        }
        self.crd_default(lines, gathered);
        let seen: Vec<Seen<'_, '_>> = lines
            .markers
            .iter()
            .filter_map(|marker| self.see(lines, marker, gathered))
            .collect();
        published(lines.owner, &seen, gathered);
        self.repeated(lines, &seen, gathered);
        // controller-gen uses the last one.
        let Some(last) = seen.last() else {
            self.inherited(lines, gathered);
            self.inherited_inside(lines, gathered);
            return;
        };
        let Some(text) = last.value() else {
            return;
        };
        self.value(lines, last.marker, text, gathered);
    }

    /// How each tool reads a line; reports findings where they differ.
    fn see<'a, 'm>(
        &self,
        lines: &Lines<'_>,
        marker: &'m Marker<'a>,
        gathered: &mut Gathered,
    ) -> Option<Seen<'a, 'm>> {
        let text = marker.text;
        if !text.starts_with("default") {
            return None;
        }
        let openapi = marker
            .old
            .filter(|old| old.name == "default")
            .map(|old| old.value);
        let parts = grammar::marker::split(text);
        let is_crd = parts.full_name == "default" || parts.short_name == "default";
        let crd = (is_crd && lines.scope == Scope::Field).then_some(parts.rest);
        let name_end = text
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | ':')))
            .unwrap_or(text.len());
        let mut defaulter = None;
        if &text[..name_end] == "default" && marker.is_gengo() {
            match self.defaulter_value(lines, marker) {
                Ok(value) => defaulter = Some(value),
                Err(found) => {
                    gathered.diagnostics.push(*found);
                    return None;
                }
            }
        }
        if defaulter.is_none() && openapi.is_none() && crd.is_none() {
            return None;
        }
        let only = match (defaulter, openapi, crd) {
            (None, None, Some(_)) if marker.is_gengo() => Some("controller-gen"),
            (Some(_), None, None) if marker.is_gengo() => Some("defaulter-gen"),
            _ => None,
        };
        if let Some(tool) = only {
            let message = format!("only {tool} reads a default written like this");
            gathered.diagnostics.push(
                report::graded(&finding::DEFAULT_FORM, marker.name_span(), message, false)
                    .help("write `+default=`"),
            );
        }
        Some(Seen {
            marker,
            defaulter,
            openapi,
            crd,
        })
    }

    /// The value that defaulter-gen reads.
    fn defaulter_value<'a>(
        &self,
        lines: &Lines<'_>,
        marker: &Marker<'a>,
    ) -> Result<&'a str, Box<Diagnostic>> {
        let is_error = self.applies_defaults(lines);
        let refuse = |text: String, span: Span| {
            let upstream = format!("defaulter-gen: Error extracting default tag: {text}");
            Box::new(report::graded(&finding::DEFAULT_ARGUMENTS, span, text, is_error).upstream(upstream))
        };
        let chain = codetags::parse(marker.text, Mode::Raw)
            .map_err(|error| refuse(error.message, marker.part(error.span)))?;
        let link = chain.first();
        if let Some(arg) = link.args.first() {
            let head = marker.text.split('=').next().unwrap_or_default();
            let given = head
                .strip_prefix("default(")
                .and_then(|rest| rest.strip_suffix(')'));
            let text = format!(
                "failed to parse tag {head}: expected no arguments, found {}",
                kindsmith_gostd::quote::quote(given.unwrap_or_default())
            );
            return Err(refuse(text, marker.part(arg.span.clone())));
        }
        Ok(marker.text.split_once('=').map_or("", |(_, value)| value.trim()))
    }

    /// Two defaults on one declaration.
    fn repeated(&self, lines: &Lines<'_>, seen: &[Seen<'_, '_>], gathered: &mut Gathered) {
        let published: Vec<_> = seen.iter().filter(|seen| seen.openapi.is_some()).collect();
        let [_, second, ..] = &published[..] else {
            return;
        };
        let is_error = self.tools.is_input(lines.package)
            && (self.tools.openapi_package(lines.package) || self.tools.defaulter(lines.package));
        let front = self.generate_front(lines);
        gathered.diagnostics.push(report::openapi(
            &finding::DEFAULT_DUPLICATE,
            second.marker.span,
            "multiple values are not allowed for tag default",
            &front,
            is_error,
        ));
    }

    /// The prefix of openapi-gen's errors about a default.
    fn generate_front(&self, lines: &Lines<'_>) -> String {
        match (lines.owner, lines.field(self.builder)) {
            (Owner::Field(id), Some(field)) => format!(
                "failed to generate default in {}: {}: ",
                self.builder.ty(id.owner).name,
                field.name
            ),
            _ => String::new(),
        }
    }

    fn value(&self, lines: &Lines<'_>, marker: &Marker<'_>, text: &str, gathered: &mut Gathered) {
        if text.is_empty() {
            let is_error = lines.scope == Scope::Field && self.tools.is_input(lines.package);
            gathered.diagnostics.push(
                report::crd(
                    &finding::DEFAULT_EMPTY,
                    marker.name_span(),
                    "unexpected end of JSON input",
                    is_error,
                )
                .help("give a value as JSON, such as `+default=\"a\"` or `+default=1`"),
            );
            return;
        }
        if let Some(reference) = reference(text) {
            self.reference(lines, marker, reference, gathered);
            return;
        }
        match Json::parse(text) {
            Err(error) => {
                let message = format!("failed to unmarshal default: {error}");
                let at = marker.text.len() - text.len();
                let offset = at + error.offset.min(text.len().saturating_sub(1));
                let rest = marker.text[..].char_indices().find(|(index, _)| *index >= offset);
                let span = match rest {
                    Some((start, c)) => marker.part(start..start + c.len_utf8()),
                    None => marker.value_span(),
                };
                let front = self.generate_front(lines);
                // controller-gen does not read defaults of types.
                let finding = match lines.scope {
                    Scope::Field => &finding::DEFAULT_SYNTAX,
                    _ => &finding::TYPE_DEFAULT_SYNTAX,
                };
                gathered.diagnostics.push(
                    report::openapi(finding, span, message, &front, self.tools.is_input(lines.package))
                        .help(json_help(text)),
                );
            }
            Ok(json) => {
                self.check(lines, marker, &json, gathered);
                if json.as_str() != "null" {
                    gathered
                        .defaults
                        .push((lines.owner, Default::Value(json), marker.span));
                }
            }
        }
    }

    /// The type the default is for.
    fn target<'b>(&'b self, lines: &Lines<'_>, own: &'b TypeRef) -> &'b TypeRef {
        match lines.owner {
            Owner::Field(id) => {
                let fields = self.builder.ty(id.owner).fields();
                fields.get(id.index as usize).map_or(own, |field| &field.ty)
            }
            _ => own,
        }
    }

    fn check(&self, lines: &Lines<'_>, marker: &Marker<'_>, json: &Json, gathered: &mut Gathered) {
        let own = own_ref(lines.owner);
        let of = self.target(lines, &own);
        let view = self.builder.view();
        let arena = Arena::new();
        let value = json.value(&arena);
        let span = marker.value_span();
        let compiles = self.applies_defaults(lines);
        if lines.field(self.builder).is_some_and(|field| field.json.string) {
            return;
        }
        if value.is_null() {
            if view.scalar(view.deref(of)).is_some() {
                gathered.diagnostics.push(
                    report::graded(
                        &finding::DEFAULT_NULL,
                        span,
                        "`null` is not a valid default",
                        compiles,
                    )
                    .help("defaulter-gen writes code that does not compile for it; leave the marker out"),
                );
            }
            return;
        }
        let refused = self.enforce(lines, json, of, span, gathered);
        let misfits = misfits(view, of, value);
        let fits = misfits.is_empty();
        for misfit in misfits {
            let is_error = compiles && misfit.hard;
            gathered.diagnostics.push(report::graded(
                &finding::DEFAULT_TYPE,
                span,
                misfit.message,
                is_error,
            ));
        }
        if lines.scope == Scope::Field && fits && !refused && compiles {
            gathered
                .diagnostics
                .extend(uncompilable(view, of, json.as_str().contains('`'), span));
        }
        if fits {
            self.limits(lines, of, value, span, gathered);
        }
    }

    /// Reports the defaults that openapi-gen rejects on fields that cannot be absent; returns whether it did.
    fn enforce(
        &self,
        lines: &Lines<'_>,
        json: &Json,
        of: &TypeRef,
        span: Span,
        gathered: &mut Gathered,
    ) -> bool {
        let Some(field) = lines.field(self.builder) else {
            return false;
        };
        if !publishes_default(field) {
            return false;
        }
        let view = self.builder.view();
        let Some(enforced) =
            enforced(view, of, field.json.omitempty).filter(|enforced| !is_same(view, of, json, enforced))
        else {
            return false;
        };
        let arena = Arena::new();
        let message = format!(
            "invalid default value ({}) for non-pointer/non-omitempty. If specified, must be: {enforced}",
            go_syntax(json.value(&arena))
        );
        let help = if enforced == "{}" {
            "make the field a pointer, or put defaults on the members of the struct"
        } else {
            "add `omitempty` to the `json` tag"
        };
        let front = self.generate_front(lines);
        gathered.diagnostics.push(
            report::openapi(
                &finding::DEFAULT_ENFORCED,
                span,
                message,
                &front,
                self.is_published(lines),
            )
            .help(help),
        );
        true
    }

    /// A field without a default whose type has one.
    fn inherited(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let Some(field) = lines.field(self.builder) else {
            return;
        };
        let Some((marker, json)) = self.type_default(&field.ty) else {
            return;
        };
        self.enforce(lines, &json, &field.ty, marker.value_span(), gathered);
    }

    /// A list or map of structs whose type has a default: defaulter-gen applies it to each element, and
    /// fails.
    fn inherited_inside(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let view = self.builder.view();
        let Some(field) = lines.field(self.builder).filter(|_| self.applies_defaults(lines)) else {
            return;
        };
        let (TypeRef::List(inner) | TypeRef::Map(_, inner)) = view.underlying(&field.ty) else {
            return;
        };
        let TypeRef::Named(id) = view.unalias(inner) else {
            return;
        };
        if let Some((marker, _)) = self
            .default_of(*id)
            .filter(|_| view.kind(inner) == GoKind::Struct)
        {
            let message = format!("the default cannot be applied to the items of `{}`", field.name);
            gathered.diagnostics.push(
                report::graded(&finding::DEFAULT_TYPE, marker.value_span(), message, true)
                    .help("defaulter-gen writes code that does not compile for it; make the items pointers"),
            );
        }
    }

    /// Whether defaulter-gen works on the declaration's package.
    fn applies_defaults(&self, lines: &Lines<'_>) -> bool {
        self.tools.is_input(lines.package) && self.tools.defaulter(lines.package)
    }

    /// The default on a type, or on the types behind its pointers and typedefs.
    fn type_default(&self, of: &TypeRef) -> Option<(&Marker<'_>, Json)> {
        let view = self.builder.view();
        let mut at = of;
        for _ in 0..64 {
            let next = match at {
                TypeRef::Pointer(inner) => inner,
                TypeRef::Named(id) => {
                    if let Some(found) = self.default_of(*id) {
                        return Some(found);
                    }
                    match &view.ty(*id).shape {
                        Shape::Def(target) | Shape::Alias(target) => target,
                        _ => return None,
                    }
                }
                _ => return None,
            };
            at = next;
        }
        None
    }

    fn default_of(&self, id: TypeId) -> Option<(&Marker<'_>, Json)> {
        let lines = self.lines_of(Owner::Type(id))?;
        let (marker, old) = lines.old("default").next()?;
        let json = Json::parse(old.value.trim()).ok()?;
        (json.as_str() != "null").then_some((marker, json))
    }

    fn reference(&self, lines: &Lines<'_>, marker: &Marker<'_>, text: &str, gathered: &mut Gathered) {
        let (package, name) = text.rsplit_once('.').unwrap_or((lines.package, text));
        let own = own_ref(lines.owner);
        let of = self.target(lines, &own);
        let view = self.builder.view();
        let span = marker.value_span();
        let compiles = self.applies_defaults(lines);
        // Named pointers count as pointers, however many there are (defaulter-gen, `resolveTypeAndDepth`).
        if resolved(view, of).scalar().is_none() {
            let message = "only numbers, strings, booleans and pointers to them can refer to a constant";
            gathered
                .diagnostics
                .push(report::graded(&finding::DEFAULT_REF, span, message, compiles));
        }
        let value = self.constant(package, name);
        let is_known = self.constants.is_complete(package);
        if value.is_none() && is_known && self.constants.get(package, name).is_none() {
            let message = format!("the package `{package}` has no constant `{name}`");
            gathered
                .diagnostics
                .push(report::graded(&finding::DEFAULT_REF, span, message, compiles));
        }
        if let Some(json) = &value {
            let arena = Arena::new();
            for misfit in misfits(view, of, json.value(&arena)) {
                gathered.diagnostics.push(report::graded(
                    &finding::DEFAULT_TYPE,
                    span,
                    misfit.message,
                    compiles,
                ));
            }
        }
        let default = Default::Ref {
            package: package.into(),
            name: name.into(),
            value,
        };
        gathered.defaults.push((lines.owner, default, marker.span));
    }

    /// The value of a constant: typed ones are in the builder, the source reader knows the others.
    fn constant(&self, package: &str, name: &str) -> Option<Json> {
        let types = self
            .builder
            .types()
            .iter()
            .filter(|ty| &*ty.name.package == package);
        let mut constants = types.flat_map(|ty| &ty.constants);
        let typed = constants.find(|constant| &*constant.name == name);
        typed
            .and_then(|constant| constant.value.clone())
            .or_else(|| self.constants.get(package, name).flatten())
    }

    /// Warns about a default that the field's own rules reject.
    fn limits(&self, lines: &Lines<'_>, of: &TypeRef, value: Value<'_>, span: Span, gathered: &mut Gathered) {
        let view = self.builder.view();
        let named = match view.deref(of) {
            TypeRef::Named(id) => Some(*id),
            _ => None,
        };
        let is_here =
            |owner: &Owner| *owner == lines.owner || named.is_some_and(|id| *owner == Owner::Type(id));
        let of_type = named.and_then(|id| self.lines_of(Owner::Type(id)));
        let mut type_rules = Gathered::default();
        if let Some(of_type) = of_type.filter(|of_type| of_type.owner != lines.owner) {
            self.schema(of_type, &mut type_rules);
            self.openapi(of_type, &mut type_rules);
        }
        let rules: Vec<&Rule> = gathered
            .rules
            .iter()
            .chain(&type_rules.rules)
            .filter(|(owner, ..)| is_here(owner))
            .map(|(_, rule, _)| rule)
            .collect();
        let constants: Option<Vec<Json>> = named.map(|id| {
            let constants = view.ty(id).constants.iter();
            constants.filter_map(|constant| constant.value.clone()).collect()
        });
        let arena = Arena::new();
        let texts: Option<Vec<&str>> = constants.as_ref().map(|all| {
            let values = all.iter().map(|json| json.value(&arena));
            values.filter_map(Value::as_str).collect()
        });
        for message in broken(&rules, texts.as_deref(), value) {
            gathered
                .diagnostics
                .push(report::graded(&finding::DEFAULT_LIMITS, span, message, false));
        }
    }

    /// `+kubebuilder:default`.
    fn crd_default(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let last = lines.markers.iter().rev().find(|marker| {
            let crd = marker.crd.as_ref();
            crd.is_some_and(|crd| crd.tag.name == "kubebuilder:default")
        });
        let Some((marker, field)) = last.zip(lines.field(self.builder)) else {
            return;
        };
        let Some(crd) = &marker.crd else {
            return;
        };
        let Some(descriptor) = crd.tag.as_marker() else {
            return;
        };
        let Ok(values) = parse(descriptor.arguments, crd.parts) else {
            return;
        };
        let Some(value) = values.get("") else {
            return;
        };
        let spelled = self.builder.view().deref(&field.ty);
        let spelled_list = match spelled {
            TypeRef::List(item) => **item != TypeRef::Scalar(Scalar::Byte),
            other => matches!(other, TypeRef::Array(..)),
        };
        let json = match value {
            MarkerValue::Object(members) if members.is_empty() && spelled_list => "[]".to_owned(),
            other => other.to_json(),
        };
        let Ok(json) = Json::parse(&json) else {
            return;
        };
        let arena = Arena::new();
        for misfit in misfits(self.builder.view(), &field.ty, json.value(&arena)) {
            gathered.diagnostics.push(report::graded(
                &finding::DEFAULT_TYPE,
                marker.value_span(),
                misfit.message,
                false,
            ));
        }
        let owner = lines.owner;
        gathered.edits.push(Box::new(move |builder| {
            if let Some(field) = field_of(builder, owner) {
                field.crd_default = Some(json);
            }
        }));
    }
}

/// Stores the default that controller-gen uses (controller-tools `KubernetesDefault`): the last one that is
/// neither null nor a reference.
fn published(owner: Owner, seen: &[Seen<'_, '_>], gathered: &mut Gathered) {
    let texts = seen.iter().filter(|seen| seen.marker.in_crd);
    let values = texts.filter_map(|seen| Json::parse(seen.crd?.trim()).ok());
    let Some(last) = values.rev().find(|json| json.as_str() != "null") else {
        return;
    };
    gathered.edits.push(Box::new(move |builder| {
        if let Some(field) = field_of(builder, owner) {
            field.published_default = Some(last);
        }
    }));
}

/// A use of the declared type itself.
fn own_ref(owner: Owner) -> TypeRef {
    match owner {
        Owner::Type(id) => TypeRef::Named(id),
        _ => TypeRef::Interface,
    }
}

/// Defaults for which defaulter-gen writes code that does not compile.
fn uncompilable(view: View<'_>, of: &TypeRef, backquote: bool, span: Span) -> Option<Diagnostic> {
    let what = match view.kind(of) {
        _ if backquote && view.scalar(view.deref(of)).is_none() => {
            "a list, map or struct with a backquote in it"
        }
        GoKind::Struct => "a struct that is not a pointer",
        GoKind::Array => "an array of fixed length",
        GoKind::Builtin | GoKind::Alias if view.scalar(of) == Some(kindsmith_schema::Scalar::Uintptr) => {
            "an address"
        }
        _ => return None,
    };
    let message = format!("a default on {what} cannot be applied");
    Some(
        report::graded(&finding::DEFAULT_TYPE, span, message, true)
            .help("defaulter-gen writes code that does not compile for it; make the field a pointer"),
    )
}

fn json_help(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if text.starts_with('\'') {
        "JSON strings have double quotes".to_owned()
    } else if text.chars().all(is_word) {
        format!("the value is JSON: write `+default=\"{text}\"`")
    } else if text.contains("//") || text.contains('#') {
        "what follows the value is part of it; put remarks on a line of their own".to_owned()
    } else {
        "the value is JSON on one line".to_owned()
    }
}
