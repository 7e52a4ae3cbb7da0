//! Configurations of admission webhooks, of both sorts (pkg/registry/admissionregistration): a new generation starts
//! when a webhook changes.

use std::collections::HashSet;

use kindsmith_json::{Path, Value};
use kindsmith_object::FieldError;

use crate::rule::{duplicate, invalid_text, items, required, text};
use crate::table::{Row, Table};
use crate::{Change, DecodedObject, Names, Preparation, Strategy, headings};

#[derive(Debug)]
pub(crate) struct WebhookConfiguration;

impl Strategy for WebhookConfiguration {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: headings::WEBHOOK_CONFIGURATION,
            cells,
        }
    }

    fn categories(&self) -> &'static [&'static str] {
        &["api-extensions"]
    }

    fn checks_finalizers(&self) -> bool {
        false
    }

    fn allows_unconditional_update(&self) -> bool {
        false
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        match preparation.old {
            None => decoded.meta.generation = 1,
            Some(old) if !preparation.is_same(decoded, old, "webhooks") => {
                decoded.meta.generation = old.meta.generation.saturating_add(1);
            }
            Some(_) => {}
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_new_metadata(errors);
        let list = Path::root("webhooks");
        let mut names = HashSet::new();
        for (index, webhook) in items(change.get(&["webhooks"])).iter().enumerate() {
            let path = list.index(index);
            let name = text(webhook.get("name"));
            if name.is_empty() {
                errors.push(required(&path.child("name"), ""));
            } else if name.split('.').count() < 3 {
                let detail = "should be a domain with at least three segments separated by dots";
                errors.push(invalid_text(&path.child("name"), name, detail));
            }
            if !names.insert(name) {
                errors.push(duplicate(&path.child("name"), name));
            }
            if webhook.get("sideEffects").is_none_or(Value::is_null) {
                let detail = "must specify one of None, NoneOnDryRun";
                errors.push(required(&path.child("sideEffects"), detail));
            }
        }
        if change.old.is_some() {
            change.validate_metadata(errors);
        }
    }
}

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), Value::Int(row.count("webhooks")), row.age()]
}
