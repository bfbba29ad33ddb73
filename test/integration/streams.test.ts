import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { applyEvent, type PublicSaleBody } from "../../gateway/testing/apply-event.ts";
import { StreamReader } from "../../gateway/testing/stream-reader.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { amountOf, apply, auction, fixedPricing, idBytes, openedSale, record } from "../support/sales/sale-messages.ts";

/** Rows in a list of 100 come in and fall out at the end. */
const ROWS = 130;
const STEPS = 20;

describe("streams of a gateway", () => {
  const key = generateCallerKey();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: CommitmentsProcess;
  let gateway: GatewayProcess;
  let saleUuid: string;

  const startGateway = () =>
    startGatewayProcess({
      COMMITMENTS_URL: service.url,
      CALLER_NAME: "gateway",
      CALLER_KEY: key.text,
      CACHE_MAX_STALE: "250ms",
    });
  const urlOf = (suffix: string, { port } = gateway) =>
    `http://127.0.0.1:${port}/svc/v1/public/sales/${saleUuid}${suffix}`;
  const openStream = (headers?: Record<string, string>, from = gateway) =>
    StreamReader.open(urlOf("/commitment-data/stream", from), headers);

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { otherCallers: { gateway: key.text } });
    gateway = await startGateway();
  });
  afterAll(async () => {
    await gateway?.process.kill();
    await service?.process.kill();
    await folder?.remove();
  });
  beforeEach(async () => {
    saleUuid = await openedSale(service);
    const upserts = Array.from({ length: ROWS }, (_, index) => record(index, { createdAtSeconds: BigInt(index) }));
    await apply(service, saleUuid, { upserts });
  });

  /** Reads on until an event brings a revision. */
  async function bodyAt(revision: bigint, stream: StreamReader, before?: PublicSaleBody) {
    for (let body = before; ; ) {
      const event = await stream.event();
      body = applyEvent(body, event);
      if (event.id?.endsWith(`-${revision}`)) return { body, event };
    }
  }

  it("show an apply in an open stream", async () => {
    const stream = await openStream();
    expect(await stream.event()).toMatchObject({ event: "body" });
    const { revision } = await apply(service, saleUuid, { upserts: [record(1_000)] });
    const event = await stream.event();
    expect(event.event).toBe("difference");
    expect(event.id?.split("-")[1]).toBe(String(revision));
    expect(JSON.parse(event.data ?? "")).toMatchObject({
      Removed: [expect.any(String)],
      Upserted: [{ Index: 0 }],
      Totals: { UniqueCommitmentCount: ROWS + 1 },
    });
    stream.close();
  });

  it("send what makes exactly the body of every revision", async () => {
    const stream = await openStream();
    let body = applyEvent(undefined, await stream.event());
    let differences = 0;
    for (const step of fc.sample(steps, { numRuns: STEPS, seed: 5 })) {
      const { revision } = await apply(service, saleUuid, step);
      const next = await bodyAt(revision, stream, body);
      body = next.body;
      if (next.event.event === "difference") differences++;
      const response = await fetch(urlOf("/commitment-data"));
      expect(response.headers.get("etag")).toBe(`W/"${next.event.id}"`);
      expect(body).toEqual(await response.json());
    }
    expect(differences).toBeGreaterThan(STEPS / 2);
    stream.close();
  });

  it("resume where they were, on the same gateway by differences, on another with the body", async () => {
    const [stream, other] = [await openStream(), await startGateway()];
    const first = await stream.event();
    const { revision } = await apply(service, saleUuid, { upserts: [record(1_000)] });
    const { body } = await bodyAt(revision, stream, applyEvent(undefined, first));
    const headers = { "last-event-id": first.id ?? "" };
    const resumed = await openStream(headers);
    const event = await resumed.event();
    expect(event.event).toBe("difference");
    expect(applyEvent(applyEvent(undefined, first), event)).toEqual(body);
    const elsewhere = await openStream(headers, other);
    const whole = await elsewhere.event();
    expect(whole.event).toBe("body");
    expect(applyEvent(undefined, whole)).toEqual(body);
    for (const open of [stream, resumed, elsewhere]) open.close();
    await other.process.kill();
  });

  it("end with a time to come back when their gateway stops, whether they are read or not", async () => {
    const stopping = await startGateway();
    const stream = await openStream({}, stopping);
    await stream.event();
    const lazy = connect({ host: "127.0.0.1", port: stopping.port });
    await once(lazy, "connect");
    lazy.pause();
    lazy.write(`GET ${new URL(urlOf("/commitment-data/stream")).pathname} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const exit = stopping.process.kill("SIGTERM");
    let retry: string | undefined;
    for (let part = await stream.part(); part !== undefined; part = await stream.part()) ({ retry } = part);
    expect(Number(retry)).toBeGreaterThanOrEqual(2_000);
    expect(await exit).toEqual({ code: 0, signal: null });
    lazy.destroy();
  });

  it("have the same figures as the history and the demand", async () => {
    const [history, demand] = await Promise.all(["/history", "/demand"].map((path) => fetch(urlOf(path))));
    expect(await history?.json()).toMatchObject({
      Points: expect.arrayContaining([expect.objectContaining({ TotalCommitmentAmount: String(ROWS * 1_000) })]),
      PaymentTokenDecimals: 6,
    });
    expect(await demand?.json()).toMatchObject({
      Levels: [{ Amount: String(ROWS * 1_000), CommitmentCount: ROWS, LowestPriceNumerator: "10" }],
      ClearingPriceDenominator: "1000",
    });
    for (const response of [history, demand]) {
      expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
        "cache-control": "public, max-age=1",
        "access-control-allow-origin": "*",
        etag: expect.stringMatching(/^W\/"/),
      });
    }
    const headers = { "if-none-match": demand?.headers.get("etag") ?? "" };
    expect((await fetch(urlOf("/demand"), { headers })).status).toBe(304);
    expect((await fetch(urlOf("/history"), { method: "DELETE" })).status).toBe(405);
    saleUuid = await openedSale(service, auction({ pricing: fixedPricing(7n) }));
    const none = await fetch(urlOf("/demand"));
    expect([none.status, (await none.json()).code]).toEqual([404, "not_found"]);
  });
});

const changedRows = fc.uniqueArray(fc.nat(ROWS + 50), { minLength: 1, maxLength: 5 });

/** Rows come, change their amount, age or refund, and go. */
const steps = fc
  .record({
    changed: changedRows,
    removed: changedRows,
    created: fc.integer({ min: 0, max: ROWS }),
    amount: fc.bigInt({ min: 1n, max: 2n ** 200n }),
    refunded: fc.boolean(),
  })
  .map(({ changed, removed, created, amount, refunded }) => ({
    upserts: changed.map((row) =>
      record(row, { createdAtSeconds: BigInt(created), amounts: [amountOf(amount)], refunded }),
    ),
    removals: removed.filter((row) => !changed.includes(row)).map((row) => idBytes(row)),
  }));
