// The examples: a file each in `examples/`, and a line here.

export const examples = [
  ["first", "A first API"],
  ["defaults", "Defaults and their order"],
  ["null", "Null, empty and absent"],
  ["union", "One of several: unions"],
  ["immutable", "Fields that never change"],
  ["ratcheting", "Updates that ratchet"],
  ["cost", "CEL rules and their cost"],
  ["lint", "Mistakes in tags, with fixes"],
  ["policy", "An admission policy"],
  ["apply", "Server-side apply and conflicts"],
  ["release", "What a release stores"],
  ["kep", "Where the KEPs differ"],
];

const PANES = { "types.go": "go", "crd.yaml": "crds", "policy.yaml": "policies", "object.yaml": "object", "old.yaml": "old" };

/** Reads an example: lines of `key: value`, a note, then sections `-- file --`. */
export function parse(text) {
  const [head, ...sections] = text.split(/^-- (.+) --\n/m);
  const [settings, ...note] = head.split("\n\n");
  const state = { go: "", crds: "", policies: "", object: "", old: "", profile: "upstream", release: "", panel: "stored" };
  for (const line of settings.split("\n")) {
    const [key, value] = line.split(/: (.*)/);
    if (key in state) state[key] = value;
  }
  for (let at = 0; at < sections.length; at += 2) state[PANES[sections[at]]] = sections[at + 1];
  return { state, note: note.join("\n\n").replaceAll("\n", " ").trim() };
}

export async function load(name) {
  const response = await fetch(`examples/${name}.txt`);
  return parse(await response.text());
}
