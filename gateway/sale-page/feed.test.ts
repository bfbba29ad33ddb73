import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Feed } from "./browser/feed.js";

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

  send(type: string, data: object, id = ""): void {
    this.dispatchEvent(Object.assign(new Event(type), { data: JSON.stringify(data), lastEventId: id }));
  }

  /** Ends as after an answer that is no stream. */
  refuse(): void {
    this.close();
    this.dispatchEvent(new Event("error"));
  }
}

const NOW = 1_800_000_000_000;
const ID = "00000000000000aa";
const READING = { AsOf: { LastSuccess: NOW / 1000 }, BehindSeconds: 1, Fault: "" };
const STOPPED = { AsOf: { LastSuccess: NOW / 1000 - 60 }, BehindSeconds: 61, Fault: "The chain can’t be read." };
const bodyOf = (total: string) => ({ Commitments: [], TotalCommitmentAmount: total });

const shown: string[] = [];
const blocks: number[] = [];
const states: string[] = [];
const fetched = vi.fn<typeof fetch>();
let visitor: EventTarget & { hidden: boolean };
let feed: Feed;

function newFeed(): Feed {
  return new Feed("/stream", {
    onBody: (body) => shown.push(body.TotalCommitmentAmount),
    onHeartbeat: ({ AsOf }) => blocks.push((1_000 * (AsOf?.LastSuccess ?? 0) - NOW) / 1_000),
    onLiveness: ({ name, since, fault }) => states.push([name, since && (since - NOW) / 1000, fault].join(" ").trim()),
  });
}

/** Lets the browser hide the page, or show it. */
function setHidden(hidden: boolean): void {
  visitor.hidden = hidden;
  visitor.dispatchEvent(new Event("visibilitychange"));
}

const openSources = () => ScriptedSource.opened.filter(({ readyState }) => readyState === 1).length;

/** The latest stream that the feed has opened. */
function source(): ScriptedSource {
  return ScriptedSource.opened.at(-1) ?? expect.fail("no stream is open");
}

