// Makes docs/images/playground.png, the picture in the README: `node test/picture.js DIST`.

import { chromium } from "playwright-core";
import { serve } from "./server.js";

const server = await serve(process.argv[2]);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: "light" });
await page.goto(`${server.address}#first`);
await page.waitForSelector("#verdict[data-verdict=rejected]");
// What the engine took is different on every machine.
await page.evaluate(() => { document.getElementById("time").textContent = ""; });
await page.screenshot({ path: new URL("../../docs/images/playground.png", import.meta.url).pathname });
await browser.close();
server.stop();
