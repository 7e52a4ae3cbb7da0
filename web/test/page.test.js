// The page in headless Chromium: `web/test/run`. With SHOTS=1 screenshots are left in test/shots.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { play, serve } from "./server.js";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const shots = new URL("shots/", import.meta.url).pathname;
let browser;
let server;

before(async () => {
  server = process.env.DIST ? await serve(process.env.DIST) : await play(process.env.KINDSMITH);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
});
after(async () => {
  await browser?.close();
  server?.stop();
});

/** A page at an address below the server's, with everything that it asks for. */
async function open(fragment = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  // What the worker is asked for.
  await page.addInitScript(() => {
    window.sent = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (data) {
      window.sent.push(data.text);
      post.call(this, data);
    };
  });
  page.asked = [];
  page.failures = [];
  page.on("request", (request) => page.asked.push(request.url()));
  page.on("pageerror", (error) => page.failures.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.failures.push(message.text()));
  await page.goto(server.address + fragment);
  await answered(page);
  return page;
}

/** Waits until the answer to everything asked so far is shown. */
const answered = (page) => page.waitForFunction(() => document.documentElement.dataset.answered > 0);
const verdict = (page, word) => page.waitForSelector(`#verdict[data-verdict="${word}"]`);
const text = (page, selector) => page.locator(selector).innerText();

async function close(page, name) {
  if (process.env.SHOTS) {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: `${shots}${name}.png` });
  }
  assert.deepEqual(page.failures, []);
  const elsewhere = page.asked.filter((url) => !url.startsWith(server.address) && !/^(data|blob|about):/.test(url));
  assert.deepEqual(elsewhere, [], "no request leaves the page");
  await page.context().close();
}

/** Replaces the text of a pane by typing. */
async function type(page, pane, content) {
  await page.locator(`#pane-${pane} .cm-content`).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(content);
}

test("typing changes the answer", async () => {
  const page = await open("#first");
  await verdict(page, "rejected");
  assert.match(await text(page, "#findings"), /less than or equal to 64/);
  await type(page, "object", "apiVersion: garden.example.org/v1\nkind: Bed\nmetadata:\n  name: herbs\nspec:\n  name: Herbs\n");
  await verdict(page, "allowed");
  assert.match(await text(page, "#text .cm-content"), /rows: 3/);
  assert.equal(await page.locator("#text .cm-defaulted").count() > 0, true, "defaults are marked");
  await close(page, "typing");
});

test("an answer changes only what differs", async () => {
  const page = await open("#defaults");
  await page.locator("#pane-object .cm-line").last().click();
  const drawn = async (key) => {
    await page.evaluate(() => {
      window.drawn = 0;
      const count = (records) => { for (const { addedNodes, removedNodes } of records) window.drawn += addedNodes.length + removedNodes.length; };
      const counting = new MutationObserver(count);
      counting.observe(document.getElementById("result"), { subtree: true, childList: true });
      window.answered = new Promise((resolve) => {
        new MutationObserver((_, observer) => {
          observer.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => { counting.disconnect(); resolve(); }));
        }).observe(document.documentElement, { attributeFilter: ["data-answered"] });
      });
    });
    await page.keyboard.press(key);
    await page.evaluate(() => window.answered);
    return page.evaluate(() => window.drawn);
  };
  await drawn("#");
  // The time that the engine took is another one.
  const count = await drawn("#");
  assert.ok(count <= 4, `${count} elements for a comment`);
  await close(page, "differs");
});

// `kindsmith play` answers in another process.
if (process.env.DIST) {
  test("a quick answer comes in the task of its key", async () => {
    const page = await open("#defaults");
    await page.locator("#pane-object .cm-line").last().click();
    // The first answers are the worker's, until it is known what they take and the page has read the API.
    await page.waitForFunction(async () => {
      const count = () => Number(document.documentElement.dataset.answered);
      const before = count();
      document.execCommand("insertText", false, "#");
      for (let turn = 0; turn < 20; turn++) await null;
      return count() > before;
    }, null, { polling: 200 });
    await close(page, "quick");
  });
}

