//! Functions with a fixed cost, the same by estimate and at run time (`apiserver/pkg/cel/library/cost.go`).

/// What asking the authorizer costs.
pub(crate) const ACCESS_CHECK: u64 = 350_000;

/// Whether a function only looks at one thing, which costs one unit whatever its size.
pub(crate) fn is_accessor(function: &str, overload: &str) -> bool {
    match function {
        // Of an address range; made from a text it is parsed.
        "ip" => overload == "cidr_ip",
        "serviceAccount"
        | "path"
        | "group"
        | "resource"
        | "subresource"
        | "namespace"
        | "name"
        | "allowed"
        | "reason"
        | "error"
        | "errored"
        | "masked"
        | "prefixLength"
        | "family"
        | "isUnspecified"
        | "isLoopback"
        | "isLinkLocalMulticast"
        | "isLinkLocalUnicast"
        | "isGlobalUnicast"
        | "format.named"
        | "sign"
        | "asInteger"
        | "isInteger"
        | "asApproximateFloat"
        | "isGreaterThan"
        | "isLessThan"
        | "compareTo"
        | "add"
        | "sub"
        | "major"
        | "minor"
        | "patch"
        | "getScheme"
        | "getHostname"
        | "getHost"
        | "getPort"
        | "getEscapedPath"
        | "getQuery" => true,
        _ => false,
    }
}
