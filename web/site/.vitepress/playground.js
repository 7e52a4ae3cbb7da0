// Go examples of the reference open in the playground: a link below each, with the example in the part after `#`.

import { deflateRawSync } from "node:zlib";

const PAGES = /^(tags|rules|lint|gen|check)\.md$/;
const HEAD = "// +groupName=garden.example.org\n// +k8s:validation-gen=*\npackage v1\n\n";
const OBJECT = "apiVersion: garden.example.org/v1\nkind: Example\nmetadata:\n  name: first\n";

/** A Go file with the example, which may be a file, declarations, or fields. */
function file(code) {
  if (/^package /m.test(code)) return code;
  if (/^(type|const|import|func) /m.test(code)) return HEAD + code;
  const fields = code.replace(/^(?=.)/gm, "\t");
  return `${HEAD}type Example struct {\n${fields}}\n`;
}

/** The fragment that `share.js` of the page reads. */
const fragment = (state) => `1.${deflateRawSync(JSON.stringify(state)).toString("base64url")}`;

export function playground(md, base) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, at, options, env, self) => {
    const html = fence(tokens, at, options, env, self);
    if (tokens[at].info.trim() !== "go" || !PAGES.test(env.relativePath ?? "")) return html;
    const state = { go: file(tokens[at].content), object: OBJECT };
    return `${html}<p class="try"><a href="${base}playground/#${fragment(state)}" target="_self">Open in the playground</a></p>\n`;
  };
}
