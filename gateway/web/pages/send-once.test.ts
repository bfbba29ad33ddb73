import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { FORMS_SCRIPT } from "./page-assets.ts";

/** Returns a window with the script and a navigation of its own, and the number of times that it said a form can be sent. */
function pageWithScript() {
  const [window, navigation] = [new EventTarget(), new EventTarget()];
  let ended = () => {};
  const waits: number[] = [];
  const setTimeout = (call: () => void, ms: number) => {
    ended = call;
    return waits.push(ms);
  };
  const timers = { setTimeout, clearTimeout: () => (ended = () => {}) };
  const sendable = vi.fn();
  window.addEventListener("sendable", sendable);
  const on = (target: EventTarget) => target.addEventListener.bind(target);
  const dispatchEvent = window.dispatchEvent.bind(window);
  const document = { querySelectorAll: () => [] };
  const globals = { document, addEventListener: on(window), dispatchEvent, navigation, Event, ...timers };
  runInNewContext(FORMS_SCRIPT.content, globals);
  return { window, navigation, sendable, waits, waitTooLong: () => ended() };
}

/** Sends a form. @returns whether the browser would ask the server */
function sends(window: EventTarget, method = "post", isTaken = false, answer = "page"): boolean {
  const event = new Event("submit", { cancelable: true });
  Object.defineProperty(event, "target", {
    value: { getAttribute: (name: string) => ({ method, "data-answer": answer })[name] },
  });
  if (isTaken) event.preventDefault();
  window.dispatchEvent(event);
  return !event.defaultPrevented;
}

describe("the script that sends one form at a time", () => {
  it("drops what is sent while an answer is on its way", () => {
    const { window } = pageWithScript();
    expect([sends(window), sends(window), sends(window)]).toStrictEqual([true, false, false]);
  });

  it.each<[string, (page: ReturnType<typeof pageWithScript>) => void]>([
    ["the way back shows the page again", ({ window }) => window.dispatchEvent(new Event("pageshow"))],
    ["the browser was stopped", ({ navigation }) => navigation.dispatchEvent(new Event("navigateerror"))],
    ["the answer was a file or none", ({ waitTooLong }) => waitTooLong()],
  ])("sends again where %s, and says so to the page's other scripts", (_, happens) => {
    const page = pageWithScript();
    sends(page.window);
    happens(page);
    expect(page.sendable).toHaveBeenCalledOnce();
    expect([sends(page.window), sends(page.window)]).toStrictEqual([true, false]);
  });

  it("waits less for a file, of whose coming no page is told", () => {
    const { window, waits } = pageWithScript();
    expect([sends(window, "post", false, "file"), sends(window, "post", false, "file")]).toStrictEqual([true, false]);
    expect(waits).toStrictEqual([1_000]);
  });

  it("counts no form that another script has taken, and none that fetches a page", () => {
    const { window } = pageWithScript();
    sends(window, "post", true);
    sends(window, "get");
    expect([sends(window), sends(window, "get")]).toStrictEqual([true, true]);
  });
});
