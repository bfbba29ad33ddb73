import { once } from "node:events";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { FeedFault, SaleStatus } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleUpdatedSchema } from "../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { type FakeSale, OTHER_SALE, SALE, SUMMARY, saleAt } from "../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../testing/gateway-parts.ts";
import { openConnection } from "../testing/raw-connection.ts";
import { type StreamPart, StreamReader } from "../testing/stream-reader.ts";

let gateway: RunningGateway;
const readers: StreamReader[] = [];

const pathOf = (sale: string) => `/svc/v1/public/sales/${sale}/commitment-data/stream`;
const urlOf = (sale: string) => `http://127.0.0.1:${gateway.server.port}${pathOf(sale)}`;

async function start(variables: Record<string, string> = {}): Promise<void> {
  gateway = await runGateway(variables);
}

async function open(headers: Record<string, string> = {}): Promise<StreamReader> {
  const reader = await StreamReader.open(urlOf(SALE), headers);
  readers.push(reader);
  return reader;
}

/** Changes the sale and loads it into the cache, so that streams have it at once or with a later tick. */
async function change(revision: bigint, generation = 1n): Promise<void> {
  gateway.fake.sales.set(SALE, saleAt(revision, generation));
  await gateway.cache.load(SALE);
}

afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  gateway.streams.stop();
  await gateway.server.close(AbortSignal.abort());
});

/** Waits until a stream's end has been noticed; the server's own events drive it on. */
async function openStreams(count: number): Promise<void> {
  while (gateway.counters.openStreams !== count) await new Promise(setImmediate);
}

