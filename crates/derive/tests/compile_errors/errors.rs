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
