//! Resource claims and their templates (pkg/registry/resource, pkg/apis/resource/v1/defaults.go,
//! pkg/apis/resource/validation/validation.go).

pub(crate) mod admin_access;
mod status;

use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Behavior, Release};

use super::described::{Described, StatusPart};
use super::device::{
    check_configuration, check_label, check_selectors, check_size, check_tolerations, check_unique,
};
use crate::edit::{each, member};
use crate::field::{Errors, Field};
use crate::field_check::{immutable, invalid, items, number, text};
use crate::go_value::internal;
use crate::go_value::json::is_same;
use crate::part::template_metadata;
use crate::table::{Heading, Row, Table, column};
use crate::types::words;
use crate::{Change, DecodedObject, Names as KindNames, Preparation, Strategy, Subresource};

/// The most requests, constraints and configurations of a claim.
const LIMIT: usize = 32;
/// The most ways to satisfy a request.
const WAYS: usize = 8;

/// Claims: devices that pods want.
#[derive(Debug)]
pub(crate) struct ResourceClaim;

const CLAIM: Described = Described {
    status: StatusPart::Alone,
    starts_at_one: false,
    watched: &[],
    has_status_table: false,
    ..Described::STATUS
};

impl Strategy for ResourceClaim {
    fn table(&self, _: &KindNames) -> Table {
        Table {
            headings: HEADINGS,
            cells: |row| vec![row.name(), row.cell(&state(row)), row.age()],
        }
    }

    fn subresources(&self) -> &'static [Subresource] {
        CLAIM.subresources()
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        CLAIM.reset_fields(part)
    }

    fn reset_fields_in(&self, release: Release, part: &str) -> &'static [&'static [&'static str]] {
        match part {
            "status" if !release.has(Behavior::ClaimStatusWithoutMetadata) => &[&["spec"]],
            part => self.reset_fields(part),
        }
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        default_devices(arena, object, &["spec", "devices"])
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        CLAIM.prepare(preparation, draft);
        drop_derived(preparation.arena, draft, &["spec", "devices"]);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        let results = ["status", "allocation", "devices", "results"];
        match (change.subresource, change.old) {
            ("status", _) => {
                admin_access::check_results(change.get(&results), change.get_old(&results), errors);
            }
            ("", None) => admin_access::check_requests(change.get(&["spec", "devices", "requests"]), errors),
            _ => {}
        }
        change.validate_metadata(errors);
        match (change.subresource, change.old) {
            ("status", _) => status::validate_status(change, errors),
            ("", None) => {
                let spec = Field::root(change, "spec");
                validate_devices(&spec.child("devices"), errors);
            }
            // A tag makes the spec immutable.
            _ => {
                change.validate_new_metadata(errors);
                if !change.release.has(Behavior::ClaimsCheckedOnce) {
                    let spec = Field::root(change, "spec");
                    validate_devices(&spec.child("devices"), errors);
                }
            }
        }
    }
}

/// Templates of claims.
#[derive(Debug)]
pub(crate) struct ResourceClaimTemplate;

impl Strategy for ResourceClaimTemplate {
    fn table(&self, _: &KindNames) -> Table {
        Table::NAME_AND_AGE
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        default_devices(arena, object, &["spec", "spec", "devices"])
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        Described::PLAIN.prepare(preparation, draft);
        drop_derived(preparation.arena, draft, &["spec", "spec", "devices"]);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Errors) {
        if change.old.is_none() {
            let requests = change.get(&["spec", "spec", "devices", "requests"]);
            admin_access::check_requests(requests, errors);
        }
        change.validate_new_metadata(errors);
        let outer = Field::root(change, "spec");
        template_metadata::check(&outer.child("metadata"), errors);
        let spec = outer.child("spec");
        validate_devices(&spec.child("devices"), errors);
        if change.old.is_some() {
            change.validate_metadata(errors);
        }
        if let Some(old) = change.old
            && !is_same(outer.value, old.get(&["spec"]))
        {
            let shown = internal::shown(
                outer.release,
                "resource/v1",
                "ResourceClaimTemplateSpec",
                outer.value,
            );
            immutable(&Path::root("spec"), shown, errors);
        }
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::in_words("State", "Whether devices are allocated, and who uses them."),
    column::AGE,
];

fn state(row: &Row<'_>) -> String {
    let is_going = !row.text("metadata.deletionTimestamp").is_empty();
    let is_allocated = row.at("status.allocation") != Value::Null;
    let states = [
        (is_going, "deleted"),
        (!is_allocated && !is_going, "pending"),
        (is_allocated, "allocated"),
        (is_allocated && row.count("status.reservedFor") > 0, "reserved"),
    ];
    let states = states.iter().filter(|(holds, _)| *holds).map(|(_, name)| *name);
    states.collect::<Vec<_>>().join(",")
}

fn default_devices<'a>(arena: &'a Arena, object: Value<'a>, path: &[&'a str]) -> Value<'a> {
    let mut object = object;
    each_request(arena, &mut object, path, |request| {
        default_count(arena, request).unwrap_or(request)
    });
    object
}

