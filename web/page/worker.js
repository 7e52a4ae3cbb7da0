// Answers requests beside the page: by the engine in WebAssembly, or by `kindsmith play`, which serves this page itself.

import { compile, start } from "./engine.js";

let module;
let engine;

// Both return an answer and the milliseconds that it took.

async function served(text) {
  const begin = performance.now();
  const response = await fetch("answer", { method: "POST", body: text, headers: { "content-type": "application/json" } });
  if (!response.ok) throw new Error(`kindsmith play answers ${response.status}`);
  return [await response.text(), performance.now() - begin];
}

async function answered(text) {
  module ??= await compile();
  engine ??= await start(module);
  const begin = performance.now();
  try {
    return [engine(text), performance.now() - begin];
  } catch (error) {
    // A trap leaves the memory in a state that nothing should build on.
    engine = undefined;
    throw error;
  }
}

onmessage = async ({ data: { id, text, isServed } }) => {
  const isFirst = !module;
  try {
    // As text: it is often the text of the last answer, and copying an object costs more than reading it again.
    const [answer, took] = await (isServed ? served(text) : answered(text));
    postMessage({ id, text: answer, took });
  } catch (error) {
    postMessage({ id, failure: String(error) });
  }
  if (isFirst && module) postMessage({ module });
};
