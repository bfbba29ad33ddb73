import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { CommitmentDataSchema } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { FeedStateSchema } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { HeldFeed } from "../public-read/cache/commitment-cache.ts";
import { publicBody } from "../public-read/cache/public-body.ts";
import { Representation } from "../public-read/cache/representation.ts";
import { SaleFieldsCache } from "../public-read/cache/sale-fields.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { createCounters } from "../web/http/counters.ts";
import { StreamAudience, type StreamReader } from "./stream-audience.ts";

/** Takes down what it is sent. */
class FakeReader implements StreamReader {
  writableLength = 0;
  ended = false;
  destroyed = false;
  text = "";

  write(chunk: Buffer): boolean {
    if (this.ended || this.destroyed) throw new Error("written to after its end");
    this.text += chunk;
    return true;
  }

  end(chunk?: unknown): never {
    this.text += String(chunk);
    this.ended = true;
    return this as never;
  }

  destroy(): never {
    this.destroyed = true;
    return this as never;
  }

  get revisions(): number[] {
    return Array.from(this.text.matchAll(/^id: [0-9a-f]{16}-(\d+)$/gm), ([, revision]) => Number(revision));
  }

  /** Blocks that the figures are said to be of, and revisions, in the order in which they came. */
  get blocksAndRevisions(): string[] {
    const parts = this.text.matchAll(/^id: [0-9a-f]{16}-(\d+)$|"Block":"(\d+)"/gm);
    return Array.from(parts, ([, revision, block]) => (revision ? `revision ${revision}` : `block ${block}`));
  }

  get events(): string[] {
    return Array.from(this.text.matchAll(/^event: (\w+)$/gm), ([, event]) => String(event));
  }
}

function at(revision: number, committedAtMs?: number): Representation {
  const data = create(CommitmentDataSchema, { totalAmount: String(revision) });
  return new Representation(1n, BigInt(revision), publicBody(data), { committedAtMs });
}

function audienceOf(count: number) {
  const counters = createCounters();
  const clock = { now: 1_800_000_000_000 };
  const audience = new StreamAudience(SALE, at(1), {
    maxBufferBytes: 100,
    unreachableAfterMs: 5_000,
    saleFields: new SaleFieldsCache({ signers: { get: () => "", ready: async () => {} }, origin: "" }),
    counters,
    now: 0,
    wallClock: () => clock.now,
  });
  audience.observe(feedAt(0), 0);
  const readers = Array.from({ length: count }, () => new FakeReader());
  for (const reader of readers) audience.join(reader, at(1), undefined);
  return { audience, readers, counters, clock };
}