test("a finding leads to its line and to its cause", async () => {
  const page = await open("#first");
  await page.locator("#findings .cause").first().click();
  assert.match(await text(page, "#pane-go .cm-cause"), /Maximum=64/);
  assert.equal(await page.evaluate(() => document.activeElement.closest("#pane-go") !== null), true);
  await page.locator("#findings .where").first().click();
  assert.equal(await page.evaluate(() => document.activeElement.closest("#pane-object") !== null), true);
  await close(page, "cause");
});

test("update mode says what ratcheting spares", async () => {
  const page = await open("#ratcheting");
  await verdict(page, "allowed");
  assert.match(await text(page, "#ratcheted"), /may not be more than 20/);
  await page.locator("#update").uncheck();
  await verdict(page, "rejected");
  assert.equal(await page.locator("#old").isVisible(), false);
  await close(page, "update");
});

test("errors are marked at the tag behind them, and removed fields in the object", async () => {
  const page = await open("#first");
  await page.waitForSelector("#pane-go .cm-lintRange-info");
  assert.match(await text(page, "#pane-go .cm-lintRange-info >> nth=0"), /Maximum=64/);
  assert.match(await text(page, "#pane-object .cm-pruned >> nth=0"), /color/);
  await close(page, "marks");
});

test("the release decides", async () => {
  const page = await open("#release");
  assert.equal(await page.locator("#release").inputValue(), "1.36");
  await page.waitForSelector("#pane-object .cm-cleared");
  assert.doesNotMatch(await text(page, "#text .cm-content"), /maxUnavailable/);
  await page.selectOption("#release", "1.37");
  await page.waitForFunction(() => /maxUnavailable: 3/.test(document.querySelector("#text .cm-content").innerText));
  await page.keyboard.press("Alt+s");
  await page.waitForFunction(() => location.hash.startsWith("#1."));
  const other = await open(await page.evaluate(() => location.hash));
  assert.equal(await other.locator("#release").inputValue(), "1.37", "a link keeps it");
  await close(page, "release");
  await close(other, "release-shared");
});

test("a fix is one click", async () => {
  const page = await open("#lint");
  const before = await page.locator("#findings li").count();
  await page.getByRole("button", { name: /Fix: write/ }).first().click();
  await page.waitForFunction((count) => document.querySelectorAll("#findings li").length < count, before);
  assert.match(await text(page, "#pane-go .cm-content"), /maxLength=63/);
  await close(page, "fix");
});

test("a shared link restores everything", async () => {
  const page = await open("#immutable");
  await type(page, "object", "apiVersion: garden.example.org/v1\nkind: Bed\nmetadata:\n  name: ünïcode-🌱\nspec:\n  place: by the wall\n");
  await page.keyboard.press("Alt+s");
  await page.waitForFunction(() => location.hash.startsWith("#1."));
  const link = await page.evaluate(() => location.hash);
  const other = await open(link);
  assert.match(await text(other, "#pane-object .cm-content"), /ünïcode-🌱/);
  assert.equal(await other.locator("#update").isChecked(), true);
  assert.equal(await text(other, "#summary"), await text(page, "#summary"));
  await close(page, "share");
  await close(other, "shared");
});

test("every example of the menu answers", async () => {
  const page = await open();
  const names = await page.locator("#example option").evaluateAll((all) => all.map((one) => one.value).filter(Boolean));
  assert.ok(names.length >= 10, `${names}`);
  for (const name of names) {
    await page.selectOption("#example", name);
    await page.waitForFunction((name) => location.hash === `#${name}`, name);
    await page.waitForFunction(() => !/Loading/.test(document.getElementById("summary").textContent));
    assert.notEqual(await page.locator("#note").innerText(), "");
  }
  await close(page, "examples");
});

