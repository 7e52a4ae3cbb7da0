//! The API.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kindsmith::{Resource, Schema};
use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// A gate of a park.
#[derive(CustomResource, Resource, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[kube(
    group = "park.example.org",
    version = "v1",
    kind = "Gate",
    namespaced,
    status = "GateStatus",
    shortname = "gt",
    printcolumn = r#"{"name":"Width","type":"integer","jsonPath":".spec.width"}"#,
    schema = "disabled"
)]
#[k8s(rule("self.width < 300 || has(self.keeper)", message = "a wide gate has a keeper"))]
pub struct GateSpec {
    /// Width in centimeters. A gate keeps it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[k8s(minimum = 60, maximum = 400, immutable, default = 120)]
    pub width: Option<i32>,
    /// Who has the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[k8s(format = "k8s-short-name")]
    pub keeper: Option<String>,
    /// When it is open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[k8s(list_type = "set", max_items = 7)]
    pub days: Vec<Day>,
    pub lock: Lock,
}

/// Day of the week.
#[derive(Schema, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Day {
    Saturday,
    Sunday,
}

/// Lock is one of those that keepers know.
#[derive(Schema, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Lock {
    Key {
        #[k8s(minimum = 1)]
        copies: i32,
    },
    Code(String),
}

/// What was seen last.
#[derive(Schema, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GateStatus {
    pub open: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[k8s(list_type = "map", list_map_key = "type")]
    pub conditions: Vec<Condition>,
}
