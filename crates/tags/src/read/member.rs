//! Facts about the field that has a tag, and its siblings.

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Field, FieldId, GoKind, Owner, Scalar, Str, TypeRef, Wrap};

use super::at::At;
use super::context::Cx;
use super::misuse::Misuse;
use super::report::Phase;
use crate::finding;
use crate::go_type;
use crate::grammar::codetags::{self, Arg, Mode};
use crate::grammar::marker;
use crate::site::BlockKind;

impl<'a> Cx<'a> {
    /// The member of a struct, for reading its tags again.
    pub(crate) fn field_id(&self, of: &'a TypeRef, field: &Field) -> Option<FieldId> {
        let (owner, fields) = self.view.members(of)?;
        let index = fields.iter().position(|other| std::ptr::eq(other, field))?;
        Some(FieldId {
            owner,
            index: u32::try_from(index).ok()?,
        })
    }

    /// Reads `+default` of the field like `+k8s:optional` does: whether there is one, and whether it is the
    /// zero value of a type that cannot be absent (validation-gen `hasZeroDefault`).
    pub(crate) fn zero_default(&self, at: &At<'a>) -> Result<Option<bool>, Misuse> {
        let texts = self.default_texts(at)?;
        let text = match texts.as_slice() {
            [] => return Ok(None),
            [text] => text,
            many => {
                let names = vec![r#""default""#; many.len()].join(" ");
                return Err(Misuse::new(format!(
                    "+default tag with multiple values: [{names}]"
                )));
            }
        };
        let failed =
            |reason: String| Misuse::new(format!("failed to parse default value {}: {reason}", quote(text)));
        let arena = Arena::new();
        let value = kindsmith_json::parse_str(&arena, text).map_err(|error| failed(error.to_string()))?;
        if matches!(value, Value::Null) {
            return Err(failed("unmarshalled to nil".to_owned()));
        }
        let resolved = self.resolved(at);
        if resolved.is_nilable(self.view) {
            return Ok(Some(false));
        }
        match resolved.scalar() {
            Some(Scalar::String) => Ok(Some(matches!(value, Value::Str("")))),
            Some(Scalar::Bool) => Ok(Some(matches!(value, Value::Bool(false)))),
            Some(Scalar::Uintptr | Scalar::Rune) | None => {
                let ty = go_type::text(self.view, resolved.base);
                Err(Misuse::new(format!("unknown zero-value for type {ty}")))
            }
            Some(_) => Ok(Some(match value {
                Value::Int(number) => number == 0,
                Value::Float(number) => number == 0.0,
                _ => false,
            })),
        }
    }

    fn default_texts(&self, at: &At<'a>) -> Result<Vec<String>, Misuse> {
        let owner = match (at.member, at.parent) {
            (Some(field), Some(parent)) => self.field_id(go_type::resolved(self.view, parent).base, field),
            _ => None,
        };
        let Some(site) = owner.and_then(|id| self.sites.get(&Owner::Field(id))) else {
            return Ok(Vec::new());
        };
        let markers = site
            .lines(BlockKind::Closest)
            .filter_map(|line| marker(line.text));
        let defaults = markers.filter(|marker| marker.name == "default");
        defaults
            .map(|marker| match codetags::parse(marker.text, Mode::Raw) {
                Ok(chain) => Ok(chain.first().text().to_owned()),
                Err(error) => Err(Misuse::new(format!("failed to read tags: {}", error.message))),
            })
            .collect()
    }

    /// Reports a named scalar type where upstream's generated code declares a variable of the type: upstream writes
    /// the import path into the code, which then cannot be formatted. The rule itself is kept.
    pub(crate) fn check_plain_scalar(&mut self, at: &At<'a>, ty: &'a TypeRef) {
        let resolved = go_type::resolved(self.view, ty);
        let named = matches!(self.view.unalias(ty), TypeRef::Named(_));
        if named && resolved.kind(self.view) == GoKind::Builtin {
            let text = format!(
                "validation-gen writes Go code that cannot be formatted for fields of type {}",
                go_type::text(self.view, ty)
            );
            let misuse = Misuse::unformatted(text).help("make the field a pointer, or of a builtin type");
            self.push(at, Phase::Reading, misuse.with_finding(&finding::GENERATED_CODE));
        }
    }

    /// The field at a dotted path, starting at the struct that holds the tagged field.
    pub(crate) fn field_path(&self, at: &At<'a>, arg: &Arg) -> Result<Vec<Str>, Misuse> {
        let mut ty = self.holder(at);
        let mut names = Vec::new();
        for name in arg.value.text().split('.') {
            let Some(field) = ty.and_then(|ty| self.member_within(ty, name, 0)) else {
                return Err(Misuse::ours(format!("no field for JSON name {}", quote(name))).in_arg(arg));
            };
            names.push(name.into());
            ty = Some(&field.ty);
        }
        if ty.is_none_or(|ty| go_type::resolved(self.view, ty).integer().is_none()) {
            return Err(Misuse::ours("the constraint is not an integer field").in_arg(arg));
        }
        Ok(names)
    }

    /// The place of a field at a dotted path, for a tag on the struct type that both belong to.
    pub(crate) fn target(&self, at: &At<'a>, arg: &Arg) -> Result<At<'a>, Misuse> {
        let misuse = |text: String| Misuse::ours(text).in_arg(arg);
        let is_direct = at
            .wraps
            .iter()
            .all(|wrap| matches!(wrap, Wrap::Level { .. } | Wrap::If(_)));
        let (Owner::Type(owner), true) = (at.owner, is_direct) else {
            let text = "a target can only be named on a struct type; put the tag on the target itself";
            return Err(misuse(text.to_owned()));
        };
        let mut path = arg.value.text().split('.');
        let first = path.next().unwrap_or_default();
        let of = &self.selves[owner.index()];
        let Some((_, fields)) = self.view.members(of) else {
            return Err(Misuse {
                wrong_type: true,
                ..misuse(format!(
                    "can only be used on struct types ({})",
                    self.root_text(at)
                ))
            });
        };
        let Some(field) = go_type::member(fields, first).filter(|field| !field.is_inline()) else {
            let text = match self.member_within(of, first, 0) {
                Some(_) => format!(
                    "{} is a field of an embedded struct; put the tag there",
                    quote(first)
                ),
                None => format!("no field for JSON name {}", quote(first)),
            };
            return Err(misuse(text));
        };
        let mut place = at.clone();
        place.owner = Owner::Field(
            self.field_id(of, field)
                .ok_or_else(|| misuse("not a field".to_owned()))?,
        );
        (place.ty, place.member, place.parent) = (Some(&field.ty), Some(field), Some(of));
        for name in path {
            let below = place.ty.and_then(|ty| self.member_within(ty, name, 0));
            let below = below.ok_or_else(|| misuse(format!("no field for JSON name {}", quote(name))))?;
            place.wraps.push(Wrap::Subfield(name.into()));
            place.ty = Some(&below.ty);
        }
        Ok(place)
    }

    /// The member with this JSON name, also in embedded structs.
    fn member_within(&self, ty: &'a TypeRef, name: &str, depth: usize) -> Option<&'a Field> {
        let fields = go_type::resolved(self.view, ty).fields(self.view)?;
        let embedded = || {
            let mut inline = fields.iter().filter(|field| field.is_inline() && depth < 16);
            inline.find_map(|field| self.member_within(&field.ty, name, depth + 1))
        };
        go_type::member(fields, name).or_else(embedded)
    }

    /// The struct that holds the tagged field, or the tagged type itself.
    fn holder(&self, at: &At<'a>) -> Option<&'a TypeRef> {
        match at.owner {
            Owner::Field(id) => self.selves.get(id.owner.index()),
            Owner::Type(id) => self.selves.get(id.index()),
            Owner::Package(_) | Owner::Constant(..) => None,
        }
    }
}
