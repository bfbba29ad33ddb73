import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { OutboundFetcher } from "../../../common/platform/outbound/outbound-fetcher.ts";
import { WEBHOOK_POLL_MS } from "../../../services/commitments/base/domain/lifetimes.ts";
import type { SaleState } from "../../../services/commitments/base/domain/sale-state.ts";
import type { SaleAuthority } from "../../../services/commitments/base/sale-authority.ts";
import { operatorsOnly } from "../../../services/commitments/base/sale-authority.ts";
import type { SaleSourceStatusTable } from "../../../services/commitments/base/schema.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import { insertSale } from "../../../services/commitments/changing/sale-writes.ts";
import { auctionDefinition } from "../../../services/commitments/testing/samples.ts";
import { createEndpoint } from "../../../services/commitments/webhooks/change-endpoint.ts";
import { replayEvents, sendTestEvent } from "../../../services/commitments/webhooks/deliveries-rpc.ts";
import { readDeliveries } from "../../../services/commitments/webhooks/delivery-rows.ts";
import { readEndpoints } from "../../../services/commitments/webhooks/endpoint-rows.ts";
import {
  deleteOrphanedWebhooks,
  MAX_EVENTS,
  trimEvents,
} from "../../../services/commitments/webhooks/expired-webhooks-store.ts";
import { readSentFaults, storeFault } from "../../../services/commitments/webhooks/fault-rows.ts";
import { FaultWatch } from "../../../services/commitments/webhooks/sending/fault-watch.ts";
import {
  WebhookWorker,
  type WebhookWorkerDependencies,
} from "../../../services/commitments/webhooks/sending/webhook-worker.ts";
import type { WebhookEndpoint } from "../../../services/commitments/webhooks/webhook-endpoint.ts";
import { EndpointSecrets } from "../../../services/commitments/webhooks/wrapped-secrets-store.ts";
import { openCommitmentsStore } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/processes/webhook-receiver.ts";

const HOUR = 3_600_000n;
const DAY = 24n * HOUR;
const secrets = new EndpointSecrets(Buffer.alloc(32, 5));
const fetcher = new OutboundFetcher({ loopback: true });

/** The row of a reader that has never succeeded. */
function reportOf(saleUuid: string, fault: string): SaleSourceStatusTable {
  const sweep = { sweep_rows_done: 0n, sweep_rows_total: 0n, sweep_running: 0, sweep_answers: 0n, sweep_requests: 0n };
  const success = { as_of_height: null, as_of_hash: null, as_of_time_s: null, success_at_ms: null };
  const unknown = { read_interval_ms: null, settled_since_ms: null, chain_id: null, contract_url: null };
  const sale = bytesOfHex(saleUuid);
  return { sale, head_height: 0n, fault, warning: "", checked_at_ms: 0n, ...sweep, ...success, ...unknown };
}

