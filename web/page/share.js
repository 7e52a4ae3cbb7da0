// Everything that is typed, as the part of an address after `#`. Browsers do not send it to anybody.

const VERSION = "1.";

async function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const result = new Uint8Array(await new Response(stream.readable).arrayBuffer());
  await written;
  return result;
}

/** The state as a fragment, without `#`. */
export async function pack(state) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(state)));
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return VERSION + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The state of a fragment; `null` if it is none of ours. */
export async function unpack(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text.startsWith(VERSION)) return null;
  try {
    const plain = atob(text.slice(VERSION.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
  } catch {
    return null;
  }
}
