//! Writes of built-in kinds: the steps of [`write_decoded`](kindsmith_request::write_decoded) for them.

mod asked;
mod decode;
mod duplicate;
mod gated;
mod numbers;
mod older;
mod store;
mod validate;

pub use numbers::literal;

use std::borrow::Cow;

use kindsmith_engine::Wanted;
use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::{KeyOrder, NameRule};
use kindsmith_object::{Release, store_key};
use kindsmith_request::{
    Admission, Encoded, Mutated, Origin, Outcome, Status, Target, Undecoded, Validation, Warning, Write,
    WriteContext, WriteSteps, write_object,
};

use crate::go_value::empty::may_have_empty;
use crate::{DecodedObject, Kind, Preparation, Refusal, pod};

impl Kind {
    /// Writes an object: a body, or the result of a patch or an apply. An update of a missing object creates it if the
    /// kind allows that.
    pub fn write<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: impl Into<Origin<'a>>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        let mut outcome = write_object(self, arena, write, origin.into(), admission);
        if let Some(text) = self.strategy.deprecation() {
            outcome.warnings.insert(0, Warning::deprecation(text));
        }
        outcome
    }
}

impl Kind {
    fn preparation<'c, 'a>(
        &'c self,
        context: &'c WriteContext<'_, 'a>,
        old: Option<&'c DecodedObject<'a>>,
    ) -> Preparation<'c, 'a> {
        Preparation {
            arena: context.arena,
            release: self.release,
            plan: self.plan(),
            subresource: context.write.operation.subresource(),
            old,
            user: context.admission.user_info(),
            now: context.write.stamp.now,
            uid: context.write.stamp.uid,
            is_dry_run: context.write.is_dry_run,
            pools: context.admission.pools(),
            admission: context.admission,
            warnings: context.notes,
        }
    }
}

/// Drops fields of disabled feature gates from the spec of pods at a path.
fn drop_gated<'a>(
    arena: &'a Arena,
    release: Release,
    object: &mut DecodedObject<'a>,
    old: Option<&DecodedObject<'a>>,
    path: &'static [&'static str],
) {
    let Some(spec) = object.get(path) else {
        return;
    };
    let before = old.and_then(|old| old.get(path)).unwrap_or_default();
    let kept = pod::drop_gated(arena, release, spec, before);
    if kept != spec {
        object.set(arena, path, kept);
    }
}

/// Drops annotations that listed init containers from the metadata beside the spec of pods at a path.
fn drop_init<'a>(arena: &'a Arena, object: &mut DecodedObject<'a>, path: &'static [&'static str]) {
    object.object = pod::without_init_at(arena, object.value(), path)
        .as_object()
        .unwrap_or(object.object);
    if let [_] = path {
        object.meta.annotations = pod::without_init(arena, object.meta.annotations);
    }
}

impl<'a> WriteSteps<'a> for Kind {
    type Extra = ();

