// How long a keystroke takes until its answer is shown, in an API of 200 lines: `node test/speed.js DIST`. On a loaded machine, look at the
// processor time: what all threads of the page take for a keystroke, this measurement and the drawing included.

import { chromium } from "playwright-core";
import { serve } from "./server.js";

const fields = Array.from({ length: 34 }, (_, at) => `	// Field ${at} of the bed.
	// +optional
	// +kubebuilder:default=${at + 1}
	// +kubebuilder:validation:Minimum=1
	Field${at} int32 \`json:"field${at},omitempty"\`
`).join("\n");
const types = `// +groupName=garden.example.org
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Bed struct {
	metav1.TypeMeta \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`
	Spec BedSpec \`json:"spec"\`
}

type BedSpec struct {
${fields}}
`;
const object = `apiVersion: garden.example.org/v1\nkind: Bed\nmetadata:\n  name: a\nspec:\n  field1: 2\n`;

const server = await serve(process.argv[2]);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
await page.goto(server.address);
const type = async (pane, text) => {
  await page.locator(`#pane-${pane} .cm-content`).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
};
await page.waitForSelector("html[data-answered]");
await type("go", types);
await type("object", object);
await page.waitForSelector("#verdict[data-verdict=allowed]");

const session = await browser.newBrowserCDPSession();
/** The processor time of the page's processes so far, in milliseconds. */
async function processorTime() {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const pages = processInfo.filter(({ type }) => type === "renderer");
  return 1000 * pages.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Types one letter thirty times; the time from the key to the answer on the page, each. */
async function keystrokes(pane, key) {
  await page.locator(`#pane-${pane} .cm-content`).click();
  await page.keyboard.press("Control+End");
  const times = [];
  const before = await processorTime();
  for (let count = 0; count < 30; count++) {
    await page.evaluate(() => { window.measured = new Promise((resolve) => {
      let start;
      document.addEventListener("keydown", () => { start = performance.now(); }, { once: true, capture: true });
      new MutationObserver((_, observer) => {
        observer.disconnect();
        resolve(performance.now() - start);
      }).observe(document.documentElement, { attributeFilter: ["data-answered"] });
    }); });
    await page.keyboard.press(key);
    times.push(await page.evaluate(() => window.measured));
  }
  const processor = ((await processorTime()) - before) / times.length;
  times.sort((one, other) => one - other);
  return `${pane}: median ${times[15].toFixed(1)} ms, 90 % below ${times[27].toFixed(1)} ms; processor time ${processor.toFixed(1)} ms`;
}

// The browser translates the engine again while it is used; a user's first words do not count.
for (const [pane, key] of [["object", "#"], ["go", "/"]]) await keystrokes(pane, key);
console.log(`${types.split("\n").length} lines of Go types`);
console.log(await keystrokes("object", "#"));
console.log(await keystrokes("go", "/"));
await browser.close();
server.stop();