describeEachDatabase("the delivery to webhooks", (variant) => {
  let store: CommitmentsStore;
  let remove: () => Promise<void>;
  let receiver: WebhookReceiver;
  /** The workers' clock: milliseconds since 1970. */
  let now: bigint;
  /** Changes that were recorded in the logs of sales. */
  const recorded: unknown[] = [];
  const workers: WebhookWorker[] = [];
  const authority: SaleAuthority = {
    ...operatorsOnly,
    recordChange: async (_, saleUuid, change, settings) => void recorded.push({ saleUuid, change, settings }),
  };

  beforeAll(async () => {
    const created = await variant.create();
    remove = created.remove;
    store = await openCommitmentsStore(created);
    receiver = await startWebhookReceiver();
  });
  beforeEach(async () => {
    for (const table of ["webhook_delivery", "webhook_event", "webhook_endpoint", "webhook_lease"] as const) {
      await store.database.query.deleteFrom(table).execute();
    }
    receiver.received.length = 0;
    receiver.answer = (response) => response.writeHead(204).end();
    recorded.length = 0;
    // Far enough ahead that all that a test makes due is due by then.
    now = (await store.database.nowMillis()) + 600_000n;
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  });
  afterAll(async () => {
    receiver.stop();
    await store.database.close();
    await remove();
  });

  function worker(options: Partial<WebhookWorkerDependencies> = {}): WebhookWorker {
    const made = new WebhookWorker({
      database: store.database,
      authority,
      logger: pino({ level: "silent" }),
      fetcher,
      secrets,
      timeoutMs: 10_000,
      disableAfterMs: Number(5n * DAY),
      now: async () => now,
      ...options,
    });
    workers.push(made);
    return made;
  }

  /** Creates a draft with an endpoint at each path. @returns its UUID */
  async function draft(...paths: readonly string[]): Promise<string> {
    const saleUuid = randomUUID();
    const sale = { uuid: saleUuid, tenancy: "test", definition: auctionDefinition, ownerAccountUuid: "" } as const;
    await store.database.write((transaction) => insertSale(store.database.dialect, transaction, sale));
    for (const path of paths) await endpoint(saleUuid, path);
    return saleUuid;
  }

  async function endpoint(saleUuid: string, path: string, url = receiver.url + path): Promise<string> {
    const webhooks = { secrets, urlProblem: (url: string) => fetcher.urlProblem(url), wake: () => {} };
    return (await createEndpoint(store, webhooks, { saleUuid, url }, async () => {})).endpoint.uuid;
  }

  /** Changes the state of a sale as use cases do. */
  function change(saleUuid: string, changes: Partial<SaleState>): Promise<void> {
    const update = {};
    return store.changes.run(saleUuid, async ({ state }) => ({
      state: { ...state, ...changes },
      update,
      result: () => {},
    }));
  }

  /** Has a worker attempt what is due until nothing is. */
  async function deliver(by = worker()): Promise<void> {
    expect(await by.look()).toBe(true);
    await by.idle();
  }

  async function log(saleUuid: string) {
    return readDeliveries(store.database.query, saleUuid, { after: "", limit: 100 });
  }

  async function only(saleUuid: string): Promise<WebhookEndpoint> {
    const [found] = await readEndpoints(store.database.query, saleUuid);
    if (found === undefined) throw new Error("the sale has no endpoint");
    return found;
  }

  it("makes events of the opening, each stage and the settlement, in the transaction of the change", async () => {
    const saleUuid = await draft("/a", "/b");
    await change(saleUuid, { status: "open" });
    for (const stage of ["pre_open", "commitment", "commitment"] as const) await change(saleUuid, { stage });
    await change(saleUuid, { stage: "done", status: "settled" });
    const byWorker = worker();
    for (let look = 0; look < 5; look += 1) await deliver(byWorker);

    const types = receiver.received.map(({ event }) => event.type).sort();
    const opened = ["sale.opened", "sale.opened"];
    const stages = Array.from({ length: 6 }, () => "sale.stage_changed");
    expect(types).toEqual([...opened, "sale.settled", "sale.settled", ...stages]);
    const changes = receiver.received.filter(({ event }) => event.type === "sale.stage_changed");
    const steps = new Set(changes.map(({ event: { data } }) => `${data["PreviousStage"]} ${data["Stage"]}`));
    expect(steps).toEqual(new Set(["undefined pre_open", "pre_open commitment", "commitment done"]));
  });

  it("leaves no event of a change that is rolled back", async () => {
    const saleUuid = await draft("");
    // Refused by the last statement of the transaction: the column takes no null.
    const settleCount = null as unknown as bigint;
    await expect(change(saleUuid, { status: "open", settleCount })).rejects.toThrow();
    expect(await log(saleUuid)).toEqual([]);
    expect(await store.database.query.selectFrom("webhook_event").selectAll().execute()).toEqual([]);
  });

  it("is tried again with growing waits for a day, then given up and shown", async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const saleUuid = await draft("");
    await change(saleUuid, { status: "open" });
    const byWorker = worker();
    const begun = now;
    for (;;) {
      await deliver(byWorker);
      const [delivery] = await log(saleUuid);
      const next = delivery?.nextAttemptMillis;
      if (next === undefined) break;
      expect(next).toBeGreaterThan(now);
      // Nothing is sent before its time.
      now = next - 1n;
      await deliver(byWorker);
      expect(receiver.received).toHaveLength(delivery?.attempts ?? 0);
      now = next;
    }
    const [delivery] = await log(saleUuid);
    expect(delivery).toMatchObject({ status: "given_up", lastHttpStatus: 500, attempts: receiver.received.length });
    expect(receiver.received.length).toBeGreaterThanOrEqual(14);
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([delivery?.eventUuid]));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(now - begun).toBeLessThan(DAY);
    expect((await only(saleUuid)).failingSinceMillis).toBe(begun);

    receiver.answer = (response) => response.writeHead(200).end("ok");
    await sendTestEvent(store, { saleUuid, endpointUuid: (await only(saleUuid)).uuid });
    await deliver(byWorker);
    expect((await only(saleUuid)).failingSinceMillis).toBeUndefined();
  });

  it("ends for an endpoint that has failed for five days, and its sale's log says so", async () => {
    receiver.answer = (response) => response.writeHead(404).end();
    const saleUuid = await draft("");
    const key = { saleUuid, endpointUuid: (await only(saleUuid)).uuid };
    const byWorker = worker();
    await sendTestEvent(store, key);
    await deliver(byWorker);
    now += 5n * DAY;
    await sendTestEvent(store, key);
    await deliver(byWorker);
    await deliver(byWorker);
    expect(await only(saleUuid)).toMatchObject({ disabled: { why: "failures", atMillis: now } });
    expect((await log(saleUuid)).map(({ status }) => status)).toEqual(["given_up", "given_up"]);
    const { origin } = new URL(receiver.url);
    const after = "disabled: every attempt has failed for too long";
    const settings = [{ field: `Webhook ${origin}`, before: "enabled", after }];
    expect(recorded).toEqual([{ saleUuid, change: "webhooks", settings }]);
  });

  it("goes on for such an endpoint until its sale's log has been written to", async () => {
    receiver.answer = (response) => response.writeHead(404).end();
    const saleUuid = await draft("");
    const key = { saleUuid, endpointUuid: (await only(saleUuid)).uuid };
    const recordChange = async () => {
      throw new Error("auth doesn't answer");
    };
    const withoutAuth = worker({ authority: { ...authority, recordChange } });
    await sendTestEvent(store, key);
    await deliver(withoutAuth);
    now += 5n * DAY;
    await withoutAuth.look();
    await expect.poll(async () => (await log(saleUuid))[0]?.attempts).toBe(2);
    await withoutAuth.stop();
    expect((await only(saleUuid)).disabled).toBeUndefined();
    await sendTestEvent(store, key);
    await deliver();
    expect((await only(saleUuid)).disabled).toMatchObject({ why: "failures" });
  });

  it("ends at once for an endpoint that answers 410, and for no other answer", async () => {
    const answers = [301, 400, 410];
    const saleUuid = await draft("/301", "/400", "/410");
    receiver.answer = (response) => response.writeHead(answers.shift() ?? 204, { location: "https://10.0.0.1/" }).end();
    await change(saleUuid, { status: "open" });
    const byWorker = worker({ maxEndpointsAtOnce: 1 });
    for (let look = 0; look < 3; look += 1) await deliver(byWorker);
    const endpoints = await readEndpoints(store.database.query, saleUuid);
    expect(endpoints.map(({ disabled }) => disabled?.why).sort()).toEqual(["gone", undefined, undefined]);
    const failures = (await log(saleUuid)).map(({ lastFailure }) => lastFailure);
    expect(failures.filter((failure) => failure.includes("redirects, which isn't followed"))).toHaveLength(1);
  });

  it("asks no host that leads to a private address, now or later", async () => {
    const saleUuid = await draft();
    await endpoint(saleUuid, "", "https://founder.example/hook");
    await change(saleUuid, { status: "open" });
    const addresses = [["10.0.0.1"], ["93.184.216.34", "169.254.169.254"]];
    const strict = new OutboundFetcher({ loopback: false, resolve: async () => addresses.shift() ?? [] });
    const byWorker = worker({ fetcher: strict });
    for (let attempts = 1; attempts <= 2; attempts += 1) {
      await deliver(byWorker);
      const lastFailure = "founder.example leads to an address that isn't of the public internet";
      expect(await log(saleUuid)).toMatchObject([{ attempts, lastFailure }]);
      now += HOUR;
    }
  });

  it("takes a bounded answer only", async () => {
    const saleUuid = await draft("");
    receiver.answer = (response) => response.writeHead(200).end("x".repeat(20_000));
    await change(saleUuid, { status: "open" });
    await deliver();
    expect(await log(saleUuid)).toMatchObject([
      { status: "pending", lastFailure: expect.stringContaining("sends more than 16384 bytes") },
    ]);
  });

  it("keeps nobody waiting for a slow endpoint", async () => {
    const saleUuid = await draft("/slow");
    const slow = Promise.withResolvers<void>();
    receiver.answer = (response) => void slow.promise.then(() => response.writeHead(204).end());
    await change(saleUuid, { status: "open" });
    for (const stage of ["pre_open", "commitment", "cancellation"] as const) await change(saleUuid, { stage });
    const byWorker = worker();
    await byWorker.look();
    await expect.poll(() => receiver.received.length).toBe(1);
    receiver.answer = (response) => response.writeHead(204).end();
    const others = await Promise.all([draft("/1"), draft("/2")]);
    for (const other of others) await change(other, { status: "open" });
    now += 10_000n;
    await byWorker.look();
    await expect
      .poll(async () => (await Promise.all(others.map(log))).flat().map(({ status }) => status))
      .toEqual(["delivered", "delivered"]);
    // The slow one has got one of its four events, and no second one at the same time.
    expect(receiver.received).toHaveLength(3);
    slow.resolve();
    await byWorker.idle();
    for (let look = 0; look < 3; look += 1) await deliver(byWorker);
    expect((await log(saleUuid)).map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
  });

  it("keeps no other founder waiting for a slow host with more endpoints than slots", async () => {
    const slow = Promise.withResolvers<void>();
    const asked: string[] = [];
    const byWorker = worker({
      fetcher: {
        send: async ({ url }) => {
          asked.push(new URL(url).hostname);
          if (url.startsWith("https://slow.example")) await slow.promise;
          return { status: 204, contentType: "", body: new Uint8Array() };
        },
      },
    });
    for (let sale = 0; sale < 13; sale += 1) {
      const saleUuid = await draft();
      for (let at = 0; at < 5; at += 1) await endpoint(saleUuid, "", `https://slow.example:${8000 + at}/${at}`);
      await change(saleUuid, { status: "open" });
      await change(saleUuid, { stage: "pre_open" });
    }
    await byWorker.look();
    await expect.poll(() => asked.length).toBe(16);
    const other = await draft();
    await endpoint(other, "", "https://other.example/");
    await change(other, { status: "open" });
    now += 10_000n;
    await byWorker.look();
    await expect.poll(async () => (await log(other)).map(({ status }) => status)).toEqual(["delivered"]);
    // The slow host has got no more than its share meanwhile.
    expect(asked.filter((host) => host === "slow.example")).toHaveLength(16);
    slow.resolve();
    await byWorker.idle();
  });

  it("is done by one of several processes, and by the next one when that dies", async () => {
    const saleUuid = await draft("");
    await change(saleUuid, { status: "open" });
    // Dies after the request was sent, before the answer is stored.
    const sent = Promise.withResolvers<void>();
    const dying = worker({
      fetcher: {
        send: async (request, signal) => {
          await fetcher.send(request, signal);
          sent.resolve();
          return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
        },
      },
    });
    const other = worker();
    expect(await dying.look()).toBe(true);
    expect(await other.look()).toBe(false);
    await sent.promise;
    expect(await log(saleUuid)).toMatchObject([{ status: "pending", attempts: 0 }]);
    await dying.stop();
    await deliver();
    expect(await log(saleUuid)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    const [first, second] = receiver.received;
    expect(receiver.received).toHaveLength(2);
    expect(second).toMatchObject({ id: first?.id, body: first?.body });
  });

  it("is looked for each second by the process with the lease, where there are endpoints, and more rarely otherwise", async () => {
    const [holder, other] = [worker(), worker()];
    const pauses = async () => {
      for (const each of [holder, other]) await each.look();
      return [holder, other].map(({ pauseMs }) => (pauseMs > WEBHOOK_POLL_MS ? "long" : pauseMs));
    };
    expect(await pauses()).toEqual(["long", "long"]);
    await draft("");
    expect(await pauses()).toEqual([WEBHOOK_POLL_MS, "long"]);
  });

  it("stores no result of an attempt that another process has overtaken", async () => {
    const saleUuid = await draft("");
    await change(saleUuid, { status: "open" });
    const slow = Promise.withResolvers<void>();
    receiver.answer = (response) => void slow.promise.then(() => response.writeHead(500).end());
    const paused = worker();
    await paused.look();
    await expect.poll(() => receiver.received.length).toBe(1);
    // Its lease ends while it is paused.
    await store.database.query.deleteFrom("webhook_lease").execute();
    receiver.answer = (response) => response.writeHead(204).end();
    await deliver();
    slow.resolve();
    await paused.idle();
    expect(await log(saleUuid)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    expect((await only(saleUuid)).failingSinceMillis).toBeUndefined();
  });

  it("says so where a secret was wrapped with another key", async () => {
    const saleUuid = await draft("");
    await change(saleUuid, { status: "open" });
    await deliver(worker({ secrets: new EndpointSecrets(Buffer.alloc(32, 6)) }));
    expect(receiver.received).toEqual([]);
    expect(await log(saleUuid)).toMatchObject([{ lastFailure: expect.stringContaining("replace the secret") }]);
  });

  it("makes an event of each fault once, and of its end", async () => {
    const saleUuid = await draft("");
    await change(saleUuid, { status: "open" });
    const figures = { amount: 7n, commitments: 2n };
    for (const fault of ["late", "late", undefined, undefined] as const) {
      await storeFault(store.database, { saleUuid, fault, nowMillis: now, figures });
    }
    const byWorker = worker();
    for (let look = 0; look < 3; look += 1) await deliver(byWorker);
    const faults = receiver.received.filter(({ event }) => event.type.startsWith("sale.fault"));
    expect(faults.map(({ event }) => event.type).sort()).toEqual(["sale.fault_began", "sale.fault_ended"]);
    for (const { event } of faults) expect(event.data).toMatchObject({ Fault: "late", TotalCommitmentAmount: "7" });
  });

  it("notices that a feed stands still, and that it moves again, once each, only for sales with a webhook", async () => {
    const [hooked, other] = [await draft(""), await draft()];
    const { query } = store.database;
    for (const saleUuid of [hooked, other]) {
      const lease = { holder: "reader", epoch: 1n, untilMillis: now + HOUR };
      await change(saleUuid, { status: "open", hasSnapshot: true, lease });
      await query.insertInto("sale_source_status").values(reportOf(saleUuid, "no node answers")).execute();
    }
    let monotonic = 0;
    const faults = new FaultWatch({ ...store, now: () => monotonic });
    const look = async () => {
      await faults.look();
      monotonic += 5_000;
    };
    const storedFaults = async () => {
      const events = await query.selectFrom("webhook_event").select(["sale", "body"]).execute();
      return events
        .map(({ sale, body }) => ({ saleUuid: uuidFromBytes(sale), ...JSON.parse(body) }))
        .filter(({ type }) => type.startsWith("sale.fault"));
    };
    await look();
    await look();
    const data = { Fault: "unreadable", TotalCommitmentAmount: "0" };
    expect(await storedFaults()).toMatchObject([{ saleUuid: hooked, type: "sale.fault_began", data }]);
    await query.updateTable("sale_source_status").set({ fault: "" }).execute();
    await look();
    await look();
    expect((await storedFaults()).map(({ saleUuid, type }) => [saleUuid, type]).sort()).toEqual([
      [hooked, "sale.fault_began"],
      [hooked, "sale.fault_ended"],
    ]);
  });

  it("stores the faults of the other sales where one can't be read", async () => {
    const { query } = store.database;
    for (const saleUuid of [await draft(""), await draft("")]) {
      await change(saleUuid, {
        status: "open",
        hasSnapshot: true,
        lease: { holder: "reader", epoch: 1n, untilMillis: now + HOUR },
      });
      await query.insertInto("sale_source_status").values(reportOf(saleUuid, "no node answers")).execute();
    }
    // The one that is looked at first.
    const [unreadable = "", other] = [...(await readSentFaults(store.database)).keys()];
    await query.updateTable("sale").set({ definition: "{" }).where("sale", "=", bytesOfHex(unreadable)).execute();
    await expect(new FaultWatch({ ...store }).look()).rejects.toThrow("the faults of 1 sales aren't stored");
    const events = await query
      .selectFrom("webhook_event")
      .select("sale")
      .where("type", "=", "sale.fault_began")
      .execute();
    expect(events.map(({ sale }) => uuidFromBytes(sale))).toEqual([other]);
  });

  it("sends sixty tests an hour at most", async () => {
    const saleUuid = await draft("");
    const key = { saleUuid, endpointUuid: (await only(saleUuid)).uuid };
    await sendTestEvent(store, key);
    const { query } = store.database;
    const { event: _, ...test } = await query.selectFrom("webhook_event").selectAll().executeTakeFirstOrThrow();
    const row = { ...test, sale: Buffer.from(test.sale), created_at_ms: BigInt(test.created_at_ms) };
    const more = Array.from({ length: 59 }, () => ({ ...row, event: bytesOfHex(randomUUID()) }));
    await query.insertInto("webhook_event").values(more).execute();
    await expect(sendTestEvent(store, key)).rejects.toMatchObject({ code: "resource_exhausted" });
    await query
      .updateTable("webhook_event")
      .set({ created_at_ms: now - 2n * HOUR })
      .execute();
    await sendTestEvent(store, key);
  });

  it("sends five thousand events again an hour at most", async () => {
    const saleUuid = await draft("");
    await change(saleUuid, { status: "open" });
    const key = { saleUuid, endpointUuid: (await only(saleUuid)).uuid };
    const { query } = store.database;
    const counted = () => query.selectFrom("webhook_replay").select("events").executeTakeFirst();
    expect(await replayEvents(store, key, { sinceMillis: 0n })).toBe(1);
    expect(Number((await counted())?.events)).toBe(1);
    await query.updateTable("webhook_replay").set({ events: 4_999n }).execute();
    await replayEvents(store, key, { sinceMillis: 0n });
    const refused = replayEvents(store, key, { sinceMillis: 0n });
    await expect(refused).rejects.toMatchObject({ code: "resource_exhausted" });
    expect(Number((await counted())?.events)).toBe(5_000);
    await query
      .updateTable("webhook_replay")
      .set({ since_ms: now - 2n * HOUR })
      .execute();
    expect(await replayEvents(store, key, { sinceMillis: 0n })).toBe(1);
    expect(Number((await counted())?.events)).toBe(1);
  });

  it("keeps nothing of a sale that a process of the version before has withdrawn or deleted", async () => {
    const [kept, withdrawn, deleted] = [await draft(""), await draft(""), await draft("")];
    const { query } = store.database;
    for (const saleUuid of [kept, withdrawn, deleted]) {
      await sendTestEvent(store, { saleUuid, endpointUuid: (await only(saleUuid)).uuid });
    }
    await query
      .updateTable("sale_state")
      .set({ status: "withdrawn" })
      .where("sale", "=", bytesOfHex(withdrawn))
      .execute();
    await query.deleteFrom("sale_state").where("sale", "=", bytesOfHex(deleted)).execute();
    await deleteOrphanedWebhooks(store.database, new AbortController().signal);
    for (const table of ["webhook_endpoint", "webhook_event", "webhook_delivery"] as const) {
      const rows = await query.selectFrom(table).select("sale").execute();
      expect([table, rows.map(({ sale }) => uuidFromBytes(sale))]).toEqual([table, [kept]]);
    }
  });

  it("keeps the latest thousand events of a sale", async () => {
    const saleUuid = await draft("");
    const { uuid: endpointUuid } = await only(saleUuid);
    await sendTestEvent(store, { saleUuid, endpointUuid });
    const { sale, type, body } = await store.database.query
      .selectFrom("webhook_event")
      .selectAll()
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: MAX_EVENTS }, (_, index) => {
      const event = Buffer.from(randomUUID().replaceAll("-", ""), "hex");
      return { event, sale: Buffer.from(sale), type, body, created_at_ms: now + BigInt(index) };
    });
    for (let at = 0; at < rows.length; at += 100) {
      await store.database.query
        .insertInto("webhook_event")
        .values(rows.slice(at, at + 100))
        .execute();
    }
    // The oldest of all, but no test; and the test that waits.
    const opened = { event: bytesOfHex(randomUUID()), sale: Buffer.from(sale), type: "sale.opened", body };
    await store.database.query
      .insertInto("webhook_event")
      .values({ ...opened, created_at_ms: 1n })
      .execute();
    await trimEvents(store.database, new AbortController().signal);
    const kept = await store.database.query
      .selectFrom("webhook_event")
      .select(["created_at_ms", "type"])
      .orderBy("created_at_ms")
      .execute();
    expect(kept).toHaveLength(MAX_EVENTS);
    expect(kept.map(({ type }) => type).slice(0, 2)).toEqual(["sale.opened", "webhook.test"]);
    const times = kept.map(({ created_at_ms }) => BigInt(created_at_ms));
    expect([times.includes(now), times.includes(now + 1n), times.includes(now + 2n)]).toEqual([false, false, true]);
    expect(await log(saleUuid)).toMatchObject([{ type: "webhook.test", status: "pending" }]);
  });
});
