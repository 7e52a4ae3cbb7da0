//! Basic types of Kubernetes and of Go, for reading an API without its dependencies. Written as Go packages,
//! and used only if the real ones are not found. From Go's library there are only types used in APIs, with
//! the comments that generators publish.

/// The source of a built-in package, if `path` is one.
pub(super) fn source(path: &str) -> Option<&'static str> {
    PACKAGES
        .iter()
        .find(|(known, _)| *known == path)
        .map(|(_, source)| *source)
}

const PACKAGES: &[(&str, &str)] = &[
    (
        "k8s.io/apimachinery/pkg/apis/meta/v1",
        include_str!("builtin/meta_v1.go"),
    ),
    (
        "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured",
        include_str!("builtin/unstructured.go"),
    ),
    ("k8s.io/apimachinery/pkg/types", include_str!("builtin/types.go")),
    (
        "k8s.io/apimachinery/pkg/api/resource",
        include_str!("builtin/resource.go"),
    ),
    (
        "k8s.io/apimachinery/pkg/util/intstr",
        include_str!("builtin/intstr.go"),
    ),
    (
        "k8s.io/apimachinery/pkg/runtime",
        include_str!("builtin/runtime.go"),
    ),
    (
        "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
        include_str!("builtin/apiextensions_v1.go"),
    ),
    ("encoding/json", include_str!("builtin/std/encoding_json.go")),
    ("io/fs", include_str!("builtin/std/io_fs.go")),
    ("math/big", include_str!("builtin/std/math_big.go")),
    ("net", include_str!("builtin/std/net.go")),
    ("net/http", include_str!("builtin/std/net_http.go")),
    ("net/netip", include_str!("builtin/std/net_netip.go")),
    ("net/url", include_str!("builtin/std/net_url.go")),
    ("os", include_str!("builtin/std/os.go")),
    ("time", include_str!("builtin/std/time.go")),
];
