// The engine in WebAssembly. The page and the worker have one each, made of the same module.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Compiles the engine while it is downloaded. */
export const compile = () => WebAssembly.compileStreaming(fetch("kindsmith.wasm"));

/** Starts an engine: a function from a request to its answer, both as JSON text. After an error it must not be called again. */
export async function start(module) {
  const { exports } = await WebAssembly.instantiate(module, {});
  return (text) => {
    const bytes = encoder.encode(text);
    const input = exports.input(bytes.length);
    new Uint8Array(exports.memory.buffer, input, bytes.length).set(bytes);
    const length = exports.answer();
    return decoder.decode(new Uint8Array(exports.memory.buffer, exports.output(), length));
  };
}
