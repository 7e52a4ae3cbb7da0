// What a keystroke costs until its answer is shown, in an API of 200 lines: `node test/speed.js DIST [LIMIT]`.
//
// The time is from the dispatch of the key's event to the change of the page's elements that shows the answer; `drawn` is to the end of the
// frame with it. Times depend on what else the machine does; processor time hardly does: what the page's thread and the engine's take from
// the key to the answer, with everything that the browser does there meanwhile. Fails if the median of it exceeds LIMIT milliseconds.

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

/** Types a digit and removes it again, at the end of the line with this text, while the browser notes what it does. */
async function keystrokes(pane, line) {
  await page.locator(`#pane-${pane} .cm-line`, { hasText: line }).first().click();
  await page.keyboard.press("End");
  await browser.startTracing(page, { categories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel", "blink.user_timing"] });
  for (let count = 0; count < 30; count++) {
    await page.evaluate(() => { window.answered = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        observer.disconnect();
        performance.mark("answered");
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      }).observe(document.documentElement, { attributeFilter: ["data-answered"] });
    }); });
    await page.keyboard.press(count % 2 ? "Backspace" : "1");
    await page.evaluate(() => window.answered);
  }
  return JSON.parse((await browser.stopTracing()).toString()).traceEvents;
}

/** From each key to its answer: the time, the time until it is drawn, and the processor time of both threads. */
function spans(events) {
  const threads = new Map();
  for (const { name, pid, tid, args } of events) if (name === "thread_name") threads.set(`${pid} ${tid}`, args.name);
  const on = (thread, name) => events.filter((one) => one.name === name && threads.get(`${one.pid} ${one.tid}`) === thread).sort((one, other) => one.ts - other.ts);
  const [main, worker] = ["CrRendererMain", "DedicatedWorker thread"];
  const [answers, frames, beside] = [on(main, "answered"), on(main, "Commit"), on(worker, "RunTask")];
  return on(main, "EventDispatch").filter((one) => one.args.data?.type === "keydown").flatMap((key) => {
    const answer = answers.find((one) => one.ts > key.ts);
    const frame = frames.find((one) => one.ts > answer?.ts);
    if (!frame) return [];
    const inside = beside.filter((one) => one.ts > key.ts && one.ts < answer.ts);
    const processor = inside.reduce((sum, { tdur = 0 }) => sum + tdur, answer.tts - key.tts);
    return [{ time: answer.ts - key.ts, drawn: frame.ts + frame.dur - key.ts, processor }];
  });
}

/** Milliseconds that a part of all keys takes at most. */
function quantile(found, key, part) {
  const all = found.map((one) => one[key] / 1000).sort((one, other) => one - other);
  return all[Math.min(all.length - 1, Math.floor(all.length * part))];
}

async function measure(pane, line) {
  // The browser translates the engine again while it is used; a user's first words do not count.
  for (let round = 0; round < 3; round++) await keystrokes(pane, line);
  const found = spans(await keystrokes(pane, line));
  const both = (key) => `${quantile(found, key, 0.5).toFixed(1)} ms (95 %: ${quantile(found, key, 0.95).toFixed(1)})`;
  console.log(`${pane}: ${both("time")} from key to answer, ${both("processor")} of processor time; drawn after ${both("drawn")}; ${found.length} keys`);
  if (quantile(found, "processor", 0.5) > Number(process.argv[3] ?? Infinity)) process.exitCode = 1;
}

console.log(`${types.split("\n").length} lines of Go types`);
await measure("object", "field1: 2");
await measure("go", "kubebuilder:default=3");
await browser.close();
server.stop();