    fn target(&self) -> Target<'_> {
        Target {
            group: &self.names.group,
            resource: &self.names.plural,
            kind: &self.names.kind,
            scope: self.scope,
        }
    }

    fn key_prefix(&self) -> Cow<'_, str> {
        let prefix = Kind::key_prefix(self);
        if prefix == store_key::EVENTS {
            // Events are not cached by the reference, whose store leaves its own prefix out.
            store_key::shown(&prefix).to_owned().into()
        } else {
            prefix.to_string().into()
        }
    }

    /// Names of IPAddresses are addresses (`noopNameGenerator` in pkg/registry/networking/ipaddress/strategy.go).
    fn has_name_suffix(&self) -> bool {
        self.strategy.name_rule() != NameRule::IpAddress
    }

    fn allows_unconditional_update(&self) -> bool {
        self.strategy.allows_unconditional_update()
    }

    fn creates_on_update(&self) -> bool {
        self.strategy.creates_on_update()
    }

    fn check_served(&self, write: &Write<'_>) -> Result<(), Status> {
        let subresource = write.operation.subresource();
        let mut known = self.subresources();
        if subresource.is_empty() || known.any(|known| known.name == subresource) {
            Ok(())
        } else {
            Err(self.target().not_found(write))
        }
    }

    fn decode(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: Origin<'a>,
        warnings: &mut Vec<Warning>,
    ) -> Result<DecodedObject<'a>, Status> {
        let object = match origin {
            Origin::Body(body) => self.decode_body(arena, write, body, warnings)?,
            Origin::Patch { object, text, strict } => {
                self.decode_patched(arena, write, object, (text, strict), warnings)?
            }
            Origin::Apply { object } => self.decode_applied(arena, object)?,
        };
        let filled = self.filled(arena, object);
        let filled = self.strategy.default_written(arena, filled, write.stamp.now);
        self.take_stored(arena, filled)
    }

    fn take_stored(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<DecodedObject<'a>, Status> {
        let object = self.as_served(arena, object);
        DecodedObject::of(arena, object).map_err(|error| Status::internal(&error.to_string()))
    }

    fn take_mutated(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<DecodedObject<'a>, Status> {
        let checked = self.plan().decode(object);
        checked.map_err(|error| Status::internal(&error.to_string()))?;
        let object = self.with_type(arena, self.plan().decoded(arena, object));
        self.take_stored(arena, self.filled(arena, object))
    }

    fn decode_mutated(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<Mutated<'a>, Undecoded> {
        let checked = self.plan().decode(object);
        checked.map_err(|error| Undecoded::Decoder {
            why: error.to_string(),
            is_base64: *error.wanted() == Wanted::Base64,
        })?;
        let decoded = self.with_type(arena, self.plan().decoded(arena, object));
        let object = self.filled(arena, decoded);
        Ok(Mutated { decoded, object })
    }

    fn versioned(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        if self.strategy.conversion().is_some() {
            // Conversion may move what a field says to another one.
            return self.as_served(arena, self.to_checked(arena, object));
        }
        let object = self.strategy.tracked(arena, object);
        if may_have_empty(object) {
            self.plan().encoded(arena, object)
        } else {
            object
        }
    }

    fn shown(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        self.plan().encoded(arena, self.with_type(arena, object))
    }

    fn begin(
        &'a self,
        context: &WriteContext<'_, 'a>,
        object: &mut DecodedObject<'a>,
        old: Option<&DecodedObject<'a>>,
    ) -> Result<(), Status> {
        let checked = self.checked();
        let old = self.old_to_checked(context.arena, old)?;
        *object = self.decoded_to_checked(context.arena, object)?;
        let preparation = checked.preparation(context, old.as_ref());
        let begun = checked.strategy.begin(&preparation, object);
        begun.map_err(|refusal| match refusal {
            Refusal::Invalid(errors) => {
                Status::invalid(&self.names.group, &self.names.kind, object.meta.name, &errors)
            }
            Refusal::Internal(message) => Status::internal(&message),
        })
    }

    fn prepare(
        &'a self,
        context: &WriteContext<'_, 'a>,
        object: &mut DecodedObject<'a>,
        old: Option<&DecodedObject<'a>>,
    ) {
        let checked = self.checked();
        // What cannot be converted was refused when the write began.
        let old = self.old_to_checked(context.arena, old).unwrap_or_default();
        let names = (&*checked.names.group, &*checked.names.kind);
        if checked.is_own() && !gated::drops_last(names) {
            gated::drop_fields(context.arena, self.release, names, object, old.as_ref());
        }
        if let Some(path) = checked.strategy.pod_spec() {
            drop_gated(context.arena, self.release, object, old.as_ref(), path);
            drop_init(context.arena, object, path);
        }
        checked
            .strategy
            .prepare(&checked.preparation(context, old.as_ref()), object);
        if checked.is_own() && gated::drops_last(names) {
            gated::drop_fields(context.arena, self.release, names, object, old.as_ref());
        }
    }

    fn named_kind(&'a self, _: &DecodedObject<'a>) -> (&'a str, &'a str) {
        let names = &self.checked().names;
        (&names.group, &names.kind)
    }

    fn validate(
        &'a self,
        context: &WriteContext<'_, 'a>,
        object: &DecodedObject<'a>,
        old: Option<&DecodedObject<'a>>,
    ) -> Result<Validation, Status> {
        let old = self.old_to_checked(context.arena, old)?;
        Ok(Validation {
            errors: self.checked().errors(self, context, object, old.as_ref()),
            warnings: Vec::new(),
        })
    }

    fn warnings(
        &'a self,
        context: &WriteContext<'_, 'a>,
        object: &DecodedObject<'a>,
        old: Option<&DecodedObject<'a>>,
    ) -> Vec<String> {
        let checked = self.checked();
        let old = self.old_to_checked(context.arena, old).unwrap_or_default();
        let change = checked.change(self, context.write, object, old.as_ref());
        checked.strategy.warnings(&change)
    }

    fn canonicalize(&self, context: &WriteContext<'_, 'a>, object: &mut DecodedObject<'a>) {
        self.checked().strategy.canonicalize(context.arena, object);
        object.write_back(context.arena, KeyOrder::Go);
    }

    fn encode(
        &'a self,
        arena: &'a Arena,
        _: &Write<'a>,
        object: &DecodedObject<'a>,
    ) -> Result<Encoded<'a>, Status> {
        let stored = self.to_storage(arena, object);
        let object = self.read(arena, stored)?;
        Ok(Encoded {
            stored,
            object,
            unreadable: None,
        })
    }

    fn holds(&self, object: &DecodedObject<'a>) -> bool {
        self.strategy.holds(object)
    }
}
