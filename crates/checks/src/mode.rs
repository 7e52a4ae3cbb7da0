//! `modeDiscriminator` and `ifMode`: checks of a field that depend on a sibling's value.

use std::collections::BTreeMap;

use kindsmith_schema::{FieldId, Rule, Str};

use super::collected::{ModeGroup, ModeRule};
use super::context::Context;
use super::deferred::{Scope, Validations};
use super::ir::Mode;
use super::wrap::unquoted;
use super::{Body, Call, Lowerer};

impl<'s> Lowerer<'s> {
    pub(super) fn mode_discriminator(
        &mut self,
        context: &Context,
        modality: Option<&Str>,
    ) -> Validations<'s> {
        let name = modality.map(|name| &**name).unwrap_or_default();
        self.mode_group(context, name).discriminator = context.member;
        Validations::default()
    }

    pub(super) fn if_mode(
        &mut self,
        context: &Context,
        rule: &'s Rule,
        depth: usize,
        modality: &str,
        mode: &Str,
    ) -> Validations<'s> {
        let Some(member) = context.member else {
            return Validations::default();
        };
        let go_name = self.types.schema.field(member).name.clone();
        // Upstream creates the group before it reads the payload.
        self.mode_group(context, modality)
            .members
            .entry(go_name.clone())
            .or_insert_with(|| (member, Vec::new()));
        // Upstream drops the deferred work of a payload (VG/validators/mode.go uses its functions only).
        let calls = self.extract(context, rule, depth + 1).calls;
        let rule = ModeRule {
            mode: mode.clone(),
            calls,
            level: context.level,
        };
        let group = self.mode_group(context, modality);
        let rules = group
            .members
            .entry(go_name)
            .or_insert_with(|| (member, Vec::new()));
        rules.1.push(rule);
        let context = context.clone();
        Validations::later(Scope::Parent, move |lowerer| lowerer.mode_calls(&context))
    }

    fn mode_group(&mut self, context: &Context, name: &str) -> &mut ModeGroup {
        let name = if name.is_empty() { "default" } else { name };
        let groups = self.modes.entry(context.parent_path.clone()).or_default();
        groups.entry(name.to_owned()).or_default()
    }

    /// All groups of the struct, returned to the first tag that calls this; later tags get nothing.
    fn mode_calls(&mut self, context: &Context) -> Validations<'s> {
        let Some(groups) = self.modes.remove(&context.parent_path) else {
            return Validations::default();
        };
        let mut all = Validations::default();
        for group in groups.into_values() {
            let Some(discriminator) = group.discriminator else {
                continue;
            };
            for (field, rules) in group.members.into_values() {
                let mut call = Call::new(Body::Mode(self.mode(discriminator, field, rules)), context.rule);
                call.self_managed = true;
                all.calls.push(call);
            }
        }
        all
    }

    fn mode(&self, discriminator: FieldId, field: FieldId, rules: Vec<ModeRule>) -> Mode {
        let first = rules.first().and_then(|rule| rule.level);
        let forbidden_level = first.filter(|level| rules.iter().all(|rule| rule.level == Some(*level)));
        let mut by_mode: BTreeMap<Str, Vec<Call>> = BTreeMap::new();
        for rule in rules {
            let calls = rule.calls.into_iter().map(|mut call| {
                call.level = rule.level.or(call.level);
                call
            });
            by_mode.entry(rule.mode).or_default().extend(calls);
        }
        let name = self.types.schema.field(field).json_name().unwrap_or_default();
        Mode {
            discriminator,
            field,
            name: name.into(),
            rules: by_mode
                .into_iter()
                .map(|(mode, calls)| (unquoted(&mode), calls))
                .collect(),
            forbidden_level,
        }
    }
}
