// Prints the licenses of the packages that are in a bundle. `licenses.js METAFILE`

import { existsSync, readFileSync } from "node:fs";

const inputs = Object.keys(JSON.parse(readFileSync(process.argv[2])).inputs);
const packages = new Set(inputs.map((input) => input.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean));
const parts = [...packages].sort().map((name) => {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`));
  const file = ["LICENSE", "LICENSE.md", "LICENCE"].map((file) => `node_modules/${name}/${file}`).find(existsSync);
  return `${name} ${version} (${license})\n\n${readFileSync(file, "utf8").trim()}\n`;
});
console.log(`The file editor.js contains these packages.\n\n${parts.join("\n----\n\n")}`);
