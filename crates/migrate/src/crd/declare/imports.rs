//! Imports of a file of types.

const IMPORTS: &[(&str, &str, &str)] = &[
    (
        "apiextensionsv1",
        "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
        "apiextensionsv1 ",
    ),
    ("resource", "k8s.io/apimachinery/pkg/api/resource", ""),
    ("metav1", "k8s.io/apimachinery/pkg/apis/meta/v1", "metav1 "),
    ("runtime", "k8s.io/apimachinery/pkg/runtime", ""),
    ("schema", "k8s.io/apimachinery/pkg/runtime/schema", ""),
    ("intstr", "k8s.io/apimachinery/pkg/util/intstr", ""),
];

/// The imports that declarations need. Comments do not count.
pub(in crate::crd) fn imports(body: &str) -> String {
    let is_used = |name: &str| {
        let qualified = format!("{name}.");
        let mut lines = body.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.any(|line| {
            let code = line.split('`').next().unwrap_or_default();
            code.split([' ', '\t', '*', '[', ']', '('])
                .any(|word| word.starts_with(&qualified))
        })
    };
    let used = IMPORTS.iter().filter(|(name, ..)| is_used(name));
    let lines: String = used
        .map(|(_, path, name)| format!("\t{name}\"{path}\"\n"))
        .collect();
    if lines.is_empty() {
        return lines;
    }
    format!("\nimport (\n{lines})\n")
}
