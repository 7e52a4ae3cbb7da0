//! The authorizer's functions. They are declared, but rules of custom resources have no authorizer to call them on.

use super::{Definition, Op, function, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "path",
        &[method(
            "authorizer_path",
            "(kubernetes.authorization.Authorizer, string) -> kubernetes.authorization.PathCheck",
            Op::None,
        )],
    ),
    function(
        "group",
        &[method(
            "authorizer_group",
            "(kubernetes.authorization.Authorizer, string) -> kubernetes.authorization.GroupCheck",
            Op::None,
        )],
    ),
    function(
        "serviceAccount",
        &[method(
            "authorizer_serviceaccount",
            "(kubernetes.authorization.Authorizer, string, string) -> kubernetes.authorization.Authorizer",
            Op::None,
        )],
    ),
    function(
        "resource",
        &[method(
            "groupcheck_resource",
            "(kubernetes.authorization.GroupCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::None,
        )],
    ),
    function(
        "subresource",
        &[method(
            "resourcecheck_subresource",
            "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::None,
        )],
    ),
    function(
        "namespace",
        &[method(
            "resourcecheck_namespace",
            "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::None,
        )],
    ),
    function(
        "name",
        &[method(
            "resourcecheck_name",
            "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::None,
        )],
    ),
    function(
        "fieldSelector",
        &[method(
            "authorizer_fieldselector",
            "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::None,
        )],
    ),
    function(
        "labelSelector",
        &[method(
            "authorizer_labelselector",
            "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.ResourceCheck",
            Op::None,
        )],
    ),
    function(
        "check",
        &[
            method(
                "pathcheck_check",
                "(kubernetes.authorization.PathCheck, string) -> kubernetes.authorization.Decision",
                Op::None,
            ),
            method(
                "resourcecheck_check",
                "(kubernetes.authorization.ResourceCheck, string) -> kubernetes.authorization.Decision",
                Op::None,
            ),
        ],
    ),
    function(
        "allowed",
        &[method(
            "decision_allowed",
            "(kubernetes.authorization.Decision) -> bool",
            Op::None,
        )],
    ),
    function(
        "reason",
        &[method(
            "decision_reason",
            "(kubernetes.authorization.Decision) -> string",
            Op::None,
        )],
    ),
    function(
        "error",
        &[method(
            "decision_error",
            "(kubernetes.authorization.Decision) -> string",
            Op::None,
        )],
    ),
    function(
        "errored",
        &[method(
            "decision_errored",
            "(kubernetes.authorization.Decision) -> bool",
            Op::None,
        )],
    ),
];
