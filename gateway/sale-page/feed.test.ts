import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Feed, isOlder } from "./browser/feed.js";

/** A browser's `EventSource`, driven by the test. */
class ScriptedSource extends EventTarget {
  static readonly CLOSED = 2;
  static readonly opened: ScriptedSource[] = [];
  readyState = 1;

  constructor() {
    super();
    ScriptedSource.opened.push(this);
  }

  close(): void {
    this.readyState = ScriptedSource.CLOSED;
  }

  send(type: string, id: string, data: object): void {
    this.dispatchEvent(Object.assign(new Event(type), { data: JSON.stringify(data), lastEventId: id }));
  }
}

const bodyOf = (total: string) => ({ Commitments: [], TotalCommitmentAmount: total });

beforeEach(() => {
  vi.useFakeTimers();
  ScriptedSource.opened.length = 0;
  vi.stubGlobal("EventSource", ScriptedSource);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("never goes back: a new stream that begins with less is left for another one", async () => {
  const [shown, states]: [string[], string[]] = [[], []];
  const feed = new Feed("/stream", {
    onBody: (body) => shown.push(body.TotalCommitmentAmount),
    onState: (state) => states.push(state),
  });
  ScriptedSource.opened[0]?.send("body", "00000000000000aa-9", bodyOf("9"));
  ScriptedSource.opened[0]?.send("difference", "00000000000000aa-10", {
    Removed: [],
    Upserted: [],
    Totals: bodyOf("10"),
  });
  ScriptedSource.opened[0]?.close();
  ScriptedSource.opened[0]?.dispatchEvent(new Event("error"));
  await vi.advanceTimersByTimeAsync(3_000);

  ScriptedSource.opened[1]?.send("body", "00000000000000aa-5", bodyOf("5"));
  expect(ScriptedSource.opened[1]?.readyState).toBe(ScriptedSource.CLOSED);
  await vi.advanceTimersByTimeAsync(6_000);

  ScriptedSource.opened[2]?.send("body", "00000000000000aa-11", bodyOf("11"));
  expect(shown).toEqual(["9", "10", "11"]);
  expect(states).toEqual(["connecting", "lost", "connecting", "lost", "connecting"]);
  feed.close();
});

it.each([
  ["00000000000000aa-9", "00000000000000aa-10", true],
  ["00000000000000aa-10", "00000000000000aa-10", false],
  ["00000000000000aa-18446744073709551614", "00000000000000aa-18446744073709551615", true],
  ["00000000000000bb-1", "00000000000000aa-10", false],
  ["00000000000000aa-1", "", false],
])("%s is before %s: %s", (id, other, expected) => {
  expect(isOlder(id, other)).toBe(expected);
});
