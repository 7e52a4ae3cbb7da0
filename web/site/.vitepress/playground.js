// Examples open in the playground: a link below each, with the example in the part after `#`.

import { deflateRawSync } from "node:zlib";

const PAGES = /^(tags|rules|lint|gen|check)\.md$/;
const META = 'metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"';
const GROUP = "garden.example.org";

/** A kind with the example in its spec. */
function kind(code, spec) {
  const [marker, optional] = code.includes("+kubebuilder:") ? ["// +kubebuilder:object:root=true\n", "+optional"] : ["", "+k8s:optional"];
  return `${marker}type Example struct {\n\tmetav1.TypeMeta \`json:",inline"\`\n\t// +optional\n\tmetav1.ObjectMeta \`json:"metadata,omitempty"\`\n\t// ${optional}\n\tSpec *${spec} \`json:"spec,omitempty"\`\n}\n`;
}

/** Types that an example uses and does not show: structs with the keys of its lists. */
function missing(code) {
  const used = [...code.matchAll(/^\s*\w+\s+(?:\[\]|\*|map\[string\])*([A-Z]\w*)\s+`/gm)].map(([, name]) => name);
  const names = new Set(used.filter((name) => !new RegExp(`^type ${name}\\b`, "m").test(code)));
  const keys = new Set(["name", ...[...code.matchAll(/[lL]istMapKey=(\w+)/g)].map(([, key]) => key)]);
  const fields = [...keys].map((key) => `\t// +required\n\t${key[0].toUpperCase()}${key.slice(1)} string \`json:"${key}"\`\n`).join("");
  return [...names].map((name) => `\ntype ${name} struct {\n${fields}}\n`).join("");
}

/** The state of the page for an example, which may be a file, declarations, or fields: an API with one kind, and an object of it. */
export function stateOf(code) {
  const object = (name, rest = "", group = GROUP) => `apiVersion: ${group}/v1\nkind: ${name}\nmetadata:\n  name: first\n${rest}`;
  const own = code.match(/^type (\w+) struct \{\n(?:\s*\/\/.*\n)*\s*metav1\.TypeMeta.*\n(?:\s*\/\/.*\n)*\s*metav1\.ObjectMeta/m)?.[1];
  // Mistakes in a package without a kind need no object.
  if (/^package /m.test(code)) return { go: code, object: own ? object(own, "", code.match(/\+groupName=(\S+)/)?.[1]) : "" };
  const head = `// +groupName=${GROUP}\n// +k8s:validation-gen=*\npackage v1\n\n`;
  const declared = code.match(/^type (\w+)(?:\[.*?\])? (struct\b)?/m);
  if (!declared && !/^(const|import|func|var) /m.test(code)) {
    const spec = `type ExampleSpec struct {\n${code.replace(/^(?=.)/gm, "\t")}}\n`;
    return { go: `${head}import ${META}\n\n${kind(code, "ExampleSpec")}\n${spec}${missing(code)}`, object: object("Example", "spec: {}\n") };
  }
  const imports = code.includes(META) ? "" : `import ${META}\n\n`;
  if (own) return { go: head + imports + code, object: object(own) };
  if (!declared || code.includes("metav1.TypeMeta")) return { go: head + imports + code, object: "" };
  const rest = `${kind(code, declared[1])}${missing(code)}`;
  return { go: `${head}${imports}${code.trimEnd()}\n\n${rest}`, object: object("Example", declared[2] ? "spec: {}\n" : "") };
}

/** Whether a group is one that servers serve, not one of configuration files. */
const isGroupOfKubernetes = (group) => !group.includes(".") || /(?<!\.config)\.k8s\.io$/.test(group);

/** The state of the page for YAML: CRDs and policies are the API, another object is one of a kind that the page knows; `null` if it knows none. */
export function stateOfYaml(code) {
  if (code.includes("{{")) return null;
  const documents = code.split(/^---\n/m).filter((text) => /^apiVersion: /m.test(text) && /^kind: /m.test(text));
  const ofKind = (kinds) => documents.filter((text) => kinds.test(text));
  const crds = ofKind(/^kind: CustomResourceDefinition$/m);
  const policies = ofKind(/^kind: (Validating|Mutating)AdmissionPolicy(Binding)?$/m);
  const [object = ""] = documents.filter((text) => !crds.includes(text) && !policies.includes(text));
  const [, group = ""] = object.match(/^apiVersion: (\S+)\//m) ?? [];
  const isKnown = object !== "" && isGroupOfKubernetes(group);
  if (crds.length + policies.length === 0 && !isKnown) return null;
  return { crds: crds.join("---\n"), policies: policies.join("---\n"), object };
}

/** The fragment that `share.js` of the page reads. */
const fragment = (state) => `1.${deflateRawSync(JSON.stringify(state)).toString("base64url")}`;

export function playground(md, base) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, at, options, env, self) => {
    const html = fence(tokens, at, options, env, self);
    const { info, content } = tokens[at];
    const isGo = info.trim() === "go" && PAGES.test(env.relativePath ?? "");
    const state = isGo ? stateOf(content) : info.trim() === "yaml" ? stateOfYaml(content) : null;
    if (!state) return html;
    return `${html}<p class="try"><a href="${base}playground/#${fragment(state)}" target="_self">Open in the playground</a></p>\n`;
  };
}
