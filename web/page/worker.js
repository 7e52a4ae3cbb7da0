// Answers requests: by the engine in WebAssembly, or by `kindsmith play`, which serves this page itself.

let engine;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function load() {
  const { instance } = await WebAssembly.instantiateStreaming(fetch("kindsmith.wasm"), {});
  return instance.exports;
}

/** The answer to a request, both as JSON text. */
async function answer(text, isServed) {
  if (isServed) {
    const response = await fetch("answer", { method: "POST", body: text, headers: { "content-type": "application/json" } });
    if (!response.ok) throw new Error(`kindsmith play answers ${response.status}`);
    return response.text();
  }
  engine ??= await load();
  const bytes = encoder.encode(text);
  try {
    const input = engine.input(bytes.length);
    new Uint8Array(engine.memory.buffer, input, bytes.length).set(bytes);
    const length = engine.answer();
    return decoder.decode(new Uint8Array(engine.memory.buffer, engine.output(), length));
  } catch (error) {
    // A trap leaves the memory in a state that nothing should build on.
    engine = undefined;
    throw error;
  }
}

onmessage = async ({ data: { id, request, isServed } }) => {
  const start = performance.now();
  try {
    // As text: it is often the text of the last answer, and copying an object costs more than reading it again.
    const text = await answer(JSON.stringify(request), isServed);
    postMessage({ id, text, took: performance.now() - start });
  } catch (error) {
    postMessage({ id, failure: String(error) });
  }
};
