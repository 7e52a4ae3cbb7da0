//! CSI drivers (pkg/registry/storage/csidriver/strategy.go, and `SetDefaults_CSIDriver` in
//! pkg/apis/storage/v1/defaults.go for defaults beyond tags).

use std::collections::HashSet;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::Behavior;

use super::described::Described;
use crate::field::{Errors, Field};
use crate::field_check::{items, not_supported};
use crate::go_value::json::is_same;
use crate::table::{Heading, Row, Table, column, text_of};
use crate::types::{declared, words};
use crate::{Change, DecodedObject, Names, Preparation, Strategy};

#[derive(Debug)]
pub(crate) struct CsiDriver;

const TOKENS: [&str; 2] = ["spec", "tokenRequests"];

impl Strategy for CsiDriver {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn allows_unconditional_update(&self) -> bool {
        false
    }

    /// A driver without lifecycle modes handles persistent volumes.
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        const PERSISTENT: &[Value<'static>] = &[Value::Str("Persistent")];
        let path = ["spec", "volumeLifecycleModes"];
        let mut object = object;
        if object.get("spec").is_none_or(Value::is_null) {
            object.set(arena, &["spec"], Value::Object(Object::EMPTY));
        }
        if items(object.lookup(&path)).is_empty() {
            object.set(arena, &path, Value::Array(PERSISTENT));
        }
        object
    }

    /// The generation is incremented, but not set to one on create.
    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        let counted = Described {
            starts_at_one: false,
            ..Described::SPEC
        };
        counted.prepare(preparation, draft);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        change.validate_metadata(errors);
        let spec = Field::root(change, "spec");
        validate_spec(&spec, errors);
        if change.old.is_some() {
            let old = Field::old_root(change, "spec");
            // Kubernetes spells this path so.
            let attach = Field {
                path: spec.path.child("attachedRequired"),
                value: spec.child("attachRequired").value,
                release: change.release,
            };
            attach.unchanged(&old.child("attachRequired"), errors);
            let modes = spec.child("volumeLifecycleModes");
            modes.unchanged(&old.child("volumeLifecycleModes"), errors);
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        if !change.release.has(Behavior::TokensInSecretsWarned) {
            return Vec::new();
        }
        let tokens = change.get(&TOKENS);
        let is_same = change.old.is_some() && is_same(tokens, change.get_old(&TOKENS));
        let says_where = change.get(&["spec", "serviceAccountTokenInSecrets"]).is_some();
        if items(tokens).is_empty() || is_same || says_where {
            return Vec::new();
        }
        let text = "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent \
                    possible logging of tokens in volume attributes";
        vec![text.to_owned()]
    }
}

fn validate_spec(spec: &Field<'_, '_>, errors: &mut Errors) {
    let policy = spec.child("fsGroupPolicy");
    if policy.is_set() {
        policy.one_of(words("storage/v1.FSGroupPolicy"), errors);
    }
    let tokens = spec.child("tokenRequests");
    validate_tokens(&tokens, errors);
    let modes = spec.child("volumeLifecycleModes");
    for mode in modes.items() {
        let known = declared("storage/v1.VolumeLifecycleMode");
        if !known.contains(&mode.text()) {
            errors.push(not_supported(&modes.path, mode.text(), known));
        }
    }
    let period = spec.child("nodeAllocatableUpdatePeriodSeconds");
    if period.is_set() && period.number() < 10 {
        period.invalid("must be greater than or equal to 10 seconds", errors);
    }
    let secrets = spec.child("serviceAccountTokenInSecrets");
    if secrets.is_set() && tokens.len() == 0 {
        let detail = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
        secrets.invalid(detail, errors);
    }
}

fn validate_tokens(tokens: &Field<'_, '_>, errors: &mut Errors) {
    let mut audiences = HashSet::new();
    for token in tokens.items() {
        let (audience, seconds) = (token.child("audience"), token.child("expirationSeconds"));
        if !audiences.insert(audience.text()) {
            audience.duplicate(errors);
            continue;
        }
        if seconds.is_set() && seconds.number() < 10 * 60 {
            seconds.invalid("may not specify a duration less than 10 minutes", errors);
        }
        if seconds.number() > 1 << 32 {
            seconds.invalid("may not specify a duration larger than 2^32 seconds", errors);
        }
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::truth("AttachRequired", "storage/v1.CSIDriverSpec.attachRequired"),
    column::truth("PodInfoOnMount", "storage/v1.CSIDriverSpec.podInfoOnMount"),
    column::truth("StorageCapacity", "storage/v1.CSIDriverSpec.storageCapacity"),
    column::text("TokenRequests", "storage/v1.CSIDriverSpec.tokenRequests"),
    column::truth("RequiresRepublish", "storage/v1.CSIDriverSpec.requiresRepublish"),
    column::text("Modes", "storage/v1.CSIDriverSpec.volumeLifecycleModes"),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let audiences = row.items("spec.tokenRequests").iter();
    let audiences: Vec<&str> = audiences.map(|token| text_of(*token, "audience")).collect();
    let tokens = match row.at("spec.tokenRequests") {
        Value::Null => Value::Str("<unset>"),
        _ => row.cell(&audiences.join(",")),
    };
    let modes = row.items("spec.volumeLifecycleModes").iter();
    let modes: Vec<&str> = modes.filter_map(|mode| mode.as_str()).collect();
    vec![
        row.name(),
        row.truth("spec.attachRequired", true),
        row.truth("spec.podInfoOnMount", false),
        row.truth("spec.storageCapacity", false),
        tokens,
        row.truth("spec.requiresRepublish", false),
        row.cell(
            if modes.is_empty() {
                "<none>".to_owned()
            } else {
                modes.join(",")
            }
            .as_str(),
        ),
        row.age(),
    ]
}
