//! Reviews objects one by one, and turns the server's answers into findings and text.

use kindsmith::{ArenaReview, Kinds, OptionSet, Write, go_types, is_definition};
use kindsmith_go::Read;
use kindsmith_json::path::PathBuf;
use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Value};
use kindsmith_source::FileId;

use super::old::Old;
use super::policies::Policies;
use super::stored::Stored;
use super::{Args, explain, release};
use crate::error::Error;
use crate::manifest::{CrdLines, Findings, Manifest};

/// What all reviews share.
pub(super) struct Run<'r, 'a> {
    pub(super) args: &'r Args,
    pub(super) kinds: Kinds,
    pub(super) release: release::Release,
    pub(super) options: OptionSet,
    pub(super) read: &'r Read,
    pub(super) lines: CrdLines<'a>,
    pub(super) old: Old<'a>,
}

/// What some reviews found, and the text to print.
#[derive(Default)]
pub(super) struct Part {
    pub(super) findings: Findings,
    pub(super) text: String,
    /// The file of each object, without the settings of tools.
    pub(super) objects: Vec<FileId>,
    /// The objects as they are stored, if an upgrade is asked about.
    pub(super) stored: Vec<Stored>,
}

impl<'a> Run<'_, 'a> {
    pub(super) fn all(
        &self,
        jobs: &[(usize, &Manifest<'a>)],
        policies: Option<&Policies<'a>>,
    ) -> Result<Vec<Part>, Error> {
        let mut part = Part {
            findings: Findings::new(self.args.lenient),
            ..Part::default()
        };
        for (index, manifest) in jobs {
            self.one(*index, manifest, policies, &mut part)?;
        }
        Ok(vec![part])
    }

    fn one(
        &self,
        index: usize,
        manifest: &Manifest<'a>,
        policies: Option<&Policies<'a>>,
        part: &mut Part,
    ) -> Result<(), Error> {
        let (args, kinds) = (self.args, &self.kinds);
        let arena = Arena::new();
        let old = self.old.of(index, manifest);
        let (api_version, kind) = manifest.identity();
        let write = Write {
            // The many defaults of built-in kinds are no news.
            is_traced: args.explain || (args.notes && !kinds.is_builtin(api_version, kind)),
            ..args.write(manifest, old, &self.options)
        };
        let verdict = if kinds.is_builtin(api_version, kind) {
            let verdict = self.release.judge(api_version, kind, manifest.value);
            if let Some(since) = &verdict.kind_since {
                part.findings.later_kind(manifest, &self.release.name(), since);
                part.objects.push(manifest.file);
                return Ok(());
            }
            verdict
        } else {
            release::Verdict::default()
        };
        let mut review = match kindsmith::removed(api_version, kind) {
            Some(_) => None,
            None => args.review(kinds, manifest, &arena, &write)?,
        };
        if let Some(review) = &mut review {
            review.warnings.retain(|warning| !verdict.explains(&warning.path));
        }
        part.findings.later_fields(manifest, &verdict.unknown);
        if let Some(policies) = policies
            && !is_definition(manifest.value)
        {
            policies.judge(manifest, old.is_some(), review.is_some(), &mut part.findings);
        }
        let places = (self.read, &self.lines);
        match review {
            Some(review) => {
                if args.upgrade.is_some() {
                    part.stored.push(Stored {
                        span: manifest.span(&PathBuf::default()),
                        text: review.object.map(kindsmith_json::to_string).unwrap_or_default(),
                    });
                }
                part.findings.review(kinds, manifest, places, &review);
                part.text.push_str(&args.shown(manifest, places, review));
            }
            None if policies.is_some_and(|policies| policies.knows(manifest)) => {}
            None if manifest.is_setting() => return Ok(()),
            None => part.findings.without_schema(
                (kinds, self.release.release),
                manifest,
                args.allow_unknown_kinds,
            ),
        }
        part.objects.push(manifest.file);
        Ok(())
    }
}

impl Args {
    fn write<'a>(
        &'a self,
        manifest: &Manifest<'a>,
        old: Option<Value<'a>>,
        options: &'a OptionSet,
    ) -> Write<'a> {
        let subresource = self.subresource.as_deref().unwrap_or_default();
        let write = match old {
            Some(old) => Write::update(old, manifest.value),
            None => Write::create(manifest.value),
        };
        Write {
            subresource: subresource.trim_matches('/'),
            options: Some(options),
            profile: self.types.profile.into(),
            is_traced: true,
            ..write
        }
    }

    /// Runs a document through the API server's write steps; `None` if there is no schema for it.
    fn review<'a>(
        &self,
        kinds: &'a Kinds,
        manifest: &Manifest<'a>,
        arena: &'a Arena,
        write: &Write<'a>,
    ) -> Result<Option<ArenaReview<'a>>, Error> {
        let Some(go_types) = kinds.go_types() else {
            return Ok(kinds.review(arena, write).ok());
        };
        let (api_version, kind) = manifest.identity();
        let is_custom = is_definition(manifest.value) || kinds.crds().of_object(api_version, kind).is_some();
        let is_known = is_custom || kinds.is_builtin(api_version, kind) || go_types.find(None, kind).is_err();
        if self.ty.is_none() && is_known && manifest.kind().is_some() {
            return Ok(kinds.review(arena, write).ok());
        }
        let name = self.ty.as_deref().or_else(|| manifest.kind());
        let name =
            name.ok_or_else(|| Error::input("a document has no `kind`").hint("name its type with `--type`"))?;
        let schema = &go_types.read().schema;
        let asked = self
            .ty
            .is_none()
            .then(|| go_types::kind_of(schema, api_version, kind));
        let kind = asked.flatten();
        let ty = match kind {
            Some(kind) => kind.ty,
            None => go_types
                .find(None, name)
                .map_err(|error| Error::input(error.to_string()))?,
        };
        let declared = schema.kinds().iter().find(|kind| kind.ty == ty);
        if let Some((version, kind)) = declared.map(go_types::identity)
            && kinds.crds().of_object(&version, kind).is_some()
        {
            return Ok(kinds.review_as(&version, kind, arena, write).ok());
        }
        // A kind is known by group and version too; other types have neither.
        if self.ty.is_none() && kind.is_none() && schema.kinds().iter().any(|known| known.ty == ty) {
            return Ok(None);
        }
        if let Some(schema) = go_types.crd_schema(ty) {
            return Ok(Some(go_types::review_by_schema(schema, arena, write)));
        }
        let plan = go_types.plan(ty, write.profile);
        let mut review = go_types::review(plan, arena, write);
        if let Some(kind) = kind {
            go_types::review_metadata(kind, arena, write.object, &mut review);
        }
        Ok(Some(review.map(|object| plan.encoded(arena, object))))
    }

    /// The trace and the object, if requested.
    fn shown(
        &self,
        manifest: &Manifest<'_>,
        places: (&Read, &CrdLines<'_>),
        review: ArenaReview<'_>,
    ) -> String {
        let mut text = String::new();
        if self.explain {
            let name = self.ty.as_deref().or_else(|| manifest.kind());
            let tree = explain::tree(
                name.unwrap_or_default(),
                manifest.identity(),
                places,
                review.trace,
            );
            text.push_str(&tree);
        }
        if let (Some(format), Some(object)) = (self.print, review.object) {
            text += &format.document(object, Order::Kept);
        }
        text
    }
}
