//! One type with the rules of three libraries, and the same checks by hand.

use std::sync::LazyLock;

use kindsmith::{BadValue, FieldError};
use kindsmith_json::Path;
use regex::Regex;
use serde::Serialize;
use validator::Validate as _;

/// A gate of a park.
#[derive(Clone, Serialize, kindsmith::Schema, garde::Validate, validator::Validate)]
#[k8s(rule("self.width < 300 || has(self.keeper)", message = "a wide gate has a keeper"))]
#[garde(allow_unvalidated)]
#[validate(schema(function = "of_validator::wide"))]
pub struct GateSpec {
    #[k8s(min_length = 1, max_length = 20)]
    #[garde(length(chars, min = 1, max = 20))]
    #[validate(length(min = 1, max = 20))]
    pub name: String,
    #[k8s(minimum = 60, maximum = 400)]
    #[garde(range(min = 60, max = 400), custom(of_garde::wide(&self.keeper)))]
    #[validate(range(min = 60, max = 400))]
    pub width: i32,
    #[k8s(max_length = 63, pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")]
    #[garde(inner(length(chars, max = 63), pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")))]
    #[validate(length(max = 63), regex(path = *KEEPER))]
    pub keeper: Option<String>,
    #[k8s(max_items = 7)]
    #[garde(length(max = 7), dive)]
    #[validate(length(max = 7), nested)]
    pub hours: Vec<Hours>,
}

/// Hours of one day.
#[derive(Clone, Serialize, kindsmith::Schema, garde::Validate, validator::Validate)]
#[k8s(rule("self.from < self.to", message = "a gate opens before it closes"))]
#[validate(schema(function = "of_validator::order"))]
pub struct Hours {
    #[k8s(minimum = 0, maximum = 24)]
    #[garde(range(min = 0, max = 24), custom(of_garde::order(self.to)))]
    #[validate(range(min = 0, max = 24))]
    pub from: i32,
    #[k8s(minimum = 0, maximum = 24)]
    #[garde(range(min = 0, max = 24))]
    #[validate(range(min = 0, max = 24))]
    pub to: i32,
}

/// A name of a keeper.
pub static KEEPER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$").expect("a pattern"));

mod of_garde {
    pub(crate) fn wide(keeper: &Option<String>) -> impl FnOnce(&i32, &()) -> garde::Result {
        let has_keeper = keeper.is_some();
        move |width, ()| {
            if *width < 300 || has_keeper {
                return Ok(());
            }
            Err(garde::Error::new("a wide gate has a keeper"))
        }
    }

    pub(crate) fn order(to: i32) -> impl FnOnce(&i32, &()) -> garde::Result {
        move |from, ()| {
            if *from < to {
                return Ok(());
            }
            Err(garde::Error::new("a gate opens before it closes"))
        }
    }
}

mod of_validator {
    use validator::ValidationError;

    pub(crate) fn wide(gate: &super::GateSpec) -> Result<(), ValidationError> {
        if gate.width < 300 || gate.keeper.is_some() {
            return Ok(());
        }
        Err(ValidationError::new("a wide gate has a keeper"))
    }

    pub(crate) fn order(hours: &super::Hours) -> Result<(), ValidationError> {
        if hours.from < hours.to {
            return Ok(());
        }
        Err(ValidationError::new("a gate opens before it closes"))
    }
}

