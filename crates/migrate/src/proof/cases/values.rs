//! Values at the edge of a rule, and their combinations.

use kindsmith_schema::{Schema, TypeRef};
use serde_json::{Value as Json, json};

use super::COMBINATIONS;
use super::place::set;
use crate::proof::objects::{Draw, Fill, Maker};
use crate::validation::{PathStep, Place, targets};

/// A place in objects, and values for it.
pub(super) struct Dimension {
    pub(super) path: Vec<PathStep>,
    pub(super) values: Vec<Json>,
}

/// An item with its number in texts, so that items differ.
pub(super) fn numbered(item: Option<&Json>, number: usize) -> Json {
    match item {
        Some(Json::String(text)) => json!(format!("{text}{number}")),
        Some(Json::Object(members)) => {
            let members = members.iter().map(|(name, value)| {
                let value = match value {
                    // Values of enums stay: they begin with a capital letter.
                    Json::String(text) if text.starts_with(char::is_lowercase) => {
                        json!(format!("{text}{number}"))
                    }
                    other => other.clone(),
                };
                (name.clone(), value)
            });
            Json::Object(members.collect())
        }
        Some(Json::Number(_)) => json!(number),
        Some(other) => other.clone(),
        None => json!({}),
    }
}

pub(super) fn maps_of(maker: &mut Maker<'_>, schema: &Schema, key: &Place, keys: &[Json]) -> Vec<Json> {
    let map = Place {
        root: key.root.clone(),
        steps: key.steps[..key.steps.len() - 1].to_vec(),
    };
    let Some(target) = targets(schema, &map).into_iter().next() else {
        return Vec::new();
    };
    let full = maker.value(&target.ty, None, Fill::Full, 2);
    let value = full
        .as_object()
        .and_then(|members| members.values().next())
        .cloned();
    let value = value.unwrap_or_else(|| json!("abc"));
    let texts = keys.iter().filter_map(Json::as_str);
    texts.map(|key| json!({key: value})).collect()
}

pub(super) fn bare(ty: &TypeRef) -> TypeRef {
    match ty {
        TypeRef::Pointer(inner) => bare(inner),
        other => other.clone(),
    }
}

/// Indexes of values, one for each dimension.
pub(super) fn combinations(dimensions: &[Dimension], draw: &mut Draw) -> Vec<Vec<usize>> {
    let total = dimensions
        .iter()
        .try_fold(1usize, |total, one| total.checked_mul(one.values.len().max(1)))
        .unwrap_or(usize::MAX);
    let mut made: Vec<Vec<usize>> = Vec::new();
    if total <= COMBINATIONS {
        for mut number in 0..total {
            let chosen = dimensions.iter().map(|one| {
                let count = one.values.len().max(1);
                let index = number % count;
                number /= count;
                index
            });
            made.push(chosen.collect());
        }
        return made;
    }
    // Every value once, then some of the rest.
    for (at, one) in dimensions.iter().enumerate() {
        for index in 0..one.values.len() {
            let mut chosen: Vec<usize> = dimensions
                .iter()
                .map(|other| draw.below(other.values.len()))
                .collect();
            chosen[at] = index;
            made.push(chosen);
        }
    }
    for _ in 0..COMBINATIONS {
        made.push(
            dimensions
                .iter()
                .map(|one| draw.below(one.values.len()))
                .collect(),
        );
    }
    made
}

pub(super) fn with(base: &Json, dimensions: &[Dimension], chosen: &[usize]) -> Json {
    let mut object = base.clone();
    for (dimension, index) in dimensions.iter().zip(chosen) {
        if let Some(value) = dimension.values.get(*index) {
            set(&mut object, &dimension.path, value);
        }
    }
    object
}
