//! Rules that add taints to devices (pkg/registry/resource/devicetaintrule). A taint that does not say when it was
//! added is added now (`SetDefaults_DeviceTaint` in pkg/apis/resource/v1/defaults.go).

use kindsmith_json::{Arena, Value};

use super::described::{Described, StatusPart};
use super::device::{check_label, check_pool, check_taint};
use crate::edit::member;
use crate::field::{Errors, Field};
use crate::field_check::text;
use crate::part::condition;
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Preparation, Strategy, Subresource};

const CONDITIONS_LIMIT: usize = 8;

/// Rules that add a taint to devices.
#[derive(Debug)]
pub(crate) struct DeviceTaintRule;

const RULE: Described = Described {
    status: StatusPart::Alone,
    has_status_table: false,
    ..Described::STATUS
};

const COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Key", "resource/v1.DeviceTaint.key"),
    column::text("Value", "resource/v1.DeviceTaint.value"),
    column::text("Effect", "resource/v1.DeviceTaint.effect"),
    column::text("TimeAdded", "resource/v1.DeviceTaint.timeAdded"),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let part = |key: &str| Value::Str(row.text(&format!("spec.taint.{key}")));
    let added = match row.text("spec.taint.timeAdded") {
        "" => Value::Str(""),
        _ => row.cell(&row.since("spec.taint.timeAdded")),
    };
    vec![
        row.name(),
        part("key"),
        part("value"),
        part("effect"),
        added,
        row.age(),
    ]
}

impl Strategy for DeviceTaintRule {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: COLUMNS,
            cells,
        }
    }

    fn allows_unconditional_update(&self) -> bool {
        false
    }

    fn subresources(&self) -> &'static [Subresource] {
        RULE.subresources()
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        RULE.reset_fields(part)
    }

    fn default_written<'a>(&self, arena: &'a Arena, object: Value<'a>, now: &'a str) -> Value<'a> {
        let mut object = object;
        member(arena, &mut object, &["spec", "taint"], |taint| {
            stamp(arena, taint, now).unwrap_or(taint)
        });
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        let now = preparation.now;
        if preparation.subresource.is_empty()
            && let Some(old) = preparation.old
        {
            restamp(preparation.arena, draft, old, now);
        }
        RULE.prepare(preparation, draft);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        change.validate_metadata(errors);
        if change.subresource == "status" {
            let status = Field::root(change, "status");
            let conditions = status.child("conditions");
            condition::validate(&conditions, errors);
            return conditions.at_most(CONDITIONS_LIMIT, errors);
        }
        let spec = Field::root(change, "spec");
        let selector = spec.child("deviceSelector");
        if selector.child("driver").is_set() {
            selector.child("driver").driver_name(errors);
        }
        if selector.child("pool").is_set() {
            check_pool(&selector.child("pool"), errors);
        }
        if selector.child("device").is_set() {
            check_label(&selector.child("device"), errors);
        }
        let effect = change.old.map(|old| text(old.get(&["spec", "taint", "effect"])));
        check_taint(&spec.child("taint"), effect, errors);
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

pub(super) fn stamp<'a>(arena: &'a Arena, taint: Value<'a>, now: &'a str) -> Option<Value<'a>> {
    let has_time = taint.get("timeAdded").is_some_and(|time| !time.is_null());
    if has_time {
        return None;
    }
    let mut taint = taint;
    taint.set(arena, &["timeAdded"], Value::Str(now));
    Some(taint)
}
