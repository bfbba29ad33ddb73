import fc from "fast-check";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";
import { SILENT_BUS_MS } from "../../../common/platform/bus/silence.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import { insertUpdate } from "../../../services/commitments/outbox/append-update.ts";
import { OutboxRelay } from "../../../services/commitments/outbox/outbox-relay.ts";
import { saleUpdatedId } from "../../../services/commitments/outbox/sale-updated-event.ts";
import { markPublished, readBacklog, replayOutbox } from "../../../services/commitments/outbox/unpublished-updates.ts";
import { openCommitmentsDatabase } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { type PublishOutcome, RecordedBus } from "../../support/processes/recorded-bus.ts";

const GENERATION = "0123456789abcdef";
const MINUTE = 60_000n;
/** Longer than any test, so that no lease ends by the database's clock before its test ends it. */
const LEASE_MS = 3_600_000;
/** A time after which relays renew their leases, which haven't ended yet. */
const RENEWAL_MS = LEASE_MS / 2 + 1;
const sale = (number: number) => uuidFromBytes(new Uint8Array(16).fill(number));

describeEachDatabase("the outbox relay", (variant) => {
  let database: CommitmentsDatabase;
  let remove: () => Promise<void>;
  let bus: RecordedBus;
  let now: bigint;
  const started: OutboxRelay[] = [];
  /** Milliseconds by which the clock of all relays is ahead. */
  let skippedMs = 0;

  beforeAll(async () => {
    const created = await variant.create();
    remove = created.remove;
    database = await openCommitmentsDatabase(created);
  });
  beforeEach(reset);
  afterEach(async () => {
    await Promise.all(started.splice(0).map((relay) => relay.stop()));
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });

  async function reset(): Promise<void> {
    await database.query.deleteFrom("outbox").execute();
    await database.query.deleteFrom("outbox_relay").execute();
    bus = new RecordedBus();
    skippedMs = 0;
    now = await database.nowMillis();
  }

  function relay(pollMs = 10): OutboxRelay {
    const clock = () => performance.now() + skippedMs;
    const logger = pino({ level: "silent" });
    return new OutboxRelay({ database, bus, logger, pollMs, leaseMs: LEASE_MS, now: clock });
  }

  function running(pollMs?: number): OutboxRelay {
    const made = relay(pollMs);
    made.start();
    started.push(made);
    return made;
  }

  async function commit(saleUuid: string, revision: bigint, nowMillis = now): Promise<void> {
    const event = new TextEncoder().encode(`event ${revision}`);
    await database.write((transaction) =>
      transaction.executeQuery(
        insertUpdate(database, { saleUuid, generation: GENERATION, revision, nowMillis, event }),
      ),
    );
  }

  /** Commits an update in the process of a relay, which may publish it directly. */
  async function commitIn(one: OutboxRelay, saleUuid: string, revision: bigint): Promise<void> {
    await commit(saleUuid, revision);
    const event = new TextEncoder().encode(`event ${revision}`);
    one.publish({ saleUuid, generation: GENERATION, revision, event, trace: undefined });
  }

  const idOf = (saleUuid: string, revision: bigint) => saleUpdatedId(saleUuid, { generation: GENERATION, revision });
  const keptIds = () => bus.kept.map(({ id }) => id);
  const backlog = async () => (await readBacklog(database)).rows;

  /** All leases are over though their holders don't know: as after a pause of those processes. */
  async function expireLease(): Promise<void> {
    await database.query.updateTable("outbox_relay").set({ until_ms: 0n }).execute();
  }

  it("publishes what was committed, under its subject and ID, and once", async () => {
    await commit(sale(1), 2n);
    await commit(sale(1), 3n);
    expect(await readBacklog(database)).toMatchObject({ rows: 2 });
    const one = relay();
    expect(await one.publishBatch()).toBe(false);
    expect(keptIds()).toEqual([idOf(sale(1), 2n), idOf(sale(1), 3n)]);
    expect(Buffer.from(bus.kept[0]?.payload ?? []).toString()).toBe("event 2");
    expect(bus.kept[0]?.subject).toBe(`tidemark.commitments.v1.sale.${sale(1)}.updated`);
    await one.publishBatch();
    expect(bus.kept).toHaveLength(2);
    expect(await readBacklog(database)).toEqual({ rows: 0, ageMillis: 0 });
  });

  it("publishes every sale even if there is more than a batch", async () => {
    for (let revision = 2n; revision < 702n; revision++) await commit(sale(1), revision);
    await commit(sale(2), 2n);
    const one = relay();
    expect(await one.publishBatch()).toBe(true);
    expect(keptIds()).toHaveLength(500);
    expect(await one.publishBatch()).toBe(true);
    expect(keptIds().at(-1)).toBe(idOf(sale(2), 2n));
    expect(await one.publishBatch()).toBe(false);
    expect(keptIds()).toHaveLength(701);
    expect(await backlog()).toBe(0);
  });

  it("doesn't publish a sale's later revisions while an earlier one fails; other sales go on", async () => {
    for (const revision of [2n, 3n, 4n]) await commit(sale(1), revision);
    await commit(sale(2), 2n);
    bus.outcome = ({ id }) => (id === idOf(sale(1), 3n) ? "refused" : "kept");
    const one = relay();
    await expect(one.publishBatch()).rejects.toThrow("refused");
    expect(keptIds().toSorted()).toEqual([idOf(sale(1), 2n), idOf(sale(2), 2n)]);
    expect(await backlog()).toBe(2);
    bus.outcome = () => "kept";
    await one.publishBatch();
    expect(keptIds().slice(2)).toEqual([idOf(sale(1), 3n), idOf(sale(1), 4n)]);
  });

  it("marks the runs of however many sales, those that were published and no others", async () => {
    const runs = Array.from({ length: 12_000 }, (_, index) => {
      const uuid = uuidFromBytes(Buffer.from(`ff${index.toString(16).padStart(30, "0")}`, "hex"));
      return { saleUuid: uuid, first: 2n, last: 2n };
    });
    const [first, last] = [runs[0]?.saleUuid ?? "", runs.at(-1)?.saleUuid ?? ""];
    for (const uuid of [first, last]) for (const revision of [2n, 3n]) await commit(uuid, revision);
    await markPublished(database, runs);
    const left = await database.query
      .selectFrom("outbox")
      .select("revision")
      .where("published_at_ms", "is", null)
      .execute();
    expect(left.map(({ revision }) => Number(revision))).toEqual([3, 3]);
  });

  it("publishes again, with the same ID, what may not have been stored", async () => {
    await commit(sale(1), 2n);
    bus.outcome = () => "kept, but not acknowledged";
    const one = relay();
    await expect(one.publishBatch()).rejects.toThrow("not acknowledged");
    bus.outcome = () => "kept";
    await one.publishBatch();
    expect(keptIds()).toEqual([idOf(sale(1), 2n), idOf(sale(1), 2n)]);
  });

  it("leaves its share and its server when nothing is acknowledged for a while, and takes part again once the store answers", async () => {
    await commit(sale(1), 2n);
    const one = relay();
    let reconnections = 0;
    bus.reconnect = () => {
      reconnections += 1;
    };
    const { findStore } = bus;
    bus.outcome = () => "refused";
    await expect(one.publishBatch()).rejects.toThrow("refused");
    expect([one.partitions, reconnections]).toEqual([16, 0]);
    skippedMs += SILENT_BUS_MS;
    // A server that led the store when it was cut off still tells about it.
    expect(await one.publishBatch()).toBe(false);
    bus.findStore = () => Promise.reject(new Error("no answer"));
    expect(await one.publishBatch()).toBe(false);
    expect([one.partitions, reconnections]).toEqual([0, 1]);
    const other = relay();
    bus.findStore = findStore;
    bus.outcome = () => "kept";
    await other.publishBatch();
    expect(keptIds()).toEqual([idOf(sale(1), 2n)]);
    for (let shares = 0; one.partitions < 8 && shares < 10; shares += 1) {
      skippedMs += RENEWAL_MS;
      await other.publishBatch();
      await one.publishBatch();
    }
    expect([one.partitions, other.partitions]).toEqual([8, 8]);
  });

  it("is one at a time; another takes over when the lease is over", async () => {
    const [one, other] = [relay(), relay()];
    await one.publishBatch();
    await commit(sale(1), 2n);
    await other.publishBatch();
    expect(bus.kept).toEqual([]);
    await expireLease();
    await other.publishBatch();
    expect(keptIds()).toEqual([idOf(sale(1), 2n)]);
  });

  it("moves to another process at once when its holder stops", async () => {
    const [one, other] = [relay(), relay()];
    await one.publishBatch();
    await one.stop();
    await commit(sale(1), 2n);
    await other.publishBatch();
    expect(await backlog()).toBe(0);
  });

  it("listens to nothing where it was stopped before it could start", async () => {
    const listen = vi.spyOn(bus, "listen");
    const one = relay();
    await one.stop();
    one.start();
    expect(listen).not.toHaveBeenCalled();
  });

  /** Has relays take and release leases until none of them changes its share. The leases are renewed meanwhile. */
  async function settle(...relays: OutboxRelay[]): Promise<void> {
    for (let round = 0; round < 3; round++) {
      skippedMs += RENEWAL_MS;
      for (const one of relays) await one.publishBatch();
    }
  }

  it("shares the partitions among processes, each of which publishes its own", async () => {
    const relays = [relay(), relay(), relay()];
    await settle(...relays);
    expect(relays.map(({ partitions }) => partitions).toSorted()).toEqual([5, 5, 6]);
    const sales = Array.from({ length: 16 }, (_, digit) => sale(digit));
    for (const saleUuid of sales) for (const revision of [2n, 3n]) await commit(saleUuid, revision);
    const published: number[] = [];
    for (const one of relays) {
      const before = bus.kept.length;
      await one.publishBatch();
      published.push(bus.kept.length - before);
    }
    expect(published).toEqual(relays.map(({ partitions }) => 2 * partitions));
    expect(keptIds().toSorted()).toEqual(sales.flatMap((uuid) => [idOf(uuid, 2n), idOf(uuid, 3n)]).toSorted());
    expect(await backlog()).toBe(0);
  });

  it("hands partitions over to a process that comes, marked as far as they are published", async () => {
    const [one, other] = [relay(), relay()];
    const sales = Array.from({ length: 16 }, (_, digit) => sale(digit));
    for (const saleUuid of sales) await commit(saleUuid, 2n);
    await one.publishBatch();
    for (const saleUuid of sales) await commitIn(one, saleUuid, 3n);
    await settle(one, other);
    expect([one.partitions, other.partitions]).toEqual([8, 8]);
    expect(bus.kept).toHaveLength(32);
    // Half of them are published by the other.
    for (const saleUuid of sales) await commitIn(one, saleUuid, 4n);
    await one.publishBatch();
    await other.publishBatch();
    expect(bus.kept).toHaveLength(48);
    await other.stop();
    await settle(one);
    expect(one.partitions).toBe(16);
  });

  it("takes over the partitions of a process that stops at once, though its own leases aren't to be renewed yet", async () => {
    bus = new SignallingBus();
    const [one, stopping] = [relay(), relay()];
    await settle(one, stopping);
    expect([one.partitions, stopping.partitions]).toEqual([8, 8]);
    one.start();
    started.push(one);
    await stopping.stop();
    await expect.poll(() => one.partitions, { timeout: 3_000 }).toBe(16);
  });

  it("takes over the partitions of a process that has died", async () => {
    const [one, dead] = [relay(), relay()];
    await settle(one, dead);
    await database.query
      .updateTable("outbox_relay")
      .set({ until_ms: now - 1n })
      .where("name", "!=", "outbox")
      .execute();
    skippedMs += RENEWAL_MS;
    await one.publishBatch();
    expect(one.partitions).toBe(16);
  });

  it("leaves the outbox to others while the bus can't be reached", async () => {
    const [one, other] = [relay(), relay()];
    await one.publishBatch();
    await commit(sale(1), 2n);
    bus.isConnected = () => false;
    expect(await one.publishBatch()).toBe(false);
    expect(one.partitions).toBe(0);
    bus.isConnected = () => true;
    await other.publishBatch();
    expect(keptIds()).toEqual([idOf(sale(1), 2n)]);
  });

  it("never publishes at the same time as a version without partitions", async () => {
    const whole = () =>
      database.query.selectFrom("outbox_relay").selectAll().where("name", "=", "outbox").executeTakeFirstOrThrow();
    const until = now + MINUTE;
    await database.query
      .insertInto("outbox_relay")
      .values({ name: "outbox", holder: "old", until_ms: until, store_id: "first" })
      .execute();
    await commit(sale(1), 2n);
    const one = relay();
    expect(await one.publishBatch()).toBe(false);
    expect([bus.kept, (await whole()).holder]).toEqual([[], "old"]);
    // What the version before does when it stops.
    await database.query.updateTable("outbox_relay").set({ until_ms: 0n }).execute();
    await one.publishBatch();
    expect(keptIds()).toEqual([idOf(sale(1), 2n)]);
    // Only a lease that has ended is taken by the version before.
    expect(BigInt((await whole()).until_ms)).toBeGreaterThan(now);
    expect((await whole()).holder).not.toBe("old");
    await one.stop();
    expect(BigInt((await whole()).until_ms)).toBe(0n);
  });

  it("keeps the order in a store that another process has created", async () => {
    const [one, other] = [relay(), relay()];
    const uuid = sale(1);
    await one.publishBatch();
    await commit(uuid, 2n);
    await one.publishBatch();
    await commitIn(one, uuid, 3n);
    await expect.poll(keptIds).toHaveLength(2);
    await settle(one, other);
    bus.deleteStore();
    skippedMs += RENEWAL_MS;
    await other.publishBatch();
    // It may not create the store while the first might publish.
    await other.publishBatch();
    expect(bus.store).toBeUndefined();
    await commitIn(one, uuid, 4n);
    await one.publishBatch();
    await expireLease();
    skippedMs += 4 * RENEWAL_MS;
    await other.publishBatch();
    expect(bus.store).toBe("after loss 1");
    await commitIn(one, uuid, 5n);
    await settle(one, other);
    await one.stop();
    await settle(other);
    expect([...new Set(keptIds())]).toEqual([2n, 3n, 4n, 5n].map((revision) => idOf(uuid, revision)));
    expect(await backlog()).toBe(0);
  });

  it("creates no store while another process might publish, though one with shorter leases has renewed the common one last", async () => {
    const shorten = () =>
      database.query
        .updateTable("outbox_relay")
        .set({ until_ms: now - 1n })
        .where("name", "=", "outbox")
        .execute();
    const [one, other] = [relay(), relay()];
    await settle(one, other);
    const created = vi.spyOn(bus, "storeId");
    await shorten();
    skippedMs += RENEWAL_MS;
    await one.publishBatch();
    expect([created.mock.calls, one.partitions, other.partitions]).toEqual([[], 8, 8]);
    bus.deleteStore();
    await shorten();
    // Until the store is checked again.
    skippedMs += 1_500;
    await one.publishBatch();
    // The sharing ends with the last lease of another process, also for versions that know the common one alone.
    const { holder, until_ms } = await database.query
      .selectFrom("outbox_relay")
      .selectAll()
      .where("name", "=", "outbox")
      .executeTakeFirstOrThrow();
    expect(holder).toBe("ending");
    expect(BigInt(until_ms)).toBeGreaterThan(now);
    await shorten();
    await one.publishBatch();
    expect(bus.store).toBeUndefined();
    await expireLease();
    await one.publishBatch();
    expect(bus.store).toBe("after loss 1");
  });

  it("publishes the events of a lost store again", async () => {
    await commit(sale(1), 2n, now - 2n * 60n * MINUTE);
    await commit(sale(1), 3n, now - MINUTE);
    await relay().publishBatch();
    await expireLease();
    await bus.loseStore();
    await commit(sale(1), 4n);
    await relay().publishBatch();
    // Revision 2 is older than the store's retention.
    expect(keptIds()).toEqual([idOf(sale(1), 3n), idOf(sale(1), 4n)]);
  });

  it("publishes again what was published directly to a store that was lost", async () => {
    const one = relay();
    await commit(sale(1), 2n);
    await one.publishBatch();
    for (const revision of [3n, 4n, 5n]) await commitIn(one, sale(1), revision);
    await expect.poll(keptIds).toHaveLength(4);
    await bus.loseStore();
    // Until the store is checked again.
    skippedMs = 1_500;
    await commit(sale(1), 6n);
    await one.publishBatch();
    expect(keptIds()).toEqual([2n, 3n, 4n, 5n, 6n].map((revision) => idOf(sale(1), revision)));
    expect(await backlog()).toBe(0);
  });

  it("replays the updates committed since a time, in batches, and counts them", async () => {
    for (let index = 0n; index < 1_203n; index++) await commit(sale(1), 2n + index, now - MINUTE + index / 7n);
    const running = relay();
    for (let more = true; more; ) more = await running.publishBatch();
    bus.kept.length = 0;
    expect(await replayOutbox(database, now - MINUTE + 1n)).toBe(1_196n);
    expect(await backlog()).toBe(1_196);
    for (let more = true; more; ) more = await running.publishBatch();
    expect(keptIds()).toHaveLength(1_196);
    expect(await replayOutbox(database, now + MINUTE)).toBe(0n);
  });

  it("publishes when it is woken, and by itself if nobody wakes it", async () => {
    const one = running();
    await commit(sale(1), 2n);
    await expect.poll(keptIds).toEqual([idOf(sale(1), 2n)]);
    await commit(sale(1), 3n);
    one.wake();
    await expect.poll(keptIds).toEqual([idOf(sale(1), 2n), idOf(sale(1), 3n)]);
    // It is marked a moment later.
    await expect.poll(backlog).toBe(0);
  });

  it("publishes at once though its leases have ended between two polls", async () => {
    const one = running(LEASE_MS);
    await commitIn(one, sale(1), 2n);
    await expect.poll(keptIds).toEqual([idOf(sale(1), 2n)]);
    skippedMs += 2 * LEASE_MS;
    await commitIn(one, sale(1), 3n);
    await expect.poll(keptIds).toEqual([idOf(sale(1), 2n), idOf(sale(1), 3n)]);
  });

  it("renews its leases in time, however rarely it polls while it finds nothing", async () => {
    const ends = async () => {
      const rows = await database.query
        .selectFrom("outbox_relay")
        .select("until_ms")
        .where("name", "=", "outbox")
        .execute();
      return rows.map(({ until_ms }) => BigInt(until_ms));
    };
    const one = running(500);
    await expect.poll(() => one.partitions).toBe(16);
    const before = await ends();
    // It polls after 0.5 s and 1.5 s. The next poll would be after 3.5 s.
    skippedMs += LEASE_MS / 2 - 1_600;
    await expect.poll(ends, { timeout: 2_900 }).not.toEqual(before);
  });

  it("continues after the bus was away", async () => {
    bus.outcome = () => "refused";
    running();
    await commit(sale(1), 2n);
    await commit(sale(1), 3n);
    await expect.poll(backlog).toBe(2);
    bus.outcome = () => "kept";
    await expect.poll(backlog).toBe(0);
    expect(keptIds()).toEqual([idOf(sale(1), 2n), idOf(sale(1), 3n)]);
  });

  it("publishes every revision, rising per sale but for repeats, whatever fails", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("commit" as const), sale: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant("publish" as const), relay: fc.nat({ max: 2 }), outcomes: outcomes() }),
      fc.record({ kind: fc.constant("expire" as const) }),
      fc.record({ kind: fc.constant("renew" as const) }),
      fc.record({ kind: fc.constant("lose store" as const) }),
      fc.record({ kind: fc.constant("replay" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        await reset();
        const relays = [relay(), relay(), relay()];
        const revisions = new Map<string, bigint>();
        for (const taken of steps) {
          if (taken.kind === "commit") {
            const saleUuid = sale(taken.sale);
            const revision = (revisions.get(saleUuid) ?? 1n) + 1n;
            revisions.set(saleUuid, revision);
            await commit(saleUuid, revision);
          }
          if (taken.kind === "publish") {
            const left = [...taken.outcomes];
            bus.outcome = () => left.shift() ?? "kept";
            await relays[taken.relay]?.publishBatch().catch(() => {});
          }
          if (taken.kind === "expire") await expireLease();
          if (taken.kind === "renew") skippedMs += RENEWAL_MS;
          if (taken.kind === "lose store") bus.deleteStore();
          if (taken.kind === "replay") await replayOutbox(database, now - MINUTE);
        }
        bus.outcome = () => "kept";
        const last = relay();
        do {
          await expireLease();
          skippedMs += RENEWAL_MS;
          await last.publishBatch();
        } while ((await backlog()) > 0);
        for (const [saleUuid, revision] of revisions) {
          const expected = Array.from({ length: Number(revision) - 1 }, (_, index) =>
            idOf(saleUuid, BigInt(index) + 2n),
          );
          expect([...new Set(keptIds().filter((id) => id.startsWith(saleUuid)))]).toEqual(expected);
        }
      }),
      { numRuns: variant.name === "sqlite" ? 40 : 10 },
    );
  });
});

/** A bus whose signals reach other relays. */
class SignallingBus extends RecordedBus {
  override signal(subject = "", payload = new Uint8Array()): void {
    void LocalBus.prototype.publish.call(this, { id: "", subject, payload });
  }
}

function outcomes(): fc.Arbitrary<PublishOutcome[]> {
  return fc.array(fc.constantFrom<PublishOutcome[]>("kept", "refused", "kept, but not acknowledged"), { maxLength: 6 });
}