describe("SaleStreams", () => {
  it("sends the body, then each change", async () => {
    await start();
    const reader = await open();
    expect(reader.response.status).toBe(200);
    expect(Object.fromEntries(reader.response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
    });
    expect(await reader.part()).toEqual({ retry: "2000" });
    expect(await reader.part()).toEqual({
      event: "state",
      data: '{"AsOf":null,"BehindSeconds":0,"Fault":"","Settled":false,"PaymentSymbol":""}',
    });
    expect(await reader.part()).toMatchObject({ event: "body", id: "0000000000000001-1" });
    await change(2n);
    // A difference would not be smaller than this body.
    expect(await reader.part()).toMatchObject({ event: "body", id: "0000000000000001-2" });
  });

  it("says what the sale is, at the start and again when that changes, but not with every block", async () => {
    await start();
    const chain = { chainId: 1n, contractUrl: "" };
    const source = { case: "evm" as const, value: { chain: "base", contract: `0x${"c2".repeat(20)}` } };
    const sale = { ...SUMMARY, source };
    gateway.fake.sales.set(SALE, { ...saleAt(1n), sale, feedState: { chain } });
    const reader = await open();
    expect((await reader.part())?.retry).toBe("2000");
    const [state, first] = [await reader.part(), await reader.part()];
    expect([state?.event, first?.event, first?.id]).toEqual(["state", "sale", undefined]);
    const contentOf = ({ data = "" }: StreamPart = {}) => JSON.parse(data);
    expect(contentOf(first)).toMatchObject({ SaleUUID: SALE, Name: "A sale", Status: "open" });
    expect(contentOf(first)).not.toHaveProperty("Fault");
    expect(await reader.part()).toMatchObject({ event: "body" });
    const asOf = { position: { height: 9n }, lastSuccess: timestampFromMs(1_000) };
    const states = [{ chain, asOf }, { chain: { ...chain, contractUrl: "https://explorer.example/a1" } }];
    for (const [index, feedState] of states.entries()) {
      gateway.fake.sales.set(SALE, { ...saleAt(BigInt(index + 2)), sale, feedState });
      await gateway.cache.load(SALE);
      gateway.clock.now += 250;
      gateway.streams.tick();
    }
    gateway.fake.sales.set(SALE, { ...saleAt(4n), sale: { ...sale, name: "Renamed" }, feedState: { chain } });
    await gateway.cache.load(SALE);
    gateway.streams.tick();
    const seen = [await reader.saleEvent(), await reader.saleEvent()].map(contentOf);
    expect(seen).toMatchObject([
      { Name: "A sale", Contract: { ExplorerURL: "https://explorer.example/a1" } },
      { Name: "Renamed" },
    ]);
    expect(contentOf(await (await open()).saleEvent())).toEqual(seen[1]);
  });

  it("goes on without that where the commitments service says nothing about the sale, or breaks its contract", async () => {
    await start();
    const { fixedPrice: _, ...priceless } = SUMMARY;
    gateway.fake.sales.set(SALE, { ...saleAt(1n), sale: priceless });
    const reader = await open();
    const parts = [await reader.part(), await reader.part(), await reader.part()];
    expect(parts.map((part) => part?.event)).toEqual([undefined, "state", "body"]);
  });

  it("measures the delay of changes that come by an event and of those that were loaded", async () => {
    await start();
    const reader = await open();
    const { clock, fake, cache, counters } = gateway;
    const status = SaleStatus.OPEN;
    const committedAt = (millis: number) => timestampFromMs(clock.now - millis);
    fake.sales.set(SALE, { ...saleAt(2n), sale: { status }, committedAt: committedAt(2_000) });
    await cache.load(SALE);
    expect(counters.streamDelays).toMatchObject({ count: 1, seconds: 2 });
    clock.now += 250;
    const changes = { totalAmountBefore: "2" };
    const event = { saleUuid: SALE, generation: 1n, revision: 3n, status, readable: true, totalAmount: "3", changes };
    expect(cache.advance(create(SaleUpdatedSchema, { ...event, committedAt: committedAt(250) }))).toBe(true);
    expect(counters.streamDelays).toMatchObject({ count: 2, seconds: 2.25 });
    for (const revision of [1, 2, 3]) expect((await reader.event()).id).toBe(`0000000000000001-${revision}`);
  });

  it("sends at most an event in 250 ms, and then the last state", async () => {
    await start();
    const reader = await open();
    await change(2n);
    await change(3n);
    gateway.clock.now += 249;
    gateway.streams.tick();
    await change(4n);
    gateway.clock.now += 1;
    gateway.streams.tick();
    await change(5n);
    gateway.clock.now += 250;
    gateway.streams.tick();
    const ids = [await reader.event(), await reader.event(), await reader.event(), await reader.event()].map(
      ({ id }) => id,
    );
    expect(ids).toEqual([1, 2, 4, 5].map((revision) => `0000000000000001-${revision}`));
  });

  it("resumes after the last event", async () => {
    await start();
    await open();
    await change(2n);
    const reader = await open({ "last-event-id": "0000000000000001-2" });
    gateway.clock.now += 250;
    await change(3n);
    expect([await reader.event()]).toMatchObject([{ id: "0000000000000001-3" }]);
  });

  it.each(["nonsense", "0000000000000001-99", "0000000000000002-1", "x".repeat(1_000)])(
    "answers a Last-Event-ID of %j with the body",
    async (id) => {
      await start();
      const reader = await open({ "last-event-id": id });
      expect(await reader.event()).toMatchObject({ event: "body", id: "0000000000000001-1" });
    },
  );

  it.each([
    ["answers no more", Code.Unavailable, 503, "unavailable"],
    ["hangs", Code.DeadlineExceeded, 504, "deadline_exceeded"],
  ])("leads no reader back to an older state where the service %s", async (_, failure, status, code) => {
    await start();
    await open();
    gateway.fake.fail(failure);
    for (const had of ["0000000000000001-2", "0000000000000002-1"]) {
      const refused = await fetch(urlOf(SALE), { headers: { "last-event-id": had } });
      expect([refused.status, (await refused.json()).code]).toEqual([status, code]);
    }
    for (const had of ["0000000000000001-1", "nonsense"]) {
      expect((await open({ "last-event-id": had })).response.status).toBe(200);
    }
    await openStreams(3);
    gateway.fake.recover();
    gateway.fake.sales.set(SALE, saleAt(2n));
    gateway.clock.now += 250;
    const resumed = await open({ "last-event-id": "0000000000000001-2" });
    await change(3n);
    gateway.clock.now += 250;
    gateway.streams.tick();
    expect(await resumed.event()).toMatchObject({ id: "0000000000000001-3" });
  });

  it("lets a reader who is ahead of the others begin when they are there", async () => {
    await start();
    const reader = await open();
    await reader.event();
    await change(2n);
    await reader.event();
    await change(3n);
    // The others get revision 3 in 250 ms.
    const ahead = await open({ "last-event-id": "0000000000000001-3" });
    gateway.clock.now += 249;
    gateway.streams.tick();
    await change(4n);
    gateway.clock.now += 1;
    gateway.streams.tick();
    expect([await reader.event(), await ahead.event()]).toMatchObject([
      { id: "0000000000000001-4" },
      { id: "0000000000000001-4" },
    ]);
    expect(gateway.fake.loads).toHaveLength(4);
  });

  it("goes over to another generation with the body", async () => {
    await start();
    const reader = await open();
    await change(9n);
    gateway.clock.now += 250;
    await change(1n, 2n);
    await reader.event();
    await reader.event();
    expect(await reader.event()).toMatchObject({ event: "body", id: "0000000000000002-1" });
  });

  describe("says how current the figures are", () => {
    const asOf = {
      position: { height: 19_000_000n, hash: new Uint8Array([1, 255]) },
      blockTime: { seconds: 1_700_000_000n },
      lastSuccess: { seconds: 1_700_000_003n, nanos: 900_000_000 },
    };
    const shown = { Block: "19000000", BlockHash: "0x01ff", BlockTime: 1_700_000_000, LastSuccess: 1_700_000_003 };

    /** Sets what the commitments service says about the feed, and lets the gateway ask. */
    async function feed(state: NonNullable<FakeSale["feedState"]>): Promise<void> {
      gateway.fake.sales.set(SALE, { ...saleAt(1n), feedState: state });
      await gateway.refresher.refresh();
      gateway.streams.tick();
    }
    const contentOf = ({ data = "" }: StreamPart) => JSON.parse(data);
    const OPEN_SALE = { Settled: false, PaymentSymbol: "" };

    it("at the start of a stream, and in a heartbeat every 10 seconds", async () => {
      await start();
      gateway.fake.sales.set(SALE, { ...saleAt(1n), feedState: { asOf, behind: { seconds: 2n } } });
      const reader = await open();
      const first = await reader.feedEvent();
      expect([first.event, contentOf(first)]).toEqual([
        "state",
        { AsOf: shown, BehindSeconds: 2, Fault: "", ...OPEN_SALE },
      ]);
      gateway.clock.now += 9_999;
      await feed({ asOf, behind: { seconds: 3n, nanos: 999_000_000 } });
      gateway.clock.now += 1;
      gateway.streams.tick();
      const next = await reader.feedEvent();
      expect([next.event, contentOf(next)]).toEqual([
        "heartbeat",
        { AsOf: shown, BehindSeconds: 4, Fault: "", ...OPEN_SALE },
      ]);
    });

    it.each([
      [FeedFault.UNREADABLE, "The sale's contract can't be read at the moment."],
      [FeedFault.LATE, "Reading the sale's contract takes longer than usual."],
      [FeedFault.NO_INDEXER, "The sale's contract isn't being read at the moment."],
      // Of a later version.
      [99 as FeedFault, "The sale's contract can't be read at the moment."],
    ])("at once when fault %s begins and when it ends", async (fault, words) => {
      await start();
      const reader = await open();
      expect(contentOf(await reader.feedEvent())).toMatchObject({ Fault: "" });
      await feed({ asOf, behind: { seconds: 45n }, fault });
      await feed({ asOf, behind: { seconds: 46n }, fault });
      await feed({ asOf });
      const events = [await reader.feedEvent(), await reader.feedEvent()];
      expect(events.map(({ event }) => event)).toEqual(["state", "state"]);
      expect(events.map(contentOf)).toEqual([
        { AsOf: shown, BehindSeconds: 45, Fault: words, ...OPEN_SALE },
        { AsOf: shown, BehindSeconds: 0, Fault: "", ...OPEN_SALE },
      ]);
    });

    it("at once when the sale is settled, with the symbol of its payment tokens", async () => {
      await start();
      const sale = saleAt(1n);
      const summary = (status: SaleStatus) => ({ ...sale.sale, status, paymentSymbol: "DAI" });
      gateway.fake.sales.set(SALE, { ...sale, sale: summary(SaleStatus.OPEN) });
      const reader = await open();
      expect(contentOf(await reader.feedEvent())).toMatchObject({ Settled: false, PaymentSymbol: "DAI" });
      gateway.fake.sales.set(SALE, { ...saleAt(2n), sale: summary(SaleStatus.SETTLED) });
      gateway.clock.now += 1_000;
      await gateway.refresher.refresh();
      gateway.streams.tick();
      const event = await reader.feedEvent();
      expect([event.event, contentOf(event).Settled]).toEqual(["state", true]);
    });

    it("when the commitments service can't be reached for longer than two calls take", async () => {
      await start();
      gateway.fake.sales.set(SALE, { ...saleAt(1n), feedState: { asOf } });
      const reader = await open();
      await reader.feedEvent();
      gateway.fake.fail();
      gateway.clock.now += 5_000;
      gateway.streams.tick();
      gateway.clock.now += 1;
      gateway.streams.tick();
      const words = "The sale's figures can't be brought up to date at the moment.";
      expect(contentOf(await reader.feedEvent())).toEqual({
        AsOf: shown,
        BehindSeconds: 5,
        Fault: words,
        ...OPEN_SALE,
      });
      const late = await open();
      expect(contentOf(await late.feedEvent())).toMatchObject({ Fault: words });
      gateway.fake.recover();
      await feed({ asOf });
      expect(contentOf(await reader.feedEvent())).toEqual({ AsOf: shown, BehindSeconds: 0, Fault: "", ...OPEN_SALE });
    });

    it("also while revisions are answered and the figures themselves can't be loaded", async () => {
      await start();
      const reader = await open();
      await reader.feedEvent();
      gateway.fake.failLoads = true;
      gateway.fake.sales.set(SALE, saleAt(2n));
      for (let second = 0; second < 6; second++) {
        gateway.clock.now += 1_000;
        await gateway.refresher.refresh();
        gateway.streams.tick();
      }
      expect(contentOf(await reader.feedEvent()).Fault).toContain("can't be brought up to date");
    });

    it("never as a fault once nothing can change any more", async () => {
      await start();
      gateway.fake.sales.set(SALE, { ...saleAt(1n), feedState: { asOf, final: true } });
      const reader = await open();
      await reader.feedEvent();
      gateway.fake.fail();
      gateway.clock.now += 100_000;
      gateway.streams.tick();
      const heartbeat = await reader.feedEvent();
      expect([heartbeat.event, contentOf(heartbeat)]).toEqual([
        "heartbeat",
        { AsOf: shown, BehindSeconds: 0, Fault: "", ...OPEN_SALE },
      ]);
    });

    it("without a hash for a slot, and without a time that isn't known", async () => {
      await start();
      const slot = { position: { height: 7n }, lastSuccess: { seconds: 9n } };
      gateway.fake.sales.set(SALE, { ...saleAt(1n), feedState: { asOf: slot } });
      const { data } = await (await open()).feedEvent();
      expect(data).toBe(
        '{"AsOf":{"Block":"7","LastSuccess":9},"BehindSeconds":0,"Fault":"","Settled":false,"PaymentSymbol":""}',
      );
    });
  });

  it("asks for a sale that isn't kept current by others, once a second", async () => {
    await start();
    const reader = await open();
    await reader.event();
    gateway.fake.sales.set(SALE, saleAt(2n));
    gateway.clock.now += 1_001;
    gateway.streams.tick();
    gateway.streams.tick();
    expect(await reader.event()).toMatchObject({ id: "0000000000000001-2" });
    expect(gateway.fake.loads).toHaveLength(2);
  });

  it("keeps its readers while the commitments service fails", async () => {
    await start();
    const reader = await open();
    await reader.event();
    gateway.fake.fail();
    for (let second = 0; second < 90; second++) {
      gateway.clock.now += 1_001;
      gateway.streams.tick();
      await new Promise(setImmediate);
    }
    gateway.fake.recover();
    gateway.clock.now += 60_000;
    await change(2n);
    expect(await reader.event()).toMatchObject({ id: "0000000000000001-2" });
  });

  it("ends when its sale is gone", async () => {
    await start();
    const reader = await open();
    await reader.event();
    gateway.fake.sales.delete(SALE);
    gateway.clock.now += 1_001;
    gateway.streams.tick();
    expect(await reader.part()).toEqual({ retry: "2000" });
    expect(await reader.part()).toBeUndefined();
    await openStreams(0);
  });

  it("sends nothing more to a stream that it has ended", async () => {
    await start();
    const reader = await open();
    await reader.event();
    gateway.fake.sales.delete(SALE);
    gateway.clock.now += 1_001;
    gateway.streams.tick();
    while (gateway.cache.fresh(SALE) !== undefined || gateway.fake.loads.length < 2) await new Promise(setImmediate);
    gateway.fake.sales.set(SALE, saleAt(2n));
    gateway.clock.now += 15_000;
    gateway.streams.tick();
    expect(await reader.part()).toEqual({ retry: "2000" });
    expect(await reader.part()).toBeUndefined();
  });

  it("sends its readers different times to reconnect when it stops", async () => {
    await start();
    const both = [await open(), await open()];
    for (const reader of both) await reader.event();
    gateway.streams.stop();
    expect(await both[0]?.part()).toEqual({ retry: "2000" });
    expect(await both[1]?.part()).toEqual({ retry: "2250" });
    for (const reader of both) expect(await reader.part()).toBeUndefined();
    expect((await fetch(urlOf(SALE))).status).toBe(503);
  });

  it("answers what is no stream in JSON", async () => {
    await start();
    const answers = [
      [urlOf(OTHER_SALE), {}, 404, "not_found"],
      [urlOf("x"), {}, 400, "invalid_argument"],
      [urlOf(SALE), { method: "POST" }, 405, "unimplemented"],
    ] as const;
    for (const [url, init, status, code] of answers) {
      const response = await fetch(url, init);
      expect([response.status, (await response.json()).code]).toEqual([status, code]);
    }
    const head = await fetch(urlOf(SALE), { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect((await fetch(urlOf(SALE), { method: "OPTIONS" })).status).toBe(204);
    await openStreams(0);
  });

  it("has a bounded number of streams, in all and for an address", async () => {
    await start({ STREAM_MAX_PER_ADDRESS: "2" });
    const reader = await open();
    await open();
    const refused = await fetch(urlOf(SALE));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
    expect(await refused.json()).toMatchObject({ code: "resource_exhausted" });
    reader.close();
    await openStreams(1);
    expect((await open()).response.status).toBe(200);
  });

  it("is refused where none may be open", async () => {
    await start({ STREAM_MAX: "0" });
    const refused = await fetch(urlOf(SALE));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  });

  it("cuts a reader who doesn't read, and no other", async () => {
    await start({ STREAM_MAX_BUFFER: "16KiB" });
    const reader = await open();
    const lazy = await openConnection(gateway.server.port);
    lazy.pause();
    lazy.write(`GET ${pathOf(SALE)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await openStreams(2);
    const large = { wallet: "w", token: "t", amount: "9".repeat(200_000) };
    for (let revision = 2n; gateway.counters.droppedStreams === 0; revision++) {
      const price = { numerator: "1", denominator: "2" };
      const commitments = [{ price, amounts: [{ ...large, wallet: String(revision) }] }];
      gateway.fake.sales.set(SALE, { generation: 1n, revision, data: { commitments, totalAmount: "1" } });
      gateway.clock.now += 250;
      await gateway.cache.load(SALE);
      while ((await reader.event()).id !== `0000000000000001-${revision}`);
      expect(revision).toBeLessThan(500n);
    }
    await openStreams(1);
    lazy.destroy();
  });

  it("has one stream a connection, and notices the end of those whose answers wait", async () => {
    await start();
    const get = `GET ${pathOf(SALE)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const connections = await Promise.all(Array.from({ length: 5 }, () => openConnection(gateway.server.port)));
    for (const connection of connections) connection.write(get.repeat(20));
    await openStreams(5);
    gateway.fake.hold();
    gateway.clock.now += 10_000;
    const waiting = await openConnection(gateway.server.port);
    waiting.write(`${get.replace("/stream", "")}${get}`);
    await openStreams(6);
    for (const connection of [...connections, waiting]) connection.destroy();
    gateway.fake.release();
    await openStreams(0);
  });

  it("is cut at the deadline of a stop", async () => {
    await start();
    const connection = await openConnection(gateway.server.port);
    connection.write(`GET ${pathOf(SALE)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await openStreams(1);
    await new Promise(setImmediate);
    const closed = once(connection.resume(), "close");
    await gateway.server.close(AbortSignal.abort());
    await closed;
    await openStreams(0);
  });

  it("forgets readers who come and go", async () => {
    await start();
    for (let round = 0; round < 20; round++) {
      const visitors = await Promise.all(Array.from({ length: 10 }, () => open()));
      for (const visitor of visitors) visitor.close();
    }
    await openStreams(0);
    gateway.clock.now += 10_000;
    const loads = gateway.fake.loads.length;
    gateway.streams.tick();
    expect(gateway.fake.loads).toHaveLength(loads);
  });
});
