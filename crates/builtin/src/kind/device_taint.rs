//! Resource slices and device taint rules (pkg/registry/resource). A taint without a time gets the current time
//! (`SetDefaults_DeviceTaint` in pkg/apis/resource/v1/defaults.go).

use kindsmith_engine::OptionSet;
use kindsmith_json::{Arena, Value};

use super::described::{Described, StatusPart};
use crate::edit::{each, member};
use crate::rule::text;
use crate::{DecodedObject, Preparation, Strategy, Subresource};

/// Slices: the devices of a driver.
#[derive(Debug)]
pub(crate) struct ResourceSlice;

impl Strategy for ResourceSlice {
    /// The feature gate is off.
    fn options(&self) -> OptionSet {
        [("DRAPartitionableDevicesType", false)].into_iter().collect()
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        let arena = preparation.arena;
        let mut object = draft.value();
        member(arena, &mut object, &["spec"], |spec| {
            let mut spec = spec;
            each(arena, &mut spec, "devices", |device| {
                let mut device = device;
                each(arena, &mut device, "taints", |taint| {
                    stamp(arena, taint, preparation.now)
                });
                Some(device)
            });
            spec
        });
        draft.object = object.as_object().unwrap_or(draft.object);
        Described::SPEC.prepare(preparation, draft);
    }
}

/// Rules that add a taint to devices.
#[derive(Debug)]
pub(crate) struct DeviceTaintRule;

const RULE: Described = Described {
    status: StatusPart::Alone,
    ..Described::STATUS
};

impl Strategy for DeviceTaintRule {
    fn subresources(&self) -> &'static [Subresource] {
        RULE.subresources()
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        RULE.reset_fields(part)
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        let path = ["spec", "taint"];
        let now = preparation.now;
        if let Some(taint) = draft.get(&path) {
            let stamped = stamp(preparation.arena, taint, now).unwrap_or(taint);
            draft.set(preparation.arena, &path, stamped);
        }
        if preparation.subresource.is_empty()
            && let Some(old) = preparation.old
        {
            restamp(preparation.arena, draft, old, now);
        }
        RULE.prepare(preparation, draft);
    }
}

/// A changed effect gets the current time, unless the rule also sets a new one.
fn restamp<'a>(arena: &'a Arena, draft: &mut DecodedObject<'a>, old: &DecodedObject<'a>, now: &'a str) {
    let is_same = |path: &[&str]| text(draft.get(path)) == text(old.get(path));
    let time = ["spec", "taint", "timeAdded"];
    if !is_same(&["spec", "taint", "effect"]) && is_same(&time) {
        draft.set(arena, &time, Value::Str(now));
    }
}

fn stamp<'a>(arena: &'a Arena, taint: Value<'a>, now: &'a str) -> Option<Value<'a>> {
    let has_time = taint.get("timeAdded").is_some_and(|time| !time.is_null());
    if has_time {
        return None;
    }
    let mut taint = taint;
    taint.set(arena, &["timeAdded"], Value::Str(now));
    Some(taint)
}