/** Sends the events with which each stream begins. */
function begin(total: number, state: object = READING): void {
  source().send("state", state);
  source().send("body", bodyOf(String(total)), `${ID}-${total}`);
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  for (const list of [ScriptedSource.opened, shown, blocks, states]) list.length = 0;
  visitor = Object.assign(new EventTarget(), { hidden: false });
  fetched.mockReset().mockResolvedValue(new Response(null, { status: 503 }));
  vi.stubGlobal("EventSource", ScriptedSource);
  vi.stubGlobal("document", visitor);
  vi.stubGlobal("addEventListener", visitor.addEventListener.bind(visitor));
  vi.stubGlobal("fetch", fetched);
  feed = newFeed();
});
afterEach(() => {
  feed.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const DIFFERENCE = { Removed: [], Upserted: [] };

describe("Feed", () => {
  it("never goes back: a new stream that begins with less is left for another one", async () => {
    source().send("body", bodyOf("9"), `${ID}-9`);
    source().send("difference", { ...DIFFERENCE, AppliesTo: `${ID}-9`, Totals: bodyOf("10") }, `${ID}-10`);
    source().refuse();
    await vi.advanceTimersByTimeAsync(3_000);

    const older = source();
    older.send("body", bodyOf("5"), `${ID}-5`);
    expect(older.readyState).toBe(ScriptedSource.CLOSED);
    await vi.advanceTimersByTimeAsync(6_000);

    source().send("body", bodyOf("11"), `${ID}-11`);
    expect(shown).toEqual(["9", "10", "11"]);
    expect(states).toEqual(["live 0", "lost 0", "live 0"]);
  });

  it("leaves a stream whose difference is of other figures, and takes the next one's body", async () => {
    source().send("body", bodyOf("9"), `${ID}-9`);
    const wrong = source();
    wrong.send("difference", { ...DIFFERENCE, AppliesTo: `${ID}-8`, Totals: bodyOf("10") }, `${ID}-10`);
    expect(wrong.readyState).toBe(ScriptedSource.CLOSED);
    await vi.advanceTimersByTimeAsync(3_000);
    source().send("body", bodyOf("11"), `${ID}-11`);
    expect(shown).toEqual(["9", "11"]);
  });

  it("is live while heartbeats come, and isn't after 30 seconds of silence", async () => {
    source().send("body", bodyOf("1"), `${ID}-1`);
    for (let second = 10; second <= 50; second += 10) {
      await vi.advanceTimersByTimeAsync(10_000);
      source().send("heartbeat", READING);
    }
    await vi.advanceTimersByTimeAsync(29_999);
    expect(states).toEqual(["live 0"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(states).toEqual(["live 0", "lost 50"]);
    expect(ScriptedSource.opened.map(({ readyState }) => readyState)).toEqual([ScriptedSource.CLOSED]);
  });

  it("tries again by itself after a silence, a stream that never begins included", async () => {
    begin(1);
    await vi.advanceTimersByTimeAsync(140_000);
    expect(ScriptedSource.opened.length).toBeGreaterThan(2);
    expect(ScriptedSource.opened.filter(({ readyState }) => readyState === 1).length).toBeLessThanOrEqual(1);
    expect(states).toEqual(["live 0", "lost 0"]);
    while (source().readyState === ScriptedSource.CLOSED) await vi.advanceTimersByTimeAsync(1_000);
    source().send("body", bodyOf("2"), `${ID}-2`);
    expect([shown, states]).toEqual([
      ["1", "2"],
      ["live 0", "lost 0", "live 0"],
    ]);
  });

  it("says since when figures stand still, also once the stream is lost", async () => {
    begin(1);
    source().send("state", STOPPED);
    source().send("heartbeat", STOPPED);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(states).toEqual(["live 0", "stopped -60 The chain can’t be read.", "lost -60"]);
    await vi.advanceTimersByTimeAsync(3_000);
    begin(2);
    expect(states.at(-1)).toBe("live 0");
  });

  it("says that a sale is over, and goes on saying so without a stream", async () => {
    begin(1);
    source().send("state", { ...READING, Settled: true });
    source().send("body", bodyOf("3"), `${ID}-3`);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(states).toEqual(["live 0", "settled 0"]);
    await vi.advanceTimersByTimeAsync(3_000);
    begin(3);
    expect(states.at(-1)).toBe("live 0");
  });

  it("gives up where there is no such sale, after one question", async () => {
    fetched.mockResolvedValue(new Response(null, { status: 404 }));
    source().refuse();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(states).toEqual(["lost 0", "unknown 0"]);
    expect(fetched).toHaveBeenCalledExactlyOnceWith("/stream", expect.objectContaining({ method: "HEAD" }));
    expect(ScriptedSource.opened).toHaveLength(1);
  });

  it("waits for no answer for longer than 10 seconds", async () => {
    fetched.mockImplementation(
      (_, init) =>
        new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("late")))),
    );
    source().refuse();
    await vi.advanceTimersByTimeAsync(14_000);
    expect(ScriptedSource.opened).toHaveLength(2);
  });

  it("looks at once when its page is back after a sleep, in which no timer ran", async () => {
    begin(1);
    vi.setSystemTime(NOW + 3_600_000);
    visitor.dispatchEvent(new Event("visibilitychange"));
    expect(states).toEqual(["live 0", "lost 0"]);
    visitor.dispatchEvent(new Event("online"));
    begin(1);
    expect(states.at(-1)).toBe("live 0");
  });

  it("has no stream while its page is hidden, and the latest figures at once when it is shown, without a loss", async () => {
    source().send("body", bodyOf("1"), `${ID}-1`);
    setHidden(true);
    expect(openSources()).toBe(0);
    await vi.advanceTimersByTimeAsync(3_600_000);
    visitor.dispatchEvent(new Event("online"));
    expect([ScriptedSource.opened.length, openSources()]).toEqual([1, 0]);
    setHidden(false);
    expect([ScriptedSource.opened.length, openSources()]).toEqual([2, 1]);
    source().send("body", bodyOf("2"), `${ID}-2`);
    expect([shown, states]).toEqual([
      ["1", "2"],
      ["live 0", "connecting 0", "live 0"],
    ]);
  });

  it("says since when its figures aren't live where nothing answers a page that is shown again", async () => {
    source().send("body", bodyOf("1"), `${ID}-1`);
    setHidden(true);
    await vi.advanceTimersByTimeAsync(100_000);
    setHidden(false);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(states).toEqual(["live 0", "connecting 0", "lost 0"]);
  });

  it("isn't live before a new stream's first figures, whose block it says with them and not before", async () => {
    begin(1);
    setHidden(true);
    await vi.advanceTimersByTimeAsync(3_600_000);
    setHidden(false);
    const later = { ...READING, AsOf: { LastSuccess: NOW / 1000 + 3_600 } };
    for (const type of ["state", "sale", "heartbeat"]) source().send(type, later);
    expect([states, blocks]).toEqual([["live 0", "connecting 0"], [0]]);
    source().refuse();
    expect(states.at(-1)).toBe("lost 0");
    await vi.advanceTimersByTimeAsync(3_000);
    begin(2, later);
    expect([states.at(-1), blocks]).toEqual(["live 0", [0, 3_600]]);
  });

  it("waits for longer and longer where streams end before their first figures", async () => {
    for (let second = 0; second < 600; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      if (source().readyState === ScriptedSource.CLOSED) continue;
      source().send("state", READING);
      source().refuse();
    }
    expect(ScriptedSource.opened.length).toBeLessThan(40);
  });

  it("doesn't try again while its page is hidden", async () => {
    source().refuse();
    setHidden(true);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(ScriptedSource.opened).toHaveLength(1);
    setHidden(false);
    expect(openSources()).toBe(1);
  });

  it("opens no stream for a page that is opened in the background, before that is shown", async () => {
    feed.close();
    visitor.hidden = true;
    feed = newFeed();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([openSources(), states]).toEqual([0, []]);
    setHidden(false);
    expect(openSources()).toBe(1);
  });

  it("lets go of a page that is left, and resumes when the browser comes back to it", () => {
    source().send("body", bodyOf("1"), `${ID}-1`);
    visitor.dispatchEvent(new Event("pagehide"));
    expect(openSources()).toBe(0);
    visitor.dispatchEvent(new Event("pageshow"));
    expect(openSources()).toBe(1);
  });

  it("goes on saying that a sale is over after its page was hidden", () => {
    begin(1, { ...READING, Settled: true });
    setHidden(true);
    setHidden(false);
    expect(states).toEqual(["settled 0"]);
  });

  it("does nothing more once it is closed", async () => {
    begin(1);
    feed.close();
    await vi.advanceTimersByTimeAsync(3_600_000);
    visitor.dispatchEvent(new Event("online"));
    expect(states).toEqual(["live 0"]);
    expect(ScriptedSource.opened.map(({ readyState }) => readyState)).toEqual([ScriptedSource.CLOSED]);
  });
});
