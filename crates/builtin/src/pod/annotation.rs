//! Annotations that pods interpret: mirror pods, deletion cost, and security profiles from before these had
//! fields.

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Object, Path, Value, parse_str};
use kindsmith_object::{Behavior, Release};

use super::spec::{MIRROR, annotations, each_container};
use crate::Change;
use crate::edit::each;
use crate::field::{Errors, Field};
use crate::field_check::{entries, forbidden, invalid_text, text};
use crate::part::file_path::check_relative;
use crate::part::toleration::check_tolerations;

const TOLERATIONS: &str = "scheduler.alpha.kubernetes.io/tolerations";
const COST: &str = "controller.kubernetes.io/pod-deletion-cost";
const SECCOMP_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP: &str = "container.seccomp.security.alpha.kubernetes.io/";
const ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

/// Checks the annotations of a pod or a template.
pub(super) fn check_annotations(annotations: &Field<'_, '_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    for (key, value) in annotations.entries() {
        match key {
            MIRROR if spec.child("nodeName").is_blank() => {
                value.invalid("must set spec.nodeName if mirror pod annotation is set", errors);
            }
            TOLERATIONS if !value.is_blank() => check_old_tolerations(annotations, value.text(), errors),
            COST if !is_cost(value.text()) => value.invalid("must be a 32bit integer", errors),
            key if key == SECCOMP_POD || key.starts_with(SECCOMP) => {
                check_seccomp(&value.at(annotations.path.child(key)), errors);
            }
            key => {
                if let Some(name) = key.strip_prefix(ARMOR) {
                    check_armor(&value, name, spec, errors);
                }
            }
        }
    }
}

/// Whether this is an integer for Go, without a leading `+` or leading zeros.
fn is_cost(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let has_form = digits == "0" && digits == text || !digits.starts_with('0') && !digits.starts_with('+');
    has_form && text.parse::<i32>().is_ok()
}

fn check_old_tolerations(annotations: &Field<'_, '_>, value: &str, errors: &mut Errors) {
    let arena = Arena::new();
    match parse_str(&arena, arena.alloc_str(value)) {
        Ok(list) if list.as_array().is_some() => {
            let list = Field {
                path: annotations.path.child(TOLERATIONS),
                value: Some(list),
                release: annotations.release,
            };
            check_tolerations(&list, errors);
        }
        Ok(other) => {
            let kind = other.go_json_name();
            let detail = format!("json: cannot unmarshal {kind} into Go value of type []core.Toleration");
            errors.push(invalid_text(&annotations.path, TOLERATIONS, detail));
        }
        Err(error) => errors.push(invalid_text(&annotations.path, TOLERATIONS, error.to_string())),
    }
}

fn check_seccomp(profile: &Field<'_, '_>, errors: &mut Errors) {
    match profile.text() {
        "runtime/default" | "docker/default" | "unconfined" => {}
        other => match other.strip_prefix("localhost/") {
            Some(file) => {
                let file = Field {
                    value: Some(Value::Str(file)),
                    ..*profile
                };
                check_relative(&file, errors);
            }
            None => profile.invalid("must be a valid seccomp profile", errors),
        },
    }
}

fn check_armor(profile: &Field<'_, '_>, name: &str, spec: &Field<'_, '_>, errors: &mut Errors) {
    let mut is_known = false;
    each_container(spec, |container| {
        is_known |= container.child("name").text() == name;
    });
    if !is_known {
        errors.push(invalid_text(&profile.path, name, "container not found"));
    }
    let text = profile.text();
    let is_valid = matches!(text, "" | "runtime/default" | "unconfined") || text.starts_with("localhost/");
    if !is_valid {
        profile.invalid(format!("invalid AppArmor profile name: {}", quote(text)), errors);
    }
}

/// A field and an annotation for the same profile must agree.
pub(super) fn check_profiles(annotations: &Field<'_, '_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let annotations = entries(annotations.value);
    let annotation = |key: &str| annotations.get(key).and_then(Value::as_str);
    let context = spec.child("securityContext");
    let seccomp = context.child("seccompProfile");
    if let Some(old) = annotation(SECCOMP_POD) {
        check_same(&seccomp, old, "seccomp", errors);
    }
    let is_windows = spec.child("os").child("name").text() == "windows";
    let armor = context.child("appArmorProfile");
    each_container(spec, |container| {
        let name = container.child("name").text();
        let context = container.child("securityContext");
        if let Some(old) = annotation(&format!("{SECCOMP}{name}")) {
            check_same(&context.child("seccompProfile"), old, "seccomp", errors);
        }
        let own = context.child("appArmorProfile");
        let used = if own.is_set() { own } else { armor.at(own.path) };
        if let Some(old) = annotation(&format!("{ARMOR}{name}")).filter(|_| !is_windows) {
            check_same(&used, old, "apparmor", errors);
        }
    });
}

