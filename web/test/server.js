// What the tests try: the page from `kindsmith play`, or the static page of `web/dist`.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { extname, join, normalize } from "node:path";

const MEDIA = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".txt": "text/plain", ".svg": "image/svg+xml", ".png": "image/png" };

/** Starts `kindsmith play`; returns its address and how to stop it. */
export async function play(binary) {
  const child = spawn(binary, ["play"], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const address = line.match(/http:\S+/)?.[0];
    if (address) return { address, stop: () => child.kill() };
  }
  throw new Error("kindsmith play ended");
}

/** Serves a directory. */
export async function serve(directory) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname).replace(/\/$/, "/index.html");
    try {
      const body = await readFile(join(directory, path));
      response.writeHead(200, { "content-type": MEDIA[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://localhost:${server.address().port}/`, stop: () => server.close() };
}