test("every panel shows something", async () => {
  const page = await open("#first");
  for (const [panel, selector, expected] of [
    ["crd", "#text .cm-content", /CustomResourceDefinition/],
    ["openapi", "#text .cm-content", /openapi-gen|components/],
    ["rules", "#details", /CEL rules|no CEL/],
    ["apply", "#details", /Field manager/],
    ["stored", "#findings", /spec.rows/],
  ]) {
    await page.locator(`#tab-${panel}`).click();
    await page.waitForFunction(([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.innerText), [selector, expected.source]);
  }
  await page.locator("#tab-docs").click();
  await page.waitForFunction(() => document.getElementById("docs").srcdoc.includes("BedSpec"));
  await close(page, "panels");
});

test("conflicts of an apply", async () => {
  const page = await open("#apply");
  await page.waitForSelector("#conflicts");
  await verdict(page, "rejected");
  assert.match(await text(page, "#conflicts"), /\.spec\.width/);
  await page.locator("#force").check();
  await page.waitForSelector("#owners");
  assert.match(await text(page, "#owners"), /playground/);
  await close(page, "apply");
});

test("an apply is tried while nobody types, so that the first one is quick", async () => {
  const page = await open("#first");
  await page.waitForFunction(() => window.sent.some((text) => JSON.parse(text).panel === "apply"));
  await page.locator("#tab-rules").click();
  await page.waitForFunction(() => document.getElementById("shown").dataset.panel === "rules" && document.getElementById("shown").ariaBusy === "false");
  assert.match(await text(page, "#summary"), /^create rejected/, "nobody sees it");
  await close(page, "ready");
});

test("dark and light", async () => {
  const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const page = await open("#cost", { colorScheme: "dark" });
  const dark = await background(page);
  await page.locator("#theme").click();
  const light = await background(page);
  assert.notEqual(dark, light);
  await page.reload();
  await answered(page);
  assert.equal(await background(page), light, "the choice is remembered");
  await page.locator("#theme").click();
  await close(page, "dark");
});

test("texts can be read", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("#first", { colorScheme });
    const low = await page.evaluate(() => {
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const rgb = (color, below = [255, 255, 255]) => {
        canvas.fillStyle = `rgb(${below})`;
        canvas.fillRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const background = (element) => {
        const all = [];
        for (let one = element; one; one = one.parentElement) all.unshift(getComputedStyle(one).backgroundColor);
        return all.reduce((below, color) => rgb(color, below), [255, 255, 255]);
      };
      const light = (color) => {
        const [red, green, blue] = color.map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const found = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue;
        const below = background(element);
        const [one, other] = [light(rgb(getComputedStyle(element).color, below)), light(below)];
        const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (contrast < 4.5) found.push(`${contrast.toFixed(2)} ${element.className || element.id || element.tagName}: ${texts.currentNode.data.trim().slice(0, 30)}`);
      }
      return [...new Set(found)];
    });
    assert.deepEqual(low, [], colorScheme);
    await close(page, `contrast-${colorScheme}`);
  }
});

test("phone width", async () => {
  const page = await open("#first", { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true });
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(isWide, false, "nothing is wider than the screen");
  await page.getByRole("button", { name: "Result" }).tap();
  await page.locator("#findings .where").first().tap();
  assert.equal(await page.locator("#pane-object").isVisible(), true);
  await page.getByRole("button", { name: "Result" }).tap();
  await close(page, "phone");
});

test("keyboard only", async () => {
  const page = await open("#first");
  await page.keyboard.press("Alt+2");
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.id);
  assert.equal(await focused(), "Object");
  await page.keyboard.press("F8");
  await page.keyboard.press("Alt+c");
  assert.equal(await focused(), "Go types", "the cause of a finding");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Object", "editors do not catch Tab");
  await page.keyboard.press("Alt+u");
  assert.equal(await page.locator("#pane-old").isVisible(), true);
  await page.locator("#tab-stored").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("#tab-rules").getAttribute("aria-selected"), "true");
  await page.locator("#help").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#keys").isVisible(), true);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#keys").isVisible(), false);
  await close(page, "keyboard");
});

test("controls have names", async () => {
  const page = await open("#apply");
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input, iframe, [role=textbox]")]
    .filter((one) => one.checkVisibility())
    .filter((one) => !(one.getAttribute("aria-label") || one.labels?.length || one.textContent.trim() || one.title))
    .map((one) => one.outerHTML.slice(0, 80)));
  assert.deepEqual(nameless, []);
  await close(page, "names");
});
