// Each mistake is told at its attribute, in the words of `kindsmith lint`. Lines and messages are in errors.txt.
#![allow(dead_code)]

use kindsmith_derive::{Resource, Schema};

mod case_1 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(max_lenght = 3)] name: String }
}

mod case_2 {
    #[derive(super::Schema)]
    struct Spec {
        #[k8s(max_length = 3)]
        rows: i32,
        #[k8s(minimum = 1)]
        name: Option<String>,
    }
}

mod case_3 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(max_length = 3)] name: Name }
}

mod case_4 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(minimum = "a")] rows: i32 }
}

mod case_5 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(minimum = "a")] rows: Rows }
}

mod case_6 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(default = "a")] rows: Option<i32> }
}

mod case_7 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(default = "a")] rows: Option<Rows> }
}

mod case_8 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(each_val)] rows: Vec<String> }
}

mod case_9 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(each_val(max_length = 3))] rows: String }
}

mod case_10 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(list_type = "bag")] rows: Vec<String> }
}

mod case_11 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(list_type = "map", list_map_key = "name")] rows: Vec<String> }
}

mod case_12 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(required, optional)] name: String }
}

mod case_13 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(union_member)] name: Option<String> }
}

mod case_14 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(format = "k8s-nonsense")] name: String }
}

mod case_15 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(pattern = "^a")] rows: i32 }
}

mod case_16 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(rule("self > 1", mesage = "a"))] rows: i32 }
}

mod case_17 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(exclusive_minimum = 3)] rows: i32 }
}

mod case_18 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(3)] rows: i32 }
}

mod case_19 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(go_type = 3)] rows: i32 }
}

mod case_20 {
    #[derive(super::Schema)]
    #[k8s(print_column("A", type = "string", json_path = ".spec.a"))]
    struct Spec { a: String }
}

mod case_21 {
    #[derive(super::Schema)]
    #[serde(untagged)]
    enum Water { Rain(Rain), Hose(Hose) }
}

mod case_22 {
    #[derive(super::Schema)]
    enum Water { Rain, Hose(Hose) }
}

mod case_23 {
    #[derive(super::Schema)]
    #[serde(tag = "type")]
    enum Water { Rain(Rain) }
}

mod case_24 {
    #[derive(super::Schema)]
    #[serde(tag = "type")]
    enum Water { Rain { a: i32 }, Hose { a: String } }
}

mod case_25 {
    #[derive(super::Schema)]
    struct Pair(i32, i32);
}

mod case_26 {
    #[derive(super::Resource)]
    #[k8s(group = "example.org", version = "v1")]
    struct Spec { a: String }
}

mod case_27 {
    #[derive(super::Resource)]
    #[k8s(group = "example.org", kind = "A")]
    struct Spec { a: String }
}

mod case_28 {
    #[derive(super::Resource)]
    #[k8s(group = "example.org", version = "v1", kind = "A", scale(spec_path = ".spec.a"))]
    struct Spec { a: String }
}

mod case_29 {
    #[derive(super::Resource)]
    #[k8s(group = "example.org", version = "v1", kind = "A", short_names(1))]
    struct Spec { a: String }
}

mod case_30 {
    #[derive(super::Schema)]
    #[k8s(rule("self.a <", message = "a"))]
    struct Spec { a: i32 }
}

mod case_31 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(rule("self > 1", message_expression = "'a' +"))] a: i32 }
}

mod case_32 {
    #[derive(super::Schema)]
    struct Spec {
        #[k8s(immutable = 3)]
        a: i32,
        #[k8s(alpha(max_lenght = 3))]
        b: String,
        #[k8s(list_map_key = "name")]
        c: Vec<String>,
        #[k8s(union_member(uni = "a"))]
        d: Option<String>,
        #[k8s(maximum = 9999999999)]
        e: i32,
        #[serde(rename_all = "camelcase")]
        f: i32,
    }
}

mod case_33 {
    #[derive(super::Resource)]
    #[k8s(group = "example.org", version = "v1", kind = "A", print_column("A", type = "string"))]
    struct Spec { a: String }
}

mod case_34 {
    #[derive(super::Resource)]
    #[k8s(group = "example.org", version = "v1", kind = "A", shortname("a"))]
    struct Spec { a: String }
}

mod case_35 {
    #[derive(super::Schema)]
    struct Spec { #[k8s(pattern = "^[a-z")] a: String }
}

mod case_36 {
    #[derive(super::Schema)]
    struct Spec {
        #[serde(with = "as_text")]
        a: i32,
        #[serde(skip_serializing)]
        b: String,
        #[serde(skip)]
        #[k8s(max_length = 3)]
        c: String,
        #[k8s(plural = "d")]
        d: String,
        #[k8s(print_column("A", type = "string", json_path = ".spec.a"))]
        e: String,
        #[k8s(own_rules)]
        f: String,
        // Whoever names the form may use serde's functions.
        #[serde(with = "as_text")]
        #[k8s(go_type = "string")]
        g: i32,
    }
}

mod case_37 {
    #[derive(super::Schema)]
    struct Nothing;
}

mod case_38 {
    #[derive(super::Schema)]
    #[serde(from = "i32", into = "i32")]
    struct Port { number: i32 }
}

mod case_39 {
    #[derive(super::Schema)]
    #[serde(tag = "type")]
    struct Port { number: i32 }
}

mod case_40 {
    #[derive(super::Schema)]
    #[serde(untagged)]
    enum Day { Saturday, Sunday }
}

mod case_41 {
    #[derive(super::Schema)]
    struct Name(#[k8s(minimum = 3)] String);
}

mod case_42 {
    #[derive(super::Schema)]
    enum Lock { Code(#[k8s(minimum = 3)] String) }
}

mod case_43 {
    #[derive(super::Resource)]
    #[kube(group = "example.org", version = "v1", kind = "A", no_spec)]
    struct ASpec { a: String }
}

mod case_44 {
    #[derive(super::Resource)]
    #[kube(group = "example.org", version = "v1", kind = "A", validation = Rule::new("self.a < 3").message("a"))]
    struct ASpec { a: String }
}

mod case_45 {
    #[derive(super::Schema)]
    struct Spec {
        #[serde(flatten)]
        a: Option<Common>,
        #[serde(rename(serialize = "b", deserialize = "c"))]
        b: i32,
        #[serde(rename = "e")]
        d: i32,
        e: i32,
    }
}

mod case_46 {
    #[derive(super::Schema)]
    enum Lock { Code(Option<String>) }
}

mod case_47 {
    #[derive(super::Schema)]
    #[serde(tag = "type")]
    enum Water { Rain { #[k8s(default = 3)] a: Option<i32> }, Hose }
}

mod case_48 {
    #[derive(super::Schema)]
    #[serde(tag = "type")]
    enum Water { Rain { #[k8s(pattern = "^a")] a: String }, Hose { #[k8s(pattern = "^b")] a: String }, Tap { #[k8s(pattern = "^a")] b: String } }
}