fn check_same(profile: &Field<'_, '_>, annotation: &str, what: &str, errors: &mut Errors) {
    let kind = profile.child("type");
    let file = annotation.strip_prefix("localhost/");
    let is_same = match kind.text() {
        "Unconfined" => annotation == "unconfined",
        "RuntimeDefault" if what == "seccomp" => {
            matches!(annotation, "runtime/default" | "docker/default")
        }
        "RuntimeDefault" => annotation == "runtime/default",
        "Localhost" => file.is_some(),
        _ => true,
    };
    if !is_same {
        return kind.forbidden(&format!("{what} type in annotation and field must match"), errors);
    }
    let own = profile.child("localhostProfile");
    let own_file = own.is_set().then(|| own.text());
    if kind.text() == "Localhost" && own_file != file {
        own.forbidden(
            &format!("{what} profile in annotation and field must match"),
            errors,
        );
    }
}

/// Updates check annotations twice, which shows as long as the same error is reported as often as it is found.
pub(super) fn check_again(change: &Change<'_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    if !change.release.has(Behavior::ErrorsOnce) {
        check_annotations(&annotations(change), spec, errors);
    }
}

/// Annotations that an update must not touch.
pub(super) fn check_unchanged(annotations: &Field<'_, '_>, old: Object<'_>, errors: &mut Errors) {
    let new = entries(annotations.value);
    let word = |key: &str| match key {
        MIRROR => Some("mirror pod annotation"),
        key if key.starts_with(ARMOR) => Some("AppArmor annotations"),
        _ => None,
    };
    let mut refuse = |key: &str, detail: String| {
        errors.push(forbidden(&annotations.path.key(key), detail));
    };
    for (key, value) in old {
        if let Some(word) = word(key).filter(|_| new.get(key) != Some(value)) {
            refuse(key, format!("may not remove or update {word}"));
        }
    }
    for key in new.keys().filter(|key| !old.contains_key(key)) {
        if let Some(word) = word(key) {
            refuse(key, format!("may not add {word}"));
        }
    }
}

/// The field that replaces an annotation.
fn armor_field<'a>(arena: &'a Arena, annotation: &'a str) -> Option<Value<'a>> {
    let kind = match annotation {
        "unconfined" => "Unconfined",
        "runtime/default" => "RuntimeDefault",
        _ => "Localhost",
    };
    let mut profile = Value::Object(Object::EMPTY);
    profile.set(arena, &["type"], Value::Str(kind));
    if kind == "Localhost" {
        let file = annotation
            .strip_prefix("localhost/")
            .filter(|file| !file.is_empty())?;
        profile.set(arena, &["localhostProfile"], Value::Str(file));
    }
    let mut errors = Vec::new();
    let field = Field {
        path: Path::NIL,
        value: Some(profile),
        release: Release::NEWEST,
    };
    super::security::check_armor(&field, &mut errors);
    errors.is_empty().then_some(profile)
}

/// Sets AppArmor fields from annotations, and warns of those that were used or cannot be read (`applyAppArmorVersionSkew` in
/// pkg/registry/core/pod/strategy.go).
pub(crate) fn convert_armor<'a>(
    arena: &'a Arena,
    metadata: Value<'a>,
    spec: Value<'a>,
) -> (Value<'a>, Vec<String>) {
    let annotations = entries(metadata.get("annotations"));
    let mut warnings = Vec::new();
    let has_any = annotations.keys().any(|key| key.starts_with(ARMOR));
    if !has_any || text(spec.lookup(&["os", "name"])) == "windows" {
        return (spec, warnings);
    }
    let whole = spec.lookup(&["securityContext", "appArmorProfile"]);
    let mut spec = spec;
    for list in ["initContainers", "containers", "ephemeralContainers"] {
        each(arena, &mut spec, list, |container| {
            let path = ["securityContext", "appArmorProfile"];
            let key = format!("{ARMOR}{}", text(container.get("name")));
            let annotation = annotations.get(&key).and_then(Value::as_str)?;
            if container.lookup(&path).is_some_and(|profile| !profile.is_null()) {
                return None;
            }
            let profile = armor_field(arena, annotation);
            if profile.is_some() && profile == whole {
                return None;
            }
            warnings.push(armor_warning(&Path::root("metadata").child("annotations"), &key));
            let mut container = container;
            container.set(arena, &path, profile?);
            Some(container)
        });
    }
    (spec, warnings)
}

fn armor_warning(annotations: &Path<'_>, key: &str) -> String {
    format!(
        "{}: deprecated since v1.30; use the \"appArmorProfile\" field instead",
        annotations.key(key)
    )
}

/// Warns of annotations of a pod template that fields have replaced.
pub(super) fn armor_warnings(annotations: &Field<'_, '_>, spec: &Field<'_, '_>) -> Vec<String> {
    let mut warnings = Vec::new();
    let arena = Arena::new();
    let context = spec.child("securityContext");
    let whole = context.child("appArmorProfile");
    each_container(spec, |container| {
        let key = format!("{ARMOR}{}", container.child("name").text());
        let Some(annotation) = entries(annotations.value).get(&key).and_then(Value::as_str) else {
            return;
        };
        let context = container.child("securityContext");
        let said = armor_field(&arena, arena.alloc_str(annotation));
        if context.child("appArmorProfile").is_set() || (said.is_some() && whole.value == said) {
            return;
        }
        warnings.push(armor_warning(&annotations.path, &key));
    });
    warnings
}
