// Asks the engine. What is quick is answered in the page, in the task of the key itself: a message would wait until a frame is drawn. The
// rest is answered by a worker, so that typing is never held up.

import { start } from "./engine.js";

/** Milliseconds that an answer may take in the page. */
const QUICK = 24;
/** Milliseconds that the page may take to read an API when nothing else is to do. */
const PATIENT = 200;
/** Milliseconds without a key after which the worker gets ready for what takes long the first time. */
const PAUSE = 1500;

/** What each kind of request took last, and how long it was. */
class Costs {
  #known = new Map();

  note({ panel }, isNew, length, took) {
    this.#known.set(`${panel} ${isNew}`, { length, took });
  }

  /** Whether a request probably takes at most this long. */
  isBelow(limit, { panel }, isNew, length) {
    const known = this.#known.get(`${panel} ${isNew}`);
    return known !== undefined && known.took <= limit && length <= 1.5 * known.length + 500;
  }
}

/** Whether a request needs the kinds of Kubernetes, which an engine reads once: only the worker's does. */
function needsKinds({ panel, policies, object }) {
  const group = object.match(/^\s*"?apiVersion"?:\s*["']?([^\s"'/]*)\//m)?.[1] ?? "";
  return panel === "apply" || policies.trim() !== "" || !group.includes(".") || group.endsWith(".k8s.io");
}

/** A function that asks for the answer to a request; `answered` gets answers in order, but not those that are out of date. */
export function asking({ isServed, answered, failed }) {
  const worker = new Worker("worker.js", { type: "module" });
  const costs = new Costs();
  const page = { engine: null, api: null };
  const beside = { asked: null, next: null, api: null, isReady: false };
  let newest = 0;
  let count = 0;
  let pause;

  /** A request, as text, with what an engine compiles once for all objects. */
  function made(id, request) {
    const { go, crds, profile, release } = request;
    return { id, request, text: JSON.stringify(request), api: JSON.stringify([go, crds, profile, release]) };
  }

  const isBelow = (limit, { request, text }, isNew) => costs.isBelow(limit, request, isNew, text.length);

  /** Answers in the page; `null` if the engine stopped there. */
  function answerHere({ request, text, api }) {
    const [begin, isNew] = [performance.now(), page.api !== api];
    try {
      const answer = page.engine(text);
      const took = performance.now() - begin;
      page.api = api;
      costs.note(request, isNew, text.length, took);
      return { text: answer, took };
    } catch {
      // The worker says what is wrong.
      page.engine = null;
      return null;
    }
  }

  function send(asked) {
    beside.asked = { ...asked, isNew: beside.api !== asked.api };
    worker.postMessage({ id: asked.id, text: asked.text, isServed });
  }

  /** Lets the page read an API that the worker answers for, while nobody types. */
  function prepare(asked) {
    const wait = globalThis.requestIdleCallback ?? setTimeout;
    wait(() => {
      const isLast = newest === asked.id && !beside.asked;
      if (isLast && page.engine && page.api !== asked.api && !needsKinds(asked.request) && isBelow(PATIENT, asked, true)) answerHere(asked);
    });
  }

  /** Lets the worker read the kinds of Kubernetes before somebody waits for them. */
  function getReady(request) {
    if (beside.asked) return void (pause = setTimeout(getReady, PAUSE, request));
    beside.isReady = true;
    send(made(0, { ...request, panel: "apply" }));
  }

  worker.onmessage = async ({ data }) => {
    if (data.module) return void (page.engine = await start(data.module));
    const { asked, next } = beside;
    [beside.asked, beside.next] = [null, null];
    if (!data.failure) {
      beside.api = asked.api;
      costs.note(asked.request, asked.isNew, asked.text.length, data.took);
    }
    if (next) send(next);
    // The page may have answered a later request meanwhile.
    if (asked.id <= newest) return;
    if (data.failure) return failed(data.failure);
    newest = asked.id;
    answered({ ...data, isLast: !next });
    prepare(asked);
  };
  worker.onerror = () => failed("the engine does not start");

  return (request) => {
    const asked = made(++count, request);
    clearTimeout(pause);
    if (!beside.isReady) pause = setTimeout(getReady, PAUSE, request);
    const isQuick = page.engine && !needsKinds(request) && isBelow(QUICK, asked, page.api !== asked.api);
    const answer = isQuick && answerHere(asked);
    if (answer) {
      newest = asked.id;
      beside.next = null;
      return answered({ id: asked.id, ...answer, isLast: true });
    }
    // While the worker is busy, only the newest request waits.
    if (beside.asked) beside.next = asked;
    else send(asked);
  };
}