/// The same checks as people write them, with the same errors.
pub fn by_hand(gate: &GateSpec) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let mut invalid = |path: &Path<'_>, bad: BadValue, text: String| {
        errors.push(FieldError::invalid(path, bad, text));
    };
    let mut is_too_long = false;
    for (index, hours) in gate.hours.iter().enumerate() {
        let list = Path::root("hours");
        let path = list.index(index);
        for (name, value) in [("from", hours.from), ("to", hours.to)] {
            if value < 0 {
                let text = format!("hours[{index}].{name} in body should be greater than or equal to 0");
                invalid(&path.child(name), i64::from(value).into(), text);
            }
            if value > 24 {
                let text = format!("hours[{index}].{name} in body should be less than or equal to 24");
                invalid(&path.child(name), i64::from(value).into(), text);
            }
        }
    }
    if gate.hours.len() > 7 {
        is_too_long = true;
        let text = "hours in body should have at most 7 items".to_owned();
        invalid(&Path::root("hours"), gate.hours.len().into(), text);
    }
    if let Some(keeper) = &gate.keeper {
        let path = Path::root("keeper");
        if keeper.chars().count() > 63 {
            is_too_long = true;
            invalid(
                &path,
                BadValue::Omitted,
                "may not be more than 63 bytes".to_owned(),
            );
        } else if !KEEPER.is_match(keeper) {
            let text = format!("keeper in body should match '{}'", KEEPER.as_str());
            invalid(&path, keeper.as_str().into(), text);
        }
    }
    let (path, length) = (Path::root("name"), gate.name.chars().count());
    if length > 20 {
        is_too_long = true;
        invalid(
            &path,
            BadValue::Omitted,
            "may not be more than 20 bytes".to_owned(),
        );
    } else if length < 1 {
        let text = "name in body should be at least 1 chars long".to_owned();
        invalid(&path, gate.name.as_str().into(), text);
    }
    let path = Path::root("width");
    if gate.width < 60 {
        let text = "width in body should be greater than or equal to 60".to_owned();
        invalid(&path, i64::from(gate.width).into(), text);
    }
    if gate.width > 400 {
        let text = "width in body should be less than or equal to 400".to_owned();
        invalid(&path, i64::from(gate.width).into(), text);
    }
    if is_too_long {
        return errors;
    }
    if gate.width >= 300 && gate.keeper.is_none() {
        let text = "a wide gate has a keeper".to_owned();
        invalid(&Path::NIL, BadValue::Omitted, text);
    }
    for (index, hours) in gate.hours.iter().enumerate() {
        if hours.from >= hours.to {
            let (list, text) = (Path::root("hours"), "a gate opens before it closes".to_owned());
            invalid(&list.index(index), BadValue::Omitted, text);
        }
    }
    errors
}

/// Who walks through the park, and when.
#[derive(Clone, Debug, PartialEq, Serialize, kindsmith::Schema)]
pub struct Patrol {
    #[k8s(default = "day")]
    pub name: Option<String>,
    #[k8s(default = 3)]
    pub people: Option<i32>,
    #[k8s(default = true)]
    pub has_dog: Option<bool>,
    pub walks: Vec<Walk>,
}

/// One walk.
#[derive(Clone, Debug, PartialEq, Serialize, kindsmith::Schema)]
pub struct Walk {
    #[k8s(default = 8)]
    pub from: Option<i32>,
    #[k8s(default = 20)]
    pub to: Option<i32>,
    pub zone: Option<i64>,
}

/// The defaults as people write them.
pub fn default_by_hand(patrol: &mut Patrol) {
    if patrol.name.is_none() {
        patrol.name = Some("day".to_owned());
    }
    if patrol.people.is_none() {
        patrol.people = Some(3);
    }
    if patrol.has_dog.is_none() {
        patrol.has_dog = Some(true);
    }
    for walk in &mut patrol.walks {
        if walk.from.is_none() {
            walk.from = Some(8);
        }
        if walk.to.is_none() {
            walk.to = Some(20);
        }
    }
}

/// A patrol without anything that has a default.
pub fn patrol() -> Patrol {
    let walk = Walk {
        from: None,
        to: None,
        zone: Some(2),
    };
    Patrol {
        name: None,
        people: None,
        has_dog: None,
        walks: vec![walk; 7],
    }
}

/// A valid gate.
pub fn valid() -> GateSpec {
    GateSpec {
        name: "North".to_owned(),
        width: 320,
        keeper: Some("ada-lovelace".to_owned()),
        hours: (0..7)
            .map(|day| Hours {
                from: 8 + day % 3,
                to: 20,
            })
            .collect(),
    }
}

/// A gate with three faults.
pub fn invalid() -> GateSpec {
    let mut gate = valid();
    gate.width = 40;
    gate.keeper = Some("Ada".to_owned());
    gate.hours[3].to = 3;
    gate
}
