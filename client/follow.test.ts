import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { CommitmentData } from "./commitment-data.ts";
import { type FollowOptions, follow } from "./follow.ts";
import { type Answer, eventText, fakeFetch, json, type SentRequest, stream } from "./testing/fake-fetch.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const id = (revision: number) => `000000000000000a-${revision}`;
const commitment = (name: string) => ({ CommitmentID: name }) as CommitmentData["Commitments"][number];
const data = (count: number, ...names: readonly string[]): CommitmentData => ({
  Commitments: names.map(commitment),
  TotalCommitmentAmount: String(count),
  UniqueCommitmentCount: count,
  PaymentTokenDecimals: 6,
});
const body = (revision: number) => eventText("body", data(revision, "a", "b"), id(revision));

/** Follows until `log` has `length` entries. The requests' fake answers end with one that never comes. */
async function followed(length: number, answers: readonly Answer[], options: Partial<FollowOptions> = {}) {
  const controller = new AbortController();
  const log: unknown[] = [];
  const note = (entry: unknown) => {
    log.push(entry);
    if (log.length >= length) controller.abort();
  };
  const pending = ({ signal }: SentRequest) =>
    new Promise<Response>((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const { fetch, requests } = fakeFetch(...answers, pending);
  await follow({ url: "https://tidemark.example", fetch }, SALE, {
    signal: controller.signal,
    reconnectMs: 1,
    pollMs: 1,
    onData: ({ data, id }) => note(`${id.split("-")[1]}: ${data.Commitments.map((one) => one.CommitmentID)}`),
    onConnection: note,
    onState: ({ Fault }) => note(`state ${Fault}`),
    ...options,
  });
  return { log, requests: requests.map(({ url, headers }) => [url.split(SALE)[1], headers.get("last-event-id")]) };
}

const STREAM = "/commitment-data/stream";
const POLL = "/commitment-data";

describe("follow", () => {
  it("applies differences to the body, and reports how current it is", async () => {
    const difference = {
      AppliesTo: id(1),
      Removed: ["b"],
      Upserted: [
        { Index: 0, Commitment: commitment("c") },
        { Index: 1, Commitment: commitment("a") },
      ],
      Totals: { UniqueCommitmentCount: 3 },
    };
    const events = [eventText("state", { Fault: "slow" }), body(1), eventText("difference", difference, id(2))];
    const { log, requests } = await followed(4, [stream(...events)]);
    expect(log).toEqual(["stream", "state slow", "1: a,b", "2: c,a"]);
    expect(requests).toEqual([[STREAM, null]]);
  });

  it("says what the sale is each time that the stream does", async () => {
    const names: string[] = [];
    const sales = ["A sale", "Another name"].map((Name) => eventText("sale", { Name }));
    await followed(2, [stream(...sales, body(1))], { onSale: ({ Name }) => names.push(Name) });
    expect(names).toEqual(["A sale", "Another name"]);
  });

  it("opens a stream that ended again, after the last event, and shows no older state", async () => {
    const answers = [stream(body(5)), stream(body(4)), stream(body(6))];
    const { log, requests } = await followed(7, answers);
    expect(log).toEqual(["stream", "5: a,b", "lost", "stream", "lost", "stream", "6: a,b"]);
    expect(requests).toEqual([
      [STREAM, null],
      [STREAM, id(5)],
      [STREAM, id(5)],
    ]);
  });

  it("goes on after a snapshot", async () => {
    const empty = eventText("difference", { AppliesTo: id(7), Removed: [], Upserted: [], Totals: {} }, id(8));
    const after = { data: data(1, "x"), id: id(7) };
    const { log, requests } = await followed(2, [stream(empty)], { after });
    expect(log).toEqual(["stream", "8: x"]);
    expect(requests).toEqual([[STREAM, id(7)]]);
  });

  it.each([
    ["is refused", json({ code: "resource_exhausted", message: "", details: {} }, 429)],
    ["is no stream", new Response("<html>")],
    ["ends at once", stream()],
    ["can't be reached", new TypeError("fetch failed")],
    ["sends what isn't an event", stream("data: <html>\n\n")],
  ])("polls where the stream %s", async (_case, answer) => {
    const answers = [
      answer,
      json(data(1, "a"), 200, { etag: `W/"${id(1)}"` }),
      new Response(null, { status: 304 }),
      new TypeError("fetch failed"),
      json(data(1, "b"), 200, { etag: `W/"${id(2)}-1"` }),
    ];
    const { log, requests } = await followed(5, answers);
    expect(log).toEqual(["1: a", "polling", "lost", "2: b", "polling"]);
    expect(requests.map(([path]) => path)).toEqual([STREAM, POLL, POLL, POLL, POLL]);
  });

  it("leaves a difference without a body", async () => {
    const difference = eventText("difference", { AppliesTo: id(1), Removed: [], Upserted: [], Totals: {} }, id(2));
    const { log } = await followed(4, [stream(difference), stream(body(3))]);
    expect(log).toEqual(["stream", "lost", "stream", "3: a,b"]);
  });

  it("refuses a difference of other figures, and asks for whole ones until it has them", async () => {
    const difference = eventText("difference", { AppliesTo: id(2), Removed: ["a"], Upserted: [], Totals: {} }, id(3));
    const answers = [stream(body(1), difference), stream(eventText("state", { Fault: "" })), stream(body(3))];
    const { log, requests } = await followed(8, answers);
    expect(log.filter((line) => /^\d/.test(String(line)))).toEqual(["1: a,b", "3: a,b"]);
    expect(requests.slice(0, 3)).toEqual(Array(3).fill([STREAM, null]));
  });

  it.each(["not_found", "invalid_argument"])("ends with %s, of the stream and of a poll", async (code) => {
    const refusal = json({ code, message: "", details: {} }, 404);
    await expect(followed(1, [refusal])).rejects.toMatchObject({ name: "TidemarkError", code });
    await expect(followed(1, [stream(), refusal])).rejects.toMatchObject({ name: "TidemarkError", code });
  });

  it("throws what a callback throws, and calls none once its signal is aborted", async () => {
    const failing = () => {
      throw new RangeError("mine");
    };
    await expect(followed(9, [stream(body(1))], { onData: failing })).rejects.toThrow("mine");
    const { log } = await followed(2, [stream(body(1), body(2), body(3))]);
    expect(log).toEqual(["stream", "1: a,b"]);
  });

  it("leaves a connection that is silent for 30 seconds", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    // Fails once its request is aborted, as a real one does.
    const silent = ({ signal }: SentRequest) => {
      const start = (to: ReadableStreamDefaultController) => {
        to.enqueue(new TextEncoder().encode(body(1)));
        signal?.addEventListener("abort", () => to.error(signal.reason));
      };
      return new Response(new ReadableStream({ start }), { headers: { "content-type": "text/event-stream" } });
    };
    const ended = followed(5, [silent, stream(body(2))]);
    await vi.advanceTimersByTimeAsync(29_999);
    const signs = await Promise.race([ended, "open"]);
    await vi.advanceTimersByTimeAsync(10);
    expect([signs, (await ended).log]).toEqual(["open", ["stream", "1: a,b", "lost", "stream", "2: a,b"]]);
  });

  describe("in a page", () => {
    /** Lets the tests run in a page, which can be hidden. */
    function stubPage(hidden: boolean) {
      const page = Object.assign(new EventTarget(), { hidden });
      vi.stubGlobal("document", page);
      onTestFinished(() => void vi.unstubAllGlobals());
      const set = (now: boolean) => {
        page.hidden = now;
        page.dispatchEvent(new Event("visibilitychange"));
      };
      return set;
    }

    /** A stream that stays open until its request is aborted. */
    const open = (revision: number) => (request: SentRequest) => {
      const start = (to: ReadableStreamDefaultController) => {
        to.enqueue(new TextEncoder().encode(body(revision)));
        request.signal?.addEventListener("abort", () => to.error(request.signal?.reason));
      };
      return new Response(new ReadableStream({ start }), { headers: { "content-type": "text/event-stream" } });
    };

    it("gives its stream back while that is hidden, and goes on with the latest figures when it is shown", async () => {
      const setHidden = stubPage(false);
      const [noted, ended]: [string[], AbortController] = [[], new AbortController()];
      const { requests } = await followed(5, [open(1), open(2)], {
        onConnection(connection) {
          noted.push(connection);
          if (connection === "paused") queueMicrotask(() => setHidden(false));
        },
        onData({ id }) {
          noted.push(id);
          if (noted.length === 2) setHidden(true);
          if (noted.length === 5) ended.abort();
        },
        signal: ended.signal,
      });
      expect(noted).toEqual(["stream", id(1), "paused", "stream", id(2)]);
      expect(requests).toEqual([
        [STREAM, null],
        [STREAM, id(1)],
      ]);
    });

    it("sends nothing from a page that is opened in the background, unless that is asked for", async () => {
      stubPage(true);
      const ended = new AbortController();
      const { requests } = await followed(9, [open(1)], { signal: ended.signal, onConnection: () => ended.abort() });
      expect(requests).toEqual([]);
      const { log } = await followed(2, [open(1)], { whileHidden: true });
      expect(log).toEqual(["stream", "1: a,b"]);
    });
  });
});
