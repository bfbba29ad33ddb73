import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyOfBytes } from "../../testing/body-of-bytes.ts";
import { firstLoaded } from "./freshness.ts";
import { Representation } from "./representation.ts";
import { noteRead, RepresentationStore } from "./representation-store.ts";

const bodyOf = (length: number) => new Representation(1n, 1n, bodyOfBytes(Buffer.alloc(length)));
const at = (now: number) => ({ freshness: firstLoaded(0, now), feed: { state: undefined, knownAt: 0 }, now });
const COST = bodyOf(100).byteLength;

/** The first of a sample, and of all where the store is small. */
const first = () => 0;
const uuidsOf = (store: RepresentationStore) => Array.from(store.values(), ({ uuid }) => uuid).sort();

describe("RepresentationStore", () => {
  it("evicts the sale that was read least", () => {
    const store = new RepresentationStore({ maxBytes: 2 * COST, maxSales: 10 }, first);
    noteRead(store.add("a", bodyOf(100), at(1)), 2);
    store.add("b", bodyOf(100), at(1));
    store.add("c", bodyOf(100), at(3));
    expect(uuidsOf(store)).toStrictEqual(["a", "c"]);
    expect(store.evictions).toBe(1);
  });

  it("keeps what is read often while others pass through, until nobody has read it for long", () => {
    const store = new RepresentationStore({ maxBytes: 2 * COST, maxSales: 10 }, first);
    noteRead(store.add("a", bodyOf(100), at(1)), 2);
    for (const uuid of ["b", "c", "d", "e"]) store.add(uuid, bodyOf(100), at(3));
    expect(uuidsOf(store)).toStrictEqual(["a", "e"]);
    store.add("f", bodyOf(100), at(6 * 60_000 + 3));
    store.add("g", bodyOf(100), at(6 * 60_000 + 4));
    expect(uuidsOf(store)).toStrictEqual(["f", "g"]);
  });

  it("answers most reads of a few more sales than it holds, read in turn", () => {
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const store = new RepresentationStore({ maxBytes: 1e9, maxSales: 100 }, random);
    const walk = (now: number) => {
      let hits = 0;
      for (let index = 0; index < 120; index += 1) {
        const sale = store.get(String(index));
        if (sale === undefined) store.add(String(index), bodyOf(1), at(now));
        else {
          noteRead(sale, now);
          hits += 1;
        }
      }
      return hits;
    };
    let hits = 0;
    for (let round = 0; round < 20; round += 1) hits = walk(round * 1_000);
    expect(hits).toBeGreaterThan(80);
  });

  it("packs before it evicts, and counts what that leaves", () => {
    const large = () => new Representation(1n, 1n, bodyOfBytes(Buffer.alloc(50_000)));
    const store = new RepresentationStore({ maxBytes: 2 * large().byteLength, maxSales: 10 }, first);
    for (const uuid of ["a", "b", "c", "d"]) store.add(uuid, large(), at(1));
    expect(uuidsOf(store)).toStrictEqual(["a", "b", "c", "d"]);
    expect(store.evictions).toBe(0);
    expect(store.get("a")?.representation.isPackable).toBe(false);
    expect(store.get("a")?.representation.identity.bytes.equals(Buffer.alloc(50_000))).toBe(true);
  });

  it("bounds the number of sales, too", () => {
    const store = new RepresentationStore({ maxBytes: 100 * COST, maxSales: 2 }, first);
    for (const uuid of ["a", "b", "c"]) store.add(uuid, bodyOf(1), at(1));
    expect(store.size).toBe(2);
    expect(store.get("c")).toBeDefined();
  });

  it("makes room where a body grows, and keeps a body that is larger than the bound alone", () => {
    const store = new RepresentationStore({ maxBytes: 2 * COST, maxSales: 10 }, first);
    store.add("a", bodyOf(100), at(1));
    const sale = store.add("b", bodyOf(100), at(1));
    store.replace(sale, bodyOf(100_000), 1);
    expect(uuidsOf(store)).toStrictEqual(["b"]);
  });

  it("keeps its count of bytes right and within the bound, whatever happens", () => {
    const step = fc.record({
      what: fc.constantFrom("add", "replace", "delete", "read"),
      uuid: fc.constantFrom("a", "b", "c", "d", "e"),
      length: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const store = new RepresentationStore({ maxBytes: 50_000, maxSales: 4 });
        steps.forEach(({ what, uuid, length }, now) => {
          const sale = store.get(uuid);
          if (what === "add") store.add(uuid, bodyOf(length), at(now));
          else if (what === "delete") store.delete(uuid);
          else if (what === "read" && sale !== undefined) noteRead(sale, now);
          else if (what === "replace" && sale !== undefined) store.replace(sale, bodyOf(length), now);
          const held = Array.from(store.values(), ({ representation }) => representation.byteLength);
          expect(store.bytes).toBe(held.reduce((sum, bytes) => sum + bytes, 0));
          expect(store.size).toBeLessThanOrEqual(4);
          expect(store.bytes).toBeLessThanOrEqual(50_000);
        });
      }),
    );
  });
});
