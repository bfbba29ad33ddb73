import { describe, expect, it } from "vitest";
import type { BusEvent } from "../../../common/platform/bus/bus.ts";
import { DirectPublisher } from "./direct-publisher.ts";
import { saleUpdatedId } from "./sale-updated-event.ts";
import type { UnpublishedUpdate } from "./unpublished-updates.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";
const GENERATION = "0123456789abcdef";

function update(revision: bigint, saleUuid = SALE, generation = GENERATION): UnpublishedUpdate {
  return { saleUuid, generation, revision, event: new Uint8Array(1), trace: undefined };
}

/** A bus whose publications end when the test says so. */
function parts() {
  const sent: { readonly id: string; end(failure?: Error): void }[] = [];
  const counts = { left: 0, published: 0 };
  const state = { mayPublish: true };
  const bus = {
    system: "in_process" as const,
    publish: ({ id }: BusEvent) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      sent.push({ id, end: (failure) => (failure === undefined ? resolve() : reject(failure)) });
      return promise;
    },
  };
  const fresh = new DirectPublisher({
    bus,
    mayPublish: () => state.mayPublish,
    onRemaining: () => counts.left++,
    onPublished: (revisions) => {
      counts.published += revisions;
    },
  });
  const revisions = () => sent.map(({ id }) => Number(id.split(":").at(-1)));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (index: number, failure?: Error) => {
    sent[index]?.end(failure);
    await turn();
  };
  return { fresh, state, counts, sent, revisions, end };
}

describe("DirectPublisher", () => {
  it("publishes what follows on what is known to be published, one after another", async () => {
    const { fresh, revisions, end, sent, counts } = parts();
    expect(fresh.offer(update(5n))).toBe(false);
    fresh.note(SALE, { generation: GENERATION, revision: 4n });
    expect([fresh.offer(update(5n)), fresh.offer(update(6n)), fresh.offer(update(8n))]).toEqual([true, true, false]);
    expect(revisions()).toEqual([5]);
    expect(sent[0]?.id).toBe(saleUpdatedId(SALE, { generation: GENERATION, revision: 5n }));
    await end(0);
    expect(revisions()).toEqual([5, 6]);
    await end(1);
    await fresh.idle();
    expect(counts).toEqual({ left: 0, published: 2 });
    expect(fresh.takeRuns()).toEqual([{ saleUuid: SALE, first: 5n, last: 6n }]);
    expect(fresh.takeRuns()).toEqual([]);
  });

  it("holds a hundred updates of a sale at most while the bus is slow, and leaves the others to the outbox, in order", async () => {
    const { fresh, revisions, end, counts } = parts();
    fresh.note(SALE, { generation: GENERATION, revision: 0n });
    const later = Array.from({ length: 150 }, (_, index) => update(BigInt(index) + 1n));
    expect(later.filter((each) => fresh.offer(each))).toEqual(later.slice(0, 100));
    // A read of the outbox meanwhile has those that are held, too.
    expect(fresh.remainingOf(later)).toEqual([]);
    for (let index = 0; index < 100; index += 1) await end(index);
    await fresh.idle();
    expect(revisions()).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(counts).toEqual({ left: 1, published: 100 });
    expect(fresh.remainingOf(later)).toEqual(later.slice(100));
  });

  it("takes nothing of another generation, nor where another process publishes", () => {
    const { fresh, state } = parts();
    fresh.note(SALE, { generation: GENERATION, revision: 4n });
    expect(fresh.offer(update(5n, SALE, "f".repeat(16)))).toBe(false);
    state.mayPublish = false;
    expect(fresh.offer(update(5n))).toBe(false);
  });

  it("leaves a sale to the outbox after a failed publication, until the outbox has caught up", async () => {
    const { fresh, revisions, end, counts } = parts();
    fresh.note(SALE, { generation: GENERATION, revision: 4n });
    for (const revision of [5n, 6n]) fresh.offer(update(revision));
    await end(0, new Error("not acknowledged"));
    expect([revisions(), counts.left, fresh.takeRuns()]).toEqual([[5], 1, []]);
    expect(fresh.offer(update(7n))).toBe(false);
    expect(fresh.remainingOf([update(5n), update(6n)])).toHaveLength(2);
    fresh.note(SALE, { generation: GENERATION, revision: 7n });
    expect(fresh.offer(update(8n))).toBe(true);
  });

  it("stops where the lease has ended meanwhile", async () => {
    const { fresh, state, revisions, end, counts } = parts();
    fresh.note(SALE, { generation: GENERATION, revision: 4n });
    for (const revision of [5n, 6n]) fresh.offer(update(revision));
    state.mayPublish = false;
    await end(0);
    expect([revisions(), counts.left]).toEqual([[5], 1]);
    expect(fresh.takeRuns()).toEqual([{ saleUuid: SALE, first: 5n, last: 5n }]);
  });

  it("leaves to the outbox what others have committed, but not while it publishes the sale itself", async () => {
    const { fresh, end, counts } = parts();
    fresh.note(SALE, { generation: GENERATION, revision: 4n });
    fresh.offer(update(5n));
    const ofOthers = [update(6n), update(3n, OTHER)];
    expect(fresh.remainingOf([update(5n), ...ofOthers])).toEqual([update(3n, OTHER)]);
    expect(counts.left).toBe(0);
    await end(0);
    expect(counts.left).toBe(1);
    expect(fresh.remainingOf([update(5n), ...ofOthers])).toEqual(ofOthers);
  });

  it("marks nothing of a store that is gone, and waits for the outbox to fill the next one", async () => {
    const { fresh, revisions, end, counts } = parts();
    fresh.note(SALE, { generation: GENERATION, revision: 4n });
    for (const revision of [5n, 6n, 7n]) fresh.offer(update(revision));
    await end(0);
    fresh.forget();
    await end(1);
    expect([revisions(), fresh.takeRuns(), counts.left]).toEqual([[5, 6], [], 1]);
    expect(fresh.offer(update(8n))).toBe(false);
    expect(fresh.remainingOf([update(5n)])).toHaveLength(1);
  });

  it("keeps what can't be marked for the next time", async () => {
    const { fresh, end } = parts();
    fresh.note(SALE, { generation: GENERATION, revision: 4n });
    fresh.offer(update(5n));
    await end(0);
    const runs = fresh.takeRuns();
    fresh.offer(update(6n));
    await end(1);
    fresh.restoreRuns(runs);
    expect(fresh.takeRuns()).toEqual([{ saleUuid: SALE, first: 5n, last: 6n }]);
  });
});