/** Returns the feed of a sale as observed at a time, without a contract or as of a block. */
function feedAt(now: number, height?: bigint, representation = at(1)): HeldFeed {
  const asOf = { position: { height: height ?? 0n, hash: new Uint8Array(32) }, lastSuccess: { seconds: 1n } };
  const state = height === undefined ? undefined : create(FeedStateSchema, { asOf });
  return { state, knownAt: now, confirmedAt: now, sale: undefined, representation };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
const reachedBy = (readers: readonly FakeReader[], revision: number) =>
  readers.filter(({ revisions }) => revisions.at(-1) === revision).length;

describe("StreamAudience", () => {
  it("writes to 250 readers in each event-loop tick, and nothing twice to those who join meanwhile", async () => {
    const { audience, readers } = audienceOf(600);
    audience.offer(at(2), 1_000);
    expect(reachedBy(readers, 2)).toBe(250);
    const late = new FakeReader();
    audience.join(late, at(1), undefined);
    await tick();
    expect(reachedBy(readers, 2)).toBe(500);
    await tick();
    expect(reachedBy(readers, 2)).toBe(600);
    expect(late.revisions).toEqual([2]);
  });

  it("takes no figures on while something is on its way, and sends a heartbeat and a fault after it", async () => {
    const { audience, readers } = audienceOf(600);
    audience.offer(at(2), 1_000);
    audience.offer(at(3), 2_000);
    audience.observe(feedAt(10_000), 10_000);
    audience.observe(undefined, 15_001);
    expect(readers.some(({ events }) => events.includes("heartbeat"))).toBe(false);
    for (let ticks = 0; ticks < 8; ticks++) await tick();
    expect(new Set(readers.map(({ events }) => events.join()))).toEqual(new Set(["state,body,body,heartbeat,state"]));
    audience.offer(at(4), 16_000);
    await tick();
    await tick();
    expect(new Set(readers.map(({ revisions }) => revisions.join()))).toEqual(new Set(["1,2,4"]));
  });

  it("tells readers of each block for a while after figures, once a second at most, and else every ten seconds", () => {
    const { audience, readers } = audienceOf(1);
    const heartbeats = (): number => readers[0]?.events.filter((event) => event === "heartbeat").length ?? 0;
    const blockAt = (height: bigint, now: number) => audience.observe(feedAt(now, height), now);
    blockAt(1n, 1_000);
    expect(heartbeats()).toBe(0);
    audience.offer(at(2), 1_000);
    blockAt(1n, 1_050);
    blockAt(2n, 1_900);
    expect(heartbeats()).toBe(1);
    blockAt(2n, 2_050);
    expect(heartbeats()).toBe(2);
    blockAt(2n, 10_900);
    expect(heartbeats()).toBe(2);
    blockAt(3n, 11_000);
    expect(heartbeats()).toBe(2);
    blockAt(3n, 12_050);
    expect(heartbeats()).toBe(3);
  });

  it("names no block before the body that goes with it, to those who are there and to those who resume", () => {
    const { audience, readers } = audienceOf(1);
    audience.offer(at(2), 1_000);
    audience.observe(feedAt(1_000, 7n, at(2)), 1_000);
    audience.offer(at(3), 1_100);
    audience.observe(feedAt(2_100, 8n, at(3)), 2_100);
    expect(readers[0]?.blocksAndRevisions).toEqual(["revision 1", "revision 2", "block 7"]);
    const joined = new FakeReader();
    audience.join(joined, at(3), undefined);
    expect(joined.blocksAndRevisions).toEqual(["block 7", "revision 2"]);
    audience.offer(at(3), 2_200);
    audience.observe(feedAt(3_200, 8n, at(3)), 3_200);
    expect(readers[0]?.blocksAndRevisions.slice(3)).toEqual(["revision 3", "block 8"]);
    const resumed = new FakeReader();
    audience.join(resumed, at(3), { generation: 1n, revision: 2n, correction: 0 });
    expect(resumed.blocksAndRevisions).toEqual(["revision 3", "block 8"]);
  });

  it("takes a stream that lags behind its sale for no sign that nobody answers", async () => {
    const { audience, readers } = audienceOf(600);
    audience.observe(feedAt(0, 7n), 0);
    audience.offer(at(2), 1_000);
    // The body is still on its way to some readers while later ones are made all the time.
    for (let now = 1_000; now <= 20_000; now += 500) {
      audience.offer(at(now), now);
      audience.observe(feedAt(now, 8n, at(now)), now);
    }
    const late = new FakeReader();
    audience.join(late, at(20_000), undefined);
    expect(late.text).toContain('"Block":"7"');
    expect(late.text).toContain('"BehindSeconds":20,"Fault":""');
    audience.observe(undefined, 25_001);
    for (let ticks = 0; ticks < 8; ticks++) await tick();
    expect(readers[0]?.events.filter((event) => event === "state")).toHaveLength(2);
  });

  it("measures the delay of a change until its last reader, from the earliest commit that wasn't sent", async () => {
    const { audience, counters, clock } = audienceOf(300);
    const { now } = clock;
    audience.offer(at(2, now - 5), 1_000);
    clock.now += 35;
    expect(counters.streamDelays.count).toBe(0);
    await tick();
    expect(counters.streamDelays).toMatchObject({ count: 1, seconds: 0.04 });
    audience.offer(at(3, now + 50), 1_100);
    clock.now = now + 300;
    // A state whose commit isn't known, which shows the earlier change too.
    audience.offer(at(4), 1_250);
    await tick();
    expect(counters.streamDelays).toMatchObject({ count: 2, seconds: 0.04 + 0.25 });
    audience.offer(at(5), 2_000);
    await tick();
    expect(counters.streamDelays.count).toBe(2);
    // The database's clock is ahead.
    audience.offer(at(6, clock.now + 100), 3_000);
    await tick();
    expect(counters.streamDelays).toMatchObject({ count: 3, seconds: 0.04 + 0.25 });
  });

  it("writes to nobody who has left, was cut or has ended", async () => {
    const { audience, readers, counters } = audienceOf(600);
    const [slow, leaving] = [readers[0], readers[599]];
    if (slow === undefined || leaving === undefined) throw new Error("there are no readers");
    slow.writableLength = 1_000;
    audience.offer(at(2), 1_000);
    audience.leave(leaving);
    leaving.destroy();
    await tick();
    audience.end();
    await tick();
    expect([slow.destroyed, counters.droppedStreams]).toEqual([true, 1]);
    expect(leaving.revisions).toEqual([1]);
    expect(readers.filter(({ ended }) => ended)).toHaveLength(598);
    expect(audience.isEmpty).toBe(true);
    audience.offer(at(3), 9_000);
    audience.observe(feedAt(10_000), 10_000);
  });
});
