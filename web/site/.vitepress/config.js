// The documentation site: the pages of docs/, in the order of a reader.

import { readdirSync } from "node:fs";
import { playground } from "./playground.js";

const REPOSITORY = "https://github.com/kindsmith/kindsmith";

const pages = (...names) => names.map(([text, link]) => ({ text, link: `/${link}` }));

const sidebar = [
  { text: "Start", items: pages(["Your first API in five minutes", "tutorial"], ["Install", "install"], ["Playground", "play"]) },
  {
    text: "Guides",
    items: pages(
      ["Move from controller-gen", "controller-gen"], ["Check manifests in CI", "ci"], ["Replace envtest", "envtest"],
      ["Migrate hand-written validation", "migrate"], ["Write a controller", "controllers"], ["API types in Rust", "rust"],
      ["Embed the server", "embed"], ["Set up an editor", "editors"], ["Test rules", "rule-tests"],
    ),
  },
  { text: "Concepts", items: pages(["How the server treats a write", "concepts"]) },
  {
    text: "In depth",
    items: pages(
      ["Check objects", "check"], ["Lint Go types", "lint"], ["Compare versions", "diff"], ["Generate code and CRDs", "gen"],
      ["Run an API server", "serve"], ["Several servers on one etcd", "cluster"], ["Admission", "admission"], ["CEL expressions", "cel"], ["Releases of Kubernetes", "versions"],
      ["The KEPs, line by line", "keps"], ["Performance", "performance"], ["Scale", "scale"],
    ),
  },
  {
    text: "Reference",
    items: pages(
      ["Commands", "commands"], ["Tags", "tags"], ["Rules", "rules"], ["Feature gates", "gates"], ["Metrics", "metrics"],
      ["Configuration", "configuration"], ["JSON outputs", "outputs"], ["Limits", "limits"], ["Comparison and limitations", "comparison"],
    ),
  },
];

// A page that is in no part of the menu would never be found.
const listed = sidebar.flatMap((part) => part.items.map((item) => `${item.link.slice(1)}.md`));
const forgotten = readdirSync(new URL("../.src", import.meta.url)).filter((name) => name.endsWith(".md") && name !== "index.md" && !listed.includes(name));
if (forgotten.length) throw new Error(`not in the menu of web/site/.vitepress/config.js: ${forgotten}`);

export default {
  title: "Kindsmith",
  description: "Kubernetes-style API machinery in one binary",
  lang: "en",
  srcDir: ".src",
  outDir: "../dist-site",
  cacheDir: "node_modules/.cache",
  base: process.env.BASE ?? "/",
  cleanUrls: false,
  lastUpdated: false,
  ignoreDeadLinks: [/^\/playground\//],
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  markdown: {
    // Pages are Markdown alone: what looks like HTML is a placeholder.
    html: false,
    // Anchors as code hosts make them, so that links work in both.
    anchor: { slugify: (text) => text.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-") },
    config(md) {
      // The rest of the repository is on the web.
      md.core.ruler.push("repository", (state) => {
        for (const block of state.tokens) {
          for (const token of block.children ?? []) {
            const href = token.type === "link_open" ? token.attrGet("href") : null;
            const example = href?.match(/^\.\.\/web\/page\/examples\/(\w+)\.txt$/)?.[1];
            if (example) {
              // The playground is beside the pages, and none of them.
              token.attrSet("href", `/playground/#${example}`);
              token.attrSet("target", "_self");
            } else if (href?.startsWith("../")) token.attrSet("href", `${REPOSITORY}/blob/main/${href.slice(3)}`);
          }
        }
      });
      playground(md, process.env.BASE ?? "/");
      // Mustaches are examples, never Vue's.
      const text = md.renderer.rules.text;
      md.renderer.rules.text = (...all) => text(...all).replaceAll("{{", "&#123;&#123;");
    },
  },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    nav: [{ text: "Tutorial", link: "/tutorial" }, { text: "Playground", link: "/play" }, { text: "Rules", link: "/rules" }],
    socialLinks: [{ icon: "github", link: REPOSITORY }],
  },
};
