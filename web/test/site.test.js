// The examples of the documentation, as the site opens them in the playground.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { start } from "../page/engine.js";
import { stateOf, stateOfYaml } from "../site/.vitepress/playground.js";
import { play } from "./server.js";

/** A function from a request to its answer, and how to stop what answers. */
async function engine() {
  if (process.env.DIST) {
    const answer = await start(await WebAssembly.compile(await readFile(`${process.env.DIST}/kindsmith.wasm`)));
    return { ask: (request) => JSON.parse(answer(JSON.stringify(request))), stop() {} };
  }
  const { address, stop } = await play(process.env.KINDSMITH);
  const headers = { "content-type": "application/json" };
  const ask = async (request) => (await fetch(`${address}answer`, { method: "POST", headers, body: JSON.stringify(request) })).json();
  return { ask, stop };
}

test("examples of tags and rules open as an API with an object", async () => {
  const { ask, stop } = await engine();
  const counts = { all: 0, judged: 0 };
  try {
    for (const page of ["tags", "rules"]) {
      const text = await readFile(new URL(`../../docs/${page}.md`, import.meta.url), "utf8");
      for (const [, code] of text.matchAll(/^```go\n([^]*?)^```/gm)) {
        const { verdict, findings } = await ask({ ...stateOf(code), panel: "stored" });
        counts.all++;
        counts.judged += ["allowed", "rejected"].includes(verdict);
        // Only a file that Go cannot read has no kind for its object.
        const isUnreadable = findings.some((found) => /never closed/.test(found.message));
        assert.ok(verdict !== "unknown" || isUnreadable, `${page}: ${code}\n${findings.map((found) => found.message).join("\n")}`);
      }
    }
  } finally {
    stop();
  }
  assert.ok(counts.judged > 0.8 * counts.all, JSON.stringify(counts));
});

test("CRDs, policies and objects of Kubernetes' kinds open, too", async () => {
  const { ask, stop } = await engine();
  let judged = 0;
  try {
    const text = await readFile(new URL("../../docs/rules.md", import.meta.url), "utf8");
    for (const [, code] of text.matchAll(/^```yaml\n([^]*?)^```/gm)) {
      const state = stateOfYaml(code);
      if (!state) continue;
      const { verdict, findings } = await ask({ go: "", ...state, panel: "stored" });
      // Some are examples of what cannot be read.
      assert.ok(verdict !== "unknown" || findings.length > 0, code);
      judged += ["allowed", "rejected"].includes(verdict);
    }
  } finally {
    stop();
  }
  assert.ok(judged >= 4, `${judged}`);
  for (const none of ["a: b\n", "apiVersion: example.org/v1\nkind: Gate\n", "apiVersion: v1\nkind: {{ .Kind }}\n", "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n"]) {
    assert.equal(stateOfYaml(none), null, none);
  }
});
