import fc from "fast-check";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { saleUpdatedId } from "../../../services/commitments/messages/sale-updated-event.ts";
import { insertUpdate } from "../../../services/commitments/outbox/insert-update.ts";
import { OutboxRelay } from "../../../services/commitments/outbox/outbox-relay.ts";
import { readBacklog, replayOutbox } from "../../../services/commitments/outbox/unpublished-updates.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/store/sql/schema.ts";
import { uuidFromBytes } from "../../../services/shared/encoding/uuid.ts";
import { openCommitmentsDatabase } from "../../support/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { type PublishOutcome, RecordedBus } from "../../support/recorded-bus.ts";

const GENERATION = "0123456789abcdef";
const MINUTE = 60_000n;
const sale = (number: number) => uuidFromBytes(new Uint8Array(16).fill(number));

describeEachDatabase("the outbox relay", (variant) => {
  let database: CommitmentsDatabase;
  let remove: () => Promise<void>;
  let bus: RecordedBus;
  let now: bigint;
  const started: OutboxRelay[] = [];

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
    now = await database.nowMillis();
  }

  function relay(): OutboxRelay {
    return new OutboxRelay({ database, bus, logger: pino({ level: "silent" }), pollMs: 10 });
  }

  function running(): OutboxRelay {
    const made = relay();
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

  const idOf = (saleUuid: string, revision: bigint) => saleUpdatedId(saleUuid, { generation: GENERATION, revision });
  const keptIds = () => bus.kept.map(({ id }) => id);
  const backlog = async () => (await readBacklog(database)).rows;

  /** The lease is over though its holder doesn't know: as after a pause of that process. */
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

  it("publishes again, with the same ID, what may not have been stored", async () => {
    await commit(sale(1), 2n);
    bus.outcome = () => "kept, but not acknowledged";
    const one = relay();
    await expect(one.publishBatch()).rejects.toThrow("not acknowledged");
    bus.outcome = () => "kept";
    await one.publishBatch();
    expect(keptIds()).toEqual([idOf(sale(1), 2n), idOf(sale(1), 2n)]);
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

  it("publishes the events of a lost store again", async () => {
    await commit(sale(1), 2n, now - 2n * 60n * MINUTE);
    await commit(sale(1), 3n, now - MINUTE);
    await relay().publishBatch();
    await expireLease();
    bus.loseStore();
    await commit(sale(1), 4n);
    await relay().publishBatch();
    // Revision 2 is older than the store's retention.
    expect(keptIds()).toEqual([idOf(sale(1), 3n), idOf(sale(1), 4n)]);
  });

  it("publishes again what was published directly to a store that was lost", async () => {
    let skippedMs = 0;
    const now = () => performance.now() + skippedMs;
    const one = new OutboxRelay({ database, bus, logger: pino({ level: "silent" }), pollMs: 10, now });
    await commit(sale(1), 2n);
    await one.publishBatch();
    for (const revision of [3n, 4n, 5n]) {
      await commit(sale(1), revision);
      const event = new TextEncoder().encode(`event ${revision}`);
      one.publish({ saleUuid: sale(1), generation: GENERATION, revision, event, trace: undefined });
    }
    await expect.poll(keptIds).toHaveLength(4);
    bus.loseStore();
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
          if (taken.kind === "replay") await replayOutbox(database, now - MINUTE);
        }
        bus.outcome = () => "kept";
        await expireLease();
        const last = relay();
        while ((await backlog()) > 0) await last.publishBatch();
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

function outcomes(): fc.Arbitrary<PublishOutcome[]> {
  return fc.array(fc.constantFrom<PublishOutcome[]>("kept", "refused", "kept, but not acknowledged"), { maxLength: 6 });
}
