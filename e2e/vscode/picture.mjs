// picture.mjs ADDRESS FILE: a screenshot of VS Code with `gate.yaml` and its findings.

import { execFileSync } from "node:child_process";
import { chromium } from "../../web/node_modules/playwright-core/index.mjs";

const [address, file] = process.argv.slice(2);
const executablePath = execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1100, height: 620 } });
const timeout = 120_000;
await page.goto(address);
await page.locator(".explorer-viewlet .monaco-list-row", { hasText: "gate.yaml" }).dblclick({ timeout });
await page.locator(".squiggly-error").first().waitFor({ state: "attached", timeout });
await page.keyboard.press("Control+Shift+M");
await page.locator(".markers-panel .monaco-list-row").nth(2).waitFor({ timeout });
await page.screenshot({ path: file });
await browser.close();