/// Changes all requests of a claim for one kind of device.
fn each_request<'a>(
    arena: &'a Arena,
    object: &mut Value<'a>,
    path: &[&'a str],
    change: impl Fn(Value<'a>) -> Value<'a>,
) {
    member(arena, object, path, |devices| {
        let mut devices = devices;
        each(arena, &mut devices, "requests", |request| {
            let mut request = request;
            member(arena, &mut request, &["exactly"], &change);
            each(arena, &mut request, "firstAvailable", |way| Some(change(way)));
            Some(request)
        });
        devices
    });
}

/// The allocation mode defaults to `ExactCount` by a tag, which is applied later.
fn default_count<'a>(arena: &'a Arena, request: Value<'a>) -> Option<Value<'a>> {
    let wants_number = matches!(text(request.get("allocationMode")), "" | "ExactCount");
    if !wants_number || number(request.get("count")) != 0 {
        return None;
    }
    let mut request = request;
    request.set(arena, &["count"], Value::Int(1));
    Some(request)
}

/// Attributes that expressions work out are behind a gate that is off.
fn drop_derived<'a>(arena: &'a Arena, draft: &mut DecodedObject<'a>, path: &[&'a str]) {
    let mut object = draft.value();
    each_request(arena, &mut object, path, |request| {
        let mut request = request;
        request.unset(arena, &["derivedAttributes"]);
        request
    });
    draft.object = object.as_object().unwrap_or(draft.object);
}

fn validate_devices(devices: &Field<'_, '_>, errors: &mut Errors) {
    let requests = devices.child("requests");
    let names = Names::of(devices);
    if check_size(&requests, LIMIT, errors) {
        requests
            .items()
            .for_each(|request| validate_request(&request, errors));
        check_unique(
            &requests,
            |request| request.child("name").text().to_owned(),
            errors,
        );
    }
    let constraints = devices.child("constraints");
    if check_size(&constraints, LIMIT, errors) {
        for constraint in constraints.items() {
            names.check_all(&constraint.child("requests"), errors);
            // Tags require full names of attributes.
            let kinds = ["matchAttribute", "distinctAttribute"];
            if !kinds.iter().any(|key| constraint.child(key).is_set()) {
                let detail = r#"exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set"#;
                constraint.required(detail, errors);
            }
        }
    }
    let configs = devices.child("config");
    if check_size(&configs, LIMIT, errors) {
        for config in configs.items() {
            names.check_all(&config.child("requests"), errors);
            check_configuration(&config, false, errors);
        }
    }
}

fn validate_request(request: &Field<'_, '_>, errors: &mut Errors) {
    const ONE: &str = "exactly one of `exactly` or `firstAvailable` is required";
    check_label(&request.child("name"), errors);
    let (exact, ways) = (request.child("exactly"), request.child("firstAvailable"));
    match (exact.is_set(), ways.len() > 0) {
        (false, false) => request.required(ONE, errors),
        (true, true) => {
            let detail = format!("{ONE}, but multiple fields are set");
            errors.push(invalid(&request.path, BadValue::Nil, detail));
        }
        (true, false) => {
            let class = exact.child("deviceClassName");
            class.required_name(NameRule::Subdomain, errors);
            validate_wish(&exact, errors);
        }
        (false, true) => {
            if !check_size(&ways, WAYS, errors) {
                return;
            }
            for way in ways.items() {
                check_label(&way.child("name"), errors);
                validate_wish(&way, errors);
            }
            check_unique(&ways, |way| way.child("name").text().to_owned(), errors);
        }
    }
}

fn validate_wish(wish: &Field<'_, '_>, errors: &mut Errors) {
    check_selectors(&wish.child("selectors"), false, errors);
    let (mode, count) = (wish.child("allocationMode"), wish.child("count"));
    match (mode.text(), count.number()) {
        ("All", 0) => {}
        ("All", _) => count.invalid("must not be specified when allocationMode is 'All'", errors),
        ("ExactCount", number) if number <= 0 => {
            let bad = BadValue::Integer(number.into());
            errors.push(invalid(&count.path, bad, "must be greater than zero"));
        }
        ("ExactCount", _) => {}
        _ => mode.one_of(words("resource/v1.DeviceAllocationMode"), errors),
    }
    check_tolerations(&wish.child("tolerations"), errors);
}

/// The names of requests, and of the ways to satisfy them.
pub(super) struct Names<'v> {
    requests: Vec<(&'v str, Vec<&'v str>)>,
}

impl<'v> Names<'v> {
    pub(super) fn of(devices: &Field<'_, 'v>) -> Self {
        let name = |value: &Value<'v>| text(value.get("name"));
        let requests = items(devices.child("requests").value).iter();
        let requests = requests.map(|request| {
            let ways = items(request.get("firstAvailable")).iter().map(name).collect();
            (name(request), ways)
        });
        Names {
            requests: requests.collect(),
        }
    }

    /// Checks a list of names of requests.
    pub(super) fn check_all(&self, list: &Field<'_, '_>, errors: &mut Errors) {
        if check_size(list, LIMIT, errors) {
            list.items().for_each(|name| self.check(&name, errors));
            check_unique(list, |name| name.text().to_owned(), errors);
        }
    }

    /// Checks the name of a request, or of a request and a way to satisfy it.
    pub(super) fn check(&self, name: &Field<'_, '_>, errors: &mut Errors) {
        const DETAIL: &str = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
        let parts: Vec<&str> = name.text().split('/').collect();
        let is_known = |request: &str, way: Option<&str>| {
            self.requests
                .iter()
                .any(|(known, ways)| *known == request && way.is_none_or(|way| ways.contains(&way)))
        };
        let is_right = match *parts {
            [request] => is_known(request, None),
            [request, way] => is_known(request, Some(way)),
            _ => return name.or_empty().invalid(DETAIL, errors),
        };
        for part in parts {
            NameRule::Label.validate(part, &name.path, errors);
        }
        if !is_right {
            name.or_empty().invalid(DETAIL, errors);
        }
    }
}
